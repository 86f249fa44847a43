"""Connections that are judged separately, and the facts that they leave for others."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest
from tests.failures import Failures
from tests.recorded.index import Line, cover, lines

from streamshark.analysis import tables_of
from streamshark.conversations.conversation import Conversation
from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import END
from streamshark.conversations.prune import NeededTables, Requested
from streamshark.conversations.resolve import model_of
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.connection_records import Left
from streamshark.findings.fact_evaluator import FactEvaluator
from streamshark.findings.fact_groups import (
    FactObjects,
    ObjectGroups,
    ObjectKey,
    RecordPart,
    parts_of,
)
from streamshark.findings.finding import Finding
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.judge import Judge
from streamshark.judging import ConnectionJudge, evaluator_of, joiner_of
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

APART_NS = 5_000_000_000
"""Greatest time in ns between the starts of captures that are laid over each other."""
MOST_CAPTURES = 20
"""Most captures that every run judges; the shortest are chosen."""
EVALUATORS = 3
"""Number of places where facts are evaluated."""
WANTED = Requested(
    conversations=False, links=False, watched=True, annotates=False, in_full=False, derived=()
)


class Rows:
    """Rows of some captures, in order and numbered, with what a judge needs of their session."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._sessions = [Session([path], puts_together=True) for path in paths]
        self.protocols = self._sessions[0].protocols
        self.layers = self._sessions[0].layers
        self.dissector = SimpleNamespace(on_retired=lambda _take: None)
        self.rows: list[Row] = []
        flows = 0
        for file, session in enumerate(self._sessions):
            with session:
                rows = list(session.rows())
            if len(paths) > 1:
                self._shift(rows, file, flows, file * APART_NS // len(paths))
            flows += len(session.dissector.tracker.flows)
            self.rows += rows
        if len(paths) > 1:
            self.rows.sort(key=lambda row: row.order)
        frames = (row for row in self.rows if isinstance(row, FrameRow))
        for number, row in enumerate(frames, 1):
            row.give(number)

    @staticmethod
    def _shift(rows: Sequence[Row], file: int, flows: int, start_ns: int) -> None:
        """Move rows to another file, time and connection number."""
        by = start_ns - rows[0].time_ns if rows else 0
        for row in rows:
            row.time_ns += by
            row.file = file
        known = {id(each.connection.flow): each.connection.flow for each in rows}
        for flow in known.values():
            flow.number += flows
            for trouble in flow.trouble:
                trouble.signs = [
                    each._replace(at=(each.at[0] + by, file, each.at[2])) for each in trouble.signs
                ]

    @property
    def end_ns(self) -> int:
        """Time in ns of the last row."""
        return max((row.time_ns for row in self.rows), default=0)

    def noted(self, judge: Judge) -> Iterator[Row]:
        """Yield the rows, each after its packet is known to the judge."""
        for row in self.rows:
            if isinstance(row, FrameRow):
                judge.frame(row.number, row.file, row.packet)
            yield row


def together(rows: Rows) -> list[str]:
    """Return the findings of one engine."""
    judge = Judge()
    engine = Engine(
        tables_of(rows.protocols, judges=True),
        judge=judge,
        annotates=False,
        layers=rows.layers,
        all_bodies=True,  # a sample differs: decision 0053
    )
    for row in rows.noted(judge):
        if not isinstance(row, FrameRow):
            judge.event(row)
        engine.see(row)
    engine.finish()
    engine.free()
    judge.finish()
    return shown(judge.findings())


def apart(rows: Rows, *, by_object: bool = True) -> list[str]:
    """Return the findings if groups of connections that share objects are judged separately.

    With `by_object`, facts are also evaluated in several places, with the same findings.
    """
    judges = judged_together(rows, conversations=False)
    lefts = left_by(rows, judges.values())
    found = joined(rows, lefts)
    if by_object:
        assert joined_by_object(rows, lefts) == found
    return found


def judged_together(rows: Rows, *, conversations: bool) -> dict[Any, ConnectionJudge]:
    """Judge each connection alone, or with those that it must be judged with."""
    flows = {row.connection.flow.number for row in rows.rows}
    judges = judged(rows, {flow: (flow,) for flow in flows}, conversations=conversations)
    groups = ObjectGroups()
    for flow, each in judges.items():
        groups.join([flow, *each.gathered])
    shares = {flow: groups.of(flow) for flow, each in judges.items() if each.gathered}
    assert set(shares) == {flow for flow, each in judges.items() if each.shares}
    alone = {flow: each for flow, each in judges.items() if flow not in shares}
    by_number = {flow: group for (flow,), group in shares.items()}
    return alone | judged(rows, by_number, conversations=conversations)


def judged(
    rows: Rows, groups: dict[int, ObjectKey], *, conversations: bool = False
) -> dict[ObjectKey, ConnectionJudge]:
    """Judge groups of connections separately; return flow to group, and group to judge."""
    of_group: dict[ObjectKey, list[Row]] = {}
    for row in rows.rows:
        group = groups.get(row.connection.flow.number)
        if group is not None:
            of_group.setdefault(group, []).append(row)
    judges: dict[ObjectKey, ConnectionJudge] = {}
    for group, own in of_group.items():
        judges[group] = ConnectionJudge(
            rows,  # type: ignore[arg-type]
            all_bodies=True,
            conversations=conversations,
        )
        judges[group].feed(own)
    return judges


def left_by(rows: Rows, judges: Iterable[ConnectionJudge]) -> list[Left]:
    """Return the facts that connections leave, as another process unpickles them."""
    found = []
    for each in judges:
        each.finish(rows.end_ns)
        found.append(pickle.loads(pickle.dumps(each.take())))  # noqa: S301 - our own
    return found


def joined(rows: Rows, lefts: Sequence[Left]) -> list[str]:
    """Return the findings of the facts that connections leave."""
    judge = Judge()
    for _ in rows.noted(judge):
        pass
    evaluate(joiner_of(rows.protocols, judge), rows, lefts)
    return shown(judge.findings())


def joined_by_object(rows: Rows, lefts: Sequence[Left]) -> list[str]:
    """Return the findings if facts are evaluated in several places, by object."""
    objects, groups = FactObjects(), ObjectGroups()
    facts: list[tuple[ObjectKey, RecordPart]] = []
    others: list[RecordPart] = []
    for source, left in enumerate(lefts):
        objects.learn(source, left)
        for part, other in parts_of(source, left):
            others.append(other)
            for placed in part.records:
                keys = objects.of(source, placed[1])
                groups.join(keys)
                facts.append((keys[0], part._replace(records=[placed])))
    facts.sort(key=lambda each: each[1][:3])
    while True:
        evaluators = [evaluator_of(rows.protocols, number) for number in range(EVALUATORS)]
        evaluate_apart(rows, evaluators, lefts, [(groups.of(key), part) for key, part in facts])
        if not groups.join_met(each.met for each in evaluators):
            break
    judge = Judge()
    for _ in rows.noted(judge):
        pass
    joiner = joiner_of(rows.protocols, judge)
    made = [part for each in evaluators for part in each.take()]
    parts = sorted([*others, *made], key=lambda each: each[:3])
    for _, same in groupby(parts, key=lambda each: each[:3]):
        joiner.join(list(same))  # it has no objects of its own that could be forgotten
    joiner.finish(rows.end_ns)
    return shown(judge.findings())


def evaluate_apart(
    rows: Rows,
    evaluators: Sequence[FactEvaluator],
    lefts: Sequence[Left],
    facts: Iterable[tuple[ObjectKey, RecordPart]],
) -> None:
    """Evaluate facts, some groups in each place."""
    for source, left in enumerate(lefts):
        for each in evaluators:
            each.learn(source, left)
    places: dict[ObjectKey, int] = {}
    for group, part in facts:
        place = places.setdefault(group, len(places) % len(evaluators))
        if part.at[0] == END:
            evaluators[place].reach(rows.end_ns)
        evaluators[place].add(part, group)
    for each in evaluators:
        each.finish(rows.end_ns)


def evaluate(joiner: RecordJoiner, rows: Rows, lefts: Sequence[Left]) -> None:
    """Evaluate the facts that connections leave, in order."""
    groups: list[Any] = []
    for source, left in enumerate(lefts):
        joiner.learn(source, left)
        groups += [(group.at, source, group) for group in left.groups]
    for at, source, group in sorted(groups, key=lambda each: each[:2]):
        if at[0] == END:
            joiner.reach(rows.end_ns)
        joiner.add(source, group)
    joiner.finish(rows.end_ns)


def conversations_together(rows: Rows) -> list[Conversation]:
    """Return the conversations that one engine follows, in the order in which they end."""
    engine = Engine(tables_of(rows.protocols), conversations=True, layers=rows.layers)
    for row in rows.rows:
        engine.see(row)
    engine.finish()
    engine.free()
    return engine.take_ended()


def conversations_apart(rows: Rows) -> list[Conversation]:
    """Return the conversations of connections that are followed one by one."""
    judges = judged_together(rows, conversations=True)
    joiner = joiner_of(rows.protocols)
    evaluate(joiner, rows, left_by(rows, judges.values()))
    return joiner.conversations()


def shown(findings: Iterable[Finding]) -> list[str]:
    """Return findings as text, sorted."""
    return sorted(map(repr, findings))


def shared_rules() -> set[str]:
    """Return the ids of the rules that depend on objects that connections share."""
    found = set()
    for each in catalog():
        records = each.embedded_records if each.embedded_slots else ()
        model = model_of(each.wire, each.conversations, each.rules, records)
        dependence = NeededTables(model, WANTED).dependence
        of_shared = (read.table for read in model.watches if dependence.of_watch(read))
        found |= {table.id for table in of_shared if hasattr(table, "id")}
    return found


def chosen() -> list[Line]:
    """Return few captures that show together many of the rules about shared objects."""
    wanted = shared_rules()
    told = [
        each._replace(shows=tuple(one for one in each.shows if one.split()[-1] in wanted))
        for each in lines().values()
    ]
    return sorted(cover(told), key=lambda each: each.frames)[:MOST_CAPTURES]


def test_most_rules_concern_a_connection_alone() -> None:
    """Tables that cannot be judged by connection alone are listed here, with reasons."""
    joint = {}
    for each in catalog():
        records = each.embedded_records if each.embedded_slots else ()
        model = model_of(each.wire, each.conversations, each.rules, records)
        dependence = NeededTables(model, WANTED).dependence
        if dependence.reasons:
            joint[each.wire.id] = dependence.reasons
        rules = [read for read in model.watches if dependence.of_watch(read)]
        assert len(rules) < len(model.watches) * (0.6 if each.wire.id == "liftbridge" else 0.5)
    assert joint == {
        "liftbridge": [
            "connections may share a pub",
            "requests of publish are answered on other connections",
            "requests of store are answered on other connections",
        ],
        "rsocket": ["connections may share a session"],
    }


@pytest.mark.slow
def test_connections_apart_are_judged_as_together() -> None:
    """Findings, their frames, counts and consequences are the same."""
    picked = chosen()
    with Failures() as failures:
        for line in picked:
            with failures.of(line.capture):
                rows = Rows([str(line.path)])
                assert apart(rows, by_object=False) == together(rows)
                assert conversations_apart(rows) == conversations_together(rows)
    assert failures.cases == len(picked) == MOST_CAPTURES


@pytest.mark.slow
@pytest.mark.sweep
def test_all_captures_apart_and_over_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds for every capture alone, and for all of a protocol together."""
    monkeypatch.setattr("streamshark.findings.frame_places.REMEMBERED", 1 << 20)
    known = lines().values()
    with Failures() as failures:
        for line in known:
            with failures.of(line.capture):
                rows = Rows([str(line.path)])
                assert apart(rows) == together(rows)
                assert conversations_apart(rows) == conversations_together(rows)
        for protocol in sorted({line.protocol for line in known}):
            with failures.of(protocol):
                rows = Rows([str(line.path) for line in known if line.protocol == protocol])
                assert apart(rows) == together(rows)


@pytest.mark.slow
def test_captures_over_each_other_are_judged_as_one() -> None:
    """The same holds if connections of several captures share streams, names and addresses."""
    picked = [line for line in chosen() if line.protocol == "rabbitmq_stream"]
    rows = Rows([str(line.path) for line in picked])
    assert apart(rows) == together(rows)
    assert conversations_apart(rows) == conversations_together(rows)
