"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.rabbitmq_stream.findings.handling import HANDLING as RULES
from streamshark.protocols.rabbitmq_stream.handling import HANDLING, PLACES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits((*HANDLING, *PLACES), RULES)

    assert described
    assert unused == set()
