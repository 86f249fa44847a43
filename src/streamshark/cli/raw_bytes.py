"""Reads bytes without a capture, as one direction of a connection.

The bytes are assumed to begin with a frame. A frame that the end truncates is decoded as far as
possible, and reported as `partial` too.
"""

from collections.abc import Callable, Iterator, Sequence

from streamshark.decoding.codecs import Allowance
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import EventRow, FrameRow, Row, row_of
from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow, Gap, Segment
from streamshark.framing.carried import Route
from streamshark.framing.carrier import CarriedMessage, Carrier, CarrierEvent, Item
from streamshark.framing.frame_names import prefix_size
from streamshark.framing.splitter import FULL, At, PacketRef, RawFrame, ResyncEffort
from streamshark.framing.wire_format import Evidence, FrameTable, Selector, WellFormedCheck
from streamshark.schema import ProblemCode

FIRST_BYTES = 64
"""Bytes from the start that a protocol inspects to recognise them."""
SIDES = ("client", "server")


def rows_of(
    data: bytes, table: FrameTable, sender: str | None, carrier: Carrier | None = None
) -> Iterator[Row]:
    """Yield the rows of some bytes, numbered; `carrier` is that of the frames, if any."""
    flow = Flow(0, ("", ""), (0, 0), client=0)
    connection = Connection(flow, table, "named", carrier=carrier)
    connection.assume(SIDES.index(sender) if sender else None)
    rows = connection.feed(Segment(0, 0, 0, data, 0, 0, 0, 0, 0, 0, 0, False))  # noqa: FBT003
    rows += connection.finish()
    number = 0
    for row in rows:
        if isinstance(row, EventRow) and row.name == "partial" and carrier is None:
            cut = _cut(data, row, table)
            if cut is not None:
                number += 1
                cut.give(number)
                yield cut
        if isinstance(row, FrameRow):
            number += 1
            row.give(number)
        yield row


def _cut(data: bytes, event: EventRow, table: FrameTable) -> FrameRow | None:
    """Decode a truncated frame as far as possible; None if its head is incomplete or unknown."""
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
    cut = RawFrame(event.offset, part, PacketRef([], (0, 0, 0)), selector, None)
    return row_of(event.connection, event.side, cut, decoder, decoder.skim(part))


def surest(data: bytes, routes: Sequence[Route]) -> Route:
    """Return the route whose protocol recognises the bytes most confidently.

    Raises:
        StreamsharkError: No protocol recognises them, or two do so equally.
    """
    guesses = sorted(
        ((each.table.wire.detect(_evidence(data, each)).level, each) for each in routes),
        key=lambda each: -each[0],
    )
    known = ", ".join(dict.fromkeys(each.table.wire.id for each in routes)) or "none"
    if not guesses or not guesses[0][0]:
        raise StreamsharkError(
            f"no protocol recognises these bytes; choose one with --protocol (known: {known})"
        )
    alike = [each.table.wire.id for confidence, each in guesses if confidence == guesses[0][0]]
    if len(alike) > 1:
        ids = " or ".join(alike)
        raise StreamsharkError(f"these bytes could be {ids}; choose one with --protocol")
    return guesses[0][1]


def _evidence(data: bytes, route: Route) -> Evidence:
    """Collect the evidence that the bytes are of one protocol."""
    table, is_well_formed = route.table, WellFormedCheck(route.table)
    link = route.carrier.link(begun=True) if route.carrier else None
    reader = route.reader(link, 0, start=True)
    commands, first = [], b""
    for piece in reader.feed(Segment(0, 0, 0, data, 0, 0, 0, 0, 0, 0, 0, is_payload=False)):
        if isinstance(piece, CarrierEvent):
            continue
        if not isinstance(piece, RawFrame) or piece.selector is None:
            break
        stops = piece.problem is not None and piece.problem.code is not ProblemCode.CARRIER
        if stops or not is_well_formed(piece.data, piece.selector):
            break
        commands.append(table.decoders[piece.selector][0].tree.schema.name)
        first = first or piece.data
    return Evidence(
        data=(first if link is not None else data)[:FIRST_BYTES],
        start=True,
        commands=tuple(commands),
        lined_up=reader.in_step and bool(commands),
        open_head=reader.in_step and bool(reader.total),
        port=True,
        bare=table.bare,
    )


def as_message(table: FrameTable) -> Route | None:
    """Return the route for one frame without its length prefix; None if frames need it."""
    wire = table.wire
    return Route(wire.table(table.dialect, bare=True), ALONE) if wire.bare else None


def inside(table: FrameTable) -> tuple[Route, ...]:
    """Return the routes for a frame embedded in another protocol's; empty for other protocols."""
    alone = as_message(table) if table.wire.within else None
    return (alone,) if alone else ()


def with_prefix(data: bytes, table: FrameTable) -> bytes:
    """Return a frame without length prefix as one with it.

    Raises:
        StreamsharkError: Frames do not begin with a length, or no length makes this one complete.
    """
    size = prefix_size(table)
    if size is not None:
        counted = [table.measure(bytes(size) + data, 0, size + len(data))]
        bare = counted[0][0] if counted[0] else 0
        length = size + len(data) - bare
        if 0 <= length < 1 << 8 * size:
            whole = length.to_bytes(size, "big") + data
            measured = table.measure(whole, 0, len(whole))
            if measured is not None and measured[0] == len(whole):
                return whole
    raise StreamsharkError(f"--no-prefix: {table.wire.id} frames have no length prefix")


def hint(data: bytes, table: FrameTable, *, bare: bool) -> str:
    """Return a message about bytes in which no frame was recognised.

    `bare`: they were read without a length prefix. The message suggests the other way if that would
    work.
    """
    message = f"no {table.wire.id} frame recognised in these {len(data)} bytes"
    try:
        other = data if bare else with_prefix(data, table)
    except StreamsharkError:
        return message
    commands = _evidence(other, Route(table)).commands
    if not commands:
        return message
    if bare:
        return f"{message}: they begin with a length prefix ({commands[0]}): omit --no-prefix"
    return f"{message}: with a length prefix they would be {commands[0]}: try --no-prefix"


class _SingleMessageConnection:
    """Both sides of a carrier whose bytes are one message; a `CarrierConnection`."""

    client: int | None = None
    refused: str | None = None
    asked: frozenset[str] = frozenset()
    handshake: str | None = None

    def __init__(
        self,
        *,
        begun: bool = True,  # noqa: ARG002 - the contract
        effort: ResyncEffort = FULL,
        allowance: Allowance | None = None,  # noqa: ARG002
    ) -> None:
        self.effort = effort

    def side(
        self,
        number: int,  # noqa: ARG002
        *,
        start: bool,  # noqa: ARG002
        fits: Callable[[bytes], bool],  # noqa: ARG002 - the contract
    ) -> "_SingleMessageReader":
        """Return a reader of one side."""
        return _SingleMessageReader()


class _SingleMessageReader:
    """One side of such a carrier; a `framing.carrier.Bearer`."""

    in_step = True
    late = False
    pending = resume = preamble = 0
    unsettled: At | None = None

    def feed(self, segment: Segment) -> list[Item]:
        """Return the segment as one message."""
        place, size = PacketRef([], (0, 0, 0)), len(segment.data)
        return [CarriedMessage(segment.offset, segment.offset + size, size, segment.data, place)]

    def gap(self, gap: Gap) -> list[Item]:  # noqa: ARG002 - the contract
        """Return nothing: no bytes can be missing."""
        return []

    def finish(self) -> list[Item]:
        """Return nothing: no bytes are pending."""
        return []


ALONE = Carrier("message", "One message", "", {}, _SingleMessageConnection, {})
"""The carrier of bytes that are one frame."""
