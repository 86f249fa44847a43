"""The tables: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.rabbitmq_stream.findings.handling import HANDLING as RULES
from streamshark.protocols.rabbitmq_stream.handling import HANDLING, PLACES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    tables = (*HANDLING, *PLACES)
    limits = {each.name for each in tables if isinstance(each, Constant) and each.doc}
    used = repr([each for each in (*tables, *RULES) if not isinstance(each, Constant)])

    assert limits
    assert {each for each in limits if each not in used} == set()
