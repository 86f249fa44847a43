"""What the connections of one reading have in common."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.decoding.codecs import Allowance
from streamshark.dissection.reassembly import ReassemblyPool
from streamshark.dissection.stream_types import AnnouncedTypes

if TYPE_CHECKING:
    from streamshark.framing.wire_format import FrameTable

MOST_SESSIONS: Final = 16_384
"""Sessions that are remembered; the oldest are forgotten first."""


class ResumableSession(NamedTuple):
    """What goes on to hold where a session is resumed."""

    agreed: Mapping[str, Any]
    types: AnnouncedTypes | None


UNKNOWN: Final = ResumableSession({}, None)
"""A session whose beginning is not in the capture."""


class ReadingState:
    """Bytes of unfinished frames, and what sessions agreed that another connection may resume.

    `puts_together` is False where nobody will look at what fragments become together. `tables` are
    those of all protocols, of which some stand in frames of others.
    """

    def __init__(self, tables: "Iterable[FrameTable]" = (), *, puts_together: bool = True) -> None:
        self.pool = ReassemblyPool(keeps=puts_together)
        self.allowance = Allowance()
        self.guests = tuple(
            each.wire.table(each.dialect, bare=True) for each in tables if each.wire.within
        )
        """Protocols that stand in frames of others."""
        self.memory: dict[str, dict[str, Any]] = {}
        """What each of them remembers."""
        self._sessions: dict[bytes, ResumableSession] = {}

    def remember(self, name: tuple[str, bytes], session: ResumableSession) -> None:
        """What the session of this protocol and token agreed."""
        key = _digest(*name)
        self._sessions.pop(key, None)
        self._sessions[key] = session
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]

    def recall(self, name: tuple[str, bytes]) -> ResumableSession:
        """What it agreed; `UNKNOWN` where its beginning is not in the capture, or forgotten."""
        return self._sessions.get(_digest(*name), UNKNOWN)


def _digest(protocol: str, token: bytes) -> bytes:
    """A token may have 65,535 bytes, so it is not kept itself."""
    from hashlib import blake2b  # noqa: PLC0415 - few sessions are resumed

    return blake2b(token, digest_size=16, key=protocol.encode()[:64]).digest()
