"""Replace values in fragmented frames: once all fragments are there, as in one frame."""

from typing import Final

from streamshark.dissection.row import FrameRow, Reassembled
from streamshark.schema import nodes
from streamshark.sharing.redaction_frames import FrameRedaction

_MOST: Final = 1024
"""Most fragmented frames that are followed at once; the oldest are dropped, their bodies opaque."""


class Fragments:
    """The fragments of frames that are not complete."""

    def __init__(self, frames: FrameRedaction) -> None:
        self._frames = frames
        self._open: dict[int, tuple[Reassembled, dict[str, list[tuple[int, int]]]]] = {}
        """Identity of a fragmented frame to it, and where the pieces of its parts are."""

    def of(self, row: FrameRow) -> list[tuple[int, bytes]]:
        """Return offsets in the stream and new bytes, if a row completes a fragmented frame."""
        whole = row.whole
        if whole is None or not row.piece or row.decoder is None:
            return []
        _, places = self._open.setdefault(id(whole), (whole, {}))
        if len(self._open) > _MOST:
            del self._open[next(iter(self._open))]
        for node_id, _, end, value in row.decoder.examine(row.data).ranges:
            node = row.decoder.tree.nodes[node_id] if node_id >= 0 else None
            if isinstance(node, nodes.BlobNode) and node.slot is not None and value is not None:
                size = len(value)
                places.setdefault(str(node.name), []).append((row.offset + end - size, size))
        if not row.complete:
            return []
        self._open.pop(id(whole), None)
        return self._pieces(row, places)

    def _pieces(
        self, row: FrameRow, places: dict[str, list[tuple[int, int]]]
    ) -> list[tuple[int, bytes]]:
        """Return the new bytes of each piece."""
        out = []
        for name, data in (row.reassembled or {}).items():
            spans = places.get(name, [])
            made = self._frames.part(row, name, data)
            if made is None or sum(size for _, size in spans) != len(data):
                continue
            at = 0
            for offset, size in spans:
                out.append((offset, made[at : at + size]))
                at += size
        return out
