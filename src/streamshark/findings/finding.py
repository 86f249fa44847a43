"""Findings: matches of a rule, as they are reported."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

MOST_FRAMES = 64
"""Most frames that prove one finding."""


class Severity(Enum):
    """Severity, in Wireshark's words, the least first."""

    CHAT = "chat"
    """Part of normal operation: a connection opened, a consumer made active."""
    NOTE = "note"
    """Unwise, or something that a healthy peer does too."""
    WARNING = "warning"
    """Will stop the client or lose data, or makes the client wait or repeat."""
    ERROR = "error"
    """Stops the client, or loses data."""

    @property
    def rank(self) -> int:
        """Position in the order of severities; 0 for the least."""
        return list(Severity).index(self)

    @property
    def effect(self) -> str:
        """What faults of this severity do, as a phrase: the principle that chooses severities."""
        return _EFFECTS[self]

    @property
    def worse(self) -> "Severity":
        """The next higher severity; the highest is its own."""
        return list(Severity)[min(self.rank + 1, len(Severity) - 1)]


_EFFECTS: Final = {
    Severity.CHAT: "part of normal operation",
    Severity.NOTE: "unwise, or something that a healthy peer does too",
    Severity.WARNING: "will stop the client or lose data, or makes the client wait or repeat",
    Severity.ERROR: "stops the client, or loses data",
}


class Group(Enum):
    """Kind of trouble: Wireshark's groups of expert information."""

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
    """A finding of one rule on one object: the members of its JSON, and more."""

    rule: str
    """Id of the rule, such as `RMQ-C2`."""
    severity: str
    """`chat`, `note`, `warning` or `error`."""
    group: str
    """Kind of trouble: `sequence`, `response`, `malformed`, ..."""
    protocol: str
    """Id of the protocol whose rule it is."""
    file: int
    """0-based index of the capture file."""
    flow: int
    """Number of the connection."""
    frames: tuple[int, ...]
    """Numbers of the frames that prove it, the guilty one first, at most `MOST_FRAMES`."""
    packets: tuple[int, ...]
    """Packets of the guilty frame, or of the event if there is no frame; then those that completed
    the other frames, and those of the event that shows it. All are of `file`."""
    conversation: str | None
    """Id of the conversation in which it happened; None without one."""
    message: str
    """A sentence with the values of the first match."""
    cause: str
    """The usual mistake of a client."""
    source: str
    """The public document, or the implementation, with the requirement."""
    time_ns: int = 0
    """Time in ns of the first match."""
    count: int = 1
    """Number of matches."""
    echoes: tuple["Finding", ...] = field(default=())
    """Findings that the same fault also caused."""

    @property
    def name(self) -> str:
        """What names it among the findings of a capture: `RULE@FRAME`, without one `RULE@pN`."""
        if self.frames:
            return f"{self.rule}@{self.frames[0]}"
        return f"{self.rule}@p{self.packets[0]}" if self.packets else self.rule

    @property
    def worst(self) -> Severity:
        """The highest severity of the finding and its echoes."""
        severities = (Severity(each.severity) for each in (self, *self.echoes))
        return max(severities, key=lambda each: each.rank)
