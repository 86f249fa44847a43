"""The tables of states: what tests of the rules do not show."""

from tests.protocols.declarations import thresholds

from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.object_states import OBJECT_STATES


def test_thresholds_are_constants_that_rules_use() -> None:
    """Users may change each limit and pause by its name."""
    described, _ = thresholds(OBJECT_STATES)

    assert described
    assert all(any(name in each.when for each in PROTOCOL.rules) for name in described)
