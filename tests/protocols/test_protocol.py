"""A protocol is its parts, joined."""

from streamshark.protocols.amqp1 import FORMAT
from streamshark.protocols.rabbitmq_stream import PROTOCOL


def test_parts() -> None:
    """What the stages take, and what stands in slots."""
    assert PROTOCOL.wire.short == "rmqstream"
    assert [each.id for each in PROTOCOL.riders] == ["rmqstream.sub_batch"]


def test_cards_say_what_is_read() -> None:
    """Document, reference implementation, versions, and what is left out."""
    for card in (PROTOCOL.card, FORMAT.card):
        assert card is not None
        for word in (
            "Document: ",
            "Reference implementation: ",
            "Versions: ",
            "Left out on purpose",
        ):
            assert word in card
