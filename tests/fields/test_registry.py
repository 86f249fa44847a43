"""Fields by name, and their getters."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.fields.known import all_fields, fields_of
from tests.madeup import parrot_traffic, vault
from tests.protocols.rabbitmq_stream.traffic import WIRE as RABBITMQ

from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.fields.field import ConstantValue, Getter
from streamshark.fields.registry import Fields

PARROT = Fields([parrot_traffic.PROTOCOL], files=["a.pcap", "b.pcap"])
SAY = parrot_traffic.row(parrot_traffic.say("hello"))
ROWS = parrot_traffic.rows(parrot_traffic.say("hello"))


def values(fields: Fields, name: str, row: Row) -> Sequence[Any] | None:
    """What a getter gives of a row; None where there is no getter."""
    frame = row if isinstance(row, FrameRow) else None
    getter = fields.getter(
        name, frame.decoder if frame else None, frame.connection.wire if frame else None
    )
    if isinstance(getter, ConstantValue):
        return [getter.value]
    return None if getter is None else list(getter.values(row))


def test_names() -> None:
    """Members of every row, and what begins with the short name of a protocol."""
    assert PARROT.get("time_ns").protocol == ""
    assert PARROT.get("parrot.command").protocol == "parrot_talk"
    assert PARROT.find("parrot.nothing") is None
    assert PARROT.find("other.say.phrase") is None
    assert PARROT.find("parrot") is None


def test_wrong_names() -> None:
    """The error names similar ones."""
    assert PARROT.near("parrot.say.phras")[0] == "parrot.say.phrase"
    with pytest.raises(StreamsharkError, match=r"field 'parrot.say.phras' \(near: parrot"):
        PARROT.get("parrot.say.phras")
    with pytest.raises(StreamsharkError, match="`streamshark fields` lists them"):
        PARROT.get("xyzzy")


def test_names_by_their_beginning() -> None:
    """As for completion: of one protocol, or of all."""
    names = [each.name for each in PARROT.starting("parrot.say.")]

    assert "parrot.say.phrase" in names
    assert all(each.startswith("parrot.say.") for each in names)
    assert {each.name for each in all_fields().starting("frame.")} == {
        "frame.number", "frame.time_epoch",
    }  # fmt: skip
    assert [each.name for each in PARROT.starting("ti")] == ["time", "time_ns"]


def test_constants() -> None:
    """What every frame of a decoder has alike."""
    decoder, wire = SAY.decoder, SAY.connection.wire

    assert PARROT.getter("parrot.command", decoder, wire) == ConstantValue("say")
    assert PARROT.getter("kind", decoder, wire) == ConstantValue("request")
    assert PARROT.getter("protocol", decoder, wire) == ConstantValue("parrot_talk")


def test_fields_that_frames_never_have() -> None:
    """Of another command, of another protocol, and of events."""
    decoder, wire = SAY.decoder, SAY.connection.wire

    for name in ("parrot.feed.weight", "rmqstream.command", "rmqstream.publish.publisher_id"):
        assert all_fields().getter(name, decoder, wire) is None
        assert Fields([parrot_traffic.PROTOCOL]).getter(name, decoder, wire) is None
    assert PARROT.getter("parrot.length", None) is None
    assert PARROT.getter("parrot.say.phrase", None) is None


def test_frames_without_a_schema() -> None:
    """They have header fields."""
    getter = PARROT.getter("parrot.length", None, SAY.connection.wire)

    assert isinstance(getter, Getter)
    assert getter.get(SAY) == len(SAY.data)


def test_values() -> None:
    """Raw, of one member or of all items."""
    assert values(PARROT, "parrot.say.phrase", SAY) == ["hello"]
    assert values(PARROT, "parrot.say.tags", SAY) == SAY.values["tags"]
    assert values(PARROT, "parrot.say.manner.slowly", SAY) in ([True], [False])
    assert values(PARROT, "file", SAY) == ["a.pcap"]
    assert values(Fields([parrot_traffic.PROTOCOL]), "file", SAY) is None


def test_values_inside_slots() -> None:
    """Only frames with slots have such values."""
    fields = fields_of(vault.WIRE, vault.RIDER, layers=vault.LAYERS)
    _, put = vault.rows(vault.hello(vault.KEY), vault.put())

    assert values(fields, "vault.key.name", put) == ["a"]
    assert fields.getter("vault.key.name", SAY.decoder, SAY.connection.wire) is None


def test_nodes() -> None:
    """Of a frame, or of an embedded record."""
    fields = fields_of(vault.WIRE, vault.RIDER)

    assert (node := fields.node("vault.key.name", None)) is not None
    assert node.name == "name"
    assert PARROT.node("parrot.say.phrase", SAY.decoder) is not None
    assert fields.node("vault.command", None) is None


def test_decoders_of_any_dialect_may_be_asked() -> None:
    """Getters are made for the decoder at hand."""
    fields = fields_of(RABBITMQ)
    for dialect in RABBITMQ.dialects:
        found = [each for each in RABBITMQ.table(dialect).all if each.schema.name == "publish"]
        for decoder in found:
            assert fields.getter("rmqstream.publish.publisher_id", decoder, RABBITMQ) is not None
