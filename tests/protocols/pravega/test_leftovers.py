"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.pravega.leftover_rules import LEFTOVER_RULES
from streamshark.protocols.pravega.leftovers import LEFTOVERS


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(LEFTOVERS, LEFTOVER_RULES)

    assert described
    assert unused == set()
