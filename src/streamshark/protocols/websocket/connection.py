"""One connection as WebSocket: the handshake, then messages out of frames.

A side first reads its head of HTTP, then frames, which `FrameSplitter` cuts as it does those of any
protocol, so that step is found again after a gap. Messages are unmasked, joined from their
fragments, and inflated. What is said about masks and compression by one side's head is known to the
other. A connection that is joined later has no head: masked frames are the client's, and compressed
messages are read unless they refer to earlier ones.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from streamshark.decoding.codecs import Allowance, Inflater, may_be_deflate
from streamshark.flows.segment import Gap, Segment
from streamshark.framing import proxy_protocol
from streamshark.framing.carried import PacketSets, joined
from streamshark.framing.carrier import CarriedMessage, CarrierEvent, Item
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
from streamshark.protocols.websocket import upgrade
from streamshark.protocols.websocket.codes import CONTROL, ID, Opcode
from streamshark.protocols.websocket.frame import WebSocketFrame, closed
from streamshark.protocols.websocket.framing import MOST_MESSAGE, TABLE
from streamshark.protocols.websocket.upgrade import DEFLATE, SWITCHING, Answer, Request
from streamshark.schema import Problem, ProblemCode

GAP: Final = "a gap interrupts this message"

MOST_FRAMES: Final = 262_144
"""Most frames of one message: as many as one of `MOST_MESSAGE` bytes has in frames of 64."""
Fields = dict[str, object]
NOWHERE: Final = PacketRef([], (0, 0, 0))
"""Where a frame is that is only looked at."""


class WebSocketConnection:
    """What both sides have said in the handshake."""

    def __init__(
        self,
        *,
        begun: bool = False,
        effort: ResyncEffort = FULL,
        allowance: Allowance | None = None,
    ) -> None:
        self.allowance = allowance or Allowance()
        self.begun = begun
        """Whether the bytes begin with a frame, without a handshake."""
        self.effort = effort
        self.client: int | None = None
        """The side whose bytes prove it the client."""
        self.request: Request | None = None
        self.answer: Answer | None = None
        self.refused: str | None = None
        """Set where the server does not agree; None again where the client asks another time."""

    @property
    def handshake(self) -> str | None:
        """Result of a handshake: path and protocol as far as they are known, or none."""
        if self.refused:
            return f"HTTP: {self.refused}"
        if self.answer is None:
            return None
        path = self.request.path if self.request else None
        protocol = upgrade.names(self.answer.headers.get("sec-websocket-protocol"))
        return " ".join(["WebSocket", *(each for each in (path, protocol) if each)])

    @property
    def asked(self) -> frozenset[str]:
        """The words of the path and of the protocols that were asked for."""
        return self.request.words if self.request else frozenset()

    def side(self, number: int, *, start: bool, fits: Callable[[bytes], bool]) -> "WebSocketSide":
        """Return a reader of one side."""
        return WebSocketSide(self, number, start=start, fits=fits)

    def other_extension(self) -> str | None:
        """Return a negotiated extension that is not supported; None without one."""
        named = self.answer.extensions if self.answer else []
        return next((each.name for each in named if each.name != DEFLATE), None)

    def takeover(self, number: int) -> bool:
        """Whether a side's messages refer to its earlier ones, as far as is known."""
        side = "client" if self.client == number else "server"
        named = self.answer.extensions if self.answer else []
        return not any(f"{side}_no_context_takeover" in each.parameters for each in named)


class PartialMessage:
    """The frames of a message so far: their bytes and packets, and nothing else of each."""

    def __init__(self, first: WebSocketFrame) -> None:
        self.first = first.cut.offset
        """Where the first frame begins, and its payload."""
        self.offset = first.cut.offset + len(first.cut.data) - len(first.payload)
        self.end = 0
        """Where the last one ends."""
        self.deflated = first.rsv1
        self.is_text = first.opcode == Opcode.TEXT
        self.data = bytearray()
        self.length = 0
        """Bytes on the wire."""
        self.count = 0
        self.places = PacketSets()
        self.problem: Problem | None = None
        """What is wrong with the first frame of which something is."""

    def add(self, frame: WebSocketFrame, problem: Problem | None) -> None:
        """One more frame."""
        cut = frame.cut
        self.data += frame.payload
        self.end = cut.offset + len(cut.data)
        self.length += len(cut.data)
        self.count += 1
        self.places.add(cut.place)
        if problem is not None:
            self.problem = self.problem or problem

    @property
    def excess(self) -> str | None:
        """Why it is too much to be reassembled, if it is."""
        if len(self.data) > MOST_MESSAGE:
            return f"a message of over {MOST_MESSAGE} bytes"
        return f"a message of over {MOST_FRAMES} frames" if self.count > MOST_FRAMES else None


class HandshakeBytes:
    """The first segments of a side, while they may be a handshake."""

    def __init__(self) -> None:
        self.segments: deque[Segment] = deque()
        self.data = bytearray()
        self.searched = 0
        """Bytes in which the end of a head does not begin."""

    def add(self, segment: Segment) -> None:
        """One more."""
        self.segments.append(segment)
        self.data += segment.data

    def take(self, length: int) -> tuple[int, PacketRef]:
        """Where the first bytes are; they are no longer held."""
        offset, places = self.segments[0].offset, []
        del self.data[:length]
        self.searched = 0
        while length:
            first = self.segments.popleft()
            at = first.time_ns, first.file, first.packet
            places.append(PacketRef([first.origin] if first.origin_file == first.file else [], at))
            if length < len(first.data):
                rest = first._replace(offset=first.offset + length, data=first.data[length:])
                self.segments.appendleft(rest)
            length -= min(length, len(first.data))
        return offset, joined(places)


class WebSocketSide:
    """One side of it; a `framing.carrier.Bearer`."""

    def __init__(
        self, link: WebSocketConnection, number: int, *, start: bool, fits: Callable[[bytes], bool]
    ) -> None:
        self.link = link
        self.number = number
        self.fits = fits
        self.preamble = 0
        """Bytes that a proxy has put before the first one."""
        self.held: HandshakeBytes | None = HandshakeBytes()
        """Bytes that may be a handshake; None after it."""
        self.fresh = start
        """True while a preamble may come."""
        self.over: str | None = None
        """Why nothing more of this side is WebSocket."""
        self.refuses = False
        """Whether its last answer was a refusal: the next one begins after another request."""
        self.splitter = FrameSplitter(
            TABLE, in_step=False, sound=self.sound, effort=self.link.effort
        )
        self.parts: PartialMessage | None = None
        """Frames of the message that is not whole."""
        self.dropped: str | None = None
        """Why the rest of a message is skipped."""
        self.inflater: Inflater | None = None
        self.complete = False
        """Whether every message from the first one on has been seen."""

    # What others ask

    @property
    def in_step(self) -> bool:
        """True when the next byte is one of the handshake, or the first of a frame."""
        if self.held is not None or self.link.refused is not None:
            return True
        return self.over is None and self.splitter.in_step

    @property
    def pending(self) -> int:
        """Bytes of the frame or message that is not whole, as far as known."""
        return self.splitter.total or (len(self.parts.data) if self.parts else 0)

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

    def sound(self, data: bytes, selector: Selector) -> bool:
        """Return whether a frame is valid and its message may be one of the protocol."""
        frame = WebSocketFrame.of(RawFrame(0, data, NOWHERE, selector, None))
        if frame is None or self._fault(frame):
            return False
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY):
            return True
        if frame.rsv1:
            return may_be_deflate(frame.payload)
        return not frame.fin or self.fits(frame.payload)

    # What comes in

    def feed(self, segment: Segment) -> list[Item]:
        """Read the next bytes."""
        if self.held is not None:
            self.held.add(segment)
            return self._opened(final=False)
        return self._bytes(segment)

    def gap(self, gap: Gap) -> list[Item]:
        """Bytes that never come: the message that they are of is lost, and the window."""
        out: list[Item] = []
        if self.held is not None:
            out += self._given_up(self.held, "a gap cut the handshake")
        if self.over is None:
            out += self._frames(self.splitter.gap(gap))
        out += self._dropped(GAP)
        self.dropped = GAP
        self._miss()
        return out

    def finish(self) -> list[Item]:
        """No more bytes."""
        out = self._opened(final=True) if self.held is not None else []
        out += self._frames(self.splitter.finish())
        return [
            *out,
            *self._dropped("the connection or capture ended before the rest of this message"),
        ]

    def _bytes(self, segment: Segment) -> list[Item]:
        """Bytes after the handshake; after a refusal, those of another one."""
        over, refused = self.over or self.link.refused, self.link.refused
        anew = _may_begin(segment.data) if refused else self.refuses
        if anew and self.over is None:
            return [*self._anew(), *self.feed(segment)]
        if over is None:
            return self._frames(self.splitter.feed(segment))
        at = segment.time_ns, segment.file, segment.packet
        return [
            SkippedBytes(segment.offset, len(segment.data), PacketRef([segment.origin], at), over)
        ]

    # The handshake

    def _anew(self) -> list[Item]:
        """Wait for another handshake; what is left of frames after the last one."""
        left = [*self._frames(self.splitter.finish()), *self._dropped("another handshake begins")]
        self.splitter = FrameSplitter(
            TABLE, in_step=False, sound=self.sound, effort=self.link.effort
        )
        self.held, self.inflater = HandshakeBytes(), None
        return left

    def _opened(self, *, final: bool) -> list[Item]:
        """Identify the first bytes: a handshake, or frames if the capture begins later."""
        out: list[Item] = []
        while self.held is not None and self.held.data:
            held = self.held
            if self.fresh:
                found = proxy_protocol.read(bytes(held.data), final=final)
                if found is None:
                    break
                self.fresh = False
                if found.length:
                    self.preamble = found.length
                    offset, place = held.take(found.length)
                    out.append(SkippedBytes(offset, found.length, place, found.text))
                    continue
            if not _may_begin(held.data):
                if self.link.refused:
                    return out + self._given_up(held, self.link.refused)
                return out + self._began(in_step=self.link.begun, complete=False)
            end = upgrade.END.search(held.data, held.searched)
            if end is None and len(held.data) <= upgrade.MOST_HEAD:
                held.searched = max(0, len(held.data) - 3)
                return out + (
                    self._given_up(held, "the connection or capture ended first") if final else []
                )
            length = end.end() if end else len(held.data)
            head = upgrade.read(bytes(held.data[:length])) if end else None
            out += self._head(head, length, *held.take(length))
        return out

    def _head(
        self, head: Request | Answer | None, length: int, offset: int, place: PacketRef
    ) -> list[Item]:
        """Process an HTTP head and the bytes after it."""
        link = self.link
        if isinstance(head, Request) and head.is_upgrade:
            link.request, link.client, link.refused = head, self.number, None
            return [self._notice("upgrade", offset, length, place, _asked(head), head.faults),
                    *self._began(in_step=True)]  # fmt: skip
        if isinstance(head, Answer) and head.status == SWITCHING:
            link.answer, link.client, link.refused = head, 1 - self.number, None
            faults = head.faults(link.request)
            return [self._notice("upgraded", offset, length, place, _answered(head), faults),
                    *self._began(in_step=True)]  # fmt: skip
        if isinstance(head, Answer) and link.request is not None and link.refused is None:
            if head.status < 200:  # noqa: PLR2004 - an interim answer: another follows
                return [
                    SkippedBytes(
                        offset, length, place, f"HTTP {head.status} {head.phrase}".rstrip()
                    )
                ]
            status = f"{head.status} {head.phrase}".rstrip()
            link.refused = f"the upgrade to WebSocket was refused ({status})"
            self.refuses = True
            refused = self._notice("refused", offset, length, place, _answered(head), [])
            return [refused, *self._began(in_step=False)]
        if link.refused:
            rest = self._given_up(self.held, link.refused) if self.held else []
            return [SkippedBytes(offset, length, place, link.refused), *rest]
        self.over = "HTTP without an upgrade to WebSocket"
        return [SkippedBytes(offset, length, place, self.over), *self._began(in_step=False)]

    def _began(self, *, in_step: bool, complete: bool = True) -> list[Item]:
        """Go on after the handshake, or without one."""
        held, self.held = self.held, None
        self.refuses = self.refuses and self.link.refused is not None
        self.splitter.start(in_step=in_step)
        self.complete = in_step and complete
        return [item for each in (held.segments if held else ()) for item in self._bytes(each)]

    def _given_up(self, held: HandshakeBytes, reason: str) -> list[Item]:
        """Skip the buffered bytes."""
        self.held = None
        length = len(held.data)
        if not length:
            return []
        offset, place = held.take(length)
        return [SkippedBytes(offset, length, place, reason)]

    def _notice(
        self,
        name: str,
        offset: int,
        length: int,
        place: PacketRef,
        fields: Fields,
        faults: list[str],
    ) -> CarrierEvent:
        problems = tuple(Problem(ProblemCode.CARRIER, -1, 0, length, each) for each in faults)
        return CarrierEvent(offset, length, place, ID, name, fields, problems)

    # Frames

    def _frames(self, pieces: Iterable[RawFrame | SkippedBytes]) -> list[Item]:
        out: list[Item] = []
        for piece in pieces:
            if isinstance(piece, SkippedBytes):
                out += self._dropped(piece.reason)
                self._miss()
                out.append(piece._replace(selector=None))
                continue
            frame = WebSocketFrame.of(piece)
            if frame is None:
                self._miss()
                out.append(_unreadable(piece))
                continue
            if self.link.client is None and frame.payload:
                self.link.client = self.number if frame.masked else 1 - self.number
            if frame.opcode >= CONTROL:
                out.append(self._control(frame))
            else:
                out += self._data(frame)
        return out

    def _fault(self, frame: WebSocketFrame) -> str | None:
        """Return the fault of a frame; None without one."""
        client, answer = self.link.client, self.link.answer
        masks = None if client is None else client == self.number
        deflates = not frame.rsv1 or answer is None or bool(answer.extensions)
        return frame.fault(masks=masks, deflates=deflates)

    def _control(self, frame: WebSocketFrame) -> CarrierEvent:
        """Ping, pong or close."""
        fault, cut = self._fault(frame), frame.cut
        faults = [fault] if fault else []
        fields: Fields
        if frame.opcode == Opcode.CLOSE:
            fields, wrong = closed(frame.payload)
            faults += wrong
        else:
            fields = {"payload": frame.payload.hex()} if frame.payload else {}
        name = Opcode(frame.opcode).name.lower()
        return self._notice(name, cut.offset, len(cut.data), cut.place, fields, faults)

    def _data(self, frame: WebSocketFrame) -> list[Item]:
        """Process a frame of a message; return the message that it completes."""
        out: list[Item] = []
        begins = frame.opcode != Opcode.CONTINUATION
        if begins:
            out += self._dropped("another message begins before the end of this one")
            self.dropped = None
            self.parts = PartialMessage(frame)
        elif self.parts is None:
            cut = frame.cut
            reason = self.dropped or "no message continues here"
            self.dropped = None if frame.fin else reason
            return [SkippedBytes(cut.offset, len(cut.data), cut.place, reason)]
        parts = self.parts
        parts.add(frame, frame.cut.problem or _problem(self._fault(frame)))
        if (excess := parts.excess) is not None:
            out += self._dropped(excess)
            self.dropped = None if frame.fin else excess
            self._miss()
        elif frame.fin:
            self.parts = None
            out.append(self._message(parts))
        return out

    def _message(self, parts: PartialMessage) -> CarriedMessage | SkippedBytes:
        """Return a whole message."""
        message = CarriedMessage(
            offset=parts.offset,
            end=parts.end,
            length=parts.length,
            data=bytes(parts.data),
            place=parts.places.joined(),
            problem=parts.problem,
            is_text=parts.is_text,
        )
        return self._inflated(message, parts.first) if parts.deflated else message

    def _inflated(self, message: CarriedMessage, offset: int) -> CarriedMessage | SkippedBytes:
        """Return the inflated message."""
        other = self.link.other_extension()
        if other is not None:
            reason = f"an extension that is not known ({other})"
            return SkippedBytes(offset, message.length, message.place, reason)
        if self.inflater is None:
            self.inflater = Inflater(takeover=self.link.takeover(self.number))
            if not self.complete:
                self.inflater.lose()
        was_whole = self.inflater.whole
        inflate = partial(self.inflater.message, message.data)
        made = self.link.allowance.unpacked(len(message.data), MOST_MESSAGE, inflate)
        if made.data is not None:
            return message._replace(data=made.data)
        text = f"{DEFLATE}: {made.problem}"
        if not was_whole:
            reason = f"{text}; earlier messages are not known"
            return SkippedBytes(offset, message.length, message.place, reason)
        problem = Problem(ProblemCode.CODEC, -1, 0, len(message.data), text)
        return message._replace(problem=problem, readable=False)

    def _dropped(self, reason: str) -> list[Item]:
        """Skip the message that is never completed."""
        parts, self.parts = self.parts, None
        if parts is None:
            return []
        self._miss()
        return [SkippedBytes(parts.first, parts.length, parts.places.joined(), reason)]

    def _miss(self) -> None:
        """Note that a message is missing to which later ones may refer."""
        self.complete = False
        if self.inflater is not None:
            self.inflater.lose()


def _may_begin(data: bytes | bytearray) -> bool:
    """Whether a head of HTTP may begin here."""
    return upgrade.begins(bytes(data[: len(upgrade.STARTS[1])]))


def _problem(fault: str | None) -> Problem | None:
    return Problem(ProblemCode.CARRIER, -1, 0, 0, fault) if fault else None


def _unreadable(cut: RawFrame) -> CarriedMessage:
    """Return an invalid frame as an unreadable message."""
    known = cut.problem or Problem(ProblemCode.CARRIER, -1, 0, 0, "no frame")
    problem = known._replace(message=f"{ID}: {known.message}")
    end = cut.offset + len(cut.data)
    return CarriedMessage(
        cut.offset, end, len(cut.data), cut.data, cut.place, problem, readable=False
    )


def _asked(request: Request) -> Fields:
    """Return the fields of a request that are shown."""
    return {
        "path": request.path,
        "host": request.headers.get("host"),
        "protocols": upgrade.names(request.headers.get("sec-websocket-protocol")),
        "extensions": request.headers.get("sec-websocket-extensions"),
    }


def _answered(answer: Answer) -> Fields:
    """Return the fields of a response that are shown."""
    return {
        "status": answer.status,
        "phrase": answer.phrase,
        "protocol": upgrade.names(answer.headers.get("sec-websocket-protocol")),
        "extensions": answer.headers.get("sec-websocket-extensions"),
    }
