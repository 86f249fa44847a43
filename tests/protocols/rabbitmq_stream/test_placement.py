"""Where clients publish and read, as tables."""

from streamshark.conversations.tables import Constant, Lifecycle
from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.placement import PLACEMENT


def test_what_is_kept_is_asked_for() -> None:
    """A rule names each object, and a rule or a table each threshold."""
    rules = " ".join(f"{each.when} {each.of} {each.message}" for each in PROTOCOL.rules)
    lives = [each for each in PLACEMENT if isinstance(each, Lifecycle)]

    assert [each.name for each in lives if f"{each.name}." not in rules] == []
    texts = rules + "".join(repr(each) for each in PLACEMENT if not isinstance(each, Constant))
    assert [e.name for e in PLACEMENT if isinstance(e, Constant) and e.name not in texts] == []


def test_what_connections_share_is_of_a_virtual_host() -> None:
    """Streams of two virtual hosts may have one name."""
    lives = [each for each in PLACEMENT if isinstance(each, Lifecycle)]

    assert all("conn.vhost" in key for each in lives for key in each.key.values())
