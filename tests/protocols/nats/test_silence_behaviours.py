"""The tables of silences: what tests of the rules do not show."""

from tests.protocols.declarations import thresholds

from streamshark.protocols.nats.silence_behaviours import SILENCES


def test_thresholds_are_constants_with_a_description() -> None:
    """Users may change each limit and pause by its name."""
    described, used = thresholds(SILENCES)

    assert used
    assert used <= described
