"""The records of a carrier."""

from tests.framing.box_carrier import BOXES, Boxes, box
from tests.framing.parcel_protocol import segment

from streamshark.framing.carrier import Carriage, CarriedMessage, CarrierEvent


def test_a_carrier_gives_messages_and_notices() -> None:
    """Each byte belongs to one item; a payload comes after its header."""
    message, notice = Boxes().feed(segment(box(b"hello") + box(b"")))

    assert isinstance(message, CarriedMessage)
    assert isinstance(notice, CarrierEvent)
    assert (message.offset, message.end, message.length, message.data) == (2, 7, 7, b"hello")
    assert message.readable
    assert message.length + notice.length == 9


def test_slots_say_how_a_protocol_takes_them() -> None:
    """By their name alone."""
    assert BOXES.slots["boxes.message"] is Carriage.MESSAGES
    assert BOXES.slots["boxes.bytes"] is Carriage.BYTES
