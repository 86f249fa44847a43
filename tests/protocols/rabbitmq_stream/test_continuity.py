"""How clients continue after an error or a reconnect, as tables."""

from streamshark.conversations.tables import Behaviour, Constant, Lifecycle
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.continuity import CONTINUITY


def test_what_is_kept_is_asked_for() -> None:
    """A rule names each object, each behaviour and each threshold."""
    texts = [repr(e) for e in (*CONTINUITY, *PROTOCOL.rules) if not isinstance(e, Constant)]
    constants = [each.name for each in CONTINUITY if isinstance(each, Constant)]
    kept = [each.name for each in CONTINUITY if isinstance(each, Lifecycle)]
    triggers = {f"{e.kind}:{e.name}" for e in CONTINUITY if isinstance(e, Behaviour)}

    assert [name for name in constants if not any(name in text for text in texts)] == []
    assert all(any(f"{name}." in each.when for each in PROTOCOL.rules) for name in kept)
    assert triggers <= {each.on for each in PROTOCOL.rules}
