"""Problems are named in full and give no secret away."""

from tests.madeup import parrot_traffic

from streamshark.schema import Problem, ProblemCode, nodes
from streamshark.views.problems import field_of, message_of


def test_the_field_is_named_in_full() -> None:
    """Lists without indices; no field where it is about the frame."""
    row = parrot_traffic.row(parrot_traffic.perch("muchtoolong"))
    assert row.decoder is not None
    tree = row.decoder.tree

    assert [field_of(each, tree) for each in row.problems] == ["parrot.perch.branches.name"]
    assert field_of(Problem(ProblemCode.TRAILING, -1, 0, 1, ""), tree) is None
    assert field_of(Problem(ProblemCode.SHORT, tree.root.id, 0, 1, ""), tree) is None
    assert field_of(row.problems[0], None) is None


def test_the_sentence_of_a_secret_is_the_one_of_the_code() -> None:
    """What is wrong is told, without the values seen."""
    row = parrot_traffic.row(parrot_traffic.login()[:-3])
    assert row.decoder is not None
    (problem,) = row.problems

    assert message_of(problem, nodes.secrets(row.decoder.tree)) == ProblemCode.SHORT.sentence
    assert message_of(problem, frozenset()) == problem.message


def test_text_from_the_wire_is_escaped() -> None:
    """An unknown verb is escaped in the message."""
    assert message_of(Problem(ProblemCode.VERB, -1, 0, 1, "\x1b[2J"), frozenset()) == "\\x1b[2J"
