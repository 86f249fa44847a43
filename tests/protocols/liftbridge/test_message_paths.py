"""The tables of messages on their way: ids that several messages share prove nothing."""

from tests.protocols.liftbridge.test_message_path_rules import BOX, ack, message, stored
from tests.protocols.liftbridge.traffic import Talk, publish
from tests.protocols.liftbridge.traffic import ack as acknowledge


def test_a_shared_inbox_is_of_no_message_alone() -> None:
    """The ack may be for the other one; a correlation id tells them apart, if it is generated."""
    talk = stored(sent=message(b"first")).pub(0, "b", message(b"second"))
    assert talk.pub(1, BOX, ack(subject="b")).found("LFB-B232") == []

    apart = stored(sent=message(b"first", "1")).pub(0, "b", message(b"second", "2"))
    apart.pub(1, BOX, ack(1, "2", subject="b")).pub(1, BOX, ack(5, "2", subject="b"))
    assert len(apart.found("LFB-B225")) == 1


def test_ids_that_programs_choose_prove_nothing() -> None:
    """Another program may count from 1, too, or have the same inbox."""
    chosen = Talk().pub(0, "a", publish(id="1")).pub(1, "in", acknowledge(id="1", subject="a"))
    assert chosen.pub(1, "in", acknowledge(4, id="1", subject="a")).found("LFB-B225") == []
