"""The walk: one tree for all readers, and what a schema must obey."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import construct
import pytest
from tests.failures import every
from tests.schema.shapes.catalog import SHAPES, cases

from streamshark.decoding.lax import LaxPrinter
from streamshark.decoding.strict import StrictPrinter
from streamshark.errors import SchemaError
from streamshark.schema import (
    I32,
    U8,
    U16,
    U64,
    Bits,
    Blob,
    Either,
    FrameKind,
    FrameSchema,
    Head,
    Int,
    Literal,
    Many,
    Member,
    ProtoMessage,
    Record,
    Region,
    Sender,
    Switch,
    Tail,
    TextLine,
    When,
    Word,
    any_of,
    crc32,
    field,
    len_,
    nodes,
    part,
    proto,
    raw,
    reserved,
    sum_,
    text,
    this,
    token,
)
from streamshark.schema.random_frames import _FrameSampler
from streamshark.schema.random_values import RandomValues
from streamshark.schema.walk import Walker, name_of, walk, walk_word

ONE = field("one", U8, "A number.")
TREE = walk_word(Record(ONE), "any.tree")


def described(word: type) -> Iterator[type]:
    """All words that other words are not made of."""
    for each in word.__subclasses__():
        if each.__module__.startswith("streamshark.schema."):
            yield each
        yield from described(each)


# The matrix: every word in every reader

PIECES = {nodes.Node, nodes.PartNode, nodes.ProtoNode, nodes.ArgumentNode}
"""Nodes that the node around them is read with."""
READERS: dict[str, Callable[[], dict[type, Any]]] = {
    "fast": lambda: StrictPrinter(TREE).method,
    "careful": lambda: LaxPrinter(TREE).method,
    "samples": lambda: _FrameSampler(TREE, RandomValues(Random(0))).method,  # noqa: S311 - a seed
}
"""What each reader does with each node; a new reader is added here."""


def test_walk_knows_every_word() -> None:
    """The vocabulary is what is written in the schema package, no more and no less."""
    walker = Walker("any")

    assert set(walker.words) == set(described(Word))
    assert set(walker.member_words) == set(described(Member))


@pytest.mark.parametrize("base", [Word, Member])
def test_the_reference_reads_and_writes_every_word(base: type) -> None:
    """Each has its own parse and build."""
    names = ("_parse", "_build") if base is Word else ("into", "outof")
    for word in described(base):
        for name in names:
            assert name in vars(word), f"{word.__name__}.{name}"


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_knows_every_node(reader: str) -> None:
    """A new node cannot be forgotten anywhere."""
    kinds = {each for each in vars(nodes).values() if isinstance(each, type)}
    kinds = {each for each in kinds if issubclass(each, nodes.Node)} - PIECES

    assert set(READERS[reader]()) == kinds


def test_every_node_has_a_vector() -> None:
    """Bytes that other people's code wrote prove each of them."""
    seen = {
        type(node)
        for protocol in SHAPES
        for case in cases(protocol)
        for node in case.layout.tree.nodes
    }
    wanted = {each for each in vars(nodes).values() if isinstance(each, type)}

    assert {each for each in wanted if issubclass(each, nodes.Node)} <= seen


# What a tree is


def test_nodes_are_numbered_in_wire_order() -> None:
    """Ids are indices; a prefix stands before what it counts."""
    tree = walk_word(Record(field("names", Many(text(U8), count=U16), "Names."), ONE), "any.x")

    assert [each.id for each in tree.nodes] == list(range(len(tree.nodes)))
    assert [type(each).__name__ for each in tree.nodes] == [
        "RecordNode", "ListNode", "IntNode", "BlobNode", "IntNode", "IntNode",
    ]  # fmt: skip
    assert tree.name(tree.find("names")) == "any.x.names"
    assert [each.name for each in tree.named()] == ["names", "one"]


def test_a_response_says_so_in_its_name() -> None:
    """`_response` comes after the command, before the path, where a bit tells both apart."""
    schema = FrameSchema("open", 1, FrameKind.RESPONSE, Sender.SERVER, "Opened.", "x", (ONE,))
    bit = Head((field("answers", U8, "Set on responses."),), None, "", response="answers")
    tree = walk(schema, bit, "any")

    assert name_of("any", schema, bit) == "any.open_response"
    assert tree.name(tree.find("one")) == "any.open_response.one"
    assert name_of("any", schema, Head((), None, "")) == "any.open"


def test_arms_that_share_a_name_share_a_value() -> None:
    """A reference means whichever of them is there."""
    tree = walk_word(
        Record(
            Either(clear=(field("size", U8, "One."),), set=(field("size", U16, "Two."),)),
            field("data", raw(this.size), "Data."),
        ),
        "any.x",
    )
    sizes = [each for each in tree.nodes if each.name == "size"]

    assert len(sizes) == 2
    assert sizes[0].value == sizes[1].value == sizes[0].id


def test_a_frame_names_the_flags_of_its_head() -> None:
    """The head has the bits, each frame their names."""
    head = Head((field("flags", U8, "By frame."),), this.flags + 1, "flags", flags="flags")
    schema = FrameSchema("a", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x", (), flags={1: "last"})

    assert walk(schema, head, "any").find("flags").facts.flags == {1: "last"}


def test_least_is_the_fewest_bytes() -> None:
    """Of a record, its members that are always there."""
    tree = walk_word(
        Record(
            ONE,
            When(this.one, field("two", U64, "Two.")),
            field("name", text(U16), "Name."),
            Tail(field("end", U16, "End.")),
        ),
        "any.x",
    )

    assert tree.root.least == 3


# What a schema must obey


class Odd(Int):
    """A word that is not in the vocabulary, though it looks like one."""


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "unknown reference": (lambda: Record(field("a", raw(this.b), "A.")), "not an earlier field"),
    "later reference": (
        lambda: Record(field("a", raw(this.b), "A."), field("b", U8, "B.")),
        "not an earlier field",
    ),
    "reference out of all records": (
        lambda: Record(field("a", raw(this._._.b), "A.")),
        "not an earlier field",
    ),
    "reference into a record": (
        lambda: Record(field("a", Record(ONE), "A."), field("b", raw(this.one), "B.")),
        "not an earlier field",
    ),
    "two types for one name": (
        lambda: Record(
            Either(
                clear=(field("a", U8, "A."),), set=(Bits(1, reserved(8)), field("a", UUIDS, "A."))
            )
        ),
        "two types",
    ),
    "one name twice": (lambda: Record(ONE, ONE), "stands twice"),
    "a name in an arm and outside": (lambda: Record(ONE, When(this.one, ONE)), "stands twice"),
    "items of no size": (
        lambda: Record(ONE, field("a", Many(Record(When(this._.one, ONE))), "A.")),
        "at least one byte",
    ),
    "no sentence": (lambda: Record(field("a", U8, " ")), "a sentence"),
    "no sentence of a part": (lambda: Record(Bits(1, part("a", 8, ""))), "a sentence"),
    "no sentence of a protobuf field": (
        lambda: Record(ProtoMessage({1: proto("a", "bool", "")})),
        "a sentence",
    ),
    "no sentence of an argument": (lambda: Record(TextLine("A", token("a", ""))), "a sentence"),
    "64 bits in an expression": (
        lambda: Record(field("a", U64, "A."), field("b", raw(this.a), "B.")),
        "64 bits",
    ),
    "text as a number": (
        lambda: Record(field("a", text(U8), "A."), When(this.a, ONE)),
        "is no number",
    ),
    "sum over a number": (
        lambda: Record(field("a", U8, "A.", claims=sum_(this.b, "n")), field("b", U8, "B.")),
        "adds up no number",
    ),
    "sum of what is no number": (
        lambda: Record(
            field("a", U8, "A.", claims=sum_(this.b, "n")),
            field("b", Many(Record(field("n", text(U8), "N."))), "B."),
        ),
        "adds up no number",
    ),
    "length of a number": (lambda: Record(ONE, field("b", raw(len_(this.one)), "B.")), "no length"),
    "length of modified text": (
        lambda: Record(
            field("a", text(U8, encoding="mutf-8"), "A."), field("b", raw(len_(this.a)), "B.")
        ),
        "hides its length",
    ),
    "a foreign word": (lambda: Record(field("a", Odd(1), "A.")), "Odd is not in the vocabulary"),
    "a part of construct": (lambda: Record(field("a", construct.Int8ub, "A.")), "not a value word"),
    "a struct of construct": (
        lambda: Record(construct.Struct("a" / construct.Int8ub)),
        "not a member word",
    ),
    "a list of members": (lambda: Record(field("a", Many(When(this.b, ONE)), "A.")), "value word"),
    "a condition by lambda": (
        lambda: Record(When(lambda _: True, ONE)),
        "cannot be used in an expression",
    ),
    "a length by lambda": (
        lambda: Record(field("a", raw(lambda _: 1), "A.")),
        "cannot be used in an expression",
    ),
    "a count by lambda": (
        lambda: Record(field("a", Many(U8, count=len), "A.")),
        "cannot be used in an expression",
    ),
    "a claim by lambda": (
        lambda: Record(field("a", U8, "A.", claims=len)),
        "cannot be used in an expression",
    ),
    "a closed switch by sum": (
        lambda: Record(ONE, Switch(this.one + 1, {1: ()}, default=None)),
        "in a member",
    ),
    "a switch by lambda": (
        lambda: Record(Switch(len, {}, default=())),
        "cannot be used in an expression",
    ),
    "a region by lambda": (lambda: Record(Region(len, ONE)), "cannot be used in an expression"),
    "a sum over nothing": (
        lambda: Record(ONE, Region(1, ONE, checksum=crc32(5))),
        "must be in a field",
    ),
    "a claimed count elsewhere": (
        lambda: Record(ONE, field("a", Many(U8, claim=this.one), "A.")),
        "before the items",
    ),
    "counted and claimed": (
        lambda: Record(field("a", Many(U8, claim=U8, count=U8), "A.")),
        "not both",
    ),
    "a tail that is no field": (lambda: Record(Tail(Literal(b"a", "A."))), "is a field"),
    "truth of an expression": (lambda: Record(When(this.a == 1 and this.b == 2, ONE)), "no truth"),
    "in": (lambda: Record(When(this.a in (1, 2), ONE)), "no truth"),
    "a chain": (lambda: Record(When(1 < this.a < 2, ONE)), "no truth"),
    "a product of two fields": (lambda: Record(When(this.a * this.b, ONE)), "a constant only"),
    "a name in capitals": (lambda: Record(field("A", U8, "A.")), "snake_case"),
    "an unknown fact": (lambda: Record(field("a", U8, "A.", color=1)), "unknown fact"),
    "an unknown role": (lambda: Record(field("a", U8, "A.", role="king")), "unknown role"),
    "a null that is not signed": (lambda: Record(field("a", raw(U8, null=True), "A.")), "signed"),
    "an unknown encoding": (lambda: Record(field("a", Blob(U8, encoding="x"), "A.")), "encoding"),
    "bits that do not add up": (lambda: Record(Bits(1, part("a", 7, "A."))), "add up"),
    "an integer of five bytes": (lambda: Record(field("a", Int(5), "A.")), "5"),
}
UUIDS = Blob(16, encoding="uuid")


@every("rule", REFUSED)
def test_a_schema_that_breaks_a_rule_is_refused(rule: str) -> None:
    """At import or at the first walk, with a message that says what."""
    made, told = REFUSED[rule]
    with pytest.raises(SchemaError, match=told):
        walk_word(made(), "any.broken")  # type: ignore[arg-type]


def test_what_is_wrong_is_named() -> None:
    """Frame and field."""
    schema = FrameSchema(
        "frame", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x", (field("a", Record(ONE, ONE), "A."),)
    )

    with pytest.raises(SchemaError, match=r"any\.frame\.a: 'one' stands twice in one record"):
        walk(schema, Head((), None, ""), "any")


def test_flags_without_a_head_that_has_them_are_refused() -> None:
    """A frame cannot name bits that are not there."""
    schema = FrameSchema("a", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x", (), flags={1: "last"})

    with pytest.raises(SchemaError, match="no flags"):
        walk(schema, Head((), None, ""), "any")


def test_only_a_record_stands_alone() -> None:
    """An embedded record is a record."""
    with pytest.raises(SchemaError, match="only a record"):
        walk_word(U8, "any")


def test_wide_numbers_may_be_claimed() -> None:
    """A claim compares, it does not compute."""
    tree = walk_word(
        Record(field("a", U64, "A.", claims=this.b), field("b", U64, "B."), ONE), "any.x"
    )

    assert any(isinstance(each, nodes.ClaimNode) for each in tree.nodes)


def test_any_of_is_walked() -> None:
    """What `in` would say."""
    tree = walk_word(Record(ONE, When(any_of(this.one, 1, 2), field("b", I32, "B."))), "any.x")
    when = next(each for each in tree.nodes if isinstance(each, nodes.WhenNode))

    assert when.condition == nodes.In(nodes.Ref(tree.find("one")), (1, 2))
