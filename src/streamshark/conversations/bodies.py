"""Problems in message bodies, for rules: all bodies of usual captures, a sample of large ones.

Decoding all bodies of a large capture would take several times as long as all other checks, and a
peer that writes one body wrongly writes many. So all bodies are decoded until a fixed effort is
spent; then those in the first frames of a kind that each side of a connection sends, and in some
later ones, within a limit that grows with the number of frames. On request all are.

Only bodies of a certain format are judged: by the media type in the frame, by a slot that is
reserved for one record, or by a signature that identifies a format. A sample leaves out fragments,
and compressed and large bodies.
"""

from typing import Any, Final

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    CERTAIN,
    Agreed,
    EmbeddedRecord,
    Format,
    Payload,
    PayloadReaders,
    SlotBytes,
    Values,
    cells,
    suffix_of,
    too_deep,
)
from streamshark.dissection.row import FrameRow
from streamshark.schema import Problem, ProblemCode, nodes
from streamshark.schema.bytes_and_text import RAW
from streamshark.schema.secrets import is_hidden

ALL_UP_TO: Final = 8 * 1024
"""Bodies that are all decoded before sampling begins: 0.1 s at 11 us for one of AMQP 1.0."""
FIRST: Final = 256
"""Frames of a kind, for each side of a connection, whose bodies are then decoded."""
EVERY: Final = 64
"""Of the later ones, bodies are decoded in frames whose number is a multiple of this."""
MOST_BODIES: Final = 64
"""Most bodies that are decoded in one frame, the first ones."""
LARGEST: Final = 16 * 1024
"""Most bytes of a body that is decoded, and a quarter of the most bytes of its frame."""
ALLOWED: Final = 16 * 1024
"""Bodies that are decoded for any number of frames, those before sampling included."""
FRAMES_A_BODY: Final = 64
"""Frames for each further one."""
BYTES_A_BODY: Final = 512
"""Bytes of a frame or body that count as one more body."""
SHARED_ABOVE: Final = 40 << 20
"""Bytes of captures above which several readings of them share the effort."""
LEAST_EFFORT: Final = 1 / 64
"""Least part of the usual effort that a reading takes."""


def shared_effort(size: int, readings: int) -> float:
    """Return the part of the usual effort that each of several readings of captures takes.

    Args:
        size: Bytes of the captures.
        readings: Number of readings, each of some connections.
    """
    return 1 if size <= SHARED_ABOVE else max(1 / readings, LEAST_EFFORT)


class Bodies:
    """Message bodies of a reading: all of them, or those of a usual capture and then a sample.

    `effort` is the part of the usual effort, if other readings of the captures share it.
    """

    def __init__(self, layers: PayloadReaders, *, samples: bool = True, effort: float = 1) -> None:
        self.layers = layers
        self.samples = samples
        self._all_up_to, self._allowed = ALL_UP_TO * effort, ALLOWED * effort
        """Whether only a sample of a large capture's bodies is decoded."""
        self.left_out = False
        """Whether bodies were left out, or may have been."""
        self._kinds: dict[Decoder, bool] = {}
        """Whether frames of a kind have a slot with readers."""
        self._readers: dict[str, list[Format | EmbeddedRecord]] = {}
        """Readers by slot; a format that accepts any bytes finds no problems."""
        self._spent = 0
        """Cost so far: bodies that were decoded, and frames in units of bodies."""
        self._left = 0
        """Further bodies of the current frame that may be decoded."""

    def may_be_in(self, decoder: Decoder) -> bool:
        """Return whether frames of a kind may have bodies in which problems can be found."""
        found = self._kinds.get(decoder)
        if found is None:
            slots = (getattr(each, "slot", None) for each in decoder.tree.nodes)
            found = any(slot and self._of_slot(slot.name) for slot in slots)
            self._kinds[decoder] = found
        return found

    def problems(self, row: FrameRow, side: Any) -> list[Problem]:  # noqa: ANN401 - one of the engine's
        """Return the problems of the bodies in a frame, if they are decoded.

        Nodes of the problems are those of the slots; offsets and lengths are 0.
        """
        decoder = row.decoder
        if decoder is None or row.problems:
            return []
        if not self.may_be_in(decoder):
            side.looked |= {decoder}
            return []
        if row.piece and not row.reassembled:
            return []
        if not self.samples or self._spent < self._all_up_to:
            self._spent += 1 + len(row.data) // BYTES_A_BODY
            values = row.reassembled if row.piece else row.values
            return self._all(decoder.tree, values or {}, row.agreed)
        return self._sampled(row, decoder, side)

    def _all(self, tree: nodes.Tree, values: Values, agreed: Agreed) -> list[Problem]:
        """Return the problems of all bodies in a frame."""
        out: list[Problem] = []
        for cell in cells(tree, values, agreed):
            if self.samples and self._spent >= self._allowed:
                self.left_out = True
                break
            self._spent += 1 + len(cell.data) // BYTES_A_BODY
            if cell.problem is None and self._body(cell) is None:
                continue
            found = self.layers.faults(cell, agreed)
            distinct = dict.fromkeys((each.code, each.message) for each in found)
            out += (Problem(code, cell.node, 0, 0, message) for code, message in distinct)
        return out

    def _sampled(self, row: FrameRow, decoder: Decoder, side: Any) -> list[Problem]:  # noqa: ANN401 - as above
        """Return the problems of the first bodies in a frame, if it is part of the sample."""
        self.left_out = True
        if decoder not in side.looked:
            _count(side, decoder)
        elif row.number % EVERY:
            return []
        is_left_out = row.piece or len(row.data) > 4 * LARGEST
        if is_left_out or self._spent >= self._allowed + row.number // FRAMES_A_BODY:
            return []
        self._left = MOST_BODIES
        found = self._inside(decoder.tree, row.values, row.agreed, 1)
        self._spent += 1 + MOST_BODIES - self._left + len(row.data) // BYTES_A_BODY
        return found

    def _inside(
        self, tree: nodes.Tree, values: Values, agreed: Agreed, depth: int
    ) -> list[Problem]:
        """Return the problems in the first slots of a frame or embedded record."""
        out: list[Problem] = []
        for cell in cells(tree, values, agreed, unpacks=False):
            if not self._left:
                break
            is_left_out = cell.packed != RAW or len(cell.data) > LARGEST
            body = None if is_left_out else self._body(cell)
            if body is not None and not too_deep(body, depth):
                self._left -= 1
                found = dict.fromkeys(self._of(body, cell, agreed, depth))
                out += (Problem(code, cell.node, 0, 0, message) for code, message in found)
        return out

    def _of(
        self, body: Payload, cell: SlotBytes, agreed: Agreed, depth: int
    ) -> list[tuple[ProblemCode, str]]:
        """Return the problems of a body and of bodies in it: codes and messages."""
        value, problems = body.decoded
        out = [(each.code, each.message) for each in problems]
        if isinstance(body.reader, EmbeddedRecord):
            if cell.holds is not None and isinstance(value, list) and len(value) != cell.holds:
                differ = f"{cell.holds} items announced, {len(value)} present"
                out.append((ProblemCode.COUNT, differ))
            tree, record = body.reader.decoder.tree, body.reader.record_of(value)
            inner = self._inside(tree, record, agreed, depth + 1)
            out += ((each.code, each.message) for each in inner)
        return out

    def _of_slot(self, slot: str) -> list[Format | EmbeddedRecord]:
        """Return the readers of a slot."""
        found = self._readers.get(slot)
        if found is None:
            found = self._readers[slot] = self.layers.of(slot)
        return found

    def _body(self, cell: SlotBytes) -> Payload | None:
        """Return the payload of a slot with its reader; None if no format is certain."""
        if is_hidden(cell.data):
            return None
        for each in self._of_slot(cell.slot):
            if _is_certain(each, cell):
                return Payload(cell.data, each)
        return None


def _count(side: Any, decoder: Decoder) -> None:  # noqa: ANN401 - one of the engine's
    """Count one more of the first frames of a kind that a side sends."""
    if side.looks is None:
        side.looks = {}
    turn = side.looks[decoder] = side.looks.get(decoder, 0) + 1
    if turn == FIRST:
        side.looked |= {decoder}


def _is_certain(reader: Format | EmbeddedRecord, cell: SlotBytes) -> bool:
    """Return whether a reader's format is certain for a slot, and not only plausible."""
    if isinstance(reader, EmbeddedRecord) and not reader.types:
        return reader.sure(cell.data) > 0  # its slot is reserved for it
    if cell.declared is not None:
        return bool({cell.declared, suffix_of(cell.declared)} & set(map(str.lower, reader.types)))
    return reader.sure(cell.data) >= CERTAIN
