"""Rules for what replies repeat, and for what has none: faults in two forms, and near misses."""

import struct

from tests.failures import every
from tests.protocols.pravega.clients import (
    CLIENT,
    EVENT,
    OTHER,
    SEGMENT,
    SERVER,
    Talk,
    Talks,
    append,
    bytes_read,
    entry,
    framed,
    key,
    names_the_fault_alone,
    numbers,
    read,
    ready,
    set_up,
    text,
    writing,
)
from tests.protocols.pravega.traffic import WRITER, hello

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.reply_rules import REPLY_RULES

ELSEWHERE = text("scope/stream/1.#epoch.0")
INTERNAL = text("_system/stream/1.#epoch.0")
HELLO = hello(16, 5)


def ended(talk: Talk, *, by: int = CLIENT) -> Talk:
    """The connection ends, closed by one side first, and another one begins."""
    talk.event("close", by).event("close", 1 - by)
    for row in talk.connection.finish():
        talk.engine.see(row)
    return talk.again()


def greeted(*sides: int, first: bytes = b"", wait: int = 1) -> Talk:
    """A connection that begins with HELLO of some sides, and perhaps another command."""
    talk = Talk(greets=False)
    talk.connection.flow.handshake_ns = (1, 1)
    for side in sides:
        talk.say(side, HELLO)
    if first:
        talk.say(SERVER, first)
    talk.event("close", CLIENT, wait).event("close", SERVER)
    for row in talk.connection.finish():
        talk.engine.see(row)
    return talk


def acked(event: int, previous: int, length: int = 100, number: int = 7) -> bytes:
    """DATA_APPENDED."""
    return framed(Code.DATA_APPENDED, WRITER + numbers(event, previous, number, length))


def acknowledged(*acks: bytes, each: int = 1, number: int = 7) -> Talk:
    """Appends of 13 bytes, and what acknowledges them."""
    talk = writing()
    for at, ack in enumerate(acks):
        for event in range(each):
            body = struct.pack(">iii", len(EVENT), 0, 1) + numbers(at * each + event + 1, number)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + EVENT), 0)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body), 0)
        talk.say(SERVER, ack)
    return talk


def conditional(
    *numbers_of: int, length: int = 0, block: bool = False, refused: bool = False
) -> Talk:
    """Conditional appends at offset 50, and what the store says to each."""
    talk = writing()
    for event in numbers_of:
        if block:
            body = numbers(event, 50) + struct.pack(">i", 5) + b"bytes" + numbers(7)
            talk.say(CLIENT, framed(Code.CONDITIONAL_BLOCK_END, WRITER + body))
        else:
            body = numbers(event, 50) + EVENT + numbers(7)
            talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, WRITER + body))
        if refused:
            talk.say(SERVER, framed(Code.CONDITIONAL_CHECK_FAILED, WRITER + numbers(event, 7)))
        elif length:
            talk.say(SERVER, acked(event, event - 1, length))
    return talk


def asked(reply: bytes, *, request: int = Code.GET_STREAM_SEGMENT_INFO, more: bytes = b"") -> Talk:
    """A request about a segment, and a reply."""
    body = numbers(3) + SEGMENT + text("") + more
    return Talk().say(CLIENT, framed(request, body)).say(SERVER, reply)


def info(segment: bytes = SEGMENT, start: int = 0, length: int = 9) -> bytes:
    """STREAM_SEGMENT_INFO."""
    body = numbers(3) + segment + b"\1\0\0" + numbers(0, length, start)
    return framed(Code.STREAM_SEGMENT_INFO, body)


def looked_up(wanted: bytes, got: bytes, version: int = 1) -> Talk:
    """READ_TABLE for a key, and the entry that it brings."""
    found = entry(version).replace(key(b"k", version), key(got, version))
    reply = framed(Code.TABLE_READ, numbers(3) + SEGMENT + struct.pack(">i", 1) + found)
    return asked(reply, request=Code.READ_TABLE, more=struct.pack(">i", 1) + key(wanted))


def twice(*, wait: bool = False, segment: bytes = SEGMENT, writer: bytes = WRITER) -> Talk:
    """A writer set up twice, the second time perhaps after the answer to the first."""
    talk = Talk().say(CLIENT, set_up(segment=segment))
    if wait:
        talk.say(SERVER, ready(segment=segment))
    return talk.say(CLIENT, set_up(writer, 8, segment))


def left(segment: bytes = SEGMENT, *, wait: int = 0, answered: bool = False) -> Talk:
    """A request without an answer, and the end of its connection."""
    body = segment + text("")
    talk = Talk().say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, numbers(4) + body))
    if answered:
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, numbers(3) + SEGMENT + text("")), 0)
        talk.say(SERVER, info(), 0)
    talk.event("close", CLIENT, wait)
    return ended(talk)


def inline(size: int, count: int = 1, events: int = 1) -> Talk:
    """An append without a block."""
    data = EVENT * events
    body = struct.pack(">ii", size, len(data)) + data + struct.pack(">i", count) + numbers(1, 7)
    return writing().say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body))


def declared(count: int, data: bytes = EVENT) -> Talk:
    """An append of a block that declares so many events."""
    talk = writing().say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + data))
    body = struct.pack(">iii", len(data), 0, count) + numbers(1, 7)
    return talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body))


BLOCK = framed(Code.APPEND_BLOCK, WRITER + EVENT)
CASES: list[tuple[str, Talks]] = [
    ("B150", lambda: (greeted(CLIENT, first=ready()),
        greeted(CLIENT, SERVER, first=ready()), greeted(CLIENT))),
    ("B150", lambda: (greeted(CLIENT, first=info()),)),
    ("B150b", lambda: (greeted(CLIENT, SERVER, SERVER), greeted(CLIENT, SERVER))),
    ("B150b", lambda: (writing().say(SERVER, HELLO), writing())),
    ("B150c", lambda: (greeted(CLIENT, wait=30), greeted(CLIENT),
        greeted(CLIENT, SERVER, wait=30))),
    ("B150c", lambda: (greeted(CLIENT, wait=600),)),
    ("B151", lambda: (acknowledged(acked(1, 0, number=9)), acknowledged(acked(1, 0)),
        acknowledged(acked(1, 0, number=8), number=8))),
    ("B151", lambda: (conditional(1, length=63).say(SERVER, acked(1, 0, 63, number=12)),
        conditional(1, length=63))),
    ("B151b", lambda: (acknowledged(acked(1, 0), acked(1, 0)), acknowledged(acked(1, 0),
        acked(2, 1)))),
    ("B151b", lambda: (acknowledged(acked(2, 0), each=2).say(SERVER, acked(2, 0)),
        acknowledged(acked(2, 0), each=2))),
    ("B151c", lambda: (acknowledged(acked(1, 0), acked(2, 0)), acknowledged(acked(1, 0),
        acked(2, 1)),
        acknowledged(acked(2, -1), each=2))),
    ("B151c", lambda: (acknowledged(acked(1, -9)), acknowledged(acked(1, -1)))),
    ("B152", lambda: (acknowledged(acked(1, 0, 100), acked(2, 1, 99)),
        acknowledged(acked(1, 0, 100), acked(2, 1, 100)), acknowledged(acked(1, 0),
        acked(2, 1, -1)))),
    ("B152", lambda: (acknowledged(acked(1, 0, 900), acked(2, 1, 0)),)),
    ("B152b", lambda: (acknowledged(acked(1, 0, 12)), acknowledged(acked(1, 0, 13)),
        acknowledged(acked(1, 0, 14), each=2), acknowledged(acked(1, 0, -1)))),
    ("B152b", lambda: (acknowledged(acked(1, 0, 13), acked(2, 1, 25)),
        acknowledged(acked(1, 0, 13), acked(2, 1, 26)))),
    ("B153", lambda: (conditional(1, length=64), conditional(1, length=63),
        conditional(1, refused=True))),
    ("B153", lambda: (conditional(1, length=63, block=True),
        conditional(1, length=55, block=True))),
    ("B154", lambda: (conditional(2, 2), conditional(1, 2), conditional(2, 2, refused=True))),
    ("B154", lambda: (conditional(5, 4, block=True, refused=True), conditional(5, 6, block=True))),
    ("B155", lambda: (twice(), twice(wait=True), twice(writer=OTHER))),
    ("B155", lambda: (twice(segment=ELSEWHERE),)),
    ("B156", lambda: (asked(info(ELSEWHERE)), asked(info()))),
    ("B156", lambda: (Talk().say(CLIENT, set_up()).say(SERVER, ready(segment=ELSEWHERE)),
        writing())),
    ("B156b", lambda: (Talk().say(CLIENT, read(0)).say(SERVER, bytes_read(0, number=8)),
        Talk().say(CLIENT, read(0)).say(SERVER, bytes_read(0)),
        Talk().say(CLIENT, read(0, number=8)).say(CLIENT, read(0)).say(SERVER, bytes_read(0)))),
    ("B156b", lambda: (Talk().say(CLIENT, read(5)).say(SERVER, bytes_read(5, number=0)),)),
    ("B156c", lambda: (looked_up(b"a", b"b"), looked_up(b"a", b"a"), looked_up(b"a", b"b", -1))),
    ("B156c", lambda: (looked_up(b"longer", b"long"),)),
    ("B157", lambda: (asked(info(start=10)), asked(info(start=9)), asked(info()))),
    ("B157", lambda: (asked(info(start=1, length=0)),)),
    ("B158", lambda: (Talk().say(CLIENT, read(0)).say(CLIENT, read(0)),
        Talk().say(CLIENT, read(0)).say(SERVER, bytes_read(0)).say(CLIENT, read(0)),
        Talk().say(CLIENT, read(0)).say(CLIENT, read(9)))),
    ("B158", lambda: (Talk().say(CLIENT, read(7)).say(CLIENT, read(7, number=8)),)),
    ("B159", lambda: (left(), left(INTERNAL), left(wait=60), ended(asked(info())))),
    ("B159", lambda: (left(answered=True),
        ended(Talk().say(CLIENT, set_up()).say(SERVER, ready())))),
    ("B160", lambda: (ended(writing().say(CLIENT, BLOCK)), ended(writing().say(CLIENT, append(1))),
        writing().say(CLIENT, BLOCK))),
    ("B160", lambda: (ended(writing().say(CLIENT, append(1)).say(CLIENT, BLOCK), by=SERVER),)),
    ("B161", lambda: (ended(writing(), by=SERVER), ended(writing()), ended(writing(INTERNAL),
        by=SERVER))),
    ("B161", lambda: (ended(Talk().say(CLIENT, read(0)), by=SERVER),
        ended(asked(info()), by=SERVER))),
    ("B162", lambda: (inline(12), inline(13), inline(0))),
    ("B162", lambda: (inline(27, 2, 2), inline(26, 2, 2))),
    ("B163", lambda: (inline(13, 2), inline(13), inline(26, 1, 2))),
    ("B163", lambda: (declared(3, EVENT * 2), declared(2, EVENT * 2), declared(2, b"plain bytes"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_two_faults() -> None:
    """No rule is left out above."""
    rules = [f"PRV-{rule}" for rule, _ in CASES]
    assert {each.id for each in REPLY_RULES} == set(rules)
    assert all(rules.count(each) > 1 for each in rules)
