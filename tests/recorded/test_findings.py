"""What rules find in every recorded capture: known faults, their guilty frames.

`provenance.toml` says, written before we judged it, which rules a capture breaks (`[faults]`), and
which frames are guilty (`[[guilty]]`), counted by the driver. A healthy capture has nothing above a
note but the known faults of its reference client.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.recorded.folders import CAPTURES, parameters

from streamshark.findings.finding import Finding, Severity
from streamshark.frames.frame import FrameRow
from streamshark.session import Session

HARMLESS = {"RSK-K1": "a client that sends KEEPALIVE only when it is idle is seldom late"}
"""Faults of healthy clients that stay below what a rule accuses, with the reason."""
MOST_ALIKE = 3
"""Findings of one rule that may say the same, each of an object of its own."""
UNSEEN = {
    "RMQ-F12": "what a client makes of an answer without its optional members is inside the client",
    "RMQ-M10": "which broker leads needs two lists of Metadata joined, which tables cannot say",
    "RMQ-N5": "no byte is sent, so the connection is of no protocol",
    "RMQ-U6": "bodies are formats of their own: `read` shows what is wrong with them",
}
"""Faults of recorded clients that no rule names, with the reason."""


class Judged(NamedTuple):
    """One capture, judged."""

    provenance: dict[str, Any]
    findings: list[Finding]
    senders: dict[tuple[int, str], list[int]]
    """Connection and sender to the numbers of the frames, in order."""

    @property
    def all(self) -> list[Finding]:
        """Echoes too."""
        return list(flat(self.findings))

    def of(self, rule: str) -> list[Finding]:
        """Findings of one rule."""
        return [each for each in self.all if each.rule == rule]


@pytest.fixture(scope="module", params=parameters())
def judged(request: pytest.FixtureRequest) -> Judged:
    """A capture and what is found in it."""
    folder = request.param
    provenance = tomllib.loads((folder / "provenance.toml").read_text())
    analysis = Session([str(folder / provenance["file"])]).analysis(rules=True)
    senders: dict[tuple[int, str], list[int]] = {}
    for row in analysis.rows():
        is_own = row.connection.wire.id == provenance["protocol"]
        if isinstance(row, FrameRow) and row.sender is not None and is_own:
            flow = row.connection.flow.number
            senders.setdefault((flow, row.sender), []).append(row.number)
    return Judged(provenance, analysis.findings(), senders)


CAUSES = (
    ("rabbitmq_stream/bug_wrong_password", "RMQ-N6", "password"),
    ("rabbitmq_stream/loopback_user_from_outside", "RMQ-N6", "own host"),
    ("rabbitmq_stream/vhost_missing", "RMQ-N6", "virtual host"),
    ("rabbitmq_stream/mechanism_not_offered", "RMQ-N6", "mechanism"),
    ("rabbitmq_stream/create_refused", "RMQ-M8", "exists already"),
    ("rabbitmq_stream/missing_stream", "RMQ-M8", "does not exist"),
    ("rabbitmq_stream/consumer_update_unanswered", "RMQ-K2", "ConsumerUpdate"),
    ("rabbitmq_stream/heartbeat_missed", "RMQ-K2", "silent"),
    ("rabbitmq_stream/cluster_leader_stops", "RMQ-K2", ""),
    ("rabbitmq_stream/bug_answer_lost", "RMQ-X2", ""),
    ("rabbitmq_stream/bug_answer_with_wrong_id", "RMQ-X2", "correlation id"),
    ("rabbitmq_stream/tls_on_plain_port", "RMQ-P1", "TLS"),
    ("rabbitmq_stream/http_on_stream_port", "RMQ-P1", ""),
    ("rabbitmq_stream/credit_negative", "RMQ-C6", "32,767"),
    ("nats/bug_characters_counted", "NATS-N2", "Characters"),
    ("nats/bug_crlf_counted", "NATS-N2", "Something else"),
    ("nats/wrong_password_py", "NATS-N9", "credentials"),
    ("nats/bug_payload_over_max", "NATS-N9", "max_payload"),
    ("rsocket/bug_keepalive_other_data", "RSK-K2", "other data"),
    ("rsocket/bug_keepalive_unanswered", "RSK-K2", "taken for dead"),
    ("liftbridge/bug_too_large_go", "LFB-L8", "size"),
    ("liftbridge/streams_go", "GRPC-G1", "there already"),
)
"""Capture and rule to what the cause of its first finding says; nothing where none is proved."""


def test_causes_are_those_of_the_variants_that_captures_show() -> None:
    """Several guesses are none."""
    wrong = {}
    for name, rule, part in CAUSES:
        provenance = tomllib.loads((CAPTURES / name / "provenance.toml").read_text())
        analysis = Session([str(CAPTURES / name / provenance["file"])]).analysis(rules=True)
        for _ in analysis.rows():
            pass
        cause = next((e.cause for e in flat(analysis.findings()) if e.rule == rule), None)
        if cause is None or part not in cause or bool(part) != bool(cause):
            wrong[name, rule] = cause

    assert wrong == {}


def flat(findings: list[Finding] | tuple[Finding, ...]) -> Iterator[Finding]:
    """Findings with their echoes."""
    for each in findings:
        yield each
        yield from flat(each.echoes)


def test_known_faults_are_found_and_nothing_else_is_accused(judged: Judged) -> None:
    """Warnings and errors are the known faults, all of them."""
    known = set(judged.provenance.get("faults", {})) - set(UNSEEN)
    accused = {
        each.rule
        for each in judged.findings
        if Severity(each.severity).rank >= Severity.WARNING.rank
    }
    missing = known - {each.rule for each in judged.all}
    if judged.provenance["healthy"]:
        missing -= set(HARMLESS)

    assert accused - known == set()
    assert missing == set()


def test_the_guilty_frame_is_named_first(judged: Judged) -> None:
    """Of several guilty frames of a rule, one of them."""
    rows = judged.provenance.get("guilty", [])
    for rule in sorted({row["rule"] for row in rows} - set(HARMLESS) - set(UNSEEN)):
        guilty = set()
        for row in rows:
            if row["rule"] == rule:
                frames = judged.senders[row["connection"], row["sender"]]
                guilty |= set(frames[row["nth"] - 1 : row.get("last", row["nth"])])
        firsts = {each.frames[0] for each in judged.of(rule) if each.frames}

        assert firsts & guilty, f"{rule}: {sorted(firsts)}, but guilty are {sorted(guilty)}"


def test_one_mistake_on_many_connections_is_one_finding(judged: Judged) -> None:
    """Of one rule and sentence there are few, whatever the connections."""
    said = Counter((each.rule, each.severity, each.message) for each in judged.findings)

    assert {each: count for each, count in said.items() if count > MOST_ALIKE} == {}
