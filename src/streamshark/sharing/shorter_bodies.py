"""Frames with shorter bodies: values that carry other data are cut, lengths and sums are mended.

A body may be in a record that is itself in a body, as in a message of gRPC.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    NOTHING,
    Agreed,
    EmbeddedRecord,
    PayloadReaders,
    SlotBytes,
    Values,
    cells,
)
from streamshark.dissection.row import FrameRow
from streamshark.schema import nodes
from streamshark.schema.bytes_and_text import RAW
from streamshark.schema.value_checks import EncodingError, Path

SHORT: Final = 4
"""Bytes of a body that is not worth shortening."""
MOST_NESTED: Final = 4
"""Most records around a body, the frame included."""

TEXT: Final = "text"
"""The format of plain text."""

BodyPath = tuple[Path, ...]
"""The path of a value in its frame; if it is in an embedded record, the path of that first."""


class SlotBody(NamedTuple):
    """A body of a frame."""

    data: bytes
    can_be_cut: bool
    """Whether a part of it is still a body of its kind: text, or of no known format."""


def bodies(row: FrameRow, layers: PayloadReaders) -> dict[BodyPath, SlotBody]:
    """Return the bodies of a frame that can be shorter, by their paths."""
    if row.decoder is None:
        return {}
    return dict(_bodies(row.decoder, row.values, row.agreed, layers, MOST_NESTED))


def shortened(
    row: FrameRow, lengths: Mapping[BodyPath, int], layers: PayloadReaders
) -> bytes | None:
    """Return a frame with bodies cut to some lengths; None if that is not possible."""
    if row.decoder is None:
        return None
    try:
        return _shortened(row.decoder, row.data, row.agreed, lengths, layers)
    except EncodingError:
        return None


class _Slot(NamedTuple):
    """A slot of a frame or record, and what reads its bytes."""

    path: Path
    data: bytes
    """As on the wire: packed, if it is."""
    record: EmbeddedRecord | None
    """The record that it holds; None for others, and where it is packed."""
    is_formatted: bool
    """Whether it is of a format that a part of it is not of."""


def _bodies(
    decoder: Decoder, values: Values, agreed: Agreed, layers: PayloadReaders, depth: int
) -> Iterator[tuple[BodyPath, SlotBody]]:
    """Yield the bodies of a frame or record, and those in embedded records."""
    for slot in _slots(decoder.tree, values, agreed, layers):
        if len(slot.data) > SHORT:
            yield (slot.path,), SlotBody(slot.data, can_be_cut=not slot.is_formatted)
        if slot.record is not None and depth > 1:
            inside = slot.record.decoder
            for path, each in _bodies(
                inside, inside.read(slot.data)[0], NOTHING, layers, depth - 1
            ):
                yield (slot.path, *path), each


def _shortened(
    decoder: Decoder,
    data: bytes,
    agreed: Agreed,
    lengths: Mapping[BodyPath, int],
    layers: PayloadReaders,
) -> bytes:
    """Return a frame or record with shorter bodies.

    Raises:
        EncodingError: It would be malformed.
    """
    changes: dict[Path, bytes] = {}
    for slot in _slots(decoder.tree, decoder.read(data)[0], agreed, layers):
        own = lengths.get((slot.path,))
        inside = {path[1:]: size for path, size in lengths.items() if path[:1] == (slot.path,)}
        inside.pop((), None)
        if own is not None and own < len(slot.data):
            changes[slot.path] = slot.data[:own]
        elif inside and slot.record is not None:
            changes[slot.path] = _shortened(slot.record.decoder, slot.data, NOTHING, inside, layers)
    return amended(decoder, data, changes)


def _slots(
    tree: nodes.Tree, values: Values, agreed: Agreed, layers: PayloadReaders
) -> Iterator[_Slot]:
    """Yield the slots of a frame or record that have bytes."""
    known = {
        each.path: each
        for each in tree.nodes
        if isinstance(each, nodes.BlobNode | nodes.ProtoNode) and each.slot is not None
    }
    if not known:
        return
    places = [(path, data) for path, data in _bytes(values, ()) if _names(path) in known]
    found: list[SlotBytes | None] = list(cells(tree, values, agreed))
    if len(found) != len(places):
        found = [None] * len(places)
    for (path, data), cell in zip(places, found, strict=True):
        slot = known[_names(path)].slot
        packed = cell is not None and cell.packed != RAW
        declared = None if cell is None else cell.declared
        body = layers.body(slot.name, data, declared=declared) if slot and not packed else None
        reader = None if body is None else body.reader
        yield _Slot(
            path,
            data,
            reader if isinstance(reader, EmbeddedRecord) else None,
            packed or (reader is not None and reader.id != TEXT),
        )


def _names(path: Path) -> tuple[str, ...]:
    return tuple(each for each in path if isinstance(each, str))


def _bytes(value: Any, path: Path) -> Iterator[tuple[Path, bytes]]:  # noqa: ANN401 - any value
    """Yield the values that are bytes, with their paths."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in items:
        if isinstance(each, dict | list):
            yield from _bytes(each, (*path, name))
        elif isinstance(each, bytes | bytearray | memoryview):
            yield (*path, name), bytes(each)
