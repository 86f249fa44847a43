"""A protocol is its parts, joined."""

from dataclasses import replace

from streamshark.protocols.amqp1 import FORMAT
from streamshark.protocols.protocol import Protocol, later
from streamshark.protocols.rabbitmq_stream import PROTOCOL

PACKAGE = "streamshark.protocols.rabbitmq_stream"


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


def test_parts_may_come_later() -> None:
    """They are fetched when they are asked for, once, and copied as they are."""
    protocol = replace(PROTOCOL, rules=later(PACKAGE, "findings.RULES"), story=())

    assert callable(vars(protocol)["rules"])
    assert protocol.rules
    assert protocol.rules is vars(protocol)["rules"] is PROTOCOL.rules
    assert protocol.story == ()
    assert Protocol("Any", "", PROTOCOL.wire).conversations == ()
