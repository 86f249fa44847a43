"""Reader of a partition of the connections, which skips all others quickly.

Several tasks can so read the same captures, each its partition, and every one of them numbers
connections, packets and offsets as a reading of everything does: of all connections it sees the
packets that number them (the first of each direction, and each SYN), and of all packets the time.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from streamshark.flows.tracker import FlowTracker
from streamshark.framing.splitter import At

NO_LINK = -1
"""Link type of a skipped packet."""
_ETHERNET = 1
_USUAL = struct.Struct(">12xHB5xHxB2x12s9xB").unpack_from
"""Ethernet, IPv4 without options and TCP: EtherType, version and header length, fragment, protocol,
addresses and ports, flags."""
_IPV4_TCP = (0x0800, 0x45, 6)
_USUAL_SIZE = 50
_NOT_WHOLE = 0x3FFF
_TCP_FLAGS = 13
SYN = 2
"""The flag of TCP."""
_NO_PORTS = bytes(4)


def share_of(addresses: tuple[str, str], shares: int) -> int:
    """Return the partition of a connection between two addresses."""
    return crc32(" ".join(sorted(addresses)).encode()) % shares


def dissector_of(
    options: Mapping[str, Any],
    *,
    tracker: FlowTracker | None = None,
    follows: Callable[[ConnectionRecord], bool] | None = None,
) -> Dissector:
    """Return a dissector with the options of a session, and those of `Dissector` itself."""
    known = dict(options)
    keylog, puts_together = known.pop("keylog", None), known.pop("puts_together", True)
    return Dissector(
        known_protocols(**known),
        keylog=keylog,
        puts_together=puts_together,
        tracker=tracker,
        follows=follows,
    )


_known: "list[tuple[tuple[Any, ...], KnownProtocols]]" = []
"""The protocols of the last reading, with what was asked for."""


def known_protocols(**options: Any) -> KnownProtocols:  # noqa: ANN401 - those of `KnownProtocols.of`
    """Return the protocols of a reading; those of the last one, if it had the same options."""
    asked = tuple(
        tuple(map(id, value)) if isinstance(value, tuple) else repr(value)
        for _, value in sorted(options.items())
    )
    if not _known or _known[0][0] != asked:
        _known[:] = [(asked, KnownProtocols.of(**options))]
    return _known[0][1]


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
    links = list(batch.links)
    for at, found in enumerate(directions(batch, hosts=hosts)):
        if found is not None and not wanted(found[0]) and not (syns and found[1] & SYN):
            links[at] = NO_LINK
    return replace(batch, links=links)


def tcp_keys(batch: PacketBatch) -> Iterator[bytes | Fragment | None]:
    """Yield of each packet of a batch the addresses and ports of TCP, a fragment, or None."""
    data = batch.data
    columns = zip(batch.starts, batch.links, batch.captured, batch.original, strict=True)
    for start, link, captured, original in columns:
        if link == _ETHERNET and captured >= _USUAL_SIZE:
            kind, version, fragment, protocol, key, _ = _USUAL(data, start)
            if (kind, version, protocol) == _IPV4_TCP and not fragment & _NOT_WHOLE:
                yield key
                continue
        found = find_tcp(link, data, start, captured, original)
        if isinstance(found, TcpHeader):
            yield found.key
        else:
            yield found if isinstance(found, Fragment) else None


def directions(batch: PacketBatch, *, hosts: bool = False) -> Iterator[tuple[bytes, int] | None]:
    """Yield of each packet of a batch the addresses, ports and flags of TCP, or None.

    With `hosts`, fragments of TCP have addresses too, with ports of 0.
    """
    data = batch.data
    columns = zip(batch.starts, batch.links, batch.captured, batch.original, strict=True)
    for start, link, captured, original in columns:
        if link == _ETHERNET and captured >= _USUAL_SIZE:
            kind, version, fragment, protocol, key, flags = _USUAL(data, start)
            if (kind, version, protocol) == _IPV4_TCP and not fragment & _NOT_WHOLE:
                yield key, flags
                continue
        found = find_tcp(link, data, start, captured, original)
        if isinstance(found, TcpHeader):
            yield found.key, found.data[found.header + _TCP_FLAGS]
        elif hosts and isinstance(found, Fragment) and found.protocol == TCP:
            yield found.addresses + _NO_PORTS, 0
        else:
            yield None
