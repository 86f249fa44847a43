"""The tables of messages on their way: ids that several messages share prove nothing."""

from tests.protocols.liftbridge.test_message_path_rules import ack, message, stored


def test_a_shared_inbox_is_of_no_message_alone() -> None:
    """The ack may be for the other one; a correlation id tells them apart."""
    talk = stored(sent=message(b"first")).pub(0, "b", message(b"second"))
    assert talk.pub(1, "in", ack(subject="b")).found("LFB-B232") == []

    apart = stored(sent=message(b"first", "1")).pub(0, "b", message(b"second", "2"))
    apart.pub(1, "in", ack(1, "2", subject="b")).pub(1, "in", ack(5, "2", subject="b"))
    assert len(apart.found("LFB-B225")) == 1
