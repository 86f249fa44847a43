"""How scenarios from issue threads are made: faults and near misses."""

from collections.abc import Callable

from captures.recorders.rabbitmq_stream.setup import Choice, Facts, Stage, scenario

Play = Callable[[Stage], Facts]


def fault(  # noqa: PLR0913
    name: str,
    play: Play,
    title: str,
    *,
    kind: str,
    thread: str,
    shows: str,
    says: str,
    guilty: Choice,
    **more: object,
) -> None:
    """A peer that misbehaves; `says` is what a maintainer would say of it, `kind` its class.

    `more` is what else `scenario` takes: the client, the driver, what is set up, a relay.
    """
    add(
        f"bug_{name}",
        play,
        title,
        healthy=False,
        thread=thread,
        shows=shows,
        fault=says,
        category=kind,
        guilty=guilty,
        **more,
    )


def near_miss(
    name: str, play: Play, title: str, *, thread: str, shows: str, **more: object
) -> None:
    """What looks like a fault and is right."""
    add(name, play, title, healthy=True, thread=thread, shows=shows, **more)


def add(name: str, play: Play, title: str, **more: object) -> None:
    """Makes a scenario of a play for RabbitMQ 4, under this name."""
    play.__name__ = name
    play.__code__ = play.__code__.replace(co_name=name)  # type: ignore[attr-defined]
    scenario(title, **({"release": "4"} | more))(play)  # type: ignore[arg-type]
