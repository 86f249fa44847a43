"""READ_TABLE (78) and TABLE_READ (79): entries of some keys.

A key that is not there comes back with version -1 and an empty value.

Spec: WireCommands.ReadTable, TableRead.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, ENTRIES, KEYS, REQUEST_ID, SEGMENT
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="read_table",
        key=TypeCode.READ_TABLE,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the entries of some keys.",
        spec="WireCommands.ReadTable",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            KEYS,
        ),
        shows="{segment} keys={keys:count}",
    ),
    FrameSchema(
        name="table_read",
        key=TypeCode.TABLE_READ,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Brings the entries.",
        spec="WireCommands.TableRead",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            ENTRIES,
        ),
        shows="{segment} entries={entries:count}",
    ),
)
