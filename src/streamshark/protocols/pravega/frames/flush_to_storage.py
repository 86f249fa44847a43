"""FLUSH_TO_STORAGE (-3) and FLUSHED_TO_STORAGE (-4): all is stored.

On the admin gateway.

Spec: WireCommands.FlushToStorage, StorageFlushed.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.protocols.pravega.types import DELEGATION_TOKEN, REQUEST_ID
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="flush_to_storage",
        key=TypeCode.FLUSH_TO_STORAGE,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks a container to write all to storage.",
        spec="WireCommands.FlushToStorage",
        since="0.10.0",
        body=(
            field("container_id", I32, "Number of the container."),
            DELEGATION_TOKEN,
            REQUEST_ID,
        ),
        shows="container={container_id}",
    ),
    FrameSchema(
        name="flushed_to_storage",
        key=TypeCode.FLUSHED_TO_STORAGE,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says that all is written.",
        spec="WireCommands.FlushedToStorage",
        since="0.10.0",
        body=(REQUEST_ID,),
        shows="",
    ),
)
