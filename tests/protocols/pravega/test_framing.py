"""Framing: keys, heads and limits; `tests/protocols/test_vectors.py` holds the frames' bytes."""

from tests.failures import every
from tests.protocols.pravega.traffic import (
    WIRE,
    encoders_vectors,
    framed,
    hello,
    own_vectors,
    rows,
)
from tests.schema.reader_agreement import Vector

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.detect import INSIDE
from streamshark.protocols.pravega.framing import HEAD, LARGEST, MARKS, SMALLEST, all_frames
from streamshark.schema import FrameKind, Sender

FRAMES = all_frames()

OWN = own_vectors()
ENCODED = encoders_vectors()


def test_every_code_has_its_frame() -> None:
    """Each code names its command."""
    assert {each.name: int(each.key) for each in FRAMES if not each.dialect} == {
        each.name.lower(): int(each) for each in TypeCode
    }


def test_who_sends_what() -> None:
    """A client asks and a server answers; HELLO and KEEP_ALIVE come from both."""
    both = {each.name for each in FRAMES if each.sender is Sender.BOTH and not each.dialect}

    assert {"hello", "keep_alive"} <= both <= {"hello", "keep_alive", *INSIDE}
    assert {each.sender for each in FRAMES if each.kind is FrameKind.REQUEST} == {Sender.CLIENT}
    assert {each.sender for each in FRAMES if each.kind is FrameKind.RESPONSE} == {Sender.SERVER}


def test_requests_and_responses_have_an_id() -> None:
    """But for those of the oldest release."""
    without = {
        each.tree.schema.name
        for each in WIRE.table().all
        if each.tree.schema.kind is not FrameKind.COMMAND and each.correlates != "request_id"
    }

    assert without == set()


@every("vector", [*OWN, *ENCODED], ids=lambda each: each.name)
def test_marks_find_every_head(vector: Vector) -> None:
    """A search that goes by marks stops at each frame but those that stand in blocks only."""
    assert bool(MARKS.match(vector.data)) == (vector.command not in INSIDE | {"partial_message"})


def test_marks_pass_what_is_no_head() -> None:
    """Codes that do not exist, a length of more than 24 bits."""
    assert [
        each
        for each in ("0000000600000000", "0000006501000000", "0000006401000000", "ffffff8001000000")
        if MARKS.match(bytes.fromhex(each))
    ] == []


def test_limits() -> None:
    """KEEP_ALIVE is the smallest frame; the largest is what 24 bits count."""
    assert len(framed(TypeCode.KEEP_ALIVE)) == SMALLEST == HEAD.least
    assert LARGEST - 8 == 0xFFFFFF


def test_an_append_block_is_open_until_its_bytes_come() -> None:
    """Nothing is wrong with a head whose bytes come later."""
    block = framed(TypeCode.APPEND_BLOCK, bytes(64))
    found = rows((0, hello()), (0, block[:30]), (0, block[30:]), (0, framed(100)))

    assert [each.command for each in found] == ["hello", "append_block", "keep_alive"]
    assert [each.problems for each in found] == [[], [], []]
