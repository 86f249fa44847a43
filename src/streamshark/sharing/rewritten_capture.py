"""Parts of connections as a capture of their own, with TCP written anew.

Packets have the times at which the parts were complete, and sequence numbers, acknowledgements and
checksums are right: nothing is lost, repeated or out of order but what a gap leaves out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from streamshark.capture.pcapng_writer import PcapngWriter
from streamshark.capture.synthetic_tcp import LINKTYPE_RAW, SyntheticPacket, SyntheticTcp
from streamshark.flows import FlowEvent
from streamshark.flows.segment import ATTEMPTS
from streamshark.framing.splitter import At
from streamshark.sharing.recorded_streams import ZERO_WINDOW, Part, RecordedFlow

_SPACING = 0x01000193
"""Between the first sequence numbers of two connections, so that ports may be used again."""


class Origins:
    """Where the parts of a rewritten capture are, by where it has them."""

    def __init__(self) -> None:
        self.flows: list[RecordedFlow] = []
        """By the number of the connection in the rewritten capture."""
        self._ends: dict[tuple[int, str], list[int]] = {}
        self._parts: dict[tuple[int, str], list[Part]] = {}

    def add(self, part: Part, address: str) -> None:
        """Add the next part of a side, which has an address."""
        key = part.flow, address
        ends = self._ends.setdefault(key, [0])
        ends.append(ends[-1] + part.size)
        self._parts.setdefault(key, []).append(part)

    def part(self, flow: int, address: str, offset: int) -> Part | None:
        """Return the part at an offset of what an address sends; None if it has sent nothing."""
        if not 0 <= flow < len(self.flows):
            return None
        key = self.flows[flow].flow.number, address
        parts = self._parts.get(key)
        if not parts:
            return None
        return parts[min(bisect_right(self._ends[key], offset), len(parts)) - 1]


class RewrittenCapture(NamedTuple):
    """A capture, and where its parts come from."""

    data: bytes
    origins: Origins
    packets: int


class _Step(NamedTuple):
    """What a connection does at one time."""

    at: At
    flow: int
    phase: int
    """0 to open, 1 to send, 2 to end: the order within one packet."""
    side: int
    offset: int
    what: Part | FlowEvent


class _Writer:
    """Writes one connection."""

    def __init__(self, recorded: RecordedFlow) -> None:
        self.recorded = recorded
        self._is_open = False
        opened = recorded.opened
        self._first = opened.side if opened else recorded.flow.client or 0
        ends = [endpoint(each) for each in recorded.flow.addresses]
        start = recorded.flow.number * _SPACING + 1
        client, server = ends[self._first], ends[1 - self._first]
        self._tcp = SyntheticTcp(client, server, sequences=(start, start + (_SPACING >> 1)))

    def packets(self, step: _Step) -> list[SyntheticPacket]:
        """Return the packets of one step."""
        what, time_ns, side = step.what, step.at[0], step.side ^ self._first
        if isinstance(what, Part):
            self._tcp.skip(side, what.lost)
            return self._tcp.send(side, what.data, time_ns)
        if what.name == "unanswered" or (what.name == "open" and _is_attempt(self.recorded)):
            return self._tcp.ask(time_ns)
        if what.name == "open":
            return self._tcp.open(time_ns, self.recorded.flow.handshake_ns or (0, 0))
        ends = {"close": self._tcp.close, ZERO_WINDOW: self._tcp.stall}
        return ends.get(what.name, self._tcp.reset)(side, time_ns)


def rewritten(
    flows: Iterable[RecordedFlow], parts: Sequence[Part], comments: Iterable[str] = ()
) -> RewrittenCapture:
    """Return a capture of connections with some of their parts, sorted."""
    chosen = {each.flow.number: _Writer(each) for each in flows}
    steps = [_Step(each.at, each.flow, 1, each.side, each.offset, each) for each in parts]
    steps += _beginnings_and_ends(each.recorded for each in chosen.values())
    steps.sort(key=lambda each: each[:5])
    origins = Origins()
    packets: list[tuple[int, int, SyntheticPacket]] = []
    for step in steps:
        connection = chosen[step.flow]
        if isinstance(step.what, Part):
            origins.add(step.what, connection.recorded.flow.addresses[step.side])
        packets += ((each.time_ns, step.flow, each) for each in connection.packets(step))
    packets.sort(key=lambda each: each[0])
    writer = PcapngWriter()
    blocks = [writer.section(comments=comments, program="streamshark")]
    blocks.append(writer.interface(LINKTYPE_RAW))
    numbers: dict[int, None] = {}
    for time_ns, flow, packet in packets:
        numbers[flow] = None
        blocks.append(writer.packet(time_ns, packet.data))
    origins.flows = [chosen[each].recorded for each in numbers]
    return RewrittenCapture(b"".join(blocks), origins, len(packets))


def endpoint(text: str) -> tuple[str, int]:
    """Return address and port of `address:port`, IPv6 in brackets."""
    address, _, port = text.rpartition(":")
    return address.strip("[]"), int(port)


def _beginnings_and_ends(flows: Iterable[RecordedFlow]) -> Iterator[_Step]:
    """Yield how connections begin and end."""
    for each in flows:
        number = each.flow.number
        if each.opened is not None:
            yield _Step(_at(each.opened), number, 0, each.opened.side, 0, each.opened)
        for event in each.ends:
            yield _Step(_at(event), number, 2, event.side, event.offset, event)


def _at(event: FlowEvent) -> At:
    return event.time_ns, event.file, event.packet


def _is_attempt(recorded: RecordedFlow) -> bool:
    """Return whether a connection was never open."""
    return any(each.name in ATTEMPTS for each in recorded.ends)
