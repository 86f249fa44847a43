"""A session that dissects some of the connections, and passes by all others quickly.

Several tasks can so read the same captures, each its share of the connections, and every one of
them gives connections, packets and offsets the numbers that a reading of everything gives: it sees
of all connections the packets that number them (the first of each direction, and each SYN), and of
all packets the time.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from streamshark.capture.packet import PacketBatch
from streamshark.flows.internet import Found, endpoints, find_tcp
from streamshark.frames.connection import Delivered
from streamshark.frames.cutting import At
from streamshark.frames.frame import Row
from streamshark.session import Session, merged, steady

_NO_LINK = -1
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


def share_of(addresses: tuple[str, str], shares: int) -> int:
    """The share that a connection between two addresses is in."""
    return crc32(" ".join(sorted(addresses)).encode()) % shares


class Share(Session):
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

    def is_mine(self, flow: int) -> bool:
        """Whether a connection is of this share."""
        return share_of(self.tracker.flows[flow].addresses, self.shares) == self.share

    def _mine(self, delivered: list[Delivered]) -> list[Delivered]:
        if self.shares == 1:
            return delivered
        known: dict[int, bool] = {}
        out = []
        for each in delivered:
            mine = known.get(each.flow)
            if mine is None:
                mine = known[each.flow] = self.is_mine(each.flow)
            if mine:
                out.append(each)
        return out

    def _ended(self, at: At) -> list[Row]:
        rows = super()._ended(at)
        return [row for row in rows if self.is_mine(row.connection.flow.number)]

    def _passed(self, batch: PacketBatch) -> PacketBatch:
        """The packets, those that others look at marked so that nobody does here."""
        if self.shares == 1:
            return batch
        data, links, directions = batch.data, list(batch.links), self._directions
        for at, start in enumerate(batch.starts):
            captured = batch.captured[at]
            kind = version = fragment = protocol = 0
            if links[at] == _ETHERNET and captured >= _USUAL_SIZE:
                kind, version, fragment, protocol = _USUAL(data, start)
            if (kind, version, protocol) == _IPV4_TCP and not fragment & _NOT_WHOLE:
                key, flags = data[start + _KEY_AT : start + _KEY_END], data[start + _FLAGS_AT]
            else:
                found = find_tcp(links[at], data, start, captured, batch.original[at])
                if not isinstance(found, Found):
                    continue
                key, flags = found.key, found.data[found.header + _TCP_FLAGS]
            mine = directions.get(key)
            if mine is None:
                addresses, _ = endpoints(key)
                directions[key] = share_of(addresses, self.shares) == self.share
            elif not mine and not flags & _SYN:
                links[at] = _NO_LINK
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
