"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.pravega.shared_use import SHARED_USE
from streamshark.protocols.pravega.shared_use_rules import SHARED_USE_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(SHARED_USE, SHARED_USE_RULES)

    assert described
    assert unused == set()
