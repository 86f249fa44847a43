"""TABLE_KEY_DOES_NOT_EXIST (81): a key that must be there is not.

Spec: WireCommands.TableKeyDoesNotExist.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import REQUEST_ID, SEGMENT, STRING
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="table_key_does_not_exist",
        key=TypeCode.TABLE_KEY_DOES_NOT_EXIST,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that a key is not there.",
        spec="WireCommands.TableKeyDoesNotExist",
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
