"""Findings about WebSocket itself: upgrades that HTTP refused, connections closed with an error.

A refused upgrade has no frames, so no table of a protocol can match it.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from streamshark.dissection.row import EventRow, Row
from streamshark.findings.finding import MOST_FRAMES, Finding, Group, Severity
from streamshark.findings.rule import Rule

ID: Final = "websocket"
"""Protocol id of these findings, and of the events."""
MOST_KEPT: Final = 10_000
"""Most findings, and most upgrades whose path is remembered; further ones are counted as capped."""
OWN_CODES: Final = 3000
"""Close codes from it on are those of libraries and applications: a note."""
AGAIN_LATER: Final = frozenset({1012, 1013})
"""Codes of a service that restarts or has too much to do: a note unless it closes often."""
OFTEN: Final = 3
"""Closes with such a code that are often."""
NORMAL: Final = frozenset({None, 1000, 1001})
"""Close codes of a connection that ends as it should; None where no code was sent."""

UPGRADE_REFUSED: Final = Rule(
    id="TCP-W1",
    on="tcp.open",
    needs="",
    severity=Severity.ERROR,
    group=Group.RESPONSE,
    title="WebSocket upgrade refused by HTTP",
    message="{endpoint} answered the upgrade to WebSocket on {path} with {status} {phrase}",
    cause="The server, or a proxy before it, does not speak WebSocket here.",
    by="status",
    causes={
        401: "The upgrade lacks credentials, or they are wrong.",
        403: "The server does not allow this client or its Origin.",
        404: "The path of the endpoint is wrong.",
        426: "The version of WebSocket is not one that the server has.",
        429: "The server limits the rate of connections.",
        502: "A proxy cannot reach the server behind it.",
        503: "The server is not ready, or a proxy has no server for the path.",
    },
    source="RFC 6455, section 4.1",
    evidence="",
)
CLOSED: Final = Rule(
    id="TCP-W2",
    on="tcp.open",
    needs="",
    severity=Severity.WARNING,
    group=Group.RESPONSE,
    title="WebSocket closed with an error code",
    message="the {sender} closed the WebSocket with {code} ({name}): {reason}",
    cause="The code and the reason are those of the peer that closes.",
    by="code",
    causes={
        1002: "The peer received a frame that WebSocket does not allow.",
        1003: "The peer received a kind of data that it does not accept, such as text.",
        1007: "The peer received text that is not UTF-8.",
        1008: "The peer received a message that its policy does not allow.",
        1009: "The peer received a message that is too large for it.",
        1011: "The peer failed.",
        1012: "The service restarts.",
        1013: "The peer is overloaded.",
    },
    source="RFC 6455, section 7.4.1",
    evidence="",
    healthy="A code from 3000 on is one of a library or an application, and a note; so is a "
    "service that restarts or is overloaded, if it says so once or twice.",
)
RULES: Final = (UPGRADE_REFUSED, CLOSED)


@dataclass(slots=True)
class _Match:
    """One finding so far."""

    rule: Rule
    row: EventRow
    message: str
    cause: str
    count: int = 0
    packets: list[int] = field(default_factory=list)


class WebSocketEvents:
    """Refusals and error closes, each kind once. `silenced` are ids of rules to leave out."""

    def __init__(self, silenced: frozenset[str] = frozenset()) -> None:
        self.silenced = silenced
        self.capped = 0
        self._paths: dict[int, str] = {}
        """Path of the last upgrade by flow."""
        self._closing: dict[int, object] = {}
        """Code of the first close by flow: the other side repeats it."""
        self._found: dict[tuple[str, str], _Match] = {}
        self._changed: dict[tuple[str, str], None] = {}

    def take(self, row: Row) -> None:
        """Process an event, if it is one of WebSocket."""
        if not isinstance(row, EventRow) or row.protocol != ID:
            return
        flow, fields = row.connection.flow, row.fields
        match row.name:
            case "upgrade" if len(self._paths) < MOST_KEPT:
                self._paths[flow.number] = str(fields.get("path") or "/")
            case "upgraded":
                self._paths.pop(flow.number, None)
            case "refused":
                self._refused(row, self._paths.pop(flow.number, "its path"))
            case "close" if fields.get("code") not in NORMAL:
                self._closed(row, fields)

    def _refused(self, row: EventRow, path: str) -> None:
        """Add a refused upgrade."""
        status, phrase = row.fields.get("status"), row.fields.get("phrase") or ""
        endpoint = row.connection.flow.addresses[row.side]
        answer = f"{status} {phrase}".strip()
        message = f"{endpoint} answered the upgrade to WebSocket on {path} with {answer}"
        self._add(UPGRADE_REFUSED, row, message, status)

    def _closed(self, row: EventRow, fields: dict[str, Any]) -> None:
        """Add a close with an error code."""
        code, name = fields["code"], fields.get("name")
        flow = row.connection.flow.number
        if self._closing.get(flow) == code:
            return
        if len(self._closing) < MOST_KEPT:
            self._closing[flow] = code
        known = f" ({name})" if name else ""
        reason = f": {fields['reason']}" if fields.get("reason") else ""
        sender = fields.get("sender") or "peer"
        message = f"the {sender} closed the WebSocket with {code}{known}{reason}"
        self._add(CLOSED, row, message, code)

    def _add(self, rule: Rule, row: EventRow, message: str, value: object) -> None:
        """Add one match to the finding with the same message."""
        key = rule.id, message
        found = self._found.get(key)
        if rule.id in self.silenced:
            return
        if found is None:
            if len(self._found) >= MOST_KEPT:
                self.capped += 1
                return
            found = _Match(rule, row, message, rule.causes.get(value, rule.cause))
            self._found[key] = found
        found.count += 1
        self._changed[key] = None
        if row.file == found.row.file and len(found.packets) < MOST_FRAMES:
            found.packets += row.packets

    def changed(self) -> list[tuple[object, Finding]]:
        """Return the findings that have changed since the last call, with keys."""
        changed, self._changed = self._changed, {}
        return [(key, _finding(self._found[key])) for key in changed]

    def findings(self) -> list[tuple[object, Finding]]:
        """Return and remove the findings, with their keys."""
        found: list[tuple[object, Finding]]
        found = [(key, _finding(each)) for key, each in self._found.items()]
        self._found.clear()
        self._changed.clear()
        return found


def _finding(match: _Match) -> Finding:
    """Return the immutable record."""
    rule, row = match.rule, match.row
    code = row.fields.get("code")
    is_own = isinstance(code, int) and code >= OWN_CODES
    is_rare = code in AGAIN_LATER and match.count < OFTEN
    severity = Severity.NOTE if is_own or is_rare else rule.severity
    return Finding(
        rule=rule.id, severity=severity.value, group=rule.group.value, protocol=ID,
        file=row.file, flow=row.connection.flow.number, frames=(), packets=tuple(match.packets),
        conversation=None, message=match.message, cause=match.cause, source=rule.source,
        time_ns=row.time_ns, count=match.count,
    )  # fmt: skip
