"""Searches in lines and bytes, around the end."""

import pytest

from streamshark.errors import StreamsharkError
from streamshark.tui.search import Search

LINES = ["Open", "deliver", "close", "DELIVER orders"]


def found(text: str, start: int, step: int) -> int | None:
    """Return the line that a search finds."""
    last = None
    for last in Search(text).in_lines(LINES.__getitem__, len(LINES), start, step):  # noqa: B007
        pass
    return last


def test_lines_are_searched_without_regard_to_case() -> None:
    """The next line is found in both directions, around the end, the start as the last one."""
    assert [found("deliver", each, 1) for each in range(4)] == [1, 3, 3, 1]
    assert [found("deliver", each, -1) for each in range(4)] == [3, 3, 1, 1]
    assert found("open", 0, 1) == 0
    assert found("nothing", 0, 1) is None


def test_bytes_are_searched_as_text_or_hex() -> None:
    """`0x` begins hex digits; places are found around the end."""
    data = b"abc\x00\xffabc"
    assert [Search("abc").in_bytes(data, each, 1) for each in (0, 5)] == [5, 0]
    assert [Search("abc").in_bytes(data, each, -1) for each in (5, 0)] == [0, 5]
    assert Search("0x00ff").in_bytes(data, 0, 1) == 3
    assert Search("0x00fe").in_bytes(data, 0, 1) is None
    with pytest.raises(StreamsharkError, match="not an even number of hex digits"):
        Search("0x00f").in_bytes(data, 0, 1)
