"""Dialect `draft`: the messages of the page, in parts too, and what it leaves open."""

import struct

import pytest
from tests.protocols.pravega.traffic import WIRE, WRITER, framed, rows

from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.protocols.pravega.draft_spec import FRAMES, MESSAGE, MESSAGE_SLOT, sure
from streamshark.protocols.pravega.framing import all_frames
from streamshark.protocols.pravega.types import DRAFT
from streamshark.schema import ProblemCode

ALL = all_frames()

BEGIN, MIDDLE, END = 0, 1, 2
EVENT = framed(0, b"an event in three parts")
BLOCK_END = framed(4, WRITER + struct.pack(">qi", 31, 31))


def part(position: int, data: bytes) -> bytes:
    """A partial message."""
    return framed(-2, bytes([position]) + data)


def sent(*frames: bytes) -> list[FrameRow]:
    """The rows of a client's frames."""
    return rows(*((0, each) for each in frames), dialect=DRAFT)


def test_it_has_no_frames_but_its_own() -> None:
    """What the page does not define is unknown."""
    table = WIRE.table(DRAFT)
    alive = framed(100) * 3
    found = sent(alive + framed(21, b"what is this") + alive + framed(61, b"and this") + alive)

    assert {each.schema.name for each in table.all} == {each.name for each in FRAMES}
    assert [each.problems[0].code for each in found if each.problems] == [
        ProblemCode.UNKNOWN_KEY
    ] * 2


def test_a_message_in_parts_is_put_together() -> None:
    """At its last part, with the head that it has."""
    first, second, last = sent(
        part(BEGIN, EVENT[:5]), part(MIDDLE, EVENT[5:20]), part(END, EVENT[20:])
    )

    assert (first.reassembled, second.reassembled) == (None, None)
    assert last.reassembled == {"data": EVENT}
    assert MESSAGE.decode(EVENT).value == {"type_code": 0, "payload": EVENT[8:]}
    assert MESSAGE_SLOT in MESSAGE.slots


def test_the_end_of_a_block_may_stand_between_parts() -> None:
    """As the last paragraph of the page does it."""
    begin = framed(3, WRITER + struct.pack(">qi", 0, 31))
    found = sent(begin, part(BEGIN, EVENT[:16]), BLOCK_END, part(END, EVENT[16:]))

    assert [each.command for each in found] == [
        "begin_append_block", "partial_message", "end_append_block", "partial_message",
    ]  # fmt: skip
    assert found[-1].reassembled == {"data": EVENT}
    assert found[2].whole is None


def test_parts_that_do_not_go_together() -> None:
    """Another one that begins, one without a beginning."""
    first, second, last = sent(part(BEGIN, b"a"), part(BEGIN, b"b"), part(END, b"c"))
    assert first.whole is not None
    assert first.whole.reason == "another frame began on its stream"
    assert second.whole is last.whole
    assert last.reassembled is None

    (alone,) = sent(part(END, b"c"))
    assert (alone.whole, alone.problems) == (None, [])


def test_a_part_of_another_number_is_shown() -> None:
    """The page gives none, so nothing is wrong with it."""
    (row,) = sent(part(7, b"abc"))

    assert row.values == {"position": 7, "data": b"abc"}
    assert row.problems == []


@pytest.mark.parametrize(
    ("data", "certain"),
    [(EVENT, True), (EVENT[:-1], False), (framed(77, b"x"), True), (framed(6, b"x"), False),
     (b"", False), (bytes(7), False), (bytes(8), True)],
)  # fmt: skip
def test_what_a_message_is(data: bytes, certain: bool) -> None:  # noqa: FBT001 - a case
    """A known code, and just the bytes that its length says."""
    assert bool(sure(data)) is certain


def test_a_user_gives_other_codes() -> None:
    """Those that are not given stay; other dialects and commands have none to give."""
    table = WIRE.table("draft:keep_alive=0x2A,event=-3")
    keys = {each.schema.name: int(each.schema.key) for each in table.all}

    assert (keys["keep_alive"], keys["event"], keys["read_segment"]) == (42, -3, 9)
    assert table.dialect == DRAFT
    (row,) = rows((0, framed(42, b"abc")), dialect="draft:keep_alive=42")
    assert (row.command, row.values) == ("keep_alive", {"data": b"abc"})


@pytest.mark.parametrize(
    ("dialect", "told"),
    [("draft:hello=1", "expected COMMAND=NUMBER"), ("draft:event", "expected COMMAND=NUMBER"),
     ("draft:event=x", "expected COMMAND=NUMBER"), ("draft:", "expected COMMAND=NUMBER"),
     ("draft:event=9", "two commands have the number 9"), ("0.0:hello=1", "known: none"),
     ("new:event=1", "has no dialect 'new'")],
)  # fmt: skip
def test_codes_that_cannot_be(dialect: str, told: str) -> None:
    """The error says what is known."""
    with pytest.raises(StreamsharkError, match=told):
        WIRE.table(dialect)


def test_its_frames_are_those_of_the_page() -> None:
    """Ten messages; all are among the protocol's frames."""
    assert len(FRAMES) == 10
    assert [each for each in ALL if each.dialect == DRAFT] == sorted(FRAMES, key=lambda f: f.key)
