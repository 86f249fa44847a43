"""Words of the .proto files."""

from streamshark.protocols.liftbridge.types import (
    ACK_INBOX,
    CORRELATION_ID,
    N64,
    body,
    message,
    settings,
    string,
)
from streamshark.schema import U8, Record, field
from streamshark.schema.walk import walk_word


def test_members_are_numbered_in_their_order() -> None:
    """From 1 on, as nearly all messages are."""
    made = message(string("one", "A text."), CORRELATION_ID, ACK_INBOX)

    assert {number: each.name for number, each in made.fields.items()} == {
        1: "one", 2: "correlation_id", 3: "ack_inbox",
    }  # fmt: skip


def test_settings_are_thirteen_that_may_be_absent() -> None:
    """Each in a message of its own, so that absent is not 0."""
    assert len(settings()) == 13
    assert all(each.message is not None for each in settings())
    assert walk_word(Record(N64), "x.n64").find("value")


def test_a_body_is_one_region() -> None:
    """The body reaches from the header to the end."""
    (region,) = body(field("one", U8, "A number."))

    assert region.__class__.__name__ == "Region"
