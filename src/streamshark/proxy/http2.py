"""gRPC inside HTTP/2: messages are changed, faults are done to them, windows stay in balance.

Header blocks pass as they are and are decoded beside it. The DATA of streams whose messages are
tested is acknowledged to its sender here, and its flow control with the receiver is the proxy's
own: what the receiver gives back for it on the connection is kept (`swallow`), since the sender has
had it. DATA that does not fit the windows of the receiver waits. Without faults, only responses
that name nodes are tested; with faults, all messages of calls are.

A header block that waits, or that is dropped, would change what later ones refer to. From then on
blocks in its direction are written again, so that they refer to nothing. Spec: RFC 9113, sections
5.2 and 6; RFC 7541, section 6.2.2.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hpack import Decoder, HPACKError

from streamshark.errors import StreamsharkError
from streamshark.protocols.http2.codes import PREFACE
from streamshark.proxy.call_faults import CallFaults, CallMessage, changed_message, error_headers
from streamshark.proxy.faults import Fault, FaultUse
from streamshark.proxy.hosts import Replace
from streamshark.proxy.http2_frames import (
    ACK,
    DATA,
    DEFAULT_FRAME,
    END_HEADERS,
    END_STREAM,
    HEAD,
    HEAD_SIZE,
    HEADERS,
    LONGEST_BLOCK,
    PADDED,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    block_end,
    block_of,
    frame,
    literal_block,
    payload_of,
    settings_of,
    written_block,
)
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Close,
    Command,
    End,
    Notice,
    Remark,
    Send,
    Steering,
    Wake,
)
from streamshark.proxy.protobuf_nodes import METHODS, NodeFields, with_replaced_nodes

LARGEST_MESSAGE: Final = 4 << 20
"""Most bytes of a message that is changed, packed or not; larger ones pass."""
MOST_QUEUED: Final = 4 << 20
"""Bytes of a stream that may wait for a side before the other one gets no more window."""
MOST_HELD: Final = 64 << 20
"""Bytes of all streams that may wait for a side; connections with more pass from there on."""
MOST_STREAMS: Final = 100_000
"""Most streams of a connection at once."""
MOST_OVER: Final = 1000
"""Streams that a fault has ended and that are remembered; the oldest are forgotten."""
LOOK: Final = 0.1
"""Seconds between two looks whether a fault that stalls was cleared."""

_TABLE_SIZE, _INITIAL_WINDOW, _MAX_FRAME = 1, 4, 5
_DEFAULT_WINDOW: Final = 65_535
_STREAM_ID: Final = 0x7FFFFFFF
_PREFIX: Final = 5
"""Bytes before each message of gRPC: whether it is packed, and its size."""
_PACKED: Final = 1
_INTERNAL_ERROR, _NO_ERROR, _CANCEL = 2, 0, 8
_GZIP: Final = 31
"""The `wbits` of gzip."""
_Handler = Callable[[int, int, int, bytes], bool]
_Waiting = tuple[bytes | Fault, bool, bool]
"""What waits: bytes of DATA, whole frames, or the fault that holds back what is after it; whether
it is DATA, and whether it is the last of its stream."""


class _Call:
    """A stream: the call on it."""

    __slots__ = ("content_type", "has_answer", "is_over", "number", "path")

    def __init__(self, number: int, path: str = "", content_type: str = "") -> None:
        self.number, self.path, self.content_type = number, path, content_type
        self.has_answer = False
        """Whether the client has, or will have, headers of a response."""
        self.is_over = False
        """Whether a fault has ended it."""


class _Half:
    """What one side sends on a stream."""

    __slots__ = (
        *("buffer", "call", "encoding", "fields", "is_own", "is_waiting", "number", "owed"),
        *("queue", "queued", "window"),
    )

    def __init__(
        self, call: _Call, window: int, *, is_own: bool = False, fields: NodeFields | None = None
    ) -> None:
        self.call, self.number = call, call.number
        self.window = window
        """Bytes of DATA that the other side takes."""
        self.is_own = is_own
        """Whether its flow control ends here, since its messages are tested."""
        self.fields = fields
        """Where messages name nodes; None if they do not."""
        self.encoding = "identity"
        self.buffer: bytearray | None = bytearray() if is_own else None
        """The beginning of a message; None if messages are not tested (any more)."""
        self.queue: list[_Waiting] = []
        self.queued = 0
        """Bytes of DATA in the queue."""
        self.owed = 0
        """Bytes for which the sender gets window once the queue is shorter."""
        self.is_waiting = False
        """Whether the time of the fault at the head of the queue runs."""


class _Receiver:
    """What one side takes of the other."""

    __slots__ = ("held", "initial", "largest", "most", "swallow", "waiting", "window")

    def __init__(self) -> None:
        self.window = self.initial = _DEFAULT_WINDOW
        """Bytes of DATA on the connection; on a new stream."""
        self.largest = self.most = DEFAULT_FRAME
        """Largest payload of a frame now, and ever."""
        self.swallow = 0
        """Bytes that it will give back and that the sender has had already."""
        self.held = 0
        """Bytes of DATA that wait for it, or for the rest of their message."""
        self.waiting: dict[int, _Half] = {}
        """Halves with a queue for it."""


class Calls(Steering):
    """Steering of one connection of HTTP/2.

    Args:
        replace: Returns the address of the proxy for a node; None if hosts pass as they are.
        faults: Returns the faults that are done; None if there are never any.
    """

    def __init__(
        self,
        replace: Replace | None,
        faults: Callable[[], Sequence[Fault]] | None = None,
    ) -> None:
        self._replace = replace
        self._faults = None if faults is None else CallFaults(faults)
        self._held = [b"", b""]
        self._preface = len(PREFACE)
        """Bytes of the client's preface that have not come."""
        self._is_foreign = False
        self._is_over = False
        self._decoders = (Decoder(LONGEST_BLOCK), Decoder(LONGEST_BLOCK))
        """Of the header blocks that each side sends."""
        self._writes_blocks = [False, False]
        """Whether the header blocks of each side are written again."""
        self._halves: tuple[dict[int, _Half], dict[int, _Half]] = ({}, {})
        """Of each sender, by the number of the stream."""
        self._receivers = (_Receiver(), _Receiver())
        self._ended_calls: dict[int, None] = {}
        """Numbers of streams that a fault has ended, the oldest first."""
        self._out: tuple[list[bytes], list[bytes]] = ([], [])
        """Bytes for the client, and for the server."""
        self._before: list[Command] = []
        self._after: list[Command] = []
        """Commands before and after those that send bytes."""
        self._ready: list[bytes] = []
        """Messages of the DATA in hand that go on."""
        ours: dict[int, _Handler] = {
            DATA: self._data,
            HEADERS: self._headers,
            RST_STREAM: self._reset,
            SETTINGS: self._settings,
        }
        theirs = {**ours, PUSH_PROMISE: self._promise}
        ours[WINDOW_UPDATE] = self._given
        if faults is None:
            del ours[DATA]  # requests pass
        else:
            theirs[WINDOW_UPDATE] = self._given
        self._handlers = (ours, theirs)

    @property
    def balance(self) -> int:
        """Bytes that the client has not given back yet of what the server had from the proxy."""
        return self._receivers[CLIENT].swallow

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._is_over:
            return ()
        if self._is_foreign:
            return (Send(1 - side, data),)
        self._held[side], data = b"", self._held[side] + data
        try:
            self._take(side, data)
        except (HPACKError, StreamsharkError, ValueError, IndexError) as error:
            self._is_foreign = True
            self._notice(f"HTTP/2 is malformed ({error}); hosts pass unchanged from here")
            for each in (SERVER, CLIENT):
                self._release(each)
        return self._commands()

    def end(self, side: int) -> Iterable[Command]:
        """Return the bytes that are held."""
        if not (self._is_foreign or self._is_over):
            self._release(side)
        return self._commands()

    def may_end(self, side: int) -> bool:
        """Return whether no fault holds back what is before the end."""
        waiting = self._receivers[1 - side].waiting.values()
        return self._is_over or not any(each.is_waiting for each in waiting)

    def woken(self, token: int) -> Iterable[Command]:
        """Go on with a half of a stream after a delay, or if a fault that stalls was cleared.

        Args:
            token: The number of the stream, times two, plus the sender.
        """
        side = token & 1
        half = self._halves[side].get(token >> 1)
        if half is None or not half.queue or self._is_over:
            return ()
        fault = half.queue[0][0]
        if isinstance(fault, Fault):
            half.is_waiting = False
            if fault.action.name != "stall" or fault.is_cleared:
                half.queue.pop(0)
            self._drain(side, half)
        return self._commands()

    def _notice(self, text: str) -> None:
        self._after.append(Notice(text))

    def _commands(self) -> list[Command]:
        out, self._out = self._out, ([], [])
        before, self._before = self._before, []
        after, self._after = self._after, []
        sends: list[Command] = [
            Send(side, parts[0] if len(parts) == 1 else b"".join(parts))
            for side, parts in enumerate(out)
            if parts
        ]
        return [*before, *sends, *after]

    def _release(self, side: int) -> None:
        """Pass on what is held of a side, whatever the windows are: there is nothing after it."""
        receiver = self._receivers[1 - side]
        for half in self._halves[side].values():
            if held := self._unbuffered(side, half):
                half.queue.append((held, True, False))
                receiver.waiting[half.number] = half
        for half in list(receiver.waiting.values()):
            half.window = receiver.window = 1 << 62
            half.queue = [each for each in half.queue if not isinstance(each[0], Fault)]
            self._drain(side, half)
        if held := self._held[side]:
            self._out[1 - side].append(held)
            self._held[side] = b""

    def _take(self, side: int, data: bytes) -> None:  # noqa: C901 - a call for each frame costs more
        """Pass frames on in runs, and handle those that matter."""
        at = start = 0
        if side == CLIENT and self._preface:
            at = min(self._preface, len(data))
            self._preface -= at
        end, out, handlers = len(data), self._out[1 - side], self._handlers[side]
        halves, receiver, unpack = self._halves[side], self._receivers[1 - side], HEAD.unpack_from
        self._held[side] = data
        while end - at >= HEAD_SIZE:
            high, low, kind, flags, number = unpack(data, at)
            size = high << 8 | low
            total = HEAD_SIZE + size
            if at + total > end:
                self._check_size(side, size)
                break
            handler = handlers.get(kind)
            if handler is None:
                at += total
                continue
            if not kind:  # DATA: most of all frames
                half = halves.get(number)
                if (
                    half is not None
                    and not half.is_own
                    and not half.queue
                    and not flags & END_STREAM
                    and size <= half.window
                    and size <= receiver.window
                ):
                    half.window -= size
                    receiver.window -= size
                    at += total
                    continue
            elif kind in (HEADERS, PUSH_PROMISE):
                total = block_end(data, at) - at
                if total <= 0:
                    break
            if at > start:
                out.append(data[start:at])
                self._held[side] = data[at:]
            start = at
            at += total
            if not handler(side, flags, number & _STREAM_ID, data[start:at]):
                start = at
                self._held[side] = data[at:]
            if self._is_over:
                self._held[side] = b""
                return
        if at > start:
            out.append(data[start:at])
        self._held[side] = data[at:]

    def _check_size(self, side: int, size: int) -> None:
        """Raise `StreamsharkError` for a frame that is larger than the other side ever allowed."""
        if size > self._receivers[1 - side].most:
            raise StreamsharkError(f"a frame of {size:,} bytes")

    # Frames; each method returns whether the frame passes as it is

    def _headers(self, side: int, flags: int, number: int, unit: bytes) -> bool:
        headers = self._decoders[side].decode(block_of(unit), raw=True)
        is_last = bool(flags & END_STREAM)
        half = self._halves[side].get(number)
        if number in self._ended_calls:
            self._writes_blocks[side] = True
            return False
        if half is None and side == CLIENT:
            half = self._begun(number, dict(headers))
        if half is not None:
            self._learn(half, side, dict(headers), is_last=is_last)
            if half.queue:
                self._writes_blocks[side] = True
        if self._writes_blocks[side]:
            unit = written_block(headers, number, is_last=is_last)
        if half is not None and half.queue:
            self._queue(side, half, unit, is_data=False, is_last=is_last)
            return False
        if half is not None and is_last:
            self._ended(side, half)
        if self._writes_blocks[side]:
            self._out[1 - side].append(unit)
        return not self._writes_blocks[side]

    def _begun(self, number: int, headers: dict[bytes, bytes]) -> _Half:
        """Begin a call; return the half of the client."""
        if len(self._halves[SERVER]) >= MOST_STREAMS:
            raise StreamsharkError("too many streams")
        path, content_type = (headers.get(each, b"") for each in (b":path", b"content-type"))
        call = _Call(number, bytes(path).decode("latin-1"), bytes(content_type).decode("latin-1"))
        is_tested = self._faults is not None and content_type.startswith(b"application/grpc")
        fields = None if self._replace is None else METHODS.get(bytes(path))
        answers = _Half(
            call,
            self._receivers[CLIENT].initial,
            is_own=is_tested or fields is not None,
            fields=fields,
        )
        self._halves[SERVER][number] = answers
        asks = _Half(call, self._receivers[SERVER].initial, is_own=is_tested)
        if self._faults is not None:
            self._halves[CLIENT][number] = asks
        return asks

    def _learn(self, half: _Half, side: int, headers: dict[bytes, bytes], *, is_last: bool) -> None:
        """Take note of what headers say of the messages after them."""
        if encoding := headers.get(b"grpc-encoding"):
            half.encoding = bytes(encoding).decode("latin-1")
        if side == CLIENT:
            return
        half.call.has_answer = True
        if b"content-length" in headers and half.buffer is not None:
            self._leave(side, half, "a response with content-length")
        if is_last and half.buffer:
            self._leave(side, half, "a response that ends inside a message")

    def _promise(self, side: int, _flags: int, number: int, unit: bytes) -> bool:
        headers = self._decoders[side].decode(block_of(unit), raw=True)
        at = HEAD_SIZE + bool(unit[4] & PADDED)
        promised = int.from_bytes(unit[at : at + 4]) & _STREAM_ID
        self._halves[side][promised] = _Half(_Call(promised), self._receivers[CLIENT].initial)
        if not self._writes_blocks[side]:
            return True
        content = promised.to_bytes(4) + literal_block(headers)
        self._out[1 - side].append(frame(PUSH_PROMISE, END_HEADERS, number, content))
        return False

    def _reset(self, _side: int, _flags: int, number: int, _frame: bytes) -> bool:
        if number in self._ended_calls:
            return False
        self._drop(number)
        return True

    def _settings(self, side: int, flags: int, _number: int, settings: bytes) -> bool:
        if flags & ACK:
            return True
        receiver = self._receivers[side]
        for name, value in settings_of(settings):
            if name == _TABLE_SIZE:
                self._decoders[1 - side].max_allowed_table_size = value
            elif name == _MAX_FRAME:
                receiver.largest = value
                receiver.most = max(receiver.most, value)
            elif name == _INITIAL_WINDOW:
                for each in self._halves[1 - side].values():
                    each.window += value - receiver.initial
                receiver.initial = value
        self._drain_all(1 - side)
        return True

    def _given(self, side: int, _flags: int, number: int, update: bytes) -> bool:
        """Take WINDOW_UPDATE."""
        size = int.from_bytes(update[HEAD_SIZE : HEAD_SIZE + 4]) & _STREAM_ID
        receiver, passes = self._receivers[side], number not in self._ended_calls
        if number:
            half = self._halves[1 - side].get(number)
            if half is not None:
                half.window += size
                passes = not half.is_own
        else:
            receiver.window += size
            kept = min(size, receiver.swallow)
            receiver.swallow -= kept
            passes = not kept
            if 0 < kept < size:
                self._give_window(1 - side, 0, size - kept)
        self._drain_all(1 - side)
        return passes

    def _data(self, side: int, flags: int, number: int, data: bytes) -> bool:
        """Take DATA that does not simply pass."""
        half, size = self._halves[side].get(number), len(data) - HEAD_SIZE
        if self._receivers[1 - side].held > MOST_HELD:
            raise StreamsharkError(f"more than {MOST_HELD:,} bytes wait")
        if half is None or half.call.is_over:  # it was reset, and the receiver has no window for it
            self._give_window(side, 0, size)
            return False
        is_last = bool(flags & END_STREAM)
        if not half.is_own:
            receiver = self._receivers[1 - side]
            if not half.queue and size <= min(half.window, receiver.window):
                half.window -= size
                receiver.window -= size
                if is_last:
                    self._ended(side, half)
                return True
            content = payload_of(flags, data)
            if padding := size - len(content):
                self._give_window(side, 0, padding)
                self._give_window(side, number, padding)
            self._queue(side, half, content, is_data=True, is_last=is_last)
            return False
        content = payload_of(flags, data)
        self._credit(side, half, size)
        self._test(side, half, content)
        if half.call.is_over:
            self._ready = []
            return False
        if is_last and half.buffer:
            self._ready.append(self._unbuffered(side, half))
        self._queue_ready(side, half, is_last=is_last)
        return False

    # Messages

    def _test(self, side: int, half: _Half, content: bytes) -> None:
        """Make ready what goes on: whole messages, with replaced nodes, and with faults."""
        buffer = half.buffer
        if buffer is None:
            self._ready.append(content)
            return
        buffer += content
        self._receivers[1 - side].held += len(content)
        at = 0
        while len(buffer) - at >= _PREFIX and not half.call.is_over:
            size = int.from_bytes(buffer[at + 1 : at + _PREFIX])
            if size > LARGEST_MESSAGE:
                self._notice(f"a message of {size:,} bytes is too large to be changed")
                self._ready.append(self._unbuffered(side, half)[at:])
                return
            end = at + _PREFIX + size
            if len(buffer) < end:
                break
            message, at = bytes(buffer[at:end]), end
            self._message(side, half, message)
        if half.buffer is not None:
            del buffer[:at]
            self._receivers[1 - side].held -= at

    def _unbuffered(self, side: int, half: _Half) -> bytes:
        """Return the beginning of a message, and test no more messages of the stream."""
        held, half.buffer = half.buffer or b"", None
        self._receivers[1 - side].held -= len(held)
        return bytes(held)

    def _message(self, side: int, half: _Half, message: bytes) -> None:
        """Make ready what goes on in the place of a message with its prefix."""
        has_faults = self._faults is not None and self._faults.are_there
        if half.fields is None and not has_faults:
            self._ready.append(message)
            return
        flag, content = message[0], message[_PREFIX:]
        try:
            if flag == _PACKED:
                content = _unpacked(content, half.encoding)
        except StreamsharkError as error:
            self._notice(f"{error}; the hosts in a message of gRPC pass unchanged")
            self._ready.append(message)
            return
        on_wire = CallMessage(half.call.path, half.call.content_type, half.number, content)
        for each in self._with_fault(side, half, on_wire) if has_faults else (content,):
            changed = self._with_nodes(each, half.fields)
            self._ready.append(message if changed == content else _prefixed(flag, changed))

    def _with_nodes(self, content: bytes, fields: NodeFields | None) -> bytes:
        """Return a message with replaced nodes."""
        if fields is None or self._replace is None:
            return content
        try:
            return with_replaced_nodes(content, fields, self._replace)
        except StreamsharkError as error:
            self._notice(f"{error}; the hosts in a message of gRPC pass unchanged")
            return content

    def _with_fault(
        self,
        side: int,
        half: _Half,
        message: CallMessage,
    ) -> tuple[bytes, ...]:
        """Do the fault that takes a message; return what goes on in its place."""
        content = message.content
        fault, row = (None, None) if self._faults is None else self._faults.taken(side, message)
        if fault is None or row is None:
            return (content,)
        name = message.path.rpartition("/")[2]
        text = FaultUse(name, side, fault.text).text
        try:
            changed = self._done(side, half, fault, message)
        except StreamsharkError as error:
            self._notice(f"{text}: not done: {error}")
            return (content,)
        fault.count_use()
        self._before += [Notice(text), Remark(text)]
        return changed

    def _done(
        self, side: int, half: _Half, fault: Fault, message: CallMessage
    ) -> tuple[bytes, ...]:
        """Do a fault to a message; return what goes on in its place."""
        match fault.action.name:
            case "drop":
                return ()
            case "duplicate":
                return (message.content,) * 2
            case "delay" | "stall":
                self._queue_ready(side, half, is_last=False)
                half.queue.append((fault, False, False))
                self._receivers[1 - side].waiting[half.number] = half
                self._drain(side, half)
                return (message.content,)
            case "close":
                self._is_over = half.call.is_over = True
                self._after += [End(CLIENT), End(SERVER), Close()]
            case "reset":
                self._reset_call(half.call)
            case "error":
                self._queue_ready(side, half, is_last=False)
                self._fail_call(half.call, fault.action.value)
            case "send":
                raise StreamsharkError("send is not for calls of gRPC")
            case _:
                return (changed_message(fault, side, message),)
        return ()

    def _reset_call(self, call: _Call) -> None:
        """Reset a stream towards both sides."""
        call.is_over = True
        self._forget_later(call.number)
        self._drop(call.number)
        for side, code in ((CLIENT, _INTERNAL_ERROR), (SERVER, _CANCEL)):
            self._out[side].append(frame(RST_STREAM, 0, call.number, code.to_bytes(4)))

    def _fail_call(self, call: _Call, code: int | str) -> None:
        """Answer a call with an error, after what waits; the server is asked to give it up."""
        answers = self._halves[SERVER].get(call.number)
        if answers is None:
            raise StreamsharkError("the call has ended")
        headers = error_headers(code, has_answer=call.has_answer)
        end = written_block(headers, call.number, is_last=True)
        self._writes_blocks[SERVER] = True  # it has emptied the table of the client
        asks = self._halves[CLIENT].pop(call.number, None)
        if asks is not None:
            self._give_up(CLIENT, asks)
            end += frame(RST_STREAM, 0, call.number, _NO_ERROR.to_bytes(4))
        call.is_over = True
        self._forget_later(call.number)
        self._queue(SERVER, answers, end, is_data=False, is_last=True)
        self._out[SERVER].append(frame(RST_STREAM, 0, call.number, _CANCEL.to_bytes(4)))

    def _forget_later(self, number: int) -> None:
        """Let no later frames of a stream pass."""
        self._ended_calls[number] = None
        if len(self._ended_calls) > MOST_OVER:
            del self._ended_calls[next(iter(self._ended_calls))]

    def _leave(self, side: int, half: _Half, what: str) -> None:
        """Test no more messages of a stream."""
        held = self._unbuffered(side, half)
        self._notice(f"{what} passes unchanged, with the hosts in it")
        if held:
            self._queue(side, half, held, is_data=True, is_last=False)

    # Windows and queues

    def _credit(self, side: int, half: _Half, size: int) -> None:
        """Give the sender window for bytes that were taken, unless too many wait."""
        half.owed += size
        if half.owed and half.queued <= MOST_QUEUED:
            owed, half.owed = half.owed, 0
            self._give_window(side, 0, owed)
            self._give_window(side, half.number, owed)

    def _give_window(self, side: int, number: int, size: int) -> None:
        """Send WINDOW_UPDATE to a side; an increment of 0 would be an error."""
        if size:
            self._out[side].append(frame(WINDOW_UPDATE, 0, number, size.to_bytes(4)))

    def _queue_ready(self, side: int, half: _Half, *, is_last: bool) -> None:
        """Append what is ready to what waits."""
        ready, self._ready = b"".join(self._ready), []
        if ready or is_last:
            self._queue(side, half, ready, is_data=True, is_last=is_last)

    def _queue(
        self, side: int, half: _Half, content: bytes, *, is_data: bool, is_last: bool
    ) -> None:
        """Append to what waits, and send what fits."""
        half.queue.append((content, is_data, is_last))
        receiver, size = self._receivers[1 - side], len(content) if is_data else 0
        half.queued += size
        receiver.held += size
        receiver.waiting[half.number] = half
        self._drain(side, half)

    def _drain_all(self, side: int) -> None:
        for half in list(self._receivers[1 - side].waiting.values()):
            self._drain(side, half)

    def _drain(self, side: int, half: _Half) -> None:
        """Send what fits the windows of the other side, DATA in parts if need be."""
        queue = half.queue
        while queue:
            content, is_data, is_last = queue[0]
            if isinstance(content, Fault):
                self._wait(side, half, content)
                break
            if is_data:
                sent, rest = self._fitting(side, half, content, is_last=is_last)
                if not sent:
                    break
                if rest:
                    queue[0] = (rest, True, is_last)
                    continue
            else:
                self._out[1 - side].append(content)
            queue.pop(0)
            if is_last:
                self._ended(side, half)
        if not queue:
            self._receivers[1 - side].waiting.pop(half.number, None)
        self._credit(side, half, 0)

    def _fitting(
        self, side: int, half: _Half, content: bytes, *, is_last: bool
    ) -> tuple[bool, bytes]:
        """Send as much of DATA as fits; return whether something was sent, and the rest."""
        receiver = self._receivers[1 - side]
        size = min(len(content), half.window, receiver.window, receiver.largest)
        if size <= 0 < len(content):
            return False, content
        part, rest = content[:size], content[size:]
        ends = is_last and not rest
        sent = frame(DATA, END_STREAM if ends else 0, half.number, part)
        self._out[1 - side].append(sent)
        half.window -= len(part)
        receiver.window -= len(part)
        half.queued -= len(part)
        receiver.held -= len(part)
        if half.is_own:
            receiver.swallow += len(part)
        return True, rest

    def _wait(self, side: int, half: _Half, fault: Fault) -> None:
        """Let the time of a fault run, which holds back what is after it."""
        if not half.is_waiting:
            half.is_waiting = True
            token = half.number << 1 | side
            self._after.append(Wake(fault.action.seconds or LOOK, token))

    def _ended(self, side: int, half: _Half) -> None:
        """Forget a half on which nothing more is sent."""
        self._receivers[1 - side].waiting.pop(half.number, None)
        self._halves[side].pop(half.number, None)

    def _drop(self, number: int) -> None:
        """Forget a stream that was reset."""
        for side in (CLIENT, SERVER):
            half = self._halves[side].pop(number, None)
            if half is not None:
                self._give_up(side, half)
                self._drain_all(side)

    def _give_up(self, side: int, half: _Half) -> None:
        """Give the sender back the window of the connection for what waits and is not sent."""
        receiver = self._receivers[1 - side]
        receiver.waiting.pop(half.number, None)
        self._unbuffered(side, half)
        receiver.held -= half.queued
        self._give_window(side, 0, half.owed if half.is_own else half.queued)


def _prefixed(flag: int, content: bytes) -> bytes:
    """Return a message with its prefix, packed if it was."""
    if flag == _PACKED:
        content = _packed(content)
    return bytes([flag]) + len(content).to_bytes(4) + content


def _unpacked(content: bytes, encoding: str) -> bytes:
    """Return a packed message; raise `StreamsharkError` if it cannot be unpacked."""
    if encoding != "gzip":
        raise StreamsharkError(f"encoding {encoding!r}")
    unpacker = zlib.decompressobj(_GZIP)
    try:
        out = unpacker.decompress(content, LARGEST_MESSAGE)
    except zlib.error as error:
        raise StreamsharkError(f"gzip: {error}") from None
    if not unpacker.eof or unpacker.unconsumed_tail:
        raise StreamsharkError("gzip: truncated or too large")
    return out


def _packed(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=_GZIP)
    return packer.compress(content) + packer.flush()
