"""What stands in slots, as JSON shows it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.madeup import record_with_slots, vault

from streamshark.decoding.payloads import DecodedPayload, Format, PayloadReaders, SlotBytes
from streamshark.protocols.catalog import formats
from streamshark.schema import Problem, ProblemCode
from streamshark.views.colour import Palette
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.payload_json import MOST_LAYERS, finite
from streamshark.views.payload_tree import ByteRange, PayloadTree
from streamshark.views.tree_items import DataSource, lines
from streamshark.views.values import Shaper

WRAP = Format(
    "wrap",
    frozenset({"*"}),
    lambda data: DecodedPayload([data[1:]], []),
    lambda data: data[:1] == b"w",
)
"""One byte, then bytes that may be in a format again."""


def shown(
    data: bytes, layers: PayloadReaders | None = record_with_slots.LAYERS, **showing: object
) -> dict[str, Any]:
    """Return the fields of a frame as JSON has them."""
    shaper = Shaper(DisplayOptions(**showing), layers)
    values, _ = record_with_slots.DECODER.read(data)
    fields: dict[str, Any] = json.loads(json.dumps(shaper.tree(record_with_slots.TREE)(values)))
    return fields


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"hello", {"format": "text", "value": "hello", "bytes": 5}),
        (b'{"a": [1]}', {"format": "json", "value": {"a": [1]}, "bytes": 10}),
        (b"\0\1", "0001"),
        (b"", ""),
        (
            bytes.fromhex("005375a0026869"),
            {
                "format": "amqp1",
                "value": [
                    {"section": "data", "value": {"format": "text", "value": "hi", "bytes": 2}}
                ],
                "bytes": 7,
            },
        ),
        (
            bytes.fromhex("005375a0020001"),
            {"format": "amqp1", "value": [{"section": "data", "value": "0001"}], "bytes": 7},
        ),
        (
            bytes.fromhex("005377 82fff0000000000000"),
            {
                "format": "amqp1",
                "value": [{"section": "amqp_value", "value": "-Infinity"}],
                "bytes": 12,
            },
        ),
    ],
)
def test_a_body(body: bytes, wanted: object) -> None:
    """In a format, else hex; bytes inside a body are bodies again."""
    assert shown(record_with_slots.frame(body))["items"] == [{"number": 5, "body": wanted}]


EMPTY = {
    "json": ("7b7d", "5b5d", "5b7b7d2c5b5d5d"),
    "cbor": ("a0", "80", "82a080"),
    "messagepack": ("80", "90", "928090"),
    "amqp1": ("005377c10100", "00537745", "005377c005 02 c10100 45"),
}
"""Format to a map, a list, and a list of both."""


def test_an_empty_map_is_no_empty_list() -> None:
    """In no format that has both, in JSON and in the tree; nor is it left out."""
    wrong = []
    found = {each.id: replace(each, sure=lambda _: 100) for each in formats()}
    assert set(EMPTY) == set(found) - {"text"}
    for name, bodies in EMPTY.items():
        layers, values = PayloadReaders([found[name]]), []
        for body in bodies:
            data = bytes.fromhex(body)
            value = shown(record_with_slots.frame(data), layers)["items"][0]["body"]["value"]
            value = value[0]["value"] if name == "amqp1" else value
            tree = PayloadTree(layers, "decoded").shown(
                SlotBytes(0, "message", data, "none", None),
                len(data),
                ByteRange(DataSource("frame", data), 0, len(data)),
            )
            assert tree is not None
            below = [each.strip() for each in lines(tree.items, Palette(enabled=False))]
            below = below or [tree.text or ""]
            values.append((value, [each.removeprefix("amqp_value: ") for each in below]))
        lists = ["[0]: {}", "[1]: []"]
        if name == "amqp1":
            lists = ["amqp_value:", *lists]
        if values != [({}, ["{}"]), ([], ["[]"]), ([{}, []], lists)]:
            wrong.append((name, values))

    assert wrong == []


def test_modes() -> None:
    """Size and raw say nothing of formats; without layers bodies are hex."""
    frame = record_with_slots.frame(b"hi")

    assert shown(frame, bodies="size")["items"][0]["body"] == {"bytes": 2}
    assert shown(frame, bodies="raw")["items"][0]["body"] == "6869"
    assert shown(frame, None)["items"][0]["body"] == "6869"


def test_a_packed_record() -> None:
    """Its list stands in the slot's place, its items numbered on."""
    packed = record_with_slots.packed([b"a", b"\0"])

    assert shown(record_with_slots.frame(b"x", packed))["items"] == [
        {"number": 5, "body": {"format": "text", "value": "x", "bytes": 1}},
        {
            "number": 6,
            "packed": 1,
            "codec": {"value": 1, "name": "gzip"},
            "count": 2,
            "inner": [
                {"number": 6, "body": {"format": "text", "value": "a", "bytes": 1}},
                {"number": 7, "body": "00"},
            ],
        },
    ]
    inner = shown(record_with_slots.frame(packed), bodies="size")["items"][0]["inner"]
    assert inner == {"bytes": len(record_with_slots.gzip(b"\0\1a\0\1\0"))}
    assert isinstance(
        shown(record_with_slots.frame(packed), bodies="raw")["items"][0]["inner"], str
    )


def test_what_cannot_be_unpacked_stays_hex() -> None:
    """And is noticed."""
    shaper = Shaper(DisplayOptions(), record_with_slots.LAYERS)
    show = shaper.tree(record_with_slots.TREE)

    show(
        record_with_slots.DECODER.read(
            record_with_slots.frame(b"x", record_with_slots.packed([b"a"]))
        )[0]
    )
    assert not shaper.bodies.malformed
    values, _ = record_with_slots.DECODER.read(
        record_with_slots.frame(record_with_slots.Packed(1, 1, b"no gzip"))
    )
    assert show(values)["items"][0]["inner"] == b"no gzip".hex()
    assert shaper.bodies.malformed


@pytest.mark.parametrize(
    "frame",
    [
        record_with_slots.frame(record_with_slots.packed([b"a"], count=3)),
        record_with_slots.frame(record_with_slots.packed([b"a", b"b", b"c"], count=2)),
        record_with_slots.frame(bytes.fromhex("005375")),
    ],
)
def test_what_is_wrong_inside_is_noticed(frame: bytes) -> None:
    """A count that differs, whichever is more, a value that breaks its rules."""
    shaper = Shaper(DisplayOptions(), record_with_slots.LAYERS)
    values, _ = record_with_slots.DECODER.read(frame)
    shaper.tree(record_with_slots.TREE)(values)

    assert shaper.bodies.malformed


def test_wide_numbers_and_depth() -> None:
    """Numbers that doubles do not hold are text where that is asked; bodies in bodies end."""
    wide = bytes.fromhex("005377 80ffffffffffffffff")

    plain = shown(record_with_slots.frame(wide), int_strings=True)["items"][0]
    assert plain["number"] == "5"
    assert plain["body"]["value"][0]["value"] == str(2**64 - 1)
    value = shown(record_with_slots.frame(b"w" * 10), PayloadReaders([WRAP]))["items"][0]["body"]
    for _ in range(MOST_LAYERS - 1):
        [value] = value["value"]
    assert value["value"] == [(b"w" * (10 - MOST_LAYERS)).hex()]


def test_what_is_not_finite() -> None:
    """JSON has no word for it."""
    assert [finite(each) for each in (1.5, float("nan"), float("inf"), -float("inf"))] == [
        1.5, "NaN", "Infinity", "-Infinity",
    ]  # fmt: skip


def test_problems_are_those_of_the_layers() -> None:
    """With the place in the frame."""
    frame = record_with_slots.frame(bytes.fromhex("005375"))
    values, _ = record_with_slots.DECODER.read(frame)

    [problem] = record_with_slots.LAYERS.problems(record_with_slots.DECODER, frame, values)
    node = record_with_slots.TREE.find("items.body").id
    assert problem == Problem(ProblemCode.VALUE, node, len(frame), 0, "1 bytes needed, 0 left")


def typed(
    *frames: bytes, layers: PayloadReaders | None = vault.LAYERS, **showing: object
) -> list[Any]:
    """The bodies of made-up frames, as JSON shows them."""
    view = JsonRows(DisplayOptions(**showing), layers=layers, loose=True)  # type: ignore[arg-type]
    found = [json.loads(view.row(row))["fields"] for row in vault.rows(*frames)]
    return [each.get("body", each.get("first")) for each in found]


def test_what_was_agreed_chooses_the_reader() -> None:
    """In the frame that says it, too; secrets inside are masked."""
    masked = {"name": "a", "key": "***"}
    frames = [vault.hello(vault.KEY, vault.BODY), vault.put()]

    assert typed(*frames) == [masked, masked]
    assert typed(*frames, secrets=True)[1] == {"name": "a", "key": "key"}
    assert typed(*frames, bodies="size")[1] == {"bytes": len(vault.BODY)}


def test_bytes_that_may_hold_a_secret_are_masked() -> None:
    """They are masked until they are decoded if their type has secrets or is unknown."""
    frames = [vault.hello(vault.KEY, vault.BODY), vault.put()]

    assert typed(*frames, bodies="raw") == ["***", "***"]
    assert typed(*frames, layers=None) == ["***", "***"]
    assert typed(vault.put(), bodies="raw") == ["***"]
    assert typed(vault.put(), bodies="raw", secrets=True) == [vault.BODY.hex()]
    assert typed(vault.put(b"")) == [""]
    assert typed(vault.hello(vault.OPEN, b"\1"), vault.put(b"\2")) == ["01", "02"]


def test_pieces_stay_bytes() -> None:
    """What they are pieces of is not there."""
    body = b'{"a": 1}'
    frames = [vault.hello(vault.OPEN), vault.put(body, more=True), vault.put(body), vault.put(body)]
    shown = {"format": "json", "value": {"a": 1}, "bytes": 8}

    assert typed(*frames)[1:] == [body.hex(), body.hex(), shown]
    assert typed(vault.hello(vault.KEY), vault.put(more=True))[1] == "***"


def test_problems_of_what_was_agreed() -> None:
    """They stand where the slot is."""
    view = JsonRows(DisplayOptions(), layers=vault.LAYERS, loose=True)
    rows = list(vault.rows(vault.hello(vault.KEY), vault.put(b"\1a\5key")))

    shown = json.loads([view.row(row) for row in rows][1])

    assert [(each["code"], each["field"]) for each in shown["problems"]] == [
        ("short", "vault.put.body")
    ]
