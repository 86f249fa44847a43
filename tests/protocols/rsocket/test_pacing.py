"""When items and KEEPALIVEs come, as tables."""

from streamshark.conversations.tables import Behaviour, Constant
from streamshark.protocols.rsocket import PROTOCOL
from streamshark.protocols.rsocket.pacing import PACING


def test_every_behaviour_has_a_rule() -> None:
    """One without would find nothing."""
    triggers = {f"{e.kind}:{e.name}" for e in PACING if isinstance(e, Behaviour)}

    assert triggers
    assert triggers <= {each.on for each in PROTOCOL.rules}


def test_thresholds_are_constants_that_are_used() -> None:
    """Users may change each of them."""
    texts = [repr(e) for e in (*PACING, *PROTOCOL.rules) if not isinstance(e, Constant)]
    constants = [each.name for each in PACING if isinstance(each, Constant)]

    assert [name for name in constants if not any(name in text for text in texts)] == []
