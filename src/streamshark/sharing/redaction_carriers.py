"""The bytes of a connection whose frames a carrier transports."""

from typing import Final

from streamshark.dissection.row import FrameRow
from streamshark.flows.segment import Gap, Segment
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_http2 import Http2Side
from streamshark.sharing.redaction_streams import StreamPieces
from streamshark.sharing.redaction_websocket import WebSocketSide

CARRIERS: Final[dict[str, type[Http2Side] | type[WebSocketSide]]] = {
    "http2": Http2Side,
    "websocket": WebSocketSide,
}
"""Id of a carrier to the class that replaces its bytes."""


class CarriedStreams:
    """Both directions of one connection."""

    def __init__(
        self, carrier: str, flow: int, pieces: StreamPieces, frames: FrameRedaction
    ) -> None:
        def put(side: int, offset: int, data: bytes) -> None:
            pieces.add(2 * flow + side, offset, data)

        make = CARRIERS[carrier]
        self._sides = [make(side, put, frames) for side in (0, 1)]

    def feed(self, each: Segment | Gap) -> None:
        """Read the next bytes of a side, or that bytes are missing."""
        side = self._sides[each.side]
        if isinstance(each, Segment):
            side.feed(each.offset, each.data)
        else:
            side.lose()

    def message(self, row: FrameRow, made: bytes) -> None:
        """Put the new bytes of a row in place of its own."""
        self._sides[row.side].message(row, made)

    def finish(self) -> None:
        """Write what no row has replaced."""
        for side in self._sides:
            side.finish()
