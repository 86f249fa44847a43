"""Tokens of filters."""

import pytest
from tests.failures import every

from streamshark.filters.error import FilterError
from streamshark.filters.nodes import Interval
from streamshark.filters.tokens import tokens


@every(
    ("text", "kind", "value"),
    [
        ("0x1F", "integer", 31),
        ("0b11", "integer", 3),
        ("012", "integer", 10),
        ("09", "word", None),
        ("1.5", "float", 1.5),
        ("1e+3", "float", 1000.0),
        ("5.", "word", None),
        ("10-1", "word", None),
        ("tcp.port-1", "word", None),
        ("1.2.3.4/24", "word", None),
        ("fe80::/10", "word", None),
        ("2020-01-01T00:00:00Z", "word", None),
        (r'"a\"\x41\101\n"', "string", 'a"AA\n'),
        (r'"\xff"', "string", "\udcff"),
        (r'r"\d\""', "string", r'\d"'),
        (r"'\x07'", "character", "\x07"),
        (
            "[1, 3-5, -2:, :4]",
            "range",
            (Interval(1, 1), Interval(3, None, 5), Interval(-2), Interval(0, 4)),
        ),
        ("#2", "layers", (Interval(2, 1),)),
        ("#[1-2]", "layers", (Interval(1, None, 2),)),
        ("${tcp.port}", "reference", "tcp.port"),
        ("$tcp.port", "reference", "tcp.port"),
        ("bitwise_and", "operator", None),
    ],
)
def test_one_token(text: str, kind: str, value: object) -> None:
    """Each kind, with its value."""
    token, end = tokens(text)

    assert (token.kind, token.value, token.text, end.kind) == (kind, value, text, "end")


@every(
    ("text", "start", "message"),
    [
        ('tcp == "a', 7, "this string is not ended"),
        ("x == 'ab'", 5, "a character is one byte"),
        (r'x == "\q"', 5, r"\q is no escape sequence"),
        (r'x == "\u0041"', 5, r"\u0041 is no escape sequence"),
        ("x = 5", 2, '"=" is no operator; did you mean "=="?'),
        ("x | y", 2, '"|" is no operator; did you mean "||"?'),
        ("x[]", 1, "a slice is [i:length], [i-end], [i], [:length] or [i:]"),
        ("x[1:0]", 1, "the length 0 is not positive"),
        ("x[5-2]", 1, "the range 5-2 ends before it begins"),
        ("x[a]", 1, '"a" is no offset'),
        ("x[0:99999999999]", 1, "the offset 99999999999 is too large"),
        ("x#-1", 1, "# needs the number of a layer: #2, or #[1-2]"),
        ("x#999999", 1, "a layer is at most 255"),
        ("x;y", 1, "unexpected character ';'"),
    ],
)
def test_what_is_no_token(text: str, start: int, message: str) -> None:
    """The position and one sentence."""
    with pytest.raises(FilterError) as caught:
        list(tokens(text))
    assert (caught.value.start, str(caught.value)) == (start, message)
