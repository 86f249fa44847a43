"""What the proposal of the wire protocol says of blocks, events and parts: broken, and kept."""

import struct

from tests.failures import every
from tests.protocols.pravega.traffic import WRITER, Talk, framed, text

CLIENT, SERVER = 0, 1
SEGMENT = text("scope/stream/0")
ASK = (CLIENT, framed(1, WRITER + SEGMENT))
READY = (SERVER, framed(2, SEGMENT + WRITER + bytes(8)))
ALIVE = (SERVER, framed(100))
EVENT = framed(0, b"hello")
WHOLE, BARE = 3 * len(EVENT), 3 * len(b"hello")


def begin(length: int, data: bytes = b"") -> bytes:
    """BeginAppendBlock."""
    return framed(3, WRITER + struct.pack(">qi", 0, length) + data)


def end(length: int, offset: int = 0, writer: bytes = WRITER) -> bytes:
    """EndAppendBlock."""
    return framed(4, writer + struct.pack(">qi", offset, length))


def partial(position: int, data: bytes = b"abc") -> bytes:
    """A part of a message."""
    return framed(-2, bytes([position]) + data)


def stored(offset: int) -> tuple[int, bytes]:
    """DataAppended."""
    return SERVER, framed(7, WRITER + struct.pack(">q", offset))


def block(announced: int = WHOLE, declared: int = WHOLE, offset: int = 0) -> tuple[int, bytes]:
    """Three events in a block."""
    return CLIENT, begin(announced) + 3 * EVENT + end(declared, offset)


def found(*sides: tuple[int, bytes], closes: bool = False) -> dict[str, tuple[int, ...]]:
    """Return the rules that the traffic breaks, each with the frames of its first finding."""
    talk = Talk(dialect="draft")
    for side, data in sides:
        talk.say(side, data)
    if closes:
        talk.event("close", CLIENT).event("close", SERVER)
    talk.engine.finish()
    talk.judge.finish()
    out: dict[str, tuple[int, ...]] = {}
    for each in talk.judge.findings():
        for one in (each, *each.echoes):
            out.setdefault(one.rule, one.frames)
    return out


CASES = (
    ("PRV-P6", (ALIVE, block()), (2, 6)),
    ("PRV-P52", (ALIVE, ASK, block(), READY), (3, 2)),
    ("PRV-P53", (ASK, READY, (CLIENT, partial(0) + partial(0))), (4, 3)),
    ("PRV-P53b", (ASK, READY, (CLIENT, partial(1))), (3,)),
    ("PRV-P53d", (ASK, READY, (CLIENT, partial(3))), (3,)),
    ("PRV-P54", (ASK, READY, (CLIENT, EVENT)), (3,)),
    ("PRV-P54", (ASK, READY, block(), (CLIENT, EVENT)), (8,)),
    ("PRV-P55", (ASK, READY, block(declared=WHOLE + 1)), (7, 3)),
    ("PRV-P55b", (ASK, READY, block(announced=WHOLE - 1)), (7, 3)),
    ("PRV-P56", (ASK, READY, (CLIENT, end(0))), (3,)),
    ("PRV-P57", (ASK, READY, (CLIENT, begin(0) + ASK[1] + end(0))), (4, 3)),
    ("PRV-P57", (ASK, READY, (CLIENT, begin(0) + end(0, writer=bytes(16)))), (4, 3)),
    ("PRV-P58", (ASK, READY, block(offset=9), block(offset=0)), (12, 7)),
    ("PRV-P59", (ASK, READY, block(), stored(WHOLE + 1)), (8, 7)),
)
"""Rule, traffic that breaks it, and the frames that show it."""


@every(("rule", "sides", "frames"), CASES)
def test_a_breach_is_named(
    rule: str, sides: tuple[tuple[int, bytes], ...], frames: tuple[int, ...]
) -> None:
    """At the guilty frame."""
    assert found(*sides, closes=True).get(rule) == frames


KEPT = (
    (block(), stored(WHOLE), block(offset=WHOLE), stored(2 * WHOLE)),
    (block(BARE, BARE), stored(BARE)),
    ((CLIENT, begin(WHOLE, 3 * EVENT) + end(WHOLE)),),
    (
        (
            CLIENT,
            begin(24) + EVENT + partial(0, b"\0\0") + end(26) + partial(2, b"\0\0\0\0\0\5hello"),
        ),
    ),
    ((CLIENT, begin(WHOLE) + framed(100) + 3 * EVENT + end(WHOLE)),),
    ((CLIENT, partial(0) + partial(1) + partial(2)), (SERVER, partial(0) + partial(2))),
    ((CLIENT, partial(0)), (SERVER, partial(0) + partial(2)), (CLIENT, partial(2))),
)
"""Traffic that keeps to the page, in each way of counting that it allows."""


@every("sides", KEPT)
def test_what_the_page_allows_is_silent(sides: tuple[tuple[int, bytes], ...]) -> None:
    """Nothing above a note."""
    notes = {"PRV-P13"}
    assert found(ASK, READY, *sides, closes=True).keys() - notes == set()


def test_a_part_without_its_end() -> None:
    """P53c: when its sender closes the connection."""
    assert found(ASK, READY, (CLIENT, partial(0)), closes=True)["PRV-P53c"] == (3,)


def test_lost_bytes_break_nothing() -> None:
    """P6, P53b, P54, P56: the block or the part may have begun in the lost bytes."""
    for data in (EVENT, end(9), partial(2)):
        talk = Talk(dialect="draft").event("gap", CLIENT).say(CLIENT, data)
        assert [rule for rule in ("P6", "P53", "P54", "P56") if talk.found(f"PRV-{rule}")] == []


def test_a_client_that_does_not_notice_the_end() -> None:
    """P60: in every dialect; commands some time after the server's FIN, not at once."""
    for later, frames in ((3, [(3,)]), (1, [])):
        talk = Talk().event("close", SERVER)
        assert talk.say(CLIENT, framed(100), later).found("PRV-P60") == frames
