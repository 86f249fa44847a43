"""Findings of TCP alone: attempts to connect that failed, connections that were not decoded.

These rules are about connections without frames, so no table of a protocol can match them.
"""

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Final

from streamshark.conversations.units import counted, duration, size
from streamshark.dissection.row import ATTEMPTED, EventRow, Row
from streamshark.findings import websocket
from streamshark.findings.finding import MOST_FRAMES, Finding, Group, Severity
from streamshark.findings.rule import Rule
from streamshark.framing.carrier import UNUSED

ID: Final = "tcp"
"""Protocol id of these findings."""
MOST_ENDPOINTS: Final = 10_000
"""Most endpoints whose failed attempts are kept separately; further ones are counted as capped."""
OFTEN: Final = 2
"""Failed attempts that make a warning: a client that has to repeat waits."""
FALLBACK_NS: Final = 2_000_000_000
"""Longest time between a refused attempt and one to the other address of the same name."""
PATIENT_NS: Final = 10_000_000_000
"""Time from which on a single unanswered attempt is a warning: most libraries wait for less."""
MOST_KINDS: Final = 2
"""Most kinds of unread bytes that a finding names."""

UNREAD: Final = Rule(
    id="TCP-U1",
    on="tcp.open",
    needs="",
    severity=Severity.WARNING,
    group=Group.UNDECODED,
    title="connections of no known protocol",
    message="{connections} to {endpoint} not decoded ({bytes}): no known protocol",
    cause="An unknown protocol, one that -d must name for the port, or TLS without its secrets.",
    by="what",
    causes={
        "TLS": "The secrets of the TLS sessions are not known (-o tls.keylog_file:PATH).",
        "upgrade": "HTTP refused the upgrade to WebSocket: credentials, Origin or path are wrong.",
    },
    source="docs/checking.md, What was not read",
    evidence="",
    healthy="It is chat if other connections were decoded and nothing suggests that this one is of "
    "a known protocol, and a note if HTTP refused the upgrade to WebSocket.",
)
REFUSED: Final = Rule(
    id="TCP-C1",
    on="tcp.refused",
    needs="",
    severity=Severity.WARNING,
    group=Group.SEQUENCE,
    title="TCP connections refused",
    message="{attempts} to {endpoint} refused within {time}",
    cause="No server listens there: it is down or not yet up, or the address is wrong.",
    by="accepted",
    causes={
        "before": "No server listens there any more: it has stopped.",
        "later": "No server listened there yet: it was not up.",
        "elsewhere": "A name, such as localhost, has an IPv6 and an IPv4 address, and the server "
        "listens on one of them; the client tried the other one first.",
    },
    source="RFC 9293, section 3.5.2; RFC 8305",
    evidence="",
    healthy="A single attempt is a note, and so are attempts before or after an accepted one: a "
    "server starts or stops. Attempts are a note too if each was followed by an accepted one to "
    "the same port of an address of the other family (IPv6 or IPv4).",
)
UNANSWERED: Final = Rule(
    id="TCP-C2",
    on="tcp.unanswered",
    needs="",
    severity=Severity.WARNING,
    group=Group.SEQUENCE,
    title="TCP connection attempts unanswered",
    message="{attempts} to {endpoint} unanswered within {time}",
    cause="The host is down or unreachable, or a firewall drops the packets.",
    by="accepted",
    causes={
        "before": "The host is no longer reachable, or a firewall now drops the packets.",
        "later": "The host was not up or not reachable yet.",
        "patient": "The host is down or unreachable, or a firewall drops the packets. The client "
        "waits long before it gives up or tries another server: a time limit of a few seconds for "
        "a connection is enough.",
    },
    source="RFC 9293, section 3.8.1; RFC 6298, section 5",
    evidence="",
    healthy="A single attempt of less than 10 s is a note, and so are attempts before or after an "
    "accepted one: a server starts or stops.",
)
RULES: Final = (UNREAD, REFUSED, UNANSWERED, *websocket.RULES)
_BY_EVENT: Final = {"refused": REFUSED, "unanswered": UNANSWERED}
_THEN: Final = {
    "before": "; an earlier one was accepted",
    "later": "; a later one is accepted",
    "elsewhere": "; the same port of the other address family accepted the connections",
}
"""What accepted a connection, and when, to the end of the message."""
_Place = tuple[str, bool, bool]
"""A port, whether its address is of IPv6, and whether it is a loopback address."""


def _place(endpoint: str, *, other: bool = False) -> _Place:
    """Return the place of an endpoint, or the one of the other address family."""
    host, _, port = endpoint.rpartition(":")
    return port, host.startswith("[") != other, host == "[::1]" or host.startswith("127.")


@dataclass(slots=True)
class _Tries:
    """Failed attempts to connect to one endpoint."""

    flow: int
    file: int
    first_ns: int
    last_ns: int
    count: int = 0
    packets: list[int] = field(default_factory=list)
    """Packets in the file of the first attempt."""
    accepted: bool = False
    """Whether the endpoint has accepted a connection since."""
    stopped: bool = False
    """Whether the endpoint accepted a connection at any time: if none since, its server has
    stopped."""
    waited_ns: int = 0
    """Longest time from the first to the last SYN of an attempt."""
    left: int = 0
    """Attempts in a row that no connection to the other address family followed."""


class FailedAttempts:
    """Failed attempts by rule and endpoint. `silenced` are ids of rules to leave out."""

    def __init__(self, silenced: frozenset[str] = frozenset()) -> None:
        self.silenced = silenced
        self.capped = 0
        self._tries: dict[tuple[str, str], _Tries] = {}
        self._changed: dict[tuple[str, str], None] = {}
        """Keys with new attempts since `changed` was called; a dict as an ordered set."""
        self._places: dict[_Place, dict[str, None]] = {}
        """Endpoints that refused an attempt, by place; a dict as an ordered set."""
        self._opened: dict[_Place, int] = {}
        """When a place accepted its last connection."""

    def take(self, row: Row) -> None:
        """Process an event, if it is a failed attempt or shows that a later one succeeded."""
        flow = row.connection.flow
        if not isinstance(row, EventRow) or row.protocol != ID or flow.client is None:
            return
        endpoint = flow.addresses[1 - flow.client]
        if row.name == "open" and row.connection.reason != ATTEMPTED:
            self._accepted(row, endpoint)
        elif row.name in _BY_EVENT and _BY_EVENT[row.name].id not in self.silenced:
            self._failed(row, endpoint)

    def _accepted(self, row: EventRow, endpoint: str) -> None:
        for event in _BY_EVENT:
            if (event, endpoint) in self._tries:
                self._tries[event, endpoint].accepted = True
                self._changed[event, endpoint] = None
        self._opened[_place(endpoint)] = row.time_ns
        for refused in self._places.get(_place(endpoint, other=True), ()):
            tries = self._tries["refused", refused]
            if tries.left and row.time_ns - tries.last_ns <= FALLBACK_NS:
                tries.left = 0
                self._changed["refused", refused] = None

    def _failed(self, row: EventRow, endpoint: str) -> None:
        flow, key = row.connection.flow, (row.name, endpoint)
        tries = self._tries.get(key)
        if tries is None:
            if len(self._tries) >= MOST_ENDPOINTS:
                self.capped += 1
                return
            begun_ns = flow.attempt_ns[0] if flow.attempt_ns else row.time_ns
            tries = _Tries(flow.number, row.file, begun_ns, row.time_ns)
            self._tries[key] = tries
        tries.count += 1
        self._changed[key] = None
        tries.accepted = False
        tries.last_ns = row.time_ns
        if flow.attempt_ns:
            tries.last_ns = flow.attempt_ns[1]
            tries.waited_ns = max(tries.waited_ns, tries.last_ns - flow.attempt_ns[0])
        if row.name == "refused":
            self._places.setdefault(_place(endpoint), {})[endpoint] = None
            opened = self._opened.get(_place(endpoint, other=True))
            if opened is None or row.time_ns - opened > FALLBACK_NS:
                tries.left += 1
        if row.file == tries.file and len(tries.packets) < MOST_FRAMES:
            tries.packets += (flow.first_packet,) if flow.attempt_ns else row.packets

    def reach(self, servers: Container[str]) -> None:
        """Set the endpoints that were connected to at any time, also before the capture began."""
        for (_, endpoint), tries in self._tries.items():
            tries.stopped = endpoint in servers

    def changed(self) -> list[tuple[object, Finding]]:
        """Return the findings that have changed since the last call, with keys."""
        changed, self._changed = self._changed, {}
        return [(key, _attempts(*key, self._tries[key])) for key in changed]

    def findings(self) -> list[tuple[object, Finding]]:
        """Return and remove one finding for each event and endpoint, with its key."""
        found: list[tuple[object, Finding]]
        found = [(key, _attempts(*key, each)) for key, each in self._tries.items()]
        self._tries.clear()
        self._places.clear()
        self._changed.clear()
        return found


def _attempts(event: str, endpoint: str, tries: _Tries) -> Finding:
    rule = _BY_EVENT[event]
    how = "refused" if event == "refused" else "unanswered"
    lasted = duration(tries.last_ns - tries.first_ns)
    within = f" within {lasted}" if tries.count > 1 else f" for {lasted}" if tries.waited_ns else ""
    accepted = "later" if tries.accepted else "before" if tries.stopped else ""
    if not accepted and event == "refused" and not tries.left:
        accepted = "elsewhere"
    then = _THEN.get(accepted, "")
    message = f"{counted(tries.count, 'connection attempt')} to {endpoint} {how}{within}{then}"
    is_patient = not accepted and tries.waited_ns >= PATIENT_NS
    is_note = accepted or (tries.count < OFTEN and not is_patient)
    severity = Severity.NOTE if is_note else rule.severity
    return Finding(
        rule=rule.id, severity=severity.value, group=rule.group.value, protocol=ID,
        file=tries.file, flow=tries.flow, frames=(), packets=tuple(tries.packets),
        conversation=None, message=message,
        cause=rule.causes.get("patient" if is_patient else accepted, rule.cause),
        source=rule.source, time_ns=tries.first_ns, count=tries.count,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnreadConnection:
    """A connection of which no frame was read."""

    flow: int
    server: str
    """Endpoint of the server; that of side 1 if nothing proves which side it is."""
    payload: int
    packet: int
    """Number of its first packet, in file `file`."""
    file: int
    what: str | None
    """Known kind of its bytes: TLS, a carrier; None if unknown."""
    ours: bool
    """Whether its port, endpoint or carrier suggests one of the known protocols."""


def unread(connections: Iterable[UnreadConnection], *, alone: bool) -> list[Finding]:
    """Return the findings of connections that were not read.

    If nothing else was read (`alone`), one warning for all of them; otherwise a warning for each
    endpoint of a known protocol, and one chat for all others, those included that ended before
    their first call.
    """
    groups: dict[tuple[str, str], list[UnreadConnection]] = {}
    for each in connections:
        is_unused = (each.what or "").endswith(UNUSED)
        server = each.server if each.ours and not alone and not is_unused else ""
        groups.setdefault((server, _upgrade(each.what) if server else ""), []).append(each)
    return [
        _unread(each, _severity(server, upgrade, alone=alone), upgrade)
        for (server, upgrade), each in groups.items()
    ]


def _upgrade(what: str | None) -> str:
    """Return what HTTP answered to an upgrade that it refused, or an empty text."""
    http, _, said = (what or "").partition(": ")
    return said if http == "HTTP" else ""


def _severity(server: str, upgrade: str, *, alone: bool) -> Severity:
    """Return the severity of connections to `server`, or of all others."""
    if upgrade:
        return Severity.NOTE
    return Severity.WARNING if alone or server else Severity.CHAT


def _unread(connections: list[UnreadConnection], severity: Severity, upgrade: str) -> Finding:
    first = max(connections, key=lambda each: each.payload)
    others = len({each.server for each in connections}) - 1
    where = f"{first.server} and {counted(others, 'other endpoint')}" if others else first.server
    kinds = Counter(each.what for each in connections if each.what).most_common(MOST_KINDS)
    facts = [size(sum(each.payload for each in connections))]
    if not upgrade:
        facts += [
            name if len(connections) == 1 else f"{count:,} of {name}" for name, count in kinds
        ]
    many = counted(len(connections), "connection")
    same = kinds[0][0] if kinds and kinds[0][1] == len(connections) else ""
    packets = [each.packet for each in connections if each.file == first.file and each is not first]
    return Finding(
        rule=UNREAD.id, severity=severity.value, group=UNREAD.group.value, protocol=ID,
        file=first.file, flow=first.flow, frames=(),
        packets=(first.packet, *packets[: MOST_FRAMES - 1]), conversation=None,
        message=f"{many} to {where} not decoded ({', '.join(facts)}): "
        f"{upgrade or 'no known protocol'}",
        cause=UNREAD.causes.get("upgrade" if upgrade else same, UNREAD.cause), source=UNREAD.source,
        count=len(connections),
    )  # fmt: skip
