"""What both forms of the record decoder print alike."""

import pytest

from streamshark.decoding.code_printer import METHODS, given, part_expression, referenced
from streamshark.decoding.lax import LaxPrinter
from streamshark.decoding.strict import StrictPrinter
from streamshark.errors import SchemaError
from streamshark.schema import U8, U16, Many, Record, When, any_of, field, len_, nodes, raw, this
from streamshark.schema.walk import walk_word
from streamshark.schema.words import FieldFacts

TREE = walk_word(
    Record(
        field("a", U8, "A."),
        field("b", U8, "B."),
        field("x", raw(this.a), "X." ),
        When(any_of(len_(this.x), 1, 2), field("c", U16, "C.")),
        field("d", Many(U8, count=this.c + 1), "D."),
    ),
    "any.tree",
)  # fmt: skip


def test_what_expressions_refer_to_is_known() -> None:
    """Only that needs a variable."""
    assert referenced(TREE) == {TREE.find(name).value for name in ("a", "x", "c")}


def test_expressions_are_printed_as_python() -> None:
    """With the text that gives each value."""
    printer = LaxPrinter(TREE)
    printer.value = {TREE.find(name).value: name for name in ("a", "x", "c")}
    when = next(each for each in TREE.nodes if isinstance(each, nodes.WhenNode))
    count = TREE.find("d")

    assert printer.expr(when.condition) == "(measure(x) in (1, 2))"
    assert isinstance(count, nodes.ListNode)
    assert printer.expr(given(count.count)) == "(c + 1)"


def test_blocks_are_indented_and_never_empty() -> None:
    """As Python wants it."""
    printer = LaxPrinter(TREE)
    with printer.block("if a:"):
        pass
    printer.absent([TREE.find("c"), TREE.find("b")])

    assert printer.lines == [
        "    if a:",
        "        pass",
        f"    v{TREE.find('c').value} = 0",
    ]


def test_parts_are_shifted_and_masked() -> None:
    """Not shifted where they end the group."""
    part = nodes.PartNode(1, "p", ("p",), "P.", FieldFacts(), 0, 4, 3)

    assert part_expression("g", part) == "(g >> 4 & 7)"
    part.shift = 0
    assert part_expression("g", part) == "(g & 7)"


def test_what_is_missing_by_construction_is_a_schema_error() -> None:
    """A node has a prefix or an expression."""
    with pytest.raises(SchemaError):
        given(None)


def test_both_forms_print_every_node() -> None:
    """A kind of node without its method would be noticed when a decoder is made."""
    inside = {nodes.PartNode, nodes.ProtoNode, nodes.ArgumentNode}
    bases = ((each, getattr(each, "__bases__", ())) for each in vars(nodes).values())
    kinds = {each for each, above in bases if nodes.Node in above} - inside

    assert set(METHODS) == kinds
    assert LaxPrinter(TREE).method.keys() == StrictPrinter(TREE).method.keys() == METHODS.keys()
