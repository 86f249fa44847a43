"""Numbers with names: frame types, flags, settings, error codes; the names of events."""

import re
from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import Final

ID: Final = "http2"
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a client sends first (RFC 9113, 3.4)."""
TUNNELS: Final = (b"CONNECT ", b"HTTP/1.1 200 ", b"HTTP/1.0 200 ")
"""What a client and a proxy begin with whose tunnel it is in."""
OPENS: Final = re.compile(
    b"|".join(map(re.escape, (PREFACE, *TUNNELS))) + rb"|[\x00-\xff]{3}\x04[\x00\x01]\x00{4}"
)
"""Matches what a side may begin with: those, or a server's SETTINGS."""


class FrameType(IntEnum):
    """What a frame is (RFC 9113, 6)."""

    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class Flag(IntFlag):
    """Flags; each type of frame has its own of them."""

    END_STREAM = 0x01
    ACK = 0x01
    END_HEADERS = 0x04
    PADDED = 0x08
    PRIORITY = 0x20


class Setting(IntEnum):
    """What a side may set (RFC 9113, 6.5.2, and RFC 8441)."""

    HEADER_TABLE_SIZE = 1
    ENABLE_PUSH = 2
    MAX_CONCURRENT_STREAMS = 3
    INITIAL_WINDOW_SIZE = 4
    MAX_FRAME_SIZE = 5
    MAX_HEADER_LIST_SIZE = 6
    ENABLE_CONNECT_PROTOCOL = 8


class ErrorCode(IntEnum):
    """Why a stream or the connection ends (RFC 9113, 7)."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    SETTINGS_TIMEOUT = 4
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    CONNECT_ERROR = 10
    ENHANCE_YOUR_CALM = 11
    INADEQUATE_SECURITY = 12
    HTTP_1_1_REQUIRED = 13


ON_CONNECTION: Final = frozenset({FrameType.SETTINGS, FrameType.PING, FrameType.GOAWAY})
"""Types whose stream is 0; WINDOW_UPDATE may have any, all others have one of their own."""

EVENTS: Final[Mapping[str, str]] = {
    "preface": "What a client sends first.",
    "settings": "What a side lets the other do, or that it has read the other's.",
    "ping": "A side asks whether the other is there, or answers.",
    "goaway": "A side takes no more streams, and why.",
    "window_update": "A side lets the other send more.",
    "window_full": "A side has sent as much of a stream, or of all, as the other side lets it.",
    "window_opened": "A side lets the other send again after that.",
    "priority": "How streams depend on each other; without meaning today.",
    "push_promise": "A server says which request it is about to answer.",
    "end_stream": "A side ends its half of a stream, without data.",
    "unknown": "A frame of an unknown type.",
}
"""Name of an event to its meaning."""
