"""What a reading knows of servers: which protocol is spoken at which address and port.

One record for all that ask: a server lends its protocol to connections that begin wrongly, a failed
attempt to connect is of the protocol that was spoken there, and what was reached once has stopped.
"""

from streamshark.framing.carried import Route
from streamshark.framing.wire_format import FrameTable

MOST_SERVERS = 65_536
"""Servers that are remembered; the first ones."""


class KnownServers:
    """Endpoints at which a connection was recognised."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Route, bool]] = {}
        """To what is spoken there, and whether that is beyond doubt."""

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, endpoint: object) -> bool:
        return endpoint in self._known

    def learn(self, endpoint: str, route: Route, *, certain: bool = False) -> None:
        """Remember what is spoken there: the latest, but the first that is `certain` stays."""
        known = self._known.get(endpoint)
        has_room = known is not None or len(self._known) < MOST_SERVERS
        if has_room and (known is None or not known[1]):
            self._known[endpoint] = route, certain

    def spoken(self, endpoint: str) -> FrameTable | None:
        """The protocol that was recognised there."""
        known = self._known.get(endpoint)
        return None if known is None else known[0].table

    def lent(self, endpoint: str) -> Route | None:
        """What is spoken there beyond doubt."""
        known = self._known.get(endpoint)
        return known[0] if known is not None and known[1] else None
