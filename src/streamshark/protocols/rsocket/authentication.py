"""Authentication metadata: who a requester is.

An embedded record of metadata in the MIME type `message/x.rsocket.authentication.v0`: a type, by
number or in full, and what that type asks for. Whatever could be a password or a token is secret.

The username of `simple` has 16 bits of length, before February 2020 it had 8; which of the two is
meant is not said, so what uses up the bytes is taken.

Spec: Extensions/Security/Authentication.md, Simple.md, Bearer.md; the length of a type as
`types.named_or_numbered` says.
"""

from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord, never
from streamshark.protocols.rsocket.codes import AuthType
from streamshark.protocols.rsocket.types import AUTHENTICATION as MIME_TYPE
from streamshark.protocols.rsocket.types import named_or_numbered
from streamshark.schema import (
    REST,
    U8,
    U16,
    Either,
    Fits,
    Int,
    Member,
    Record,
    Switch,
    field,
    raw,
    text,
    this,
)

_TYPE: Final = named_or_numbered("auth_id", "auth_type", "Kind of authentication.", AuthType)
_PAYLOAD: Final = field("payload", raw(REST), "What this kind asks for.", secret=True)


def _simple(length: Int) -> tuple[Member, ...]:
    return (
        field("username", text(length), "Name of the user.", role="user"),
        field("password", text(REST), "Password of the user.", secret=True),
    )


AUTHENTICATION: Final = EmbeddedRecord(
    id="rsocket.authentication",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({MIME_TYPE}),
    record=Record(
        Either(
            clear=(*_TYPE.clear, _PAYLOAD),
            set=(
                *_TYPE.set,
                Switch(
                    this.auth_id,
                    {
                        AuthType.SIMPLE: (Fits(u16=_simple(U16), u8=_simple(U8)),),
                        AuthType.BEARER: (
                            field(
                                "token",
                                text(REST),
                                "Token of the bearer.",
                                secret=True,
                                role="chance",
                            ),
                        ),
                    },
                    default=(_PAYLOAD,),
                ),
            ),
        )
    ),
    sure=never,
    shows="user={username}",
)
