"""A recorded capture, read once for all that is claimed of it."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tests.recorded.index import FRAME, ROOT

from streamshark.capture import PacketBatch
from streamshark.conversations.conversation import Conversation
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.rule import family
from streamshark.framing.wire_format import Selector
from streamshark.session import Session


class PacketSpan(NamedTuple):
    """Where a packet is in its file."""

    link: int
    start: int
    captured: int
    original: int


@dataclass
class Reading:
    """One capture, read: its rows, what rules find in it, and its conversations."""

    capture: str
    """`protocol/scenario`."""
    provenance: dict[str, Any]
    path: Path
    session: Session
    rows: list[Row]
    findings: list[Finding]
    conversations: list[Conversation]
    packets: dict[int, PacketSpan]
    """Where each packet is in the file; empty for a compressed one."""

    @property
    def name(self) -> str:
        """The scenario."""
        return self.capture.partition("/")[2]

    @cached_property
    def frames(self) -> list[FrameRow]:
        """The rows that are frames."""
        return [row for row in self.rows if isinstance(row, FrameRow)]

    @cached_property
    def own(self) -> list[FrameRow]:
        """The frames of the capture's protocol."""
        return [row for row in self.frames if row.connection.wire.id == self.provenance["protocol"]]

    @cached_property
    def senders(self) -> dict[tuple[int, str], list[FrameRow]]:
        """Connection and sender to their frames of the capture's protocol, in order."""
        out: dict[tuple[int, str], list[FrameRow]] = {}
        for row in self.own:
            if row.sender is not None:
                out.setdefault((row.connection.flow.number, row.sender), []).append(row)
        return out

    @property
    def every_finding(self) -> list[Finding]:
        """The findings with their echoes."""
        return list(flat(self.findings))


def read(capture: str) -> Reading:
    """Read a capture, given as `protocol/scenario`."""
    folder = ROOT / "captures" / capture
    provenance = tomllib.loads((folder / "provenance.toml").read_text())
    path = folder / provenance["file"]
    session = Session([str(path)])
    packets: dict[int, PacketSpan] = {}

    def place(batch: PacketBatch, _delivered: object) -> None:
        if batch.base is not None:
            starts = (batch.base + start for start in batch.starts)
            spans = map(PacketSpan, batch.links, starts, batch.captured, batch.original)
            packets.update(enumerate(spans, batch.first))

    session.dissector.on_packets(place)
    analysis = session.analysis(rules=True, conversations=True, annotates=False, summaries=False)
    rows = list(analysis.rows())
    findings = analysis.findings()
    return Reading(capture, provenance, path, session, rows, findings, list(analysis.ended()),
                   packets)  # fmt: skip


def flat(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings with their echoes."""
    for each in findings:
        yield each
        yield from flat(each.echoes)


def accuses(finding: Finding) -> bool:
    """Whether it is a warning or an error."""
    return Severity(finding.severity).rank >= Severity.WARNING.rank


def key_of(selector: Selector) -> int | str:
    """Return the key on the wire, response bit included; of a text protocol the verb."""
    key = selector.key
    return key if isinstance(key, str) else key | selector.response << 15


def features(reading: Reading) -> tuple[str, ...]:
    """Return what shows in a capture: frames, problems, pieces, events, findings, conversations.

    A frame is told as `frame KEY VERSION SENDER NAME`, only of the capture's protocol with its key.
    """
    found: set[str] = set()
    for row in reading.rows:
        wire = row.connection.wire.id
        if not isinstance(row, FrameRow):
            found.add(f"event {row.name}")
            continue
        if row.decoder is None:
            found.add(f"unknown {wire}")
        elif wire != reading.provenance["protocol"] or row.selector is None:
            found.add(f"other {wire} {row.sender} {row.name}")
        else:
            selector = row.selector
            found.add(f"{FRAME} {key_of(selector)} {selector.version} {row.sender} {row.name}")
        found |= {f"problem {wire} {each.code.word}" for each in row.problems}
        if row.piece:
            found.add(f"piece {wire} {row.name}")
        if row.carrier is not None:
            found.add(f"carried {wire} {row.carrier.connection.wire.id}")
    found |= {f"finding {family(each.rule)}" for each in reading.every_finding}
    found |= {f"conversation {each.type} {each.state}" for each in reading.conversations}
    return tuple(sorted(found))
