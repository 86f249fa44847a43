"""The least capture that still shows a finding.

Whole connections are left out, then conversations, then frames, then parts of bodies, as long as
the same rule names the same frame, and nothing is wrong that was not before. What is kept is
written with TCP anew, at the times of its frames.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain
from typing import Any, Final, NamedTuple

from streamshark.capture import open_capture
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.framing.splitter import At
from streamshark.session import Session
from streamshark.sharing.carried_contents import Change, with_contents
from streamshark.sharing.delta_debugging import EffortSpentError, fewest
from streamshark.sharing.judged_parts import Fault, Judgement, PlacedFinding, judged
from streamshark.sharing.recorded_streams import Part, Position, RecordedFlow, StreamRecorder
from streamshark.sharing.rewritten_capture import RewrittenCapture, rewritten
from streamshark.sharing.shorter_bodies import BodyPath, bodies, shortened

MOST_JUDGED: Final = 1_500_000
"""Most frames that are judged in all trials; then the smallest capture so far is the result."""
MOST_CUT: Final = 32
"""Most bodies that are needed of which it is tried how much."""
CUTS: Final = (16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144)
"""Lengths to which a body is cut."""
TRIAL_COST: Final = 100
"""Frames that take as long to judge as a trial takes besides its frames."""

BodyPlace = tuple[int, BodyPath]
"""Number of a frame, and the path of a body in it."""


class _RowPlace(NamedTuple):
    """A frame whose bodies can be shorter, and where it is."""

    row: FrameRow
    parts: tuple[int, ...]
    """Positions of the parts that have its bytes: itself, the message of WebSocket that it is in,
    or the frames of its stream of HTTP/2."""
    carrier: str
    """Id of its carrier; empty without one."""

    def change(self, data: bytes) -> Change:
        """Return what the carrier has in place of other contents, for the frame as given."""
        if self.carrier != "http2" or self.row.decoder is None:
            return self.row.data, data
        return self.row.values["message"], self.row.decoder.read(data)[0]["message"]


class RecordedCapture:
    """The connections of a capture in memory, and its findings.

    Args:
        session: What is read.
    """

    def __init__(self, session: Session) -> None:
        recorder = StreamRecorder(session.dissector)
        self.contexts: dict[int, Mapping[str, Any]] = {}
        """The latest known facts of each connection, such as the products of both sides."""

        def take(row: Row) -> None:
            if row.annotation is not None:
                self.contexts[row.connection.flow.number] = row.annotation.context

        judgement = judged(session, recorder.row, lambda number: number, take)
        self.frames = judgement.frames
        self.flows = recorder.flows()
        starts: dict[tuple[int, int], list[int]] = {}
        for part in sorted(chain.from_iterable(each.parts for each in self.flows)):
            starts.setdefault((part.flow, part.side), []).append(part.offset)
        for each in starts.values():
            each.sort()
        self.findings = [_of_part(each, starts) for each in judgement.findings]
        """Findings above chat with their consequences; each in the part of its guilty frame."""
        self.damage = [f"{name}: {shown}" for name, shown in session.dissector.damage]
        """What could not be read, and where bytes are missing, a sentence each."""
        self.damage += (
            f"connection {gap.flow} lacks {gap.length:,} bytes before packet {gap.packet}"
            for gap in recorder.gaps
        )


class MinimisedCapture(NamedTuple):
    """The least capture that still shows a finding."""

    data: bytes
    """The capture (pcapng)."""
    finding: Finding
    """The finding as it is there."""
    frames: int
    trials: int
    is_minimal: bool
    """Whether no frame can be left out; False if finding out would have taken too long."""
    kept_whole: int
    """Connections that are there as a whole: the messages of their carrier are not known."""
    decrypted: int
    """Connections of TLS that are there as plain text."""
    secretive: int
    """Frames with passwords, tokens and other secrets."""


def minimised(
    recorded: RecordedCapture,
    target: PlacedFinding,
    opened: Callable[[], Session],
    comments: Iterable[str] = (),
) -> MinimisedCapture:
    """Return the least capture that still shows a finding.

    Args:
        recorded: The capture.
        target: One of its findings.
        opened: Returns a session without captures, with the options by which it was read.
        comments: Comments on the section of the result.

    Raises:
        StreamsharkError: The finding needs what a capture with new TCP does not have.
    """
    search = _Search(recorded.flows, target, opened)
    search.leave_out()
    return search.result(comments)


class _Search:
    """The search for the least capture: what is kept so far."""

    def __init__(
        self,
        flows: Sequence[RecordedFlow],
        target: PlacedFinding,
        opened: Callable[[], Session],
    ) -> None:
        self.flows = list(flows)
        self.parts = sorted(chain.from_iterable(each.parts for each in flows), key=_order)
        self.target = target
        self.trials = self.judged = 0
        self.is_minimal = True
        self._opened = opened
        self.allowed: frozenset[Fault] = frozenset()
        everything = self._judged(rewritten(self.flows, self.parts))
        if self._found(everything) is None:
            raise StreamsharkError(
                f"{target.finding.rule}: needs more than the bytes of connections, such as lost "
                "packets or TLS, which a minimised capture does not have"
            )
        self.allowed = everything.faults

    def leave_out(self) -> None:
        """Leave out connections, conversations and frames until none of them can be."""
        self._leave_out_flows()
        self._leave_out_groups(_conversation)
        self._leave_out_groups(_alone)
        while self._leave_out_flows() or self._leave_out_groups(_conversation):
            self._leave_out_groups(_alone)
        self._leave_out_ends()
        self._shorten_bodies()
        self._leave_out_groups(_alone, singly=True)

    def result(self, comments: Iterable[str]) -> MinimisedCapture:
        """Return the capture."""
        made = rewritten(self.flows, self.parts, comments)
        with self._opened() as session:
            mask = SecretMask(session.layers)
        secretive = 0

        def take(row: Row, _place: Hashable) -> None:
            nonlocal secretive
            secretive += isinstance(row, FrameRow) and bool(mask.spans(row))

        judgement = self._judged(made, take)
        found = self._found(judgement)
        if found is None:
            raise StreamsharkError(f"{self.target.finding.rule}: the result does not show it")
        whole = sum(not each.is_whole for each in self.flows)
        decrypted = sum(each.flow.decrypted > 0 for each in self.flows)
        return MinimisedCapture(
            made.data, found.finding, judgement.frames, self.trials, self.is_minimal, whole,
            decrypted, secretive,
        )  # fmt: skip

    def _leave_out_flows(self) -> bool:
        """Leave out connections; return whether any was."""
        before = len(self.flows)
        self.flows = fewest(self.flows, lambda flows: self._holds(flows, self.parts))
        self.parts = list(_of(self.flows, self.parts))
        return len(self.flows) < before

    def _leave_out_groups(
        self, grouped: Callable[[Part], Hashable], *, singly: bool = False
    ) -> bool:
        """Leave out what belongs together by a key; return whether anything was."""
        kept_whole = {each.flow.number for each in self.flows if not each.is_whole}
        groups: dict[Hashable, list[Part]] = {}
        for each in self.parts:
            key = each.flow if each.flow in kept_whole else grouped(each)
            groups.setdefault(key, []).append(each)
        kept = fewest(
            list(groups.values()),
            lambda some: self._holds(self.flows, sorted(chain.from_iterable(some), key=_order)),
            singly=singly,
        )
        self.parts = sorted(chain.from_iterable(kept), key=_order)
        return len(kept) < len(groups)

    def _leave_out_ends(self) -> None:
        """Leave out how connections end, where that does not matter."""
        ended = [each for each in self.flows if each.ends]
        kept = fewest(
            [each.flow.number for each in ended],
            lambda numbers: self._holds(_ending(self.flows, numbers), self.parts),
        )
        self.flows = _ending(self.flows, kept)

    def _shorten_bodies(self) -> None:
        """Empty bodies where they do not matter, and cut others."""
        with self._opened() as session:
            layers = session.layers
        rows = self._rows()
        whole = {(at, path): body for at, place in enumerate(rows)
                 for path, body in bodies(place.row, layers).items()}  # fmt: skip
        if not whole:
            return
        emptied = dict.fromkeys(whole, 0)

        def holds(lengths: Mapping[BodyPlace, int]) -> bool:
            parts = self._with_bodies(rows, lengths, layers)
            return parts is not None and self._holds(self.flows, parts)

        full = {at: len(body.data) for at, body in whole.items()}
        kept = fewest(list(whole), lambda some: holds(emptied | {at: full[at] for at in some}))
        lengths = emptied | {at: full[at] for at in kept}
        for at in [each for each in kept if whole[each].can_be_cut][:MOST_CUT]:
            for size in CUTS:
                if size >= full[at]:
                    break
                if self.is_minimal and holds(lengths | {at: size}):
                    lengths[at] = size
                    break
        self.parts = self._with_bodies(rows, lengths, layers) or self.parts

    def _rows(self) -> list[_RowPlace]:
        """Return the frames whose bytes can be changed in their parts."""
        found: list[tuple[FrameRow, Hashable]] = []

        def take(row: Row, place: Hashable) -> None:
            if isinstance(row, FrameRow) and row.carrier is None:
                found.append((row, place))

        self._judged(rewritten(self.flows, self.parts), take)
        positions = {_alone(part): at for at, part in enumerate(self.parts)}
        streams: dict[Hashable, list[int]] = {}
        for at, part in enumerate(self.parts):
            streams.setdefault((part.flow, part.side, part.group), []).append(at)
        out: list[_RowPlace] = []
        for row, place in found:
            if (position := positions.get(place)) is None:
                continue
            part = self.parts[position]
            carrier = (row.connection.outer or row.connection).carrier
            if carrier is None and row.data == part.data:
                out.append(_RowPlace(row, (position,), ""))
            elif carrier is not None and carrier.id == "websocket":
                out.append(_RowPlace(row, (position,), carrier.id))
            elif carrier is not None and isinstance(row.values.get("message"), bytes):
                own = streams[part.flow, part.side, part.group]
                out.append(_RowPlace(row, tuple(own), carrier.id))
        return out

    def _with_bodies(
        self, rows: Sequence[_RowPlace], lengths: Mapping[BodyPlace, int], layers: PayloadReaders
    ) -> list[Part] | None:
        """Return the parts with bodies of some lengths; None if one cannot have them."""
        own: dict[int, dict[BodyPath, int]] = {}
        for (number, path), size in lengths.items():
            own.setdefault(number, {})[path] = size
        parts = list(self.parts)
        carried: dict[tuple[str, tuple[int, ...]], list[Change]] = {}
        for number, place in enumerate(rows):
            data = shortened(place.row, own[number], layers) if number in own else place.row.data
            if data is None:
                return None
            if data == place.row.data:
                continue
            if place.carrier:
                carried.setdefault((place.carrier, place.parts), []).append(place.change(data))
            else:
                parts[place.parts[0]] = parts[place.parts[0]]._replace(data=data)
        for (carrier, places), changes in carried.items():
            made = with_contents(carrier, [parts[at].data for at in places], changes)
            if made is None:
                return None
            for at, data in zip(places, made, strict=True):
                parts[at] = parts[at]._replace(data=data)
        return parts

    def _holds(self, flows: Sequence[RecordedFlow], parts: Iterable[Part]) -> bool:
        """Return whether these connections and parts still show the finding, and nothing new."""
        if self.judged > MOST_JUDGED:
            self.is_minimal = False
            raise EffortSpentError
        judgement = self._judged(rewritten(flows, list(_of(flows, parts))))
        return self._found(judgement) is not None and judgement.faults <= self.allowed

    def _judged(
        self,
        made: RewrittenCapture,
        taken: Callable[[Row, Hashable], object] = lambda _row, _place: None,
    ) -> Judgement:
        """Judge a capture; `taken` is called with each row and the place of its part."""
        origins = made.origins

        def place(row: Row) -> Position | None:
            flow, address = row.connection.flow.number, row.addresses[0]
            part = origins.part(flow, address, row.offset)
            where = None if part is None else (part.flow, part.side, part.offset)
            taken(row, where)
            return where

        def flow_of(number: int) -> Hashable:
            return origins.flows[number].flow.number if number < len(origins.flows) else None

        with self._opened() as session:
            session.captures.append(open_capture(BytesIO(made.data)))
            judgement = judged(session, place, flow_of)
        self.trials += 1
        self.judged += judgement.frames + TRIAL_COST
        return judgement

    def _found(self, judgement: Judgement) -> PlacedFinding | None:
        """Return the finding as a reading shows it; None if it does not."""
        target = self.target
        for each in judgement.findings:
            is_same = each.fault == target.fault and each.is_echo <= target.is_echo
            if is_same and each.finding.severity == target.finding.severity:
                return each
        return None


def _ending(flows: Iterable[RecordedFlow], numbers: Iterable[int]) -> list[RecordedFlow]:
    """Return connections, of which only some end."""
    ending = set(numbers)
    return [each if each.flow.number in ending else each._replace(ends=()) for each in flows]


def _of(flows: Iterable[RecordedFlow], parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts of some connections."""
    numbers = {each.flow.number for each in flows}
    return (each for each in parts if each.flow in numbers)


def _of_part(placed: PlacedFinding, starts: dict[tuple[int, int], list[int]]) -> PlacedFinding:
    """Return a finding in the part of its guilty frame."""
    rule, place = placed.fault
    if not isinstance(place, tuple):
        return placed
    flow, side, offset = place
    known = starts.get((flow, side), [0])
    start = known[max(0, bisect_right(known, offset) - 1)]
    return placed._replace(fault=(rule, (flow, side, start)))


def _order(part: Part) -> tuple[At, int, int, int]:
    return part.order


def _conversation(part: Part) -> Hashable:
    """Return the conversation of a part; the part itself without one."""
    return (part.flow, part.group) if part.group else (part.flow, part.side, part.offset)


def _alone(part: Part) -> Hashable:
    return part.flow, part.side, part.offset
