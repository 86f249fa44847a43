"""Servers that connections of other readers have shown, for a reader of some connections.

Which protocol is spoken at an endpoint is known from connections that were recognised there, and
from what servers advertise. A reader notes what it has learned and when, and what it has asked and
when. So it is seen whether it must read again with what others have learned before.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.dissection.advertised_endpoints import Advertised, Endpoint, endpoint
from streamshark.dissection.connection import Connection, Delivered
from streamshark.dissection.known_servers import KnownServers
from streamshark.dissector import Dissector, KnownProtocols, advertised_by
from streamshark.framing.carried import Route
from streamshark.framing.wire_format import FrameTable

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder
    from streamshark.dissection.row import FrameRow, Row
    from streamshark.flows.segment import Flow

Moment = tuple[int, int, int, int]
"""Epoch, time in ns, file and packet."""
START: Final[Moment] = (-1, 0, 0, 0)
END: Final[Moment] = (1 << 62, 0, 0, 0)


class Learned(NamedTuple):
    """What a connection has shown of a server."""

    at: Moment
    kind: str
    """`route`, `certain`, `advertised` or `name`."""
    server: str
    """Endpoint, or for a name the address."""
    value: int | str
    """Number of the route, protocol and dialect of what is advertised, or the name."""

    @property
    def port(self) -> str:
        """Port of the endpoint; empty for a name."""
        return "" if self.kind == "name" else self.server.rpartition(":")[2]


class Asked(NamedTuple):
    """A question what is spoken at an endpoint, with no answer."""

    at: Moment
    server: str

    def is_answered(self, by: Iterable[Learned]) -> bool:
        """Return whether others may have known before; a name may stand for any address."""
        port = self.server.rpartition(":")[2]
        return any(
            each.at <= self.at
            and (each.server == self.server or (each.kind == "advertised" and each.port == port))
            for each in by
        )


class ServerNews:
    """What others have learned, in order, as far as it comes before the packet at hand."""

    def __init__(self, given: Sequence[Learned]) -> None:
        self.given = sorted(given)
        self.now: Moment = START
        self.learned: list[Learned] = []
        self.asked: list[Asked] = []
        self._taken = 0

    def take(self) -> list[Learned]:
        """Return what others have learned since the last call, up to now."""
        end = bisect_right(self.given, self.now, key=lambda each: each.at)
        start, self._taken = self._taken, max(end, self._taken)
        return self.given[start:end]

    def continue_with(self, given: Sequence[Learned]) -> None:
        """Take what others learn from now on."""
        self.given, self._taken, self.learned, self.asked = sorted(given), 0, [], []


class SharedServers(KnownServers):
    """Known servers, those of other readers included."""

    def __init__(self, news: ServerNews, routes: Sequence[Route]) -> None:
        super().__init__()
        self.news, self.routes = news, routes

    def __bool__(self) -> bool:
        return True

    def learn(self, endpoint: str, route: Route, *, certain: bool = False) -> None:
        """Remember the protocol of an endpoint: the latest, or the first that is `certain`."""
        before = self.known(endpoint)
        super().learn(endpoint, route, certain=certain)
        if self.known(endpoint) != before and route in self.routes:
            news, kind = self.news, "certain" if certain else "route"
            news.learned.append(Learned(news.now, kind, endpoint, self.routes.index(route)))

    def lent(self, endpoint: str) -> Route | None:
        """Return the protocol that is certain at an endpoint; None if there is none."""
        found = super().lent(endpoint)
        if found is None:
            self.news.asked.append(Asked(self.news.now, endpoint))
        return found

    def know(self, one: Learned) -> None:
        """Remember what another reader has learned."""
        if one.kind in ("route", "certain"):
            route = self.routes[int(one.value)]
            super().learn(one.server, route, certain=one.kind == "certain")


class SharedAdvertised(Advertised):
    """Advertised endpoints, those of other readers included."""

    news: ServerNews
    """Set by the dissector."""
    known: Sequence[FrameTable] = ()
    """All frame tables, set by the dissector."""

    def _take(self, row: "FrameRow", decoder: "Decoder", sources: Any) -> None:  # noqa: ANN401 - as there
        before, now = self.news.now, row.order
        self.news.now = (before[0], *now[:3]) if before != END else before
        super()._take(row, decoder, sources)
        self.news.now = before

    def _add(self, at: Endpoint, table: FrameTable) -> None:
        super()._add(at, table)
        server = f"[{at.host}]:{at.port}" if ":" in at.host else f"{at.host}:{at.port}"
        name = f"{table.wire.id} {table.dialect}"
        self.news.learned.append(Learned(self.news.now, "advertised", server, name))

    def _name(self, address: str, name: str) -> None:
        super()._name(address, name)
        self.news.learned.append(Learned(self.news.now, "name", address, name))

    def know(self, one: Learned) -> None:
        """Remember what another reader has learned."""
        if one.kind == "advertised" and (at := endpoint(one.server)) is not None:
            protocol, _, dialect = str(one.value).partition(" ")
            wire = next(each.wire for each in self.known if each.wire.id == protocol)
            super()._add(at, wire.table(dialect))
        elif one.kind == "name":
            super()._name(one.server, str(one.value))


class SharingDissector(Dissector):
    """A dissector that knows servers from other readers."""

    def __init__(
        self,
        known: KnownProtocols,
        news: ServerNews,
        **options: Any,  # noqa: ANN401 - those of a dissector
    ) -> None:
        advertised = advertised_by(known, SharedAdvertised)
        if isinstance(advertised, SharedAdvertised):
            advertised.news, advertised.known = news, known.tables
        super().__init__(
            known, servers=SharedServers(news, known.routes), advertised=advertised, **options
        )
        self.news = news

    def _followed(self, delivered: Delivered) -> "list[Row]":
        at = delivered.time_ns, delivered.file, delivered.packet
        self.reach((self.news.now[0], *at))
        return super()._followed(delivered)

    def reach(self, now: Moment) -> None:
        """Take what others have learned up to a packet."""
        news = self.news
        news.now = max(now, news.now)
        for each in news.take():
            if isinstance(self.servers, SharedServers):
                self.servers.know(each)
            if isinstance(self.advertised, SharedAdvertised):
                self.advertised.know(each)

    def _attempt(self, flow: "Flow", held: list[Delivered]) -> Connection | None:
        found = super()._attempt(flow, held)
        if found is None and flow.client is not None:
            self.news.asked.append(Asked(self.news.now, flow.addresses[1 - flow.client]))
        return found
