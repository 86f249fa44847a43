"""Conditions about subjects of NATS."""

from tests.failures import every

from streamshark.protocols.nats.subject_predicates import is_nearly_published


@every(
    ("pattern", "subjects", "near"),
    [
        ("orders.*", ["orders.new.eu"], "orders.new.eu"),
        ("orders.new", ["Orders.new"], "Orders.new"),
        ("orders.>", ["orders"], "orders"),
        ("orders.*.eu", ["orders.eu"], "orders.eu"),
        ("a.b.c", ["a.b"], "a.b"),
        ("a.b", ["a.b.c", "a.b"], ""),
        ("orders.*", ["invoices.new", "orders.new"], ""),
        ("orders.>", ["orders.new.eu"], ""),
        ("a", ["b"], ""),
        ("a.b", ["a.c"], ""),
        (">", ["a"], ""),
        ("a.b", [], ""),
    ],
)
def test_subjects_that_nearly_match(pattern: str, subjects: list[str], near: str) -> None:
    """Case, and a token at the end; nothing where one of them matches."""
    row = {"sub.subject": pattern, "network.subjects": dict.fromkeys(subjects)}

    assert is_nearly_published(row) == near


def test_what_is_unknown_is_near_nothing() -> None:
    """Without subjects, or without a pattern."""
    assert is_nearly_published({"sub.subject": None, "network.subjects": None}) == ""
