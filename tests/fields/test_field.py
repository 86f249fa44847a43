"""What a field knows, and what a getter is."""

from tests.madeup import parrot_traffic

from streamshark.fields.field import BODIES, FieldInfo, Getter, compiled, joined_facts
from streamshark.fields.types import integer
from streamshark.schema.words import FieldFacts

ROW = parrot_traffic.row(parrot_traffic.say("hello"))


def test_two_declarations_of_one_name() -> None:
    """Types, names, secrecy and needs of both."""
    one = FieldInfo("x.y.a", "x", integer("u8", 8), "A.", facts=FieldFacts(names={1: "low"}))
    other = FieldInfo(
        "x.y.a", "x", integer("u16", 16), "B.", many=True,
        facts=FieldFacts(names={1: "last", 3: "high"}, secret=True, unit="ms"),
        needs=frozenset({BODIES}),
    )  # fmt: skip
    joined = one.joined(other)

    assert (joined.doc, joined.type.words, joined.many) == ("A.", "u8 or u16", True)
    assert joined.names == {1: "low", 3: "high"}
    assert (joined.secret, joined.unit, joined.needs) == (True, "ms", {BODIES})


def test_facts_without_names() -> None:
    """Neither has some."""
    assert joined_facts(FieldFacts(), FieldFacts()) == FieldFacts()


def test_getters() -> None:
    """One value or several; a value that is absent is no occurrence."""
    phrase = Getter("row.shallow.get('phrase')")
    assert (phrase.get(ROW), list(phrase.values(ROW))) == ("hello", ["hello"])

    absent = Getter("row.shallow.get('other')")
    assert (absent.get(ROW), list(absent.values(ROW))) == (None, [])

    tags = Getter("twice(row)", {"twice": lambda row: [row.number] * 2}, many=True)
    assert tags.values(ROW) == [ROW.number] * 2


def test_compiled_expressions() -> None:
    """They see the row and the names of their scope."""
    assert compiled("more + row.number", {"more": 5})(ROW) == ROW.number + 5
