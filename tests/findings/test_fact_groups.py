"""Which facts are evaluated together."""

from tests.findings.left_records import dialogue, left_by_each

from streamshark.findings.connection_records import LEAVES
from streamshark.findings.fact_groups import FactObjects, ObjectGroups, parts_of

HERE, THERE, ALIKE = (("parcel", name, key) for name, key in (("a", 1), ("a", 2), ("b", 1)))
OWN = ("parcel", "conn", 7, 0)
"""An object of a connection."""


def test_groups_are_united_by_what_they_share() -> None:
    """Also through an object of a connection, and what evaluators have met."""
    groups = ObjectGroups()
    groups.join([OWN, HERE])
    groups.join([OWN])
    assert groups.of(OWN) == groups.of(HERE) == HERE
    assert not groups.shared()

    groups.join([ALIKE, OWN])
    assert groups.of(THERE) == THERE
    assert list(map(sorted, groups.shared())) == [sorted([HERE, ALIKE])]

    late = ("parcel", "late", 3)
    assert groups.join_met([{late: HERE, HERE: HERE}, {late: THERE}])
    assert len({groups.of(each) for each in (OWN, HERE, THERE, ALIKE)}) == 1
    assert not groups.join_met([{late: HERE}, {late: THERE}])


def test_parts_and_objects_of_records() -> None:
    """Each record is in one of two parts, in its place; a fact names its objects."""
    for source, left in enumerate(left_by_each(dialogue())):
        objects = FactObjects()
        objects.learn(source, left)
        for group, (facts, others) in zip(left.groups, parts_of(source, left, 5), strict=True):
            assert facts[:4] == others[:4]
            placed = sorted(facts.records + others.records, key=lambda each: each[0])
            assert placed == list(enumerate(group.records))
            for _, fact in facts.records:
                assert fact[0] == LEAVES
                (found,) = objects.of(source, fact)
                assert found[:2] == ("parcels", "house")
                assert found[2][0] == "10.0.0.2:7777", found  # type: ignore[index]


def test_a_fact_without_objects_has_a_group() -> None:
    """Its keys find none."""
    objects = FactObjects()
    left = left_by_each(dialogue())[0]
    text = "def objects(flow, t, n, v):\n    return (('house', v[0]), ('house', (v[0], 1)),)\n"
    objects.learn(0, left._replace(texts=[("parcel", 0, text)]))
    assert objects.of(0, (LEAVES, 4, "parcel", 0, 1, 2, 0, (None,))) == (("parcel", "", 4, 0),)
