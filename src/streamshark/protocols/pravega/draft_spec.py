"""Dialect `draft`: the proposal of the wire protocol, older than every release.

The page defines a head and ten messages, but no type codes. By default those of 0.0-prerelease are
taken, its PARTIAL_EVENT for a partial message; others are given with the dialect:
`-o pravega.dialect:draft:partial_message=-2,event=0`. What has another code is shown as unknown,
for the page defines no more.

What the page leaves open is read like this, and marked so in the sentence of the field:

- The values of Begin/Middle/End: 0, 1, 2.
- The two flags of a Segment Read, "1 bit" each: the upper two of one byte.
- Whether the events of a block count among the bytes of BeginAppendBlock: what follows
  its three members is `data`, and events that follow as messages are messages.

A partial message is joined with those that continue it on its side, whatever is between them:
the end of a block may, as the last paragraph of the page says. What is joined begins with the head
of the message that was cut.

Source: the page Streaming Service Wire Protocol, "Protocol".
"""

from enum import IntEnum
from typing import Final

from streamshark.decoding.payloads import CERTAIN, EmbeddedRecord
from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import BYTES, DRAFT, SEGMENT
from streamshark.schema import (
    I32,
    I64,
    REST,
    U8,
    UUID,
    Bits,
    FrameKind,
    FrameSchema,
    Member,
    Record,
    Sender,
    field,
    part,
    raw,
    reserved,
)

SPEC: Final = "Streaming Service Wire Protocol"
MESSAGE_SLOT: Final = "pravega.message"


class Position(IntEnum):
    """Which part of a message it is; the page names them and gives no numbers."""

    BEGIN = 0
    MIDDLE = 1
    END = 2


CONNECTION_ID: Final = field(
    "connection_id", UUID, "Identifies the appender.", role="identifies chance"
)
CONNECTION_OFFSET: Final = field(
    "connection_offset",
    I64,
    "Bytes written over this connection so far.",
    unit="bytes",
    role="chance",
)
ACKNOWLEDGED: Final = field(
    "connection_offset_ack_level",
    I64,
    "Offset before which all bytes of this connection are stored; 0 for a new one.",
    unit="bytes",
    role="chance",
)


def _frame(
    name: str,
    code: TypeCode,
    kind: FrameKind,
    sender: Sender,
    doc: str,
    *body: Member,
    shows: str = "",
) -> FrameSchema:
    return FrameSchema(
        name=name, key=code, dialect=DRAFT, kind=kind, sender=sender, doc=doc, spec=SPEC, body=body,
        shows=shows,
    )  # fmt: skip


FRAMES: Final = (
    _frame(
        "partial_message",
        TypeCode.PARTIAL_EVENT,
        FrameKind.COMMAND,
        Sender.BOTH,
        "A part of a message that was cut.",
        field(
            "position",
            U8,
            "Which part; the numbers are not in the page.",
            names=Position,
        ),
        field("data", raw(REST, slot=MESSAGE_SLOT), "Its bytes."),
        shows="position={position}",
    ),
    _frame(
        "keep_alive",
        TypeCode.KEEP_ALIVE,
        FrameKind.COMMAND,
        Sender.BOTH,
        "A sign of life.",
        field("data", raw(REST), "Means nothing; mostly empty."),
    ),
    _frame(
        "read_segment",
        TypeCode.READ_SEGMENT,
        FrameKind.REQUEST,
        Sender.CLIENT,
        "Asks for bytes of a segment.",
        SEGMENT,
        field("offset", I64, "Where to begin.", unit="bytes", role="chance"),
        field("suggested_length", I32, "Bytes that the client would like.", unit="bytes"),
        shows="{segment} offset={offset}",
    ),
    _frame(
        "segment_read",
        TypeCode.SEGMENT_READ,
        FrameKind.RESPONSE,
        Sender.SERVER,
        "Brings bytes of a segment.",
        SEGMENT,
        field("offset", I64, "Where they begin.", unit="bytes", role="chance"),
        Bits(
            1,
            part(
                "at_tail", 1, "1 when nothing is stored after them; its place is not in the page."
            ),
            part("end_of_segment", 1, "1 when nothing follows; its place is not in the page."),
            reserved(6),
        ),
        field("data", raw(REST, slot="pravega.block"), "The bytes."),
        shows="{segment} offset={offset} at_tail={at_tail}",
    ),
    _frame(
        "setup_append",
        TypeCode.SETUP_APPEND,
        FrameKind.REQUEST,
        Sender.CLIENT,
        "Asks to append to a segment.",
        CONNECTION_ID,
        SEGMENT,
        shows="{segment} connection={connection_id}",
    ),
    _frame(
        "append_setup",
        TypeCode.APPEND_SETUP,
        FrameKind.RESPONSE,
        Sender.SERVER,
        "Says that the client may append, and what is stored.",
        SEGMENT,
        CONNECTION_ID,
        ACKNOWLEDGED,
        shows="{segment} stored={connection_offset_ack_level}",
    ),
    _frame(
        "begin_append_block",
        TypeCode.APPEND_BLOCK,
        FrameKind.COMMAND,
        Sender.CLIENT,
        "Begins an append block.",
        CONNECTION_ID,
        CONNECTION_OFFSET,
        field(
            "length",
            I32,
            "Bytes before EndAppendBlock; the block may get another size.",
            unit="bytes",
        ),
        field(
            "data",
            raw(REST, slot="pravega.block"),
            "Events of the block, where they count among its bytes: the page does not say.",
        ),
        shows="connection={connection_id} offset={connection_offset} bytes={length}",
    ),
    _frame(
        "end_append_block",
        TypeCode.APPEND_BLOCK_END,
        FrameKind.COMMAND,
        Sender.CLIENT,
        "Ends an append block.",
        CONNECTION_ID,
        CONNECTION_OFFSET,
        field("block_length", I32, "Bytes of the block that was written.", unit="bytes"),
        shows="connection={connection_id} offset={connection_offset} bytes={block_length}",
    ),
    _frame(
        "event",
        TypeCode.EVENT,
        FrameKind.COMMAND,
        Sender.CLIENT,
        "An event, inside of a block.",
        field("data", raw(REST), "Its bytes."),
    ),
    _frame(
        "data_appended",
        TypeCode.DATA_APPENDED,
        FrameKind.COMMAND,
        Sender.SERVER,
        "Acknowledges what is stored.",
        CONNECTION_ID,
        ACKNOWLEDGED,
        shows="connection={connection_id} stored={connection_offset_ack_level}",
    ),
)
"""The messages of the page, in its order."""


_CODES: Final = frozenset(int(each) for each in TypeCode)


def sure(data: bytes) -> int:
    """Certain of a head that has a known code and says just the bytes that follow, else not."""
    if len(data) < 8:  # noqa: PLR2004 - bytes of a head
        return 0
    code, length = (int.from_bytes(data[at : at + 4], "big", signed=True) for at in (0, 4))
    return CERTAIN if code in _CODES and length == len(data) - 8 else 0


MESSAGE: Final = EmbeddedRecord(
    id="pravega.message",
    slots=frozenset({MESSAGE_SLOT}),
    record=Record(
        field("type_code", I32, "Which message it is.", names=TypeCode),
        field("payload", BYTES, "Its content."),
    ),
    sure=sure,
)
"""A reassembled message: its head, and what follows it."""
