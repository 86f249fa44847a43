"""Write a capture without secrets, names and addresses.

A first reading finds the frames, and keeps what takes the place of their bytes by position in the
stream; a second one writes the packets. So packets, times and sequence numbers stay.
"""

import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from streamshark.capture import PacketBatch, open_capture
from streamshark.capture.copying import PcapngCopier, SecretsCopied
from streamshark.capture.output_file import OutputFile
from streamshark.capture.packet import NO_FLOW
from streamshark.capture.packet_column import PacketColumn
from streamshark.capture.pcapng import (
    ENHANCED_PACKET,
    INTERFACE_DESCRIPTION,
    INTERFACE_STATISTICS,
    NO_LINK,
    PACKET,
    SECTION_HEADER,
    SIMPLE_PACKET,
    Options,
    options_of,
)
from streamshark.capture.pcapng_writer import option
from streamshark.capture.records import CaptureRecord, merged_records
from streamshark.capture.synthetic_tcp import checksum
from streamshark.dissection.row import EventRow, FrameRow
from streamshark.flows.ip import TCP, TcpHeader, find_tcp
from streamshark.flows.link_layer import LINKS
from streamshark.flows.segment import Gap, Segment
from streamshark.flows.timers import Records
from streamshark.light_dataclass import record
from streamshark.session import Session
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction_bodies import names_in
from streamshark.sharing.redaction_carriers import CARRIERS, CarriedStreams
from streamshark.sharing.redaction_decrypted import plain_captures
from streamshark.sharing.redaction_fragments import Fragments
from streamshark.sharing.redaction_frames import FrameRedaction
from streamshark.sharing.redaction_packets import PacketRedaction, pseudo_header
from streamshark.sharing.redaction_streams import StreamPieces, TlsRecords
from streamshark.sharing.redaction_text import Replacements

_KEPT_OPTIONS: Final = {
    INTERFACE_DESCRIPTION: frozenset({Options.IF_TSRESOL, Options.IF_TSOFFSET, Options.IF_FCSLEN}),
    INTERFACE_STATISTICS: frozenset(range(2, 9)),
    ENHANCED_PACKET: frozenset({2, 4}),  # flags, and packets dropped before
    PACKET: frozenset({2}),
}
"""Type of a block to the codes of its options that hold numbers."""
_HEADS: Final = {ENHANCED_PACKET: 20, PACKET: 20, SIMPLE_PACKET: 4, INTERFACE_DESCRIPTION: 8,
                 INTERFACE_STATISTICS: 12}  # fmt: skip
"""Bytes of blocks before the packet, or before the options."""
_SECTION: Final = 16
_PROXY_1: Final = b"PROXY "
_PROXY_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
"""First bytes of headers of the PROXY protocol, versions 1 and 2."""
_PROXY_HEAD: Final = 16
_MOST_TAIL: Final = 1 << 20
"""Bytes after the last frame of a stream that are kept, to redact a frame that the end cuts."""


@record
class RedactionReport:
    """What a redaction did."""

    packets: int
    """Packets written."""
    dropped: int
    """Packets of unknown connections, and of other protocols than TCP, that were left out."""
    notes: tuple[str, ...] = ()
    """What a user must know besides, a sentence each."""


def redact(
    paths: Sequence[str],
    out: str,
    policy: Policy,
    key: bytes,
    **options: Any,  # noqa: ANN401 - as in `Session`
) -> RedactionReport:
    """Write captures to `out`, a pcapng, with everything replaced that the policy does not keep.

    Values are replaced by others of the same length; equal values by equal ones, over all captures
    that are redacted with the same key. `options` are those of `Session`.

    Raises:
        StreamsharkError: A capture cannot be read at all, or the file cannot be written.
    """
    with ExitStack() as stack:
        file = stack.enter_context(OutputFile(out, private=True))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="streamshark-")))
        sources = _repeatable(paths, folder)
        if policy.decrypted:
            sources = plain_captures(sources, folder, options)
        options = {**options, "keylog": None}
        pieces = stack.enter_context(StreamPieces())
        session = stack.enter_context(
            Session(sources, decrypts=False, show_secrets=True, **options)
        )
        reading = _StreamReading(session, policy, key, pieces)
        stack.callback(reading.flows.close)
        stack.callback(reading.joined.close)
        reading.read()
        writing = _PacketWriting(reading, policy)
        captures = [
            stack.enter_context(open_capture(name, index)) for index, name in enumerate(sources)
        ]
        for each in merged_records(captures, None):
            file.write(writing.block(each))
        file.commit()
        notes = (*(f"{name}: {each}" for name, each in session.dissector.damage), *reading.notes())
        return RedactionReport(writing.packets, writing.dropped, notes)


def _repeatable(paths: Sequence[str], folder: Path) -> list[str]:
    """Return captures that can be read twice: what is no file is copied to a folder."""
    out = []
    for number, name in enumerate(paths):
        if Path(name).is_file() or (name != "-" and not Path(name).exists()):
            out.append(name)
            continue
        copy = folder / f"{number}.capture"
        with ExitStack() as stack, copy.open("wb") as file:
            source = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            shutil.copyfileobj(source, file)
        out.append(str(copy))
    return out


class _StreamReading:
    """The first reading: what takes the place of the bytes of each stream."""

    def __init__(self, session: Session, policy: Policy, key: bytes, pieces: StreamPieces) -> None:
        self._session = session
        self.pieces = pieces
        syntaxes = tuple(each.syntax for each in session.protocols if each.syntax is not None)
        foreign = {mark for each in session.protocols for mark in each.wire.foreign}
        self.replacements = Replacements(key, syntaxes, keeps_addresses="address" in policy.keep)
        self.frames = FrameRedaction(
            session.layers, self.replacements, policy, syntaxes, tuple(foreign)
        )
        self.flows = PacketColumn("i")
        """The connection of each packet."""
        self.joined = PacketColumn("i")
        """Of each packet with a fragment, the bytes of the whole segment if its sum is right."""
        self.origins: dict[int, int] = {}
        """Stream to the sequence number of its first byte."""
        self._tls: dict[int, TlsRecords] = {}
        self._fragments = Fragments(self.frames)
        self._held: dict[int, list[Segment | Gap]] = {}
        """Connection to its bytes while it is not known what carries them."""
        self._carried: dict[int, CarriedStreams | None] = {}
        """Connection to what replaces the bytes of its carrier; None if it has none."""
        self._tails: dict[int, list[tuple[int, bytes]]] = {}
        """Stream to the bytes after its last frame."""
        session.dissector.on_packets(self._take)

    def read(self) -> None:
        """Read the captures."""
        for row in self._session.rows():
            if isinstance(row, FrameRow):
                self._frame(row)
            elif isinstance(row, EventRow) and row.name == "partial":
                self._partial(row)
        self._settle()
        for each in self._carried.values():
            if each is not None:
                each.finish()

    def notes(self) -> Iterator[str]:
        """Yield what a user must know, a sentence each."""
        for codec, count in self.frames.blanked.items():
            yield f"{count:,} bodies packed by {codec} are blanked: no others have their size"

    def written_flows(self) -> frozenset[int]:
        """Return the numbers of the connections whose packets are written."""
        dissector = self._session.dissector
        known = set(dissector.recognised)
        known |= {each.flow for each in dissector.unrecognised if each.is_known or each.is_tls}
        foreign = {each.flow for each in dissector.unrecognised} - known
        return frozenset(range(len(dissector.tracker.flows))) - foreign

    def _frame(self, row: FrameRow) -> None:
        stream = 2 * row.connection.flow.number + row.side
        outer = row.connection.outer or row.connection
        if outer.carrier is not None:
            self._settle()
            carried = self._carried.get(outer.flow.number)
            if carried is not None:
                carried.message(row, self.frames.frame(row))
            return
        self.pieces.add(stream, row.offset, self.frames.frame(row))
        for offset, data in self._fragments.of(row):
            self.pieces.add(stream, offset, data)
        self._prune(stream, row.offset + len(row.data))

    def _partial(self, row: EventRow) -> None:
        """Redact what is there of a frame that the end cuts."""
        if (row.connection.outer or row.connection).carrier is not None:
            return
        stream = 2 * row.connection.flow.number + row.side
        tail = b"".join(
            data[max(row.offset - at, 0) :]
            for at, data in self._tails.get(stream, ())
            if at + len(data) > row.offset
        )[: row.fields["length"]]
        if tail:
            self.pieces.add(stream, row.offset, self.frames.cut(row, tail))

    def _prune(self, stream: int, end: int) -> None:
        tail = self._tails.get(stream)
        if tail:
            self._tails[stream] = [each for each in tail if each[0] + len(each[1]) > end]

    def _take(self, batch: PacketBatch, delivered: Records) -> None:
        """Note the connection of each packet, where streams begin, and records of TLS."""
        flows, fragmented = self._session.dissector.tracker.packet_flows()
        self.flows.add(batch.file, batch.first, flows)
        for (file, packet), _, flow in fragmented:
            self.flows.add(file, packet, (flow,))
        self._note_joined()
        self._settle()
        for each in delivered:
            if isinstance(each, Segment | Gap):
                self._carry(each)
            if isinstance(each, Segment):
                self._segment(batch, each)
            elif (known := self._tls.get(2 * each.flow + each.side)) is not None:
                known.lose()

    def _note_joined(self) -> None:
        """Note the size of segments of TCP in fragments whose sums are right."""
        for addresses, whole in self._session.dissector.tracker.joined_datagrams():
            if whole.protocol != TCP or len(whole.data) != whole.length:
                continue
            pseudo = pseudo_header(addresses, TCP, whole.length)
            if checksum(pseudo + whole.data) in (0, 0xFFFF):
                for file, packet in whole.packets:
                    self.joined.add(file, packet, (whole.length,))

    def _carry(self, each: Segment | Gap) -> None:
        """Hand bytes to what replaces those of a carrier, or hold them until it is known."""
        if each.flow not in self._carried:
            self._held.setdefault(each.flow, []).append(each)
        elif (carried := self._carried[each.flow]) is not None:
            carried.feed(each)

    def _settle(self) -> None:
        """Find out what carries the bytes of new connections."""
        connections = self._session.dissector.connections
        for flow in [each for each in self._held if each in connections]:
            connection, held = connections[flow], self._held.pop(flow)
            carrier = connection.carrier if connection is not None else None
            carried = None
            if carrier is not None and carrier.id in CARRIERS:
                carried = CarriedStreams(carrier.id, flow, self.pieces, self.frames)
                for each in held:
                    carried.feed(each)
            self._carried[flow] = carried
            if connection is None or carried is not None:
                self._tails.pop(2 * flow, None)
                self._tails.pop(2 * flow + 1, None)

    def _segment(self, batch: PacketBatch, segment: Segment) -> None:
        stream = 2 * segment.flow + segment.side
        if stream not in self.origins and segment.is_payload:
            self._begin(batch, segment, stream)
        if not segment.offset and (preamble := self._preamble(segment.data)):
            self.pieces.add(stream, 0, preamble)
        known = self._tls.get(stream)
        if known is None and segment.data[:2] == b"\x16\x03":
            known = self._tls[stream] = TlsRecords()
        if known is not None and (made := known.blanked(segment.data)) is not None:
            self.pieces.add(stream, segment.offset, made)
        elif (
            self._carried.get(segment.flow) is None
            and self._session.dissector.connections.get(segment.flow, self) is not None
        ):
            tail = self._tails.setdefault(stream, [])
            if not tail or segment.offset - tail[0][0] < _MOST_TAIL:
                tail.append((segment.offset, segment.data))

    def _preamble(self, data: bytes) -> bytes:
        """Return the header of the PROXY protocol with other addresses; empty without one."""
        if data.startswith(_PROXY_1):
            line = data[: data.find(b"\n") + 1]
            text = names_in(line[len(_PROXY_1) :], self.replacements.endpoints)
            return _PROXY_1 + text if line else b""
        if not data.startswith(_PROXY_2) or len(data) < _PROXY_HEAD:
            return b""
        size = int.from_bytes(data[14:16], "big")
        head, rest = data[:_PROXY_HEAD], bytearray(data[_PROXY_HEAD : _PROXY_HEAD + size])
        addresses = self.replacements.addresses
        width = {1: 4, 2: 16}.get(data[13] >> 4, 0)
        for at in (0, width) if 0 < 2 * width + 4 <= len(rest) else ():
            change = addresses.ipv4 if width == 4 else addresses.ipv6  # noqa: PLR2004 - IPv4
            rest[at : at + width] = change(bytes(rest[at : at + width]))
        kept = 2 * width + 4 if width else 0
        return head + bytes(rest[:kept]) + bytes(len(rest) - kept)

    def _begin(self, batch: PacketBatch, segment: Segment, stream: int) -> None:
        """Note the sequence number of a stream's first byte, if the batch has the packet."""
        at = segment.origin - batch.first
        if segment.origin_file != batch.file or not 0 <= at < len(batch):
            return
        place = batch.starts[at], batch.captured[at], batch.original[at]
        found = find_tcp(batch.links[at], batch.data, *place)
        if isinstance(found, TcpHeader):
            (seq,) = struct.unpack_from(">I", found.data, found.header + 4)
            seq += bool(segment.flags & 2)
            self.origins[stream] = seq - segment.offset & 0xFFFFFFFF


class _PacketWriting:
    """The second reading: the blocks of the capture that is written."""

    def __init__(self, reading: _StreamReading, policy: Policy) -> None:
        self._reading = reading
        self._policy = policy
        self._written = reading.written_flows()
        self._copier = PcapngCopier(SecretsCopied(frozenset()), is_whole=False)
        addresses = None if "address" in policy.keep else reading.replacements.addresses
        self._packets = PacketRedaction(
            reading.pieces, reading.origins, addresses, reading.frames.fill
        )
        self._column: tuple[PacketBatch, Sequence[int]] | None = None
        self.packets = self.dropped = 0

    def block(self, given: CaptureRecord) -> bytes:
        """Return the block that takes the place of another; empty for one that is left out."""
        body: bytes | None = None
        if given.packet:
            body = self._packet(given)
            self.packets += body is not None
            self.dropped += body is None
        elif given.kind == SECTION_HEADER:
            comment = option(Options.COMMENT, self._comment.encode(), given.order)
            program = option(Options.SECTION_PROGRAM, b"streamshark redact", given.order)
            body = given.body[:_SECTION] + comment + program
        elif given.kind in _HEADS:
            head = _HEADS[given.kind]
            body = given.body[:head] + self._options(given, head)
        return b"" if body is None else self._copier.copy(given._replace(body=body))

    @property
    def _comment(self) -> str:
        kept = ", ".join(sorted(self._policy.keep)) or "none"
        return (
            "Redacted by streamshark redact: names, credentials, bodies and addresses are replaced"
            f" by others of the same length; kept besides the default: {kept}."
        )

    def _options(self, given: CaptureRecord, start: int) -> bytes:
        """Return the options of a block that hold numbers."""
        kept = _KEPT_OPTIONS.get(given.kind, frozenset())
        found = options_of(given.body, start, len(given.body), given.order)
        return b"".join(option(code, value, given.order) for code, value in found if code in kept)

    def _packet(self, given: CaptureRecord) -> bytes | None:
        batch, at = given.batch, given.at
        link, start, captured = batch.links[at], batch.starts[at], batch.captured[at]
        if self._column is None or self._column[0] is not batch:
            flows = self._reading.flows.of(batch.file, batch.first, len(batch))
            self._column = batch, flows
        flow = self._column[1][at]
        if link == NO_LINK or link not in LINKS or given.kind not in _HEADS:
            return None
        if flow not in self._written and not self._policy.keep_unknown:
            return None
        data = batch.data[start : start + captured]
        known = flow if flow in self._written else NO_FLOW
        (joined,) = self._reading.joined.of(batch.file, batch.first + at, 1)
        made = self._packets.packet(link, data, batch.original[at], known, joined)
        head = _HEADS[given.kind]
        after = head + captured + -captured % 4
        padded = made + bytes(-captured % 4)
        return given.body[:head] + padded + self._options(given, min(after, len(given.body)))
