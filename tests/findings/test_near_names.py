"""Names that nearly are others."""

from tests.failures import every

from streamshark.findings.near_names import (
    LONGEST,
    distance,
    is_misspelt,
    is_near,
    nearest,
    similar,
)

KNOWN = ("order-events", "bills", "audit-1", "application/json")


@every(
    ("one", "other", "count"),
    [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("abc", "acb", 2)],
)
def test_a_distance(one: str, other: str, count: int) -> None:
    """Characters that are added, left out or replaced."""
    assert distance(one, other) == distance(other, one) == count


@every(
    ("name", "other", "expected"),
    [
        ("orders", "Orders", True),
        ("order-lines", "order_lines", True),
        ("invoice", "invoices", True),
        ("invoxxes", "invoices", False),
        ("orders-1", "orders-2", False),
        ("order", "orders", False),
        ("orders", "orders", False),
        ("", "orders", False),
    ],
)
def test_a_misspelt_name(name: str, other: str, *, expected: bool) -> None:
    """Not one with another number, nor a short one with another letter."""
    assert is_misspelt(name, other) is expected


@every(
    ("word", "found"),
    [
        ("maxage", "max_age"), ("max_aeg", "max_age"), ("num_replica", "num_replicas"),
        ("replicas", "num_replicas"), ("max_age_limit", "max_age"), ("shards", ""), ("dir", ""),
    ],
)  # fmt: skip
def test_a_word_that_resembles_another(word: str, found: str) -> None:
    """Separators, a letter or two, or a part more or less."""
    assert nearest(word, ("max_age", "num_replicas")) == found


@every(
    ("name", "found"),
    [
        ("order-events", ""),
        ("order_events", "order-events"),
        ("OrderEvents", "order-events"),
        ("order-event", "order-events"),
        ("order-evnets", "order-events"),
        ("ordre-evnets", "order-events"),
        ("ardre-evnets", ""),
        ("audit-2", ""),
        ("adit-1", "audit-1"),
        ("bill", ""),
        ("billz", "bills"),
        ("bil", ""),
        ("application/jason", "application/json"),
        ("x" * (LONGEST + 1), ""),
        ("", ""),
    ],
)
def test_names(name: str, found: str) -> None:
    """An edit for each five characters, two at most; numbers tell names apart."""
    assert similar(name, KNOWN) == found


def test_edits_are_the_same_in_both_directions() -> None:
    """Letters more, less, others and swapped ones."""
    for one, other, near in (
        ("orders", "order", True),
        ("orders", "odrers", True),
        ("orders", "rders", True),
        ("orders", "offers", False),
        ("abcdefghij", "abxdefyhij", True),
    ):
        assert is_near(one, other) is is_near(other, one) is near, (one, other)
