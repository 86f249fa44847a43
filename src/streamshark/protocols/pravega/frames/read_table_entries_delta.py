"""READ_TABLE_ENTRIES_DELTA (88) and TABLE_ENTRIES_DELTA_READ (87): what changed since.

The reply has the lower number.

Spec: WireCommands.ReadTableEntriesDelta, TableEntriesDeltaRead.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, ENTRIES, REQUEST_ID, SEGMENT, flag
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="read_table_entries_delta",
        key=TypeCode.READ_TABLE_ENTRIES_DELTA,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks what changed since a position.",
        spec="WireCommands.ReadTableEntriesDelta",
        since="0.8.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            field(
                "from_position",
                I64,
                "Where to begin; the last position of the reply before.",
                unit="bytes",
                role="chance",
            ),
            field("suggested_entry_count", I32, "Entries that the client would like."),
        ),
        shows="{segment} from={from_position}",
    ),
    FrameSchema(
        name="table_entries_delta_read",
        key=TypeCode.TABLE_ENTRIES_DELTA_READ,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Brings what changed.",
        spec="WireCommands.TableEntriesDeltaRead",
        since="0.8.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            ENTRIES,
            flag("should_clear", "True when the client must forget what it has."),
            flag("reached_end", "True when nothing is left."),
            field("last_position", I64, "Where the next call begins.", unit="bytes", role="chance"),
        ),
        shows="{segment} entries={entries:count} last={last_position}",
    ),
)
