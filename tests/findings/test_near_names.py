"""Names that nearly are others."""

from tests.failures import every

from streamshark.findings.near_names import distance, is_misspelt, misspelt, nearest


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


def test_a_known_name_is_not_misspelt() -> None:
    """Nor are names of which nothing is known."""
    assert misspelt("orderz", ("orders",)) == "orders"
    assert misspelt("Orders", ("orders", "Orders")) == ""
    assert misspelt(None, None) == misspelt("orders", None) == ""
