"""Members that many frames share, for the layout of version 1.0 and that of 0.1.

All integers are big-endian. Numbers of 31 and 63 bits have a reserved bit above them, which
rsocket-java masks on receipt, so it is not part of the number here either.

Metadata has a length of 24 bits before it where data may follow, and only if the flag is set: a
length of 0 is not the same as none. rsocket-java 1.1.5, rsocket-js and rsocket_rust 0.7.5 keep the
difference, rsocket-go 0.8.12 and rsocket-py 0.4.20 send no metadata instead. LEASE and
METADATA_PUSH have metadata without a length, up to the end.

Which format metadata and data are in, SETUP says for the whole connection, by MIME type.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from streamshark.protocols.rsocket.codes import MIME_TYPES, Flag, OldFlag
from streamshark.schema import (
    REST,
    U8,
    U16,
    U24,
    U32,
    Bits,
    Either,
    Member,
    Slot,
    Tail,
    When,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)

Names = type[IntEnum] | Mapping[int, str]

COMPOSITE: Final = "message/x.rsocket.composite-metadata.v0"
AUTHENTICATION: Final = "message/x.rsocket.authentication.v0"
_SPRING: Final = frozenset(
    {"message/x.rsocket.authentication.basic.v0", "message/x.rsocket.authentication.bearer.v0"}
)
"""Spring Security 5.2, BasicAuthenticationEncoder and BearerTokenMetadata."""
VEILED: Final = frozenset({COMPOSITE, AUTHENTICATION}) | _SPRING
"""Types of metadata in which passwords and tokens may be."""
METADATA_SLOT: Final = Slot("rsocket.metadata", agreed="metadata_mime_type", veiled=VEILED)
DATA_SLOT: Final = Slot("rsocket.data", agreed="data_mime_type")

DATA: Final = field(
    "data", raw(REST, slot=DATA_SLOT), "Data, in the MIME type that SETUP says.", role="body"
)
METADATA: Final = When(
    this.flags & Flag.METADATA,
    field(
        "metadata",
        raw(U24, slot=METADATA_SLOT),
        "Metadata, in the MIME type that SETUP says; absent without the flag.",
    ),
)
PAYLOAD: Final[tuple[Member, ...]] = (METADATA, DATA)
"""What requests and payloads end with."""

ALWAYS: Final[Mapping[int, str]] = {Flag.IGNORE: "ignore", Flag.METADATA: "metadata"}
"""Flags of every frame that may have metadata."""
BARE: Final[Mapping[int, str]] = {Flag.IGNORE: "ignore"}
"""Flags of every frame."""
REQUEST_FLAGS: Final[Mapping[int, str]] = {**ALWAYS, Flag.FOLLOWS: "follows"}


def u31(name: str, sentence: str, *, unit: str | None = None) -> Bits:
    """Declare a number of 31 bits after a reserved bit."""
    return Bits(4, reserved(1), part(name, 31, sentence, unit=unit))


def u63(name: str, sentence: str) -> Bits:
    """Declare a position in the stream of a side: 63 bits after a reserved bit."""
    return Bits(8, reserved(1), part(name, 63, sentence, unit="bytes", role="chance"))


MAJOR_VERSION: Final = field("major_version", U16, "Major version of the protocol; 1 for 1.0.")
MINOR_VERSION: Final = field("minor_version", U16, "Minor version of the protocol.")
RESUME_TOKEN: Final = field(
    "resume_identification_token",
    raw(U16),
    "Names the session that a later connection may resume; chosen by the client.",
    role="identifies chance",
    secret=True,
)
INITIAL_REQUEST_N: Final = u31(
    "initial_request_n",
    "Payloads that the responder may send before it is granted more; 0 is not allowed.",
)
MIME_TYPE_OF_METADATA: Final = field(
    "metadata_mime_type",
    text(U8, encoding="ascii"),
    "MIME type of all metadata of this connection.",
    role="keyword",
)
MIME_TYPE_OF_DATA: Final = field(
    "data_mime_type",
    text(U8, encoding="ascii"),
    "MIME type of all data of this connection.",
    role="keyword",
)


class Arms(NamedTuple):
    """The two arms of an `Either`."""

    clear: tuple[Member, ...]
    set: tuple[Member, ...]


def named_or_numbered(number: str, name: str, sentence: str, names: Names) -> Arms:
    """Both arms of a type that is a text (top bit clear) or a well-known number (set).

    The seven bits of a text's length hold one less than its bytes, against the letter of the
    extensions, which say the length itself: so write and read rsocket-java, rsocket-js, rsocket-py
    and rsocket-go, and no text of 0 bytes can be said.
    """
    well_known = part(number, 7, f"{sentence[:-1]}, as a well-known number.", names=names)
    return Arms(
        (
            Bits(1, reserved(1), part("type_length", 7, "One less than the bytes of the type.")),
            field(name, text(this.type_length + 1, encoding="ascii"), sentence, role="keyword"),
        ),
        (Bits(1, reserved(1, written=1), well_known),),
    )


_MIME_TYPE: Final = named_or_numbered("mime_id", "mime_type", "MIME type.", MIME_TYPES)
MIME_TYPE: Final = Either(clear=_MIME_TYPE.clear, set=_MIME_TYPE.set)
"""A MIME type, in full or by number."""
LAST_METADATA: Final = Tail(
    field("metadata", raw(REST, slot=METADATA_SLOT), "Metadata, up to the end, without a length.")
)

# Version 0.1

OLD: Final = "0.1"
"""The dialect of version 0.1."""
OLD_METADATA_LENGTH: Final = Bits(
    4,
    reserved(1),
    part("metadata_length", 31, "Bytes of metadata, these 4 included.", unit="bytes"),
)
OLD_METADATA: Final = When(
    this.flags & OldFlag.METADATA,
    OLD_METADATA_LENGTH,
    field("metadata", raw(this.metadata_length - 4, slot=METADATA_SLOT), "Metadata."),
)
OLD_PAYLOAD: Final[tuple[Member, ...]] = (OLD_METADATA, DATA)
OLD_BARE: Final[Mapping[int, str]] = {OldFlag.IGNORE: "ignore"}
OLD_ALWAYS: Final[Mapping[int, str]] = {OldFlag.IGNORE: "ignore", OldFlag.METADATA: "metadata"}
OLD_REQUEST_FLAGS: Final[Mapping[int, str]] = {**OLD_ALWAYS, OldFlag.FOLLOWS: "follows"}
OLD_INITIAL_REQUEST_N: Final = field(
    "initial_request_n", U32, "Payloads that the responder may send before it is granted more."
)
OLD_RESUME_TOKEN: Final = field(
    "resume_identification_token",
    raw(16),
    "Names the session; rsocket-cpp alone.",
    role="identifies chance",
    secret=True,
)
