"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.nats.liveness_behaviours import LIVENESS
from streamshark.protocols.nats.liveness_rules import LIVENESS_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(LIVENESS, LIVENESS_RULES)

    assert described
    assert unused == set()
