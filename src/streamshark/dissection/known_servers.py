"""Protocols of the servers of a reading, by address and port.

Detection uses the protocol of a server for connections that begin with unknown bytes, a failed
attempt to connect belongs to the protocol of its server, and a server that was reached before has
stopped.
"""

from collections.abc import Iterator

from streamshark.framing.carried import Route
from streamshark.framing.wire_format import FrameTable

MOST_SERVERS = 65_536
"""Most servers that are remembered, the first ones."""


class KnownServers:
    """Endpoints at which a connection was recognised."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Route, bool]] = {}
        """Endpoint to its protocol, and whether that is certain."""

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __contains__(self, endpoint: object) -> bool:
        return endpoint in self._known

    def learn(self, endpoint: str, route: Route, *, certain: bool = False) -> None:
        """Remember the protocol of an endpoint: the latest, or the first that is `certain`."""
        known = self._known.get(endpoint)
        has_room = known is not None or len(self._known) < MOST_SERVERS
        if has_room and (known is None or not known[1]):
            self._known[endpoint] = route, certain

    def known(self, endpoint: str) -> tuple[Route, bool] | None:
        """Return the protocol of an endpoint, and whether it is certain; None if unknown."""
        return self._known.get(endpoint)

    def spoken(self, endpoint: str) -> FrameTable | None:
        """Return the protocol recognised at an endpoint; None if unknown."""
        known = self._known.get(endpoint)
        return None if known is None else known[0].table

    def lent(self, endpoint: str) -> Route | None:
        """Return the protocol that is certain at an endpoint; None if there is none."""
        known = self._known.get(endpoint)
        return known[0] if known is not None and known[1] else None
