"""The error of a filter shows where."""

from streamshark.filters.error import WIDTH, FilterError


def test_carets_are_below_the_part() -> None:
    """The part that is wrong, and a suggestion in the message."""
    error = FilterError("no such field", "tcp && udq", 7, 10, suggestion="udp")

    assert str(error) == 'no such field; did you mean "udp"?'
    assert error.details == "tcp && udq\n       ^^^"


def test_long_filters_are_cut() -> None:
    """Around the position; control characters are not printed."""
    text = "a" * 500 + "\x1b!" + "b" * 500
    shown, carets = FilterError("wrong", text, 500, 502).details.split("\n")

    assert len(shown) == WIDTH
    assert "\x1b" not in shown
    assert shown[len(carets) - 2 : len(carets)] == "?!"
    assert carets.endswith("^^")
