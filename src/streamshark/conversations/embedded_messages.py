"""What a protocol hears in the frames of another one: its riders, as rows of its own tables.

Such a row is nobody's output. It has the number of the frame that it stands in, which is its
`carrier`.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from streamshark.decoding.decoder import Decoder, ShallowResult
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders, opened
from streamshark.dissection.row import FrameRow, row_of
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import FrameTable
from streamshark.schema.nodes import BlobNode

if TYPE_CHECKING:
    from streamshark.conversations.engine import ProtocolTables

NOBODY: Final[tuple[FrameRow, ...]] = ()


class EmbeddedMessages:
    """The riders that are heard, by slot."""

    def __init__(self, hearing: "tuple[ProtocolTables, ...]", layers: PayloadReaders) -> None:
        self.hearing = hearing
        self.slots = frozenset[str]().union(*(each.hears for each in hearing))
        self.layers = layers
        self._nodes: dict[Decoder, tuple[BlobNode, ...]] = {}
        """Members of a frame in which something may be heard."""
        self.silent: set[Decoder] = set()
        """Of frames that have none."""

    @classmethod
    def of(
        cls, tables: "Iterable[ProtocolTables]", layers: PayloadReaders | None
    ) -> "EmbeddedMessages | None":
        """What some protocols hear; None for nothing."""
        hearing = tuple(each for each in tables if each.hears)
        return cls(hearing, layers) if hearing and layers else None

    @cached_property
    def tables(self) -> dict[str, FrameTable]:
        """Id of a rider to a table of the protocol that hears it."""
        return {rider.id: each.wire.table("") for each in self.hearing for rider in each.riders}

    def rows(self, row: FrameRow) -> Iterable[FrameRow]:
        """What is heard in a frame."""
        decoder = row.decoder
        if decoder is None:
            return NOBODY
        found = self._nodes.get(decoder)
        if found is None:
            found = self._nodes[decoder] = tuple(
                each
                for each in decoder.tree.root.members
                if isinstance(each, BlobNode) and each.slot and each.slot.name in self.slots
            )
            if not found:
                self.silent.add(decoder)
        return [each for node in found if (each := self._row(row, node))] if found else NOBODY

    def _row(self, row: FrameRow, node: BlobNode) -> FrameRow | None:
        """What is heard in one member."""
        if row.outline.get(node.name or "") is None or node.slot is None:
            return None
        cell = opened(node, row.outline, row.agreed)
        body = self.layers.body(cell.slot, cell.data, said=cell.said)
        if body is None or not isinstance(body.reader, EmbeddedRecord):
            return None
        rider, table = body.reader, self.tables.get(body.reader.id)
        if table is None:
            return None
        value, problems = body.decoded
        cut = RawFrame(row.offset, cell.data, PacketRef(row.packets, row.order[:3]), None, None)
        skimmed = ShallowResult(rider.record_of(value), problems, is_whole=True)
        heard = row_of(row.connection.nested(table), row.side, cut, rider.decoder, skimmed)
        heard.number, heard.carrier = row.number, row
        return heard
