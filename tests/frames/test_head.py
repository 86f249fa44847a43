"""Heads say how long a frame is, or that they are not whole."""

from tests.frames.parcels import HEAD, SPOKEN, TICKS, send, signed

from streamshark.frames.head import NO_FRAME, measurer


def test_a_binary_head_is_measured() -> None:
    """Total, key, version and response bit come from the head's members."""
    measure = measurer(HEAD)
    data = send() + signed()

    assert measure(data, 0, len(data)) == (len(send()), 1, 1, False)
    assert measure(data, len(send()), len(data)) == (len(signed()), 1, 1, True)


def test_a_short_head_needs_more() -> None:
    """A head that is not whole is no problem, whatever its bytes."""
    measure = measurer(HEAD)

    for end in range(8):
        assert measure(TICKS, 0, end) is None


def test_a_line_is_measured_with_its_payload() -> None:
    """A sized verb counts the bytes after its line and their line end."""
    measure = measurer(SPOKEN.heads[""])
    data = b"say 5\r\nhello\r\nBYE\r\n"

    assert measure(data, 0, len(data)) == (14, "say", None, False)
    assert measure(data, 14, len(data)) == (5, "bye", None, False)
    assert measure(data, 0, 6) is None


def test_a_line_that_is_none_has_no_length() -> None:
    """An unknown verb, a size that is no number and an endless line are not frames."""
    measure = measurer(SPOKEN.heads[""])

    for data in (b"SING 5\r\n", b"SAY x\r\n", b"SAY 1234567890\r\n", b"\r\n", b"x" * 80):
        measured = measure(data, 0, len(data))
        assert measured is not None
        assert measured[0] == NO_FRAME
