"""Framing: keys, heads and limits; `tests/protocols/test_vectors.py` holds the frames' bytes."""

import pytest
from tests.failures import every
from tests.protocols.rsocket.traffic import (
    WIRE,
    encoders_vectors,
    framed,
    own_vectors,
    rows,
)
from tests.schema.reader_agreement import Vector

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.framing import (
    FRAGMENTS,
    LARGEST,
    MARKS,
    OLD_PREFIX,
    OLD_SMALLEST,
    PREFIX,
    SMALLEST,
    all_frames,
)
from streamshark.protocols.rsocket.types import OLD
from streamshark.schema import FrameKind, Sender

FRAMES = all_frames()
OWN = own_vectors()
ENCODED = encoders_vectors(bare=False)


def test_every_type_has_its_frame() -> None:
    """Each type names its command, in both layouts; a dialect has its own frames alone."""
    for dialect, types in (("", FrameType), (OLD, OldType)):
        of_dialect = {each.name: int(each.key) for each in FRAMES if each.dialect == dialect}

        assert of_dialect == {each.name.lower(): int(each) for each in types}
        assert {each.tree.schema.dialect for each in WIRE.table(dialect).all} == {dialect}


def test_who_sends_what() -> None:
    """A client opens and resumes, a server lets it; requests come from both sides."""
    one_sided = {each.name: each.sender for each in FRAMES if each.sender is not Sender.BOTH}
    asking = {each.name for each in FRAMES if each.kind is FrameKind.REQUEST}

    assert one_sided == {
        "setup": Sender.CLIENT,
        "resume": Sender.CLIENT,
        "resume_ok": Sender.SERVER,
    }
    assert asking == {
        "request_response", "request_stream", "request_sub", "request_channel", "resume",
    }  # fmt: skip
    assert {each.kind for each in FRAMES} == {FrameKind.REQUEST, FrameKind.COMMAND}


def test_the_stream_correlates() -> None:
    """In every frame of both layouts."""
    for dialect in WIRE.dialects:
        assert {each.correlates for each in WIRE.table(dialect).all} == {"stream_id"}


@every("vector", [*OWN, *ENCODED], ids=lambda each: each.name)
def test_each_frame_may_be_a_message(vector: Vector) -> None:
    """Without its length it is the same frame: values, and problems at offsets of its own."""
    dialect = vector.facts.get("dialect", "")
    length = OLD_PREFIX if dialect else PREFIX
    table, bare = WIRE.table(dialect), WIRE.table(dialect, bare=True)
    measured = table.measure(vector.data, 0, len(vector.data))
    assert measured is not None
    message = vector.data[length:]

    assert bare.measure(message, 0, len(message)) == (len(message), *measured[1:])
    for framed_by, alone in zip(
        table.decoders.get(measured[1:], []),  # type: ignore[call-overload]
        bare.decoders.get(measured[1:], []),  # type: ignore[call-overload]
        strict=True,
    ):
        values, problems = framed_by.read(vector.data)
        assert alone.read(message)[0] == values
        assert [(each.code, each.offset + length) for each in alone.read(message)[1]] == [
            (each.code, each.offset) for each in problems
        ]


@every("vector", [*OWN, *ENCODED], ids=lambda each: each.name)
def test_marks_find_every_head(vector: Vector) -> None:
    """A search that goes by marks stops at each frame, but for those with unnamed bits."""
    odd = vector.data[3] & 0x80 or (not vector.facts.get("dialect") and vector.data[8] & 0x1F)

    assert bool(MARKS.match(vector.data)) != bool(odd)


def test_marks_pass_what_is_no_head() -> None:
    """Types that do not exist, flags without a name, a stream id of 32 bits."""
    assert [
        each
        for each in ("000006000000010000", "000006000000014000", "000006000000012401",
                     "000006800000012400")
        if MARKS.match(bytes.fromhex(each))
    ] == []  # fmt: skip


def test_limits() -> None:
    """CANCEL is the smallest frame in both layouts; the largest is what 24 bits count."""
    assert {len(each.data) for each in ENCODED if each.file == "cancel"} == {SMALLEST}
    assert {len(each.data) for each in OWN if each.name == "cancel/old"} == {OLD_SMALLEST}
    assert LARGEST - 3 == 0xFFFFFF


def test_fragments_are_named_as_frames_are() -> None:
    """The commands that continue and end fragments exist, and requests may follow."""
    names = {each.name for each in FRAMES}
    following = {each.name for each in FRAMES if FRAGMENTS.more in each.flags.values()}

    assert names >= FRAGMENTS.continued | FRAGMENTS.ended
    assert following == {
        "request_response", "request_fnf", "request_stream", "request_sub", "request_channel",
        "payload", "response",
    }  # fmt: skip


def sequences() -> dict[str, list[Vector]]:
    """The fragments that rsocket-core wrote, by the payload that they are of."""
    found: dict[str, list[Vector]] = {}
    for each in ENCODED:
        if "sequence" in each.facts:
            found.setdefault(each.facts["sequence"], []).append(each)
    return found


@pytest.mark.parametrize("sequence", sequences())
def test_fragments_are_put_together(sequence: str) -> None:
    """As rsocket-core was given them before it cut them."""
    parts = sorted(sequences()[sequence], key=lambda each: each.facts["part"])
    found = rows(*((0, each.data) for each in parts))
    *others, last = found

    assert [each.complete for each in found] == [False] * len(others) + [True]
    assert [each.reassembled for each in others] == [None] * len(others)
    wanted = {name: bytes.fromhex(value) for name, value in parts[-1].facts["reassembled"].items()}
    assert last.reassembled == wanted
    assert last.whole is not None
    assert last.whole.command == parts[0].command


def test_fragments_as_real_peers_cut_them() -> None:
    """rsocket_rust sets neither next nor complete after the first, and complete on the first."""
    cut = framed(1, 0x0A, 0xE0, b"a"), framed(1, 0x0A, 0x80, b"b"), framed(1, 0x0A, 0, b"c")
    other = framed(3, 0x0A, 0x60, b"x")

    found = rows(
        (1, cut[0]), (1, other), (1, cut[1]), (1, cut[2]), (1, framed(1, 0x0A, 0x20, b"d"))
    )
    assert [each.reassembled for each in found] == [None, None, None, {"data": b"abc"}, None]
    assert [each.complete for each in found] == [False, True, False, True, True]


@pytest.mark.parametrize("end", [framed(1, 0x09, 0), framed(1, 0x0B, 0, b"\0\0\2\1no")])
@pytest.mark.parametrize("side", [0, 1])
def test_a_stream_that_ends_inside(end: bytes, side: int) -> None:
    """CANCEL or ERROR of either side: what still comes is a fragment of nothing."""
    first = framed(1, 0x06, 0x80, b"\0\0\0\1a")
    found = rows((0, first), (side, end), (0, framed(1, 0x0A, 0x20, b"b")))

    assert found[-1].reassembled is None
    assert found[-1].whole is found[0].whole
    assert found[-1].complete


def test_a_payload_without_end_is_bounded() -> None:
    """Its bytes are counted, and dropped over the limit."""
    most = bytes(1024 * 1024)
    found = rows((0, framed(1, 0x06, 0x80, b"\0\0\0\1")), *[(0, framed(1, 0x0A, 0xA0, most))] * 20)
    whole = found[-1].whole

    assert whole is not None
    assert whole.reason == "its fragments exceed 16777216 bytes"
    assert (whole.count, whole.sizes["data"], whole.parts) == (21, 20 * len(most), {})
