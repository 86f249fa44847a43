"""Counts the recorded faults that are still named when the capture is damaged.

python -m tests.recorded.damage_recall

A fault is a rule and its guilty frames, as `provenance.toml` has them; it is named when a finding
of the rule has one of them first. The handshake of every connection is cut off (up to the answer to
Open, up to SETUP or RESUME), or the first packet with bytes after it is lost; faults whose frames
are lost with it do not count.
"""

import sys
import tomllib
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.recorded import damage
from tests.recorded.damage import Packets
from tests.recorded.reading import flat

from streamshark.dissection.row import FrameRow
from streamshark.findings.finding import Finding
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
LAST_STEP = {"open_response", "setup", "resume"}
"""Frames with which handshakes end."""

Frame = tuple[tuple[str, str], bytes]
"""Addresses and bytes: what a frame is known by in any capture of it."""


class Judged(NamedTuple):
    """What is read and found in some packets."""

    frames: list[FrameRow]
    findings: list[Finding]

    def named(self) -> set[tuple[str, Frame]]:
        """Rules and the frames that they name first."""
        known = {row.number: known_by(row) for row in self.frames}
        firsts = ((each.rule, each.frames[0]) for each in flat(self.findings) if each.frames)
        return {(rule, known[number]) for rule, number in firsts}


def known_by(row: FrameRow) -> Frame:
    """See `Frame`."""
    return row.addresses, bytes(row.data)


def judged(packets: Packets, path: Path) -> Judged:
    """Read packets."""
    path.write_bytes(damage.written(packets))
    analysis = Session([str(path)]).analysis(rules=True)
    frames = [row for row in analysis.rows() if isinstance(row, FrameRow)]
    return Judged(frames, analysis.findings())


def guilty(provenance: dict[str, Any], whole: Judged) -> list[tuple[str, list[FrameRow]]]:
    """Rules, and their guilty frames."""
    senders: dict[tuple[int, str | None], list[FrameRow]] = {}
    own = (row for row in whole.frames if row.connection.wire.id == provenance["protocol"])
    for row in own:
        senders.setdefault((row.connection.flow.number, row.sender), []).append(row)
    out = []
    for said in provenance.get("guilty", []):
        frames = senders.get((said["connection"], said["sender"]), [])
        if "rule" in said and "nth" in said:
            rows = frames[said["nth"] - 1 : said.get("last", said["nth"])]
            out.append((said["rule"], rows))
    return out


def cuts(packets: Packets, whole: Judged) -> dict[str, set[int]]:
    """Kind of damage to the numbers of the packets that are gone."""
    ways = [frozenset(each.way) for each in packets]
    head: set[int] = set()
    gap: set[int] = set()
    ends: dict[int, int] = {}
    for row in whole.frames:
        if row.name in LAST_STEP:
            ends.setdefault(row.connection.flow.number, row.packet)
    for end in ends.values():
        way = ways[end - 1]
        mine = [n for n, each in enumerate(ways, 1) if each == way]
        head |= {n for n in mine if n <= end}
        gap |= set([n for n in mine if n > end and packets[n - 1].payload][:1])
    return {"handshake lost": head, "a packet after it lost": gap}


def counted(folder: Path, work: Path) -> Counter[tuple[str, str]]:
    """Kind of damage and `faults`, `named` or `found` (the rule alone) to how many."""
    out: Counter[tuple[str, str]] = Counter()
    provenance = tomllib.loads((folder / "provenance.toml").read_text())
    packets = damage.read(folder / provenance["file"], provenance["server_ports"])
    whole = judged(packets, work / "whole.pcap")
    clear = whole.named()
    faults = [
        (rule, rows)
        for rule, rows in guilty(provenance, whole)
        if clear & {(rule, known_by(row)) for row in rows}
    ]
    for kind, gone in cuts(packets, whole).items():
        left = [(r, rows) for r, rows in faults if not gone & {p for x in rows for p in x.packets}]
        if not left or not gone:
            continue
        kept = [each for number, each in enumerate(packets, 1) if number not in gone]
        found = judged(kept, work / "cut.pcap")
        named = found.named()
        rules = {each.rule for each in flat(found.findings)}
        for rule, rows in left:
            out[kind, "faults"] += 1
            out[kind, "named"] += bool(named & {(rule, known_by(row)) for row in rows})
            out[kind, "found"] += rule in rules
    return out


def main() -> None:
    """Print a table."""
    sys.stdout.write(
        "| protocol | damage | faults left | named with the frame | the rule is found |\n"
    )
    sys.stdout.write("|---|---|--:|--:|--:|\n")
    for protocol in ("rabbitmq_stream", "rsocket"):
        total: Counter[tuple[str, str]] = Counter()
        with TemporaryDirectory() as work:
            for path in sorted((CAPTURES / protocol).glob("*/provenance.toml")):
                if not tomllib.loads(path.read_text())["healthy"]:
                    total += counted(path.parent, Path(work))
        for kind in ("handshake lost", "a packet after it lost"):
            cells = (total[kind, what] for what in ("faults", "named", "found"))
            sys.stdout.write(f"| {protocol} | {kind} | {' | '.join(map(str, cells))} |\n")


if __name__ == "__main__":
    main()
