"""The tables: what tests of the rules do not show."""

from tests.protocols.declarations import limits

from streamshark.protocols.rsocket import answers
from streamshark.protocols.rsocket.findings.answers import ANSWERS as RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    described, unused = limits(answers.ANSWERS, RULES)

    assert described
    assert unused == set()
