"""Which message bodies are decoded, and which of their problems are given to rules.

The made-up frame of `tests.madeup.record_with_slots` has bodies and packed bodies; AMQP 1.0 is the
format.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.madeup.record_with_slots import DECODER, LAYERS, Packed, frame, packed

from streamshark.conversations import bodies
from streamshark.conversations.bodies import (
    EVERY,
    FIRST,
    LARGEST,
    MOST_BODIES,
    SHARED_ABOVE,
    Bodies,
    shared_effort,
)
from streamshark.decoding.payloads import NOTHING, DecodedPayload, Format, PayloadReaders
from streamshark.schema import Problem, ProblemCode

GOOD = b"\x00\x53\x75\xa0\x01m"
CUT = b"\x00\x53\x75"
"""The descriptor of a section, and nothing after it."""
SHORT = "1 bytes needed, 0 left"
INNER = len(CUT).to_bytes(2) + CUT


@pytest.fixture
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sampling begins with the first frame."""
    monkeypatch.setattr(bodies, "ALL_UP_TO", 0)


def side() -> Any:  # noqa: ANN401 - what a side of the engine keeps for this
    """One side of a connection."""
    return SimpleNamespace(looks=None, looked=frozenset())


def row(data: bytes, number: int = 1, **more: Any) -> Any:  # noqa: ANN401 - members of a row
    """A frame of the made-up protocol."""
    given = {"piece": 0, "problems": (), "agreed": NOTHING, "complete": True, "reassembled": None}
    values = DECODER.read(data)[0]
    members = given | {"decoder": DECODER, "data": data, "values": values, "number": number} | more
    return SimpleNamespace(**members)


def found(data: bytes, layers: PayloadReaders = LAYERS, **more: Any) -> list[str]:  # noqa: ANN401 - as above
    """What is wrong in the bodies of a frame."""
    return [each.message for each in Bodies(layers).problems(row(data, **more), side())]


def test_only_certain_formats_are_judged() -> None:
    """Bodies of AMQP 1.0, also unpacked ones; no text, and no bytes of an unknown format."""
    for data, wrong in (
        (frame(GOOD, CUT), [SHORT]),
        (frame(Packed(0, 1, INNER)), [SHORT]),
        (frame(Packed(0, 2, INNER)), ["2 items announced, 1 present", SHORT]),
        (frame(packed([CUT])), [SHORT]),
        (frame(packed([GOOD], 3)), ["3 items announced, 1 present"]),
        (frame(b"hello", b'{"a": 1', b"\x00\x53", bytes(range(256)), b""), []),
        (frame(CUT + bytes(LARGEST)), ["the data section holds binary"]),
        (frame(*[GOOD] * MOST_BODIES, CUT), [SHORT]),
        (frame(GOOD), []),
    ):
        assert found(data)[: len(wrong) or None] == wrong, data[:80]
    assert found(frame(CUT), problems=(Problem(ProblemCode.SHORT, -1, 0, 0, ""),)) == []


def test_fragments_are_judged_once_reassembled() -> None:
    """At the last one; alone they are parts of bodies."""
    data = frame(CUT)
    for more, wrong in (
        ({"complete": False}, []),
        ({}, []),
        ({"reassembled": DECODER.read(data)[0]}, [SHORT]),
    ):
        assert found(data, piece=1, **more) == wrong, more


@pytest.mark.usefixtures("samples")
def test_a_sample_leaves_out_what_is_compressed() -> None:
    """And fragments; it judges all else."""
    parts = DECODER.read(frame(CUT))[0]
    assert found(frame(CUT), piece=1, reassembled=parts) == []
    for data, wrong in (
        (frame(GOOD, CUT), [SHORT]),
        (frame(Packed(0, 2, INNER)), ["2 items announced, 1 present", SHORT]),
        (frame(packed([CUT])), []),
        (frame(packed([GOOD], 3)), []),
    ):
        assert found(data) == wrong, data


def test_a_format_that_is_not_certain_is_not_believed() -> None:
    """What only looks like it may be another."""
    told = []
    odd = DecodedPayload(None, [Problem(ProblemCode.VALUE, -1, 0, 0, "odd")])
    for sure in (99, 100):
        odds = Format("odd", frozenset({"message"}), lambda _: odd, lambda _, sure=sure: sure)
        told.append(found(frame(b"x"), PayloadReaders([odds])))

    assert told == [[], ["odd"]]


def test_problems_are_about_the_member_that_holds_the_body() -> None:
    """Once for each body, whatever it has in it."""
    (problem, other) = Bodies(LAYERS).problems(row(frame(CUT, CUT)), side())

    assert problem == other == Problem(ProblemCode.VALUE, problem.node, 0, 0, SHORT)
    assert ".".join(DECODER.tree.nodes[problem.node].path) == "items.body"


@pytest.mark.usefixtures("samples")
def test_the_first_frames_and_then_some() -> None:
    """Of each side of a connection, and of each frame the first bodies."""
    looked, one, other = Bodies(LAYERS), side(), side()
    numbers = range(1, FIRST + 3 * EVERY)
    odd = [number for number in numbers if looked.problems(row(frame(CUT), number), one)]

    assert odd == [*range(1, FIRST + 1), *range(FIRST + EVERY, FIRST + 3 * EVERY, EVERY)]
    assert looked.problems(row(frame(CUT), FIRST + 1), other)
    assert len(found(frame(*[CUT] * 2 * MOST_BODIES))) == MOST_BODIES
    assert found(frame(*[GOOD] * MOST_BODIES, CUT)) == []


@pytest.mark.usefixtures("samples")
def test_a_sample_leaves_out_large_bodies_and_frames() -> None:
    """Which would cost more than all others."""
    assert found(frame(CUT + bytes(LARGEST))) == []
    assert found(frame(bytes(LARGEST + 1), CUT)) == [SHORT]
    assert found(frame(CUT, *[bytes(LARGEST)] * 4)) == []


@pytest.mark.usefixtures("samples")
def test_an_allowance_grows_with_the_frames(monkeypatch: Any) -> None:  # noqa: ANN401 - pytest's
    """Many connections take no longer than few."""
    monkeypatch.setattr(bodies, "ALLOWED", 10)
    looked = Bodies(LAYERS)
    odd = [bool(looked.problems(row(frame(CUT), number), side())) for number in range(1, 2000)]

    allowed = 10 + 2000 // bodies.FRAMES_A_BODY
    assert sum(odd) == (allowed + 1) // 2  # each frame counts, and the body in it


def test_a_sample_begins_once_all_of_a_usual_capture_were_decoded() -> None:
    """On request it never does."""
    for samples, most in ((True, bodies.ALL_UP_TO), (False, 2 * bodies.ALL_UP_TO)):
        looked, one = Bodies(LAYERS, samples=samples), side()
        data = frame(*[GOOD] * 100)
        for number in range(0, most, 100):
            looked.problems(row(data, number), one)
            assert looked.left_out is (one.looks is not None), number
        assert looked.left_out is False or samples
        assert bool(looked.problems(row(frame(CUT), 1), side()))
        assert looked.left_out is samples


def test_one_frame_is_left_before_it_costs_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame may hold more bodies than a whole capture of usual size."""
    monkeypatch.setattr(bodies, "ALLOWED", 10)
    for samples, wrong in ((True, 0), (False, 1)):
        looked = Bodies(LAYERS, samples=samples)
        assert len(looked.problems(row(frame(*[GOOD] * 10, CUT)), side())) == wrong
        assert looked.left_out is samples


def test_frames_are_looked_into_whose_slots_have_a_reader_of_their_own() -> None:
    """Those that only text and the like may stand in are not looked into at all."""
    for layers, has_some in ((LAYERS, True), (PayloadReaders(()), False)):
        looked, one = Bodies(layers), side()
        assert looked.may_be_in(DECODER) is has_some
        looked.problems(row(frame(GOOD)), one)
        assert (DECODER in one.looked) is not has_some


def test_several_readings_of_large_captures_share_the_effort(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sampling begins after each has decoded its part; of other captures, all."""
    monkeypatch.setattr(bodies, "ALL_UP_TO", 8)
    for size, readings, whole in (
        (SHARED_ABOVE, 1000, 4),
        (SHARED_ABOVE + 1, 1, 4),
        (SHARED_ABOVE + 1, 2, 2),
        (SHARED_ABOVE + 1, 1000, 1),
    ):
        one, sender = Bodies(LAYERS, effort=shared_effort(size, readings)), side()
        left_out = []
        for number in range(1, 10):
            one.problems(row(frame(CUT), number), sender)
            left_out.append(one.left_out)
        assert left_out.count(False) == whole, (size, readings)
