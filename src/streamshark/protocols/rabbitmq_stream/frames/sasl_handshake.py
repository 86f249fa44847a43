"""SaslHandshake (0x12): a client asks which SASL mechanisms the server has.

The request holds nothing else: the document's production lists a Mechanism, no peer sends one.
Its response production names an array of arrays; it is one list of strings. Dialect `2020` reads
that mechanism where there is one.

Spec: PROTOCOL.adoc, "SaslHandshake".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    CORRELATION_ID,
    OUTCOME,
    RESPONSE,
    STRING,
    last_array,
)
from streamshark.schema import FrameKind, FrameSchema, Sender, Tail, field

FRAMES = (
    FrameSchema(
        name="sasl_handshake",
        key=Key.SASL_HANDSHAKE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks which SASL mechanisms the server has.",
        spec="PROTOCOL.adoc, SaslHandshake",
        since="3.9.0",
        body=(CORRELATION_ID,),
    ),
    FrameSchema(
        name="sasl_handshake",
        key=Key.SASL_HANDSHAKE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Lists the server's SASL mechanisms.",
        spec="PROTOCOL.adoc, SaslHandshake",
        since="3.9.0",
        body=(
            *RESPONSE,
            field(
                "mechanisms",
                last_array(STRING),
                "Names of the mechanisms, in any order.",
                role="keyword",
            ),
        ),
        shows=f"{{mechanisms}} {OUTCOME}",
    ),
    FrameSchema(
        name="sasl_handshake",
        key=Key.SASL_HANDSHAKE,
        version=1,
        dialect="2020",
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Asks which SASL mechanisms the server has, and names one.",
        spec="PROTOCOL.adoc of 2021, SaslHandshake",
        body=(
            CORRELATION_ID,
            Tail(
                field(
                    "mechanism",
                    STRING,
                    "Name of the mechanism that the client will use.",
                    role="keyword",
                )
            ),
        ),
    ),
)
