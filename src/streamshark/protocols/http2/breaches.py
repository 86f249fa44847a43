"""What RFC 9113 forbids in frames that are read well: problems of theirs.

What only a whole connection can show is asked of what both sides share, and only where it is known.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from streamshark.framing.splitter import RawFrame
from streamshark.protocols.http2.codes import ErrorCode, Flag, FrameType, Setting
from streamshark.protocols.http2.framing import SMALLEST
from streamshark.schema import Problem, ProblemCode

SMALLEST_LIMIT: Final = 1 << 14
LARGEST_LIMIT: Final = (1 << 24) - 1
LARGEST_WINDOW: Final = (1 << 31) - 1
SIZES: Final = {
    FrameType.PRIORITY: 5, FrameType.RST_STREAM: 4, FrameType.PING: 8, FrameType.WINDOW_UPDATE: 4,
}  # fmt: skip
"""Bytes of the payload of types that all have as many."""
PADDABLE: Final = frozenset({FrameType.DATA, FrameType.HEADERS, FrameType.PUSH_PROMISE})
Values = Mapping[str, Any]


class Known(NamedTuple):
    """What is known of the side that sends a frame."""

    is_client: bool | None
    """None while nothing proves it."""
    refuses_push: bool
    """Whether the client has set ENABLE_PUSH to 0, and the server has read it."""


def breaches(cut: RawFrame, values: Values, known: Known) -> tuple[Problem, ...]:
    """Return the problems of a frame that breaks a rule of HTTP/2."""
    kind = FrameType(values["type"])
    messages = [*_stream(kind, values["stream_id"]), *_CHECKS.get(kind, _nothing)(values, known)]
    return tuple(Problem(ProblemCode.CARRIER, -1, 0, len(cut.data), each) for each in messages)


def unread(data: bytes) -> str:
    """Why a frame of a known type cannot be read."""
    kind, size = FrameType(data[3]), len(data) - SMALLEST
    if kind in SIZES and size != SIZES[kind]:
        rule = f"it has {SIZES[kind]}"
    elif kind == FrameType.SETTINGS:
        rule = "it has a multiple of 6"
    elif data[4] & Flag.PADDED and kind in PADDABLE:
        rule = "less than its padding"
    else:
        rule = "less than it takes"
    return f"{kind.name} with a payload of {size} bytes; {rule} (RFC 9113, 6.{kind + 1})"


def _stream(kind: FrameType, stream: int) -> Iterator[str]:
    """Frames of the connection on a stream, and of a stream on none."""
    name = kind.name
    if kind in (FrameType.SETTINGS, FrameType.PING, FrameType.GOAWAY):
        if stream:
            yield f"{name} on stream {stream}; it is of the connection (RFC 9113, 6.{kind + 1})"
    elif kind != FrameType.WINDOW_UPDATE and not stream:
        yield f"{name} on stream 0; it is of one stream (RFC 9113, 6.{kind + 1})"


def _settings(values: Values, known: Known) -> Iterator[str]:
    settings = values["settings"]
    if values["flags"] & Flag.ACK and settings:
        yield (
            f"SETTINGS with ACK and a payload of {6 * len(settings)} bytes;"
            f" {ErrorCode.FRAME_SIZE_ERROR.name} (RFC 9113, 6.5)"
        )
    for each in settings:
        value = each["value"]
        match each["identifier"]:
            case Setting.ENABLE_PUSH if value > 1:
                yield f"ENABLE_PUSH is {value}; it is 0 or 1 (RFC 9113, 6.5.2)"
            case Setting.ENABLE_PUSH if value and known.is_client is False:
                yield "ENABLE_PUSH of a server is 1; only a client may set it (RFC 9113, 6.5.2)"
            case Setting.INITIAL_WINDOW_SIZE if value > LARGEST_WINDOW:
                yield (
                    f"INITIAL_WINDOW_SIZE is {value}; at most {LARGEST_WINDOW} is allowed"
                    " (RFC 9113, 6.5.2)"
                )
            case Setting.MAX_FRAME_SIZE if not SMALLEST_LIMIT <= value <= LARGEST_LIMIT:
                yield (
                    f"MAX_FRAME_SIZE is {value}; {SMALLEST_LIMIT} to {LARGEST_LIMIT} are allowed"
                    " (RFC 9113, 6.5.2)"
                )


def _window(values: Values, _known: Known) -> Iterator[str]:
    if not values["window_size_increment"]:
        yield "WINDOW_UPDATE of 0; 1 is the least (RFC 9113, 6.9)"


def _promise(values: Values, known: Known) -> Iterator[str]:
    stream, promised = values["stream_id"], values["promised_stream_id"]
    if known.is_client:
        yield "PUSH_PROMISE of a client; only a server may push (RFC 9113, 8.4)"
    elif known.refuses_push:
        yield "PUSH_PROMISE although the client has set ENABLE_PUSH to 0 (RFC 9113, 6.6)"
    if stream and not stream % 2:
        yield f"PUSH_PROMISE on stream {stream}, which no client opens (RFC 9113, 6.6)"
    if not promised or promised % 2:
        yield f"PUSH_PROMISE of stream {promised}; servers open even ones (RFC 9113, 5.1.1)"


def _priority(values: Values, _known: Known) -> Iterator[str]:
    if values["stream_dependency"] == values["stream_id"] != 0:
        yield f"PRIORITY makes stream {values['stream_id']} depend on itself (RFC 7540, 5.3.1)"


def _nothing(_values: Values, _known: Known) -> Iterator[str]:
    yield from ()


_CHECKS: Final[dict[FrameType, Callable[[Values, Known], Iterator[str]]]] = {
    FrameType.SETTINGS: _settings,
    FrameType.WINDOW_UPDATE: _window,
    FrameType.PUSH_PROMISE: _promise,
    FrameType.PRIORITY: _priority,
}
