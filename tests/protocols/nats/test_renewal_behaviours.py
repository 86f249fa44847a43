"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.nats.renewal_behaviours import RENEWALS
from streamshark.protocols.nats.renewal_rules import RENEWAL_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(RENEWALS, RENEWAL_RULES)

    assert described
    assert unused == set()
