"""Framing: keys, heads and limits; `tests/protocols/test_vectors.py` holds the frames' bytes."""

from tests.failures import every
from tests.protocols.rabbitmq_stream.traffic import (
    WIRE,
    encoders_vectors,
    own_vectors,
)
from tests.schema.reader_agreement import Vector

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.framing import LARGEST, MARKS, SMALLEST, all_frames
from streamshark.schema import FrameKind, Sender

FRAMES = all_frames()

OWN = own_vectors()
ENCODED = encoders_vectors(bare=False)


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


@every("vector", [*OWN, *ENCODED], ids=lambda each: each.name)
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
