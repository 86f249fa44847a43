"""READ_TABLE_KEYS (83) and TABLE_KEYS_READ (84): all keys of a table, some at a time.

The reply may hold more keys than suggested: 4 for 2 where all keys have one length (0.13.0).
Releases up to 0.7.2 cannot read their own reply where a key is empty.

Spec: WireCommands.ReadTableKeys, TableKeysRead.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    CONTINUATION,
    DELEGATION_TOKEN,
    FILTERS,
    KEYS,
    REQUEST_ID,
    SEGMENT,
)
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="read_table_keys",
        key=TypeCode.READ_TABLE_KEYS,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks for the next keys of a table.",
        spec="WireCommands.ReadTableKeys",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            field("suggested_key_count", I32, "Keys that the client would like."),
            CONTINUATION,
            *FILTERS,
        ),
        shows="{segment}",
    ),
    FrameSchema(
        name="table_keys_read",
        key=TypeCode.TABLE_KEYS_READ,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Brings keys.",
        spec="WireCommands.TableKeysRead",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            KEYS,
            CONTINUATION,
        ),
        shows="{segment} keys={keys:count}",
    ),
)
