"""What rules ask of messages: which order and which results they have."""

from tests.failures import Failures
from tests.protocols.rabbitmq_stream.findings.test_handling import described

from streamshark.protocols.rabbitmq_stream.handling_predicates import has_no_result, is_behind

LATER = 10_000_000
"""Time in ns after which messages of two connections have an order."""


def test_a_message_comes_after_a_later_one_of_its_group() -> None:
    """Only if messages of two groups do, by a few places, and not at the same time."""
    cases = [
        ("two groups", (("a", 2), ("b", 2), ("a", 1)), LATER, "number 1 of b after number 2"),
        ("in order", (("a", 1), ("b", 1), ("a", 2)), LATER, ""),
        ("one group", (("a", 2), ("a", 3), ("a", 1)), LATER, ""),
        ("begins anew", (("a", 2), ("b", 90), ("a", 1)), LATER, ""),
        ("at the same time", (("a", 2), ("b", 2), ("a", 1)), 0, ""),
    ]
    with Failures() as failures:
        for name, before, apart, found in cases:
            steps = [
                (n, n * apart, 0, described(group=group, step=step))
                for n, (group, step) in enumerate(before)
            ]
            now = [{"message": described(group="b", step=1)}]
            row = {"n": 9, "t": 9 * apart, "published_messages": now, "course.steps": steps}
            with failures.of(name):
                assert is_behind(row).startswith(found)
                assert bool(is_behind(row)) == bool(found)


def test_messages_have_no_result() -> None:
    """Those after the first results, up to the stored offset."""
    taken = [(at, at, described(name=f"m{at}")) for at in range(6)]
    results = [described(answers=f"m{at}") for at in range(3)]
    row = {"intake.before": taken, "intake.before_stored": 5, "plant.results": results}

    assert has_no_result(row) == "m3 at offset 3"
    assert not has_no_result({**row, "intake.before_stored": 3})
    assert not has_no_result({**row, "plant.results": [*results, described(answers="m5")]})
