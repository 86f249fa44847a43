"""Text in bodies: UTF-8 that people can read."""

import pytest

from streamshark.protocols.text import FORMAT
from streamshark.protocols.text.utf8 import SURE, decode, sure
from streamshark.schema import ProblemCode


@pytest.mark.parametrize(
    "text", ["a", "hello\tworld\r\n", "grün 🦈", " ", "\u202eabc", "x" * 10_000]
)
def test_text(text: str) -> None:
    """Tabs and ends of lines are text; what turns terminals around is left to the outputs."""
    data = text.encode()

    assert FORMAT.sure(data) == SURE
    assert decode(data) == (text, [])


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"a\x1b[0m", b"\xff", b"\xc3", b"a\x7f", "\x85".encode(), b"x" * 5000 + b"\0"],
)
def test_other_bytes(data: bytes) -> None:
    """Control characters, and what is not UTF-8."""
    assert sure(data) == 0


def test_who_asks_all_the_same_is_told() -> None:
    """U+FFFD and a problem."""
    value, problems = decode(b"a\xff")

    assert value == "a\ufffd"
    assert [each.code for each in problems] == [ProblemCode.VALUE]
