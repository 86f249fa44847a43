"""Messages that are alike and must not be taken for each other."""

from streamshark.protocols.liftbridge import messages
from streamshark.protocols.liftbridge.messages import (
    MESSAGE,
    OLD_MESSAGE,
    OLD_PROPAGATED_REQUEST,
    PROPAGATED_REQUEST,
    PROPAGATED_RESPONSE,
)
from streamshark.schema import ProtoMessage


def names(message: ProtoMessage) -> dict[int, str]:
    """Numbers and names of members."""
    return {number: each.name for number, each in message.fields.items()}


def test_numbers_of_2019() -> None:
    """The same members, two fewer, from 5 on two numbers lower."""
    new, old = names(MESSAGE), names(OLD_MESSAGE)

    assert [new[number + 2] for number in range(5, 11)] == [old[number] for number in range(5, 11)]
    assert [new[number] for number in range(1, 5)] == [old[number] for number in range(1, 5)]


def test_propagations_have_numbers_of_their_own() -> None:
    """Not those of Raft's log, nor of 2019; the answer has a hole."""
    assert names(PROPAGATED_REQUEST)[4] == "report_leader_op"
    assert names(PROPAGATED_REQUEST)[9] == "set_stream_readonly_op"
    assert names(OLD_PROPAGATED_REQUEST)[2] == "create_partition_op"
    assert set(names(PROPAGATED_RESPONSE)) == {1, 2, 11}


def test_every_member_has_a_sentence() -> None:
    """In all messages."""
    for message in vars(messages).values():
        if isinstance(message, ProtoMessage):
            assert all(each.sentence.endswith(".") for each in message.fields.values())
