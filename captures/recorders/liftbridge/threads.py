"""How scenarios from issue threads and documents are made: faults and near misses."""

import sys

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import ALL, APART, GO, ONE, PYTHON, Facts, Play, Scenario
from captures.recorders.marks import Mark, Shown


def fault(  # noqa: PLR0913
    name: str,
    title: str,
    *,
    kind: str,
    thread: str,
    shows: str,
    says: str,
    marks: tuple[Mark | Shown, ...],
    driver: str = "threads",
    peer: str = GO,
    server: str = APART,
    play: Play | None = None,
    large: int = 1 << 20,
) -> None:
    """A client that misbehaves; `says` is what a maintainer would say of it, `kind` its class.

    `play` is what happens, where it is more than the driver's own play of this name.
    """
    ALL[f"bug_{name}"] = Scenario(
        f"bug_{name}",
        play or library(peer, name, driver),
        title,
        peer,
        healthy=False,
        shows=shows,
        server=server,
        fault=says,
        kind=kind,
        thread=thread,
        marks=marks,
        large=large,
    )


def near_miss(  # noqa: PLR0913
    name: str,
    title: str,
    *,
    thread: str,
    shows: str,
    driver: str = "threads",
    peer: str = GO,
    server: str = APART,
    play: Play | None = None,
    large: int = 1 << 20,
) -> None:
    """What looks like a fault and is right."""
    ALL[name] = Scenario(
        name,
        play or library(peer, name, driver),
        title,
        peer,
        healthy=True,
        shows=shows,
        server=server,
        thread=thread,
        large=large,
    )


def library(peer: str, name: str, driver: str) -> Play:
    """A play of a driver; its source is the script with the scenario."""

    def play() -> Facts:
        return plays(peer, name, driver)

    place = sys._getframe(2).f_code.co_filename  # noqa: SLF001
    play.__code__ = play.__code__.replace(co_filename=place)
    return play


def called(method: str, *, skip: int = 0) -> Shown:
    """The calls of a method of the API."""
    return Shown(f"a call of {method}", f'http2.headers.path matches "/{method}$"', skip=skip)


__all__ = ["ONE", "PYTHON", "Mark", "Shown", "called", "fault", "near_miss"]
