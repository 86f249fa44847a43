"""Numbers with names: frame types, flags, error codes, and what metadata calls by number.

The members are the document's words; in lower case they are what JSON, filters and text show. A
number that is not listed here stays a number without a name.

Source: Protocol.md, "Frame Types" and "Error Codes"; Extensions/WellKnownMimeTypes.md and
Extensions/Security/WellKnownAuthTypes.md of rsocket/rsocket (reference codecs of rsocket-core
1.1.5 know the MIME types up to 0x28); Protocol.md of tag v0.1 for `OldType` and `OldFlag`.
"""

from enum import IntEnum
from typing import Final


class FrameType(IntEnum):
    """What a frame is: six bits. 0 is reserved, all others are undefined."""

    SETUP = 0x01
    LEASE = 0x02
    KEEPALIVE = 0x03
    REQUEST_RESPONSE = 0x04
    REQUEST_FNF = 0x05
    REQUEST_STREAM = 0x06
    REQUEST_CHANNEL = 0x07
    REQUEST_N = 0x08
    CANCEL = 0x09
    PAYLOAD = 0x0A
    ERROR = 0x0B
    METADATA_PUSH = 0x0C
    RESUME = 0x0D
    RESUME_OK = 0x0E
    EXT = 0x3F


class OldType(IntEnum):
    """What a frame is in version 0.1: sixteen bits. RESUME and RESUME_OK are rsocket-cpp's."""

    SETUP = 0x0001
    LEASE = 0x0002
    KEEPALIVE = 0x0003
    REQUEST_RESPONSE = 0x0004
    REQUEST_FNF = 0x0005
    REQUEST_STREAM = 0x0006
    REQUEST_SUB = 0x0007
    REQUEST_CHANNEL = 0x0008
    REQUEST_N = 0x0009
    CANCEL = 0x000A
    RESPONSE = 0x000B
    ERROR = 0x000C
    METADATA_PUSH = 0x000D
    RESUME = 0x000E
    RESUME_OK = 0x000F
    EXT = 0xFFFF


class Flag(IntEnum):
    """Bits of the ten that follow the type; each frame says which it has."""

    IGNORE = 0x200
    METADATA = 0x100
    FOLLOWS = 0x080
    COMPLETE = 0x040
    NEXT = 0x020


RESUME_ENABLE: Final = 0x080
"""The bit of FOLLOWS, in SETUP."""
RESPOND: Final = 0x080
"""The bit of FOLLOWS, in KEEPALIVE."""
LEASE: Final = 0x040
"""The bit of COMPLETE, in SETUP."""


class OldFlag(IntEnum):
    """Bits of the sixteen after the type of version 0.1; each frame says which it has."""

    IGNORE = 0x8000
    METADATA = 0x4000
    FOLLOWS = 0x2000
    COMPLETE = 0x1000
    INITIAL_N = 0x0800


OLD_LEASE: Final = 0x2000
"""The bit of FOLLOWS, in SETUP of version 0.1; Java up to 0.5 writes 0x0020."""
OLD_RESPOND: Final = 0x2000
"""The bit of FOLLOWS, in KEEPALIVE of version 0.1."""
OLD_STRICT: Final = 0x1000
"""The bit of COMPLETE, in SETUP of version 0.1."""
OLD_RESUME_ENABLE: Final = 0x0800
"""The bit of INITIAL_N, in SETUP of rsocket-cpp's version 0.1."""


class ErrorCode(IntEnum):
    """What went wrong: up to 0x102 for the connection (stream 0), from 0x201 on for a stream."""

    INVALID_SETUP = 0x00000001
    UNSUPPORTED_SETUP = 0x00000002
    REJECTED_SETUP = 0x00000003
    REJECTED_RESUME = 0x00000004
    CONNECTION_ERROR = 0x00000101
    CONNECTION_CLOSE = 0x00000102
    APPLICATION_ERROR = 0x00000201
    REJECTED = 0x00000202
    CANCELED = 0x00000203
    INVALID = 0x00000204
    RESERVED_FOR_EXTENSION = 0xFFFFFFFF


ERROR_RANGES: Final = {(0x0, 0x300): "reserved", (0x301, 0xFFFFFFFE): "application_defined"}
"""Error codes without a name of their own: kept for the protocol, or the application's own."""


class OldErrorCode(IntEnum):
    """What went wrong, in version 0.1: no session is resumed, no connection closed in order."""

    INVALID_SETUP = 0x00000001
    UNSUPPORTED_SETUP = 0x00000002
    REJECTED_SETUP = 0x00000003
    CONNECTION_ERROR = 0x00000101
    APPLICATION_ERROR = 0x00000201
    REJECTED = 0x00000202
    CANCELED = 0x00000203
    INVALID = 0x00000204
    RESERVED_FOR_EXTENSION = 0xFFFFFFFF


OLD_ERROR_RANGES: Final = {
    (0x0, 0x0): "reserved",
    (0x1, 0xFF): "setup_reserved",
    (0x101, 0x1FF): "connection_reserved",
    (0x201, 0xFFFFFFFE): "application_defined",
}
"""The same of version 0.1, which has other ranges."""


class AuthType(IntEnum):
    """How a requester shows who it is."""

    SIMPLE = 0x00
    BEARER = 0x01


MIME_TYPES: Final = {
    0x00: "application/avro",
    0x01: "application/cbor",
    0x02: "application/graphql",
    0x03: "application/gzip",
    0x04: "application/javascript",
    0x05: "application/json",
    0x06: "application/octet-stream",
    0x07: "application/pdf",
    0x08: "application/vnd.apache.thrift.binary",
    0x09: "application/vnd.google.protobuf",
    0x0A: "application/xml",
    0x0B: "application/zip",
    0x0C: "audio/aac",
    0x0D: "audio/mp3",
    0x0E: "audio/mp4",
    0x0F: "audio/mpeg3",
    0x10: "audio/mpeg",
    0x11: "audio/ogg",
    0x12: "audio/opus",
    0x13: "audio/vorbis",
    0x14: "image/bmp",
    0x15: "image/gif",
    0x16: "image/heic-sequence",
    0x17: "image/heic",
    0x18: "image/heif-sequence",
    0x19: "image/heif",
    0x1A: "image/jpeg",
    0x1B: "image/png",
    0x1C: "image/tiff",
    0x1D: "multipart/mixed",
    0x1E: "text/css",
    0x1F: "text/csv",
    0x20: "text/html",
    0x21: "text/plain",
    0x22: "text/xml",
    0x23: "video/H264",
    0x24: "video/H265",
    0x25: "video/VP8",
    0x26: "application/x-hessian",
    0x27: "application/x-java-object",
    0x28: "application/cloudevents+json",
    0x29: "application/x-capnp",
    0x2A: "application/x-flatbuffers",
    0x7A: "message/x.rsocket.mime-type.v0",
    0x7B: "message/x.rsocket.accept-mime-types.v0",
    0x7C: "message/x.rsocket.authentication.v0",
    0x7D: "message/x.rsocket.tracing-zipkin.v0",
    0x7E: "message/x.rsocket.routing.v0",
    0x7F: "message/x.rsocket.composite-metadata.v0",
}
"""MIME types that metadata may call by a number of seven bits."""
