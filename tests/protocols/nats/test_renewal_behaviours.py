"""The tables: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.nats.renewal_behaviours import RENEWALS
from streamshark.protocols.nats.renewal_rules import RENEWAL_RULES


def test_limits_are_constants_that_rules_or_actions_use() -> None:
    """Users may change each by its name."""
    limits = {each.name for each in RENEWALS if isinstance(each, Constant) and each.doc}
    used = repr([each for each in (*RENEWALS, *RENEWAL_RULES) if not isinstance(each, Constant)])

    assert limits
    assert {each for each in limits if each not in used} == set()
