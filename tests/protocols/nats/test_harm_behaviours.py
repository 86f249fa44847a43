"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.nats.harm_behaviours import HARMS
from streamshark.protocols.nats.harm_rules import HARM_RULES
from streamshark.protocols.nats.program_rules import PROGRAM_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(HARMS, (*HARM_RULES, *PROGRAM_RULES))

    assert described
    assert unused == set()
