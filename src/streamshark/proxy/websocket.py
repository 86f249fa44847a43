"""WebSocket: the messages inside are steered as the stream of their protocol; others pass.

RSocket has one frame in a message, without its length; NATS has any bytes of its stream. A message
that is not changed passes as it came, with its mask and its fragments. If there may be faults, the
offer to compress messages is taken out of the client's request, since what is inside could not be
read; else only the server's messages of NATS are read. Spec: RFC 6455, sections 4 and 5.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.framing import MASK
from streamshark.protocols.websocket.head import FIN, FrameHead, read_head, write_frame
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Command,
    Notice,
    Pause,
    Resume,
    Send,
    Steering,
)

LONGEST_HEAD: Final = 1 << 16
"""Most bytes of the request and of the response with which a connection begins."""
LARGEST: Final = 4 << 20
"""Most bytes of a message that is steered; connections with larger ones pass from there on."""
_END: Final = b"\r\n\r\n"
_OFFER: Final = re.compile(rb"\r\nsec-websocket-extensions:[^\r]*(?=\r\n)", re.IGNORECASE)
_ACCEPTED: Final = re.compile(rb"HTTP/1\.1 101 ")
_OPCODE, _CONTROL, _BINARY = 0x0F, 0x08, 2
_LENGTH: Final = 3
"""Bytes of the length of an RSocket frame on TCP."""


class _MessageSide:
    """What is held of the bytes of one side."""

    def __init__(self) -> None:
        self.held = b""
        self.at = 0
        """Where the next frame begins in what is held."""
        self.is_open = False
        """Whether its request or response was read."""
        self.raw: list[bytes] = []
        """The frames of a message that is not complete, as they came."""
        self.parts: list[bytes] = []
        """Their payloads."""
        self.size = 0
        """Bytes of these frames."""
        self.opcode = _BINARY
        """Of that message."""
        self.waits = False
        """Whether the inner steering holds back what follows."""

    def rest(self) -> bytes:
        """Return all bytes that are held, which are no longer held."""
        rest = b"".join([*self.raw, self.held[self.at :]])
        self.held, self.at, self.raw, self.parts = b"", 0, [], []
        return rest


class WebSocketMessages(Steering):
    """Steering of one connection of WebSocket.

    Args:
        make: Returns the steering of the protocol of a name.
        has_faults: Whether there may be faults; else only the hosts of servers are changed.
    """

    def __init__(self, make: Callable[[str], Steering], *, has_faults: bool = True) -> None:
        self._make, self._has_faults = make, has_faults
        self._inner: Steering | None = None
        self._has_lengths = False
        """Whether frames get their length for the inner steering."""
        self._sides = (_MessageSide(), _MessageSide())
        self._is_foreign = False

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._is_foreign:
            return (Send(1 - side, data),)
        self._sides[side].held += data
        return self._work(side)

    def end(self, side: int) -> Iterable[Command]:
        """Return what is held of a side."""
        inner = () if self._inner is None else self._inner.end(side)
        rest = self._sides[side].rest()
        return [*self._wrapped(inner), *((Send(1 - side, rest),) if rest else ())]

    def may_end(self, side: int) -> bool:
        """Return whether the end of what a side sends may be passed on now."""
        return self._inner is None or self._inner.may_end(side)

    def woken(self, token: int) -> Iterable[Command]:
        """Take note that the time of a `Wake` is over."""
        if self._inner is None:
            return ()
        return [*self._wrapped(self._inner.woken(token)), *self._work(token & 1)]

    def _work(self, side: int) -> Iterable[Command]:
        """Read what is held of a side."""
        state, commands = self._sides[side], list[Command]()
        if not state.is_open and not self._is_foreign:
            commands += self._opened(side)
        while state.is_open and not (self._is_foreign or state.waits):
            head = read_head(state.held, state.at)
            size = head if isinstance(head, int) else head.size + head.length
            if size > LARGEST:
                commands += self._leave(f"a message of {size:,} bytes is too large")
            elif isinstance(head, int) or len(state.held) - state.at < size:
                break
            else:
                commands += self._frame(side, head)
        state.held, state.at = state.held[state.at :], 0
        if self._is_foreign:
            for each in (CLIENT, SERVER):
                commands += self.end(each)
        return commands

    def _opened(self, side: int) -> Iterable[Command]:
        """Pass the request or the response with which the connection begins."""
        state = self._sides[side]
        end = state.held.find(_END) + len(_END)
        if end < len(_END):
            self._is_foreign = len(state.held) > LONGEST_HEAD
            return ()
        head, state.held = state.held[:end], state.held[end:]
        state.is_open = True
        if side == CLIENT:
            return (Send(SERVER, _OFFER.sub(b"", head) if self._has_faults else head),)
        if not _ACCEPTED.match(head):
            self._is_foreign = True
        elif _OFFER.search(head):
            return (Send(CLIENT, head), *self._leave("the server has chosen an extension"))
        return (Send(CLIENT, head),)

    def _leave(self, reason: str) -> Iterable[Command]:
        """Steer no more."""
        self._is_foreign = True
        what = "without faults" if self._has_faults else "with the hosts in them"
        return (Notice(f"WebSocket: {reason}; messages pass {what} from here on"),)

    def _frame(self, side: int, head: FrameHead) -> Iterable[Command]:
        """Take a frame; those of a message are held until it is complete."""
        state = self._sides[side]
        size = head.size + head.length
        raw = state.held[state.at : state.at + size]
        state.at += size
        first, payload = raw[0], raw[head.size :]
        if first & _CONTROL or (side == CLIENT and not self._reads_client):
            return (Send(1 - side, raw),)
        state.raw.append(raw)
        state.parts.append(unmask(payload, head.mask) if head.mask else payload)
        state.opcode = first & _OPCODE or state.opcode
        state.size += size
        if not first & FIN:
            return self._leave("a message is too large") if state.size > LARGEST else ()
        whole, payload = b"".join(state.raw), b"".join(state.parts)
        state.raw, state.parts, state.size = [], [], 0
        return self._message(side, whole, payload)

    @property
    def _reads_client(self) -> bool:
        """Whether messages of the client are read: without faults the first one alone."""
        return self._has_faults or self._inner is None

    def _message(self, side: int, raw: bytes, payload: bytes) -> Iterable[Command]:
        """Return what goes on in the place of a message."""
        if self._inner is None:
            is_nats = side == SERVER and payload[:4].upper() == b"INFO"
            if not (is_nats or self._has_faults):
                self._is_foreign = True
                yield Send(1 - side, raw)
                return
            self._has_lengths = not is_nats
            self._inner = self._make("nats" if is_nats else "rsocket")
        given = len(payload).to_bytes(_LENGTH) + payload if self._has_lengths else payload
        passed = Send(1 - side, given)
        for each in self._inner.feed(side, given):
            if each == passed:
                yield Send(1 - side, raw)
            else:
                yield from self._wrapped((each,))

    def _wrapped(self, commands: Iterable[Command]) -> Iterator[Command]:
        """Return commands with the bytes of the protocol in messages."""
        for each in commands:
            if isinstance(each, Send):
                opcode = self._sides[1 - each.side].opcode
                for message in self._messages(each.data):
                    mask = secrets.token_bytes(MASK) if each.side == SERVER else b""
                    yield Send(each.side, write_frame(opcode, message, mask))
                continue
            if isinstance(each, Pause | Resume):
                self._sides[each.side].waits = isinstance(each, Pause)
            yield each

    def _messages(self, data: bytes) -> Iterator[bytes]:
        """Return the messages for bytes of the protocol."""
        if not self._has_lengths:
            yield data
            return
        at = 0
        while at < len(data):
            end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH])
            yield data[at + _LENGTH : end]
            at = end
