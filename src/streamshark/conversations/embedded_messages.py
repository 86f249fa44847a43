"""Records of a protocol embedded in the frames of another one, as rows for its tables.

Such a row is never output. It has the number of its outer frame, which is its `carrier`.
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
    from streamshark.conversations.engine_state import ProtocolTables

NO_OBJECT: Final[tuple[FrameRow, ...]] = ()


class EmbeddedMessages:
    """The embedded records of some protocols, by slot."""

    def __init__(self, protocols: "tuple[ProtocolTables, ...]", layers: PayloadReaders) -> None:
        self.protocols = protocols
        self.slots = frozenset[str]().union(*(each.embedded_slots for each in protocols))
        self.layers = layers
        self._nodes: dict[Decoder, tuple[BlobNode, ...]] = {}
        """Members of a frame that may contain a record, by decoder."""
        self.silent: set[Decoder] = set()
        """Decoders of frames without such members."""

    @classmethod
    def of(
        cls, tables: "Iterable[ProtocolTables]", layers: PayloadReaders | None
    ) -> "EmbeddedMessages | None":
        """Return those of some protocols; None if they have none."""
        protocols = tuple(each for each in tables if each.embedded_slots)
        return cls(protocols, layers) if protocols and layers else None

    @cached_property
    def tables(self) -> dict[str, FrameTable]:
        """Id of an embedded record to a frame table of its protocol."""
        return {
            embedded.id: each.wire.table("")
            for each in self.protocols
            for embedded in each.embedded_records
        }

    def rows(self, row: FrameRow) -> Iterable[FrameRow]:
        """Return the embedded records of a frame as rows."""
        decoder = row.decoder
        if decoder is None:
            return NO_OBJECT
        found = self._nodes.get(decoder)
        if found is None:
            found = self._nodes[decoder] = tuple(
                each
                for each in decoder.tree.root.members
                if isinstance(each, BlobNode) and each.slot and each.slot.name in self.slots
            )
            if not found:
                self.silent.add(decoder)
        return [each for node in found if (each := self._row(row, node))] if found else NO_OBJECT

    def _row(self, row: FrameRow, node: BlobNode) -> FrameRow | None:
        """Return the record in one member; None if there is none."""
        if row.shallow.get(node.name or "") is None or node.slot is None:
            return None
        cell = opened(node, row.shallow, row.agreed)
        body = self.layers.body(cell.slot, cell.data, declared=cell.declared)
        if body is None or not isinstance(body.reader, EmbeddedRecord):
            return None
        embedded, table = body.reader, self.tables.get(body.reader.id)
        if table is None:
            return None
        value, problems = body.decoded
        cut = RawFrame(row.offset, cell.data, PacketRef(row.packets, row.order[:3]), None, None)
        skimmed = ShallowResult(embedded.record_of(value), problems, is_whole=True)
        inner = row_of(
            row.connection.nested(table), row.side, cut, embedded.decoder, skimmed, carrier=row
        )
        inner.give(row.number)
        return inner
