"""The intermediate form: every byte has a node, every node its place."""

import pytest
from tests.schema.shapes.catalog import cases, every_layout

from streamshark.schema import nodes


def test_children_reach_every_node_once() -> None:
    """Walking down from the root meets all nodes, in the order of their ids."""
    for layout in every_layout():
        seen: list[nodes.Node] = []
        stack: list[nodes.Node] = [layout.tree.root]
        while stack:
            node = stack.pop()
            seen.append(node)
            stack += reversed(nodes.children(node))

        assert sorted(each.id for each in seen) == list(range(len(layout.tree.nodes)))


def test_a_tree_finds_its_nodes_by_path() -> None:
    """A missing path is an error."""
    tree = next(c.layout.tree for c in cases("rsocket") if c.vector.command == "composite_metadata")

    assert tree.find("entries.mime_id").name == "mime_id"
    assert tree.name(tree.find("entries.content")) == "rsocket.composite_metadata.entries.content"
    with pytest.raises(KeyError):
        tree.find("entries.nothing")


def test_hidden_members_are_not_among_the_named() -> None:
    """Length and selectors are shown elsewhere."""
    tree = next(c.layout.tree for c in cases("rsocket") if c.vector.command == "payload")

    assert [each.name for each in tree.named()] == ["stream_id", "flags", "metadata", "data"]
