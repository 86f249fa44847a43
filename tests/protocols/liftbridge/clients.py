"""Clients of Liftbridge that misbehave, and those that only look like it."""

from collections.abc import Callable

from tests.protocols.liftbridge.traffic import CALLS, CLIENT, SERVER, Talk, call, member, members

from streamshark.dissection.connection import Connection
from streamshark.flows.segment import Flow, FlowEvent

EARLIEST, OFFSET, AT_TIME = 2, 1, 4
COMPACTED, CONTROLLED = member(13, member(1, 1)), member(17, member(1, 1))
JSON, PACKED = b'{"id":1}', b"\x81\xa2id\1"


class Script(Talk):
    """Calls of three connections of one client that follow one another after `wait` seconds."""

    def __init__(self, wait: float = 0.01) -> None:
        super().__init__()
        self.pause = wait
        self.stream = -1
        for flow in range(3):
            ends = Flow(flow, (f"10.0.0.1:{1000 + flow}", "10.0.0.99:4222"), (1000, 4222), client=0)
            made = Connection(ends, CALLS.table(), "made", self.shared)
            self.connections[flow] = made
            for row in made.feed(FlowEvent(flow, 0, "open", 1, self.now, 0, 0)):
                self.engine.see(row)

    def ask(self, method: str, message: bytes, flow: int = 0) -> None:
        """Begin a call."""
        self.stream += 2
        self.say(flow, CLIENT, call(method, message, self.stream), self.pause, CALLS)

    def answer(self, method: str, message: bytes = b"", flow: int = 0) -> None:
        """Answer the last call."""
        data = call(method, message, self.stream, reply=True)
        self.say(flow, SERVER, data, 0.001, CALLS)

    def lose(self, flow: int, side: int) -> None:
        """End a connection, one side first."""
        for each in (side, 1 - side):
            at = self.offsets.get((flow, each), 0)
            for row in self.connections[flow].feed(
                FlowEvent(flow, each, "close", 1, self.now, at, 0)
            ):
                self.engine.see(row)
        for row in self.connections[flow].finish():
            self.engine.see(row)

    def subscribe(
        self, position: int = EARLIEST, offset: int = 0, flow: int = 0, partition: int = 0
    ) -> None:
        """Subscribe to the stream s."""
        fields = {"_1": "s", "_2": partition, "_3": position, "_4": offset}
        self.ask("Subscribe", members(**{k: v for k, v in fields.items() if v}), flow)
        self.answer("Subscribe", b"", flow)

    def message(self, offset: int, flow: int = 0) -> None:
        """Deliver a message of s."""
        body = member(1, offset) if offset else b""
        self.answer("Subscribe", body + member(3, b"v") + member(5, "s"), flow)

    def create(self, flow: int = 0) -> None:
        """Create s."""
        self.ask("CreateStream", members(_1="s", _2="s"), flow)
        self.answer("CreateStream", flow=flow)

    def publish(
        self, *, method: str = "Publish", correlation: str = "", value: bytes = b"v", flow: int = 0
    ) -> None:
        """Publish to s."""
        more = member(7, correlation) if correlation else b""
        self.ask(method, member(2, value) + member(3, "s") + more, flow)

    def cursor(self, offset: int, cursor: str = "c", flow: int = 0) -> None:
        """Set a cursor."""
        self.ask("SetCursor", members(_1="s", _3=cursor, _4=offset), flow)
        self.answer("SetCursor", b"", flow)

    def join(self, consumer: str = "a", flow: int = 0) -> None:
        """Join the group g."""
        self.ask("JoinConsumerGroup", members(_1="g", _2=consumer, _3="s"), flow)

    def fetch(self, consumer: str = "a", flow: int = 0) -> None:
        """Fetch assignments."""
        self.ask("FetchConsumerGroupAssignments", members(_1="g", _2=consumer), flow)

    def leave(self, consumer: str = "a", flow: int = 0) -> None:
        """Leave the group."""
        self.ask("LeaveConsumerGroup", members(_1="g", _2=consumer), flow)


def published(count: int, wait: float = 0.001, method: str = "Publish") -> Script:
    """Publishes one by one."""
    talk = Script(wait)
    for _ in range(count):
        talk.publish(method=method)
        talk.answer(method, member(1, member(1, "s")))
    return talk


def created(count: int, wait: float = 0.01) -> Script:
    """Streams created in a row."""
    talk = Script(wait)
    for each in range(count):
        talk.ask("CreateStream", members(_1=f"s{each}", _2=f"s{each}"))
    return talk


def joined(*members_: tuple[str, int], leaves: bool = False, wait: float = 0.1) -> Script:
    """Consumers that join from connections."""
    talk = Script(wait)
    for consumer, flow in members_:
        talk.join(consumer, flow)
        if leaves:
            talk.leave(consumer, flow)
    return talk


def made(count: int, settings: bytes = b"", message: bytes = b"") -> Script:
    """A stream with settings, and messages published to it."""
    talk = Script()
    talk.ask("CreateStream", members(_1="s", _2="s") + settings)
    for _ in range(count):
        talk.ask("Publish", member(2, b"v") + member(3, "s") + message)
    return talk


def beyond(partition: int, partitions: int = 2, *, flow: int = 0) -> Script:
    """A publish to a partition of a stream, perhaps of another cluster."""
    talk = Script()
    talk.ask("CreateStream", members(_1="s", _2="s", _5=partitions))
    talk.ask("Publish", member(2, b"v") + member(3, "s") + member(4, partition), flow)
    return talk


def cursors_at(*offsets: int, wait: int = 1, reads: bool = True) -> Script:
    """Cursors that are set."""
    talk = Script(wait)
    if reads:
        talk.subscribe()
    for each in offsets:
        talk.cursor(each)
    return talk


def sent(*values: bytes, method: str = "Publish", acks: bool = True, wait: float = 0.01) -> Script:
    """Values that are published."""
    talk = Script(wait)
    for number, each in enumerate(values):
        talk.publish(value=each, correlation=str(number), method=method)
        if acks or number == 0:
            talk.answer(method, member(1, member(1, "s") + member(6, str(number))))
    talk.wait(7)
    return talk


Talks = Callable[[], tuple[Script, ...]]
"""A fault, and what looks like it."""


def names_the_fault_alone(rule: str, talks: Talks) -> None:
    """The first connection has a finding of the rule, and no other has."""
    fault, *kept = talks()
    assert fault.found(f"LFB-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.found(f"LFB-{rule}"), (rule, number)
