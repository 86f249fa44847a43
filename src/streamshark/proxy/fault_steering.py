"""Does faults to the frames of one connection on their way."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow, Segment
from streamshark.framing.wire_format import FrameTable
from streamshark.proxy.fault_answers import error_answer, sent_frame
from streamshark.proxy.fault_changes import with_changed_field
from streamshark.proxy.faults import Fault, FaultUse
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Close,
    Command,
    End,
    Notice,
    Pause,
    Remark,
    Reset,
    Resume,
    Steering,
    Wake,
)

LARGEST: Final = 4 << 20
"""Most bytes of a frame that is tested; larger ones pass."""
LOOK: Final = 0.1
"""Seconds between two looks whether a fault that stalls was cleared."""
Faults = Callable[[], Sequence[Fault]]


class FaultSteering(Steering):
    """Tests each frame by the faults of its protocol, of which the first that takes it is done.

    While there are no faults, frames are only measured.

    Args:
        inner: The steering of what goes on.
        table: The frames of the connection.
        faults: Returns the faults, which may change meanwhile.
    """

    def __init__(self, inner: Steering, table: FrameTable, faults: Faults) -> None:
        self._inner, self._table, self._faults = inner, table, faults
        self._held = [b"", b""]
        self._passed = [0, 0]
        """Bytes of those held that have gone on: without faults nothing waits."""
        self._skip = [0, 0]
        """Bytes of a frame that passes without being tested."""
        self._is_begun = [False, False]
        self._blocked: list[Fault | None] = [None, None]
        """What holds the bytes of a side back."""
        self._pending = [b"", b""]
        """The frame that waits."""
        self._is_foreign = [False, False]
        self._is_over = False
        flow = Flow(0, ("client", "server"), (0, 0), client=CLIENT)
        self._connection = Connection(flow, table, "named")
        self._connection.assume(CLIENT)
        self._offsets = [0, 0]
        self._to_send: dict[int, bytes] = {}
        """Frames for the client, by the token of the `Wake`."""
        self._last_sent = 0

    def feed(self, side: int, data: bytes) -> Iterable[Command]:
        """Take bytes that a side has sent."""
        if self._is_over:
            return ()
        if self._is_foreign[side]:
            return self._inner.feed(side, data)
        self._held[side] += data
        return self._work(side)

    def end(self, side: int) -> Iterable[Command]:
        """Return what is held of a side."""
        held = self._pending[side] + self._held[side][self._passed[side] :]
        self._pending[side] = self._held[side] = b""
        commands = [*self._inner.feed(side, held)] if held and not self._is_over else []
        return [*commands, *self._inner.end(side)]

    def may_end(self, side: int) -> bool:
        """Return whether no fault holds back what is before the end."""
        return self._is_over or (self._blocked[side] is None and self._inner.may_end(side))

    def woken(self, token: int) -> Iterable[Command]:
        """Go on after a delay, or if a fault that stalls was cleared."""
        if token not in (CLIENT, SERVER):
            return self._send_later(token)
        side = token
        fault = self._blocked[side]
        if fault is None or self._is_over:
            return ()
        if fault.action.name == "stall" and not fault.is_cleared:
            return (Wake(LOOK, side),)
        self._blocked[side] = None
        pending, self._pending[side] = self._pending[side], b""
        commands = [*self._inner.feed(side, pending), *self._work(side)]
        if self._blocked[side] is None:
            commands.append(Resume(side))
        return commands

    def _work(self, side: int) -> Iterable[Command]:
        """Test the whole frames that are held, up to one that holds the others back."""
        commands: list[Command] = []
        faults = [each for each in self._faults() if each.protocol.wire is self._table.wire]
        at, start = 0, self._passed[side]
        data = self._held[side]
        while self._blocked[side] is None and not self._is_over:
            size, is_frame = self._next(side, data, at, tests=bool(faults))
            if not size:
                break
            frame = data[at : at + size] if is_frame and faults and at >= start else b""
            at += size
            fault, row = self._fault(side, frame, faults) if frame else (None, None)
            if fault is not None and row is not None:
                if at - size > start:
                    commands += self._inner.feed(side, data[start : at - size])
                start = at
                commands += self._done(fault, row, side, frame)
        waits = faults or self._blocked[side] is not None
        end = max(at if waits else len(data), start)
        if end > start and not self._is_over:
            commands += self._inner.feed(side, data[start:end])
        self._held[side], self._passed[side] = data[at:], max(end - at, 0)
        return commands

    def _next(self, side: int, data: bytes, at: int, *, tests: bool) -> tuple[int, bool]:
        """Return the size of what can pass or be tested next, and whether it is a whole frame.

        The size is 0 if more bytes are needed.
        """
        left = len(data) - at
        if skip := min(self._skip[side], left):
            self._skip[side] -= skip
            return skip, False
        if self._is_foreign[side] or not left:
            return left, False
        measured = self._table.measure(data, at, len(data))
        if measured is None:
            return 0, False
        total, key, _, response = measured
        is_known = self._is_begun[side] or (key, response) in self._table.keys
        if total < self._table.least or not is_known:
            self._is_foreign[side] = True
            return left, False
        self._is_begun[side] = True
        if total > LARGEST or (total > left and not tests):
            self._skip[side] = max(total - left, 0)
            return min(total, left), False
        return (total, True) if total <= left else (0, False)

    def _fault(
        self, side: int, frame: bytes, faults: Sequence[Fault]
    ) -> tuple[Fault | None, FrameRow | None]:
        """Return the fault that is done to a frame, and its row."""
        offset = self._offsets[side]
        self._offsets[side] += len(frame)
        segment = Segment(0, side, offset, frame, 0, 0, 0, 0, 0, 0, 0, is_payload=False)
        for row in self._connection.feed(segment):
            if isinstance(row, FrameRow) and row.data == frame:
                return next((each for each in faults if each.takes(row)), None), row
        return None, None

    def _later(self, seconds: float, data: bytes) -> Iterable[Command]:
        """Send bytes to the client, after some time."""
        self._last_sent += 2
        self._to_send[self._last_sent] = data
        return (Wake(seconds, self._last_sent),)

    def _send_later(self, token: int) -> Iterable[Command]:
        """Send a frame whose time has come; inside of another frame it waits."""
        if self._is_inside_frame:
            return (Wake(LOOK, token),)
        data = self._to_send.pop(token, b"")
        return () if self._is_over or not data else self._inner.feed(SERVER, data)

    @property
    def _is_inside_frame(self) -> bool:
        """Whether the client has got a part of a frame of the server."""
        return bool(self._skip[SERVER] or self._passed[SERVER])

    def _done(self, fault: Fault, row: FrameRow, side: int, frame: bytes) -> Iterable[Command]:
        """Do a fault to a frame, with a line and a comment in the recording."""
        name = "" if row.decoder is None else row.decoder.tree.schema.name
        text = FaultUse(name, side, fault.text).text
        try:
            commands = [*self._acted(fault, row, side, frame)]
        except StreamsharkError as error:
            return [Notice(f"{text}: not done: {error}"), *self._inner.feed(side, frame)]
        fault.count_use()
        return [Notice(text), Remark(text), *commands]

    def _acted(self, fault: Fault, row: FrameRow, side: int, frame: bytes) -> Iterable[Command]:
        """Return what is done in the place of a frame."""
        action = fault.action
        match action.name:
            case "delay" | "stall":
                self._blocked[side], self._pending[side] = fault, frame
                return (Pause(side), Wake(action.seconds or LOOK, side))
            case "close" | "reset":
                self._is_over = True
                return _ENDINGS[action.name]
            case "error":
                answer = error_answer(row, side, frame, action.value)
                if side == CLIENT and self._is_inside_frame:
                    return self._later(LOOK, answer)
                return self._inner.feed(SERVER, answer)
            case "send":
                data = sent_frame(row, frame, action.field, action.value)
                return [*self._inner.feed(side, frame), *self._later(action.seconds, data)]
        changed = _changed(fault, row, frame)
        return self._inner.feed(side, changed) if changed else ()


_ENDINGS: Final[dict[str, tuple[Command, ...]]] = {
    "close": (End(CLIENT), End(SERVER), Close()),
    "reset": (Reset(CLIENT), Reset(SERVER)),
}


def _changed(fault: Fault, row: FrameRow, frame: bytes) -> bytes:
    """Return what goes on in the place of a frame."""
    action, decoder = fault.action, row.decoder
    if action.name == "drop":
        return b""
    if action.name == "duplicate":
        return frame * 2
    if decoder is None:
        raise StreamsharkError("a frame of an unknown command")
    return with_changed_field(action, decoder, frame)
