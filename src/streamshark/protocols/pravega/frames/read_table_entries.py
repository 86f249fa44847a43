"""READ_TABLE_ENTRIES (85) and TABLE_ENTRIES_READ (86): all entries of a table, some at a time.

Releases up to 0.7.2 cannot read their own reply where a key is empty.

Spec: WireCommands.ReadTableEntries, TableEntriesRead.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    CONTINUATION,
    DELEGATION_TOKEN,
    ENTRIES,
    FILTERS,
    REQUEST_ID,
    SEGMENT,
)
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="read_table_entries",
        key=TypeCode.READ_TABLE_ENTRIES,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the next entries of a table.",
        spec="WireCommands.ReadTableEntries",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            field("suggested_entry_count", I32, "Entries that the client would like."),
            CONTINUATION,
            *FILTERS,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="table_entries_read",
        key=TypeCode.TABLE_ENTRIES_READ,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Brings entries.",
        spec="WireCommands.TableEntriesRead",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            ENTRIES,
            CONTINUATION,
        ),
        shows="{segment} entries={entries:count}",
    ),
)
