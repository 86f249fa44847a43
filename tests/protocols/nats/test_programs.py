"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import thresholds

from streamshark.protocols.nats.programs import PROGRAMS


def test_thresholds_are_constants_with_a_description() -> None:
    """Users may change each limit and pause by its name."""
    described, used = thresholds(PROGRAMS)

    assert used
    assert used <= described
