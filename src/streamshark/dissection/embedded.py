"""Protocols embedded in frames of another protocol, such as Liftbridge in NATS.

A slot of the outer protocol names what it may contain. A protocol for such a slot
(`WireFormat.carried_in`) is asked about each frame of the connection (`WireFormat.within`), with
the values around the bytes; if the bytes are its own, its frame is a row after the row of the outer
frame.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from streamshark.decoding.decoder import Decoder, ShallowResult
from streamshark.dissection.row import ConnectionRecord, FrameRow, row_of
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import FrameTable, OuterFrame, Selector
from streamshark.schema import Problem, ProblemCode
from streamshark.schema.nodes import BlobNode


class EmbeddedProtocols:
    """The protocols embedded in the frames of one connection."""

    def __init__(
        self,
        outer: ConnectionRecord,
        tables: Iterable[FrameTable],
        memory: dict[str, dict[str, Any]],
    ) -> None:
        self.outer = outer
        self.protocols = [_Embedded(outer, table, memory) for table in tables]

    def rows(self, row: FrameRow) -> list[FrameRow]:
        """Return the rows of the frames embedded in a row of the connection."""
        if row.decoder is None:
            return []
        found = (protocol.row(row) for protocol in self.protocols)
        return [each for each in found if each is not None]


class _Embedded:
    """One embedded protocol on one connection."""

    def __init__(
        self, outer: ConnectionRecord, table: FrameTable, memory: dict[str, dict[str, Any]]
    ) -> None:
        self.outer, self.table = outer, table
        self.ask = table.wire.within
        self.here: dict[str, Any] = {}
        self.everywhere = memory.setdefault(table.wire.id, {})

    def row(self, row: FrameRow) -> FrameRow | None:
        """Return the row of the frame embedded in a row; None without one."""
        if self.ask is None or row.decoder is None:
            return None
        member = slotted(row.decoder, self.table.wire.carried_in)
        data = row.shallow.get(member) if member else None
        around = OuterFrame(row.command, row.shallow, row.data, data, row.sender, self.here,
                        self.everywhere, self.table.wire)  # fmt: skip
        within = self.ask(around)
        if within is None or data is None or member is None:
            return None
        table = self.table
        if within.dialect:
            table = table.wire.table(within.dialect, bare=True)
        connection = self.outer.nested(self.table)
        place = PacketRef(row.packets, (row.time_ns, row.file, row.packet))
        selector, problem = selected(table, data, within.key)
        cut = RawFrame(row.offset + _start(row, member, data), data, place, selector, problem)
        found = table.decoders.get(selector, []) if selector else []
        decoder = next((d for d in found if d.tree.schema.sender.value in (row.sender, "both")),
                       found[0] if found else None)  # fmt: skip
        skimmed = decoder.skim(data) if decoder else ShallowResult({}, [], is_whole=True)
        more = [*within.problems, *([problem] if problem else [])]
        if more:
            skimmed = skimmed._replace(problems=[*more, *skimmed.problems])
        inner = row_of(connection, row.side, cut, decoder, skimmed, carrier=row)
        row.is_carrier = True
        if within.agreed:
            inner.agreed = {**inner.agreed, **within.agreed}
        return inner


def selected(
    table: FrameTable, data: bytes, key: str | None
) -> tuple[Selector | None, Problem | None]:
    """Return the selector of bytes that are one message, and the problem of their head."""
    if key is not None:
        return Selector(key, None, response=False), None
    measured = table.measure(data, 0, len(data))
    if measured is None:
        text = f"a message of {len(data)} bytes contains no frame"
        return None, Problem(ProblemCode.LENGTH, -1, 0, len(data), text)
    selector = Selector(*measured[1:])
    if selector not in table.decoders:
        return selector, table.oddity(len(data), selector)
    return selector, None


@cache
def slotted(decoder: Decoder, slots: frozenset[str]) -> str | None:
    """Return the member of a frame that is one of these slots; None without one."""
    for node in decoder.tree.root.members:
        if isinstance(node, BlobNode) and node.slot is not None and node.slot.name in slots:
            return node.name
    return None


def _start(row: FrameRow, member: str, data: bytes) -> int:
    """Return the offset of a slot's bytes in the frame."""
    start = row.data.find(data)
    if start == row.data.rfind(data) or row.decoder is None:
        return start
    node = row.decoder.tree.find(member).id
    return next(
        (begin for number, begin, _, _ in row.decoder.examine(row.data).ranges if number == node),
        start,
    )
