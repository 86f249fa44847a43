"""State that the connections of one reading share."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.decoding.codecs import Allowance
from streamshark.dissection.reassembly import ReassemblyPool
from streamshark.dissection.stream_types import AnnouncedTypes

if TYPE_CHECKING:
    from streamshark.framing.wire_format import FrameTable

MOST_SESSIONS: Final = 16_384
"""Most sessions that are remembered; the oldest are dropped first."""


class ResumableSession(NamedTuple):
    """Negotiated values and types that remain valid if a session is resumed."""

    agreed: Mapping[str, Any]
    types: AnnouncedTypes | None


UNKNOWN: Final = ResumableSession({}, None)
"""A session whose beginning was not captured."""


class ReadingState:
    """Unfinished frames of a reading, and sessions that other connections may resume.

    `puts_together` is False if reassembled bodies are not needed. `tables` are those of all
    protocols, of which some are embedded in frames of others.
    """

    def __init__(self, tables: "Iterable[FrameTable]" = (), *, puts_together: bool = True) -> None:
        self.pool = ReassemblyPool(keeps=puts_together)
        self.allowance = Allowance()
        self.embedded_tables = tuple(
            each.wire.table(each.dialect, bare=True) for each in tables if each.wire.within
        )
        """Protocols that may be embedded in frames of others."""
        self.memory: dict[str, dict[str, Any]] = {}
        """Their state for all connections, by protocol id."""
        self._sessions: dict[bytes, ResumableSession] = {}
        self.recalled = 0
        """How often a session of another connection was looked for."""

    def remember(self, name: tuple[str, bytes], session: ResumableSession) -> None:
        """Remember the negotiated values of a session, by protocol and token."""
        key = _digest(*name)
        self._sessions.pop(key, None)
        self._sessions[key] = session
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]

    @property
    def is_used(self) -> bool:
        """Whether the meaning of a frame may have depended on other connections."""
        return self.recalled > 0 or any(self.memory.values())

    def recall(self, name: tuple[str, bytes]) -> ResumableSession:
        """Return a session; `UNKNOWN` if its beginning was not captured, or was dropped."""
        self.recalled += 1
        return self._sessions.get(_digest(*name), UNKNOWN)


def _digest(protocol: str, token: bytes) -> bytes:
    """Return a digest of a token, which may itself have 65,535 bytes."""
    from hashlib import blake2b  # noqa: PLC0415 - few sessions are resumed

    return blake2b(token, digest_size=16, key=protocol.encode()[:64]).digest()
