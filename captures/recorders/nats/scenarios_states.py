"""States of streams and consumers that the tables of states name."""

from captures.recorders.nats.setup import NEW, Play, Scenario, add
from captures.recorders.nats.threads import library

DRIVER = "states"


def played(name: str) -> Play:
    """A play of the driver of this file."""
    play = library("py", name, DRIVER)
    play.__code__ = play.__code__.replace(co_filename=__file__)
    return play


add(
    Scenario(
        name="pulls_while_paused",
        play=played("pulls_while_paused"),
        title="A worker pulls from a consumer that is paused",
        peer="py",
        healthy=True,
        server=NEW,
        shows="Five jobs, and a consumer that is paused for five seconds.",
        faults={"NATS-B152": "the worker does not wait for the end of the pause"},
    )
)
add(
    Scenario(
        name="sealed_and_promoted",
        play=played("sealed_and_promoted"),
        title="A stream is sealed, and its mirror becomes a stream",
        peer="py",
        healthy=True,
        server=NEW,
        shows="A publish and a purge that the sealed stream refuses, and messages to the mirror "
        "before and after it has subjects of its own.",
        faults={
            "NATS-N14": "the mirror has no subject yet",
            "NATS-N24": "a sealed stream refuses a message and a purge",
        },
    )
)
