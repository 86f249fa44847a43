"""The tables: what tests of the rules do not show."""

from streamshark.conversations.tables import Constant
from streamshark.protocols.nats.stream_state_rules import STREAM_STATE_RULES
from streamshark.protocols.nats.stream_states import STREAM_STATES


def test_each_limit_decides_in_a_rule() -> None:
    """Users may change each limit by its name; one that nothing reads would have no effect."""
    limits = {each.name for each in STREAM_STATES if isinstance(each, Constant)}
    conditions = " ".join(each.when or "" for each in STREAM_STATE_RULES)

    assert limits
    assert {each for each in limits if each not in conditions} == set()
