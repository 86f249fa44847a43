"""The tables of exchanges: what tests of the rules do not show."""

from tests.protocols.declarations import thresholds

from streamshark.protocols.nats.behaviours import BEHAVIOURS
from streamshark.protocols.nats.exchange_behaviours import EXCHANGES


def test_thresholds_are_constants_with_a_description() -> None:
    """Users may change each limit and pause by its name."""
    described, used = thresholds((*BEHAVIOURS, *EXCHANGES))

    assert used
    assert used - described <= {"10 s"}
