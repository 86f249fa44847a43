"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.liftbridge.return_rules import RETURN_RULES
from streamshark.protocols.liftbridge.returns import RETURNS


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(RETURNS, RETURN_RULES)

    assert described
    assert unused == set()
