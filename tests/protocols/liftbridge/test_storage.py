"""The tables: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.liftbridge.storage import STORAGE
from streamshark.protocols.liftbridge.storage_rules import STORAGE_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    limits = {each.name for each in STORAGE if isinstance(each, Constant) and each.doc}
    used = repr([each for each in (*STORAGE, *STORAGE_RULES) if not isinstance(each, Constant)])

    assert limits
    assert {each for each in limits if each not in used} == set()
