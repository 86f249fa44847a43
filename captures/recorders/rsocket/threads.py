"""How scenarios from issue threads and documents are made: faults and near misses."""

import sys
from collections.abc import Callable, Mapping

from captures.recorders.marks import Mark, Shown
from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import RAW, Facts, Play, Scenario, add
from captures.recorders.rsocket.wire import Hand

Do = Callable[[Hand], None]


def fault(  # noqa: PLR0913
    name: str,
    play: Play,
    title: str,
    *,
    peer: str,
    kind: str,
    thread: str,
    shows: str,
    says: str,
    marks: tuple[Mark | Shown, ...],
    server: str = "java",
) -> None:
    """A client that misbehaves; `says` is what a maintainer would say of it, `kind` its class."""
    add(
        Scenario(
            name=f"bug_{name}",
            play=written_by_caller(play),
            title=title,
            peer=peer,
            healthy=False,
            shows=shows,
            server=server,
            fault=says,
            kind=kind,
            thread=thread,
            marks=marks,
        )
    )


def near_miss(  # noqa: PLR0913
    name: str,
    play: Play,
    title: str,
    *,
    peer: str,
    thread: str,
    shows: str,
    server: str = "java",
    faults: Mapping[str, str] | None = None,
) -> None:
    """What looks like a fault and is right; `faults` are known ones of the library."""
    add(
        Scenario(
            name=name,
            play=written_by_caller(play),
            title=title,
            peer=peer,
            healthy=True,
            shows=shows,
            server=server,
            faults=faults or {},
            thread=thread,
        )
    )


def written_by_caller(play: Play) -> Play:
    """A play whose source is the file that asks for it: the script with the scenario."""
    place = sys._getframe(2).f_code.co_filename  # noqa: SLF001
    play.__code__ = play.__code__.replace(co_filename=place)  # type: ignore[attr-defined]
    return play


def library(
    peer: str,
    name: str,
    driver: str,
    *options: str,
    server: str = "java",
    carrier: str = "tcp",
    responder: str = "serves",
) -> Play:
    """A play of a driver against a server of a library."""

    def play() -> Facts:
        with clients.serving(carrier, *options, peer=server, driver=responder) as served:
            driven = clients.drive(peer, name, carrier, driver=driver)
        return driven | served

    return play


def by_hand(do: Do, *options: str) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", *options) as served:
            do(Hand(wrong=True))
        return served

    return play


def frames(key: int, stream: int | None = None, more: bytes = b"") -> bytes:
    """A pattern of frames of a type on TCP, on one stream or on any."""
    place = (
        b".{4}" if stream is None else b"".join(b"\\x%02x" % e for e in stream.to_bytes(4, "big"))
    )
    first = key << 2
    return b"^.{3}" + place + b"[\\x%02x-\\x%02x]" % (first, first + 3) + b"." + more


__all__ = ["RAW", "Mark", "Shown", "by_hand", "fault", "frames", "library", "near_miss"]
