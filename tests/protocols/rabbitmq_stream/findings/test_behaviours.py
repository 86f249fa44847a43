"""Rules for what clients do over time: each names its fault and leaves near misses alone."""

from collections.abc import Callable
from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.behaviours import BEHAVIOURS

NAMES = {each.id for each in BEHAVIOURS}


def query(talk: Talk, stream: str = "s", offset: int | None = None) -> None:
    """QueryOffset, with what is stored."""
    code = 19 if offset is None else 1
    talk.ask(0x0B, text("app") + text(stream), number(code, 2) + number(offset or 0, 8))


def store(talk: Talk, *offsets: int) -> Talk:
    """StoreOffset."""
    for offset in offsets:
        talk.say(CLIENT, 0x0A, text("app") + text("s") + number(offset, 8))
    return talk


def subscribe(talk: Talk, kind: int = 1, offset: int = 0, sid: int = 1, more: bytes = b"") -> None:
    """Subscribe with an offset specification."""
    place = number(offset, 8) if kind == 4 else b""
    talk.ask(7, number(sid, 1) + text("s") + number(kind, 2) + place + number(10, 2) + more)


def refused(*codes: int, wait: float = 0.1) -> list[Talk]:
    """Subscriptions that are refused with codes, 1 for none."""
    talk = Talk()
    for code in codes:
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(1, 2), number(code, 2))
        talk.wait(wait)
    return [talk.leave()]


def polled(count: int, *, streams: int = 1, wait: float = 0) -> list[Talk]:
    """The stored offset asked for."""
    talk = Talk()
    for each in range(count):
        query(talk, f"s{each % streams}")
        talk.wait(wait)
    return [talk.leave()]


def connections(count: int, *, apart: float = 1, messages: int = 1) -> list[Talk]:
    """Connections one after the other that publish."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, int(each * apart * SECOND))
        talk.declare("s")
        for message in range(messages):
            talk.publish(message, 1)
        made.append(talk.leave())
    return made


def beats(count: int, wait: float) -> list[Talk]:
    """Heartbeats of both sides."""
    talk = Talk()
    for _ in range(count):
        talk.say(CLIENT, 23, b"")
        talk.wait(wait)
    return [talk.leave()]


def publishers(count: int, messages: int) -> list[Talk]:
    """Publishers that are declared, used and deleted."""
    talk = Talk()
    for each in range(count):
        talk.declare("s")
        talk.publish(each * messages, messages)
        talk.ask(6, b"\1")
    return [talk.leave()]


def numbered(count: int, *, first: int = 0, reused: bool = False) -> list[Talk]:
    """Publishers with ids that rise, each deleted before the next one is declared."""
    talk = Talk()
    for each in range(first, count):
        talk.ask(1, number(each, 1) + text("") + text("s"))
        ids = [number(publishing, 8) for publishing in range(12)]
        messages = b"".join(one + number(1) + b"m" for one in ids)
        talk.say(CLIENT, 2, number(each, 1) + number(12) + messages)
        talk.say(SERVER, 3, number(each, 1) + number(12) + b"".join(ids))
        talk.ask(6, number(each, 1))
        if reused and each == 40:
            talk.ask(1, number(3, 1) + text("") + text("s"))
    return [talk.leave()]


def only_asking(
    count: int, *, stored: bool = False, before: bool = False, seconds: int = 1
) -> list[Talk]:
    """Consumers that ask for the stored offset and unsubscribe, each on a connection."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * seconds * SECOND)
        if before:
            query(talk, offset=9)
        subscribe(talk, 4, each)
        talk.deliver(each)
        if not before:
            query(talk, offset=9)
        if stored:
            store(talk, each)
        talk.deliver(each + 1)
        talk.ask(0x0C, b"\1")
        made.append(talk.leave())
    return made


def readers(count: int, chunks: int) -> list[Talk]:
    """Subscriptions that end after some chunks."""
    talk = Talk()
    for each in range(count):
        subscribe(talk, 4, each * chunks)
        for chunk in range(chunks):
            talk.deliver(each * chunks + chunk)
        talk.ask(0x0C, b"\1")
    return [talk.leave()]


def unused(count: int, used: int) -> list[Talk]:
    """Publishers of which the first ones publish."""
    talk = Talk()
    for each in range(count):
        talk.ask(1, number(each, 1) + text("") + text("s"))
    for each in range(used):
        talk.say(CLIENT, 2, number(each, 1) + number(1) + number(1, 8) + number(1) + b"m")
        talk.say(SERVER, 3, number(each, 1) + number(1) + number(1, 8))
    return [talk.leave()]


def left(count: int, messages: int, *, seconds: float = 9) -> list[Talk]:
    """Connections with a publisher each, open until the captures end."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * SECOND // 10)
        talk.declare("s")
        talk.publish(1, messages)
        made.append(talk.wait(seconds))
        talk.say(CLIENT, 23, b"")
    return made


def readers_left(count: int, *, ended: bool) -> list[Talk]:
    """Subscriptions to one stream on connections that stay open."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * SECOND // 10)
        subscribe(talk)
        talk.deliver(0)
        if ended:
            talk.ask(0x0C, b"\1")
        made.append(talk.wait(2))
    return made


def replaced(offset: int, *, ended: bool) -> list[Talk]:
    """A consumer that is started again where it has got to."""
    talk = Talk()
    subscribe(talk)
    talk.deliver(0, 10)
    if ended:
        talk.ask(0x0C, b"\1")
    subscribe(talk, 4, offset, sid=2)
    if not ended:
        talk.deliver(10, 10)
    return [talk.leave()]


def alone(count: int, records: int) -> list[Talk]:
    """Sub-batches of some messages."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        data = (number(1) + b"m") * records
        entry = b"\x80" + number(records, 2) + number(len(data)) * 2 + data
        talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + entry)
        talk.say(SERVER, 3, b"\1" + number(1) + number(each, 8))
    return [talk.leave()]


def sequences(count: int) -> list[Talk]:
    """The last publishing id asked for before each message."""
    talk = Talk()
    talk.declare("s", "billing")
    for each in range(count):
        talk.ask(5, text("billing") + text("s"), number(1, 2) + number(each, 8))
        talk.publish(each + 1, 1)
        talk.wait(2)
    return [talk.leave()]


def publishers_back(*streams: str, seconds: float = 2) -> list[Talk]:
    """A client with two publishers, and those that it has after its connection was lost."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    for stream in ("a", "b"):
        one.declare(stream)
        one.publish(1, 1)
        if stream == "a":
            one.ask(6, b"\1")
            one.ask(1, b"\2" + text("") + text("a"))
            one.say(CLIENT, 2, b"\2" + number(1) + number(1, 8) + number(1) + b"m")
            one.say(SERVER, 3, b"\2" + number(1) + number(1, 8))
    one.made.reset(SERVER)
    for at, stream in enumerate(streams):
        other.ask(1, number(at, 1) + text("") + text(stream))
    return [one, other.wait(seconds).leave()]


def away(kind: int, *, published: bool) -> list[Talk]:
    """Messages while a consumer is away, and where it goes on."""

    def then(talk: Talk) -> None:
        talk.ask(0x1C, text("s"), number(1, 2) + number(1) + text("last_chunk_id")
                 + number(50 if published else 20, 8))  # fmt: skip
        subscribe(talk, kind)

    return resumed(nothing, then, lost=True)


def idle(count: int, working: int) -> list[Talk]:
    """Connections that do nothing for a while, and others that publish."""
    made = [Talk(50_000 + each).wait(5).leave() for each in range(count)]
    return [*made, *connections(working, messages=9)]


def doubled(*, ended: bool) -> list[Talk]:
    """A consumer that is started again."""
    talk = Talk()
    subscribe(talk)
    if ended:
        talk.ask(0x0C, b"\1")
    subscribe(talk, sid=2)
    if not ended:
        talk.deliver(0)
    return [talk.leave()]


def single(count: int, *, at_once: bool) -> list[Talk]:
    """Messages one by one, all before the first confirm or each after the one before."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        if at_once:
            talk.say(CLIENT, 2, b"\1" + number(1) + number(each, 8) + number(1) + b"m")
        else:
            talk.publish(each, 1)
    if at_once:
        ids = b"".join(number(each, 8) for each in range(count))
        talk.say(SERVER, 3, b"\1" + number(count) + ids)
    return [talk.leave()]


def stored(messages: int) -> list[Talk]:
    """Offsets stored after so many messages each."""
    talk = Talk()
    subscribe(talk)
    for each in range(25):
        talk.deliver(each * messages, messages)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
        store(talk, each * messages + messages - 1)
    return [talk.leave()]


def credited(window: int) -> list[Talk]:
    """Chunks, each followed by one credit."""
    talk = Talk()
    talk.subscribe("s", window)
    for each in range(25):
        talk.deliver(each)
        talk.say(CLIENT, 9, b"\1" + number(1, 2))
    return [talk.leave()]


def split(count: int, *, at: int) -> list[Talk]:
    """Frames that are written in two parts."""
    talk = Talk()
    for each in range(count):
        frame = number(15) + number(0x0C, 2) + number(1, 2) + number(each) + b"\1" + b"x" * 6
        for part in (frame[:at], frame[at:]):
            if part:
                talk.made.send(CLIENT, part)
    return [talk.leave()]


def waited(count: int, *, seconds: float = 0) -> list[Talk]:
    """Messages, each after the confirm of the one before."""
    talk = Talk()
    talk.declare("s")
    for each in range(count):
        talk.publish(each, 1)
        talk.wait(seconds)
    return [talk.leave()]


def streams(count: int, *, seconds: float = 0) -> list[Talk]:
    """Streams that are created and deleted."""
    talk = Talk()
    for each in range(count):
        talk.ask(0x0D, text(f"s{each}") + number(0))
        talk.wait(seconds)
        talk.ask(0x0E, text(f"s{each}"))
    return [talk.leave()]


def remade(
    *, times: int = 2, messages: int = 3, read: bool = False, apart: bool = True, names: str = "sss"
) -> list[Talk]:
    """A stream that is deleted and made again with its messages, on one or several connections."""
    talks = [Talk()]
    for each in range(times + 1):
        if apart and each:
            talks.append(Talk(40_000 + each, each * 20 * SECOND))
        talk, name = talks[-1], names[each]
        if each:
            talk.ask(0x0E, text(names[each - 1]))
        talk.wait(1).ask(0x0D, text(name) + number(0))
        talk.declare(name)
        if messages:
            talk.publish(each * 10, messages)
        if read:
            talk.subscribe(name, 10)
            talk.deliver(0, messages)
            talk.ask(0x0C, b"\1")
        talk.ask(6, b"\1")
        talk.wait(11)
    return [each.leave() for each in talks]


def retained(kind: int, begins: int, *, offset: int = 0, more: bytes = b"") -> list[Talk]:
    """A consumer of thirty messages whose stored offset is gone, and where it begins again."""

    def then(talk: Talk) -> None:
        query(talk)
        subscribe(talk, kind, offset, more=more)
        talk.deliver(begins, 10)

    return resumed(lambda talk: store(talk, 29), then, lost=False)


def under(name: str) -> list[Talk]:
    """Two runs that ask for the offset of app, of which nothing is stored, but of a name."""
    made = []
    for at in range(2):
        talk = Talk(40_000 + at, at * 10 * SECOND)
        query(talk)
        talk.say(CLIENT, 0x0A, text(name) + text("s") + number(9, 8))
        made.append(talk.leave())
    return made


def lookups(count: int, *, wait: float = 0, streams: int = 99) -> list[Talk]:
    """Metadata of one stream each."""
    talk = Talk()
    for each in range(count):
        name = text(f"s{each % streams}")
        brokers = number(1) + number(0, 2) + text("h") + number(5552)
        talk.ask(0x0F, number(1) + name, brokers + number(1) + name + number(1, 2) + number(0, 2)
                 + number(0))  # fmt: skip
        talk.wait(wait)
    return [talk.leave()]


def resumed(
    first: Callable[[Talk], object], then: Callable[[Talk], object], *, lost: bool
) -> list[Talk]:
    """A consumer of thirty messages, and what it does after its connection has ended."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one)
    for chunk in range(3):
        one.deliver(chunk * 10, 10)
    first(one)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    then(other)
    return [one, other.leave()]


def reports(count: int, *, ahead: bool) -> list[Talk]:
    """Runs of a program that each read from the first message on, or from where the last ended."""
    made = []
    for each in range(count):
        talk = Talk(40_000 + each, each * 60 * SECOND)
        subscribe(talk, 4, each * 10 if ahead else 0)
        for chunk in range(3):
            talk.deliver((each * 10 if ahead else 0) + chunk * 10, 10)
        made.append(talk.leave())
    return made


def skipped(chunk: int) -> list[Talk]:
    """Thirty messages, then a subscription at 31, whose first chunk begins somewhere."""

    def then(talk: Talk) -> None:
        subscribe(talk, 4, 31)
        talk.deliver(chunk, 10)

    return resumed(nothing, then, lost=False)


def renewed(kind: int) -> list[Talk]:
    """A consumer of new messages, of which none came, and its next subscription."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one, 3)
    one.made.reset(SERVER)
    subscribe(other, kind, 0)
    return [one, other.leave()]


def reconnected(seconds: float, *, subscribed: bool) -> list[Talk]:
    """A consumer whose connection is lost, and its next connection."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    subscribe(one)
    one.deliver(0)
    one.made.reset(SERVER)
    if subscribed:
        subscribe(other, 4, 1)
    return [one, other.wait(seconds).leave()]


def again_from(kind: int, offset: int = 0, *, stores: bool = False) -> Callable[[Talk], object]:
    """A subscription without a question, and perhaps its own offset stored at once."""

    def then(talk: Talk) -> None:
        subscribe(talk, kind, offset)
        if stores:
            store(talk, offset)

    return then


def asked(kind: int, offset: int, known: int | None) -> Callable[[Talk], object]:
    """A subscription after the stored offset was asked for."""

    def then(talk: Talk) -> None:
        query(talk, offset=known)
        subscribe(talk, kind, offset)

    return then


def nothing(talk: Talk) -> None:
    """Store nothing, ask for nothing."""


SINGLE = number(2) + b"".join(
    text(name) + text(said) for name, said in (("single-active-consumer", "true"), ("name", "app"))
)
"""Properties of a single active consumer."""


def active(talk: Talk, kind: int, offset: int = 0) -> Talk:
    """A consumer of a group that becomes active, and where it begins."""
    subscribe(talk, more=SINGLE)
    place = number(offset, 8) if kind == 4 else b""
    talk.say(SERVER, 0x1A, number(99) + b"\1\1")
    talk.say(CLIENT, 0x801A, number(99) + number(1, 2) + number(kind, 2) + place)
    return talk


def group(kind: int, offset: int, *, stores: bool) -> list[Talk]:
    """The active consumer leaves, another one becomes active."""
    one, other = active(Talk(), 1), Talk(40_001, 10 * SECOND)
    for chunk in range(3):
        one.deliver(chunk * 10, 10)
    if stores:
        store(one, 29)
    return [one.leave(), active(other, kind, offset).leave()]


def owners(*, used: bool, reference: str = "billing") -> list[Talk]:
    """Two publishers of one reference; the first one is used once more."""
    one, other = Talk(), Talk(40_001, 1 * SECOND)
    one.declare("s", "billing")
    one.publish(1, 1)
    other.declare("s", reference)
    other.publish(2, 1)
    one.wait(5)
    if used:
        one.publish(3, 1)
    return [one.leave(), other.wait(9).leave()]


def groups(*names: str, more: bytes = b"") -> list[Talk]:
    """Single active consumers of names, all at once."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        talk.ask(0x19, text("all"), number(1, 2) + number(1) + text("s"))
        said = text("single-active-consumer") + text("true") + text("name") + text(name)
        subscribe(talk, more=number(3 if more else 2) + said + more)
        made.append(talk.wait(5))
    return [each.leave() for each in made]


SUPER = text("super-stream") + text("all")
"""A property of a consumer of a partition."""


def standby(seconds: float) -> list[Talk]:
    """A consumer that is no longer active stores an offset."""
    talk = active(Talk(), 1)
    talk.deliver(0, 10)
    talk.say(SERVER, 0x1A, number(98) + b"\1\0")
    talk.say(CLIENT, 0x801A, number(98) + number(1, 2) + number(0, 2))
    return [store(talk.wait(seconds), 9).leave()]


def named(*names: str) -> list[Talk]:
    """Connections that ask for the offset of a name each, of which nothing is stored."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        talk.ask(0x0B, text(name) + text("s"), number(19, 2) + number(0, 8))
        made.append(talk.wait(1).leave())
    return made


def tracked(*turns: int, group: bool = False) -> list[Talk]:
    """Offsets stored by connections in turn."""
    made = [Talk(40_000 + each) for each in range(1 + max(turns))]
    for at, turn in enumerate(turns):
        made[turn].made.time_ns = (1_700_000_001 + at) * SECOND
        if group:
            subscribe(made[turn], 4, 10 + at, sid=at, more=SINGLE)
        store(made[turn], 10 + at)
    return [each.wait(20).leave() for each in made]


def super_stream(name: str) -> list[Talk]:
    """An offset stored where the partitions of a super stream are known."""
    talk = Talk()
    talk.ask(0x19, text("s"), number(1, 2) + number(1) + text("s-0"))
    talk.say(CLIENT, 0x0A, text("app") + text(name) + number(1, 8))
    return [talk.leave()]


def filtered(value: str, *, more: str = "", version: int = 2) -> list[Talk]:
    """A consumer with a filter, and messages with a filter value."""
    talk = Talk()
    talk.declare("s")
    entry = number(1, 8) + (text(value) if version == 2 else b"") + number(1) + b"m"
    head = number(9 + len(entry)) + number(2, 2) + number(version, 2)
    talk.made.send(CLIENT, head + b"\1" + number(1) + entry)
    pairs = [("filter.0", "job"), *([(more, "true")] if more else [])]
    properties = number(len(pairs)) + b"".join(text(name) + text(said) for name, said in pairs)
    subscribe(talk, more=properties)
    return [talk.wait(5).leave()]


def after_end(count: int, wait: float, *, silent: float = 0) -> list[Talk]:
    """Heartbeats after the broker's FIN, of a client that had been silent before."""
    talk = Talk().wait(silent)
    talk.made.finish(SERVER)
    for _ in range(count):
        talk.wait(wait).say(CLIENT, 23, b"")
    return [talk]


def newest(talk: Talk, chunk: int) -> None:
    """Say which chunk is the last one of the stream."""
    talk.ask(0x1C, text("s"), number(1, 2) + number(1) + text("last_chunk_id") + number(chunk, 8))


def new_only(*, stores: bool, lag: int = 20, lost: bool = True) -> list[Talk]:
    """A consumer of new messages, and the next one after so many were published."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    if stores:
        query(one)
    subscribe(one, 3)
    one.deliver(0, 10)
    if stores:
        store(one, 9)
    if lost:
        one.made.reset(SERVER)
    else:
        one.leave()
    newest(other, 9 + lag)
    if stores:
        query(other, offset=9)
    subscribe(other, 3)
    return [one, other.leave()]


def stored_and_new(
    kind: int = 3,
    *,
    named: bool = True,
    asks: bool = False,
    stores: bool = True,
    begins: int = 20,
    loses: bool = False,
) -> list[Talk]:
    """A consumer that stores its offset, and the next one, whose first chunk begins somewhere."""
    one, other = Talk(), Talk(40_001, 10 * SECOND)
    name = number(1) + text("name") + text("app") if named else b""
    query(one)
    subscribe(one, 3, more=name)
    one.deliver(0, 10)
    if loses:
        one.made.next[SERVER] += 50
        one.deliver(12, 10)
    if stores:
        store(one, 9)
    if asks:
        query(other, offset=9)
    subscribe(other, kind, more=name)
    other.deliver(begins, 10)
    return [one.leave(), store(other, begins + 9).leave()]


def same_name(*names: str, ended: bool = False, more: bytes = b"", used: bool = True) -> list[Talk]:
    """Consumers of names, each on its own connection; the first one receives more at the end."""
    made = []
    for at, name in enumerate(names):
        talk = Talk(40_000 + at, at * SECOND)
        said = text("name") + text(name) if name else b""
        subscribe(talk, more=number(bool(name) + bool(more)) + said + more)
        talk.deliver(0)
        if ended:
            talk.ask(0x0C, b"\1")
        made.append(talk.wait(5))
    if used and not ended:
        made[0].deliver(1)
    return [each.leave() for each in made]


def taken_over_new(*, stores: bool, lag: int = 20) -> list[Talk]:
    """A standby that becomes active for new messages, after so many were published."""
    one, other = active(Talk(), 1), Talk(40_001, 10 * SECOND)
    one.deliver(0, 10)
    if stores:
        store(one, 9)
    newest(other, 9 + lag)
    return [one.leave(), active(other, 3).leave()]


def in_partitions(*streams: str, more: bytes = b"") -> list[Talk]:
    """Single active consumers of the partitions p and q."""
    talk = Talk()
    talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for sid, stream in enumerate(streams):
        said = text("single-active-consumer") + text("true") + text("name") + text("app")
        place = number(1, 2) + number(10, 2) + number(3 if more else 2)
        talk.ask(7, number(sid, 1) + text(stream) + place + said + more)
    return [talk.leave()]


def spread(count: int, *reads: str, asked_for: bool = True) -> list[Talk]:
    """Messages in the partitions p and q, and consumers of some."""
    talk = Talk()
    if asked_for:
        talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for stream in ("p", "q"):
        talk.declare(stream)
        talk.publish(1, count)
        talk.ask(6, b"\1")
    for sid, stream in enumerate(reads):
        place = number(1, 2) + number(10, 2)
        talk.ask(7, number(sid, 1) + text(stream) + place)
    return [talk.wait(5).leave()]


def encoded(*messages: bytes, stream: str = "s", made_again: bool = False) -> list[Talk]:
    """Publishers, each with a message, to one stream or to one that is made again for each."""
    made = []
    for at, each in enumerate(messages):
        talk = Talk(40_000 + at, at * SECOND)
        if made_again:
            talk.ask(0x0D, text("s") + number(0))
        talk.declare(stream if at else "s")
        talk.message(each)
        talk.message(each)
        made.append(talk.leave())
    return made


AMQP = b"\0Su\xa0\1m"
"""A message in AMQP 1.0."""


def updated(
    seconds: float, *, life: str, again: str = "", other: str = "declare", sent: float = 3
) -> list[Talk]:
    """MetadataUpdate ends what a client has; it stays, while another one uses the stream again."""
    one, two = Talk(), Talk(40_001, SECOND)
    if life == "sub":
        subscribe(one)
        one.deliver(0)
    else:
        one.declare("s")
        one.publish(1, 1)
    one.wait(2).say(SERVER, 0x10, number(6, 2) + text("s"))
    two.wait(sent)
    if other == "declare":
        two.declare("s")
        two.publish(1, 1)
    elif other == "subscribe":
        subscribe(two)
    one.wait(seconds / 2)
    begin = {
        "metadata": lambda: one.ask(0x0F, number(1) + text("s"), number(0) + number(0)),
        "subscribe": lambda: subscribe(one, 4, 1),
        "declare": lambda: one.declare("s"),
    }
    if again in begin:
        begin[again]()
    for _ in range(2):
        one.wait(seconds / 4).say(CLIENT, 23, b"")
    return [one.leave() if again == "close" else one, two]


def amqp(key: str) -> bytes:
    """A message with an id."""
    name = key.encode()
    return (
        b"\0\x53\x73\xc0" + bytes((len(name) + 3, 1, 0xA1, len(name))) + name + b"\0\x53\x75\xa0\1m"
    )


def routed(keys: str, asked: str, *, batch: bool = False, partitions: int = 1) -> list[Talk]:
    """Partitions asked for, then messages of keys."""
    talk = Talk()
    for key in asked:
        at = ord(key) % partitions
        talk.ask(
            0x18, text(f"key-{key}") + text("all"), number(1, 2) + number(1) + text(f"all-{at}")
        )
    for at in range(partitions):
        talk.ask(1, number(at, 1) + text("") + text(f"all-{at}"))
    made = [(ord(key) % partitions, amqp(f"key-{key}")) for key in keys]
    groups = [made] if batch else [[each] for each in made]
    for first, group in enumerate(groups):
        body = b"".join(
            number(first + each, 8) + number(len(message)) + message
            for each, (_, message) in enumerate(group)
        )
        talk.say(CLIENT, 2, number(group[0][0], 1) + number(len(group)) + body)
        ids = b"".join(number(first + each, 8) for each in range(len(group)))
        talk.say(SERVER, 3, number(group[0][0], 1) + number(len(group)) + ids)
    return [talk.leave()]


def keyed(*clients: tuple[str, int], where: str = "id", single: bool = False) -> list[Talk]:
    """Clients that send keys to the partitions of a super stream, each with a hash of its own."""
    made = []
    for number_of_client, (keys, seed) in enumerate(clients):
        talk = Talk(40_000 + number_of_client, number_of_client * SECOND // 2)
        names = [f"all-{each}" for each in range(3)]
        listed = number(1, 2) + number(3) + b"".join(map(text, names))
        talk.ask(0x19, text("all"), listed)
        for each, name in enumerate(names):
            talk.ask(1, number(each, 1) + text("") + text(name))
        for at, key in enumerate(keys):
            message = amqp(f"k{key}") if where == "id" else tagged(f"k{key}", at)
            publisher = number(0 if single else (ord(key) + seed) % 3, 1)
            talk.say(
                CLIENT, 2,
                publisher + number(1) + number(at, 8) + number(len(message)) + message,
            )  # fmt: skip
            talk.say(SERVER, 3, publisher + number(1) + number(at, 8))
        made.append(talk.leave())
    return made


def tagged(key: str, at: int) -> bytes:
    """A message with an application property, and an id that counts."""
    pairs = b"".join(b"\xa1" + bytes((len(e),)) + e.encode() for e in ("customer", key))
    ident = b"\0\x53\x73\xc0\x0a\1\x80" + number(at, 8)
    return ident + b"\0\x53\x74\xc1" + bytes((len(pairs) + 1, 2)) + pairs + b"\0\x53\x75\xa0\1m"


def begun(kind: int, chunk: int) -> list[Talk]:
    """Thirty messages, then a subscription without an offset, and its first chunk."""

    def then(talk: Talk) -> None:
        place = number(1_600_000_000_000, 8) if kind == 5 else b""
        talk.ask(7, b"\1" + text("s") + number(kind, 2) + place + number(10, 2))
        talk.deliver(chunk, 10)

    return resumed(nothing, then, lost=True)


def references(*names: str, apart: bool = True) -> list[Talk]:
    """Publishers, each on a connection of its own or all on one."""
    made = [Talk()]
    for at, name in enumerate(names):
        if at and apart:
            made.append(Talk(40_000 + at, at * SECOND))
        made[-1].declare("s", name)
        for each in range(8):
            made[-1].publish(1 + 10 * at + each, 1)
        made[-1].ask(6, b"\1")
    return [each.leave() for each in made]


def skewed(count: int, *streams: str) -> list[Talk]:
    """Messages for a super stream with two partitions."""
    talk = Talk()
    talk.ask(0x19, text("all"), number(1, 2) + number(2) + text("p") + text("q"))
    for stream in streams:
        talk.declare(stream)
        talk.publish(1, count)
        talk.ask(6, b"\1")
    return [talk.leave()]


def valued(*values: str) -> list[Talk]:
    """Messages with filter values, each in a Publish of its own; empty for none."""
    talk = Talk()
    talk.declare("s")
    for at, value in enumerate(values):
        body = b"\1" + number(1) + number(at, 8) + text(value) + number(1) + b"m"
        talk.made.send(CLIENT, number(len(body) + 4) + number(2, 2) + number(2, 2) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
        talk.wait(0.1)
    return [talk.leave()]


def sent_again(*ids: int, told: bool = True, closed: bool = False, body: str = "p") -> list[Talk]:
    """Messages 0 to 9 of a named publisher, then a lost connection and these ids for 6 to 9."""
    one, other = Talk(), Talk(40_001, 2 * SECOND)
    for talk in (one, other):
        talk.declare("s", "app")
    for each in range(10):
        said(one, each, f"p{each}", confirmed=told)
    if told:
        other.ask(5, text("app") + text("s"), number(1, 2) + number(9, 8))
    for each, number_of_message in zip(range(6, 10), ids, strict=False):
        said(other, number_of_message, f"{body}{each}")
    if closed:
        return [one.leave(), other.leave()]
    one.made.finish(SERVER).finish(CLIENT)
    return [one, other.leave()]


def said(talk: Talk, publishing_id: int, body: str, *, confirmed: bool = True) -> None:
    """A message, and its confirm."""
    message = number(publishing_id, 8) + number(len(body)) + body.encode()
    talk.say(CLIENT, 2, b"\1" + number(1) + message)
    if confirmed:
        talk.say(SERVER, 3, b"\1" + number(1) + number(publishing_id, 8))


def deleted(*, used: bool) -> list[Talk]:
    """A stream that is deleted by another client than the one that reads it."""
    one, other = Talk(), Talk(40_001, SECOND)
    subscribe(one)
    one.deliver(0)
    if not used:
        one.ask(0x0C, b"\1")
    other.wait(1).ask(0x0E, text("s"))
    return [one.wait(3).leave(), other.leave()]


def stored_of_chunks(step: int, messages: int = 10) -> list[Talk]:
    """Offsets stored after each chunk."""
    talk = Talk()
    subscribe(talk)
    for each in range(4):
        talk.deliver(each * messages, messages)
        store(talk, each * messages + step)
    return [talk.leave()]


def grouped(*filters: str, single: bool = True) -> list[Talk]:
    """Members of a group with a filter each."""
    made = []
    for at, each in enumerate(filters):
        talk = Talk(40_000 + at, at * SECOND)
        given = [("name", "app"), ("filter.0", each)]
        given += [("single-active-consumer", "true")] if single else []
        more = number(len(given)) + b"".join(text(key) + text(value) for key, value in given)
        talk.ask(7, b"\1" + text("s") + number(1, 2) + number(10, 2) + more)
        made.append(talk.leave())
    return made


CASES: list[tuple[str, list[Talk]]] = [
    ("RMQ-B39", sent_again(10, 11, 12, 13)),
    ("RMQ-B39b", sent_again(10, 11, 12, 13, told=False)),
    ("", sent_again(6, 7, 8, 9)),
    ("", sent_again(10, 11, 12, 13, body="q")),
    ("", sent_again(10, 11, 12, 13, closed=True)),
    ("RMQ-B40", deleted(used=True)),
    ("", deleted(used=False)),
    ("RMQ-B41", stored_of_chunks(0, 2)),
    ("RMQ-B41", stored_of_chunks(0)),
    ("", stored_of_chunks(9)),
    ("", stored_of_chunks(0, 1)),
    ("RMQ-A11", grouped("eu", "us")),
    ("", grouped("eu", "eu")),
    ("", grouped("eu", "us", single=False)),
    ("RMQ-B36", valued(*(f"order-{each}" for each in range(20)))),
    ("", valued(*(f"order-{each}" for each in range(15)))),
    ("", valued(*(f"region-{each % 10}" for each in range(20)))),
    ("", valued(*[""] * 20)),
    ("RMQ-B35", begun(5, 0)),
    ("RMQ-B35", begun(2, 20)),
    ("", begun(2, 30)),
    ("RMQ-B35b", begun(2, 40)),
    ("RMQ-B35b", begun(5, 33)),
    ("", begun(5, 31)),
    ("RMQ-B33", references("app-1f2e", "app-2a3b", "app-77c0")),
    (
        "RMQ-B33",
        references(*(f"{each}b84c2a-0f11-4d1f-9d57-5b0a9c0d1e2f" for each in (11, 22, 33))),
    ),
    ("", references("app-1", "app-2")),
    ("", references("app", "app", "app")),
    ("", references("orders", "bills", "audit")),
    ("", references("app-1", "app-2", "app-3", apart=False)),
    ("RMQ-B34", skewed(12, "p")),
    ("", skewed(12, "p", "q")),
    ("", skewed(9, "q")),
    ("RMQ-B32", keyed(("abcabc", 0), ("abcabc", 1))),
    ("RMQ-B32", keyed(("abcabc", 0), ("aabbcc", 2), where="property")),
    ("RMQ-B32b", keyed(("abcd", 0), ("abcd", 1))),
    ("", keyed(("abcabc", 0), ("abcabc", 0))),
    ("", keyed(("abcabc", 0), ("cbacba", 0), where="property")),
    ("RMQ-B34", keyed(("abcabc", 0), ("abcabc", 0), single=True)),
    ("", keyed(("abcabc", 0), ("defdef", 1))),
    ("RMQ-B30", updated(12, life="sub")),
    ("RMQ-B30", updated(12, life="pub", other="subscribe")),
    ("RMQ-B30b", updated(4, life="sub", sent=1.5)),
    ("", updated(12, life="sub", again="subscribe")),
    ("", updated(12, life="sub", again="metadata")),
    ("", updated(12, life="pub", again="declare", other="subscribe")),
    ("", updated(12, life="sub", other="")),
    ("", updated(12, life="sub", again="close")),
    ("RMQ-B31", routed("aabcab", "a")),
    ("RMQ-B31", routed("aabcab", "a", batch=True)),
    ("RMQ-B31b", routed("aaaaaa", "a")),
    ("", routed("aaaa", "a")),
    ("", routed("aabcab", "abc")),
    ("", routed("aabcab", "abc", partitions=3)),
    ("RMQ-X7 RMQ-X7b", refused(2, 2, 2, 2, 2)),
    ("RMQ-X7b", refused(2, 2, 2)),
    ("", refused(2, 2)),
    ("", refused(2, 2, 6, 2, 2, 6, 2)),
    ("RMQ-X8b", sequences(3)),
    ("", sequences(2)),
    ("RMQ-X8c", lookups(8, streams=1, wait=2)),
    ("", lookups(7, streams=1, wait=2)),
    ("RMQ-X7b", refused(*[2] * 8, wait=5)),
    ("", refused(*[2] * 8, wait=61)),
    ("RMQ-X8 RMQ-X8d", polled(10)),
    ("RMQ-X8d", polled(5)),
    ("RMQ-X8d", polled(20, wait=0.2)),
    ("", polled(20, wait=3)),
    ("", polled(8, streams=2)),
    ("RMQ-B1", connections(4)),
    ("", connections(3)),
    ("RMQ-B1", connections(4, apart=8)),
    ("", connections(10, apart=12)),
    ("", connections(10, messages=10)),
    ("RMQ-H5", beats(8, 1)),
    ("", beats(8, 20)),
    ("RMQ-B2", publishers(3, 1)),
    ("", publishers(5, 2)),
    ("", publishers(2, 1)),
    ("RMQ-B98", numbered(256)),
    ("RMQ-B98", numbered(256, first=64)),
    ("", numbered(255)),
    ("", numbered(256, reused=True)),
    ("", numbered(256, first=200)),
    ("RMQ-B97", only_asking(3)),
    ("RMQ-B97", only_asking(3, seconds=9)),
    ("", only_asking(3, seconds=20)),
    ("", only_asking(2)),
    ("", only_asking(3, stored=True)),
    ("", only_asking(3, before=True)),
    ("RMQ-B3", readers(3, 1)),
    ("", readers(5, 2)),
    ("RMQ-B4", unused(12, 1)),
    ("", unused(12, 8)),
    ("RMQ-B5", idle(3, 3)),
    ("RMQ-B5", idle(3, 5)),
    ("", idle(2, 2)),
    ("", idle(3, 20)),
    ("RMQ-B6", doubled(ended=False)),
    ("", doubled(ended=True)),
    ("RMQ-B22", split(10, at=4)),
    ("", split(10, at=0)),
    ("", waited(25, seconds=0.1)),
    ("RMQ-B24", streams(5)),
    ("", streams(5, seconds=11)),
    ("RMQ-B25", under("other")),
    ("", under("app")),
    ("RMQ-B6b", replaced(10, ended=False)),
    ("", replaced(10, ended=True)),
    ("RMQ-B19", left(3, 1)),
    ("", left(2, 1)),
    ("", left(4, 2)),
    ("RMQ-B20", readers_left(4, ended=False)),
    ("", readers_left(3, ended=False)),
    ("", readers_left(4, ended=True)),
    ("RMQ-B7b", alone(10, 1)),
    ("", alone(10, 2)),
    ("RMQ-B7", single(60, at_once=True)),
    ("RMQ-B23", single(60, at_once=False)),
    ("", single(10, at_once=True)),
    ("RMQ-B8", stored(1)),
    ("", stored(10)),
    ("RMQ-B9", credited(1)),
    ("", credited(10)),
    ("RMQ-B10", lookups(10)),
    ("", lookups(10, wait=1)),
    ("RMQ-B11", [store(Talk(), 39, 12).leave()]),
    ("", [store(Talk(), 12, 39).leave()]),
    ("RMQ-B12", [store(Talk(), *[39] * 10).leave()]),
    ("", [store(Talk(), *range(10)).leave()]),
    ("RMQ-B13", resumed(nothing, again_from(1), lost=True)),
    ("", resumed(nothing, again_from(4, 30), lost=True)),
    ("", resumed(nothing, again_from(1), lost=False)),
    ("RMQ-B13b", resumed(lambda talk: store(talk, 29), asked(4, 29, 29), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), asked(4, 30, 29), lost=False)),
    ("RMQ-B13c", resumed(lambda talk: store(talk, 29), asked(1, 0, 29), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), asked(1, 0, None), lost=False)),
    ("RMQ-B42", retained(1, 40)),
    ("", retained(1, 31)),
    ("", retained(1, 0)),
    ("", retained(1, 40, more=number(1) + text("filter.0") + text("a"))),
    ("RMQ-B42b", retained(4, 140, offset=30)),
    ("", retained(4, 40, offset=30)),
    ("RMQ-B43", remade()),
    ("RMQ-B43", remade(apart=False)),
    ("", remade(times=1)),
    ("", remade(messages=0)),
    ("", remade(read=True, messages=1)),
    ("", remade(names="abc")),
    ("RMQ-B13d", resumed(query, asked(1, 0, None), lost=False)),
    ("RMQ-B13e", reports(3, ahead=False)),
    ("", reports(2, ahead=False)),
    ("", reports(3, ahead=True)),
    ("RMQ-B13f", resumed(nothing, again_from(4, 11), lost=True)),
    ("RMQ-B13g", skipped(30)),
    ("", skipped(31)),
    ("RMQ-B13h", renewed(4)),
    ("", renewed(3)),
    ("", renewed(1)),
    ("RMQ-B17", resumed(lambda talk: store(talk, 30), again_from(4, 30), lost=False)),
    ("RMQ-B17b", resumed(nothing, again_from(4, 30, stores=True), lost=False)),
    ("", resumed(lambda talk: store(talk, 29), again_from(4, 30), lost=False)),
    ("RMQ-B18", reconnected(9, subscribed=False)),
    ("", reconnected(9, subscribed=True)),
    ("", reconnected(1, subscribed=False)),
    ("RMQ-A6", group(1, 0, stores=True)),
    ("", group(4, 30, stores=True)),
    ("RMQ-B18b", publishers_back("a")),
    ("RMQ-B18b", publishers_back(seconds=6)),
    ("", publishers_back("a", "b")),
    ("", publishers_back(seconds=2)),
    ("RMQ-B26", away(3, published=True)),
    ("", away(3, published=False)),
    ("RMQ-A6c", group(4, 35, stores=True)),
    ("RMQ-A7", groups("app-1f2e", "app-2a3b", more=SUPER)),
    ("", groups("app", "app", more=SUPER)),
    ("", groups("billing", "audit", more=SUPER)),
    ("RMQ-A6c", taken_over_new(stores=True)),
    ("", taken_over_new(stores=True, lag=1)),
    ("RMQ-A6d", taken_over_new(stores=False)),
    ("", taken_over_new(stores=False, lag=1)),
    ("RMQ-B26", new_only(stores=True)),
    ("RMQ-B26b", new_only(stores=False)),
    ("", new_only(stores=False, lag=1)),
    ("", new_only(stores=False, lost=False)),
    ("RMQ-B37", stored_and_new()),
    ("RMQ-B35b", stored_and_new(2)),
    ("RMQ-B37b", stored_and_new(named=False)),
    ("", stored_and_new(asks=True)),
    ("", stored_and_new(asks=True, named=False)),
    ("", stored_and_new(stores=False)),
    ("", stored_and_new(stores=False, named=False)),
    ("", stored_and_new(begins=12)),
    ("", stored_and_new(loses=True)),
    ("RMQ-B38", same_name("jobs", "jobs")),
    ("", same_name("jobs", "bills")),
    ("", same_name("", "")),
    ("", same_name("jobs", "jobs", used=False)),
    ("", same_name("jobs", "jobs", ended=True)),
    ("RMQ-B27", spread(3, "p")),
    ("", spread(2, "p")),
    ("", spread(3, "p", "q")),
    ("", spread(3)),
    ("", spread(3, "p", asked_for=False)),
    ("RMQ-B28", encoded(AMQP, b"m")),
    ("", encoded(AMQP, b"m", made_again=True)),
    ("", encoded(AMQP, AMQP)),
    ("", encoded(b"m", b"n")),
    ("", encoded(AMQP, b"m", stream="t")),
    ("RMQ-A8", in_partitions("p", "q")),
    ("", in_partitions("p")),
    ("", in_partitions("p", "q", more=SUPER)),
    ("", in_partitions("p", "other")),
    ("RMQ-A9", standby(1)),
    ("", standby(0)),
    ("RMQ-B21", named("a", "b", "c")),
    ("", named("a", "a", "a")),
    ("RMQ-A6b", group(1, 0, stores=False)),
    ("RMQ-I10", owners(used=True)),
    ("", owners(used=False)),
    ("", owners(used=True, reference="orders")),
    ("RMQ-B14", tracked(0, 1, 0)),
    ("", tracked(0, 0, 1, 1)),
    ("", tracked(0, 1, 0, group=True)),
    ("RMQ-B16", super_stream("s")),
    ("", super_stream("s-0")),
    ("RMQ-B15", filtered("order")),
    ("RMQ-B15", filtered("", version=1)),
    ("", filtered("job")),
    ("", filtered("order", more="match-unfiltered")),
    ("RMQ-H6", [Talk(beats=True).leave()]),
    ("RMQ-K7", after_end(3, 1.1)),
    ("RMQ-K7", after_end(1, 1.1)),
    ("RMQ-K7b", after_end(3, 0.1)),
    ("RMQ-K7b", after_end(1, 1.1, silent=61)),
    ("", after_end(1, 0.1)),
]
"""The rules that find a fault, or none, and the connections."""


@every(
    ("number_of_case", "rule", "talks"),
    [(at, *each) for at, each in enumerate(CASES)],
    ids=lambda case: case[:2],
)
def test_faults_and_near_misses(
    number_of_case: int, rule: str, talks: list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules of behaviours."""
    del number_of_case
    found = {each.rule for each in findings(tmp_path, *talks)} & NAMES

    assert found == set(rule.split())


def test_every_rule_has_a_fault_and_a_near_miss() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES
