"""The record decoder: fast for well-formed frames, careful for others, never an exception.

Any bytes give values, ranges and problems; every byte is in one range; the reference decoder raises
exactly when there is a problem.
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.schema.reader_agreement import Layout, agree
from tests.schema.shapes.catalog import SHAPES, cases, layouts

from streamshark.decoding.decoder import Decoder
from streamshark.schema import U8, U32, Many, Record, field, nodes, raw, text
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk_word

SHAPE = walk_word(
    Record(field("one", U8, "One."), field("names", Many(text(U8), count=U8), "Names.")), "any.x"
)


def test_read_asks_careful_only_after_an_oddity() -> None:
    """A well-formed frame is decoded without ranges."""
    decoder = Decoder(SHAPE)

    assert decoder.read(b"\1\1\1a") == ({"one": 1, "names": ["a"]}, [])
    assert "careful" not in vars(decoder)
    values, problems = decoder.read(b"\1\2\1a")
    assert values == {"one": 1, "names": ["a"]}
    assert [(each.code.word, each.offset, each.length) for each in problems] == [("short", 4, 0)]


def test_a_frame_that_was_asked_about_is_read_once() -> None:
    """What is known of it is handed on once, and of no other frame."""
    decoder = Decoder(SHAPE)
    assert not decoder.is_sound(b"\1\2\1a")
    assert "careful" not in vars(decoder)
    assert decoder.is_sound(b"\1\1\1a")
    del decoder.shallow
    decoder.shallow = None  # type: ignore[assignment,misc] - nothing can read

    assert decoder.skim(b"\1\1\1a").problems == []
    with pytest.raises(TypeError):
        decoder.skim(b"\1\1\1a")


def test_examine_gives_every_byte_a_place() -> None:
    """The same values, with ranges."""
    examined = Decoder(SHAPE).examine(b"\1\1\1a")

    assert examined.values == {"one": 1, "names": ["a"]}
    assert examined.problems == []
    assert [each[1:3] for each in examined.ranges] == [(0, 1), (1, 2), (2, 4)]


def test_what_was_read_before_a_problem_stays() -> None:
    """Items and members before the problem stay; bytes that could not be read have no range."""
    values, ranges, problems = Decoder(SHAPE).careful(b"\1\3\1a\5b")

    assert values == {"one": 1, "names": ["a"]}
    assert ranges[-1] == (-1, 4, 6, None)
    assert problems[0].message == "5 bytes needed, 1 left"


@pytest.mark.parametrize("protocol", SHAPES)
def test_any_mutation_is_read_alike(protocol: str) -> None:
    """Frames drawn from the schema, then cut, spliced, flipped and repeated, by a seed."""
    random = Random(protocol)  # noqa: S311 - a seed
    for layout in layouts(protocol).values():
        frames = [layout.build(values) for values in samples(layout.tree, 12, seed=1)]
        for _ in range(40):
            agree(layout, mutated(random, frames))


def mutated(random: Random, frames: list[bytes]) -> bytes:
    """Return a frame that went wrong."""
    data = random.choice(frames)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(data) + 1)
        match random.randrange(6):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + random.choice(frames)[at:]
            case 2 if data:
                at %= len(data)
                data = data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
            case 3:
                data = data[:at] + data[at + random.randrange(4) :]
            case 4:
                data = data[:at] + random.choice((b"\0", b"\xff\xff\xff\xff", b"\x80")) + data[at:]
            case _:
                data += random.choice((b"\0", data))
    return data


LAYOUTS = [layout for protocol in SHAPES for layout in layouts(protocol).values()]
VECTORS = [(case.layout, case.vector.data) for protocol in SHAPES for case in cases(protocol)]


@pytest.mark.fuzz
@given(st.sampled_from(LAYOUTS), st.binary(max_size=200))
def test_any_bytes_at_all(layout: Layout, data: bytes) -> None:
    """Of no protocol."""
    agree(layout, data)


@pytest.mark.fuzz
@given(st.sampled_from(VECTORS), st.data())
def test_any_vector_with_something_else_inside(
    vector: tuple[Layout, bytes], data: st.DataObject
) -> None:
    """Some bytes of it replaced."""
    layout, frame = vector
    start = data.draw(st.integers(0, len(frame)))
    end = data.draw(st.integers(start, min(len(frame), start + 8)))
    agree(layout, frame[:start] + data.draw(st.binary(max_size=8)) + frame[end:])


def test_memory_is_bounded_by_the_bytes() -> None:
    """A count of four billion makes as many items as there are bytes for."""
    layout = Layout.of_record(
        Record(field("items", Many(Record(field("x", raw(U8), "X.")), count=U32), "Items.")),
        "any.l",
    )
    values, ranges, _ = layout.decoder.careful(b"\xff\xff\xff\xff" + bytes(1000))

    assert len(values["items"]) == 1001
    assert len(ranges) == 1001


def test_every_layout_has_both_forms() -> None:
    """They are made on first use."""
    for layout in LAYOUTS:
        assert callable(layout.decoder.fast)
        assert callable(layout.decoder.careful)
        assert isinstance(layout.tree.root, nodes.RecordNode)
