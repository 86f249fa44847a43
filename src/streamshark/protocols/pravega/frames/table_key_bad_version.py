"""TABLE_KEY_BAD_VERSION (82): a key has another version.

Spec: WireCommands.TableKeyBadVersion.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="table_key_bad_version",
        key=TypeCode.TABLE_KEY_BAD_VERSION,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that a key has another version.",
        spec="WireCommands.TableKeyBadVersion",
        since="0.5.0",
        body=(
            REQUEST_ID,
            SEGMENT,
            field(
                "server_stack_trace", STRING, "Where the server failed; mostly empty.", role="text"
            ),
        ),
        shows="! {segment}",
    ),
)
