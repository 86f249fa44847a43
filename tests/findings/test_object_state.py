"""Evaluators continue with the objects of others, however these were divided."""

import pickle

from tests.findings.left_records import dialogue, given, left_by_each

from streamshark.conversations.cross_links import EndedObject
from streamshark.conversations.split_code import number_objects_from
from streamshark.findings.fact_evaluator import FactEvaluator
from streamshark.findings.fact_groups import FactObjects, ObjectKey, RecordPart, parts_of
from streamshark.findings.object_state import LinkedObject, SavedObject, linked_object

Facts = list[tuple[ObjectKey, RecordPart]]


def facts_of_dialogue(*evaluators: FactEvaluator) -> Facts:
    """Facts in order, each with its object."""
    found: Facts = []
    objects = FactObjects()
    for source, left in enumerate(left_by_each(dialogue())):
        objects.learn(source, left)
        for each in evaluators:
            each.learn(source, left)
        for part, _ in parts_of(source, left):
            for placed in part.records:
                key = objects.of(source, placed[1])[0]
                found.append((key, part._replace(records=[placed])))
    return sorted(found, key=lambda each: each[1][:3])


def evaluated(evaluator: FactEvaluator, facts: Facts) -> list[RecordPart]:
    """What facts match."""
    for key, part in facts:
        evaluator.add(part, key)
    return evaluator.take()


def test_objects_continue_in_another_evaluator() -> None:
    """Two evaluators find together what one does, at whichever fact the first one ends."""
    end_ns = dialogue().now
    number_objects_from(0)
    one = FactEvaluator(given())
    facts = facts_of_dialogue(one)
    whole = evaluated(one, facts)
    one.finish(end_ns)
    whole += one.take()
    assert len(whole) > 1
    for cut in range(1, len(facts)):
        number_objects_from(0)
        first, second = FactEvaluator(given()), FactEvaluator(given())
        facts_of_dialogue(first, second)
        found = evaluated(first, facts[:cut])
        reached_ns = facts[cut - 1][1].at[0]
        state: list[SavedObject] = list(first.objects(reached_ns))
        assert {each.key[1] for each in state} == {"house"}
        for each in pickle.loads(pickle.dumps(state)):  # noqa: S301 - our own
            second.restore(each, each.key)
        second.continue_at(reached_ns)
        found += evaluated(second, facts[cut:])
        second.finish(end_ns)
        found += second.take()
        assert [each.records for each in found] == [each.records for each in whole]


def test_what_links_know_of_objects() -> None:
    """Of an object that has ended, only its name: it has no conversation to be linked."""
    assert linked_object(EndedObject(None)) is None
    known = LinkedObject(3, "parcel", ("conn",), None)
    assert linked_object(known) is known
