"""The slot `http2.call`: header blocks, messages and resets, as an embedded record reads them.

No byte of headers is on the wire as they are meant, and a message may be in several DATA
frames, so each is handed on in a layout of our own. All of it is big-endian; text has a 16-bit
length.

| kind | what it is | members |
|---|---|---|
| 1 | request headers | content type, path, method, authority, authorization, headers |
| 2 | response headers | content type, path, method, HTTP status (u16, 0 unknown), headers |
| 3, 4 | a message of the client, of the server | content type, path, method, the message |
| 5 | trailers, or response headers that end the stream | the same as 2, status and text of a call |
| 6 | RST_STREAM | content type, path, method, error code (u32) |

Each begins with its kind (u8), flags (u8) and the stream (u32). `headers` is a 16-bit count of
names and values, those that have members of their own left out. The method is what follows
the last slash of the path.
"""

import re
import struct
from collections.abc import Iterable, Mapping
from enum import IntEnum, IntFlag
from typing import Final

Headers = list[tuple[str, str]]


class CallKind(IntEnum):
    """What a message of the slot is."""

    REQUEST = 1
    RESPONSE = 2
    CLIENT_MESSAGE = 3
    SERVER_MESSAGE = 4
    TRAILERS = 5
    RESET = 6


class CallFlag(IntFlag):
    """What is known of it."""

    END_STREAM = 1
    """The side ends its half of the stream."""
    PACKED = 2
    """The message was compressed."""
    INCOMPLETE = 4
    """Headers are missing that refer to what is not in the capture."""


OWN: Final = frozenset(
    {":path", ":authority", ":status", "content-type", "authorization", "grpc-status",
     "grpc-message"}
)  # fmt: skip
"""Headers that have members of their own."""
UNSAID: Final = -1
"""The status of a call that no trailer says."""
MOST_TEXT: Final = 0xFFFF


def head(kind: CallKind, flags: CallFlag, stream: int, content_type: str, path: str) -> bytes:
    """Return the bytes with which all of them begin."""
    fields = text(content_type) + text(path) + text(path.rpartition("/")[2])
    return struct.pack(">BBI", kind, flags, stream) + fields


def request(flags: CallFlag, stream: int, headers: Headers) -> bytes:
    """Request headers."""
    fields = dict(headers)
    begin = head(
        CallKind.REQUEST, flags, stream, fields.get("content-type", ""), fields.get(":path", "")
    )
    own = (text(fields.get(name, "")) for name in (":authority", "authorization"))
    return begin + b"".join(own) + _listed(headers)


def response(flags: CallFlag, stream: int, headers: Headers, content_type: str, path: str) -> bytes:
    """Response headers that do not end the stream."""
    begin = head(CallKind.RESPONSE, flags, stream, content_type, path)
    return begin + _http_status(dict(headers)) + _listed(headers)


def trailers(flags: CallFlag, stream: int, headers: Headers, content_type: str, path: str) -> bytes:
    """Headers that end a server's half of a stream."""
    fields = dict(headers)
    begin = head(CallKind.TRAILERS, flags, stream, content_type, path)
    status = fields.get("grpc-status", "")
    known = int(status) if status.isdecimal() and len(status) < 5 else UNSAID  # noqa: PLR2004
    status_text = struct.pack(">h", known) + text(percent_decoded(fields.get("grpc-message", "")))
    return begin + _http_status(fields) + status_text + _listed(headers)


def percent_decoded(value: str) -> str:
    """Decode a percent-encoded status message; text that is not encoded stays.

    Source: gRPC over HTTP/2 (grpc/grpc, doc/PROTOCOL-HTTP2.md), "Percent-Encoded".

    >>> percent_decoded("50%25 of %E2%82%AC 5, %zz and %FF")
    '50% of € 5, %zz and %FF'
    """
    return ENCODED.sub(_decoded, value)


ENCODED: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")


def _decoded(found: re.Match[str]) -> str:
    data = bytes.fromhex(found[0].replace("%", ""))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return found[0]


def text(value: str) -> bytes:
    """Text with its length, cut where it is too long."""
    data = value.encode()[:MOST_TEXT]
    return struct.pack(">H", len(data)) + data


def _http_status(fields: Mapping[str, str]) -> bytes:
    status = fields.get(":status", "")
    return struct.pack(">H", int(status) if status.isdecimal() and len(status) == 3 else 0)  # noqa: PLR2004


def _listed(headers: Iterable[tuple[str, str]]) -> bytes:
    shown = [each for each in headers if each[0] not in OWN][:MOST_TEXT]
    return struct.pack(">H", len(shown)) + b"".join(text(n) + text(v) for n, v in shown)
