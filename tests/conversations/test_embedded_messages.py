"""Messages of one protocol that another one hears in its frames."""

from tests.protocols.liftbridge.traffic import BUS, CALLS, LAYERS, WIRE, Talk, ack, members, publish

from streamshark.conversations.embedded_messages import EmbeddedMessages
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.decoding.payloads import PayloadReaders
from streamshark.protocols.liftbridge import PROTOCOL

HEARING = ProtocolTables(
    WIRE, PROTOCOL.conversations, (), PROTOCOL.embedded_records, PROTOCOL.embedded_slots
)


def test_a_message_is_a_row_of_who_hears_it() -> None:
    """With the number of the frame that it stands in, and its values."""
    heard = EmbeddedMessages.of([HEARING], LAYERS)
    talk = Talk().call(0, "Subscribe", members(_1="s"))
    assert heard is not None
    (row,) = heard.rows(talk.rows[0])

    assert (row.name, row.values) == ("subscribe_request", {"stream": "s"})
    assert (row.number, row.carrier) == (1, talk.rows[0])
    assert (row.connection.wire, row.sender) == (WIRE, "client")


def test_what_nobody_hears() -> None:
    """Other methods, other slots, and protocols that hear nothing."""
    heard = EmbeddedMessages.of([HEARING], LAYERS)
    assert heard is not None

    assert list(heard.rows(Talk().call(0, "Sing", b"x").rows[0])) == []
    assert list(heard.rows(Talk().pub(0, "foo", b"x").rows[0])) == []
    assert EmbeddedMessages.of([ProtocolTables(CALLS, ()), ProtocolTables(BUS, ())], LAYERS) is None
    assert EmbeddedMessages.of([HEARING], None) is None
    assert (
        list(
            EmbeddedMessages((HEARING,), PayloadReaders(())).rows(Talk().call(0, "X", b"").rows[0])
        )
        == []
    )


def test_the_frame_is_told_what_was_heard() -> None:
    """It is part of the conversation that its message is part of; so is what the bus carries."""
    talk = Talk().call(0, "Publish", members(_2=b"v", _3="s", _7="1"))
    talk.pub(1, "foo", publish()).pub(2, "in", ack()).reply(0, "Publish", members(_3="1"))
    asked, _, sent, _, acked, answered = talk.rows

    assert str(asked.annotation.part_of) == "0-1-publish"
    assert [str(row.annotation.name) for row in (sent, acked)] == ["0-1-publish"] * 2
    assert str(answered.annotation.part_of) == "0-1-publish"
    assert asked.annotation.context["stream"] == "s"
