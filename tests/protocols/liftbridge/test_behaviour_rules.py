"""Rules for what clients of Liftbridge do over time: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.liftbridge.traffic import (
    CALLS,
    CLIENT,
    SERVER,
    Talk,
    call,
    member,
    members,
)

from streamshark.dissection.connection import Connection
from streamshark.flows.segment import Flow, FlowEvent
from streamshark.protocols.liftbridge.behaviour_rules import BEHAVIOURS

EARLIEST, OFFSET, AT_TIME = 2, 1, 4
TWICE = [each * 9 for each in (b"a", b"a", b"b", b"b", b"c", b"c")]
DAY = 24 * 3600 * 10**9
LARGEST = 1 << 20


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


def subscribed(count: int, wait: float = 0.01, *, reads: bool = False) -> Script:
    """Subscriptions from the earliest message."""
    talk = Script(wait)
    for each in range(count):
        talk.subscribe()
        if reads:
            talk.message(each)
    return talk


def resumed(count: int, beyond: int = 1, wait: float = 0.01, first: int = 1) -> Script:
    """A message by each subscription, which begins so far beyond the last one."""
    talk = Script(wait)
    offset = first
    talk.subscribe()
    talk.message(offset)
    for _ in range(count):
        offset += beyond
        talk.subscribe(OFFSET, offset)
        talk.message(offset)
    return talk


def interrupted(*, published: bool, position: int = 0, flow: int = 1) -> Script:
    """A subscription after another one."""
    talk = Script()
    talk.subscribe()
    talk.message(1)
    if published:
        talk.publish(flow=2)
    talk.subscribe(position, flow=flow)
    return talk


def fetched_after(
    *offsets: int, cursor: str = "c", answer: int = 5, flows: int = 1, confirmed: bool = True
) -> Script:
    """A cursor that is set to offsets, and what a server says of it later."""
    talk = Script()
    for number, each in enumerate(offsets):
        flow = number % flows
        talk.ask("SetCursor", members(_1="s", _3="c", _4=each), flow)
        if confirmed:
            talk.answer("SetCursor", b"", flow)
    talk.ask("FetchCursor", members(_1="s", _3=cursor), 2)
    talk.answer("FetchCursor", members(_1=answer), 2)
    return talk


def cursors(
    *offsets: int,
    flows: tuple[int, ...] = (0,),
    names: str = "c",
    wait: float = 1,
    created: bool = False,
) -> Script:
    """Cursors that are set; with `created` in a new stream of the same name each."""
    talk = Script(wait)
    for each, offset in enumerate(offsets):
        if created:
            talk.create()
        talk.cursor(offset, names[each % len(names)], flows[each % len(flows)])
    return talk


def starts(count: int, *, fetches: bool) -> Script:
    """Starts of a consumer that reads from the earliest message and sets a cursor."""
    talk = Script()
    for flow in range(count):
        if fetches:
            talk.ask("FetchCursor", members(_1="s", _3="c"), flow)
        talk.subscribe(flow=flow)
        talk.cursor(5, flow=flow)
    return talk


def begun_again(
    count: int,
    *,
    sets: bool = False,
    reads: bool = True,
    position: int = EARLIEST,
    names: str = "c",
) -> Script:
    """Starts of a consumer whose cursor is not there."""
    talk = Script()
    for flow in range(count):
        talk.ask("FetchCursor", members(_1="s", _3=names[flow % len(names)]), flow)
        talk.answer("FetchCursor", member(1, (1 << 64) - 1), flow)
        talk.subscribe(position, flow=flow)
        if reads:
            talk.message(flow, flow)
        if sets:
            talk.cursor(5, flow=flow)
    return talk


def fed(*streams: str, subject: str = "pay", deletes: bool = False) -> Script:
    """Streams that are created for a subject."""
    talk = Script(9)
    for each in streams:
        talk.ask("CreateStream", members(_1=subject or each, _2=each))
        if deletes:
            talk.ask("DeleteStream", members(_1=each))
    return talk


def keys(*values: int, settings: bytes) -> Script:
    """Messages with keys."""
    talk = made(0, settings)
    for each in values:
        talk.ask("Publish", member(1, b"k%d" % each) + member(2, b"v") + member(3, "s"))
    return talk


def pending(*, answered: bool, method: str = "PublishAsync") -> Script:
    """A publish before the connection is closed."""
    talk = Script()
    talk.publish(method=method)
    talk.answer(method, member(3, "1"))
    talk.publish(method=method)
    if answered:
        talk.answer(method, member(3, "1"))
    talk.close(0)
    return talk


def correlated(*ids: str, same_value: bool = False) -> Script:
    """Publishes with correlation ids."""
    talk = Script()
    for number, each in enumerate(ids):
        talk.publish(correlation=each, value=b"v" if same_value else b"%d" % number)
    return talk


def boxed(
    count: int, *ids: str, method: str = "Publish", answers: bool = False, wait: float = 0.01,
    own: bool = False,
) -> Script:  # fmt: skip
    """A call that is answered, then some with an ack inbox, open at once unless answered."""
    talk = Script(wait)
    talk.publish()
    talk.answer("Publish", member(1, member(1, "s")))
    for each in range(count):
        inbox = f"acks.{each}" if own else "acks"
        more = member(7, ids[each]) if ids else b""
        talk.ask(method, member(2, b"%d" % each) + member(3, "s") + member(6, inbox) + more)
        if answers:
            talk.answer(method, member(1, member(1, "s")))
    return talk


def published(count: int, wait: float = 0.001, method: str = "Publish") -> Script:
    """Publishes one by one."""
    talk = Script(wait)
    for _ in range(count):
        talk.publish(method=method)
        talk.answer(method, member(1, member(1, "s")))
    return talk


def sized(size: int) -> Script:
    """A publish of about so many bytes."""
    talk = Script()
    talk.publish(value=bytes(size))
    return talk


def created(count: int, wait: float = 0.01) -> Script:
    """Streams created in a row."""
    talk = Script(wait)
    for each in range(count):
        talk.ask("CreateStream", members(_1=f"s{each}", _2=f"s{each}"))
    return talk


def deleted(*, deletes: bool = True, creates: bool = False, answered: bool = True) -> Script:
    """A stream published to after it was deleted."""
    talk = Script()
    if deletes:
        talk.ask("DeleteStream", members(_1="s"), 1)
    if deletes and answered:
        talk.answer("DeleteStream", flow=1)
    if creates:
        talk.ask("CreateStream", members(_1="s", _2="s"), 1)
    talk.publish()
    return talk


def retained(age: int | None) -> Script:
    """A stream that keeps messages so long."""
    talk = Script()
    more = b"" if age is None else member(8, member(1, age))
    talk.ask("CreateStream", members(_1="s", _2="s") + more)
    return talk


def joined(*members_: tuple[str, int], leaves: bool = False, wait: float = 0.1) -> Script:
    """Consumers that join from connections."""
    talk = Script(wait)
    for consumer, flow in members_:
        talk.join(consumer, flow)
        if leaves:
            talk.leave(consumer, flow)
    return talk


def fetched(count: int, wait: float, *, answered: bool = True) -> Script:
    """Fetches of a consumer."""
    talk = Script(wait)
    talk.join()
    if answered:
        talk.answer("JoinConsumerGroup", members(_3=15_000_000_000))
    for _ in range(count):
        talk.fetch()
    return talk


def acted(*, left: bool, again: bool = False) -> Script:
    """A fetch after a consumer left, or joined again."""
    talk = Script()
    talk.join()
    if left:
        talk.leave()
    if again:
        talk.join()
    talk.fetch()
    return talk


def stopped(*, leaves: bool) -> Script:
    """A member whose connection is closed."""
    talk = Script()
    talk.join()
    talk.answer("JoinConsumerGroup")
    if leaves:
        talk.leave()
    talk.close(0)
    return talk


def subscription(**fields: int | str) -> Script:
    """A subscription with these members."""
    talk = Script()
    talk.ask("Subscribe", members(_1="s", **fields))
    return talk


def reread(position: int, offset: int, *, last: int = 20, flow: int = 1) -> Script:
    """A stream that is read up to a message, then subscribed to again."""
    talk = Script()
    talk.subscribe()
    talk.message(1)
    talk.message(last)
    talk.subscribe(position, offset, flow)
    return talk


def fetched_cursor(told: int, position: int, offset: int) -> Script:
    """A cursor that is fetched before a subscription."""
    talk = Script()
    talk.ask("FetchCursor", members(_1="s", _3="c"))
    talk.answer("FetchCursor", member(1, told) if told else b"")
    talk.subscribe(position, offset)
    return talk


def ahead(delivered: int, cursor: int) -> Script:
    """A cursor after a message."""
    talk = Script()
    talk.subscribe()
    talk.message(delivered)
    talk.cursor(cursor)
    return talk


def called(count: int, *, method: str = "PublishAsync", joined: bool = False) -> Script:
    """Messages published, each in a call of its own or all in one."""
    talk = Script()
    for _ in range(count):
        if joined:
            talk.stream = -1
        talk.publish(method=method)
    return talk


def refused(count: int, *, stored: bool = False) -> Script:
    """Messages of PublishAsync that are refused, perhaps with others between that are stored."""
    talk = Script()
    for each in range(count):
        talk.publish(method="PublishAsync", correlation=str(each))
        error = member(2, member(1, 2) + member(2, "readonly partition")) + member(3, str(each))
        talk.answer("PublishAsync", error)
        if stored:
            talk.answer("PublishAsync", member(1, member(1, "s")))
    return talk


def closed(
    count: int = 4,
    *,
    readonly: int = 1,
    again: bool = False,
    created: bool = False,
    partitions: bytes = b"",
) -> Script:
    """A publish to a stream after SetStreamReadonly."""
    talk = Script()
    more = member(2, partitions) if partitions else b""
    talk.ask("SetStreamReadonly", member(1, "s") + more + member(3, readonly))
    if again:
        talk.ask("SetStreamReadonly", member(1, "s"))
    if created:
        talk.create()
    for _ in range(count):
        talk.publish()
    return talk


def made(count: int, settings: bytes = b"", message: bytes = b"") -> Script:
    """A stream with settings, and messages published to it."""
    talk = Script()
    talk.ask("CreateStream", members(_1="s", _2="s") + settings)
    for _ in range(count):
        talk.ask("Publish", member(2, b"v") + member(3, "s") + message)
    return talk


def paused(count: int, *names: str) -> Script:
    """A stream that is paused."""
    talk = Script()
    for each in range(count):
        talk.ask("PauseStream", member(1, names[each % len(names)]))
    return talk


def woken(
    count: int, value: bytes = b"", *, pauses: bool = True, resumes: bool = False, reader: int = 0
) -> Script:
    """A paused stream that is published to, then read; a value of its own each time if none."""
    talk = Script()
    for each in range(count):
        if pauses:
            talk.ask("PauseStream", member(1, "s"), 1)
        talk.publish(value=value or b"%d" % each)
        more = member(7, 1) if resumes else b""
        talk.ask("Subscribe", member(1, "s") + member(3, OFFSET) + more, reader)
        talk.answer("Subscribe", b"", reader)
    return talk


def assigned(
    partitions: bytes, *reads: int, group: bool = False, wait: float = 5, closes: bool = True
) -> Script:
    """A consumer that is assigned partitions of s, and what it subscribes to."""
    talk = Script()
    talk.join()
    talk.fetch()
    talk.answer("FetchConsumerGroupAssignments", member(2, member(1, "s") + member(2, partitions)))
    member_of = member(11, members(_1="g", _3="a")) if group else b""
    for each in reads:
        talk.ask("Subscribe", member(1, "s") + (member(2, each) if each else b"") + member_of)
    talk.pause = wait
    talk.leave()
    if closes:
        talk.close(0)
    return talk


def joined_again(count: int, *, leaves: bool = False) -> Script:
    """Joins of one consumer."""
    talk = Script()
    for _ in range(count):
        talk.join()
        if leaves:
            talk.leave()
    return talk


def after_loss(
    *partitions: int,
    wait: float = 3,
    side: int = SERVER,
    publishes: bool = False,
    created: bool = False,
) -> Script:
    """A connection with three subscriptions that is lost, and what the next one subscribes to.

    With `created` the client creates the stream again, which was lost with the server's data.
    """
    talk = Script()
    for each in range(3):
        talk.subscribe(partition=each)
        talk.message(0)
        talk.message(1)
    talk.lose(0, side)
    if created:
        talk.create(1)
    if publishes:
        talk.publish(flow=1)
    for each in partitions:
        talk.subscribe(OFFSET, 2, 1, each)
    talk.pause = wait
    talk.publish(flow=1)
    return talk


def begun_at_one(position: int, offset: int = 0, *, received: bool = False) -> Script:
    """A subscription, and the next one at offset 1."""
    talk = Script()
    talk.subscribe(position, offset)
    if received:
        talk.message(0)
    talk.subscribe(OFFSET, 1)
    return talk


def cursor_names(*names: str, sets: bool = True) -> Script:
    """Cursors that are fetched, and are not there, then set, on a connection each."""
    talk = Script()
    for flow, each in enumerate(names):
        talk.ask("FetchCursor", members(_1="s", _3=each), flow)
        talk.answer("FetchCursor", member(1, (1 << 64) - 1), flow)
        if sets:
            talk.cursor(5, each, flow)
    return talk


def spread(count: int, *reads: int, partitions: int = 3, creates: bool = True) -> Script:
    """A stream with messages in several partitions, and what is subscribed to."""
    talk = Script()
    if creates:
        talk.ask("CreateStream", members(_1="s", _2="s", _5=partitions))
    for each in range(count):
        place = member(4, each % 2) if each % 2 else b""
        talk.ask("Publish", member(2, b"v") + member(3, "s") + place)
    for each in reads:
        talk.subscribe(partition=each)
    return talk


def beyond(partition: int, partitions: int = 2) -> Script:
    """A publish to a partition of a stream."""
    talk = Script()
    talk.ask("CreateStream", members(_1="s", _2="s", _5=partitions))
    talk.ask("Publish", member(2, b"v") + member(3, "s") + member(4, partition))
    return talk


def looked_up(count: int, wait: float = 0.1) -> Script:
    """FetchMetadata, several times."""
    talk = Script(wait)
    for each in range(count):
        talk.ask("FetchMetadata", member(1, f"s{each}"))
    return talk


def started(*names: str, leaves: bool = False, closes: bool = True) -> Script:
    """A consumer that joins a group under some names, on a connection each."""
    talk = Script()
    for flow, each in enumerate(names):
        talk.join(each, flow)
        talk.answer("JoinConsumerGroup", flow=flow)
        if leaves:
            talk.leave(each, flow)
        if closes:
            talk.lose(flow, CLIENT)
    return talk


def one_by_one(count: int, *, leaves: bool = True, wait: float = 0.01) -> Script:
    """Consumers that join a group and leave it."""
    talk = Script(wait)
    for each in range(count):
        talk.join(f"c{each}")
        talk.answer("JoinConsumerGroup")
        if leaves:
            talk.leave(f"c{each}")
    return talk


COMPACTED, CONTROLLED = member(13, member(1, 1)), member(17, member(1, 1))
KEY = member(1, b"k")


def stepped(count: int, *, by: int = 1, sent: int = 5, flow: int = 0) -> Script:
    """Subscriptions that are each cancelled after a message, though several were on their way."""
    talk = Script()
    for each in range(count):
        talk.subscribe(OFFSET, 1 + each * by, flow if each else 0)
        for offset in range(sent):
            talk.message(1 + each * by + offset)
    return talk


def moved(
    partition: int, offset: int, *, ends: tuple[int, ...] = (9, 4), lost: bool = True
) -> Script:
    """Partitions that are read to their ends, then a subscription on another connection."""
    talk = Script()
    for each, end in enumerate(ends):
        talk.subscribe(partition=each)
        for at in (1, end):
            talk.answer("Subscribe", members(_1=at, _3="v", _5="s", _6=each))
    if lost:
        talk.lose(0, SERVER)
    talk.subscribe(OFFSET, offset, 1, partition)
    return talk


def keyed(*places: tuple[str, int]) -> Script:
    """Messages with keys, each in a partition."""
    talk = Script()
    for key, partition in places:
        start = member(1, key) if key else b""
        talk.ask("Publish", start + member(2, b"v") + member(3, "s") + member(4, partition))
    return talk


def encoded(*values: tuple[int, bytes], stream: str = "s") -> Script:
    """Messages of a stream, each from a connection."""
    talk = Script()
    for flow, value in values:
        talk.ask("Publish", member(2, value) + member(3, stream), flow)
    return talk


def announced(name: str, kind: bytes, value: bytes) -> Script:
    """A message with a header."""
    talk = Script()
    header = member(5, member(1, name) + member(2, kind))
    talk.ask("Publish", member(2, value) + member(3, "s") + header)
    return talk


def gone_on(partition: int, offset: int, *, reads: bool = False) -> Script:
    """Partition 2 read from 0 to 7, then another one on another connection."""
    talk = Script()
    if reads:
        talk.subscribe(OFFSET, 1, 2, partition)
        talk.message(1, 2)
    talk.subscribe(partition=2)
    for each in range(8):
        body = member(1, each) if each else b""
        talk.answer("Subscribe", body + member(3, b"v") + member(5, "s") + member(6, 2))
    talk.lose(0, CLIENT)
    ends = Flow(1, ("10.0.0.1:1003", "10.0.0.99:4222"), (1003, 4222), client=0)
    talk.connections[1] = Connection(ends, CALLS.table(), "made", talk.shared)
    for row in talk.connections[1].feed(FlowEvent(1, 0, "open", 1, talk.now, 0, 0)):
        talk.engine.see(row)
    talk.subscribe(OFFSET, offset, 1, partition)
    return talk


def from_new(
    count: int,
    wait: float = 0.1,
    *,
    published: bool = True,
    kind: int = 0,
    created: bool = False,
) -> Script:
    """Subscriptions from new messages on, with messages between; `created`: the stream anew."""
    talk = Script(wait)
    for _ in range(count):
        if created:
            talk.create()
        talk.subscribe(kind)
        if published:
            talk.publish(flow=1)
    return talk


def to_subject(subject: str, *, creates: str = "orders") -> Script:
    """A stream of a subject, and a message that is published to a subject."""
    talk = Script()
    if creates:
        talk.ask("CreateStream", members(_1=creates, _2="orders-stream"))
    talk.ask("PublishToSubject", member(2, b"v") + member(3, subject))
    return talk


def since(first: int, second: int, *, last: int = 9, flow: int = 1) -> Script:
    """A stream read from one time, and then from another one."""
    talk = Script()
    talk.ask("Subscribe", members(_1="s", _3=4, _5=first))
    talk.answer("Subscribe")
    talk.message(1)
    talk.message(last)
    talk.ask("Subscribe", members(_1="s", _3=4, _5=second), flow)
    return talk


JSON, PACKED = b'{"id":1}', b"\x81\xa2id\1"


def named(
    wanted: str, *exist: str, ready: bool = False, error: int = 0, method: str = "Subscribe"
) -> Script:
    """A stream that is subscribed to, after metadata, and whether the subscription begins."""
    talk = Script()
    talk.ask("FetchMetadata", b"")
    known = (member(2, member(1, each) + (member(3, error) if error else b"")) for each in exist)
    talk.answer("FetchMetadata", b"".join(known))
    talk.ask(method, member(1, wanted) if method == "Subscribe" else member(3, wanted))
    if ready:
        talk.answer(method)
    talk.close(0)
    return talk


def listed(*streams: str) -> Script:
    """A publish to a stream, after metadata of some streams."""
    talk = Script()
    talk.ask("FetchMetadata", b"".join(member(1, each) for each in streams))
    talk.answer("FetchMetadata", member(2, member(1, "payments")))
    talk.ask("Publish", member(3, "payment"))
    return talk


def grouped(first: str, second: str, stream: str = "s") -> Script:
    """Two subscriptions, each of a group or of none."""
    talk = Script()
    for each, group in enumerate((first, second)):
        more = member(11, members(_1=group, _3="a")) if group else b""
        talk.ask("Subscribe", member(1, stream if each else "s") + more, each)
    return talk


def restored(group: str, *, side: int = SERVER, messages: int = 2) -> Script:
    """A subscription of a group, and one after its connection was lost."""
    talk = Script()
    for each, name in enumerate(("g", group)):
        more = member(11, members(_1=name, _3="a")) if name else b""
        talk.ask("Subscribe", member(1, "s") + more, each)
        talk.answer("Subscribe", b"", each)
        for offset in range(messages):
            talk.message(offset, each)
        talk.lose(each, side)
    return talk


def elsewhere(reads: int | None, sets: int, stream: str = "s", *, created: bool = False) -> Script:
    """A cursor of a partition, after a subscription to one; `created`: the stream between them."""
    talk = Script()
    if reads is not None:
        talk.ask("Subscribe", member(1, "s") + (member(2, reads) if reads else b""))
    if created:
        talk.create()
    place = member(2, sets) if sets else b""
    talk.ask("SetCursor", member(1, stream) + place + members(_3="c", _4=5))
    return talk


def uncorrelated(
    count: int, correlation: str = "", *, policy: int = 0, method: str = "PublishAsync"
) -> Script:
    """Messages with or without a correlation id."""
    talk = Script()
    for _ in range(count):
        more = (member(7, correlation) if correlation else b"") + (
            member(8, policy) if policy else b""
        )
        talk.ask(method, member(2, b"v") + member(3, "s") + more)
    return talk


def after_pause(*, resume: bool = False, published: bool = False, stream: str = "s") -> Script:
    """A subscription to a stream that was paused."""
    talk = Script()
    talk.ask("PauseStream", member(1, stream))
    if published:
        talk.publish()
    talk.ask("Subscribe", member(1, "s") + (member(7, 1) if resume else b""))
    return talk


def setting(number: int, value: int) -> Script:
    """A stream with a setting."""
    return made(0, member(number, member(1, value)))


def renewed(offset: int, *, cursor: bool = True, deletes: bool = True, position: int = OFFSET
            ) -> Script:  # fmt: skip
    """A stream that is read, perhaps deleted and created again, and read further."""
    talk = Script()
    talk.subscribe()
    talk.message(9)
    if cursor:
        talk.cursor(9)
    if deletes:
        talk.ask("DeleteStream", member(1, "s"), 2)
        talk.answer("DeleteStream", flow=2)
    talk.ask("CreateStream", members(_1="s", _2="s"), 2)
    talk.subscribe(position, offset, 1)
    return talk


def passed_on(
    times: int, *, changes: bool = False, wait: float = 0.01, reads: bool = True
) -> Script:
    """Messages that a client reads and publishes again."""
    talk = Script(wait)
    talk.subscribe()
    talk.publish(value=b"first")
    for each in range(times):
        if reads:
            talk.message(each)
        talk.publish(value=b"%d" % each if changes else b"v", flow=1)
    return talk


def begins_at(
    position: int, offset: int = 0, *, newest: int = 7, arrives: bool = False, ready: bool = True
) -> Script:
    """A subscription, and a message that was published before."""
    talk = Script()
    talk.publish(flow=1)
    talk.answer("Publish", member(1, member(1, "s") + member(4, newest)), 1)
    time = offset if position == AT_TIME else 0
    fields = {"_1": "s", "_3": position, "_4": offset - time, "_5": time}
    talk.ask("Subscribe", members(**{k: v for k, v in fields.items() if v}))
    if ready:
        talk.answer("Subscribe", b"")
    if arrives:
        talk.message(offset)
    talk.lose(0, CLIENT)
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


def request(method: str, message: bytes) -> Script:
    """A call."""
    talk = Script()
    talk.ask(method, message)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B1", lambda: (subscribed(4),
        subscribed(3), subscribed(5, 3), subscribed(8, reads=True))),
    ("B2", lambda: (resumed(5), resumed(2), resumed(5, wait=3))),
    ("B3", lambda: (resumed(1, 0), resumed(1, 1), resumed(1, 0, first=0))),
    ("B5", lambda: (interrupted(published=True),
        interrupted(published=False), interrupted(published=True, position=EARLIEST),
        interrupted(published=True, flow=0))),
    ("B72", lambda: (fetched_after(3, 7),
        fetched_after(3, 7, answer=7), fetched_after(3, 7, answer=9), fetched_after(7, 3),
        fetched_after(3, 7, cursor="d"), fetched_after(3, 7, flows=2),
        fetched_after(3, 7, confirmed=False))),
    ("B72", lambda: (fetched_after(9, answer=2**64 - 1),)),
    ("B6", lambda: (cursors(7, 3), cursors(3, 7), cursors(7, 3, names="cd"), cursors(7, 7),
        cursors(7, -1), cursors(7, 3, created=True))),
    ("B7", lambda: (cursors(1, 2, 3, flows=(0, 1)), cursors(1, 2, flows=(0, 1)), cursors(1, 2, 3))),
    ("B8", lambda: (starts(3, fetches=False), starts(2, fetches=False), starts(3, fetches=True))),
    ("B9", lambda: (cursors(*range(10)),
        cursors(*range(7)), cursors(*range(0, 60, 2)), cursors(*range(25), wait=3))),
    ("B10", lambda: (pending(answered=False),
        pending(answered=True), pending(answered=False, method="Publish"))),
    ("B11", lambda: (correlated(*"111"),
        correlated(*"11"), correlated(*"12345"), correlated(*"11111111", same_value=True))),
    ("B11b", lambda: (boxed(3),
        boxed(2), boxed(9, *"123456789"), boxed(9, answers=True), boxed(9, own=True),
        boxed(9, method="PublishAsync"), boxed(9, wait=6))),
    ("B11b", lambda: (boxed(6, wait=1),)),
    ("B12", lambda: (published(9),
        published(7), published(25, 1), published(25, method="PublishAsync"))),
    ("B13", lambda: (sized(LARGEST - 1000), sized(LARGEST + 1), sized(LARGEST // 2))),
    ("B14", lambda: (created(6), created(5), created(6, 3))),
    ("B14b", lambda: (fed("p-1", "p-2", "p-3", "p-4"),
        fed("p-1", "p-2", "p-3"), fed("p-1", "p-1", "p-1", "p-1", "p-1"),
        fed("p-1", "p-2", "p-3", "p-4", "p-5", subject=""), fed("a", "b", "c", "d", "e"),
        fed("p-1", "p-2", "p-3", "p-4", "p-5", deletes=True))),
    ("B14b", lambda: (fed(*(f"p-17641500{each}" for each in range(30, 70, 9))),)),
    ("B8b", lambda: (begun_again(3),
        begun_again(2), begun_again(3, sets=True), begun_again(3, reads=False),
        begun_again(3, position=0), begun_again(3, names="cde"))),
    ("B8b", lambda: (begun_again(3, position=OFFSET),)),
    ("B28b", lambda: (keys(*range(50), settings=COMPACTED),
        keys(*range(49), settings=COMPACTED), keys(*range(60), settings=b""),
        keys(1, 1, *range(60), settings=COMPACTED))),
    ("B28b", lambda: (keys(*range(90, 20, -1), settings=COMPACTED),)),
    ("B15", lambda: (deleted(),
        deleted(creates=True), deleted(deletes=False), deleted(answered=False))),
    ("B16", lambda: (retained(3600), retained(3_600_000), retained(None), retained(0))),
    ("B17", lambda: (joined(("a", 0), ("a", 1)),
        joined(("a", 0), ("b", 1)), joined(("a", 0), ("a", 0)),
        joined(("a", 0), ("a", 1), leaves=True), joined(("a", 0), ("a", 1), wait=20))),
    ("B18", lambda: (fetched(10, 0.01), fetched(6, 0.01), fetched(12, 1),
        fetched(12, 0.01, answered=False))),
    ("B19", lambda: (acted(left=True), acted(left=False), acted(left=True, again=True))),
    ("B4", lambda: (stopped(leaves=False), stopped(leaves=True))),
    ("B3b", lambda: (reread(OFFSET, 5),
        stepped(3), stepped(3, flow=1), reread(OFFSET, 21), reread(EARLIEST, 0))),
    ("B20", lambda: (reread(EARLIEST, 0),
        reread(EARLIEST, 0, flow=0), reread(EARLIEST, 0, last=4), reread(OFFSET, 21))),
    ("B21", lambda: (subscription(_3=4, _5=1_790_000_000_000),
        subscription(_3=4, _5=1_790_000_000_000_000_000), subscription(_3=1, _5=5))),
    ("B22", lambda: (subscription(_3=1, _4=5, _8=1, _9=2),
        subscription(_3=1, _4=5, _8=1, _9=9), subscription(_3=1, _4=5, _9=2))),
    ("B23", lambda: (fetched_cursor(9, EARLIEST, 0),
        fetched_cursor(9, OFFSET, 9), fetched_cursor(9, OFFSET, 10),
        fetched_cursor((1 << 64) - 1, EARLIEST, 0))),
    ("B24", lambda: (ahead(5, 9), ahead(5, 5), ahead(5, 6), ahead(5, 2))),
    ("B25", lambda: (called(8),
        called(7), called(12, joined=True), called(12, method="Publish"))),
    ("B26", lambda: (refused(1), called(3))),
    ("B26b", lambda: (refused(3), refused(2), refused(6, stored=True))),
    ("B27", lambda: (closed(3),
        closed(2), closed(readonly=0), closed(again=True), closed(created=True),
        closed(partitions=b"\1\2"))),
    ("B28", lambda: (made(3, COMPACTED),
        made(2, COMPACTED), made(8, COMPACTED, KEY), made(8))),
    ("B29", lambda: (made(10, member(5, 3)),
        made(9, member(5, 3)), made(30), made(30, member(5, 3), member(4, 1)))),
    ("B30", lambda: (made(1, message=member(9, 7)),
        made(1, CONTROLLED, member(9, 7)), made(1), made(1, message=member(9, (1 << 64) - 1)))),
    ("B31", lambda: (made(0, member(4, 1) + member(16, member(1, 2))),
        made(0, member(4, 3) + member(16, member(1, 2))), made(0))),
    ("B32", lambda: (made(0, member(6, member(1, 100)) + member(10, member(1, 1000))),
        made(0, member(6, member(1, 1000)) + member(10, member(1, 100))), made(0))),
    ("B33", lambda: (paused(3, "s"), paused(2, "s"), paused(4, "s", "t"))),
    ("B51", lambda: (woken(3, b"wake"),
        woken(2, b"wake"), woken(5), woken(5, b"wake", pauses=False),
        woken(5, b"wake", resumes=True), woken(5, b"wake", reader=2))),
    ("B34", lambda: (assigned(b"\1", 1, 2),
        assigned(b"\1", 1), assigned(b"\1\2", 1, 2), assigned(b"\1", 1, 2, group=True))),
    ("B35", lambda: (assigned(b"\1"),
        assigned(b"\1", 1), assigned(b"\1", wait=0.1), assigned(b"\1", closes=False))),
    ("B37", lambda: (after_loss(0, 1),
        after_loss(0, 1, 2), after_loss(0, 1, wait=0.1), after_loss(0, 1, side=CLIENT),
        after_loss(), after_loss(0, 1, created=True))),
    ("B38", lambda: (after_loss(publishes=True),
        after_loss(0, publishes=True), after_loss(publishes=True, wait=0.1), after_loss(),
        after_loss(publishes=True, created=True))),
    ("B39", lambda: (begun_at_one(0),
        begun_at_one(OFFSET, 1), begun_at_one(0, received=True))),
    ("B40", lambda: (cursor_names("a", "b", "c"),
        cursor_names("a", "b"), cursor_names("a", "a", "a"),
        cursor_names("a", "b", "c", sets=False))),
    ("B41", lambda: (beyond(2), beyond(1), beyond(0, 1))),
    ("B42", lambda: (spread(6, 0),
        spread(4, 0), spread(6, 0, 1), spread(6), spread(6, 0, creates=False))),
    ("B43", lambda: (looked_up(6), looked_up(5), looked_up(6, 3))),
    ("B44", lambda: (started("a", "b", "c"),
        started("a", "b"), started("a", "a", "a"), started("a", "b", "c", leaves=True),
        started("a", "b", "c", closes=False))),
    ("B2", lambda: (stepped(4), stepped(3), stepped(6, by=9))),
    ("B45", lambda: (moved(1, 10),
        moved(0, 10), moved(1, 5), moved(1, 7), moved(1, 10, lost=False),
        moved(1, 10, ends=(9, 9)))),
    ("B45b", lambda: (moved(1, 10, ends=(9,)), moved(0, 10, ends=(9,)), moved(1, 3, ends=(9,)))),
    ("B46", lambda: (keyed(("a", 0), ("a", 1), ("a", 2)),
        keyed(("a", 0), ("b", 1), ("a", 0), ("b", 1)), keyed(("", 0), ("", 1), ("", 2)),
        keyed(("a", 0), ("a", 1)))),
    ("B45b", lambda: (gone_on(0, 4),
        gone_on(0, 9), gone_on(1, 4), gone_on(2, 4), gone_on(0, 4, reads=True))),
    ("B47", lambda: (encoded((0, JSON), (1, PACKED), (1, PACKED)),
        encoded((0, JSON), (1, PACKED)), encoded((0, JSON), (1, b"[1]"), (1, b"[2]")),
        encoded((0, JSON), (0, PACKED), (1, PACKED), (1, PACKED)))),
    ("B47", lambda: (encoded((0, b"<a/>"), (1, b"text"), (1, b"text")),)),
    ("B47b", lambda: (encoded((0, JSON), (0, PACKED), (0, PACKED)),
        encoded((0, JSON), (0, PACKED), (0, JSON)), encoded((0, JSON), (0, b"[1]"), (0, b"[]")))),
    ("B20b", lambda: (since(10**18, 10**18),
        since(10**18, 10**18 + 1), since(10**18, 10**18, last=4), since(10**18, 10**18, flow=0))),
    ("B49", lambda: (from_new(3),
        from_new(2), from_new(3, published=False), from_new(3, 11), from_new(3, kind=EARLIEST),
        from_new(3, created=True))),
    ("B50", lambda: (to_subject("orders-stream"),
        to_subject("orders"), to_subject("orders-stream", creates=""), to_subject("other"))),
    ("B48", lambda: (announced("Content-Type", b"application/json", PACKED),
        announced("Content-Type", b"application/json", JSON),
        announced("content-type", b"application/msgpack", PACKED))),
    ("B48", lambda: (announced("content-encoding", b"gzip", JSON),)),
    ("B52", lambda: (named("payment", "payments"),
        named("payment", "payments", ready=True), named("invoices", "payments"),
        named("payment", "payments", error=1), named("payment", "payment", "payments"))),
    ("B52", lambda: (named("Order-Events", "order_events"),)),
    ("B52b", lambda: (named("payment", "payments", method="Publish"),
        named("payments", "payments", method="Publish"), named("bills", "payments"),
        listed("payments"))),
    ("B52b", lambda: (listed(),)),
    ("B53", lambda: (grouped("g", ""), grouped("g", "g"), grouped("", "g"), grouped("g", "", "t"))),
    ("B53b", lambda: (restored(""),
        restored("g"), restored("", side=CLIENT), restored("", messages=0))),
    ("B71", lambda: (one_by_one(6),
        one_by_one(5), one_by_one(9, leaves=False), one_by_one(9, wait=11))),
    ("B54", lambda: (elsewhere(2, 0),
        elsewhere(0, 0), elsewhere(2, 2), elsewhere(None, 0), elsewhere(2, 0, "t"),
        elsewhere(2, 0, created=True))),
    ("B54", lambda: (elsewhere(0, 1),)),
    ("B55", lambda: (uncorrelated(2),
        uncorrelated(1), uncorrelated(3, "a"), uncorrelated(3, policy=2),
        uncorrelated(3, method="Publish"))),
    ("B56", lambda: (after_pause(),
        after_pause(resume=True), after_pause(published=True), after_pause(stream="t"))),
    ("B57", lambda: (to_subject("orders.*"), to_subject("orders.new"))),
    ("B57", lambda: (to_subject("orders..new"),)),
    ("B58", lambda: (setting(8, 604_800),
        setting(8, 604_800_000), setting(8, 60_000), setting(8, (1 << 63) - 1))),
    ("B58", lambda: (setting(11, 604_800 * 10**9), setting(6, 604_800))),
    ("B59", lambda: (setting(14, 30), setting(14, 30_000), made(0))),
    ("B60", lambda: (renewed(10),
        renewed(10, deletes=False), renewed(4), renewed(0, position=EARLIEST))),
    ("B60", lambda: (renewed(10, cursor=False), renewed(0, cursor=False, position=EARLIEST))),
    ("B61", lambda: (passed_on(7),
        passed_on(4), passed_on(9, changes=True), passed_on(9, wait=3), passed_on(9, reads=False))),
    ("B70", lambda: (begins_at(AT_TIME, DAY),
        begins_at(AT_TIME, 30 * 10**9), begins_at(OFFSET, DAY))),
    ("B63", lambda: (begins_at(OFFSET, 1_764_150_111),
        begins_at(OFFSET, 10**8), begins_at(AT_TIME, DAY))),
    ("B63", lambda: (cursors_at(1_764_150_111), cursors_at(10**8))),
    ("B62", lambda: (begins_at(OFFSET, 50),
        begins_at(OFFSET, 50, arrives=True), begins_at(OFFSET, 8), begins_at(OFFSET, 50, newest=60),
        begins_at(OFFSET, 50, ready=False), begins_at(EARLIEST))),
    ("B64", lambda: (cursors_at(*[7] * 5), cursors_at(*[7] * 4), cursors_at(1, 2, 3, 4, 5, 6))),
    ("B65", lambda: (cursors_at(1, 2, 3, reads=False),
        cursors_at(1, 2, 3), cursors_at(1, 2, reads=False))),
    ("B69", lambda: (sent(*TWICE), sent(*TWICE[:4]), sent(*TWICE[::2]), sent(*[b"value"] * 9))),
    ("B10b", lambda: (sent(b"v", b"w", method="PublishAsync", acks=False),
        sent(b"v", b"w", method="PublishAsync"), sent(b"v", b"w", acks=False))),
    ("B66", lambda: (request("CreateStream", members(_1="orders", _2="undefined")),
        request("CreateStream", members(_1="orders", _2="orders")))),
    ("B66", lambda: (request("SetCursor", members(_1="s", _3="{consumer}", _4=7)),
        request("SetCursor", members(_1="s", _3="consumer", _4=7)))),
    ("B67", lambda: (sent(b"[object Object]"), sent(b'{"a":1}'))),
    ("B68", lambda: (sent(b"eyJvcmRlciI6IDd9"), sent(b"0123456789abcdef"))),
    ("B36", lambda: (joined_again(3), joined_again(2), joined_again(5, leaves=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(
    rule: str, talks: Callable[[], tuple[Script, ...]]
) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"LFB-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.found(f"LFB-{rule}"), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in BEHAVIOURS} == {f"LFB-{rule}" for rule, *_ in CASES}
