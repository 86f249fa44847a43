"""What is told of a row."""

from streamshark.conversations.conversation import NOTHING, Annotation, Name


def test_a_conversation_is_named_by_flow_frame_and_type() -> None:
    """A row without a conversation has no name."""
    assert Annotation(Name(2, "17.2", "publisher")).conversation == "2-17.2-publisher"
    told = Annotation(None)
    assert (told.conversation, told.request_frame, told.response_frame) == (None, None, None)
    assert told.context is NOTHING
