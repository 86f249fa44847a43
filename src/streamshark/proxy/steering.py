"""Steering: which bytes of a connection are looked at, and by what.

Servers that advertise nodes do it in few frames. Only these are held until they are whole; all
other bytes pass as they came, cut by heads alone.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from struct import Struct
from typing import Final

from streamshark.decoding.decoder import Decoder
from streamshark.errors import StreamsharkError
from streamshark.framing.frame_names import FrameName, decoders_of
from streamshark.protocols.catalog import catalog, find
from streamshark.proxy.faults import Fault
from streamshark.proxy.hosts import Replace, with_replaced_hosts
from streamshark.proxy.link import CLIENT, SERVER, Command, Notice, PassThrough, Send, Steering

LARGEST: Final = 4 << 20
"""Most bytes of a frame that is held to be changed; larger ones pass."""
Faults = Callable[[], Sequence[Fault]]
"""Returns the faults of a proxy, which may change meanwhile."""
Starts = tuple[tuple[tuple[tuple[bytes, ...], str], ...], ...]
LONGEST_LINE: Final = 1 << 20
"""Most bytes of a line that is held; a longer one is not of the protocol."""


class Cutter(ABC):
    """Cuts what a server sends into frames, and changes some of them."""

    def __init__(self) -> None:
        self.is_foreign = False
        """Whether bytes were not of the protocol: all others pass, and need not be given."""
        self._held = b""
        self._skip = 0
        """Bytes of the current frame that pass and have not come."""

    @abstractmethod
    def feed(self, data: bytes) -> tuple[Sequence[bytes], str | None]:
        """Return the bytes that go on in the place of these, and a line for the user."""

    def rest(self) -> bytes:
        """Return the bytes that are held."""
        held, self._held = self._held, b""
        return held

    def _pass(self, data: bytes, start: int, at: int) -> bytes:
        """Return the bytes from `start` on, and hold those of a frame at `at` that is not whole.

        Where `at` is beyond the data, the rest of the frame is to pass when it comes.
        """
        if at < len(data):
            self._held, self._skip = data[at:], 0
            return data[start:at]
        self._skip = at - len(data)
        return data[start:] if start else data


class Rewriter:
    """Replaces the nodes in whole frames; a frame that cannot be changed passes, with a line.

    Args:
        decoder: The decoder of the frames.
        replace: Returns the address of the proxy for a node.
    """

    def __init__(self, decoder: Decoder, replace: Replace) -> None:
        self._decoder, self._replace = decoder, replace

    def __call__(self, data: bytes) -> tuple[bytes, str | None]:
        """Return a frame with replaced nodes, and a line if it could not be changed."""
        try:
            return with_replaced_hosts(self._decoder, data, self._replace), None
        except StreamsharkError as error:
            return data, f"{error}; the hosts in it pass unchanged"


class SizedFrames(Cutter):
    """Frames whose heads have their size: RabbitMQ Streams, the segment stores of Pravega.

    Args:
        head: The size and the key in a head.
        order: Place of the size, and of the key, in what `head` reads.
        more: Bytes of a frame that its size does not count.
        rewriters: Key to what changes the frames with it.
    """

    def __init__(
        self,
        head: Struct,
        order: tuple[int, int],
        more: int,
        rewriters: dict[int, Rewriter],
    ) -> None:
        super().__init__()
        self._head, (self._size, self._key), self._more = head, order, more
        self._rewriters = rewriters

    def feed(self, data: bytes) -> tuple[Sequence[bytes], str | None]:
        """Return the bytes that go on, and a line for the user."""
        if self._held:
            data, self._held = self._held + data, b""
        at, end, start = self._skip, len(data), 0
        read, size_at, key_at, more = self._head.unpack_from, self._size, self._key, self._more
        rewriters, last = self._rewriters, end - self._head.size
        out: list[bytes] = []
        notice = None
        while at <= last:
            found = read(data, at)
            total = found[size_at] + more
            if found[key_at] in rewriters and total <= LARGEST:
                if at + total > end:
                    break
                if at > start:
                    out.append(data[start:at])
                changed, line = rewriters[found[key_at]](data[at : at + total])
                out.append(changed)
                notice = notice or line
                start = at + total
            elif total < more:
                self.is_foreign = True
                at = end
                break
            at += total
        out.append(self._pass(data, start, at))
        return out, notice


class NatsLines(Cutter):
    """Lines of NATS, with the payloads that follow some of them; INFO is changed.

    Args:
        rewriter: What changes INFO.
    """

    def __init__(self, rewriter: Rewriter) -> None:
        super().__init__()
        self._rewriter = rewriter
        self._line, self._total = b"\n", 1
        """The last line with a payload, and the bytes of both: the next one is often the same."""

    def feed(self, data: bytes) -> tuple[Sequence[bytes], str | None]:
        """Return the bytes that go on, and a line for the user."""
        if self._held:
            data, self._held = self._held + data, b""
        at, end, start = self._skip, len(data), 0
        same, total, find, begins = self._line, self._total, data.find, data.startswith
        out: list[bytes] = []
        notice = None
        while at < end:
            if begins(same, at):
                at = _after_repetitions(data, at, same, total)
                continue
            line_end = find(b"\n", at) + 1
            if not line_end:
                break
            first = data[at] | 0x20
            if first in _SIZED:
                same = data[at:line_end]
                total = _total(same)
                at += total or end
                self.is_foreign = not total
            elif first == _INFO and data[at : at + 4].upper() == b"INFO":
                if at > start:
                    out.append(data[start:at])
                changed, line = self._rewriter(data[at:line_end])
                out.append(changed)
                notice = notice or line
                start = at = line_end
            else:
                self.is_foreign = first not in _VERBS
                at = end if self.is_foreign else line_end
        self._line, self._total = same, total
        if at < end and not self._is_line(data, at):
            self.is_foreign, at = True, end
        out.append(self._pass(data, start, at))
        return out, notice

    @staticmethod
    def _is_line(data: bytes, at: int) -> bool:
        """Return whether what is left may be the beginning of a line."""
        return len(data) - at <= LONGEST_LINE and data[at] | 0x20 in _VERBS


_SIZED: Final = frozenset(b"mh")
_INFO: Final = ord("i")
_VERBS: Final = frozenset(each | 0x20 for each in b"imhp+-\r\n")
"""First characters of the lines of a server: INFO, MSG, HMSG, PING, PONG, +OK, -ERR."""


_OFTEN: Final = 8
"""Repetitions of a line after which all others are looked for at once."""


def _after_repetitions(data: bytes, at: int, line: bytes, total: int) -> int:
    """Return where a line with its payload, of so many bytes together, is no longer repeated."""
    for _ in range(_OFTEN):
        if not data.startswith(line, at):
            return at
        at += total
    found = _repeated(line, total).match(data, at) if at < len(data) else None
    return found.end() if found else at


@lru_cache(maxsize=16)
def _repeated(line: bytes, total: int) -> "re.Pattern[bytes]":
    """Return what matches the repetitions of a line with its payload."""
    return re.compile(rb"(?s:%b.{%d})*+" % (re.escape(line), total - len(line)))


def _total(line: bytes) -> int:
    """Return the bytes of a line, of the payload that its last number announces, and of CRLF."""
    try:
        return len(line) + int(line.rsplit(None, 1)[1]) + 2
    except (ValueError, IndexError):
        return 0


class HostSteering(Steering):
    """Cuts what the server sends; what the client sends passes as it is."""

    def __init__(self, cutter: Cutter) -> None:
        self._cutter: Cutter | None = cutter

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        cutter = self._cutter
        if side == CLIENT or cutter is None:
            return (Send(1 - side, data),)
        parts, line = cutter.feed(data)
        if cutter.is_foreign:
            self._cutter = None
        joined = parts[0] if len(parts) == 1 else b"".join(parts)
        commands: list[Command] = [Send(CLIENT, joined)] if joined else []
        if line is not None:
            commands.append(Notice(line))
        return commands

    def end(self, side: int) -> Iterable[Command]:
        """Return the bytes that are held of the end of a frame that never came."""
        rest = b"" if side == CLIENT or self._cutter is None else self._cutter.rest()
        return (Send(CLIENT, rest),) if rest else ()


class Detecting(Steering):
    """Steering of a connection whose protocol its first bytes show.

    It holds no more than the bytes that may be the beginning of a known protocol.

    Args:
        make: Returns the steering of a protocol by its name; None if it is unknown.
        starts: The first bytes of protocols.
    """

    def __init__(self, make: Callable[[str | None], Steering], starts: Starts) -> None:
        self._make, self._starts = make, starts
        self._chosen: Steering | None = None
        self._held = [b"", b""]

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._chosen is not None:
            return self._chosen.feed(side, data)
        self._held[side] += data
        is_known, name = _detected(side, self._held[side], self._starts)
        if not is_known:
            return ()
        self._chosen = chosen = self._make(name)
        held, self._held = self._held, [b"", b""]
        return [
            command
            for each in (CLIENT, SERVER)
            if held[each]
            for command in chosen.feed(each, held[each])
        ]

    def end(self, side: int) -> Iterable[Command]:
        """Return the bytes that are held."""
        if self._chosen is not None:
            return self._chosen.end(side)
        held, self._held[side] = self._held[side], b""
        return (Send(1 - side, held),) if held else ()

    def may_end(self, side: int) -> bool:
        """Return whether the end of what a side sends may be passed on now."""
        return self._chosen is None or self._chosen.may_end(side)

    def woken(self, token: int) -> Iterable[Command]:
        """Take note that the time of a `Wake` is over."""
        return () if self._chosen is None else self._chosen.woken(token)


def _detected(token: int, data: bytes, starts: Starts) -> tuple[bool, str | None]:
    """Return whether first bytes suffice to know the protocol, and its name; None for another."""
    too_few = False
    for pattern, name in starts[token]:
        if all(each in allowed for each, allowed in zip(data, pattern, strict=False)):
            if len(data) >= len(pattern):
                return True, name
            too_few = True
    return not too_few, None


def _rabbitmq_stream(replace: Replace) -> Steering:
    names = {0x800F: "metadata", 0x8015: "open"}
    rewriters = {
        key: Rewriter(_decoder("rabbitmq_stream", name), replace) for key, name in names.items()
    }
    return HostSteering(SizedFrames(Struct(">IH"), (0, 1), 4, rewriters))


def _segment_store(replace: Replace) -> Steering:
    rewriters = {50: Rewriter(_decoder("pravega", "wrong_host"), replace)}
    return HostSteering(SizedFrames(Struct(">ii"), (1, 0), 8, rewriters))


def _nats(replace: Replace) -> Steering:
    return HostSteering(NatsLines(Rewriter(_decoder("nats", "info"), replace)))


HOSTS: Final[dict[str | None, Callable[[Replace], Steering]]] = {
    "rabbitmq_stream": _rabbitmq_stream,
    "pravega": _segment_store,
    "nats": _nats,
}
"""Protocol to the steering that changes the hosts in its frames."""
HTTP2: Final = "http2"
WEBSOCKET: Final = "websocket"


def prepare() -> None:
    """Load what changes frames, so that the first one does not wait for it."""
    for protocol, command in (("rabbitmq_stream", "metadata"), ("rabbitmq_stream", "open")):
        _decoder(protocol, command).read(b"")
    _decoder("pravega", "wrong_host").read(b"")
    Rewriter(_decoder("nats", "info"), lambda host, port: (host, port))(b'INFO {"port":1}\r\n')


@cache
def _decoder(protocol: str, command: str) -> Decoder:
    """Return the decoder of a frame that a server sends."""
    wire = find(protocol, catalog()).wire
    found = decoders_of(wire, FrameName(command))
    return next(each for each in found if each.schema.sender.value != "client")


_ANY: Final = bytes(range(256))


def _word(text: bytes) -> tuple[bytes, ...]:
    """Return the pattern of a word in upper or lower case."""
    return tuple(bytes({each, *bytes([each]).lower()}) for each in text)


_ADVERTISING: Final[Starts] = (
    (
        (tuple(b"\xff\xff\xff\x81\0"[at : at + 1] for at in range(5)), "pravega"),  # HELLO
        (_word(b"PRI * HTTP/2.0"), HTTP2),
        (_word(b"GET "), WEBSOCKET),
    ),
    (
        ((*_word(b"INFO"), b" \t"), "nats"),
        ((b"\0", _ANY, _ANY, b"\x04", *[b"\0"] * 5), HTTP2),  # SETTINGS
    ),
)
"""First bytes of clients, and of servers, of protocols that advertise nodes.

Each is what bytes are possible at each place, and the name of the protocol.
"""
_SETUP: Final = bytes([*range(4, 8), *range(0x34, 0x38)])
"""First byte of the type and flags of SETUP and RESUME."""
_ALL: Final[Starts] = (
    (
        *_ADVERTISING[CLIENT],
        ((b"\0", _ANY, _ANY, _ANY, b"\0", b"\x11", b"\0", b"\x01"), "rabbitmq_stream"),
        ((b"\0", _ANY, _ANY, *[b"\0"] * 4, _SETUP, _ANY, b"\0", b"\0\x01"), "rsocket"),
    ),
    _ADVERTISING[SERVER],
)
"""The same of all protocols."""


def steering_for(
    protocol: str | None, replace: Replace | None, faults: Faults | None = None
) -> Steering:
    """Return the steering of a connection to a server.

    Args:
        protocol: Its protocol; None if it is unknown.
        replace: Returns the address of the proxy for a node; None if hosts pass as they are.
        faults: Returns the faults that are done; None if there are never any.
    """

    def make(name: str | None) -> Steering:
        if name == HTTP2:
            return _calls(replace, faults)
        if name == WEBSOCKET:
            return _web_socket(replace, faults)
        steering = HOSTS[name](replace) if replace and name in HOSTS else PassThrough()
        return steering if faults is None else _with_faults(steering, name, faults)

    if faults is None and (replace is None or protocol == "rsocket"):
        return PassThrough()
    if protocol == "rabbitmq_stream":
        return make(protocol)
    return Detecting(make, _ADVERTISING if faults is None else _ALL)


def _with_faults(steering: Steering, name: str | None, faults: Faults) -> Steering:
    """Return the steering of a connection whose frames may be given faults."""
    from streamshark.proxy.fault_steering import FaultSteering  # noqa: PLC0415 - with faults alone

    if name is None:
        return steering
    return FaultSteering(steering, find(name, catalog()).wire.table(), faults)


def _calls(replace: Replace | None, faults: Faults | None) -> Steering:
    from streamshark.proxy.http2 import Calls  # noqa: PLC0415 - few connections have it

    return Calls(replace, faults)


def _web_socket(replace: Replace | None, faults: Faults | None) -> Steering:
    from streamshark.proxy.websocket import WebSocketMessages  # noqa: PLC0415 - few have it

    def make(name: str) -> Steering:
        steering = HOSTS[name](replace) if replace and name in HOSTS else PassThrough()
        return steering if faults is None else _with_faults(steering, name, faults)

    return WebSocketMessages(make, has_faults=faults is not None)
