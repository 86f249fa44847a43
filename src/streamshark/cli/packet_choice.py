"""Which packets `read -w` writes: all, those of connections, or those of selected rows."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol

from streamshark.capture.number_set import NumberSet
from streamshark.capture.packet import NO_FLOW
from streamshark.cli.row_selection import RowSelection
from streamshark.dissection.row import Row

FlowBlocks = Iterable[tuple[int, int, Sequence[int]]]
"""Connections of packets, as of `PacketColumn.blocks`."""


class PacketChoice(Protocol):
    """A choice of packets, made while rows are read."""

    def select(self, row: Row) -> None:
        """Choose what belongs to a selected row."""

    def select_packet(self, file: int, number: int) -> None:
        """Choose a selected packet."""

    def group(self, row: Row) -> Hashable:
        """Return what the packets of a row are chosen by; None if they will not be chosen."""

    def has_group(self, group: Hashable) -> bool:
        """Return whether packets of a group are chosen."""

    def settle(self, packets: FlowBlocks) -> None:
        """Settle the choice after all rows were read; `packets` has the connections of packets."""

    def has(self, file: int, number: int, flow: int) -> bool:
        """Return whether a packet of a connection is chosen."""


class AllPackets:
    """The choice of all packets."""

    def select(self, row: Row) -> None:
        """Do nothing."""

    def select_packet(self, file: int, number: int) -> None:
        """Do nothing."""

    def group(self, _row: Row) -> Hashable:
        """Return the only group."""
        return True

    def has_group(self, _group: Hashable) -> bool:
        """Return True."""
        return True

    def settle(self, packets: FlowBlocks) -> None:
        """Do nothing."""

    def has(self, _file: int, _number: int, _flow: int) -> bool:
        """Return True."""
        return True


class ConnectionPackets:
    """The packets of connections: of `--flow` and `--conversation`."""

    def __init__(self, selection: RowSelection) -> None:
        self._selection = selection
        self._may_grow = bool(selection.conversations)
        self._flows: frozenset[int] = frozenset()

    def select(self, row: Row) -> None:
        """Do nothing: the selection of rows notes connections itself."""

    def select_packet(self, file: int, number: int) -> None:
        """Do nothing: packets are not selected one by one."""

    def group(self, row: Row) -> Hashable:
        """Return the connection of a row."""
        flow = row.connection.flow.number
        return flow if self._may_grow or flow in self._selection.flows else None

    def has_group(self, group: Hashable) -> bool:
        """Return whether a connection is chosen."""
        return group in self._selection.flows

    def settle(self, _packets: FlowBlocks) -> None:
        """Take the connections of the conversations that were found."""
        self._flows = self._selection.flows

    def has(self, _file: int, _number: int, flow: int) -> bool:
        """Return whether the connection of a packet is chosen."""
        return flow in self._flows


class SelectedConnections:
    """The packets of the connections that have a selected row or packet."""

    def __init__(self) -> None:
        self._flows: set[int] = set()
        self._packets = SelectedPackets()

    def select(self, row: Row) -> None:
        """Choose the connection of a row."""
        self._flows.add(row.connection.flow.number)

    def select_packet(self, file: int, number: int) -> None:
        """Choose the connection of a packet."""
        self._packets.select_packet(file, number)

    def group(self, row: Row) -> Hashable:
        """Return the connection of a row."""
        return row.connection.flow.number

    def has_group(self, group: Hashable) -> bool:
        """Return whether a connection is chosen."""
        return group in self._flows

    def settle(self, packets: FlowBlocks) -> None:
        """Take the connections of the selected packets."""
        if self._packets.is_any:
            self._flows |= self._packets.flows(packets)

    def has(self, file: int, number: int, flow: int) -> bool:
        """Return whether a packet, or its connection, is chosen."""
        return flow in self._flows or self._packets.has(file, number, flow)


class SelectedPackets:
    """Packets: selected ones, and those that carry selected rows."""

    def __init__(self) -> None:
        self._files: defaultdict[int, NumberSet] = defaultdict(NumberSet)

    def select(self, row: Row) -> None:
        """Choose the packets that carry a row."""
        for number in (*row.packets, row.packet):
            self.select_packet(row.file, number)

    def select_packet(self, file: int, number: int) -> None:
        """Choose a packet."""
        self._files[file].add(number)

    def group(self, row: Row) -> Hashable:
        """Return the packets of a row."""
        return row.file, *row.packets

    def has_group(self, group: Hashable) -> bool:
        """Return whether a packet of a row is chosen."""
        if not isinstance(group, tuple):
            return False
        file, *numbers = group
        return any(each in self._files[file] for each in numbers)

    @property
    def is_any(self) -> bool:
        """Whether a packet is chosen."""
        return bool(self._files)

    def flows(self, packets: FlowBlocks) -> set[int]:
        """Return the connections of the chosen packets."""
        return {
            flow
            for file, first, flows in packets
            for number, flow in enumerate(flows, first)
            if flow != NO_FLOW and number in self._files[file]
        }

    def settle(self, packets: FlowBlocks) -> None:
        """Do nothing."""

    def has(self, file: int, number: int, _flow: int) -> bool:
        """Return whether a packet is chosen."""
        return number in self._files[file]
