"""UPDATE_TABLE_ENTRIES (74) and TABLE_ENTRIES_UPDATED (75): entries are put into a table.

A key's version says what must be there: a wrong one is answered by TABLE_KEY_BAD_VERSION or
TABLE_KEY_DOES_NOT_EXIST.

Spec: WireCommands.UpdateTableEntries, TableEntriesUpdated.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    ENTRIES,
    REQUEST_ID,
    SEGMENT,
    TABLE_OFFSET,
)
from streamshark.schema import I32, I64, FrameKind, FrameSchema, Many, Sender, field

FRAMES = (
    FrameSchema(
        name="update_table_entries",
        key=TypeCode.UPDATE_TABLE_ENTRIES,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to put entries into a table.",
        spec="WireCommands.UpdateTableEntries",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            ENTRIES,
            TABLE_OFFSET,
        ),
        shows="{segment} entries={entries:count}",
    ),
    FrameSchema(
        name="table_entries_updated",
        key=TypeCode.TABLE_ENTRIES_UPDATED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says which versions the entries have now.",
        spec="WireCommands.TableEntriesUpdated",
        since="0.5.0",
        body=(
            REQUEST_ID,
            field(
                "updated_versions", Many(I64, count=I32), "Versions, in the order of the entries."
            ),
        ),
        shows="{@segment} versions={updated_versions}",
    ),
)
