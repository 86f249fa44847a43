"""A finding that is not final yet."""

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.state import ConnectionState
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Hashable

    from streamshark.conversations.conversation import Name

_LOSSLESS: Final = frozenset(("whole", "object", "since"))
REPEATED: Final = 10
"""Matches within `REPEATED_NS` that raise the severity of a rule that `worsens`."""
REPEATED_NS: Final = 10_000_000_000


class Draft:
    """A finding that may still change."""

    __slots__ = ("cause", "conn", "count", "echoes", "file", "flow", "flows", "frames",
                 "is_settled", "last_ns", "message", "open_echoes", "packets", "primary",
                 "protocol", "rule", "severity", "subject", "time_ns", "times", "value",
                 "waits")  # fmt: skip

    def __init__(self, rule: Rule, conn: ConnectionState, time_ns: int) -> None:
        self.rule = rule
        self.severity = rule.severity
        self.protocol = conn.protocol
        self.file = conn.file
        self.flow = conn.flow
        self.flows: dict[int, None] = {}
        """Connections with matches of a rule that counts by value; a dict as an ordered set."""
        self.time_ns = time_ns
        self.last_ns = time_ns
        """Time in ns of the last match."""
        self.conn = conn
        self.subject: Any = None
        """The object of the finding, which may get its conversation's name later."""
        self.message = ""
        self.cause = rule.cause
        self.packets: tuple[int, ...] = ()
        self.frames: dict[int, None] = {}
        self.count = 0
        self.echoes: list[Draft] = []
        self.open_echoes = 0
        """Number of the consequences that later connections may change, since they share their
        object; of a consequence, the number of its objects."""
        self.times: deque[int] = deque(maxlen=REPEATED)
        """Times in ns of the last matches."""
        self.primary: Draft | None = None
        """The finding that caused this one, and to which it is attached; None without one."""
        self.value: Hashable = None
        """What it counts by, if it is a consequence and its rule counts by value."""
        self.is_settled = False
        """True once it was returned; consequences that come later do not change it."""
        self.waits = False
        """True if its object has ended, so that it waits for the end of the connection."""

    def again(self, time_ns: int) -> None:
        """Count one more match, and raise the severity if there were many, or many at once."""
        self.count += 1
        self.last_ns = time_ns
        if self.severity is not self.rule.severity:
            return
        if self.count == self.rule.worse_from:
            self.severity = self.severity.worse
        elif self.rule.worsens:
            self.times.append(time_ns)
            if len(self.times) == REPEATED and time_ns - self.times[0] <= REPEATED_NS:
                self.severity = self.severity.worse

    def ease(self) -> bool:
        """Make it a note if it is worse; return whether it was."""
        was_worse = self.severity.rank > Severity.NOTE.rank
        if was_worse:
            self.severity = Severity.NOTE
        return was_worse

    def is_doubtful(self, since: int) -> bool:
        """Return whether it is proved only if nothing was lost since `since`, a time in ns."""
        return self.time_ns >= since and self.is_lossless

    @property
    def is_lossless(self) -> bool:
        """Whether it is proved only if nothing was lost."""
        return not _LOSSLESS.isdisjoint(self.rule.needs.split())

    @property
    def may_be_explained(self) -> bool:
        """Whether bytes that TCP still buffers may show that lost bytes explain it."""
        return self.is_lossless and self.conn.tcp is not None and self.conn.tcp.is_holding

    @property
    def conversation(self) -> str | None:
        """Id of the object's conversation, else of the connection's; None if neither has a name."""
        name: Name | None = getattr(self.subject, "name", None) or self.conn.name
        return str(name) if name else None

    def finding(self) -> Finding:
        """Return the immutable record."""
        return Finding(
            rule=self.rule.id, severity=self.severity.value, group=self.rule.group.value,
            protocol=self.protocol, file=self.file, flow=self.flow, frames=tuple(self.frames),
            packets=self.packets,
            conversation=self.conversation,
            message=self.message, cause=self.cause, source=self.rule.source,
            time_ns=self.time_ns, count=self.count,
            echoes=tuple(each.finding() for each in self.echoes),
        )  # fmt: skip
