"""The tables: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.rsocket import answers
from streamshark.protocols.rsocket.findings.answers import ANSWERS as RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    tables = answers.ANSWERS
    limits = {each.name for each in tables if isinstance(each, Constant) and each.doc}
    used = repr([each for each in (*tables, *RULES) if not isinstance(each, Constant)])

    assert limits
    assert {each for each in limits if each not in used} == set()
