"""Claims of what the encoder makes of recorded frames: the same bytes, and frames with changes.

`make test` looks at the first frame of each declaration in each capture; `make test-sweep` at all.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from tests.draw import is_drawn
from tests.recorded.reading import Reading

from streamshark.decoding.code_printer import referenced
from streamshark.decoding.decoder import Decoder
from streamshark.dissection.row import FrameRow
from streamshark.schema import nodes, reference
from streamshark.schema.encoding import amended, leave_out_derived
from streamshark.schema.expression_facts import derived
from streamshark.schema.value_checks import Path, walked

LONGEST = 20
"""Most characters of a drawn text: fields with few bits of length have room for them."""
JSON = '{"a":[1]}'
"""What is drawn where text has to be JSON."""


def first_frames_are_encoded_as_they_were(reading: Reading) -> None:
    """With lengths, counts and sums left out."""
    for row in first(reading.frames):
        same_bytes(row.decoder, row.data)


def first_frames_are_changed(reading: Reading) -> None:
    """One drawn value of the first frame of each declaration, in a tenth of the captures."""
    if is_drawn(f"changes {reading.capture}"):
        for row in first(reading.frames):
            changed(row.decoder, row.data, draws(reading.capture))


def first(rows: Iterable[FrameRow]) -> Iterator[Any]:
    """Yield the first well-formed frame of each declaration."""
    seen = set()
    for row in rows:
        if row.decoder is not None and row.decoder not in seen and not row.problems:
            seen.add(row.decoder)
            yield row


def draws(name: str) -> Random:
    """Return a source of random values that is the same each time."""
    return Random(name)  # noqa: S311 - not for secrets


def same_bytes(decoder: Decoder, data: bytes) -> None:
    """Encode the values of a frame, without those that follow from others."""
    tree = decoder.tree
    values, _ = reference.parse(tree.schema, tree.head, data, keeps=True)
    leave_out_derived(tree, values, frozenset())

    assert reference.build(tree.schema, tree.head, values) == data


def changed(decoder: Decoder, data: bytes, random: Random) -> bool:
    """Change a value, and change it back; return whether there was one to be changed.

    The changed frame is well-formed and has the value, and all that follows from no other value is
    as it was.
    """
    before = decoder.read(data)[0]
    choices = list(changeable(decoder.tree, before))
    if not choices:
        return False
    path, node, old = random.choice(choices)
    new = drawn(node, path, old, random)
    made = amended(decoder.tree, data, {path: new})
    values, problems = decoder.read(made)

    assert problems == []
    assert at(values, path) == new
    assert amended(decoder.tree, made, {path: old}) == data
    return True


def changeable(tree: nodes.Tree, values: dict[str, Any]) -> Iterator[tuple[Path, nodes.Node, Any]]:
    """Yield the values that neither choose a layout nor follow from others."""
    fixed = referenced(tree) | derived(tree)
    for node, record, path in walked(tree.root.members, values):
        value = record[str(path[-1])]
        is_chosen = isinstance(node, nodes.IntNode | nodes.PartNode) or not value
        if node.value in fixed and is_chosen:  # by an empty value too: others then are not there
            continue
        if node.name == "unknown_fields" or (node.facts.flags is not None):
            continue
        if isinstance(value, str | bytes) or isinstance(node, nodes.IntNode):
            yield path, node, value
        elif isinstance(value, list):
            own = node.item if isinstance(node, nodes.ListNode) else node
            yield from (
                ((*path, index), own, each)
                for index, each in enumerate(value)
                if isinstance(each, str | bytes)
            )


def drawn(node: nodes.Node, path: Path, old: Any, random: Random) -> Any:  # noqa: ANN401
    """Draw another value of a field."""
    if isinstance(node, nodes.IntNode):
        return random.randrange(1 << 8 * node.size - 1)
    if isinstance(node, nodes.ArgumentNode) and (node.kind == "json" or "other" in path):
        return "x" if path[-1] == "key" else JSON
    if isinstance(old, str):
        return "".join(random.choice("abcxyz.") for _ in range(random.randint(1, LONGEST)))
    is_fixed = isinstance(node, nodes.BlobNode) and isinstance(node.length, nodes.Const)
    return random.randbytes(len(old) if is_fixed else random.choice((1, len(old) or 1, LONGEST)))


def at(values: Any, path: Path) -> Any:  # noqa: ANN401
    """Return the value at a path."""
    for each in path:
        values = values[each]
    return values
