"""Which view writes, and what counts as damage."""

import json

import pytest
from tests.madeup import parrot_traffic

from streamshark.cli.writers import Array, Rows, is_damage, printer_of, shows_wholes
from streamshark.dissection.row import Row
from streamshark.fields.registry import Fields
from streamshark.schema import Problem, ProblemCode
from streamshark.views.fields_output import FieldRows
from streamshark.views.json import JsonRows
from streamshark.views.packet_details import DetailRows, WithHexDump
from streamshark.views.text import TextRows

GIVEN = {
    "form": "text", "tree": False, "dump": False, "colour": "never", "time": ("r", 6),
    "fields": (), "layout": {}, "show_secrets": False, "int_strings": False, "bodies": "decoded",
    "strict": False,
}  # fmt: skip


def registry() -> Fields:
    """The fields of Parrot."""
    return Fields([parrot_traffic.PROTOCOL])


class Names:
    """A view that shows names."""

    malformed_bodies = 0

    def row(self, row: Row) -> str:
        """Quote one."""
        return json.dumps(getattr(row, "name", None))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({}, TextRows),
        ({"tree": True}, DetailRows),
        ({"dump": True}, WithHexDump),
        ({"tree": True, "dump": True}, WithHexDump),
        ({"form": "json"}, JsonRows),
        ({"form": "ndjson"}, JsonRows),
        ({"form": "fields", "fields": ("frame",)}, FieldRows),
    ],
)
def test_views(given: dict[str, object], kind: type) -> None:
    """By the options."""
    rows = printer_of({**GIVEN, **given}, start=lambda: None, fields=registry)

    assert isinstance(rows.printer, kind)


def test_a_header() -> None:
    """Before the first row, where it is asked for."""
    given = {**GIVEN, "form": "fields", "fields": ("frame", "flow"), "layout": {"header": True}}

    assert printer_of(given, fields=registry).head() == "frame\tflow\n"


def test_times_of_loose_bytes() -> None:
    """Bytes without a capture have no time, and a line can still be written."""
    rows = printer_of(dict(GIVEN))

    assert rows.row(parrot_traffic.row(parrot_traffic.say())).startswith("   1 parrot")


def test_rows_end_with_their_line() -> None:
    """Nothing stands around them."""
    rows = Rows(Names())

    assert (
        rows.head() + rows.row(parrot_traffic.row(parrot_traffic.say())) + rows.tail() == '"say"\n'
    )


def test_an_array() -> None:
    """Valid whether it is empty or not."""
    rows = Array(Names(), None)
    shown = [
        rows.head(),
        *map(rows.row, parrot_traffic.rows(parrot_traffic.say() * 2)),
        rows.tail(),
    ]
    empty = Array(Names(), None)

    assert json.loads("".join(shown)) == ["say", "say"]
    assert "".join(shown) == '[\n"say",\n"say"\n]\n'
    assert empty.head() + empty.tail() == "[]\n"


@pytest.mark.parametrize(
    ("data", "damaged"),
    [
        (parrot_traffic.say(), 0),
        (parrot_traffic.perch("muchtoolong"), 1),
        (parrot_traffic.say()[:-1], 2),
        (b"\xff" * 40, 1),
    ],
)
def test_damage_is_counted(data: bytes, damaged: int) -> None:
    """Frames with problems, and events that tell of bytes without a frame."""
    rows = Rows(Names())
    for row in parrot_traffic.rows(data):
        rows.row(row)

    assert (rows.problems > 0) is (damaged > 0)


def test_events_of_a_carrier_are_damage_by_their_problems() -> None:
    """Not by their name: a carrier may call anything a gap."""
    event = parrot_traffic.event(b"\xff" * 40)
    event.protocol = "websocket"

    assert not is_damage(event)
    event.problems = [Problem(ProblemCode.CARRIER, -1, 0, 0, "wrong")]
    assert is_damage(event)


@pytest.mark.parametrize(
    ("form", "tree", "bodies", "fields", "kept"),
    [
        ("text", False, "decoded", (), False),
        ("text", True, "decoded", (), True),
        ("text", True, "raw", (), True),
        ("text", True, "size", (), False),
        ("ndjson", False, "decoded", (), True),
        ("json", False, "size", (), False),
        ("fields", False, "decoded", ("rsocket.routing.tags",), True),
        ("fields", False, "size", ("rsocket.payload.reassembled.data",), True),
    ],
)
def test_fragments_are_kept_for_those_who_look(
    form: str,
    tree: bool,  # noqa: FBT001 - an option
    bodies: str,
    fields: tuple[str, ...],
    kept: bool,  # noqa: FBT001 - what it says
) -> None:
    """Lines and sizes need no bytes."""
    given = {"form": form, "tree": tree, "bodies": bodies, "fields": fields}

    assert shows_wholes(given) is kept
