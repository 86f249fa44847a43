"""REMOVE_TABLE_KEYS (76) and TABLE_KEYS_REMOVED (77): entries are taken out of a table.

Spec: WireCommands.RemoveTableKeys, TableKeysRemoved.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import (
    DELEGATION_TOKEN,
    KEYS,
    REQUEST_ID,
    SEGMENT,
    TABLE_OFFSET,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="remove_table_keys",
        key=TypeCode.REMOVE_TABLE_KEYS,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks to remove entries of a table.",
        spec="WireCommands.RemoveTableKeys",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            DELEGATION_TOKEN,
            KEYS,
            TABLE_OFFSET,
        ),
        shows="{segment} keys={keys:count}",
    ),
    FrameSchema(
        name="table_keys_removed",
        key=TypeCode.TABLE_KEYS_REMOVED,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that they are removed.",
        spec="WireCommands.TableKeysRemoved",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
        ),
        shows="{segment}",
    ),
)
