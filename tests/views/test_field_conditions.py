"""When members are there."""

from streamshark.schema import (
    U8,
    U16,
    Either,
    Fits,
    Many,
    Record,
    Switch,
    Tail,
    TextLine,
    When,
    field,
    this,
    token,
    tokens,
)
from streamshark.schema.walk import walk_word
from streamshark.views.field_conditions import joined, presences


def told(word: Record) -> dict[str, str]:
    """Return presence by name, of those that may be absent."""
    tree = walk_word(word, "made.x")
    found = presences(tree)
    return {node.name: found[node.id] for node in tree.nodes if node.name and node.id in found}


def test_conditions_add_up() -> None:
    """A member inside two conditions is there if both hold."""
    inner = When(this.b == 2, field("c", U8, "C."))

    assert told(Record(field("a", U8, "A."), When(this.a & 1, field("b", U8, "B."), inner))) == {
        "b": "if a has 0x1",
        "c": "if a has 0x1 and if b is 2",
    }


def test_unions_and_tails() -> None:
    """Every arm says when it is taken."""
    one, two = (field("one", U8, "1."),), (field("two", U16, "2."),)

    assert told(Record(Either(clear=one, set=two))) == {
        "one": "if the top bit of the next byte is 0",
        "two": "if the top bit of the next byte is 1",
    }
    assert told(Record(Fits(first=one, second=two))) == {
        "one": "in the form `first`",
        "two": "in the form `second`",
    }
    kind = field("kind", U8, "K.", names={1: "first"})
    assert told(Record(kind, Switch(this.kind, {1: one}, default=two))) == {
        "one": "if kind is 1 (first)",
        "two": "if kind is anything else",
    }
    assert told(Record(Tail(field("late", U8, "L.")))) == {"late": "while bytes remain"}


def test_a_record_inside_starts_anew() -> None:
    """Members of an optional list are always there in its items."""
    word = Record(Tail(field("items", Many(Record(field("a", U8, "A."))), "I.")))

    assert told(word) == {"items": "while bytes remain"}


def test_arguments() -> None:
    """Optional arguments, and those after a mark."""
    line = TextLine(
        "X", token("a", "A."), tokens("b", "B.", mark="+"), token("c", "C.", optional=True)
    )

    assert told(Record(line)) == {"b": "after `+`", "c": "if given"}


def test_nodes_that_share_a_name() -> None:
    """Always there if one of them is."""
    assert joined(["if a", "if b", "if a"]) == "if a or if b"
    assert joined(["if a", ""]) == ""
