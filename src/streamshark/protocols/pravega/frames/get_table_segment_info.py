"""GET_TABLE_SEGMENT_INFO (68) and TABLE_SEGMENT_INFO (69): what a table segment is.

The number of entries is -1 for a hash table that has been written (release 0.13.0).

Spec: WireCommands.GetTableSegmentInfo, TableSegmentInfo.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID, SEGMENT
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="get_table_segment_info",
        key=TypeCode.GET_TABLE_SEGMENT_INFO,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks what a table segment is.",
        spec="WireCommands.GetTableSegmentInfo",
        since="0.10.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="table_segment_info",
        key=TypeCode.TABLE_SEGMENT_INFO,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says what a table segment is.",
        spec="WireCommands.TableSegmentInfo",
        since="0.10.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field("start_offset", I64, "Where it begins.", unit="bytes", role="chance"),
            field("length", I64, "Its length.", unit="bytes"),
            field("entry_count", I64, "Entries in it; -1 when not known."),
            field("key_length", I32, "Bytes of each key; 0 when they differ.", unit="bytes"),
        ),
        shows="{segment} entries={entry_count}",
    ),
)
