"""What one side said, in a few words."""

from tests.conversations.dialogue import CLIENT, Talk
from tests.framing.parcel_protocol import send

from streamshark.conversations.expressions import Parser
from streamshark.conversations.resolve import message
from streamshark.conversations.summary import LONGEST, rendered, shown, turn_of, worded


def test_turns() -> None:
    """Frame, command, what the schema shows."""
    talk = Talk(())
    turn = turn_of(talk.say(CLIENT, send(1)))

    assert turn is not None
    assert (turn.frame, turn.command) == (1, "send")
    assert turn_of(talk.rows[0]) is None
    assert turn_of(None) is None


def test_values_in_a_few_words() -> None:
    """Lists by their length."""
    assert [shown(each, None) for each in ([1, 2], range(3), b"ab", b"a", 5, "x")] == [
        "2", "3", "2 bytes", "1 byte", "5", "x",
    ]  # fmt: skip
    assert len(shown("x" * 500, None)) == LONGEST


def test_forms_of_values() -> None:
    """As a message asks for them."""
    assert [worded(8, "name", {8: "refused"}), worded(9, "name", {8: "refused"})] == [
        "8 (refused)",
        "9",
    ]
    assert [worded(None, "time"), worded(1500, "time"), worded(2_000_000, "size")] == [
        "unknown",
        "1.5 us",
        "2.00 MB",
    ]
    assert [worded(1, "count frame"), worded(2, "count echo echoes"), worded("a", "size")] == [
        "1 frame",
        "2 echoes",
        "a",
    ]
    assert worded(list(range(9)), "") == "0, 1, 2, 3, 4, 5, 6, 7, ..."


def test_messages_leave_out_the_colon_before_an_empty_end() -> None:
    """As of a refusal without a text; an unknown value is named, and a colon inside stays."""
    template = message("call failed with {1}: {2}", Parser(frozenset()))

    assert [rendered(template, values, None) for values in ((5, ""), (5, None), ("", "x"))] == [
        "call failed with 5",
        "call failed with 5: unknown",
        "call failed with : x",
    ]
