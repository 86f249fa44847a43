"""Names that are nearly a known one."""

from tests.failures import every

from streamshark.findings.similar_names import LONGEST, is_near, similar

KNOWN = ("order-events", "bills", "audit-1", "application/json")


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
