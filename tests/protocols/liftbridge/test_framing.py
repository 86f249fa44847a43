"""Frames: the readers agree on every vector and on what is left of it when it is broken."""

from pathlib import Path

import pytest
from tests.failures import every
from tests.protocols.liftbridge.traffic import WIRE
from tests.schema.reader_agreement import Layout, Vector, agree, broken, vectors, vectors_in, whole

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.framing import ALONE, HEADS, SMALLEST, all_frames
from streamshark.schema import FrameSchema
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk

FRAMES = all_frames()

DRAWN = 200
"""Frames drawn of each message and dialect."""
FAULTY = {"envelope_checksum/wrong"}
"""Vectors whose bytes are wrong on purpose."""


def frames(dialect: str) -> dict[str, FrameSchema]:
    """Frames by their names."""
    return {each.name: each for each in FRAMES if each.dialect == dialect}


OWN = vectors_in(Path("tests/protocols/liftbridge/vectors"))
"""What has no envelope: recorded, or written by hand from a document."""
VECTORS = [
    each
    for each in (*vectors("liftbridge"), *OWN)
    if each.command in frames(each.facts.get("dialect", "")) and each.name not in FAULTY
]


def name(of: Vector | FrameSchema) -> str:
    """How a test is called."""
    return of.name if isinstance(of, Vector) else f"{of.name}-{of.dialect or 'newest'}"


@every("vector", VECTORS, ids=name)
def test_readers_agree_on_vectors(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    dialect = vector.facts.get("dialect", "")
    schema = frames(dialect)[vector.command]
    layout = Layout.of_frame(schema, HEADS[dialect], WIRE.short)

    whole(layout, vector.data, vector.expect, canonical=False)
    broken(layout, vector.data, most=40)


def test_every_message_has_a_vector_with_all_of_its_members() -> None:
    """Written by the servers' own functions; responses of replication have none to fill."""
    filled = {each.command for each in VECTORS if each.name.endswith("/filled")}

    assert filled == frames("").keys() - {"replication_response"}
    assert any(each.command == "replication_response" for each in VECTORS)


@every("schema", FRAMES, ids=name)
def test_every_frame_has_a_vector(schema: FrameSchema) -> None:
    """Every frame of every dialect is proved by bytes."""
    assert any(
        (each.command, each.facts.get("dialect", "")) == (schema.name, schema.dialect)
        for each in VECTORS
    )


@every("schema", FRAMES, ids=name)
def test_what_one_line_shows_is_there(schema: FrameSchema) -> None:
    """The paths of `shows` are fields."""
    tree = walk(schema, HEADS[schema.dialect], WIRE.short)

    for path in schema.shows.values():
        assert tree.find(path).doc


@pytest.mark.slow
@every("schema", FRAMES, ids=name)
def test_readers_agree_on_drawn_frames(schema: FrameSchema) -> None:
    """Values from a seeded generator, boundary lengths included, are read alike by all readers."""
    layout = Layout.of_frame(schema, HEADS[schema.dialect], WIRE.short)

    for values in samples(layout.tree, DRAWN):
        assert agree(layout, layout.build(values)) is not None, values


def test_every_type_has_its_frame() -> None:
    """Each type names its message."""
    assert {each.name: int(each.key) for each in FRAMES if not each.dialect} == {
        each.name.lower(): int(each) for each in MessageType
    }


def test_dialects_that_stand_apart_have_their_own_frames_alone() -> None:
    """The alpha release shares all but what it numbers otherwise."""
    assert {each.tree.schema.dialect for each in WIRE.table("bare", bare=True).all} == {"bare"}
    assert {each.tree.schema.dialect for each in WIRE.table("alpha", bare=True).all} == {
        "", "alpha",
    }  # fmt: skip
    assert set(HEADS) >= ALONE
    assert SMALLEST == 8
