"""A made-up record with slots, packed ones and numbers: what the tests of bodies look at."""

import zlib
from collections.abc import Iterable
from typing import NamedTuple

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.protocols.catalog import formats
from streamshark.schema import (
    U8,
    U16,
    Bits,
    Either,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Numbering,
    Record,
    Sender,
    Slot,
    field,
    part,
    raw,
    this,
)
from streamshark.schema.walk import walk

_PACKED = Slot("packed", codec=this.codec, cap=1000, count=this.count)
_BODY = field("body", raw(U16, slot="message"), "A body; the top bit of its length is 0.")
_ITEM = Either(
    clear=(_BODY,),
    set=(
        Bits(
            1,
            part("packed", 1, "Always 1."),
            part("codec", 7, "How.", names={0: "none", 1: "gzip"}),
        ),
        field("count", U8, "How many bodies.", role="counts"),
        field("inner", raw(U16, slot=_PACKED), "Bodies."),
    ),
)  # fmt: skip
SCHEMA = FrameSchema(
    name="post",
    key=1,
    kind=FrameKind.COMMAND,
    sender=Sender.CLIENT,
    doc="Sends bodies.",
    spec="This file.",
    body=(
        field("first", U8, "Number of the first."),
        field("items", Many(Record(_ITEM)), "Items."),
    ),
    numbers=(
        Numbering(
            "items", "number", "Number of the body.", start="first", weight="count", inside="inner"
        ),
    ),
)
TREE = walk(SCHEMA, Head((field("key", U8, "Key."),), None, "key", hidden=("key",)), "slots")
DECODER = Decoder(TREE)
RIDER = EmbeddedRecord(
    "slots.inner",
    frozenset({"packed"}),
    Record(field("bodies", Many(Record(_BODY)), "Bodies.")),
    lambda _: 100,
    whole="bodies",
)
LAYERS = PayloadReaders([RIDER, *formats()])


class Packed(NamedTuple):
    """An item of several bodies."""

    codec: int
    count: int
    data: bytes


def gzip(data: bytes) -> bytes:
    """Return gzip of some bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def packed(bodies: Iterable[bytes], count: int | None = None) -> Packed:
    """Return an item of several bodies, packed by gzip."""
    bodies = list(bodies)
    data = b"".join(len(each).to_bytes(2) + each for each in bodies)
    return Packed(1, len(bodies) if count is None else count, gzip(data))


def frame(*items: bytes | Packed) -> bytes:
    """Return a frame; the first number is 5."""
    out = b"\1\5"
    for item in items:
        data = item.data if isinstance(item, Packed) else item
        if isinstance(item, Packed):
            out += bytes([0x80 | item.codec, item.count])
        out += len(data).to_bytes(2) + data
    return out
