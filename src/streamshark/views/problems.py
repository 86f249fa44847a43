"""Problems as outputs name them: the field in full, and a sentence that gives no secret away."""

from streamshark.schema import Problem
from streamshark.schema.nodes import Tree
from streamshark.views.escaping import printable


def field_of(problem: Problem, tree: Tree | None) -> str | None:
    """The full name of the field that a problem is about; None for the frame as a whole."""
    if tree is None or problem.node < 0:
        return None
    node = tree.nodes[problem.node]
    return tree.name(node) if node.path else None


def message_of(problem: Problem, secrets: frozenset[int]) -> str:
    """The sentence of a problem; what it says of a secret is left out."""
    if problem.node in secrets:
        return problem.code.sentence
    return printable(problem.message)
