"""Nothing that a peer sent can command a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamshark.views.escaping import json_safe, printable, quoted, readable

HOSTILE = "\x00\x07\x1b[31m\x7f\x9b2J\r\n\t\u202e\u2066\u200b\ufeff\u2028\ud800\U000e0001"


def obeyed(text: str) -> list[str]:
    """Return the control and invisible characters of a text."""
    return [each for each in text if not each.isprintable()]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("orders", "orders"),
        ("Grüße, 世界", "Grüße, 世界"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("\x1b[31m\x9b", "\\x1b[31m\\x9b"),
        ("\u202e", "\\u202e"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    """Letters stay, everything else is spelt out."""
    assert printable(text) == shown


@given(st.text())
def test_printable_text_is_one_harmless_line(text: str) -> None:
    """Whatever the text."""
    assert obeyed(printable(text)) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("orders", "orders"),
        ("/", "/"),
        ("%2F-a_b.c:1", "%2F-a_b.c:1"),
        ("", '""'),
        ("two words", '"two words"'),
        ('a"b', '"a\\"b"'),
        ("a=b", '"a=b"'),
        ("a,b", '"a,b"'),
        ("a\\b", '"a\\\\b"'),
        ("a\nb", '"a\\nb"'),
    ],
)
def test_quotes_stand_where_they_are_needed(text: str, shown: str) -> None:
    """An argument that could be taken for two, or for none, is quoted."""
    assert quoted(text) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    """Of a text only the beginning and its length are shown."""
    assert quoted("x" * 100, 60) == f"{'x' * 44}[100 characters]"
    assert quoted(" " * 100, 60) == f'"{" " * 44}"[100 characters]'
    assert quoted("x" * 60, 60) == "x" * 60


@given(st.text())
def test_quoted_text_is_harmless(text: str) -> None:
    """Whatever the text."""
    assert obeyed(quoted(text, 20)) == []


@given(st.text() | st.just(HOSTILE))
def test_json_is_the_same_and_harmless(text: str) -> None:
    """Escapes only change how the text is written."""
    plain = json.dumps({"text": text}, ensure_ascii=False)

    assert json.loads(json_safe(plain)) == {"text": text}


def test_json_escapes_what_a_terminal_might_obey() -> None:
    """Controls, marks of direction and lone surrogates; letters stay."""
    safe = json_safe(json.dumps(HOSTILE + "ü", ensure_ascii=False))

    assert obeyed(safe) == []
    assert "ü" in safe
    assert json_safe('"plain"') == '"plain"'


def test_readable_bytes() -> None:
    """Cut in the midst of a character, or not; controls are no text."""
    long = "ä" * 500

    assert readable(long.encode()[:-1], 60) is not None
    assert readable(b"x" + long.encode(), 60) == f'"x{"ä" * 47}"[1001 bytes]'
    assert readable("ä".encode()[:1], 60) is None
    assert readable(b"a\xff" + b"a" * 500, 60) is None
    assert readable(b"a\0", 60) is None
    assert readable(b"", 60) is None
    assert readable(b'it\'s "so"', 60) == '"it\'s \\"so\\""'
    assert readable("\u202e".encode(), 60) == '"\\u202e"'
