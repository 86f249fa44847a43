"""The prover: accepts what fast accepts, and gives columns of it as the values have them."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from tests.decoding.test_shallow import BYTES, ITEMS, LISTS
from tests.failures import every
from tests.schema.reader_agreement import accepted

from streamshark.decoding.columns import SOME, members_at
from streamshark.decoding.decoder import Decoder, proving
from streamshark.decoding.projection import ProjectedColumn, can_prove
from streamshark.decoding.shallow import always
from streamshark.schema import U8, Record, Region, field
from streamshark.schema.nodes import ListNode, Node, RecordNode, Tree
from streamshark.schema.walk import walk_word


def all_of(tree: Tree) -> Iterator[ProjectedColumn]:
    """All that may be asked of a tree."""
    known = always(tree)
    lists = {each.path for each in tree.named() if isinstance(each, ListNode)}
    for node in tree.named():
        if node.path in known and not isinstance(node, RecordNode):
            yield ProjectedColumn(node.path, "length" if isinstance(node, ListNode) else "value")
        around = next((path for path in paths_to(node) if path in lists), None)
        if around in known:
            for path in (node.path, (SOME, *node.path)):
                if members_at(tree, path):
                    yield ProjectedColumn(path, "items")


def paths_to(node: Node) -> Iterator[tuple[str, ...]]:
    """Those from the frame down to a node."""
    return (node.path[:size] for size in range(1, len(node.path) + 1))


def column(values: Mapping[str, Any], wanted: ProjectedColumn) -> Any:  # noqa: ANN401 - any value
    """What the values say of it."""
    some = wanted.path[0] == SOME
    value: Any = values
    for name in wanted.path[some:]:
        if isinstance(value, list):
            return [each[name] for each in value if not some or name in each]
        value = value[name]
    return len(value) if wanted.of == "length" else value


@every("shape", LISTS)
@every("name", ITEMS)
def test_it_gives_columns_of_what_fast_accepts(name: str, shape: str) -> None:
    """Of all strings of a few bytes; alone, and in a region with something behind it."""
    own = field("l", LISTS[shape](ITEMS[name]), "L.")
    alone = Decoder(walk_word(Record(own), "any.x"))
    around = field("r", Record(Region(U8, own), field("end", U8, "E.")), "R.")
    inside = Decoder(walk_word(Record(field("one", U8, "O."), around), "any.x"))
    if not can_prove(alone.tree):
        return
    for decoder, head, tail in ((alone, (), ()), (inside, (7,), (0,))):
        wanted = list(dict.fromkeys(all_of(decoder.tree)))
        assert wanted
        alike = [(each,) for each in wanted] + [tuple(wanted), tuple(wanted[::-1]), ()]
        provers = [(some, proving(decoder.tree, some)) for some in alike]
        for size in range(4):
            for each in itertools.product(BYTES, repeat=size):
                data = bytes((*head, *((size,) if head else ()), *each, *tail))
                values = accepted(decoder.fast, data)
                for some, prover in provers:
                    found = accepted(prover, data)
                    expected = None if values is None else tuple(column(values, w) for w in some)
                    assert found == expected, (data, some)
