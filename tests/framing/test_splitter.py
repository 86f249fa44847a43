"""Every byte of a side is framed or skipped once, whatever the segments."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.framing.parcel_protocol import TICKS, WIRE, parcel, segment, segments, send, signed

from streamshark.flows.segment import Gap
from streamshark.framing.splitter import (
    BELIEVED,
    FAR,
    FOREIGN_BYTES,
    REACH,
    TRIES,
    FrameSplitter,
    PacketRef,
    RawFrame,
    SkippedBytes,
)
from streamshark.framing.wire_format import Selector, WellFormedCheck
from streamshark.schema import Problem, ProblemCode

TABLE = WIRE.table()
GOOD = st.sampled_from(
    [TICKS, send(), send(7, b"x" * 40, b"a", b"bc"), signed(), parcel(2, bytes(4))]
)
ODD = st.one_of(
    st.binary(max_size=30),
    st.sampled_from([parcel(9, b"unknown"), parcel(1, b"", version=5), bytes(4), b"\0\0\0\4" * 9]),
)


def sound(data: bytes, selector: Selector) -> bool:
    """Decodes without problems."""
    return any(not each.read(data)[1] for each in TABLE.decoders[selector])


def splitter(*, in_step: bool = True) -> FrameSplitter:
    """A new splitter."""
    return FrameSplitter(TABLE, in_step=in_step, sound=sound)


def cut_all(data: bytes, size: int, *, in_step: bool = True) -> list[RawFrame | SkippedBytes]:
    """All pieces of a side that comes in segments of `size` bytes."""
    made = splitter(in_step=in_step)
    pieces = [piece for each in segments(data, size) for piece in made.feed(each)]
    return joined(pieces + made.finish())


def joined(pieces: list[RawFrame | SkippedBytes]) -> list[RawFrame | SkippedBytes]:
    """Skips of one reason that follow each other as one; packets left out."""
    out: list[RawFrame | SkippedBytes] = []
    for piece in pieces:
        last = out[-1] if out else None
        plain = piece._replace(place=PacketRef([], (0, 0, 0)))
        if isinstance(plain, SkippedBytes):
            plain = plain._replace(since=(0, 0, 0))
        if (
            isinstance(piece, SkippedBytes)
            and isinstance(last, SkippedBytes)
            and last.reason == piece.reason
        ):
            out[-1] = last._replace(length=last.length + piece.length)
        else:
            out.append(plain)
    return out


def size_of(piece: RawFrame | SkippedBytes) -> int:
    """Bytes of a piece."""
    return len(piece.data) if isinstance(piece, RawFrame) else piece.length


def test_frames_come_out_whole() -> None:
    """Frames over and within segments, with the packets that brought them."""
    data = send() + TICKS + signed()
    made = splitter()
    pieces = [piece for each in segments(data, 5) for piece in made.feed(each)]

    assert [piece.data for piece in pieces if isinstance(piece, RawFrame)] == [
        send(),
        TICKS,
        signed(),
    ]
    assert pieces[0].place.packets == [1, 2, 3, 4]
    assert pieces[1].place.at == (6000, 0, 6)
    assert made.held == 0


def test_where_frames_begin_in_their_first_packet() -> None:
    """Frames of the payloads from there on; unknown where a packet's payload is not whole."""
    data = send() + TICKS + signed()
    leads = []
    for size in (5, len(send()), len(data)):
        made = splitter()
        pieces = [piece for each in segments(data, size) for piece in made.feed(each)]
        leads.append([(piece.place.packets[0], piece.place.lead) for piece in pieces])
    first, second = len(send()), len(send() + TICKS)
    assert leads[0] == [(1 + at // 5, at % 5) for at in (0, first, second)]
    assert leads[1][:2] == [(1, 0), (2, 0)]
    assert leads[2] == [(1, 0), (1, first), (1, second)]

    parts = [each._replace(is_payload=False) for each in segments(data, 5)[1:2]]
    made = splitter()
    every = [segments(data, 5)[0], *parts, *segments(data, 5)[2:]]
    pieces = [piece for each in every for piece in made.feed(each)]
    assert pieces[0].place.lead is None
    assert pieces[2].place.lead is not None


@given(st.lists(st.one_of(GOOD, GOOD, ODD), max_size=12), st.booleans(), st.integers(1, 40))
def test_every_byte_is_told_once_however_it_comes(
    parts: list[bytes],
    in_step: bool,  # noqa: FBT001 - drawn
    size: int,
) -> None:
    """One feed and many give the same pieces, which cover the stream."""
    data = b"".join(parts)
    whole = cut_all(data, max(len(data), 1), in_step=in_step)

    at = 0
    for piece in whole:
        assert piece.offset == at
        at += size_of(piece)
    assert at == len(data)
    assert cut_all(data, size, in_step=in_step) == whole


@given(st.lists(GOOD, min_size=1, max_size=12), st.data())
def test_a_gap_costs_only_the_frames_it_touches(parts: list[bytes], data: st.DataObject) -> None:
    """Frames that the gap does not touch and that are in step before it are all there."""
    stream = b"".join(parts)
    start = data.draw(st.integers(0, len(stream) - 1))
    end = data.draw(st.integers(start + 1, len(stream)))
    made = splitter()
    pieces = made.feed(segment(stream[:start])) if start else []
    pieces += made.gap(Gap(0, 0, start, end - start, 2, 2, 0, "lost"))
    if end < len(stream):
        pieces += made.feed(segment(stream[end:], end, 3))
    pieces += made.finish()

    told = sum(map(size_of, pieces))
    assert told == len(stream) - (end - start)
    assert made.framed + sum(made.skipped.values()) == told
    bounds = [0]
    for part in parts:
        bounds.append(bounds[-1] + len(part))
    cuts = {piece.offset for piece in pieces if isinstance(piece, RawFrame)}
    assert {at for at, after in itertools.pairwise(bounds) if after <= start} <= cuts


def test_a_gap_inside_a_known_frame_resumes_at_its_end() -> None:
    """The frame after the gap is read without a search."""
    long = send(1, b"y" * 200)
    made = splitter()
    pieces = made.feed(segment(long[:50])) + made.gap(Gap(0, 0, 50, 100, 2, 2, 0, "lost"))
    pieces += made.feed(segment(long[150:] + TICKS, 150, 3))

    assert [type(piece) for piece in pieces] == [SkippedBytes, SkippedBytes, RawFrame]
    assert pieces[0].total == len(long)  # type: ignore[union-attr]
    assert pieces[2].data == TICKS  # type: ignore[union-attr]


def test_an_unknown_key_is_a_frame_if_a_good_head_follows() -> None:
    """It keeps its bytes and has a problem; the frames around it are untouched."""
    pieces = cut_all(TICKS + parcel(9, b"strange") + TICKS, 100)

    assert [
        piece.problem.code if piece.problem else None
        for piece in pieces
        if isinstance(piece, RawFrame)
    ] == [None, ProblemCode.UNKNOWN_KEY, None]
    assert [
        piece.problem.code
        for piece in cut_all(parcel(1, b"", version=7), 100)
        if isinstance(piece, RawFrame) and piece.problem
    ] == [ProblemCode.UNKNOWN_VERSION]


def test_a_wrong_length_swallows_nothing() -> None:
    """Frames after garbage are found again; the skip has the reason."""
    garbage = b"\x7f" * 21
    pieces = cut_all(TICKS + garbage + send() + TICKS + signed() + TICKS, 100)

    assert [type(piece) for piece in pieces] == [
        RawFrame,
        SkippedBytes,
        RawFrame,
        RawFrame,
        RawFrame,
        RawFrame,
    ]
    assert isinstance(pieces[1], SkippedBytes)
    assert pieces[1].length == len(garbage)
    assert "length 2139062147" in pieces[1].reason


def test_a_large_unknown_frame_is_not_waited_for() -> None:
    """An unknown key with an implausible length starts a search."""
    head = parcel(9, bytes(BELIEVED))[:8]
    pieces = cut_all(head + TICKS * 4, 100)

    assert [type(piece) for piece in pieces] == [
        SkippedBytes,
        RawFrame,
        RawFrame,
        RawFrame,
        RawFrame,
    ]


def test_a_length_of_zero_is_a_frame_with_a_problem() -> None:
    """Four bytes of length 0 between good frames cost nothing else."""
    pieces = cut_all(TICKS + bytes(4) + TICKS, 100)

    assert [type(piece) for piece in pieces] == [RawFrame, RawFrame, RawFrame]
    assert isinstance(pieces[1], RawFrame)
    assert pieces[1].problem is not None
    assert pieces[1].problem.code is ProblemCode.LENGTH


@pytest.mark.parametrize("size", [1, 7, 1448, 9000])
def test_another_protocol_is_named_once(size: int) -> None:
    """Its first bytes are one frame, however they come; what follows is skipped with its name."""
    first, *rest = cut_all(b"LETTERS!" + bytes(FOREIGN_BYTES), size)

    assert isinstance(first, RawFrame)
    assert first.data == b"LETTERS!" + bytes(FOREIGN_BYTES - 8)
    assert first.problem == Problem(
        ProblemCode.FOREIGN, -1, 0, FOREIGN_BYTES, "these bytes are the letters protocol"
    )
    (skip,) = rest
    assert isinstance(skip, SkippedBytes)
    assert (skip.length, skip.reason) == (8, "this is the letters protocol")


def test_few_foreign_bytes_are_told_at_the_end() -> None:
    """They are reported at the end of the side or at a gap, with the longest match."""
    for with_gap in (False, True):
        made = splitter()
        assert [made.feed(each) for each in segments(b"LETTERS!v2\r\n", 5)] == [[], [], []]
        gap = Gap(0, 0, 12, 9, 2, 2, 0, "lost")
        (piece,) = made.gap(gap) if with_gap else made.finish()

        assert isinstance(piece, RawFrame)
        assert piece.data == b"LETTERS!v2\r\n"
        assert piece.problem is not None
        assert piece.problem.message == "these bytes are the letters protocol, version 2"


@pytest.mark.parametrize("size", [1, 7, 1448])
@pytest.mark.parametrize("in_step", [True, False])
def test_frames_follow_a_proxy_preamble(size: int, *, in_step: bool) -> None:
    """The header is skipped with its description, and the side continues in sync."""
    line = b"PROXY TCP4 192.0.2.7 192.0.2.1 5 7777\r\n"
    made = splitter(in_step=in_step)
    pieces = joined([piece for each in segments(line + send(), size) for piece in made.feed(each)])

    assert [type(piece) for piece in pieces] == [SkippedBytes, RawFrame]
    assert isinstance(pieces[0], SkippedBytes)
    assert pieces[0].length == len(line)
    assert pieces[0].reason == "PROXY protocol v1 preamble: 192.0.2.7:5 -> 192.0.2.1:7777"
    assert made.skipped == {"PROXY protocol preamble": len(line)}
    assert made.framed == len(send())


def test_a_preamble_stands_first() -> None:
    """Elsewhere, or if only its beginning was sent, its bytes are like any others."""
    line = b"PROXY UNKNOWN\r\n"
    later = cut_all(TICKS + line + TICKS * 3, 5)
    cut = cut_all(line[:9], 4)

    assert [size_of(piece) for piece in later] == [8, len(line), 8, 8, 8]
    assert [size_of(piece) for piece in cut] == [9]


def test_the_end_leaves_a_partial_frame() -> None:
    """The skip says how long the frame would have been."""
    made = splitter()
    made.feed(segment(send()[:15]))
    (piece,) = made.finish()

    assert isinstance(piece, SkippedBytes)
    assert (piece.length, piece.total) == (15, len(send()))
    assert piece.selector == Selector(1, 1, False)  # noqa: FBT003


def test_what_is_unsettled_is_told() -> None:
    """A search that holds bytes names the packet that brought the first of them."""
    made = splitter(in_step=False)
    made.feed(segment(TICKS, 0, 5))

    assert made.unsettled == (5000, 0, 5)
    made.feed(segment(TICKS + TICKS, 8, 6))
    assert made.unsettled is None


def test_two_sound_frames_end_a_search() -> None:
    """What follows them may be broken again."""
    garbage = b"\x7f" * 9
    pieces = cut_all(garbage + TICKS + send() + garbage, 100, in_step=False)

    assert [type(piece) for piece in pieces] == [SkippedBytes, RawFrame, RawFrame, SkippedBytes]


def test_an_odd_frame_costs_no_sound_one() -> None:
    """If every other frame is malformed, the well-formed ones are still found."""
    unknown, trailing = parcel(9, b"strange"), parcel(3, b"trailing")
    data = send() + unknown + TICKS + trailing + send() + unknown
    pieces = cut_all(b"\x7f" * 5 + data, 100, in_step=False)

    assert [size_of(piece) for piece in pieces if isinstance(piece, RawFrame)] == [
        20,
        15,
        8,
        16,
        20,
        15,
    ]


def test_a_head_that_the_end_cuts_is_unsettled() -> None:
    """A length of four and nothing yet: a frame if nothing follows, the start of one if not."""
    made = splitter()
    made.feed(segment(TICKS + bytes(4), 0, 5))

    assert made.unsettled == (5000, 0, 5)
    (piece,) = made.finish()
    assert isinstance(piece, RawFrame)
    assert piece.data == bytes(4)


@pytest.mark.slow
def test_false_heads_are_not_tried_without_end() -> None:
    """The work of a search is bounded by the bytes it passes, whatever lengths the heads state."""
    tried = []

    def never(data: bytes, selector: Selector) -> bool:  # noqa: ARG001 - a splitter's question
        tried.append(len(data))
        return False

    claim = 1 << 19
    heads = parcel(1, bytes(claim))[:8] * (2 * claim // 8)
    made = FrameSplitter(TABLE, in_step=False, sound=never)
    for each in segments(heads, 1 << 16):
        made.feed(each)

    assert REACH // 2 < sum(tried) <= REACH + TRIES * len(heads)
    assert sum(made.skipped.values()) + made.held == len(heads)


def lying(data: bytes, size: int) -> bytes:
    """Return a frame with a wrong length."""
    return size.to_bytes(4, "big") + data[4:]


@given(st.lists(GOOD, min_size=2, max_size=8), st.data(), st.integers(1, 60))
def test_a_wrong_length_costs_no_frame_after_it(
    parts: list[bytes], data: st.DataObject, size: int
) -> None:
    """It ends before the first frame inside it, whether it ends out of sync or never."""
    stream = b"".join(parts)
    more = data.draw(st.integers(1, 1 << 18))
    bad = lying(signed(), len(signed()) - 4 + more)
    whole = cut_all(bad + stream, len(bad + stream))
    cuts = [piece.data for piece in whole if isinstance(piece, RawFrame)]

    assert cut_all(bad + stream, size) == whole
    if len(stream) - more not in itertools.accumulate([0, *map(len, reversed(parts))]):
        kept = parts if more > len(parts[0]) else parts[1:]
        assert cuts[1:][-len(kept) :] == kept


def test_frames_inside_another_are_told_as_of_now() -> None:
    """The frame that hid them says what its length should be."""
    bad = lying(send(), 5000)
    made = splitter()
    assert made.feed(segment(bad + TICKS + signed(), 0, 5)) == []
    assert made.unsettled is None
    first, *rest = made.finish()

    assert isinstance(first, RawFrame)
    assert first.data == bad
    assert first.problem is not None
    assert first.problem.code is ProblemCode.CLAIM
    assert "5004 bytes" in first.problem.message
    assert [piece.data for piece in rest if isinstance(piece, RawFrame)] == [TICKS, signed()]
    assert made.late


def test_a_length_is_believed_where_step_is_kept() -> None:
    """Frames inside a frame are its content if a known head follows it, or if it is sound."""
    hidden = lying(send(), len(send()) - 4 + len(TICKS * 2)) + TICKS * 2
    sound_one = send(1, TICKS * 2)

    assert [size_of(piece) for piece in cut_all(hidden + TICKS, 100)] == [len(hidden), len(TICKS)]
    first, *_ = cut_all(sound_one + b"\x7f" * 20, 100)
    assert size_of(first) == len(sound_one)


def test_a_search_on_trial_looks_where_segments_begin() -> None:
    """Of many bytes those alone are tried: frames are found at the start of one, and not inside."""
    noise = b"\xff" * 100
    for parts, found in (
        ([noise * 99, TICKS * 4], True),
        ([noise * 99 + TICKS * 4], False),
        ([noise * 9 + TICKS * 4], True),
    ):
        made = FrameSplitter(TABLE, in_step=False, sound=WellFormedCheck(TABLE), effort=FAR)
        at, pieces = 0, list[RawFrame | SkippedBytes]()
        for number, part in enumerate(parts):
            pieces += made.feed(segment(part, at, number))
            at += len(part)
        cuts = [each for each in (*pieces, *made.finish()) if isinstance(each, RawFrame)]
        assert bool(cuts) is found, parts


def test_one_frame_that_proves_itself_ends_a_search() -> None:
    """It is whole and no head of another protocol follows it."""
    for proved, after, found in (
        (True, b"", True),
        (True, TICKS[:5], True),
        (True, b"\xff" * 20, False),
        (False, b"", False),
    ):
        made = FrameSplitter(
            TABLE,
            in_step=False,
            sound=WellFormedCheck(TABLE),
            proves=lambda _, proved=proved: proved,  # type: ignore[misc]
        )
        pieces = made.feed(segment(b"\xff" * 9 + signed() + after))
        assert any(isinstance(each, RawFrame) for each in pieces) is found, (proved, after)
