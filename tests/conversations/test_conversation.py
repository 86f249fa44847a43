"""What is told of a row."""

from streamshark.conversations.conversation import NOTHING, Name, Told


def test_a_conversation_is_named_by_flow_frame_and_type() -> None:
    """Nothing where there is none."""
    assert Told(Name(2, 17, "publisher")).conversation == "2-17-publisher"
    told = Told(None)
    assert (told.conversation, told.request_frame, told.response_frame) == (None, None, None)
    assert told.context is NOTHING
