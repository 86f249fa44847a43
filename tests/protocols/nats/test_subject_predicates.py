"""Conditions about subjects of NATS."""

from tests.failures import every

from streamshark.protocols.nats.subject_predicates import (
    are_alike,
    has_wildcard_in_token,
    is_filter_nearly_published,
    is_nearly_published,
    is_related_to_published,
)


@every(
    ("pattern", "subjects", "near"),
    [
        ("orders.*", ["orders.new.eu"], "orders.new.eu"),
        ("orders.new", ["Orders.new"], "Orders.new"),
        ("orders.>", ["orders"], "orders"),
        ("orders.>", ["order.new.eu"], "order.new.eu"),
        ("*.orders.*", ["eu.oredrs.new"], "eu.oredrs.new"),
        ("orders.*", ["order.new.eu"], ""),
        ("user.*", ["usage.new"], ""),
        ("*.a", ["b"], ""),
        ("orders.*.eu", ["orders.eu"], "orders.eu"),
        ("a.b.c", ["a.b"], ""),
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


@every(
    ("pattern", "subjects", "related"),
    [
        ("a.b.c", ["a.b"], "a.b"),
        ("a.b", ["a.b.c"], "a.b.c"),
        ("a.b.c", ["a.b", "a.b.c"], ""),
        ("a.b.c", ["A.B.C", "a.b"], ""),
        ("a.b", ["a"], ""),
        ("a.b.*", ["a.b"], ""),
        ("a.b.>", ["a.b"], ""),
        ("a.b.c.d", ["a.b"], ""),
    ],
)
def test_subjects_with_another_token(pattern: str, subjects: list[str], related: str) -> None:
    """Of subjects without wildcards, none of which is nearer."""
    row = {"sub.subject": pattern, "network.subjects": dict.fromkeys(subjects)}

    assert is_related_to_published(row) == related


@every(
    ("one", "other", "alike"),
    [
        ("workers", "Workers", True),
        ("workers", "worker", True),
        ("workers", "walkers", False),
        ("filters", "filers", True),
        ("workers-1", "workers-2", True),
        ("workers-8f3a91c2", "workers-02bd77aa", True),
        ("workers", "workers-2", True),
        ("audit", "billing", False),
        ("a", "b", False),
        ("1", "2", False),
    ],
)
def test_names_that_differ_by_mistake(one: str, other: str, alike: bool) -> None:  # noqa: FBT001 - a case
    """Case, one character after the third, a number or random characters at the end."""
    assert bool(are_alike({"queue_group": one, "queue.latest": other})) is alike


def test_a_filter_is_compared_as_a_subscription() -> None:
    """Only just another one, or none of these."""
    subjects = {"orders.new": None}
    for pattern, near in (("Orders.new", "orders.new"), ("orders.*", ""), ("bills", "")):
        row = {"conn.filter": pattern, "network.subjects": subjects}
        assert is_filter_nearly_published(row) == near


def test_wildcards_are_whole_tokens() -> None:
    """Not a part of one, and `>` is the last one."""
    for subject in ("a.*.>", ">", "a", "*"):
        assert has_wildcard_in_token({"subject": subject}) == ""
    assert has_wildcard_in_token({"subject": "a.b*"}) == "the token b*"
    assert has_wildcard_in_token({"subject": "a.**"}) == "the token **"
    assert has_wildcard_in_token({"subject": "a.>.b"}) == "'>' before its end"
