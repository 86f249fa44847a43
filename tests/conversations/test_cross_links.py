"""Facts that join conversations of several connections."""

from collections import Counter

import pytest

from streamshark.conversations import cross_links
from streamshark.conversations.conversation import Name
from streamshark.conversations.cross_links import OLDEST_NS, CrossLinks, EndedObject


class Thing:
    """What has a conversation."""

    def __init__(self, flow: int) -> None:
        self.name = Name(flow, "1", "connection")
        self.links: list[Name] | None = None


def test_what_leads_is_joined_with_what_follows() -> None:
    """The latest of them, of another connection, not too old."""
    made = CrossLinks(Counter())
    first, second, third = Thing(0), Thing(1), Thing(2)
    made.see("k", "leads", "x", first, 0, 0)
    made.see("k", "follows", "x", first, 0, 1)
    made.see("k", "leads", "x", second, 1, 2)
    made.see("other", "follows", "x", third, 2, 3)
    made.see("k", "follows", "x", third, 2, 3 + OLDEST_NS)
    assert (first.links, third.links) == (None, None)

    made.see("k", "both", "x", third, 2, 4)
    made.see("k", "follows", "x", first, 0, 5)
    assert second.links == [third.name]
    assert third.links == [second.name, first.name]


def test_facts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes, and that is counted."""
    monkeypatch.setattr(cross_links, "MOST_FACTS", 2)
    capped: Counter[str] = Counter()
    made = CrossLinks(capped)
    for key in "abc":
        made.see("k", "leads", key, Thing(0), 0, 0)

    assert list(made.facts) == [("k", "b"), ("k", "c")]
    assert capped == {"link facts": 1}


def test_old_facts_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that nothing can be linked with any more; that is not counted."""
    monkeypatch.setattr(cross_links, "LEAST_FACTS", 2)
    capped: Counter[str] = Counter()
    made = CrossLinks(capped)
    for number, key in enumerate("abcd"):
        made.see("k", "leads", key, Thing(0), 0, number * OLDEST_NS * 2 // 3)

    assert list(made.facts) == [("k", "b"), ("k", "c"), ("k", "d")]
    assert not capped


def test_what_is_too_old_or_too_much_is_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too much is counted."""
    monkeypatch.setattr(cross_links, "MOST_LINKS", 1)
    capped: Counter[str] = Counter()
    made = CrossLinks(capped)
    ended, late = EndedObject(Name(0, "1", "connection")), Thing(1)
    made.see("k", "leads", "x", ended, 0, 0)
    made.see("k", "follows", "x", late, 1, 1 + OLDEST_NS)
    assert (late.links, capped) == (None, {})

    made.see("k", "follows", "x", Thing(2), 2, 1)
    third = Thing(3)
    made.see("k", "follows", "x", third, 3, 2)
    assert (len(ended.links or ()), third.links) == (1, [ended.name])
    assert capped["links of a conversation"] == 1
