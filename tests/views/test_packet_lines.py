"""Packets of `--packets` as lines and columns."""

from tests.filters.reading import PUBLISH, read

from streamshark.dissection.row import FrameRow
from streamshark.views.packet_lines import PacketColumns, packet_line
from streamshark.views.times import Clock


def test_a_packet_without_rows() -> None:
    """Has a line like those of rows."""
    packets = read(PUBLISH).packets
    clock = Clock("r", lambda: packets[0].time_ns)

    assert packet_line(packets[1], clock) == (
        "     p2      0.000015 127.0.0.1:5552  -> 127.0.0.1:41556 tcp       flags=A··S length=0"
    )


def test_columns() -> None:
    """Headers as tshark shows them, and the values of all rows."""

    def column(_name: str):  # noqa: ANN202 - a function of a row
        return lambda row: row.name if isinstance(row, FrameRow) else ""

    names = ["frame.number", "tcp.flags", "ip.src", "frame.time_relative", "name", "tcp.flags.syn"]
    columns = PacketColumns(names, column, "\t", ",")
    lines = [columns.line(each) for each in read(PUBLISH).packets]

    assert lines[1] == "2\t0x0012\t127.0.0.1\t0.000015000\t\t1"
    assert lines[24] == "25\t0x0018\t127.0.0.1\t0.004307000\tpublish,publish,publish\t0"
