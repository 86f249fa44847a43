"""A finding while it may still grow."""

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from streamshark.conversations.state import ConnectionState
from streamshark.findings.finding import Finding
from streamshark.findings.rule import Rule

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Name

_LOSSLESS: Final = frozenset(("whole", "object", "since"))
REPEATED: Final = 10
"""Times within `REPEATED_NS` from which what a rule calls worse when it is repeated is so."""
REPEATED_NS: Final = 10_000_000_000


class Draft:
    """A finding that may still grow."""

    __slots__ = ("cause", "conn", "count", "echoes", "file", "flow", "flows", "frames",
                 "last_ns", "message", "packets", "primary", "protocol", "rule", "severity",
                 "subject", "time_ns", "times", "waits")  # fmt: skip

    def __init__(self, rule: Rule, conn: ConnectionState, time_ns: int) -> None:
        self.rule = rule
        self.severity = rule.severity
        self.protocol = conn.protocol
        self.file = conn.file
        self.flow = conn.flow
        self.flows: dict[int, None] = {}
        """Connections on which it was noticed, where it counts by value."""
        self.time_ns = time_ns
        self.last_ns = time_ns
        """When it was noticed last."""
        self.conn = conn
        self.subject: Any = None
        """The object that it is about, which may get its conversation's name later."""
        self.message = ""
        self.cause = rule.cause
        self.packets: tuple[int, ...] = ()
        self.frames: dict[int, None] = {}
        self.count = 0
        self.echoes: list[Draft] = []
        self.times: deque[int] = deque(maxlen=REPEATED)
        """When it was noticed, the last times."""
        self.primary: Draft | None = None
        """The finding of which it is a consequence, and to which it is attached."""
        self.waits = False
        """Whether its object has ended, so that it waits for the end of the connection."""

    def again(self, time_ns: int) -> None:
        """Count one more time, and be more severe where there were many in short time."""
        self.count += 1
        self.last_ns = time_ns
        if self.rule.worsens and self.severity is self.rule.severity:
            self.times.append(time_ns)
            if len(self.times) == REPEATED and time_ns - self.times[0] <= REPEATED_NS:
                self.severity = self.severity.worse

    def is_doubtful(self, since: int) -> bool:
        """Whether it is proved only where nothing was lost since some time."""
        return self.time_ns >= since and self.is_lossless

    @property
    def is_lossless(self) -> bool:
        """Whether it is proved only where nothing was lost."""
        return not _LOSSLESS.isdisjoint(self.rule.needs.split())

    @property
    def may_be_explained(self) -> bool:
        """Whether bytes that wait in TCP may show that lost bytes explain it."""
        return self.is_lossless and self.conn.tcp is not None and self.conn.tcp.is_holding

    @property
    def conversation(self) -> str | None:
        """Id of the object's conversation, else of the connection's."""
        name: Name | None = getattr(self.subject, "name", None) or self.conn.name
        return str(name) if name else None

    def finding(self) -> Finding:
        """The frozen record."""
        return Finding(
            rule=self.rule.id, severity=self.severity.value, group=self.rule.group.value,
            protocol=self.protocol, file=self.file, flow=self.flow, frames=tuple(self.frames),
            packets=self.packets,
            conversation=self.conversation,
            message=self.message, cause=self.cause, source=self.rule.source,
            time_ns=self.time_ns, count=self.count,
            echoes=tuple(each.finding() for each in self.echoes),
        )  # fmt: skip
