"""What a rule has found."""

from dataclasses import dataclass, field
from enum import Enum

MOST_FRAMES = 64
"""Most frames that prove one finding."""


class Severity(Enum):
    """How bad it is, in Wireshark's words, the least first."""

    CHAT = "chat"
    """Normal life: a connection opened, a consumer made active."""
    NOTE = "note"
    """Is unwise, or a healthy peer does it too."""
    WARNING = "warning"
    """Will stop the client or lose data, or makes the client wait or repeat."""
    ERROR = "error"
    """Stops the client, or loses data."""

    @property
    def rank(self) -> int:
        """0 for the least."""
        return list(Severity).index(self)

    @property
    def worse(self) -> "Severity":
        """One step more severe, if there is one."""
        return list(Severity)[min(self.rank + 1, len(Severity) - 1)]


class Group(Enum):
    """What kind of trouble it is: Wireshark's groups of expert information."""

    CHECKSUM = "checksum"
    SEQUENCE = "sequence"
    RESPONSE = "response"
    REQUEST = "request"
    UNDECODED = "undecoded"
    REASSEMBLE = "reassemble"
    MALFORMED = "malformed"
    PROTOCOL = "protocol"
    SECURITY = "security"
    DECRYPTION = "decryption"
    ASSUMPTION = "assumption"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One rule's finding of one object: the members of the JSON (design, section 4), and more."""

    rule: str
    severity: str
    group: str
    protocol: str
    file: int
    """0-based index of the capture file."""
    flow: int
    frames: tuple[int, ...]
    """Numbers of the frames that prove it, the guilty one first, at most `MOST_FRAMES`."""
    packets: tuple[int, ...]
    """Packets that carried the guilty frame, or the event where there is no frame; then those that
    completed the other frames, and those of the event that shows it. Of its file."""
    conversation: str | None
    message: str
    """A sentence with the values seen the first time."""
    cause: str
    """The usual mistake of a client."""
    source: str
    """The public document, or the implementation, that says so."""
    time_ns: int = 0
    """When it was noticed first."""
    count: int = 1
    """How often it was noticed."""
    echoes: tuple["Finding", ...] = field(default=())
    """What the same fault also caused."""

    @property
    def worst(self) -> Severity:
        """The greatest severity of it and its echoes."""
        severities = (Severity(each.severity) for each in (self, *self.echoes))
        return max(severities, key=lambda each: each.rank)
