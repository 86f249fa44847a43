"""Conversations are the same after packing."""

from dataclasses import replace

from tests.failures import every

from streamshark.conversations.conversation import (
    Conversation,
    ConversationTurn,
    TurnWithoutText,
)
from streamshark.index.conversation_records import packed_conversation, unpacked_conversation

TIMES = {3: 1_000, 9: 5_000}
CALL = Conversation(
    id="0-18-call",
    protocols=("nats",),
    flows=(0,),
    type="call",
    correlation_id=7,
    state="done",
    first_frame=3,
    last_frame=9,
    frame_count=2,
    start=1_000,
    duration_ns=4_000,
    request=ConversationTurn(3, "pub", "a"),
    outcome=ConversationTurn(9, "msg", "b"),
    measures={"response_time_ns": 4_000, "count": 2, "flag": True},
    parent="0-3-connection",
    links=("1-4-call",),
)


def texted(conversation: Conversation) -> Conversation:
    """Return a conversation of an index with the texts of its turns."""
    turns = (conversation.request, conversation.outcome)
    request, outcome = (
        each and ConversationTurn(each.frame, each.command, each.text) for each in turns
    )
    return replace(conversation, request=request, outcome=outcome)


def text_of(frame: int, context: int) -> str:
    """Return a summary of a frame, given the number of what was known of it."""
    return f"frame {frame}, {context}"


def time_of(frame: int) -> int:
    """Return the time of a frame."""
    return TIMES.get(frame, 0)


@every(
    "changed",
    [
        {},
        {"id": "0-3:18.2-call"},
        {"id": "0-018-call"},
        {"id": "0-x-call"},
        {"id": "1-18-call"},
        {"id": "0-18-other"},
        {"flows": ()},
        {"start": 900, "duration_ns": 50},
        {"request": None, "outcome": None, "parent": None, "links": ()},
        {"first_frame": 0, "last_frame": 0},
        {"outcome": ConversationTurn(4, "msg", "")},
        {"measures": {}, "correlation_id": "text"},
    ],
)
def test_conversations_are_the_same(changed: dict[str, object]) -> None:
    """Whatever their ids and times are."""
    conversation = replace(CALL, **changed)  # type: ignore[arg-type]
    packed = packed_conversation(conversation, time_of, len)

    assert texted(unpacked_conversation(packed, time_of, text_of)) == conversation


def test_what_frames_say_is_left_out() -> None:
    """Times, numbers of frames, the packet that is in the id, and texts."""
    packed = packed_conversation(CALL, time_of, len)

    assert not {18, 9, 1_000, 4_000, 5_000} & {each for each in packed if type(each) is int}
    assert packed.count(0) >= 2


def test_texts_are_made_of_frames() -> None:
    """When they are asked for; what was known of the frame is stored with it."""
    turn = TurnWithoutText(3, "pub", "")
    turn.context = {"user": "x", "vhost": "/"}
    packed = packed_conversation(replace(CALL, request=turn), time_of, len)

    found = unpacked_conversation(packed, time_of, text_of)
    assert texted(found) == replace(CALL, request=ConversationTurn(3, "pub", "frame 3, 2"))
