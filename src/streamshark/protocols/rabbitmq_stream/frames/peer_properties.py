"""PeerProperties (0x11): client and server identify themselves, before anything else.

Clients send `product`, `version`, `platform`, `copyright`, `information`, `connection_name`; the
server adds `cluster_name` and what its operator configured.

The document's production of the request lacks the correlation id, its field list and every peer
have it (`rabbit_stream_core.erl`, `parse_request`).

Spec: PROTOCOL.adoc, "PeerProperties".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import CORRELATION_ID, MAP, OUTCOME, RESPONSE
from streamshark.schema import FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="peer_properties",
        key=Key.PEER_PROPERTIES,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Describes the client.",
        spec="PROTOCOL.adoc, PeerProperties",
        since="3.9.0",
        negotiates=True,
        body=(
            CORRELATION_ID,
            field("peer_properties", MAP, "What the client says of itself."),
        ),
        shows=(
            "{peer_properties[product]} {peer_properties[version]} "
            "name={peer_properties[connection_name]}"
        ),
    ),
    FrameSchema(
        name="peer_properties",
        key=Key.PEER_PROPERTIES,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Describes the server.",
        spec="PROTOCOL.adoc, PeerProperties",
        since="3.9.0",
        negotiates=True,
        body=(
            *RESPONSE,
            field("peer_properties", MAP, "What the server says of itself."),
        ),
        shows=f"{{peer_properties[product]}} {{peer_properties[version]}} {OUTCOME}",
    ),
)
