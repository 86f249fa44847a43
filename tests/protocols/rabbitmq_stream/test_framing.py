"""Frames: the readers agree on every vector and on what is left of it when it is broken."""

import pytest
from tests.failures import every
from tests.protocols.rabbitmq_stream.traffic import (
    WIRE,
    encoders_vectors,
    layout_of,
    own_vectors,
    renamed,
)
from tests.schema.reader_agreement import Layout, Vector, agree, broken, whole

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.framing import HEAD, LARGEST, MARKS, SMALLEST, all_frames
from streamshark.schema import FrameKind, FrameSchema, Sender
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk

FRAMES = all_frames()

RESPONSE_BIT = 0x80
"""In the fifth byte of a frame."""
DRAWN = 500
"""Frames drawn of each command, version and kind."""
OWN = own_vectors()
ENCODED = encoders_vectors(bare=False)
WRONG = {
    "consumer_update_response/rstream_first_with_eight_bytes": ["trailing"],
    "publish/rstream_v2": ["text", "short"],  # leaves out filter values that are not set
}
"""What encoders write wrongly, and the problems that are seen."""


def name(of: Vector | FrameSchema) -> str:
    """How a test is called."""
    if isinstance(of, Vector):
        return of.name
    return "-".join(map(str, (of.name, of.kind.value, of.version, of.dialect)))


@every("vector", OWN, ids=name)
def test_readers_agree_on_vectors(vector: Vector) -> None:
    """Values are those that the vector says, and build the same bytes."""
    layout = layout_of(vector)
    kind = layout.tree.schema.kind
    usual = (kind is FrameKind.RESPONSE) == (vector.data[4] >= RESPONSE_BIT)

    whole(layout, vector.data, vector.expect, canonical=usual)
    broken(layout, vector.data, most=100)


@every("vector", [each for each in ENCODED if each.name not in WRONG], ids=name)
def test_readers_agree_with_encoders(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    layout = layout_of(vector)
    expect = renamed(vector.expect)
    if vector.facts["name"].startswith("old_single_text"):
        expect |= {"stream": expect.pop("streams")[0]}

    whole(layout, vector.data, expect)
    broken(layout, vector.data, most=40)


@pytest.mark.parametrize("vector", [each for each in ENCODED if each.name in WRONG], ids=name)
def test_faults_of_encoders_are_seen(vector: Vector) -> None:
    """What a client writes wrongly is a problem."""
    _, problems = layout_of(vector).decoder.read(vector.data)

    assert WRONG[vector.name] == [each.code.word for each in problems]


@every("schema", FRAMES, ids=name)
def test_every_frame_has_a_vector(schema: FrameSchema) -> None:
    """Every form, version and dialect is proved by bytes."""
    seen = {id(layout_of(each).tree.schema) for each in (*OWN, *ENCODED)}

    assert id(schema) in seen


@every("schema", FRAMES, ids=name)
def test_what_one_line_shows_is_there(schema: FrameSchema) -> None:
    """The paths of `shows` are fields."""
    tree = walk(schema, HEAD, WIRE.short)

    for path in schema.shows.values():
        assert tree.find(path).doc


def test_every_key_has_its_frames() -> None:
    """Each key names its command, and those that are answered have a response."""
    plain = [each for each in FRAMES if not each.dialect]
    one_way = {"publish", "publish_confirm", "publish_error", "deliver", "store_offset",
               "metadata_update", "heartbeat"}  # fmt: skip

    assert set(Key) == {each.key for each in plain}
    assert all(each.name == Key(each.key).name.lower() for each in FRAMES)
    assert {each.name for each in plain if each.kind is FrameKind.RESPONSE} == {
        key.name.lower() for key in Key
    } - one_way
    assert {each.name for each in plain if each.kind is FrameKind.COMMAND} == one_way | {"credit"}
    assert {(each.name, each.version) for each in plain if each.version != 1} == {
        ("publish", 2),
        ("deliver", 2),
    }


def test_who_asks_tells_answers_without_the_bit() -> None:
    """Where the response bit does not tell, the sender does."""
    table = WIRE.table()
    both = {
        (str(selector.key), each.tree.schema.kind, each.tree.schema.sender)
        for selector, decoders in table.decoders.items()
        for each in decoders
        if len(decoders) > 1
    }

    assert both == {
        ("20", FrameKind.REQUEST, Sender.SERVER),
        ("20", FrameKind.RESPONSE, Sender.CLIENT),
        ("24", FrameKind.REQUEST, Sender.CLIENT),
        ("24", FrameKind.RESPONSE, Sender.SERVER),
        ("25", FrameKind.REQUEST, Sender.CLIENT),
        ("25", FrameKind.RESPONSE, Sender.SERVER),
    }


@pytest.mark.slow
@every("schema", FRAMES, ids=name)
def test_readers_agree_on_drawn_frames(schema: FrameSchema) -> None:
    """Values from a seeded generator, boundary lengths included, are read alike by all readers."""
    layout = Layout.of_frame(schema, HEAD, WIRE.short)

    for values in samples(layout.tree, DRAWN):
        assert agree(layout, layout.build(values)) is not None, values


def test_dialect_2020_is_what_its_document_alone_says() -> None:
    """The frames that differ, and nothing else."""
    assert {(each.name, each.kind) for each in FRAMES if each.dialect == "2020"} == {
        ("declare_publisher", FrameKind.RESPONSE),
        ("deliver", FrameKind.COMMAND),
        ("partitions", FrameKind.RESPONSE),
        ("route", FrameKind.RESPONSE),
        ("sasl_authenticate", FrameKind.RESPONSE),
        ("sasl_handshake", FrameKind.REQUEST),
    }


@every("vector", [*OWN, *ENCODED], ids=name)
def test_marks_find_every_head(vector: Vector) -> None:
    """A search that goes by marks stops at each frame."""
    assert MARKS.match(vector.data)


def test_marks_pass_what_is_no_head() -> None:
    """Sizes over the limit, unknown keys and versions are not stopped at."""
    assert [
        each
        for each in ("05000000000100010000", "0000000a002000010000", "0000000a000100030000")
        if MARKS.match(bytes.fromhex(each))
    ] == []


def test_limits() -> None:
    """The smallest frame is Heartbeat; the largest has a size that the marks still find."""
    assert len(bytes.fromhex("0000000400170001")) == SMALLEST
    assert MARKS.match((LARGEST - 4).to_bytes(4, "big") + bytes.fromhex("00080001"))
