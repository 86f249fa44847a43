"""Frames with shorter bodies: values that carry other data are cut, lengths and sums are mended."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from streamshark.decoding.amending import amended
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import FrameRow
from streamshark.schema import nodes
from streamshark.schema.value_checks import EncodingError, Path

SHORT: Final = 4
"""Bytes of a body that is not worth shortening."""

TEXT: Final = "text"
"""The format of plain text."""


def bodies(row: FrameRow) -> dict[Path, bytes]:
    """Return the bodies of a frame that can be shorter, by their paths."""
    if row.decoder is None:
        return {}
    slots = {each.path for each in row.decoder.tree.nodes if _is_body(each)}
    if not slots:
        return {}
    return {
        path: value
        for path, value in _bytes(row.values, ())
        if len(value) > SHORT
        and tuple(each for each in path if isinstance(each, str)) in slots
    }  # fmt: skip


def can_be_cut(row: FrameRow, path: Path, layers: PayloadReaders) -> bool:
    """Return whether a part of a body is still a body of its kind: text, or of no known format."""
    names = tuple(each for each in path if isinstance(each, str))
    tree = row.decoder.tree if row.decoder is not None else None
    for node in tree.nodes if tree is not None else ():
        if node.path == names and isinstance(node, nodes.BlobNode) and node.slot is not None:
            found = layers.body(node.slot.name, bodies(row)[path])
            return found is None or found.reader.id == TEXT
    return False


def shortened(row: FrameRow, lengths: Mapping[Path, int]) -> bytes | None:
    """Return a frame with bodies cut to some lengths; None if that is not possible."""
    if row.decoder is None:
        return None
    kept = bodies(row)
    changes = {path: kept[path][:length] for path, length in lengths.items() if path in kept}
    try:
        return amended(row.decoder, row.data, changes)
    except EncodingError:
        return None


def _is_body(node: nodes.Node) -> bool:
    return isinstance(node, nodes.BlobNode) and node.slot is not None


def _bytes(value: Any, path: Path) -> Iterator[tuple[Path, bytes]]:  # noqa: ANN401 - any value
    """Yield the values that are bytes, with their paths."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in items:
        if isinstance(each, dict | list):
            yield from _bytes(each, (*path, name))
        elif isinstance(each, bytes | bytearray | memoryview):
            yield (*path, name), bytes(each)
