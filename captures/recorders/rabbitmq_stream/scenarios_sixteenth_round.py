"""Scenarios of the classes that many threads share: see docs/checking.md, Threads read."""

import threading
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.relay import Change, key, relay
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_threads import those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss

PY, JS = "rstream_sixteenth_round.py", "js_sixteenth_round.mjs"


def made(stage: Stage) -> None:
    """The stream of a scenario."""
    client = stage.client().login()
    client.create(stage.scenario)
    client.close()


def report(stage: Stage) -> None:
    """A user who may read and not write."""
    stage.ctl("add_user report report")
    stage.ctl("set_permissions report '' '' '.*'")


def kept(stage: Stage) -> Facts:
    """Two runs of a report, which stores its offset."""
    facts = stage.drive(PY, "keeps", stage.scenario, "report")
    stage.ctl("delete_user report")
    return facts


SHOWS = "A report that stores its offset and asks for it in its second run; its user may only read."
fault(
    "offset_not_kept_for_reader_rstream",
    lambda stage: kept(stage),  # noqa: PLW0108 - each scenario names its function
    "A broker ignores the offsets of a user who may not write, by rstream",
    client="rstream",
    release="3.10",
    driver=PY,
    setup=report,
    faults=RSTREAM | {"RMQ-B11": "the second run stores the offsets of the first one again"},
    kind="permissions",
    thread="rabbitmq/rabbitmq-server#14330",
    shows=SHOWS,
    says="The report stores its offset, and the broker has none when it asks in its second run: "
    "StoreOffset needs the permission to write before 3.13, and has no answer. All messages are "
    "read again.",
    guilty=those(wire.QUERY_OFFSET | wire.RESPONSE, 2, sender="server"),
)
near_miss(
    "offset_kept_for_reader_rstream",
    lambda stage: kept(stage),  # noqa: PLW0108
    "A broker keeps the offsets of a user who may not write, by rstream",
    client="rstream",
    driver=PY,
    setup=report,
    faults=RSTREAM,
    thread="rabbitmq/rabbitmq-server#14330",
    shows=SHOWS,
)


class Holding(threading.local):
    """What the relay holds back on one connection."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.seen = 0
        self.since = 0.0

    def goes(self, frame: bytes, nth: int) -> bool:
        """Whether a frame goes on: chunks from the nth on do not, once they are held back."""
        if key(frame) != wire.DELIVER:
            return True
        self.seen += 1
        if self.seen < nth:
            return True
        self.since = self.since or time.monotonic()
        return False

    def is_over(self, seconds: float) -> bool:
        """Whether chunks were held back for so long."""
        return bool(self.since) and time.monotonic() - self.since > seconds


def holding(nth: int, seconds: float) -> Change:
    """Holds chunks back from the nth on, until the first other frame after some seconds."""
    state = Holding()

    def change(frame: bytes) -> list[bytes]:
        now = [frame] if state.goes(frame, nth) else []
        if not now:
            state.frames.append(frame)
        if state.is_over(seconds):
            now, state.frames = [*now, *state.frames], []
        return now

    return change


def dropping(nth: int, seconds: float) -> Change:
    """Holds chunks back from the nth on, and ends the connection after some seconds."""
    state = Holding()

    def change(frame: bytes) -> list[bytes]:
        if state.is_over(seconds):
            raise ConnectionError
        return [frame] if state.goes(frame, nth) else []

    return change


def unseen(facts: dict) -> Facts:
    """What a driver counted, without what it publishes beside the relay."""
    return {name: count for name, count in facts.items() if name != "published"}


def held(stage: Stage, script: str) -> Facts:
    """A reader whose fourth chunk comes late."""
    with relay(server=holding(4, 9)):
        return unseen(stage.drive(script, "reads", stage.scenario, "16"))


STALLED = "A reader of a log from its first message; heartbeats go on while a chunk is held back."
LATE = "it holds the fourth chunk and those after it back for nine seconds."
for name, script in (("rstream", PY), ("js", JS)):
    fault(
        f"chunks_held_back_{name}",
        lambda stage, script=script: held(stage, script),
        f"A broker holds chunks back although there is credit, read by {name}",
        client=name,
        driver=script,
        relay=LATE,
        kind="delivery",
        thread="amazon-mq/rabbitmq-stream-s3#279, rabbitmq/osiris#172",
        shows=STALLED,
        says="The subscription has credit and the messages are in the stream, but the broker sends "
        "nothing but heartbeats for nine seconds. The client can do nothing about it: the broker "
        "reads the stream too slowly.",
        guilty=those(wire.DELIVER, 4, 4, sender="server"),
    )


def dropped(stage: Stage) -> Facts:
    """A reader whose connection ends after its chunks have stopped to come."""
    with relay(server=dropping(3, 12)):
        return unseen(stage.drive(JS, "reads", stage.scenario, "20"))


fault(
    "dropped_while_held_back_js",
    dropped,
    "A broker stops to deliver and then drops the connection, read by js",
    client="js",
    driver=JS,
    relay="it holds the third chunk and those after it back, and ends the connection after twelve "
    "seconds.",
    kind="delivery",
    thread="amazon-mq/rabbitmq-stream-s3#120",
    shows="A reader of a log; the broker sends heartbeats, no chunk, and ends the connection.",
    says="Reading the stream fails in the broker: the subscription has credit and receives nothing "
    "for twelve seconds, then the broker ends the connection without Close.",
    guilty=those(wire.DELIVER, 2, 2, sender="server"),
)

for name, script in (("rstream", PY), ("js", JS)):
    fault(
        f"host_never_reached_{name}",
        lambda stage, script=script: stage.drive(script, "looks", stage.scenario),
        f"A client asks again and again for a host that it cannot reach, by {name}",
        client=name,
        driver=script,
        variant="advertised",
        setup=made,
        kind="advertised host",
        thread="rabbitmq-community/rstream#6, rabbitmq/rabbitmq-stream-dotnet-client#147",
        shows="A publisher that is started four times; the broker advertises a name that the "
        "client's network does not know.",
        says="Metadata names a host that the client cannot resolve: it asks, never connects to the "
        "host, leaves, and starts anew. advertised_host has to be a name that clients know.",
        guilty=those(wire.METADATA | wire.RESPONSE, 1, 4, sender="server"),
    )
