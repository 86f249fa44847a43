"""Frames: every kind that the carrier hands over, read alike by all readers."""

import tomllib
from pathlib import Path

import pytest
from tests.protocols.http2.traffic import Reader, call, connections
from tests.schema.reader_agreement import Layout, Vector, agree, broken, whole

from streamshark.protocols.grpc.codes import Kind
from streamshark.protocols.grpc.framing import HEAD, all_frames
from streamshark.schema import FrameSchema
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk

FRAMES = all_frames()

DRAWN = 200
VECTORS = [
    Vector(path.stem, facts)
    for path in sorted(Path("tests/protocols/grpc/vectors").glob("*.toml"))
    for facts in tomllib.loads(path.read_text(encoding="utf-8"))["vector"]
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_on_vectors(vector: Vector) -> None:
    """What grpcio sent, as the carrier hands it over."""
    schema = next(each for each in FRAMES if each.name == vector.command)
    layout = Layout.of_frame(schema, HEAD, "grpc")

    whole(layout, vector.data, vector.expect)
    broken(layout, vector.data, most=40)


@pytest.mark.parametrize("schema", FRAMES, ids=lambda each: each.name)
def test_readers_agree_on_drawn_frames(schema: FrameSchema) -> None:
    """Values from a seeded generator."""
    layout = Layout.of_frame(schema, HEAD, "grpc")

    for values in samples(layout.tree, DRAWN):
        assert agree(layout, layout.build(values)) is not None, values


@pytest.mark.parametrize("schema", FRAMES, ids=lambda each: each.name)
def test_what_one_line_shows_is_there(schema: FrameSchema) -> None:
    """The paths of `shows` are fields."""
    tree = walk(schema, HEAD, "grpc")

    for path in schema.shows.values():
        assert tree.find(path).doc


def test_every_kind_has_its_frame() -> None:
    """In the order of a call."""
    assert {each.name: int(each.key) for each in FRAMES} == {
        each.name.lower(): int(each) for each in Kind
    }


@pytest.mark.parametrize("sides", connections().values(), ids=connections())
def test_what_the_carrier_hands_over_is_read(sides: dict[str, object]) -> None:
    """Without a problem, whole and in parts."""
    reader = Reader()
    for side, sender in ((0, "client"), (1, "server")):
        reader.feed(side, sides[sender].data)  # type: ignore[attr-defined]
    layouts = {each.key: Layout.of_frame(each, HEAD, "grpc") for each in FRAMES}
    for each in reader.carried():
        assert agree(layouts[each.data[0]], each.data) is not None
    for each in reader.carried()[:3]:
        broken(layouts[each.data[0]], each.data, most=30)


def test_a_head_has_no_length() -> None:
    """The carrier gives it."""
    reader = Reader().feed(0, call()[0])

    assert HEAD.total is None
    assert {each.data[0] for each in reader.carried()} == {1, 3}
