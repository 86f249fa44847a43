"""Numbers with names: opcodes and close codes; the names of events."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

ID: Final = "websocket"


class Opcode(IntEnum):
    """What a frame is (RFC 6455, 11.8)."""

    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


CONTROL: Final = 8
"""Opcodes from here on are those of control frames, which may be inside a message."""


class CloseCode(IntEnum):
    """Why a connection is closed (RFC 6455, 7.4.1, and IANA's registry)."""

    NORMAL_CLOSURE = 1000
    GOING_AWAY = 1001
    PROTOCOL_ERROR = 1002
    UNSUPPORTED_DATA = 1003
    INVALID_PAYLOAD = 1007
    POLICY_VIOLATION = 1008
    MESSAGE_TOO_BIG = 1009
    MANDATORY_EXTENSION = 1010
    INTERNAL_ERROR = 1011
    SERVICE_RESTART = 1012
    TRY_AGAIN_LATER = 1013
    BAD_GATEWAY = 1014


LIBRARIES: Final = range(3000, 4000)
"""Close codes that libraries register (RFC 6455, 7.4.2)."""
APPLICATIONS: Final = range(4000, 5000)
"""Close codes that mean what an application says."""

EVENTS: Final[Mapping[str, str]] = {
    "upgrade": "A client asks to upgrade from HTTP to WebSocket.",
    "upgraded": "The server agrees (101); what follows is WebSocket.",
    "refused": "The server does not agree: the answer has another status.",
    "ping": "A side asks whether the other is there.",
    "pong": "The answer to a ping, or unasked.",
    "close": "A side says that it sends no more, and why.",
}
"""Name of an event to its meaning."""
