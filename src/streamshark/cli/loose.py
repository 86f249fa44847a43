"""Bytes without a capture, read as one side of a connection of a protocol.

The bytes are taken to begin with a frame. What the end cuts off is decoded as far as it goes, and
told as `partial` too.
"""

from collections.abc import Iterator, Sequence

from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow, Segment
from streamshark.frames.connection import Connection
from streamshark.frames.cutting import Cut, Cutter, Place
from streamshark.frames.frame import EventRow, FrameRow, Row
from streamshark.frames.wire import Evidence, Selector, Sound, Table
from streamshark.schema import Head, nodes

FIRST_BYTES = 64
"""First bytes that a wire is shown."""
SIDES = ("client", "server")


def rows_of(data: bytes, table: Table, sender: str | None) -> Iterator[Row]:
    """The rows of some bytes, numbered."""
    flow = Flow(0, ("", ""), (0, 0), client=0)
    connection = Connection(flow, table, "named")
    connection.client = SIDES.index(sender) if sender else None
    rows = connection.feed(Segment(0, 0, 0, data, 0, 0, 0, 0, 0, 0, 0, False))  # noqa: FBT003
    rows += connection.finish()
    number = 0
    for row in rows:
        if isinstance(row, EventRow) and row.name == "partial":
            cut = _cut(data, row, table)
            if cut is not None:
                number += 1
                cut.give(number)
                yield cut
        if isinstance(row, FrameRow):
            number += 1
            row.give(number)
        yield row


def _cut(data: bytes, event: EventRow, table: Table) -> FrameRow | None:
    """What can be read of a frame that the end cut off."""
    part = data[event.offset : event.offset + event.fields["length"]]
    measured = table.measure(part, 0, len(part))
    if measured is None:
        return None
    selector = Selector(*measured[1:])
    found = table.decoders.get(selector, [])
    decoder = next(
        (each for each in found if each.tree.schema.sender.value == event.sender),
        found[0] if found else None,
    )
    if decoder is None:
        return None
    cut = Cut(event.offset, part, Place([], (0, 0, 0)), selector, None)
    return FrameRow(event.connection, event.side, cut, decoder, decoder.skim(part))


def surest(data: bytes, tables: Sequence[Table]) -> Table:
    """The protocol that is surest of the bytes; StreamsharkError when none is, or two are alike."""
    guesses = sorted(
        ((table.wire.detect(_evidence(data, table)).confidence, table) for table in tables),
        key=lambda each: -each[0],
    )
    known = ", ".join(table.wire.id for table in tables) or "none"
    if not guesses or not guesses[0][0]:
        raise StreamsharkError(
            f"no protocol is sure of these bytes; choose one with --protocol (known: {known})"
        )
    alike = [table.wire.id for confidence, table in guesses if confidence == guesses[0][0]]
    if len(alike) > 1:
        told = " or ".join(alike)
        raise StreamsharkError(f"these bytes may be {told}; choose one with --protocol")
    return guesses[0][1]


def _evidence(data: bytes, table: Table) -> Evidence:
    """What the bytes look like as one protocol."""
    sound = Sound(table)
    cutter = Cutter(table, in_step=True, sound=sound)
    commands = []
    for piece in cutter.feed(Segment(0, 0, 0, data, 0, 0, 0, 0, 0, 0, 0, False)):  # noqa: FBT003
        if not isinstance(piece, Cut) or piece.selector is None or piece.problem:
            break
        if not sound(piece.data, piece.selector):
            break
        commands.append(table.decoders[piece.selector][0].tree.schema.name)
    return Evidence(
        data=data[:FIRST_BYTES],
        start=True,
        commands=tuple(commands),
        lined_up=cutter.in_step and bool(commands),
        open_head=cutter.in_step and bool(cutter.total),
        port=True,
    )


def with_prefix(data: bytes, table: Table) -> bytes:
    """One bare frame with the length that belongs before it.

    Raises StreamsharkError where frames do not begin with a length, or none makes them whole.
    """
    size = _prefix_size(table)
    if size is not None:
        counted = [table.measure(bytes(size) + data, 0, size + len(data))]
        bare = counted[0][0] if counted[0] else 0
        length = size + len(data) - bare
        if 0 <= length < 1 << 8 * size:
            whole = length.to_bytes(size, "big") + data
            measured = table.measure(whole, 0, len(whole))
            if measured is not None and measured[0] == len(whole):
                return whole
    raise StreamsharkError(f"--no-prefix: frames of {table.wire.id} do not begin with a length")


def hint(data: bytes, table: Table, *, bare: bool) -> str:
    """One line for bytes, read with or without their length, of which no frame could be made."""
    told = f"no frame of {table.wire.id} was recognised in these {len(data)} bytes"
    try:
        other = data if bare else with_prefix(data, table)
    except StreamsharkError:
        return told
    commands = _evidence(other, table).commands
    if not commands:
        return told
    if bare:
        return f"{told}: they begin with a length ({commands[0]}), so leave --no-prefix out"
    return f"{told}: with a length before them they are {commands[0]}, so try --no-prefix"


def _prefix_size(table: Table) -> int | None:
    """Bytes of the number that a head begins with."""
    first = table.all[0].tree.nodes[1] if isinstance(table.head, Head) else None
    if isinstance(first, (nodes.IntNode, nodes.BitsNode)):
        return first.size
    return None
