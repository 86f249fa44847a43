"""A session that dissects some of the connections, and passes by all others quickly.

Several tasks can so read the same captures, each its share of the connections, and every one of
them gives connections, packets and offsets the numbers that a reading of everything gives: it sees
of all connections the packets that number them (the first of each direction, and each SYN), and of
all packets the time.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from zlib import crc32

from streamshark.capture.merge import merged, steady
from streamshark.capture.packet import PacketBatch
from streamshark.dissection.connection import Connection, Delivered
from streamshark.dissection.row import Row
from streamshark.flows.ip import TCP, TcpHeader, endpoints, find_tcp
from streamshark.flows.ip_fragments import Fragment
from streamshark.framing.splitter import At
from streamshark.session import Session

NO_LINK = -1
"""Link type of what is passed by."""
_ETHERNET = 1
_USUAL = struct.Struct(">12xHB5xHxB").unpack_from
"""Ethernet and IPv4: EtherType, version and header length, fragment, protocol."""
_IPV4_TCP = (0x0800, 0x45, 6)
_USUAL_SIZE = 50
_KEY_AT, _KEY_END, _FLAGS_AT = 26, 38, 47
_NOT_WHOLE = 0x3FFF
_TCP_FLAGS = 13
_SYN = 2
_NO_PORTS = bytes(4)


def share_of(addresses: tuple[str, str], shares: int) -> int:
    """The share that a connection between two addresses is in."""
    return crc32(" ".join(sorted(addresses)).encode()) % shares


class PartitionSession(Session):
    """Share `share` of `shares`; with one share all connections.

    Rows come as they are found, not in the order of time, and have no running numbers.
    """

    def __init__(
        self,
        sources: Iterable[str],
        share: int = 0,
        shares: int = 1,
        **options: Any,  # noqa: ANN401 - those of a session
    ) -> None:
        super().__init__(sources, **options)
        self.share = share
        self.shares = shares
        self._directions: dict[bytes, bool] = {}
        """Addresses and ports of which a packet has come to whether it is of this share."""

    def read(self) -> Iterator[Row]:
        """Rows of this share, as they are found; see `Session.read`."""
        fresh = self.captures[self._begun :]
        self._begun = len(self.captures)
        for batch, _ in steady(merged(fresh, self.limit)):
            if self.started_ns is None:
                self.started_ns = batch.times[0]
            delivered = self.decryption.feed(self._mine(self.tracker.feed(self._passed(batch))))
            rows = self._rows(delivered)
            if rows:
                self.ended = max(self.ended, *(row.order[:3] for row in rows))
            yield from rows

    def finish(self, at: At | None = None) -> Iterator[Row]:
        """What the end of the captures tells; `at` is the last row of all shares before it."""
        yield from self._ended(self.ended if at is None else at)

    def is_mine(self, connection: Connection) -> bool:
        """Whether a connection is of this share: all that remember others are of the first."""
        if self.shares > 1 and remembers(connection):
            return not self.share
        return self._is_of(connection.flow.addresses)

    def _is_of(self, addresses: tuple[str, str]) -> bool:
        return share_of(addresses, self.shares) == self.share

    def _mine(self, delivered: list[Delivered]) -> list[Delivered]:
        if not self.share:  # which has to look at all until it is known what they speak
            return delivered
        known: dict[int, bool] = {}
        out = []
        for each in delivered:
            mine = known.get(each.flow)
            if mine is None:
                addresses = self.tracker.flows[each.flow].addresses
                mine = known[each.flow] = self._is_of(addresses)
            if mine:
                out.append(each)
        return out

    def _ended(self, at: At) -> list[Row]:
        rows = super()._ended(at)
        return [row for row in rows if self.is_mine(row.connection)]

    def _undecided(self, delivered: Delivered) -> list[Row]:
        rows = super()._undecided(delivered)
        connection = self.connections.get(delivered.flow)
        if connection is not None and not self.is_mine(connection):
            self.connections[delivered.flow] = None
            return []
        return rows

    def _passed(self, batch: PacketBatch) -> PacketBatch:
        """The packets, those that others look at marked so that nobody does here."""
        if self.shares == 1:
            return batch
        return passed(batch, self._is_wanted, syns=True)

    def _is_wanted(self, key: bytes) -> bool:
        """Whether packets of a direction are of this share; the first one always is looked at."""
        mine = self._directions.get(key)
        if mine is None:
            self._directions[key] = not self.share or self._is_of(endpoints(key)[0])
        return mine is not False


def remembers(connection: Connection) -> bool:
    """Whether what the frames of a connection mean may depend on other connections."""
    has_guests = (connection.outer or connection).nest is not None
    return has_guests or connection.wire.resumption is not None


def passed(
    batch: PacketBatch,
    wanted: Callable[[bytes], bool],
    *,
    syns: bool = False,
    hosts: bool = False,
) -> PacketBatch:
    """Packets, those whose direction is not wanted marked so that nobody looks at them.

    With `syns` each SYN is wanted. With `hosts` the hosts alone say what is wanted: fragments of
    TCP can be told, too, by a key without ports.
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
    return PacketBatch(
        batch.file,
        batch.first,
        data,
        batch.times,
        batch.starts,
        batch.captured,
        batch.original,
        links,
    )
