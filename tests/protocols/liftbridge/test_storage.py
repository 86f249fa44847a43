"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.liftbridge.storage import STORAGE
from streamshark.protocols.liftbridge.storage_rules import STORAGE_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(STORAGE, STORAGE_RULES)

    assert described
    assert unused == set()
