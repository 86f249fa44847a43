"""Claims of what rules find in a capture: known faults, their guilty frames.

`provenance.toml` says, written before we judged it, which rules a capture breaks (`[faults]`), and
which frames are guilty (`[[guilty]]`), counted by the driver: connection, sender, place among that
sender's frames; the packet comes from sequence numbers. An id there selects its family of rules. A
healthy capture has nothing above a note but the known faults of its reference client.

A fault that no rule names yet has a sentence (`fault`) and guilty frames without a rule; its
capture is in `unnamed.txt`, a list that only shrinks.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from tests.recorded.reading import Reading, accuses, key_of

from streamshark.cli.writers import DAMAGE
from streamshark.dissection.row import EventRow
from streamshark.findings import tcp
from streamshark.findings.finding import MOST_FRAMES, Finding
from streamshark.findings.rule import family
from streamshark.protocols.catalog import catalog
from streamshark.views.payload_json import problems_inside
from streamshark.views.rule_examples import examples

UNNAMED = Path(__file__).with_name("unnamed.txt")
"""Lists the captures of faults that no rule names yet, one a line."""
FALSE_ALARMS = Path(__file__).with_name("false_alarms.txt")
"""Lists healthy captures and the rules that accuse them wrongly; this list only shrinks too."""
HARMLESS = {"RSK-K1": "a client that sends KEEPALIVE only when it is idle is seldom late"}
"""Faults of healthy clients that stay below what a rule accuses, with the reason."""
MOST_ALIKE = 8
"""Findings of one rule that may say the same, each of an object of its own: a partition, a name
that is asked for, or a connection that an error has ended."""
UNSEEN = {
    "RMQ-F12": "what a client makes of an answer without its optional members is inside the client",
    "RMQ-M10": "which broker leads needs two lists of Metadata joined, which tables cannot say",
    "RMQ-N5": "no byte is sent, so the connection is of no protocol",
}
"""Faults of recorded clients that no rule names, with the reason."""

CAUSES = (
    ("rabbitmq_stream/bug_wrong_password", "RMQ-N6", "password"),
    ("rabbitmq_stream/loopback_user_from_outside", "RMQ-N6", "own host"),
    ("rabbitmq_stream/vhost_missing", "RMQ-N6", "virtual host"),
    ("rabbitmq_stream/mechanism_not_offered", "RMQ-N6", "mechanism"),
    ("rabbitmq_stream/create_refused", "RMQ-M8", "already exists"),
    ("rabbitmq_stream/missing_stream", "RMQ-M8", "does not exist"),
    ("rabbitmq_stream/consumer_update_unanswered", "RMQ-K2", "ConsumerUpdate"),
    ("rabbitmq_stream/heartbeat_missed", "RMQ-K2", "silent"),
    ("rabbitmq_stream/cluster_leader_stops", "RMQ-K2", ""),
    ("rabbitmq_stream/bug_answer_lost", "RMQ-X2", ""),
    ("rabbitmq_stream/bug_answer_with_wrong_id", "RMQ-X2", "correlation id"),
    ("rabbitmq_stream/tls_on_plain_port", "RMQ-P1", "TLS"),
    ("rabbitmq_stream/http_on_stream_port", "RMQ-P1", ""),
    ("rabbitmq_stream/credit_negative", "RMQ-C6", "32,767"),
    ("nats/bug_characters_counted", "NATS-N2", "characters"),
    ("nats/bug_crlf_counted", "NATS-N2", "something other"),
    ("nats/wrong_password_py", "NATS-N9", "credentials"),
    ("nats/bug_payload_over_max", "NATS-N9", "max_payload"),
    ("rsocket/bug_keepalive_other_data", "RSK-K2", "other data"),
    ("rsocket/bug_keepalive_unanswered", "RSK-K2", "considered dead"),
    ("liftbridge/bug_too_large_go", "LFB-L8", "size"),
    ("liftbridge/streams_go", "GRPC-G1", "already exists"),
)
"""Capture and rule to what the cause of its first finding says; nothing where none is proved."""


def known_faults_are_found_and_nothing_else_is_accused(reading: Reading) -> None:
    """Warnings and errors are the known faults, all of them."""
    known = set(reading.provenance.get("faults", {})) - set(UNSEEN)
    if reading.capture in unnamed():
        return
    accused = {family(each.rule) for each in reading.findings if accuses(each)}
    missing = known - {family(each.rule) for each in reading.every_finding}
    if reading.provenance["healthy"]:
        missing -= set(HARMLESS)

    assert accused - known == wrongly_accusing(reading.capture)
    assert missing == set()


def the_guilty_frame_is_named_first(reading: Reading) -> None:
    """Of several guilty frames of a rule, one of them; packets that carry none are just named."""
    rows = _guilty(reading)
    rules = {row["rule"] for row in rows if "rule" in row}
    for rule in sorted(rules - set(HARMLESS) - set(UNSEEN)):
        guilty, bare = set[int](), set[int]()
        for row in rows:
            if row.get("rule") == rule:
                found = _accused(reading, row)
                guilty |= found
                bare |= set() if found else set(row["packets"])
        named = [each for each in reading.every_finding if family(each.rule) == rule]
        firsts = {each.frames[0] for each in named if each.frames}
        packets = {packet for each in named for packet in each.packets}

        assert firsts & guilty or packets & bare, (
            f"{rule}: {sorted(firsts)}, but guilty are {sorted(guilty | bare)}"
        )


def _accused(reading: Reading, row: dict[str, Any]) -> set[int]:
    """Return the frames of a row: its packets', where it lists them, or by their place."""
    if packets := set(row.get("packets", ())):
        return {each.number for each in reading.frames if packets & set(each.packets)}
    frames = reading.senders[row["connection"], row["sender"]]
    return {each.number for each in frames[row["nth"] - 1 : row.get("last", row["nth"])]}


def one_mistake_on_many_connections_is_one_finding(reading: Reading) -> None:
    """Of one rule and sentence there are few on all connections, once the fault has a rule."""
    if reading.capture in unnamed():
        return
    said = Counter((each.rule, each.severity, each.message) for each in reading.findings)

    assert {each: count for each, count in said.items() if count > MOST_ALIKE} == {}


def the_cause_is_that_of_the_variant(reading: Reading) -> None:
    """Several possible causes are not reported."""
    for name, rule, part in CAUSES:
        if name == reading.capture:
            cause = next(each.cause for each in reading.every_finding if family(each.rule) == rule)
            assert part in cause, rule
            assert bool(part) == bool(cause), f"{rule}: {cause}"


def what_reading_marks_in_bodies_is_found(reading: Reading) -> None:
    """A finding has the frame, on connections of which nothing is missing: all are sampled."""
    lost = {row.connection.flow.number for row in reading.rows if row.name in DAMAGE}
    named = {frame for each in reading.every_finding for frame in each.frames}
    odd = [
        (row.number, row.name)
        for row in reading.frames
        if row.connection.flow.number not in lost
        and row.number not in named
        and problems_inside(reading.session.layers, row)
    ]

    assert odd == []


def what_reading_marks_is_found(reading: Reading) -> None:
    """A finding has the frame or its packet, on connections of which nothing is missing.

    What stops decoding is found on connections with skipped bytes too.
    """
    damaged = {row.connection.flow.number for row in reading.rows if row.name in DAMAGE}
    gaps = DAMAGE - {"resync"}
    lost = {row.connection.flow.number for row in reading.rows if row.name in gaps}
    frames = {frame for each in reading.every_finding for frame in each.frames}
    packets = {packet for each in reading.every_finding for packet in each.packets}
    odd = [
        (row.number, row.problems)
        for row in reading.rows
        if row.problems
        and row.connection.flow.number
        not in (lost if any(each.code.stops for each in row.problems) else damaged)
        and row.number not in frames
        and not packets & set(row.packets)
    ]

    assert odd == []


def examples_of_rules_are_found(reading: Reading) -> None:
    """What `check --explain-rule` says of this capture; see `rule_examples`."""
    found = {
        (each.rule, frame) for each in reading.every_finding for frame in each.frames or (None,)
    }
    stale = [
        rule
        for rule, example in examples().items()
        if example.capture == reading.capture and (rule, example.frame) not in found
    ]

    assert stale == [], "python -m tests.recorded.rule_examples"


def packets_are_those_of_the_frames(reading: Reading) -> None:
    """Of each frame that proves a finding, the packet that completed it."""
    completed = {each.number: each.packet for each in reading.frames}
    missing = [
        (each.rule, frame)
        for each in reading.every_finding
        for frame in each.frames
        if completed[frame] not in each.packets and len(each.packets) < MOST_FRAMES
    ]

    assert missing == []


def packets_show_the_event(reading: Reading) -> None:
    """Where a rule is about an event or the end of a connection, one of them is its packet."""
    brought: dict[tuple[int, str], set[int]] = {}
    for row in reading.rows:
        if isinstance(row, EventRow):
            key = row.connection.flow.number, row.name
            brought.setdefault(key, set()).update(row.packets)
    missing = []
    for each in reading.every_finding:
        names = _events(each)
        shown = set().union(*(brought.get((each.flow, name), ()) for name in names))
        if names and not shown & set(each.packets):
            missing.append((each.rule, each.frames, each.packets))

    assert missing == []


def _events(finding: Finding) -> set[str]:
    """The events of which one is to be shown; none where a row of its rule needs none."""
    rows = [names for pattern, names in _rows()[finding.rule] if pattern.fullmatch(finding.message)]
    return set().union(*rows) if all(rows) else set()


@cache
def _rows() -> dict[str, list[tuple[re.Pattern[str], set[str]]]]:
    """Id of a rule to what each of its rows says, and the events that it is about."""
    found: dict[str, list[tuple[re.Pattern[str], set[str]]]] = {}
    for rule in (*(each for protocol in catalog() for each in protocol.rules), *tcp.RULES):
        text = re.sub(r"\\{.*?\\}", ".*", re.escape(rule.message))
        names = re.findall(r"tcp\.(close|reset|gap|resync|partial)\b", rule.on)
        if len(names) < len(rule.on.split()):
            names = ["close", "reset"] if set(rule.when.split(" and ")) & _ENDED else []
        found.setdefault(rule.id, []).append((re.compile(text, re.DOTALL), set(names)))
    return found


_ENDED = {"why == 'closed'", "why in ('closed', 'reset')"}
"""Conditions that hold only where a connection has ended."""


def a_guilty_frame_is_where_the_driver_counted_it(reading: Reading) -> None:
    """Its key, and a packet that carries it; not where a row has packets alone."""
    for each in (row for row in _guilty(reading) if "nth" in row):
        row = reading.senders[each["connection"], each["sender"]][each["nth"] - 1]
        assert row.selector
        key = key_of(row.selector)
        assert key == (int(each["key"], 16) if isinstance(key, int) else each["key"])
        assert each["packet"] in row.packets


def a_guilty_frame_has_a_rule_of_the_faults(reading: Reading) -> None:
    """Or its fault has no rule yet; and `last` does not come before `nth`."""
    rows = _guilty(reading)
    known = {None} if reading.capture in unnamed() else set(reading.provenance.get("faults", {}))

    assert [each for each in rows if each.get("rule") not in known] == []
    assert bool(reading.provenance.get("fault")) or reading.capture not in unnamed()
    assert all(each.get("last", each["nth"]) >= each["nth"] for each in rows if "nth" in each)


@cache
def unnamed() -> frozenset[str]:
    """Return the captures of faults that no rule names yet."""
    return frozenset(UNNAMED.read_text("utf-8").split())


def wrongly_accusing(capture: str) -> set[str]:
    """Return the rules of which it is known that they accuse a capture wrongly."""
    rows = (line.split() for line in FALSE_ALARMS.read_text("utf-8").splitlines())
    return {rule for name, rule in rows if name == capture}


def _guilty(reading: Reading) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = reading.provenance.get("guilty", [])
    return rows
