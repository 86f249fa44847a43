"""The list of fields: as lines and as JSON."""

import json

from tests.fields.known import all_fields
from tests.madeup import parrot_traffic

from streamshark.fields.registry import Fields
from streamshark.views.field_list import entry, line, listing

PARROT = Fields([parrot_traffic.PROTOCOL])


def test_lines() -> None:
    """Six columns, separated by tabs."""
    volume = PARROT.get("parrot.say.volume")

    assert line(volume) == "parrot.say.volume\tu8\t\t2\tHow loud.\t1.0"
    assert {line(each).count("\t") for each in PARROT.all()} == {5}


def test_json() -> None:
    """Everything, and what has no value left out."""
    told = json.loads(json.dumps(listing(PARROT.all())))
    by_name = {each["name"]: each for each in told["fields"]}

    assert told["schema_version"] == 1
    assert by_name["parrot.say.volume"] == {
        "name": "parrot.say.volume",
        "protocol": "parrot_talk",
        "type": "u8",
        "ft": "FT_UINT8",
        "names": {"1": "low", "2": "high"},
        "since": "1.0",
        "description": "How loud.",
    }
    assert by_name["parrot.login.password"]["secret"] is True
    assert by_name["parrot.say.tags"]["many"] is True


def test_ranges_of_numbers() -> None:
    """First, last and name, beside the names of single numbers."""
    told = entry(all_fields().get("rsocket.error.error_code"))

    assert told["names"][0x201] == "application_error"
    assert {"first": 0x301, "last": 0xFFFFFFFE, "name": "application_defined"} in told["ranges"]
