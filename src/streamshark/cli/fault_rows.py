"""Rows of the faults that a proxy has done: events that the comments of its recording describe."""

from streamshark.capture.packet import NO_FLOW, PacketBatch
from streamshark.dissection.row import ConnectionRecord, EventRow, Row
from streamshark.framing.splitter import PacketRef
from streamshark.proxy.faults import SIDES, FaultUse
from streamshark.session import Session

PROTOCOL = "proxy"
"""The `protocol` of these rows."""
COMMAND = "fault"


class FaultRows:
    """Finds the faults in a recording while it is read.

    Args:
        session: The reading; its packets are looked at from now on.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rows: list[Row] = []
        session.dissector.on_packets(lambda batch, _delivered: self._see(batch))

    def take(self) -> list[Row]:
        """Return the rows since the last call."""
        rows, self._rows = self._rows, []
        return rows

    def _see(self, batch: PacketBatch) -> None:
        comments = self._session.captures[batch.file].take_comments()
        if not comments:
            return
        flows, _ = self._session.dissector.tracker.packet_flows()
        for each in comments:
            at, use = each.number - batch.first, FaultUse.parsed(each.text)
            if each.kind == "packet" and use is not None and 0 <= at < len(flows):
                self._add(use, batch, at, flows[at])

    def _add(self, use: FaultUse, batch: PacketBatch, at: int, number: int) -> None:
        if number == NO_FLOW:
            return
        session = self._session
        flow = session.flow(number)
        record = session.dissector.connections.get(number) or ConnectionRecord(
            flow, session.dissector.known.tables[0], PROTOCOL
        )
        client = flow.client or 0
        packet = batch.first + at
        place = PacketRef([packet], (batch.times[at], batch.file, packet))
        side = client if use.side == 0 else 1 - client
        row = EventRow.restored(
            record,
            side,
            0,
            place,
            COMMAND,
            dict(use.fields),
            protocol=PROTOCOL,
            sender=SIDES[use.side],
            problems=(),
        )
        self._rows.append(row)
