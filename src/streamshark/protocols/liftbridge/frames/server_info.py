"""SERVER_INFO_REQUEST (10) and SERVER_INFO_RESPONSE (11): who is there; every server answers.

Source: server/metadata.go; internal.proto, ServerInfoRequest.
"""

from streamshark.protocols.liftbridge.codes import MessageType
from streamshark.protocols.liftbridge.messages import SERVER_INFO_REQUEST, SERVER_INFO_RESPONSE
from streamshark.protocols.liftbridge.types import BARE, ENVELOPE, FIRST, body
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="server_info_request",
        key=MessageType.SERVER_INFO_REQUEST,
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks all servers where they are.",
        spec=ENVELOPE,
        body=body(SERVER_INFO_REQUEST),
        version=0,
        shows="{id}",
    ),
    FrameSchema(
        name="server_info_response",
        key=MessageType.SERVER_INFO_RESPONSE,
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Announces the address of a server.",
        spec=ENVELOPE,
        body=body(SERVER_INFO_RESPONSE),
        version=0,
        shows="{id} {host}:{port}",
    ),
    FrameSchema(
        name="server_info_request",
        key="server_info_request",
        kind=FrameKind.REQUEST,
        sender=Sender.BOTH,
        doc="Asks all servers where they are.",
        spec=FIRST,
        body=(SERVER_INFO_REQUEST,),
        dialect=BARE,
        shows="{id}",
    ),
    FrameSchema(
        name="server_info_response",
        key="server_info_response",
        kind=FrameKind.RESPONSE,
        sender=Sender.BOTH,
        doc="Announces the address of a server.",
        spec=FIRST,
        body=(SERVER_INFO_RESPONSE,),
        dialect=BARE,
        shows="{id} {host}:{port}",
    ),
)
