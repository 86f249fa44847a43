"""Message bodies of which rules see what is wrong with them: some of each kind of frame.

Decoding all bodies would take several times as long as all other judging, and who writes one body
wrongly writes many so. Looked into are the first frames of a kind that each side of a connection
sends, and later ones now and then, within an allowance that grows with the frames that are read.

Only what says its format is judged: by a type that is named with it, by a slot that is made for one
record, by a mark that a format is certain of. What is compressed or large is left out.
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

FIRST: Final = 256
"""Frames of a kind, of each side of a connection, whose bodies are all looked into."""
EVERY: Final = 64
"""Of those that follow, frames whose number is a multiple of it."""
MOST_BODIES: Final = 64
"""Bodies of one frame that are looked into, the first ones."""
LARGEST: Final = 16 * 1024
"""Bytes of the largest body that is looked into, and a quarter of those of the largest frame."""
ALLOWED: Final = 16 * 1024
"""Bodies that are looked into however few frames there are: 0.2 s at 11 us for one of AMQP 1.0."""
FRAMES_A_BODY: Final = 64
"""Frames that are read for each further one."""
BYTES_A_BODY: Final = 512
"""Bytes of a frame that count as one more body, since its values are read."""


class Bodies:
    """The bodies of a reading that are looked into."""

    def __init__(self, layers: PayloadReaders) -> None:
        self.layers = layers
        self._kinds: dict[Decoder, bool] = {}
        """Whether frames of a kind have a slot that a reader names."""
        self._readers: dict[str, list[Format | EmbeddedRecord]] = {}
        """Those that name a slot: what fits everywhere finds nothing wrong."""
        self._spent = 0
        """Bodies that have been looked into, and what counts as such."""
        self._left = 0
        """Bodies of the frame at hand that may still be looked into."""

    def may_be_in(self, decoder: Decoder) -> bool:
        """Return whether frames of a kind may have bodies in which something can be wrong."""
        found = self._kinds.get(decoder)
        if found is None:
            slots = (getattr(each, "slot", None) for each in decoder.tree.nodes)
            found = any(slot and self._of_slot(slot.name) for slot in slots)
            self._kinds[decoder] = found
        return found

    def problems(self, row: FrameRow, side: Any) -> list[Problem]:  # noqa: ANN401 - one of the engine's
        """Return what is wrong inside a frame, where it is one to look into.

        Nodes are those that declare the slots; offsets and lengths are 0.
        """
        decoder = row.decoder
        if decoder is None or row.piece or row.problems:
            return []
        if not self.may_be_in(decoder):
            side.looked |= {decoder}
            return []
        if decoder not in side.looked:
            _count(side, decoder)
        elif row.number % EVERY:
            return []
        if self._spent >= ALLOWED + row.number // FRAMES_A_BODY or len(row.data) > 4 * LARGEST:
            return []
        self._left = MOST_BODIES
        found = self._inside(decoder.tree, row.values, row.agreed, 1)
        self._spent += 1 + MOST_BODIES - self._left + len(row.data) // BYTES_A_BODY
        return found

    def _inside(
        self, tree: nodes.Tree, values: Values, agreed: Agreed, depth: int
    ) -> list[Problem]:
        """Return what is wrong in the first slots of a frame or rider."""
        out: list[Problem] = []
        for cell in cells(tree, values, agreed, unpacks=False):
            if not self._left:
                break
            body = self._body(cell)
            if body is not None and not too_deep(body, depth):
                self._left -= 1
                found = dict.fromkeys(self._of(body, cell, agreed, depth))
                out += (Problem(code, cell.node, 0, 0, told) for code, told in found)
        return out

    def _of(
        self, body: Payload, cell: SlotBytes, agreed: Agreed, depth: int
    ) -> list[tuple[ProblemCode, str]]:
        """Return what is wrong with a body and in it: codes and sentences."""
        value, problems = body.decoded
        out = [(each.code, each.message) for each in problems]
        if isinstance(body.reader, EmbeddedRecord):
            if cell.holds is not None and isinstance(value, list) and len(value) != cell.holds:
                differ = f"{cell.holds} items are announced, {len(value)} are there"
                out.append((ProblemCode.COUNT, differ))
            tree, record = body.reader.decoder.tree, body.reader.record_of(value)
            inner = self._inside(tree, record, agreed, depth + 1)
            out += ((each.code, each.message) for each in inner)
        return out

    def _of_slot(self, slot: str) -> list[Format | EmbeddedRecord]:
        """Return the readers that name a slot."""
        found = self._readers.get(slot)
        if found is None:
            found = self._readers[slot] = self.layers.of(slot)
        return found

    def _body(self, cell: SlotBytes) -> Payload | None:
        """Return what reads the bytes of a slot; None where no format is certain."""
        if cell.packed != RAW or len(cell.data) > LARGEST or is_hidden(cell.data):
            return None
        for each in self._of_slot(cell.slot):
            if _is_certain(each, cell):
                return Payload(cell.data, each)
        return None


def _count(side: Any, decoder: Decoder) -> None:  # noqa: ANN401 - one of the engine's
    """Note one more of the first frames of a kind that a side sends."""
    if side.looks is None:
        side.looks = {}
    turn = side.looks[decoder] = side.looks.get(decoder, 0) + 1
    if turn == FIRST:
        side.looked |= {decoder}


def _is_certain(reader: Format | EmbeddedRecord, cell: SlotBytes) -> bool:
    """Whether the bytes of a slot are in the format of a reader, and do not only look so."""
    if isinstance(reader, EmbeddedRecord) and not reader.types:
        return reader.sure(cell.data) > 0  # nothing else stands in its slot
    if cell.said is not None:
        return bool({cell.said, suffix_of(cell.said)} & set(map(str.lower, reader.types)))
    return reader.sure(cell.data) >= CERTAIN
