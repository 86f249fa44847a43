"""Facts of objects, evaluated in their place: what they match is joined with the rest."""

from tests.findings.left_records import dialogue, given, left_by_each

from streamshark.findings.connection_records import MATCHES, SETTLES
from streamshark.findings.fact_evaluator import FactEvaluator
from streamshark.findings.fact_groups import FactObjects, parts_of


def test_matches_have_the_places_of_facts() -> None:
    """A part of them is merged with the other records of its group."""
    talk = dialogue()
    evaluator, objects, facts = FactEvaluator(given()), FactObjects(), []
    for source, left in enumerate(left_by_each(talk)):
        evaluator.learn(source, left)
        objects.learn(source, left)
        facts += [part for part, _ in parts_of(source, left) if part.records]
    facts.sort(key=lambda each: each[:3])
    for part in facts:
        (group,) = {key for _, fact in part.records for key in objects.of(part.source, fact)}
        evaluator.add(part, group)
    evaluator.finish(talk.now)

    parts = evaluator.take()
    assert {each[:3] for each in parts[:-1]} < {each[:3] for each in facts}
    kinds = [record[0] for part in parts for _, record in part.records]
    assert set(kinds[:-1]) >= {MATCHES}
    assert SETTLES in kinds
    assert sorted(evaluator.met) == sorted(set(evaluator.met.values()))
    assert {key[1] for key in evaluator.met} == {"house"}
    assert not evaluator.take()
