"""The state of offsets, publishing ids, names and super streams, as tables."""

from streamshark.conversations.tables import Constant, Lifecycle
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.object_states import OBJECT_STATES


def test_what_is_kept_is_asked_for() -> None:
    """A rule names each object, and tables or rules each threshold."""
    texts = [repr(e) for e in (*OBJECT_STATES, *PROTOCOL.rules) if not isinstance(e, Constant)]
    constants = [each.name for each in OBJECT_STATES if isinstance(each, Constant)]
    kept = [each.name for each in OBJECT_STATES if isinstance(each, Lifecycle)]

    assert [name for name in constants if not any(name in text for text in texts)] == []
    assert all(any(f"{name}." in each.when for each in PROTOCOL.rules) for name in kept)
