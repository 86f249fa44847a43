"""What is known of an expression where a handler is printed."""

from tests.failures import every

from streamshark.conversations.constant_folding import FALSE, TRUE, conjuncts, folded
from streamshark.conversations.expressions import (
    ColumnRef,
    Expr,
    NamedConstant,
    Parser,
    Scalar,
    SlotRef,
)

PARSER = Parser(frozenset(("sub",)))
KNOWN = {"name": "publish", "size": None, "LIMIT": 5}


def known(node: Expr) -> Scalar | None:
    """A name that no row decides, a field that is not there, a constant; objects are unknown."""
    match node:
        case ColumnRef((name,)) | NamedConstant(name) if name in KNOWN:
            return Scalar(KNOWN[name])
    return None


@every(
    ("text", "shorter"),
    [
        ("name == 'publish' and sub.n > 1", "sub.n > 1"),
        ("name in ('publish', 'deliver') or sub.n > 1", "True"),
        ("name not in ('publish', 'deliver') and sub.n > 1", "False"),
        ("size > 3", "False"),
        ("not size > 3", "False"),
        ("size is None and t > LIMIT", "t > 5"),
        ("size is not None", "False"),
        ("size - 4 > 3 or t > 3", "t > 3"),
        ("t > LIMIT * 2", "t > 10"),
        ("t * LIMIT * 2 > 3", "t * 10 > 3"),
        ("coalesce(size, t) > 3", "t > 3"),
        ("coalesce(LIMIT, t) > 3", "True"),
        ("max(t, size) > 3", "False"),
        ("any_eq(size, 3) or has(sub.x, 1)", "has(sub.x, 1)"),
        ("(3 if name == 'publish' else t) == 3", "True"),
        ("(3 if t > 1 else LIMIT) == 3", "(3 if t > 1 else 5) == 3"),
        ("t > 7 // (LIMIT - 5)", "t > 7 // 0"),
        ("live(sub) > 3", "live(sub) > 3"),
    ],
)
def test_conditions_become_shorter(text: str, shorter: str) -> None:
    """And mean the same."""
    node = PARSER.condition(text)
    assert node is not None

    assert folded(node, known) == PARSER.condition(shorter)


def test_what_must_all_hold() -> None:
    """However it is nested."""
    assert conjuncts(None) == []
    node = PARSER.condition("t > 1 and (n > 2 and (size > 3 or n > 4))")
    assert node is not None
    assert len(conjuncts(node)) == 3
    assert conjuncts(folded(node, known))[-1] == PARSER.condition("n > 4")
    assert folded(SlotRef("sub", "n"), known) == SlotRef("sub", "n")
    assert (PARSER.condition("False"), PARSER.condition("True")) == (FALSE, TRUE)
