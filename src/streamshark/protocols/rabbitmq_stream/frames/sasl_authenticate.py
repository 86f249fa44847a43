"""SaslAuthenticate (0x13): a client sends what its SASL mechanism asks for.

Sent again after code 10, and (from 3.13.0) after Open to renew a token. With code 1 the server
continues with Tune, unasked. Codes: 7, 8, 9, 10, 11; after Open also 12, 20 and 21. From 4.0.0 on a
refusal is held back for 3 seconds.

The document shows data in every response; it is there with code 10 only. It also types it as
bytes, with 32 bits of length, as the Java client reads it, while every broker writes 16 bits
(`rabbit_stream_core.erl`, `response_body`): whichever uses up the frame is taken. Dialect `2020`:
data in every response, as the older document has it; no broker does that.

Spec: PROTOCOL.adoc, "SaslAuthenticate".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key, ResponseCode
from streamshark.protocols.rabbitmq_stream.types import (
    BYTES,
    CORRELATION_ID,
    NULLABLE_BYTES,
    RESPONSE,
    STRING,
)
from streamshark.schema import (
    U16,
    Fits,
    FrameKind,
    FrameSchema,
    Member,
    Sender,
    When,
    Word,
    field,
    raw,
    this,
)


def _challenge(word: Word) -> Member:
    return field("sasl_opaque_data", word, "What the server's mechanism asks next.", secret=True)


FRAMES = (
    FrameSchema(
        name="sasl_authenticate",
        key=Key.SASL_AUTHENTICATE,
        version=1,
        kind=FrameKind.REQUEST,
        sender=Sender.CLIENT,
        doc="Sends what the SASL mechanism asks for.",
        spec="PROTOCOL.adoc, SaslAuthenticate",
        since="3.9.0",
        negotiates=True,
        body=(
            CORRELATION_ID,
            field(
                "mechanism",
                STRING,
                "Name of the mechanism; `PLAIN`, `AMQPLAIN`, `EXTERNAL`, ...",
                role="keyword",
            ),
            field(
                "sasl_opaque_data",
                NULLABLE_BYTES,
                "What the mechanism asks for, null for nothing; PLAIN: 0, user, 0, password.",
                secret=True,
            ),
        ),
        shows="{mechanism}",
    ),
    FrameSchema(
        name="sasl_authenticate",
        key=Key.SASL_AUTHENTICATE,
        version=1,
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the client is known, or asks for more.",
        spec="PROTOCOL.adoc, SaslAuthenticate",
        since="3.9.0",
        negotiates=True,
        body=(
            *RESPONSE,
            When(
                this.response_code == ResponseCode.SASL_CHALLENGE,
                Fits(
                    absent=(),
                    int32=(_challenge(BYTES),),
                    int16=(_challenge(raw(U16)),),
                ),
            ),
        ),
        shows="user={@user} code={response_code:ok ok sasl_challenge}",
    ),
    FrameSchema(
        name="sasl_authenticate",
        key=Key.SASL_AUTHENTICATE,
        version=1,
        dialect="2020",
        kind=FrameKind.RESPONSE,
        sender=Sender.SERVER,
        doc="Says whether the client is known, or asks for more.",
        spec="PROTOCOL.adoc of 2021, SaslAuthenticate",
        negotiates=True,
        body=(*RESPONSE, _challenge(NULLABLE_BYTES)),
        shows="user={@user} code={response_code:ok ok sasl_challenge}",
    ),
)
