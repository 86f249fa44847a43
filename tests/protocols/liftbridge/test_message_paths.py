"""The tables of messages on their way: ids that several messages share prove nothing."""

from tests.protocols.liftbridge.test_message_path_rules import BOX, ack, message, stored
from tests.protocols.liftbridge.traffic import Talk, publish
from tests.protocols.liftbridge.traffic import ack as acknowledge


def test_an_inbox_that_messages_share_is_of_none_alone() -> None:
    """The acks may be for another one; generated correlation ids tell them apart."""
    shared = stored(ack(1), sent=message(b"first")).pub(0, "a", message(b"second"))
    assert shared.pub(1, BOX, ack(2)).found("LFB-B225") == []

    apart = stored(ack(1, "1"), sent=message(b"first", "1")).pub(0, "a", message(b"second", "2"))
    assert apart.pub(1, BOX, ack(2, "2")).pub(1, BOX, ack(5, "2")).found("LFB-B225") == [(10, 8, 6)]


def test_ids_that_programs_choose_prove_nothing() -> None:
    """Another program may count from 1, too, or have the same inbox."""
    chosen = Talk().pub(0, "a", publish(id="1")).pub(1, "in", acknowledge(id="1", subject="a"))
    assert chosen.pub(1, "in", acknowledge(4, id="1", subject="a")).found("LFB-B225") == []
