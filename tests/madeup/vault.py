"""A made-up protocol that agrees what its bodies are, cuts them, and has secrets inside them."""

from collections.abc import Iterator

from streamshark.cli.raw_bytes import rows_of
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, never
from streamshark.dissection.row import FrameRow
from streamshark.framing.wire_format import (
    Evidence,
    Fragmentation,
    Guess,
    Level,
    NegotiatedValue,
    WireFormat,
)
from streamshark.protocols.catalog import formats
from streamshark.schema import (
    REST,
    U8,
    FrameKind,
    FrameSchema,
    Head,
    Record,
    Sender,
    Slot,
    field,
    raw,
    text,
    this,
)

KEY, OPEN = "x/key", "x/open"
_VEILED = frozenset({KEY})
_FLAGS = {0x80: "more"}
HEAD = Head(
    members=(
        field("size", U8, "All bytes."),
        field("kind", U8, "Which frame."),
        field("flags", U8, "Flags."),
    ),
    total=this.size + 0,
    key="kind",
    least=3,
    hidden=("size", "kind"),
    flags="flags",
)
HELLO = FrameSchema(
    "hello", 1, FrameKind.COMMAND, Sender.CLIENT, "Says what bodies are.", "This file.",
    body=(
        field("type", text(U8), "Type of bodies."),
        field("first", raw(U8, slot=Slot("vault", types=(this.type,), veiled=_VEILED)), "A body."),
    ),
    negotiates=True, flags=_FLAGS,
)  # fmt: skip
PUT = FrameSchema(
    "put", 2, FrameKind.COMMAND, Sender.BOTH, "Brings a body.", "This file.",
    body=(field("body", raw(REST, slot=Slot("vault", agreed="type", veiled=_VEILED)), "A body."),),
    flags=_FLAGS,
)  # fmt: skip


def _detect(_evidence: Evidence) -> Guess:
    return Guess(Level.NONE, "made up")


WIRE = WireFormat(
    "vault", "vault", {"": HEAD}, (HELLO, PUT), _detect,
    agreements=(
        NegotiatedValue("type", "hello", "type", "Type of bodies.", (False,)),
        NegotiatedValue("more", "hello", "flags.more", "More bodies.", (False,)),
    ),
    fragments=Fragmentation("kind", "flags", "more", frozenset({"put"}), frozenset(), ("body",)),
)  # fmt: skip
RIDER = EmbeddedRecord(
    "vault.key",
    frozenset({"vault"}),
    Record(
        field("name", text(U8), "Whose."),
        field("key", text(U8), "The key.", secret=True),
    ),
    never,
    types=_VEILED,
)
LAYERS = PayloadReaders([RIDER, *formats()])
BODY = b"\1a\3key"
"""A name and a secret."""


def hello(kind: str, body: bytes = b"") -> bytes:
    """Says what bodies are."""
    inner = bytes([len(kind)]) + kind.encode() + bytes([len(body)]) + body
    return bytes([3 + len(inner), 1, 0]) + inner


def put(body: bytes = BODY, *, more: bool = False) -> bytes:
    """Brings a body."""
    return bytes([3 + len(body), 2, 0x80 if more else 0]) + body


def rows(*frames: bytes) -> Iterator[FrameRow]:
    """The rows of some frames."""
    found = rows_of(b"".join(frames), WIRE.table(), "client")
    return (each for each in found if isinstance(each, FrameRow))
