"""Regular expressions: Perl's spelling, in bounded time."""

import time

import pytest
from tests.failures import every

from streamshark.filters.error import Unsuitable
from streamshark.filters.patterns import MOST_SEARCHED, SHORTEST, pattern


@every(
    ("text", "data", "found"),
    [
        ("^PUB", b"publish", True),
        ("(?-i)^PUB", b"publish", False),
        ("a(?i)B", b"ab", True),
        ("[[:alpha:]]+[[:digit:]]", b"abc1", True),
        (r"a\z", b"a\n", False),
        (r"a\Z", b"a\n", True),
        (r"\Qa.b\E", b"axb", False),
        (r"\x{41}\x42", b"ab", True),
        ("(?<n>a)b", b"ab", True),
        ("[]a]", b"]", True),
        ("[a[&&b]", b"[", True),
        ("^.{2}$", b"\xc2\xb7", True),
        ("(foo|bar)+x", b"foobarx", True),
        ("x++y", b"xxy", True),
        (r"\h", b"\t", True),
        (".*b.*", b"abc", True),
    ],
)
def test_matches(text: str, data: bytes, found: bool) -> None:  # noqa: FBT001 - a case
    """Over bytes, without case."""
    assert (pattern(text).code.search(data) is not None) is found


@every(
    "text",
    ["(a+)+", "(a|a)*", "((a)|(b))*", "(a{1,3}){2}", "(x*|y)*", "a?" * 30 + "a" * 30, "(?R)",
     "(", "a)",
     "[a", "a{99999}", r"\p{L}", r"\K", "a*" * 4, r"\x{100}", "*", "(?<=a*)b", "a**"],
)  # fmt: skip
def test_what_is_refused(text: str) -> None:
    """Malformed patterns, and those whose search could take exponential time."""
    with pytest.raises(Unsuitable):
        pattern(text)


@every("text", ["a*b", "a*a*b", "a*a*a*c", "(ab|cd)*e", "[ab]{1,15}[ab]{1,15}[ab]*c", "^a*a*b"])
def test_a_search_takes_bounded_time(text: str) -> None:
    """On the worst bytes of the length that it looks at."""
    made = pattern(text)
    start = time.process_time()
    made.code.search((b"a" * MOST_SEARCHED)[: made.most])

    assert SHORTEST <= made.most <= MOST_SEARCHED
    assert time.process_time() - start < 3
