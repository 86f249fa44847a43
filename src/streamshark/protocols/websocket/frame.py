"""One frame of WebSocket as it is meant: unmasked, and what is wrong with it."""

from typing import Final, NamedTuple

from streamshark.decoding.codecs import unmask
from streamshark.framing.splitter import RawFrame
from streamshark.protocols.websocket.codes import (
    APPLICATIONS,
    CONTROL,
    LIBRARIES,
    CloseCode,
    Opcode,
)
from streamshark.protocols.websocket.framing import LENGTH_16, LENGTH_64, MASK
from streamshark.protocols.websocket.head import MASKED, MOST_16, SIZES

MOST_CONTROL: Final = 125
"""Most bytes of a control frame's payload (RFC 6455, 5.5)."""


class WebSocketFrame(NamedTuple):
    """One frame, its payload without the mask."""

    cut: RawFrame
    opcode: int
    fin: bool
    rsv1: bool
    rsv: int
    masked: bool
    padded: bool
    """Whether its length would have fitted in fewer bytes."""
    payload: bytes

    @classmethod
    def of(cls, cut: RawFrame) -> "WebSocketFrame | None":
        """Read a frame; None if the bytes are no frame."""
        if cut.selector is None or (cut.problem is not None and cut.problem.code.stops):
            return None
        data = cut.data
        flags, second = data[0], data[1]
        short, masked, start = second & ~MASKED, second >= MASKED, SIZES[second]
        size = len(data) - start
        if size < 0:
            return None
        payload = data[start:]
        if masked and size:
            payload = unmask(payload, data[start - MASK : start])
        padded = (short == LENGTH_16 and size < LENGTH_16) or (
            short == LENGTH_64 and size <= MOST_16
        )
        fin, rsv1 = flags > 0x7F, flags & 0x40 != 0  # noqa: PLR2004 - the uppermost bit
        rsv, opcode = flags >> 4 & 3, flags & 15
        return cls(cut, opcode, fin, rsv1, rsv, masked, padded, payload)

    def fault(self, *, masks: bool | None, deflates: bool) -> str | None:
        """Return its fault (RFC 6455, 5.1 to 5.5); None without one.

        Args:
            masks: Whether its sender is the client, which masks; None if unknown.
            deflates: Whether messages may be deflated.
        """
        if masks in (None, self.masked) and not (
            self.rsv1 or self.rsv or self.padded or self.opcode >= CONTROL
        ):
            return None
        size, control = len(self.payload), self.opcode >= CONTROL
        begins = self.opcode in (Opcode.TEXT, Opcode.BINARY)
        found = {
            "a server's frame is masked": self.masked and masks is False,
            "a client's frame has no mask": not self.masked and masks is True,
            "reserved bits are set": self.rsv != 0,
            "the length is not written in the fewest bytes": self.padded,
            "a control frame is fragmented": control and not self.fin,
            f"a control frame of {size} bytes; {MOST_CONTROL} are possible": (
                control and size > MOST_CONTROL
            ),
            "a frame that begins no message is marked as deflated": self.rsv1 and not begins,
            "a message is deflated, which was not agreed": self.rsv1 and begins and not deflates,
        }
        return next((message for message, is_so in found.items() if is_so), None)


def closed(payload: bytes) -> tuple[dict[str, object], list[str]]:
    """Code and reason of a close frame, and what is wrong with them (RFC 6455, 5.5.1 and 7.4)."""
    if not payload:
        return {}, []
    if len(payload) == 1:
        return {}, ["a close code of one byte"]
    code = int.from_bytes(payload[:2], "big")
    wrong = []
    if code in set(CloseCode):
        name = CloseCode(code).name.lower()
    else:
        name = "application" if code in APPLICATIONS else "library"
        if code not in LIBRARIES and code not in APPLICATIONS:
            name = "reserved"
            wrong.append(f"close code {code}, which must not be sent")
    reason = payload[2:].decode(errors="replace")
    if "\ufffd" in reason:
        wrong.append("the reason is not UTF-8")
    return {"code": code, "name": name, "reason": reason or None}, wrong
