"""Reader of a partition of the connections, which skips all others quickly.

Several tasks can so read the same captures, each its partition, and every one of them numbers
connections, packets and offsets as a reading of everything does: of all connections it sees the
packets that number them (the first of each direction, and each SYN), and of all packets the time.
"""

import struct
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

from streamshark.capture import Capture, open_capture
from streamshark.capture.merge import merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.connection import Delivered
from streamshark.dissection.row import ConnectionRecord, Row
from streamshark.dissector import Dissector, KnownProtocols
from streamshark.flows.ip import TCP, TcpHeader, endpoints, find_tcp
from streamshark.flows.ip_fragments import Fragment
from streamshark.flows.segment import Flow
from streamshark.flows.tracker import FlowTracker
from streamshark.framing.splitter import At
from streamshark.framing.wire_format import FrameTable

NO_LINK = -1
"""Link type of a skipped packet."""
_ETHERNET = 1
_USUAL = struct.Struct(">12xHB5xHxB").unpack_from
"""Ethernet and IPv4: EtherType, version and header length, fragment, protocol."""
_IPV4_TCP = (0x0800, 0x45, 6)
_PLAIN_IPV4 = b"\x08\x00\x45"
_USUAL_SIZE = 50
_KEY_AT, _KEY_END, _FLAGS_AT = 26, 38, 47
_NOT_WHOLE = 0x3FFF
_TCP_FLAGS = 13
_SYN = 2
_NO_PORTS = bytes(4)


def share_of(addresses: tuple[str, str], shares: int) -> int:
    """Return the partition of a connection between two addresses."""
    return crc32(" ".join(sorted(addresses)).encode()) % shares


def dissector_of(
    options: Mapping[str, Any],
    *,
    tracker: FlowTracker | None = None,
    follows: Callable[[ConnectionRecord], bool] | None = None,
    expects: Callable[[Flow], FrameTable | None] | None = None,
) -> Dissector:
    """Return a dissector with the options of a session, and those of `Dissector` itself."""
    known = dict(options)
    keylog, puts_together = known.pop("keylog", None), known.pop("puts_together", True)
    return Dissector(
        KnownProtocols.of(**known),
        keylog=keylog,
        puts_together=puts_together,
        tracker=tracker,
        follows=follows,
        expects=expects,
    )


class PartitionReader:
    """Reader of partition `share` of `shares`; of all connections if `shares` is 1.

    Rows come as they are found, not in order of time, and without numbers.
    """

    def __init__(
        self,
        sources: Iterable[str],
        share: int = 0,
        shares: int = 1,
        **options: Any,  # noqa: ANN401 - those of a session
    ) -> None:
        self.share = share
        self.shares = shares
        self.dissector = dissector_of(options, follows=self.is_mine)
        self.captures: list[Capture] = self.dissector.captures
        self.captures += (open_capture(source, index) for index, source in enumerate(sources))
        self._begun = 0
        """Number of captures that are being read, or have been."""
        self._directions: dict[bytes, bool] = {}
        """Addresses and ports of each direction so far to whether it is of this partition."""

    def read(self) -> Iterator[Row]:
        """Yield rows of this partition, as found, without those that only the end completes."""
        fresh = self.captures[self._begun :]
        self._begun = len(self.captures)
        dissector = self.dissector
        for batch, _ in steady(merged(fresh, None)):
            delivered = self._mine(dissector.tracker.feed(self._passed(batch)))
            rows = dissector.dissect(dissector.decryption.feed(delivered))
            dissector.order.note(rows)
            yield from rows

    def finish(self, at: At | None = None) -> Iterator[Row]:
        """Return the remaining rows; `at` is the last row of all partitions before them."""
        rows = self.dissector.finish(self.dissector.order.last if at is None else at)
        return (row for row in rows if self.is_mine(row.connection))

    def is_mine(self, connection: ConnectionRecord) -> bool:
        """Return whether a connection is of this partition.

        Connections that depend on others are all of partition 0.
        """
        if self.shares > 1 and remembers(connection):
            return not self.share
        return self._is_of(connection.flow.addresses)

    def state(self) -> dict[str, Any]:
        """Return the state between two captures, for a reader with the same options."""
        return {
            "dissector": self.dissector.state(),
            "directions": self._directions,
        }

    def resume(self, state: Mapping[str, Any], captures: Iterable[Capture]) -> None:
        """Continue from a state, after the captures that were read for it."""
        self.dissector.resume(state["dissector"], captures)
        self._begun = len(self.captures)
        self._directions = state["directions"]

    def _is_of(self, addresses: tuple[str, str]) -> bool:
        return share_of(addresses, self.shares) == self.share

    def _mine(self, delivered: list[Delivered]) -> list[Delivered]:
        if not self.share:  # partition 0 needs all until their protocols are known
            return delivered
        known: dict[int, bool] = {}
        flows = self.dissector.tracker.flows
        out = []
        for each in delivered:
            mine = known.get(each.flow)
            if mine is None:
                mine = known[each.flow] = self._is_of(flows[each.flow].addresses)
            if mine:
                out.append(each)
        return out

    def _passed(self, batch: PacketBatch) -> PacketBatch:
        """Return the packets, those of other partitions marked as no packets."""
        if self.shares == 1:
            return batch
        return passed(batch, self._is_wanted, syns=True)

    def _is_wanted(self, key: bytes) -> bool:
        """Return whether a direction is of this partition; its first packet is always wanted."""
        mine = self._directions.get(key)
        if mine is None:
            self._directions[key] = not self.share or self._is_of(endpoints(key)[0])
        return mine is not False


def remembers(connection: ConnectionRecord) -> bool:
    """Return whether the meaning of a connection's frames may depend on other connections."""
    has_embedded = (connection.outer or connection).embeds
    return has_embedded or connection.wire.resumption is not None


def passed(
    batch: PacketBatch,
    wanted: Callable[[bytes], bool],
    *,
    syns: bool = False,
    hosts: bool = False,
) -> PacketBatch:
    """Return the packets, those of unwanted directions marked as no packets.

    With `syns` each SYN is wanted. With `hosts` only hosts decide what is wanted: then fragments of
    TCP, too, are tested, by a key without ports.
    """
    data, links = batch.data, list(batch.links)
    for at, start in enumerate(batch.starts):
        captured = batch.captured[at]
        kind = version = fragment = protocol = 0
        if links[at] == _ETHERNET and captured >= _USUAL_SIZE:
            kind, version, fragment, protocol = _USUAL(data, start)
        if (kind, version, protocol) == _IPV4_TCP and not fragment & _NOT_WHOLE:
            key, flags = data[start + _KEY_AT : start + _KEY_END], data[start + _FLAGS_AT]
        else:
            found = find_tcp(links[at], data, start, captured, batch.original[at])
            if isinstance(found, TcpHeader):
                key, flags = found.key, found.data[found.header + _TCP_FLAGS]
            elif hosts and isinstance(found, Fragment) and found.protocol == TCP:
                key, flags = found.addresses + _NO_PORTS, 0
            else:
                continue
        if not wanted(key) and not (syns and flags & _SYN):
            links[at] = NO_LINK
    return _with_links(batch, links)


def without(
    batch: PacketBatch, unwanted: Container[bytes], met: Callable[[bytes], object]
) -> PacketBatch:
    """Return the packets, those of unwanted directions marked as no packets, except for SYNs.

    `met` is called with the direction of such a SYN.
    """
    data, links = batch.data, list(batch.links)
    for at, start in enumerate(batch.starts):
        key = data[start + _KEY_AT : start + _KEY_END]
        is_plain = links[at] == _ETHERNET and data[start + 12 : start + 15] == _PLAIN_IPV4
        if is_plain and key not in unwanted:
            continue  # if it is no TCP after all, it is read, and found to be none
        captured = batch.captured[at]
        fragment = protocol = 0
        if is_plain and captured >= _USUAL_SIZE:
            _, _, fragment, protocol = _USUAL(data, start)
        if protocol == TCP and not fragment & _NOT_WHOLE:
            flags = data[start + _FLAGS_AT]
        else:
            found = find_tcp(links[at], data, start, captured, batch.original[at])
            if not isinstance(found, TcpHeader) or found.key not in unwanted:
                continue
            key, flags = found.key, found.data[found.header + _TCP_FLAGS]
        if flags & _SYN:
            met(key)
        else:
            links[at] = NO_LINK
    return _with_links(batch, links)


def _with_links(batch: PacketBatch, links: list[int]) -> PacketBatch:
    """Return the same packets with other link types."""
    return replace(batch, links=links)
