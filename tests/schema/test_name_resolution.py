"""Names and what they refer to while a schema is walked."""

import pytest
from tests.schema.shapes.catalog import every_layout

from streamshark.errors import SchemaError
from streamshark.schema import expressions, nodes
from streamshark.schema.expressions import this
from streamshark.schema.name_resolution import NameResolution, scalar_type, type_of
from streamshark.schema.words import FieldFacts


def number(scopes: NameResolution, name: str, size: int = 1) -> nodes.IntNode:
    """Add a number and make it known."""
    node = scopes.add(nodes.IntNode, (), name, "A number.", FieldFacts(), size, False)  # noqa: FBT003
    scopes.declare(node, ())
    return node


def test_a_name_is_known_from_where_it_stands() -> None:
    """In its record and in those inside."""
    scopes = NameResolution("any")
    with pytest.raises(SchemaError, match="not an earlier field"):
        scopes.resolve(this.a, ())
    node = number(scopes, "a")

    assert scopes.resolve(this.a, ()) == nodes.Ref(node)
    with scopes.record_scope():
        assert scopes.resolve(this._.a, ()) == nodes.Ref(node)
        with pytest.raises(SchemaError):
            scopes.resolve(this.a, ())


def test_conditions_let_a_name_stand_twice() -> None:
    """The widest of them counts for expressions."""
    scopes = NameResolution("any")
    with scopes.condition():
        first = number(scopes, "a")
    with scopes.condition():
        second = number(scopes, "a", 8)

    assert second.value == first.value
    with pytest.raises(SchemaError, match="64 bits"):
        scopes.resolve(this.a, ())
    assert scopes.resolve(this.a, (), wide=True) == nodes.Ref(first)


def test_what_is_no_expression_is_refused() -> None:
    """A subclass of an expression is refused too."""

    class Odd(expressions.Expression):
        pass

    with pytest.raises(SchemaError, match="not an expression"):
        NameResolution("any").resolve(Odd(), ())


def test_every_node_of_every_shape_has_a_type() -> None:
    """From a short list; without one it has no name."""
    for layout in every_layout():
        for node in layout.tree.nodes:
            kind = type_of(node)
            assert (kind == "none") <= (node.name is None)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [("bool", "bool"), ("double", "float"), ("string", "text"), ("bytes", "bytes"),
     ("map", "record"), ("sint64", "int"), ("enum", "int")],
)  # fmt: skip
def test_protobuf_scalars_have_our_types(kind: str, wanted: str) -> None:
    """So a column does not care where it comes from."""
    assert scalar_type(kind) == wanted
