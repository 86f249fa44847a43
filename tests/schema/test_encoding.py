"""Frames are encoded strictly, and changed with all around the change mended."""

import zlib
from typing import Any

import pytest
from tests.failures import every

from streamshark.protocols.catalog import catalog
from streamshark.schema import (
    U8,
    U16,
    U32,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    Headers,
    JsonLine,
    LineHead,
    Many,
    Member,
    ProtoMessage,
    Record,
    Region,
    Sender,
    Tail,
    TextLine,
    When,
    crc32,
    crc32c,
    decimal,
    field,
    len_,
    member,
    part,
    proto,
    raw,
    reserved,
    text,
    this,
    token,
)
from streamshark.schema.composites import checksum
from streamshark.schema.encoding import REMOVED, Changes, amended, changes_between, encoded
from streamshark.schema.nodes import Tree
from streamshark.schema.value_checks import EncodingError
from streamshark.schema.walk import walk

HEAD = Head(
    (field("size", U16, "Bytes after it."), field("key", U8, "Which.")),
    this.size + 2,
    "key",
    least=3,
    most=100,
    hidden=("size", "key"),
    source="spec, 1",
)
BODY = (
    Bits(1, part("flags", 7, "Flags."), reserved(1)),
    field("sum", U32, "CRC-32 of the items."),
    field("total", U16, "Bytes of the items."),
    field("count", U8, "Items.", claims=len_(this.items)),
    Region(
        this.total,
        field("items", Many(Record(field("name", text(U8), "A name."))), "Items."),
        checksum=crc32(this.sum),
    ),
    When(this.flags & 1, field("extra", U8, "More.")),
    Tail(field("trailer", raw(1), "A trailer.")),
)
VALUES = {"flags": 0, "items": [{"name": "ab"}, {"name": "c"}]}
ITEMS = b"\x02ab\x01c"
FRAME = b"\x00\x0e\x07\x00" + zlib.crc32(ITEMS).to_bytes(4, "big") + b"\x00\x05\x02" + ITEMS


def tree(*body: Member, head: Head | LineHead = HEAD, key: int | str = 7) -> Tree:
    """Walk a frame."""
    schema = FrameSchema("f", key, FrameKind.COMMAND, Sender.BOTH, "A frame.", "spec", body)
    return walk(schema, head, "x")


def line(*body: Member) -> Tree:
    """Walk a frame of a text protocol."""
    return tree(*body, head=LineHead({"PUB": "pub"}, frozenset(), 1000), key="pub")


BINARY = tree(*BODY)
PUB = line(
    TextLine("PUB", token("to", "To."), decimal("size", "Bytes.")),
    field("payload", raw(this.size), "Bytes."),
)


def test_what_is_left_out_is_computed() -> None:
    """Length, count, sum, and the head; given and right they are taken."""
    given = VALUES | {"sum": zlib.crc32(ITEMS), "total": 5, "count": 2}

    assert encoded(BINARY, VALUES) == encoded(BINARY, given) == FRAME
    assert encoded(PUB, {"to": "a", "payload": b"xyz"}) == b"PUB a 3\r\nxyz"


@every(
    ("values", "message"),
    [
        (VALUES | {"sum": 5}, "x.f.sum: 5 is given, 3112905462 is right; left out it is computed"),
        (VALUES | {"total": 4}, "x.f.total: 4 is given, 5 is right; left out it is computed"),
        (VALUES | {"count": 3}, "x.f.count: 3 is given, 2 is right; left out it is computed"),
        ({"items": []}, "x.f: no value for this member"),
        (VALUES | {"extra": 1}, "x.f.extra: this does not go with the other values"),
        (VALUES | {"flags": 1}, "x.f.extra: no value for this member"),
        ({"flags": 0, "items": [{"name": "x" * 90}]}, "x.f: 102 bytes; 3 to 100 (spec, 1)"),
        (VALUES | {"key": 8}, "x.f.key: 8 selects another frame; 7 is this one"),
        (VALUES | {"form": 8}, "x.f.form: there is no such field"),
        (VALUES | {"trailer": b"ab"}, "x.f.trailer: 2 bytes; it has 1 byte (spec)"),
    ],
)
def test_values_that_make_no_frame(values: dict[str, Any], message: str) -> None:
    """Refused with the field, and what is right."""
    with pytest.raises(EncodingError) as error:
        encoded(BINARY, values)
    assert str(error.value) == message


def test_a_change_mends_what_is_around_it() -> None:
    """Lengths, counts, sums and the head; reserved bits stay."""
    reserved_set = FRAME[:3] + b"\x01" + FRAME[4:]
    made = amended(BINARY, reserved_set, {("items", 0, "name"): "abcd"})
    items = b"\x04abcd\x01c"

    assert made == (
        b"\x00\x10\x07\x01" + zlib.crc32(items).to_bytes(4, "big") + b"\x00\x07\x02" + items
    )
    assert amended(BINARY, made, {("items", 0, "name"): "ab"}) == reserved_set
    assert amended(BINARY, FRAME, {("items", 2): {"name": "d"}})[10:] == b"\x03\x02ab\x01c\x01d"
    assert amended(BINARY, FRAME, {("items", 0): REMOVED})[10:] == b"\x01\x01c"
    assert amended(BINARY, FRAME, {("trailer",): b"t"})[-2:] == b"ct"
    assert amended(BINARY, FRAME, {}) == FRAME


@every(
    ("changes", "message"),
    [
        ({("sum",): 1}, "x.f.sum: 1 is given, 3112905462 is right; left out it is computed"),
        ({("items", 5, "name"): "a"}, "x.f.items[5].name: the frame has no such value"),
        ({("items", 0, "name", 1): "a"}, "x.f.items[0].name[1]: the frame has no such value"),
        ({("trailer",): REMOVED}, "x.f.trailer: the frame has no such value"),
        ({("flags",): 1}, "x.f.extra: no value for this member"),
        ({("items", 0, "name"): "x" * 300}, None),
    ],
)
def test_changes_that_are_refused(changes: Changes, message: str | None) -> None:
    """No malformed frame is made."""
    with pytest.raises(EncodingError) as error:
        amended(BINARY, FRAME, changes)
    assert message is None or str(error.value) == message


def test_a_malformed_frame_is_refused() -> None:
    """`decoding.amending` changes what can be changed in one."""
    with pytest.raises(EncodingError, match="checksum at byte 11"):
        amended(BINARY, FRAME[:-1] + b"d", {("flags",): 2})


LINES = line(
    TextLine(
        "PUB",
        token("to", "To."),
        token("reply", "Reply.", optional=True),
        decimal("size", "Bytes."),
    ),
    Region(this.size, Headers("NATS/1.0", "Headers.")),
)
BLOCK = b"NATS/1.0  503  No one\r\nA :x\r\nb:  y \r\nb:z\r\n\r\n"
SPELT = b"pub\t a  %d \n" % len(BLOCK) + BLOCK


@every(
    ("changes", "old", "new"),
    [
        ({("to",): "bc"}, b"\t a ", b"\t bc "),
        ({("reply",): "r"}, b"pub\t a  44 \n", b"PUB a r 44\r\n"),
        ({("headers", 1, "value"): "yes"}, b"44 \n|b:  y ", b"46 \n|b:  yes "),
        ({("headers", 0, "key"): "Abc"}, b"44 \n|A :", b"45 \n|Abc:"),
        ({("headers", 3): {"key": "c", "value": "d"}}, b"44 \n|b:z\r\n", b"50 \n|b:z\r\nc: d\r\n"),
        ({("headers", 1): REMOVED}, b"44 \n|b:  y \r\n", b"36 \n|"),
        ({("status",): 404}, b"44 \n|1.0  503  No one", b"42 \n|1.0 404 No one"),
    ],
)
def test_text_keeps_its_spelling(changes: Changes, old: bytes, new: bytes) -> None:
    """Blanks, letter case, the end of the line, and lines of headers that do not change."""
    expected = SPELT
    for before, after in zip(old.split(b"|"), new.split(b"|"), strict=True):
        assert before in expected
        expected = expected.replace(before, after)

    assert amended(LINES, SPELT, changes) == expected


OBJECT = line(
    JsonLine(
        "PUB",
        member("name", "text", "A name."),
        member("on", "boolean", "Whether."),
        member("hosts", "tokens", "Hosts."),
    )
)
JSON = b'Pub { "other":1, "NAME" : "a", "on":true ,"x":{"y": [1]} }\n'


@every(
    ("changes", "expected"),
    [
        ({("name",): 'é"'}, JSON.replace(b'"a"', '"é\\""'.encode())),
        ({("on",): REMOVED}, JSON.replace(b', "on":true', b"")),
        ({("hosts",): ["h"]}, JSON.replace(b"[1]}", b'[1]} ,"hosts":["h"]')),
        ({("other", 0): REMOVED}, JSON.replace(b'"other":1, ', b"")),
        ({("other", 1, "value"): "2"}, JSON.replace(b'{"y": [1]}', b"2")),
    ],
)
def test_json_keeps_its_spelling(changes: Changes, expected: bytes) -> None:
    """Order, blanks and letter case of all members that do not change."""
    assert amended(OBJECT, JSON, changes) == expected


MESSAGE = tree(
    field("sum", U32, "CRC-32C."),
    Region(
        U16,
        ProtoMessage({
            1: proto("count", "int32", "A count."),
            2: proto("names", "string", "Names.", repeated=True),
            3: proto(
                "inner",
                "message",
                "A message.",
                message=ProtoMessage({
                    1: proto("flag", "bool", "A flag."),
                    2: proto("id", "bytes", "Id."),
                }),
            ),
            4: proto("numbers", "uint32", "Numbers.", repeated=True),
        }),
        checksum=crc32c(this.sum),
    ),
)  # fmt: skip
NUMBERS = b"\x20\x01\x20\x02"
"""Not packed."""
INNER = b"\x1a\x05\x12\x01i\x08\x01"
FIELDS = NUMBERS + b"\x12\x01b" + INNER + b"\x7d1234" + b"\x12\x81\x00c" + b"\x08\x85\x00"
"""In no order, with an unknown field, and with lengths and numbers of more bytes than needed."""


def message(fields: bytes) -> bytes:
    """Return a frame with these fields."""
    total = checksum("crc32c", fields).to_bytes(4, "big") + len(fields).to_bytes(2, "big") + fields
    return (len(total) + 1).to_bytes(2, "big") + b"\x07" + total


@every(
    ("changes", "old", "new"),
    [
        ({("count",): 6}, b"\x08\x85\x00", b"\x08\x06"),
        ({("names", 0): "bcd"}, b"\x12\x01b", b"\x12\x03bcd"),
        ({("names", 2): "d"}, b"\x12\x01b|\x12\x81\x00c", b"\x12\x01b\x12\x01c\x12\x01d|"),
        ({("numbers", 1): 3}, NUMBERS, b"\x22\x02\x01\x03"),
        ({("inner", "id"): b"jj"}, INNER, b"\x1a\x06\x12\x02jj\x08\x01"),
        ({("inner", "flag"): REMOVED}, INNER, b"\x1a\x03\x12\x01i"),
        ({("unknown_fields", 0): REMOVED}, b"\x7d1234", b""),
    ],
)
def test_protobuf_keeps_its_spelling(changes: Changes, old: bytes, new: bytes) -> None:
    """Order, unknown fields, numbers of more bytes than needed; length and sum are mended."""
    expected = FIELDS
    for before, after in zip(old.split(b"|"), new.split(b"|"), strict=True):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)

    assert amended(MESSAGE, message(FIELDS), changes) == message(expected)


def test_smallest_changes() -> None:
    """Members and items alone, a list of another length as a whole."""
    before = {"a": 1, "b": [{"c": 1}, {"c": 2}], "d": [1], "e": float("nan")}
    after = {"a": 2, "b": [{"c": 1}, {"c": 3}], "d": [1, 2], "e": float("nan"), "f": None}
    expected = {("a",): 2, ("b", 1, "c"): 3, ("d",): [1, 2], ("f",): None}

    assert changes_between(before, after) == expected
    assert changes_between(after, before)["f",] is REMOVED


def test_selectors_are_those_of_the_frame() -> None:
    """A response that older brokers send without the bit stays so; encoded anew it has the bit."""
    wire = next(each.wire for each in catalog() if each.wire.id == "rabbitmq_stream")
    tree = wire.table().named("partitions_response").tree
    old = bytes.fromhex("0000000e001900010000000b000200000000")
    new = old[:4] + b"\x80" + old[5:]
    values = {"correlation_id": 11, "response_code": 2, "streams": []}

    assert encoded(tree, values) == new
    for each in (old, new):
        made = amended(tree, each, {("correlation_id",): 12})
        assert made == each[:11] + b"\x0c" + each[12:]
