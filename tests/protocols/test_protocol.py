"""A protocol is its parts, joined."""

from streamshark.protocols.amqp1 import FORMAT
from streamshark.protocols.protocol import Protocol, declared
from streamshark.protocols.rabbitmq_stream import PROTOCOL, frames


def test_parts() -> None:
    """What the stages take, and what stands in slots."""
    assert PROTOCOL.wire.short == "rmqstream"
    assert [each.id for each in PROTOCOL.embedded_records] == ["rmqstream.sub_batch"]


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


def test_frames_are_declared_by_modules() -> None:
    """Each module of the folder brings its own, in the order of the names."""
    found = declared(frames)

    assert found[0].name == "close"
    assert sorted(map(id, found)) == sorted(map(id, PROTOCOL.wire.frames))


def test_parts_may_be_left_out() -> None:
    """A protocol without conversations has none."""
    assert Protocol("Any", "", PROTOCOL.wire).conversations == ()
