"""The tables of calls to the controller: what tests of the rules do not show."""

from tests.protocols.declarations import thresholds

from streamshark.protocols.pravega.behaviours import BEHAVIOURS
from streamshark.protocols.pravega.controller_behaviours import CONTROLLER_BEHAVIOURS


def test_thresholds_are_constants_with_a_description() -> None:
    """Users may change each limit and pause by its name."""
    _, used = thresholds(CONTROLLER_BEHAVIOURS)
    described, _ = thresholds(BEHAVIOURS)

    assert used
    assert used <= described
