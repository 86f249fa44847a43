"""Captures as filters see them: rows with annotations, and packets with their rows."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from streamshark.cli.display_filter import fields_of
from streamshark.dissection.row import Row
from streamshark.fields.registry import Fields
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter, compile_for_packets
from streamshark.filters.packets import Packet, PacketRows
from streamshark.filters.row_fields import RowFields
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
PUBLISH = CAPTURES / "rabbitmq_stream" / "publish_confirm" / "traffic.pcapng"
LOGIN = CAPTURES / "rabbitmq_stream" / "login_fails" / "traffic.pcapng"


class Read(NamedTuple):
    """One capture."""

    rows: list[Row]
    packets: list[Packet]
    fields: Fields

    def frames(self, text: str) -> list[int]:
        """Return the numbers of the frames that a filter selects."""
        chosen = Filter(text, RowFields(self.fields))
        return [row.number for row in self.rows if chosen(row) and row.number]

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the packets that a filter selects."""
        chosen = compile_for_packets(text, self.fields)
        return [packet.number for packet in self.packets if chosen(packet)]


@cache
def read(path: Path) -> Read:
    """Return the rows and packets of a capture."""
    session = Session([str(path)])
    packets: list[Packet] = []
    joined = PacketRows(packets.append)
    session.on_packets(lambda batch: joined.batch(batch, session.yielded_ns))
    rows = []
    for row in session.analysis(derives=lambda _table: True).rows():
        rows.append(row)
        joined.row(row)
    joined.finish()
    return Read(rows, packets, fields_of({"paths": ()}, session))


def error_of(text: str) -> FilterError:
    """Return the error of a filter of packets."""
    try:
        compile_for_packets(text, read(PUBLISH).fields)
    except FilterError as error:
        return error
    raise AssertionError(f"{text} is accepted")
