"""What one side said, in a few words."""

from tests.conversations.talk import CLIENT, Talk
from tests.frames.parcels import send

from streamshark.conversations.describing import LONGEST, duration, shown, turn_of


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
    assert [shown(each, None) for each in ([1, 2], range(3), b"ab", 5, "x")] == [
        "2", "3", "2 bytes", "5", "x",
    ]  # fmt: skip
    assert len(shown("x" * 500, None)) == LONGEST


def test_times_for_people() -> None:
    """Three digits and a unit."""
    assert [duration(each) for each in (0, 999, 1500, 45_000_000, 90 * 10**9, 2 * 10**13)] == [
        "0 ns", "999 ns", "1.5 us", "45 ms", "1.5 min", "5.56 h",
    ]  # fmt: skip
