"""The codes: a closed list, each with a word of its own and a sentence."""

from streamshark.schema import Problem, ProblemCode


def test_codes_are_told_apart() -> None:
    """By a word that filters and JSON show."""
    words = [each.word for each in ProblemCode]

    assert len(set(words)) == len(words) <= 24
    assert all(word.isidentifier() and word == word.lower() for word in words)


def test_every_code_says_what_it_means() -> None:
    """In one sentence."""
    for code in ProblemCode:
        assert code.sentence.endswith(".")
        assert isinstance(code.stops, bool)


def test_a_problem_is_a_value() -> None:
    """It can be compared."""
    assert Problem(ProblemCode.SHORT, 1, 2, 3, "x") == Problem(ProblemCode.SHORT, 1, 2, 3, "x")
