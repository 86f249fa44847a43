"""Values of malformed frames are replaced where they are; well-formed frames are encoded."""

import pytest
from tests.failures import every

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.protocols.catalog import catalog
from streamshark.schema import (
    U8,
    U16,
    U32,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Record,
    Region,
    Sender,
    crc32c,
    field,
    raw,
    text,
    this,
)
from streamshark.schema.composites import checksum
from streamshark.schema.encoding import REMOVED, Changes
from streamshark.schema.value_checks import EncodingError
from streamshark.schema.walk import walk

HEAD = Head((field("size", U16, "Bytes after it."),), this.size + 2, "", hidden=("size",))
BODY = (
    field("sum", U32, "CRC-32C of the items."),
    Region(
        U16,
        field("items", Many(Record(field("name", text(U8), "A name."))), "Items."),
        checksum=crc32c(this.sum),
    ),
    field("number", U16, "A number."),
    field("blob", raw(U8), "Bytes."),
)
SCHEMA = FrameSchema("f", 0, FrameKind.COMMAND, Sender.BOTH, "A frame.", "spec", BODY)
DECODER = Decoder(walk(SCHEMA, HEAD, "x"))


def frame(items: bytes, rest: bytes) -> bytes:
    """Return a frame with the right size and sum."""
    total = checksum("crc32c", items).to_bytes(4, "big") + len(items).to_bytes(2, "big") + items
    return (len(total) + len(rest)).to_bytes(2, "big") + total + rest


SHORT = frame(b"\x01a\x02bc", b"\x00\x05\x09xyz")
"""Its last member has 9 bytes, of which 3 are there."""


@every(
    ("changes", "expected"),
    [
        ({("items", 1, "name"): "de"}, frame(b"\x01a\x02de", b"\x00\x05\x09xyz")),
        ({("number",): 258}, frame(b"\x01a\x02bc", b"\x01\x02\x09xyz")),
        ({}, SHORT),
    ],
)
def test_values_of_the_same_size(changes: Changes, expected: bytes) -> None:
    """Checksums over them are updated; the problem stays."""
    assert amended(DECODER, SHORT, changes) == expected


@every(
    ("changes", "message"),
    [
        ({("items", 1, "name"): "d"}, "x.f.items[1].name: has 2 bytes and can only be as long as"),
        ({("items", 1, "name"): 5}, "x.f.items[1].name: cannot be 5: the frame is malformed"),
        ({("items", 1): REMOVED}, "x.f.items[1]: cannot be changed: the frame is malformed (short"),
        ({("blob",): b"abc"}, "x.f.blob: cannot be changed"),
        ({("number",): 1 << 16}, "x.f.number: 65536 does not fit: 2 bytes"),
    ],
)
def test_what_cannot_be_replaced(changes: Changes, message: str) -> None:
    """Lengths of a malformed frame cannot be relied on."""
    with pytest.raises(EncodingError) as error:
        amended(DECODER, SHORT, changes)
    assert str(error.value).startswith(message)


def test_a_wrong_sum_stays_wrong() -> None:
    """A wrong checksum is kept, and another value of its range can be replaced."""
    wrong = SHORT[:5] + b"\xff" + SHORT[6:]

    assert amended(DECODER, wrong, {("items", 0, "name"): "z"}) == wrong.replace(b"\x01a", b"\x01z")


def test_a_well_formed_frame_is_encoded() -> None:
    """Its values may have other sizes."""
    whole = frame(b"\x01a", b"\x00\x05\x01x")

    assert amended(DECODER, whole, {("items", 0, "name"): "bcd", ("blob",): b""}) == frame(
        b"\x03bcd", b"\x00\x05\x00"
    )


def test_bytes_after_the_last_member() -> None:
    """They stay, and the frame's length counts them; as rstream answers consumer updates."""
    whole = frame(b"\x01a", b"\x00\x05\x01xEXTRA")

    assert amended(DECODER, whole, {("blob",): b"xyz"}) == frame(b"\x01a", b"\x00\x05\x03xyzEXTRA")


def test_text_lines_that_are_malformed() -> None:
    """A payload of another size than the line says: the subject is replaced."""
    wire = next(each.wire for each in catalog() if each.wire.id == "nats")
    decoder = wire.table().named("pub")

    made = amended(decoder, b"PUB  ab 3\r\nxyzw\r\n", {("subject",): "cd"})
    assert made == b"PUB  cd 3\r\nxyzw\r\n"
