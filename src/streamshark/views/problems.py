"""Problems as outputs show them: the full field name, and a message that reveals no secret."""

from streamshark.schema import Problem
from streamshark.schema.nodes import Tree
from streamshark.views.escaping import printable


def field_of(problem: Problem, tree: Tree | None) -> str | None:
    """Return the full name of the field of a problem; None for the frame as a whole."""
    if tree is None or problem.node < 0:
        return None
    node = tree.nodes[problem.node]
    return tree.name(node) if node.path else None


def message_of(problem: Problem, secrets: frozenset[int]) -> str:
    """Return the message of a problem, without values of secret fields."""
    if problem.node in secrets:
        return problem.code.sentence
    return printable(problem.message)
