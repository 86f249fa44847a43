"""What clients do after a failure, as tables."""

from streamshark.conversations.tables import Constant, Lifecycle
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.recovery import RECOVERY


def test_what_is_kept_is_asked_for() -> None:
    """A rule names each object and each threshold."""
    texts = [repr(e) for e in (*RECOVERY, *PROTOCOL.rules) if not isinstance(e, Constant)]
    constants = [each.name for each in RECOVERY if isinstance(each, Constant)]
    kept = [each.name for each in RECOVERY if isinstance(each, Lifecycle)]

    assert [name for name in constants if not any(name in text for text in texts)] == []
    assert all(any(f"{name}." in each.when for each in PROTOCOL.rules) for name in kept)
