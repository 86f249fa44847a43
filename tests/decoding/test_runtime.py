"""What the generated decoders call: complaints, encodings, ranges."""

import pytest

from streamshark.decoding import runtime
from streamshark.decoding.runtime import MESSAGES, Stop
from streamshark.schema import Problem, ProblemCode


def test_every_complaint_of_a_decoder_is_a_code() -> None:
    """Each message has its code and its values."""
    assert set(MESSAGES) <= set(ProblemCode.__members__)
    for code in MESSAGES:
        problems: list[Problem] = []
        values = (1, 2) if "#" in MESSAGES[code] else ("a", "b")
        runtime.problem(problems, code, 1, 2, 3, *values)
        assert problems[0][:4] == (ProblemCode[code], 1, 2, 3)
        assert "{" not in problems[0].message


def test_what_stops_says_so_first() -> None:
    """A problem is reported before `Stop`; without a list of problems there is only `Stop`."""
    problems: list[Problem] = []
    with pytest.raises(Stop):
        runtime.short(problems, 1, 2, 3, 4)
    with pytest.raises(Stop):
        runtime.negative(problems, 1, 2, 3, -4)
    with pytest.raises(Stop):
        runtime.fail(([], problems), "VERB", 1, 2, 3, "GO")
    with pytest.raises(Stop):
        runtime.fail(None, "VERB", 1, 2, 3, "GO")

    assert [each.message for each in problems] == [
        "4 bytes needed, 3 left",
        "negative length or count -4",
        "the line does not start with GO",
    ]


def test_what_was_not_read_is_nobodys() -> None:
    """The bytes after the last range, up to the end, are undecoded."""
    ranges: runtime.Ranges = [(5, 0, 2, 1)]
    runtime.undecoded(ranges, 0, 4)
    runtime.undecoded(ranges, 0, 4)

    assert ranges == [(5, 0, 2, 1), (-1, 2, 4, None)]
    assert runtime.place(ranges, 5) == (0, 2)
    assert runtime.place(ranges, 6) == (0, 0)


def test_gaps_between_pieces_belong_to_the_node_around() -> None:
    """Blanks, line ends, colons."""
    ranges: runtime.Ranges = []
    runtime.filled(ranges, [(7, 2, 3, "a"), (8, 3, 4, "b")], 0, 6, 1)

    assert ranges == [(1, 0, 2, None), (7, 2, 3, "a"), (8, 3, 4, "b"), (1, 4, 6, None)]


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"abc", "abc"), (b"a\xc0\x80", "a\0"), (b"\xed\xa0\xbe\xed\xb6\x88", "\U0001f988"),
     (b"\xef\xbb\xbfa", "\ufeffa")],
)  # fmt: skip
def test_modified_utf_8(data: bytes, text: str) -> None:
    """NUL in two bytes, surrogates in three each."""
    assert runtime.mutf8(data) == text


def test_a_character_in_four_bytes_is_read_with_a_problem() -> None:
    """Plain UTF-8 where Java's is meant."""
    problems: list[Problem] = []
    assert runtime.decoded(problems, 1, 2, b"\xf0\x9f\xa6\x88", "mutf-8") == "\U0001f988"
    assert problems == [Problem(ProblemCode.TEXT, 1, 2, 4, "not valid mutf-8")]


def test_text_that_is_not_valid_has_a_problem_and_a_replacement() -> None:
    """In every encoding."""
    for encoding in ("utf-8", "ascii", "mutf-8"):
        problems: list[Problem] = []
        assert runtime.decoded(problems, 1, 2, b"a\xff", encoding) == "a\ufffd"
        assert problems == [Problem(ProblemCode.TEXT, 1, 2, 2, f"not valid {encoding}")]


def test_a_length_is_of_bytes_or_items() -> None:
    """0 of what is absent or null."""
    lengths = [runtime.measure(each) for each in ("ü", b"ab", [1], None, 0, "")]

    assert lengths == [2, 2, 1, 0, 0, 0]


def test_the_sum() -> None:
    """Its check value."""
    assert runtime.crc32c(b"123456789") == 0xE3069283
