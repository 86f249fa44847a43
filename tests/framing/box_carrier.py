"""A small carrier for the tests of the frame stage: boxes with a number on the lid.

A box is a length u16 and as many bytes. `!` as first byte doubles the bytes after it, in place of
compression; `?` marks content that could not be restored. An empty box belongs to the carrier.
"""

from collections.abc import Callable

from streamshark.decoding.codecs import Allowance
from streamshark.flows.segment import Gap, Segment
from streamshark.framing.carrier import Carriage, CarriedMessage, Carrier, CarrierEvent, Item
from streamshark.framing.splitter import FULL, At, PacketRef, ResyncEffort, SkippedBytes
from streamshark.schema import Problem, ProblemCode

LOST = Problem(ProblemCode.CODEC, -1, 0, 0, "what was in the box is lost")


def box(payload: bytes) -> bytes:
    """A box as it is sent."""
    return len(payload).to_bytes(2, "big") + payload


class Boxes:
    """One side."""

    in_step = True
    resume = 0
    preamble = 0
    late = False
    unsettled: At | None = None

    def __init__(self) -> None:
        self.data = b""
        self.offset = 0
        self.packets: list[int] = []

    @property
    def pending(self) -> int:
        """Bytes of a box that is not whole."""
        return len(self.data)

    def feed(self, segment: Segment) -> list[Item]:
        """The boxes that are whole."""
        out: list[Item] = []
        self.data += segment.data
        self.packets.append(segment.origin)
        while len(self.data) >= 2 and len(self.data) >= (
            end := 2 + int.from_bytes(self.data[:2], "big")
        ):
            place = PacketRef(self.packets, (segment.time_ns, segment.file, segment.packet))
            out.append(self._item(self.data[2:end], end, place))
            self.data, self.offset = self.data[end:], self.offset + end
            self.packets = [segment.origin] if self.data else []
        return out

    def gap(self, gap: Gap) -> list[Item]:
        """Boxes are lost."""
        out = self.finish()
        self.offset = gap.offset + gap.length
        return out

    def finish(self) -> list[Item]:
        """Report the rest as a box that is cut."""
        data, self.data = self.data, b""
        return (
            [SkippedBytes(self.offset, len(data), PacketRef([], (0, 0, 0)), "no box")]
            if data
            else []
        )

    def _item(self, payload: bytes, end: int, place: PacketRef) -> Item:
        if not payload:
            return CarrierEvent(self.offset, end, place, "boxes", "empty", {"size": 0})
        data = payload[1:] * 2 if payload[:1] == b"!" else payload
        readable = payload[:1] != b"?"
        return CarriedMessage(
            self.offset + 2, self.offset + end, end, data, place,
            None if readable else LOST, readable=readable,
        )  # fmt: skip


class BoxLink:
    """Both sides."""

    client: int | None = None
    refused: str | None = None
    asked: frozenset[str] = frozenset()
    told: str | None = None

    def __init__(
        self,
        *,
        begun: bool = False,
        effort: ResyncEffort = FULL,
        allowance: Allowance | None = None,
    ) -> None:
        self.begun, self.effort = begun, effort
        self.allowance = allowance or Allowance()

    def side(self, number: int, *, start: bool, fits: Callable[[bytes], bool]) -> Boxes:  # noqa: ARG002 - the contract
        """One side."""
        return Boxes()


BOXES = Carrier(
    id="boxes",
    title="Boxes",
    card="Made up.",
    slots={"boxes.message": Carriage.MESSAGES, "boxes.bytes": Carriage.BYTES},
    link=BoxLink,
    events={"empty": "A box with nothing in it."},
)
