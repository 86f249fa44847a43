"""A small protocol for the tests of the frame stage: parcels that are sent and signed for.

Length u32 (of what follows it), response bit and 15-bit key, version u16; the text protocol beside
it has lines `SAY <count>` with a payload, and `BYE`.
"""

import struct

from streamshark.flows.segment import Flow, Segment
from streamshark.framing.wire_format import Evidence, Guess, Level, NegotiatedValue, WireFormat
from streamshark.schema import (
    U8,
    U16,
    U32,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    LineHead,
    Literal,
    Many,
    Sender,
    TextLine,
    decimal,
    field,
    part,
    raw,
    text,
    this,
)

HEAD = Head(
    members=(
        field("size", U32, "Bytes after this field.", unit="bytes"),
        Bits(2, part("response", 1, "Set on answers."), part("key", 15, "Command.")),
        field("version", U16, "Version of the frame."),
    ),
    total=this.size + 4,
    key="key",
    version="version",
    response="response",
    least=8,
    most=1 << 20,
    hidden=("size", "response", "key", "version"),
)


def _frame(
    name: str, key: int, kind: FrameKind, sender: Sender, *body: object, **rest: object
) -> FrameSchema:
    return FrameSchema(name, key, kind, sender, "A frame.", "none", body, 1, **rest)  # type: ignore[arg-type]


_ID = field("correlation_id", U32, "Joins request and response.", role="correlates")
SEND = _frame(
    "send", 1, FrameKind.REQUEST, Sender.CLIENT, _ID, field("address", text(U16), "Where to."),
    field("goods", Many(raw(U16), claim=U16), "What is in it."),
)  # fmt: skip
SIGNED = _frame(
    "send", 1, FrameKind.RESPONSE, Sender.SERVER, _ID, field("code", U8, "0 when all is well.")
)
HELLO = _frame(
    "hello",
    2,
    FrameKind.COMMAND,
    Sender.BOTH,
    field("limit", U32, "Largest parcel."),
    negotiates=True,
)
TICK = _frame("tick", 3, FrameKind.COMMAND, Sender.BOTH)
OFFER = _frame("offer", 4, FrameKind.REQUEST, Sender.SERVER, field("price", U16, "In cents."))
TAKEN = _frame(
    "offer", 4, FrameKind.RESPONSE, Sender.CLIENT, field("note", text(U16), "Why."),
    responses=(True, False),
)  # fmt: skip


def detect(evidence: Evidence) -> Guess:
    """Two frames in a row, or one that ends the bytes."""
    if len(evidence.commands) > 1 or (evidence.commands and evidence.lined_up):
        return Guess(Level.SURE, "parcels line up")
    return Guess(Level.NONE, "nothing lines up")


WIRE = WireFormat(
    id="parcels",
    short="parcels",
    heads={"": HEAD},
    frames=(SEND, SIGNED, HELLO, TICK, OFFER, TAKEN),
    detect=detect,
    chain=2,
    ports=(7777, 7778),
    own_ports=(7777, 7778),
    agreements=(NegotiatedValue("limit", "hello", "limit", "Largest parcel."),),
    foreign={
        b"LETTERS!": "the letters protocol",
        b"LETTERS!v2": "the letters protocol, version 2",
        b"\x16\3": "TLS",
    },
    tls_ports=(7778,),
)

SPOKEN = WireFormat(
    id="spoken",
    short="spoken",
    heads={"": LineHead({"SAY": "say", "BYE": "bye"}, frozenset({"SAY"}), 80)},
    frames=(
        FrameSchema(
            "say", "say", FrameKind.COMMAND, Sender.BOTH, "Says something.", "none",
            (
                TextLine("SAY", decimal("size", "Bytes of what is said.")),
                field("words", raw(this.size), "What is said."),
                Literal(b"\r\n", "End of the words."),
            ),
        ),
        FrameSchema("bye", "bye", FrameKind.COMMAND, Sender.BOTH, "Ends.", "none",
            (TextLine("BYE"),)),
    ),
    detect=detect,
)  # fmt: skip


def parcel(key: int, body: bytes = b"", *, response: bool = False, version: int = 1) -> bytes:
    """The bytes of a frame."""
    return struct.pack(">IHH", len(body) + 4, key | response << 15, version) + body


def send(number: int = 1, address: bytes = b"home", *goods: bytes) -> bytes:
    """A send request."""
    body = struct.pack(">IH", number, len(address)) + address + struct.pack(">H", len(goods))
    return parcel(1, body + b"".join(struct.pack(">H", len(each)) + each for each in goods))


def signed(number: int = 1, code: int = 0) -> bytes:
    """Its response."""
    return parcel(1, struct.pack(">IB", number, code), response=True)


TICKS = parcel(3)


def segment(data: bytes, offset: int = 0, packet: int = 1, side: int = 0) -> Segment:
    """One packet's payload."""
    return Segment(0, side, offset, data, packet, packet, packet * 1000, 0, 0, 100, 16, True)  # noqa: FBT003


def segments(data: bytes, size: int, side: int = 0, offset: int = 0) -> list[Segment]:
    """A payload cut into pieces of `size` bytes."""
    return [
        segment(data[at : at + size], offset + at, 1 + at // size, side)
        for at in range(0, len(data), size)
    ]


def flow(client: int | None = 0) -> Flow:
    """A connection between two hosts."""
    return Flow(0, ("10.0.0.1:1000", "10.0.0.2:7777"), (1000, 7777), client)
