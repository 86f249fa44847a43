"""Client randoms: by them the secrets of TLS connections are found in a key log.

A ClientHello begins with the header of a record (5 bytes), that of a message (4 bytes), a version
(2 bytes) and the client random. Spec: RFC 8446, sections 4.1.2 and 5.1.
"""

from collections.abc import Iterable

from streamshark.flows.segment import Segment
from streamshark.flows.timers import Records
from streamshark.flows.tls import could_begin

MOST_FLOWS = 65_536
"""Most connections whose randoms are kept; the oldest are dropped first."""
MOST_PER_FLOW = 8
"""Most randoms of one connection: a second ClientHello has the same one, by the RFC."""
_BEGIN, _END = 11, 43
"""Offsets of the client random."""


class ClientRandoms:
    """The client randoms of each connection, found at the start of any segment."""

    def __init__(self) -> None:
        self._randoms: dict[int, list[bytes]] = {}
        self._short: dict[tuple[int, int], bytes] = {}
        """Beginnings of ClientHellos that are too short to have a random, by flow and side."""

    def take(self, delivered: Records) -> None:
        """Look for ClientHellos in records of the tracker."""
        for each in delivered:
            if each.__class__ is not Segment:
                continue
            data = each.data
            if self._short and (known := self._short.pop((each.flow, each.side), b"")):
                data = known + data
            if could_begin(data):
                self._take(each, data[:_END])

    def _take(self, segment: Segment, data: bytes) -> None:
        if len(data) < _END:
            while len(self._short) >= MOST_FLOWS:
                del self._short[next(iter(self._short))]
            self._short[segment.flow, segment.side] = data
            return
        randoms = self._randoms.setdefault(segment.flow, [])
        if len(randoms) < MOST_PER_FLOW and data[_BEGIN:] not in randoms:
            randoms.append(data[_BEGIN:])
        while len(self._randoms) > MOST_FLOWS:
            del self._randoms[next(iter(self._randoms))]

    def of(self, flows: Iterable[int]) -> frozenset[bytes]:
        """Return the client randoms of connections."""
        return frozenset(each for flow in flows for each in self._randoms.get(flow, ()))
