"""One connection as HTTP/2: frames, then header blocks and messages out of them.

A client begins with the preface, a server with SETTINGS; frames are cut by `FrameSplitter`, so that
step is found again after a gap. Header blocks are joined and unpacked by one HPACK table for each
direction. The bytes of a stream are reassembled until a message is whole. A frame's bytes belong
to the first message that ends in it, or with the frames that follow.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from streamshark.decoding.codecs import Allowance, HeaderTable, unpack
from streamshark.flows.segment import Gap, Segment
from streamshark.framing import proxy_protocol
from streamshark.framing.carried import PacketSets, joined
from streamshark.framing.carrier import UNUSED, CarriedMessage, CarrierEvent, Item
from streamshark.framing.splitter import (
    FULL,
    At,
    FrameSplitter,
    PacketRef,
    RawFrame,
    ResyncEffort,
    SkippedBytes,
)
from streamshark.framing.wire_format import Selector
from streamshark.protocols.http2 import call
from streamshark.protocols.http2.breaches import Known, breaches, unread
from streamshark.protocols.http2.call import CallFlag, CallKind, Headers
from streamshark.protocols.http2.codes import (
    ID,
    ON_CONNECTION,
    PREFACE,
    TUNNELS,
    ErrorCode,
    Flag,
    FrameType,
    Setting,
)
from streamshark.protocols.http2.framing import SMALLEST, TABLE
from streamshark.protocols.http2.windows import FlowWindows
from streamshark.schema import Problem, ProblemCode

GAP: Final = "a gap interrupts this message"
LATER: Final = "a message that began before the capture, or in bytes that are missing"
NO_PREFACE: Final = "no preface of HTTP/2"
ASKING: Final = frozenset({":method", ":scheme", ":path", ":authority"})
"""What only requests say (RFC 9113, 8.3.1)."""
MOST_MESSAGE: Final = 16 * 1024 * 1024
"""Most bytes of a message, before and after it is unpacked; gRPC's own limit is 4 MiB."""
MOST_BLOCK: Final = 256 * 1024
"""Most bytes of a header block with the heads of its frames."""
MOST_STREAMS: Final = 4096
"""Most streams whose path is remembered; the oldest are forgotten first."""
MOST_BODIES: Final = 16_384
"""Most streams of a side that have sent data and not ended; servers allow 100 to 1000 at once."""
MOST_HELD: Final = 64 * 1024 * 1024
"""Most bytes of unfinished messages of a side."""
PREFIX: Final = 5
"""Bytes before a message: whether it is packed, and its length (gRPC over HTTP2)."""
CODECS: Final = {"gzip": "gzip", "deflate": "zlib", "snappy": "snappy"}
"""Names of `grpc-encoding` to those of our codecs."""
Values = dict[str, Any]
END_OF_HEAD: Final = b"\r\n\r\n"
MOST_HEAD: Final = 8192
"""Most bytes of that."""
FIRST_CODE: Final = 3
"""Where the type is in a frame."""


class StreamState:
    """What is known of a stream by the headers of both sides."""

    __slots__ = ("content_type", "encodings", "path")

    def __init__(self) -> None:
        self.path = self.content_type = ""
        self.encodings = ["", ""]
        """By which codec the messages of each side are packed."""


class Http2Connection:
    """What both sides of a connection share."""

    def __init__(
        self,
        *,
        begun: bool = False,
        effort: ResyncEffort = FULL,
        allowance: Allowance | None = None,
    ) -> None:
        self.allowance = allowance or Allowance()
        self.begun = begun
        """Whether the bytes begin with a frame, without a preface."""
        self.effort = effort
        self.client: int | None = None
        """The side whose bytes prove it the client."""
        self.refused: str | None = None
        self.asked: frozenset[str] = frozenset()
        self.calls: dict[int, StreamState] = {}
        """By stream, the oldest first."""
        self.refuses_push = [False, False]
        """Whether each side has set ENABLE_PUSH to 0."""
        self.read_settings = [False, False]
        """Whether each side has read the other's settings since."""
        self.windows: tuple[FlowWindows, FlowWindows] | None = None
        """What each side may send; None unless everything was captured."""
        if not begun:
            self.windows = (FlowWindows(), FlowWindows())
        self.handshake: str | None = None
        """Description of a connection whose calls are of no known protocol."""

    def side(self, number: int, *, start: bool, fits: Callable[[bytes], bool]) -> "Http2Side":  # noqa: ARG002 - frames prove themselves
        """Return a reader of one side."""
        return Http2Side(self, number, start=start)

    def call(self, stream: int) -> StreamState:
        """Return the state of a stream."""
        found = self.calls.get(stream)
        if found is None:
            found = self.calls[stream] = StreamState()
            if self.handshake is not None:
                self.handshake = "HTTP/2"
            if len(self.calls) > MOST_STREAMS:
                del self.calls[next(iter(self.calls))]
        return found


class PartialMessage:
    """The bytes of one stream that are no message yet."""

    __slots__ = ("data", "last", "offset", "places", "skipping", "wire")

    def __init__(self) -> None:
        self.data = bytearray()
        self.offset = 0
        """Where the first of them is on the wire."""
        self.wire = 0
        """Bytes of frames that no item has counted yet."""
        self.places = PacketSets()
        self.last: PacketRef | None = None
        """Of the last frame, in which a message may begin."""
        self.skipping: str | None = None
        """Why what follows is no message."""

    def take_place(self) -> tuple[int, PacketRef]:
        """Return the length on the wire and the packets, which are shown from now on."""
        wire, place = self.wire, self.places.joined()
        self.wire, self.places = 0, PacketSets()
        if self.last is not None:
            self.places.add(self.last)
        return wire, place

    def add(self, cut: RawFrame, data: bytes) -> None:
        """Add the data of one more frame."""
        self.data += data
        self.wire += len(cut.data)
        self.last = cut.place
        self.places.add(cut.place)


class PartialHeaders:
    """The frames of a header block so far: their bytes and packets, and nothing else of each."""

    def __init__(self, first: RawFrame, stream: int) -> None:
        self.offset = first.offset
        self.stream = stream
        self.end = first.offset
        """Where the last frame ends."""
        self.ends = first.data[4] & Flag.END_STREAM != 0
        """Whether its stream ends with it."""
        self.data = bytearray()
        self.length = 0
        """Bytes on the wire."""
        self.places = PacketSets()

    def add(self, cut: RawFrame, data: bytes) -> None:
        """One more frame."""
        self.data += data
        self.length += len(cut.data)
        self.end = cut.offset + len(cut.data)
        self.places.add(cut.place)


class Http2Side:
    """One side of it; a `framing.carrier.Bearer`."""

    def __init__(self, link: Http2Connection, number: int, *, start: bool) -> None:
        self.link = link
        self.number = number
        self.preamble = 0
        """Bytes that a proxy has put before the first one."""
        self.fresh = start
        """True until the first bytes are known to be HTTP/2."""
        self.held: list[Segment] = []
        """Segments while they may be a preamble or the preface."""
        self.over: str | None = None
        """Why nothing of this side is HTTP/2."""
        self.splitter = FrameSplitter(
            TABLE,
            in_step=False,
            sound=sound,
            effort=link.effort,
            proves=partial(is_of_call, link.calls) if link.effort is FULL else None,
        )
        self.table = HeaderTable()
        self.block: PartialHeaders | None = None
        """The header block that is not whole."""
        self.bodies: dict[int, PartialMessage] = {}
        self.kept = 0
        """Bytes in them."""
        self.torn = not start
        """Whether the beginning of headers may be missing before the next frame."""
        if not start:
            self.table.lose()
            link.windows = None

    # What others ask

    @property
    def in_step(self) -> bool:
        """True when the next byte is one of the preface, or the first of a frame."""
        return self.over is None and (self.fresh or self.splitter.in_step)

    @property
    def pending(self) -> int:
        """Bytes of the frame, block or message that is not whole, as far as known."""
        return self.splitter.total or (len(self.block.data) if self.block else 0) or self.kept

    @property
    def resume(self) -> int:
        """Bytes before this offset are the rest of a frame interrupted by a gap."""
        return self.splitter.resume

    @property
    def late(self) -> bool:
        """True when frames were found inside another."""
        return self.splitter.late

    @property
    def unsettled(self) -> At | None:
        """The packet that brought bytes of which it is open whether they are frames."""
        return self.splitter.unsettled

    # What comes in

    def feed(self, segment: Segment) -> list[Item]:
        """Read the next bytes."""
        if self.fresh:
            self.held.append(segment)
            return self._opened(final=self.link.begun)
        return self._bytes(segment)

    def gap(self, gap: Gap) -> list[Item]:
        """Bytes that never come: what they are of is lost, and headers that refer to them."""
        self.link.windows = None
        out = self._opened(final=True) if self.fresh else []
        if self.over is None:
            out += self._frames(self.splitter.gap(gap))
        out += self._lost(GAP)
        return out

    def finish(self) -> list[Item]:
        """No more bytes."""
        out = self._opened(final=True) if self.fresh else []
        out += self._frames(self.splitter.finish())
        return [
            *out,
            *self._lost("the connection or capture ended before the rest of this message"),
        ]

    def _bytes(self, segment: Segment) -> list[Item]:
        if self.over is None:
            return self._frames(self.splitter.feed(segment))
        return [SkippedBytes(segment.offset, len(segment.data), place_of(segment), self.over)]

    # The beginning

    def _opened(self, *, final: bool) -> list[Item]:
        """Identify the first bytes: the preface, a server's SETTINGS, or another protocol."""
        out: list[Item] = []
        data = self._passed(out, final=final)
        if data is None:
            return out
        if data.startswith(PREFACE):
            self.link.client, self.link.handshake = self.number, f"HTTP/2{UNUSED}"
            offset, place = self._take(len(PREFACE))
            out.append(CarrierEvent(offset, len(PREFACE), place, ID, "preface", {}))
        elif PREFACE.startswith(data) and not final:
            return out
        elif data[FIRST_CODE : FIRST_CODE + 1] == bytes([FrameType.SETTINGS]):
            self.link.client = 1 - self.number
        elif len(data) <= FIRST_CODE and not final:
            return out
        elif not self.link.begun:
            self.over = NO_PREFACE
        self.fresh = False
        self.splitter.start(in_step=self.over is None)
        held, self.held = self.held, []
        return [*out, *(item for each in held for item in self._bytes(each))]

    def _passed(self, out: list[Item], *, final: bool) -> bytes | None:
        """Pass what a proxy has put before the first bytes; None while that is not whole."""
        data = b"".join(each.data for each in self.held)
        if not self.preamble:
            found = proxy_protocol.read(data, final=final)
            if found is None:
                return None
            if found.length:
                self.preamble = found.length
                out += self._taken(found.length, found.text)
                data = data[found.length :]
        if data.startswith(TUNNELS):
            end = data.find(END_OF_HEAD, 0, MOST_HEAD) + len(END_OF_HEAD)
            if end < len(END_OF_HEAD):
                return data if final or len(data) >= MOST_HEAD else None
            self.preamble += end
            out += self._taken(end, proxy_protocol.TUNNEL)
            data = data[end:]
        return data

    def _taken(self, length: int, reason: str) -> list[Item]:
        offset, place = self._take(length)
        return [SkippedBytes(offset, length, place, reason)]

    def _take(self, length: int) -> tuple[int, PacketRef]:
        """Where the first held bytes are; they are no longer held."""
        offset, places = self.held[0].offset, []
        while length:
            first = self.held.pop(0)
            places.append(place_of(first))
            if length < len(first.data):
                rest = first._replace(offset=first.offset + length, data=first.data[length:])
                self.held.insert(0, rest)
            length -= min(length, len(first.data))
        return offset, joined(places)

    # Frames

    def _frames(self, pieces: Iterable[RawFrame | SkippedBytes]) -> list[Item]:
        out: list[Item] = []
        for piece in pieces:
            if isinstance(piece, SkippedBytes):
                out += self._lost(piece.reason)
                out.append(piece._replace(selector=None))
                continue
            values = read(piece)
            if values is not None:
                out += self._frame(piece, values)
            elif piece.problem is not None and piece.problem.code is ProblemCode.UNKNOWN_KEY:
                out.append(unknown(piece))
            else:
                out += self._lost("a frame that cannot be read")
                out.append(unreadable(piece))
        return out

    def _learn(self, values: Values) -> None:
        """Apply SETTINGS about pushes, which bind the other side once it has read them."""
        if values["flags"] & Flag.ACK:
            self.link.read_settings[self.number] = self.link.refuses_push[1 - self.number]
        for each in values["settings"]:
            if each["identifier"] == Setting.ENABLE_PUSH:
                self.link.refuses_push[self.number] = each["value"] == 0
                self.link.read_settings[1 - self.number] = False

    def _breaches(self, cut: RawFrame, values: Values) -> tuple[Problem, ...]:
        """Return the problems of a well-formed frame that is not allowed here."""
        link, kind = self.link, values["type"]
        is_client = None if link.client is None else link.client == self.number
        found = breaches(cut, values, Known(is_client, link.read_settings[self.number]))
        if kind == FrameType.SETTINGS:
            self._learn(values)
        open_stream = None if self.block is None else self.block.stream
        is_continued = kind == FrameType.CONTINUATION and not self.torn
        if is_continued and open_stream != values["stream_id"]:
            message = f"CONTINUATION on stream {values['stream_id']}, where no headers are open"
            found += (Problem(ProblemCode.CARRIER, -1, 0, 0, f"{message} (RFC 9113, 6.10)"),)
        return found

    def _frame(self, cut: RawFrame, values: Values) -> list[Item]:
        """Process a whole frame; return its items."""
        kind, stream = values["type"], values["stream_id"]
        if self.block and kind != FrameType.CONTINUATION:
            return [*self._lost("headers without their end"), *self._frame(cut, values)]
        problems = self._breaches(cut, values)
        self.torn = self.torn and kind == FrameType.CONTINUATION
        if problems and kind in (FrameType.CONTINUATION, FrameType.DATA):
            out = []
            if kind == FrameType.CONTINUATION:
                out = self._lost("headers that another frame interrupts")
            return [*out, unreadable(cut._replace(problem=problems[0]))]
        match kind:
            case FrameType.HEADERS | FrameType.CONTINUATION:
                out = self._headers(cut, values, stream)
            case FrameType.DATA:
                out = self._data(cut, values, stream)
            case FrameType.RST_STREAM:
                out = self._reset(cut, values, stream)
            case _:
                if kind == FrameType.PUSH_PROMISE:
                    self.table.block(values["header_block"])
                out = [notice(cut, values)._replace(problems=problems)]
        if self.link.windows is not None:
            out += self._controlled(cut, values, self.link.windows)
        return [with_problem(each, problems[0]) for each in out] if problems else out

    def _controlled(
        self, cut: RawFrame, values: Values, windows: tuple[FlowWindows, FlowWindows]
    ) -> list[Item]:
        """Apply a frame to the windows; return events of those that it uses up or opens."""
        stream, mine, allowed = values["stream_id"], windows[self.number], windows[1 - self.number]
        name, changed = "window_opened", list[int]()
        match values["type"]:
            case FrameType.DATA:
                name, changed = "window_full", mine.sent(stream, len(cut.data) - SMALLEST)
            case FrameType.WINDOW_UPDATE:
                changed = allowed.allow(stream, values["window_size_increment"])
            case FrameType.SETTINGS:
                for each in values["settings"]:
                    if each["identifier"] == Setting.INITIAL_WINDOW_SIZE:
                        changed += allowed.resize(each["value"])
            case FrameType.RST_STREAM:
                mine.end(stream)
                allowed.end(stream)
        can_end = values["type"] in (FrameType.DATA, FrameType.HEADERS)
        if can_end and values["flags"] & Flag.END_STREAM:
            mine.end(stream)
            changed = [each for each in changed if each != stream]
        end = cut.offset + len(cut.data)
        return [
            CarrierEvent(end, 0, cut.place, ID, name, {"stream_id": each} if each else {})
            for each in changed
        ]

    def _headers(self, cut: RawFrame, values: Values, stream: int) -> list[Item]:
        """Process a header block if it is whole."""
        if values["type"] == FrameType.CONTINUATION and self.block is None:
            self.table.lose()
            return [
                SkippedBytes(
                    cut.offset, len(cut.data), cut.place, "headers without their beginning"
                )
            ]
        block = self.block = self.block or PartialHeaders(cut, stream)
        block.add(cut, values["header_block"])
        if not values["flags"] & Flag.END_HEADERS:
            return self._lost("too many headers") if block.length > MOST_BLOCK else []
        self.block = None
        found = self.table.block(bytes(block.data))
        head = self._head_of(stream, found.headers, ends=block.ends, whole=found.whole)
        offset, length, place = block.offset, block.length, block.places.joined()
        end = block.end
        out = self._ended(stream) if block.ends else []
        if head is None:
            return [*out, SkippedBytes(offset, length, place, "headers of an unknown side")]
        problem = None
        if found.problem is not None:
            problem = Problem(ProblemCode.CARRIER, -1, 0, 0, found.problem)
        return [*out, CarriedMessage(offset, end, length, head, place, problem)]

    def _head_of(self, stream: int, headers: Headers, *, ends: bool, whole: bool) -> bytes | None:
        """Return a header block as a message of the slot; None if its sender is unknown."""
        fields = dict(headers)
        if not ASKING.isdisjoint(fields):
            self.link.client = self.number
        elif ":status" in fields:
            self.link.client = 1 - self.number
        known = self.link.call(stream)
        if self.link.client is None:
            return None
        flags = CallFlag(CallFlag.END_STREAM * ends | CallFlag.INCOMPLETE * (not whole))
        known.encodings[self.number] = fields.get("grpc-encoding") or known.encodings[self.number]
        if self.link.client == self.number:
            known.path = fields.get(":path", known.path)
            known.content_type = fields.get("content-type", known.content_type)
            return call.request(flags, stream, headers)
        known.content_type = fields.get("content-type", known.content_type)
        make = call.trailers if ends else call.response
        return make(flags, stream, headers, known.content_type, known.path)

    # Streams

    def _data(self, cut: RawFrame, values: Values, stream: int) -> list[Item]:
        """Return the messages that a DATA frame completes."""
        data = values["data"]
        ends = values["flags"] & Flag.END_STREAM
        out: list[Item] = []
        body = self.bodies.get(stream)
        if body is None:
            body = self.bodies[stream] = PartialMessage()
            if len(self.bodies) > MOST_BODIES:
                out += self._ended(next(iter(self.bodies)), "too many streams are unfinished")
        start = cut.offset + SMALLEST + ("pad_length" in values)
        if not body.data:
            body.offset = start
        body.add(cut, data)
        self.kept += len(data)
        while body.skipping is None and len(body.data) >= PREFIX:
            packed, length = struct.unpack_from(">BI", body.data)
            if packed > 1 or length > MOST_MESSAGE or not self._is_call(stream):
                known = self.link.calls.get(stream)
                body.skipping = LATER if known is None else "a body that is no message of a call"
            elif len(body.data) < PREFIX + length:
                break
            else:
                message = bytes(memoryview(body.data)[PREFIX : PREFIX + length])
                del body.data[: PREFIX + length]
                self.kept -= PREFIX + length
                last = bool(ends) and not body.data
                out.append(self._message(stream, body, message, packed=bool(packed), ends=last))
                body.offset = start + len(data) - len(body.data)
        if body.skipping is not None:
            self.kept -= len(body.data)
            body.data.clear()
            wire, place = body.take_place()
            out.append(SkippedBytes(cut.offset, wire, place, body.skipping))
        elif body.wire and not body.data:
            wire, place = body.take_place()
            fields = {"stream_id": stream}
            out.append(CarrierEvent(cut.offset, wire, place, ID, "end_stream", fields))
        if self.kept > MOST_HELD:
            out += self._lost("too many messages are unfinished")
        return [*out, *(self._ended(stream) if ends else ())]

    def _is_call(self, stream: int) -> bool:
        """Whether a stream has messages with lengths, as far as its headers say."""
        known = self.link.calls.get(stream)
        content_type = known.content_type if known else ""
        return not content_type or content_type.startswith("application/grpc")

    def _message(
        self, stream: int, body: PartialMessage, message: bytes, *, packed: bool, ends: bool
    ) -> CarriedMessage:
        """Return a whole message."""
        known = self.link.call(stream)
        flags = CallFlag(CallFlag.END_STREAM * ends | CallFlag.PACKED * packed)
        wire, place = body.take_place()
        offset, problem = body.offset, None
        if packed:
            codec = known.encodings[self.number]
            made = self.link.allowance.unpacked(
                len(message),
                MOST_MESSAGE,
                lambda cap: unpack(CODECS.get(codec, codec), message, size=None, cap=cap),
            )
            if made.data is None:
                problem = Problem(
                    ProblemCode.CODEC, -1, 0, 0, f"{codec or 'no codec'}: {made.problem}"
                )
            message = made.data if made.data is not None else message
        kind = CallKind.CLIENT_MESSAGE
        if self.link.client is not None and self.link.client != self.number:
            kind = CallKind.SERVER_MESSAGE
        head = call.head(kind, flags, stream, known.content_type, known.path) + message
        return CarriedMessage(offset, offset + wire, wire, head, place, problem)

    def _reset(self, cut: RawFrame, values: Values, stream: int) -> list[Item]:
        """Process RST_STREAM, which ends a stream at once."""
        known = self.link.call(stream)
        head = call.head(
            CallKind.RESET, CallFlag.END_STREAM, stream, known.content_type, known.path
        ) + struct.pack(">I", values["error_code"])
        end = cut.offset + len(cut.data)
        return [
            *self._ended(stream, "the stream was reset"),
            CarriedMessage(cut.offset, end, len(cut.data), head, cut.place),
        ]

    def _ended(self, stream: int, reason: str = "the stream ended inside a message") -> list[Item]:
        """End this side's half of a stream, and skip its incomplete message."""
        body = self.bodies.pop(stream, None)
        if body is None:
            return []
        self.kept -= len(body.data)
        if not body.wire:
            return []
        offset = max(0, body.offset - SMALLEST)
        wire, place = body.take_place()
        return [SkippedBytes(offset, wire, place, reason)]

    def _lost(self, reason: str) -> list[Item]:
        """Skip incomplete messages after lost bytes; later headers may refer to lost ones."""
        out: list[Item] = []
        self.table.lose()
        self.torn = True
        if self.block is not None:
            place = self.block.places.joined()
            out.append(SkippedBytes(self.block.offset, self.block.length, place, reason))
            self.block = None
        for stream in list(self.bodies):
            out += self._ended(stream, reason)
        return out


def sound(data: bytes, selector: Selector) -> bool:
    """Whether a frame is valid: it is read whole, and is on a stream as its type requires."""
    if data[5] & 0x80 or not TABLE.decoders[selector][0].is_sound(data):
        return False
    stream, kind = int.from_bytes(data[5:9], "big"), selector.key
    if stream and not stream % 2:
        return False  # a server's push, which no call is
    return kind == FrameType.WINDOW_UPDATE or (stream == 0) == (kind in ON_CONNECTION)


def is_of_call(calls: Mapping[int, StreamState], data: bytes) -> bool:
    """Whether a frame is of a call that is known, so that it proves itself after a gap."""
    is_part = data[FIRST_CODE] in (FrameType.DATA, FrameType.HEADERS)
    return is_part and int.from_bytes(data[5:SMALLEST], "big") in calls


def read(cut: RawFrame) -> Values | None:
    """Return the values of a frame; None where it cannot be read."""
    if cut.selector is None or cut.problem is not None:
        return None
    values, problems = TABLE.decoders[cut.selector][0].read(cut.data)
    return None if problems else values


def notice(cut: RawFrame, values: Values) -> CarrierEvent:
    """Return a frame of the connection itself as an event."""
    kind = FrameType(values["type"])
    fields: dict[str, object] = {}
    if values["stream_id"]:
        fields["stream_id"] = values["stream_id"]
    if kind in (FrameType.SETTINGS, FrameType.PING):
        fields["ack"] = bool(values["flags"] & Flag.ACK)
    settings = values.get("settings", [])
    for each in settings:
        known = each["identifier"] in list(Setting)
        name = Setting(each["identifier"]).name.lower() if known else str(each["identifier"])
        fields[name] = each["value"]
    for name in ("window_size_increment", "last_stream_id", "promised_stream_id"):
        if name in values:
            fields[name] = values[name]
    if "error_code" in values:
        code = values["error_code"]
        fields["error"] = ErrorCode(code).name.lower() if code in list(ErrorCode) else code
    if text := values.get("additional_debug_data"):
        fields["debug_data"] = bytes(text).decode(errors="replace")
    return CarrierEvent(cut.offset, len(cut.data), cut.place, ID, kind.name.lower(), fields)


def unknown(cut: RawFrame) -> CarrierEvent:
    """Return a frame of an unknown type as an event."""
    fields: dict[str, object] = {"type": cut.data[FIRST_CODE]}
    return CarrierEvent(cut.offset, len(cut.data), cut.place, ID, "unknown", fields)


def with_problem(item: Item, problem: Problem) -> Item:
    """Return a message with the problem of its frame, unless it has one of its own."""
    if isinstance(item, CarriedMessage) and item.problem is None:
        return item._replace(problem=problem)
    return item


def unreadable(cut: RawFrame) -> CarriedMessage:
    """Return a frame that cannot be read, or is not allowed, as an unreadable message."""
    known = cut.problem or Problem(ProblemCode.CARRIER, -1, 0, 0, unread(cut.data))
    problem = known._replace(message=f"{ID}: {known.message}")
    end = cut.offset + len(cut.data)
    return CarriedMessage(
        cut.offset, end, len(cut.data), cut.data, cut.place, problem, readable=False
    )


def place_of(segment: Segment) -> PacketRef:
    """Where a segment came from."""
    at = segment.time_ns, segment.file, segment.packet
    return PacketRef([segment.origin] if segment.origin_file == segment.file else [], at)
