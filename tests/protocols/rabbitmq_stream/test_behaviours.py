"""What clients do over time, as tables."""

from streamshark.conversations.tables import Behaviour, Constant
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.behaviours import BEHAVIOURS


def test_every_behaviour_has_a_rule() -> None:
    """One without would find nothing."""
    triggers = {f"{e.kind}:{e.name}" for e in BEHAVIOURS if isinstance(e, Behaviour)}

    assert triggers
    assert triggers <= {each.on for each in PROTOCOL.rules}


def test_thresholds_are_constants_that_are_used() -> None:
    """Users may change each of them."""
    texts = [
        repr(each) for each in (*BEHAVIOURS, *PROTOCOL.rules) if not isinstance(each, Constant)
    ]
    for each in BEHAVIOURS:
        if isinstance(each, Constant):
            assert any(each.name in text for text in texts), each.name
        elif isinstance(limit := getattr(each, "limit", "NONE"), int):
            assert limit < 5, each
