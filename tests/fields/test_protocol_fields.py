"""The fields of one protocol: each name once, with what is known of it over all versions."""

import pytest
from tests.fields.known import all_fields, fields_of
from tests.madeup import parrot_traffic, vault

from streamshark.errors import SchemaError
from streamshark.fields.common_fields import CommonField
from streamshark.fields.protocol_fields import COMPUTED, ProtocolFields
from streamshark.fields.registry import Fields
from streamshark.fields.rows import HEADERS
from streamshark.protocols.protocol import Protocol
from streamshark.protocols.rabbitmq_stream import PROTOCOL as RABBITMQ

PARROT = ProtocolFields(parrot_traffic.PROTOCOL)


def common(*tables: CommonField) -> Fields:
    """The fields of Parrot with these that span commands."""
    protocol = Protocol("Parrots", "A card.", parrot_traffic.PROTOCOL.wire, fields=tables)
    return Fields([protocol])


def test_header_fields_come_first() -> None:
    """The same in every protocol; numbers have the type of the head, or of the body."""
    assert [each.name for each in PARROT.all()][: len(HEADERS)] == [
        f"parrot.{name}" for name in HEADERS
    ]
    assert PARROT.headers["parrot.key"].type.ft == "FT_UINT8"
    assert PARROT.headers["parrot.correlation_id"].type.ft == "FT_UINT16"
    assert all_fields().get("liftbridge.correlation_id").type.ft == "FT_STRING"


def test_every_name_stands_once() -> None:
    """Each name is declared once over versions, dialects, embedded records and protocols."""
    names = [each.name for each in all_fields().all()]

    assert len(names) == len(set(names))
    assert len(names) > 2000


def test_what_a_field_knows() -> None:
    """Type, unit, names, meaning, release, whether it is a secret."""
    volume, fields = PARROT.find("parrot.say.volume"), PARROT.command("parrot.say")

    assert volume is fields["parrot.say.volume"]
    assert (volume.type.words, volume.doc, volume.since) == ("u8", "How loud.", "1.0")
    assert volume.names == {1: "low", 2: "high"}
    assert fields["parrot.say.manner"].flags == {1: "slowly", 2: "twice"}
    assert fields["parrot.say.manner.twice"].type.ft == "FT_BOOLEAN"
    login = PARROT.command("parrot.login")
    assert login["parrot.login.password"].secret
    assert login["parrot.login.token"].since == "1.1"
    assert PARROT.command("parrot.feed")["parrot.feed.weight"].unit == "g"
    assert PARROT.command("parrot.perch")["parrot.perch.branches.years"].many
    assert PARROT.command("parrot.nothing") == {}


def test_one_name_in_two_layouts() -> None:
    """Types and names of both."""
    fields = fields_of(parrot_traffic.joined())

    assert fields.get("parrot.say.volume").type.words == "u8 or u16"
    assert fields.get("parrot.say.volume").names == {1: "low", 2: "high", 3: "highest"}
    assert fields.get("parrot.say.manner").flags == {1: "slowly", 2: "twice", 4: "thrice"}


def test_values_that_no_byte_says() -> None:
    """They are among the fields, and are marked as computed."""
    fields = Fields([RABBITMQ])
    for name in ("rmqstream.deliver.chunk.entries.offset", "rmqstream.time_to_confirm"):
        assert COMPUTED in fields.get(name).doc
    assert fields.get("rmqstream.time_to_confirm").type.ft == "FT_RELATIVE_TIME"


def test_fields_of_embedded_records() -> None:
    """Under the name of the record; a frame may have several."""
    fields = fields_of(vault.WIRE, vault.RIDER)

    assert fields.get("vault.key.name").doc == "Whose."
    assert fields.get("vault.key.name").many
    assert fields.get("vault.key.key").secret


def test_fields_that_span_commands() -> None:
    """Typed by all members that they name; unknown members, and mixed types, are errors."""
    manner = CommonField(name="manner", doc="How.", members=("manner",), by_flag=True)
    fields = common(manner)

    assert fields.get("parrot.manner").type.ft == "FT_UINT8"
    assert fields.get("parrot.manner.twice").type.ft == "FT_BOOLEAN"
    with pytest.raises(SchemaError, match="no command"):
        common(CommonField(name="x", doc="X.", members=("nowhere",))).get("parrot.x")
    with pytest.raises(SchemaError, match=r"parrot.x: text in parrot\."):
        common(CommonField(name="x", doc="X.", members=("volume", "user"))).get("parrot.x")
