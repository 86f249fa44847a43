"""Every name, once, with what it means."""

import json

from tests.madeup import parrot_traffic, vault
from tests.protocols.rsocket.traffic import WIRE as RSOCKET

from streamshark.protocols.protocol import Protocol
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.views.field_list import COMPUTED, FieldEntry, entries, listing
from streamshark.views.fields_output import HEADERS

WIRE = parrot_traffic.PROTOCOL.wire


def entry(name: str) -> FieldEntry:
    """The entry of a name."""
    (found,) = [each for each in entries(WIRE) if each.name == name]
    return found


def test_header_fields_come_first() -> None:
    """The same in every protocol."""
    assert [each.name for each in entries(WIRE)][: len(HEADERS)] == [
        f"parrot.{name}" for name in HEADERS
    ]


def test_every_name_stands_once() -> None:
    """Over versions and dialects."""
    names = [each.name for each in entries(WIRE)]

    assert len(names) == len(set(names))
    assert "parrot.perch.high" in names


def test_what_an_entry_says() -> None:
    """Type, unit, names, meaning, release."""
    assert entry("parrot.say.volume") == FieldEntry(
        "parrot.say.volume", "parrot_talk", "u8", "How loud.", names={1: "low", 2: "high"},
        since="1.0",
    )  # fmt: skip
    assert entry("parrot.say.manner").flags == {1: "slowly", 2: "twice"}
    assert entry("parrot.feed.weight").unit == "g"
    assert entry("parrot.login.password").secret
    assert entry("parrot.login.token").since == "1.1"
    assert entry("parrot.perch.branches").type == "list of record"


def test_lines() -> None:
    """Six columns, parted by tabs."""
    assert entry("parrot.say.volume").line() == "parrot.say.volume\tu8\t\t2\tHow loud.\t1.0"
    assert {each.line().count("\t") for each in entries(WIRE)} == {5}


def test_json() -> None:
    """Everything, and what has no value left out."""
    told = json.loads(json.dumps(listing([Protocol("Parrots", "A card.", WIRE)])))
    by_name = {each["name"]: each for each in told["fields"]}

    assert told["schema_version"] == 1
    assert by_name["parrot.say.volume"] == {
        "name": "parrot.say.volume",
        "protocol": "parrot_talk",
        "type": "u8",
        "names": {"1": "low", "2": "high"},
        "since": "1.0",
        "description": "How loud.",
    }
    assert by_name["parrot.login.password"]["secret"] is True


def test_one_name_in_two_layouts() -> None:
    """Types and names of both."""
    rows = {each.name: each for each in entries(parrot_traffic.joined())}

    assert rows["parrot.say.volume"].type == "u8 or u16"
    assert rows["parrot.say.volume"].names == {1: "low", 2: "high", 3: "highest"}
    assert rows["parrot.say.manner"].flags == {1: "slowly", 2: "twice", 4: "thrice"}


def test_numbers_that_no_byte_says() -> None:
    """They stand among the fields, and say that they are computed."""
    name = "rmqstream.deliver.chunk.entries.offset"
    [row] = [each for each in entries(PROTOCOL.wire) if each.name == name]

    assert row.type == "number"
    assert row.description.endswith(COMPUTED)


def test_ranges_of_numbers() -> None:
    """First, last and name, beside the names of single numbers."""
    told = {each.name: each for each in entries(RSOCKET)}["rsocket.error.error_code"].json()

    assert told["names"][0x201] == "application_error"
    assert {"first": 0x301, "last": 0xFFFFFFFE, "name": "application_defined"} in told["ranges"]


def test_fields_of_riders() -> None:
    """Behind those of frames, under the name of the rider."""
    told = {each.name: each for each in entries(vault.WIRE, [vault.RIDER])}

    assert told["vault.key.name"].description == "Whose."
    assert told["vault.key.key"].secret
