"""Choices of packets, by selected rows and packets."""

from types import SimpleNamespace
from typing import Any, cast

from streamshark.cli.packet_choice import AllPackets, SelectedConnections, SelectedPackets
from streamshark.dissection.row import Row

FLOWS = [(0, 1, [0, 1, -1, 1])]
"""Connections of the packets 1 to 4 of a capture."""


def row(flow: int, packet: int, *packets: int) -> Row:
    """A row of a connection, completed by one packet and carried by some."""
    connection = SimpleNamespace(flow=SimpleNamespace(number=flow))
    made: Any = SimpleNamespace(connection=connection, file=0, packet=packet, packets=packets)
    return cast("Row", made)


def chosen(choice: SelectedPackets | SelectedConnections) -> list[int]:
    """The numbers of the packets that are chosen."""
    choice.settle(FLOWS)
    return [n for n, flow in enumerate(FLOWS[0][2], 1) if choice.has(0, n, flow)]


def test_packets_of_rows() -> None:
    """All that carry a row, and the packet that completed it."""
    choice = SelectedPackets()
    choice.select(row(0, 3, 1))
    assert chosen(choice) == [1, 3]
    assert choice.has_group(choice.group(row(1, 4, 2, 3)))
    assert not choice.has_group(choice.group(row(1, 4, 2, 4)))
    assert not choice.has(1, 1, 0)


def test_connections_of_rows_and_packets() -> None:
    """A packet of no connection is chosen alone."""
    choice = SelectedConnections()
    choice.select(row(0, 1, 1))
    assert chosen(choice) == [1]
    choice = SelectedConnections()
    choice.select_packet(0, 2)
    assert chosen(choice) == [2, 4]
    assert choice.has_group(choice.group(row(1, 4)))
    assert not choice.has_group(choice.group(row(0, 1)))
    choice = SelectedConnections()
    choice.select_packet(0, 3)
    assert chosen(choice) == [3]


def test_all_packets() -> None:
    """Nothing needs to be selected."""
    choice = AllPackets()
    assert choice.has(0, 7, -1)
    assert choice.has_group(choice.group(row(0, 1)))
