"""Captures cut from recorded ones: what a partial or damaged capture looks like.

The packets stay what the kernel and the peers made them; editcap only leaves some out. A frame is
expected when every byte of it is still in the file.
"""

import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab, segments
from captures.recorders.rsocket import coverage

MODULE = "captures.recorders.rsocket.record"
LAST = 1000000


@dataclass(frozen=True)
class Source:
    """A recorded scenario, unpacked."""

    file: Path
    ports: list[int]

    def packets(self, sender: str) -> list[segments.Piece]:
        """The packets of a sender with payload, in the order of the file."""
        parts = [
            piece
            for (_, one), found in segments.pieces(self.file, self.ports).items()
            if one == sender
            for piece in found
        ]
        return sorted(parts, key=lambda piece: piece.number)

    def inside_frames(self, sender: str) -> list[int]:
        """Packets of a sender that start within a frame and do not end it."""
        first = self.packets(sender)[0].sequence
        spans = [
            (first + frame.start, first + frame.end)
            for frame in coverage.frames(self.file, self.ports)
            if frame.sender == sender
        ]
        return [
            piece.number
            for piece in self.packets(sender)
            if any(a < piece.sequence and piece.sequence + len(piece.data) < b for a, b in spans)
        ]

    def all_of(self, sender: str) -> list[int]:
        """All packets of a sender, those without payload too."""
        rows = lab.fields(self.file, "frame.number", "tcp.srcport")
        server = {str(port) for port in self.ports}
        return [int(n) for n, port in rows if (port in server) == (sender == "server")]


Edit = Callable[[Source, Path], str]


@dataclass(frozen=True)
class Cut:
    """An edited capture: from what, how, and what for."""

    edit: Edit
    source: str
    title: str
    shows: str


ALL: dict[str, Cut] = {}


def cut(source: str, title: str, shows: str) -> Callable[[Edit], Edit]:
    """Makes an edited capture of a function, under the function's name."""

    def keep(edit: Edit) -> Edit:
        ALL[edit.__name__] = Cut(edit, source, title, shows)
        return edit

    return keep


def keep_only(source: Source, target: Path, first: int, last: int = LAST) -> str:
    """Keeps a range of packets."""
    lab.run(f"editcap -F pcap -r {source.file} {target} {first}-{last}")
    return f"editcap -r IN OUT {first}-{last}: only these packets are kept"


def leave_out(source: Source, target: Path, numbers: list[int], why: str) -> str:
    """Leaves packets out."""
    lab.run(f"editcap -F pcap {source.file} {target} {' '.join(map(str, numbers))}")
    return f"editcap IN OUT (numbers): {why}"


@cut(
    "interactions_py",
    "A capture that starts when the connection has long been open",
    "No handshake, no SETUP; the first packet begins with a frame, in the midst of a stream.",
)
def starts_mid_connection_py(source: Source, target: Path) -> str:
    middle = source.packets("server")
    return keep_only(source, target, middle[len(middle) // 3].number)


@cut(
    "large_payloads_py",
    "A capture that starts in the middle of a payload",
    "The first packet is within a PAYLOAD: the reader has to find the next frame by itself; no "
    "SETUP is seen.",
)
def starts_mid_frame_py(source: Source, target: Path) -> str:
    return keep_only(source, target, source.inside_frames("server")[1])


@cut(
    "interactions_py",
    "Only what the client sent",
    "One direction: requests without answers.",
)
def client_side_only_py(source: Source, target: Path) -> str:
    return leave_out(source, target, source.all_of("server"), "packets of the server left out")


@cut(
    "interactions_py",
    "Only what the server sent",
    "One direction: answers without requests.",
)
def server_side_only_py(source: Source, target: Path) -> str:
    return leave_out(source, target, source.all_of("client"), "packets of the client left out")


@cut(
    "large_payloads_py",
    "A segment is missing in the middle of a payload",
    "A gap in the server's bytes that no retransmission fills: one frame is lost, the next found.",
)
def lost_segment_py(source: Source, target: Path) -> str:
    lost = source.inside_frames("server")[2]
    return leave_out(source, target, [lost], f"packet {lost} left out")


@cut(
    "interactions_py",
    "The end of the capture cuts a connection short",
    "The last third of the packets is missing: a channel that never ends, an open connection.",
)
def ends_early_py(source: Source, target: Path) -> str:
    last = source.packets("client")[-1].number * 2 // 3
    return keep_only(source, target, 1, last)


def whole(file: Path, ports: list[int]) -> dict[tuple[int, str], list[tuple[int, int]]]:
    """Ranges of sequence numbers that are in a file, of each connection and sender."""
    return {
        key: lab.union([(p.sequence, p.sequence + len(p.data)) for p in parts])
        for key, parts in segments.pieces(file, ports).items()
    }


def make(name: str) -> None:
    """Makes one edited capture and its provenance."""
    item = ALL[name]
    print(f"{name} (from {item.source})")
    original, ports = coverage.capture(item.source)
    about = tomllib.loads((original.parent / "provenance.toml").read_text())
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "source.pcap"
        lab.run(f"editcap -F pcap {original} {plain}")
        target = Path(folder) / f"{name}.pcap"
        edit = item.edit(Source(plain, ports), target)
        file = lab.store(target, coverage.FOLDER / name)
    before, after = segments.pieces(original, ports), whole(file, ports)
    left = []
    for frame in coverage.frames(original, ports):
        key = frame.stream, frame.sender
        first = before[key][0].sequence
        spans = after.get(key, [])
        if any(a <= first + frame.start and first + frame.end <= b for a, b in spans):
            left.append(frame)
    kept = {
        f"{side}_bytes_captured": sum(
            b - a for (_, s), r in after.items() if s == side for a, b in r
        )
        for side in ("client", "server")
    }
    data = about | {
        "title": item.title,
        "shows": item.shows,
        "how": f"python3 -m {MODULE} {name}",
        "script": f"{name} in captures/recorders/rsocket/edits.py",
        "made_from": item.source,
        "damaged": True,
        "edits": f"{edit}; then editcap -F pcapng" + ("; gzip" if file.suffix == ".gz" else ""),
        "file": file.name,
        "sha256": lab.sha256(file),
        "expected": lab.tcp_counts(file, ports) | kept | coverage.table(left),
    }
    lab.write_toml(file.parent / "provenance.toml", data)
