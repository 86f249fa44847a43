"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.pravega.reading_stop_rules import READING_STOP_RULES
from streamshark.protocols.pravega.reading_stops import READING_STOPS


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(READING_STOPS, READING_STOP_RULES)

    assert described
    assert unused == set()
