"""Captures cut from recorded ones: what a damaged or partial capture looks like.

The packets stay what the kernel and the peers made them; editcap only leaves some out, cuts
them short or changes their order. What is expected of the result is counted from the original:
a frame is expected when every byte of it is still in the file.
"""

import itertools
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab
from captures.recorders.rabbitmq_stream import coverage

MODULE = "captures.recorders.rabbitmq_stream.record"
SNAP = 96


@dataclass(frozen=True)
class Packet:
    """A packet with payload."""

    number: int
    time: float
    sender: str
    piece: coverage.Piece


@dataclass(frozen=True)
class Source:
    """A recorded scenario, unpacked."""

    scenario: str
    file: Path
    ports: list[int]

    def packets(self) -> list[Packet]:
        """The packets with payload, in order."""
        out = lab.run(
            f"tshark -r {self.file} -Y 'tcp.len>0' -T fields -e frame.number -e frame.time_epoch"
        )
        times = {int(n): float(t) for n, t in (line.split("\t") for line in out.splitlines())}
        found = [
            Packet(piece.number, times[piece.number], sender, piece)
            for (_, sender), parts in coverage.pieces(self.file, self.ports).items()
            for piece in parts
        ]
        return sorted(found, key=lambda p: p.number)

    def inside_frames(self, sender: str) -> list[Packet]:
        """Packets of a sender that start within a frame and do not end it."""
        spans = [
            (f.start, f.start + f.length)
            for f in coverage.frames(self.file, self.ports)
            if f.sender == sender
        ]

        def inside(packet: Packet) -> bool:
            start = packet.piece.sequence
            end = start + len(packet.piece.data)
            return any(first < start and end < last for first, last in spans)

        return [p for p in self.packets() if p.sender == sender and inside(p)]


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


def editcap(arguments: str) -> str:
    """Runs editcap and says so."""
    lab.run(f"editcap -F pcap {arguments}")
    return "editcap"


@cut(
    "many_messages",
    "A capture that starts in the middle of a delivery",
    "The first packet is in the middle of a Deliver: the reader has to "
    "find the next frame by itself; "
    "no handshake is seen.",
)
def starts_mid_frame(source: Source, target: Path) -> str:
    first = source.inside_frames("server")[1].number
    editcap(f"-r {source.file} {target} {first}-1000000")
    return f"editcap -r IN OUT {first}-1000000: the packets before number {first} are left out"


@cut(
    "many_messages",
    "Only what the server sent",
    "One direction: responses without requests, deliveries without credits.",
)
def server_side_only(source: Source, target: Path) -> str:
    return one_side(source, target, "client")


@cut(
    "publish_confirm",
    "Only what the client sent",
    "One direction: requests without responses.",
)
def client_side_only(source: Source, target: Path) -> str:
    return one_side(source, target, "server")


def one_side(source: Source, target: Path, without: str) -> str:
    """Leaves out all packets of one side, the handshake of TCP too."""
    field = "srcport" if without == "server" else "dstport"
    out = lab.run(
        f"tshark -r {source.file} -Y 'tcp.{field}=={source.ports[0]}' -T fields -e frame.number"
    )
    editcap(f"{source.file} {target} {' '.join(out.split())}")
    which = f"tcp.{field}=={source.ports[0]}"
    return f"editcap IN OUT (numbers of {which}): packets of the {without} left out"


@cut(
    "many_messages",
    "A segment is missing in the middle of a delivery",
    "A gap in the server's bytes that no retransmission fills: one frame "
    "is lost, the next is found.",
)
def lost_segment(source: Source, target: Path) -> str:
    lost = source.inside_frames("server")[2].number
    editcap(f"{source.file} {target} {lost}")
    return f"editcap IN OUT {lost}: packet {lost} left out"


@cut(
    "large_message",
    "A segment of the client is missing in the middle of a publish",
    "A gap in the client's bytes; the server's side is whole and its confirm has no visible cause.",
)
def lost_segment_client(source: Source, target: Path) -> str:
    lost = source.inside_frames("client")[2].number
    editcap(f"{source.file} {target} {lost}")
    return f"editcap IN OUT {lost}: packet {lost} left out"


@cut(
    "many_messages",
    "Two segments in the wrong order",
    "TCP delivers in order what came out of order: all frames are there.",
)
def reordered(source: Source, target: Path) -> str:
    server = source.inside_frames("server")
    one, two = next((a, b) for a, b in itertools.pairwise(server) if b.number == a.number + 1)
    shift = f"{two.time - one.time:.6f}"
    parts = [target.with_suffix(f".{n}") for n in range(4)]
    editcap(f"-r {source.file} {parts[0]} 1-{one.number - 1}")
    editcap(f"-r -t -{shift} {source.file} {parts[1]} {two.number}")
    editcap(f"-r -t {shift} {source.file} {parts[2]} {one.number}")
    editcap(f"-r {source.file} {parts[3]} {two.number + 1}-1000000")
    lab.run(f"mergecap -a -F pcap -w {target} {' '.join(map(str, parts))}")
    return (
        f"editcap and mergecap -a: packets {one.number} and {two.number} change places and times "
        f"({shift} s apart)"
    )


@cut(
    "many_messages",
    "A segment comes twice",
    "A copy of a segment ten packets later, as a needless retransmission "
    "would look: its bytes count "
    "once.",
)
def retransmitted(source: Source, target: Path) -> str:
    packets = source.packets()
    again = source.inside_frames("server")[1]
    place = next(n for n, p in enumerate(packets) if p.number == again.number) + 10
    after = packets[place]
    shift = f"{after.time - again.time + 0.000001:.6f}"
    parts = [target.with_suffix(f".{n}") for n in range(3)]
    editcap(f"-r {source.file} {parts[0]} 1-{after.number}")
    editcap(f"-r -t {shift} {source.file} {parts[1]} {again.number}")
    editcap(f"-r {source.file} {parts[2]} {after.number + 1}-1000000")
    lab.run(f"mergecap -a -F pcap -w {target} {' '.join(map(str, parts))}")
    return (
        f"editcap and mergecap -a: a copy of packet {again.number} behind packet {after.number}, "
        f"{shift} s later"
    )


@cut(
    "many_messages",
    "Packets cut at 96 bytes",
    "A snap length that is too short: the heads of frames are there, most bodies are not.",
)
def truncated_snap_length(source: Source, target: Path) -> str:
    editcap(f"-s {SNAP} {source.file} {target}")
    return f"editcap -s {SNAP} IN OUT: every packet cut at {SNAP} bytes"


@cut(
    "publish_and_consume_rstream",
    "The end of the capture cuts a connection short",
    "The last third of the packets is missing: a subscription that never ends, an open connection.",
)
def ends_early(source: Source, target: Path) -> str:
    last = source.packets()[-1].number * 2 // 3
    editcap(f"-r {source.file} {target} 1-{last}")
    return f"editcap -r IN OUT 1-{last}: the packets after number {last} are left out"


def captured(file: Path, ports: list[int]) -> dict[str, list[tuple[int, int]]]:
    """Ranges of sequence numbers that are in the file, per sender."""
    ranges: dict[str, list[tuple[int, int]]] = {"client": [], "server": []}
    for (_, sender), parts in coverage.pieces(file, ports).items():
        ranges[sender] += [(p.sequence, p.sequence + len(p.data)) for p in parts]
    return {sender: lab.union(spans) for sender, spans in ranges.items()}


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
        edit = item.edit(Source(item.source, plain, ports), target)
        file = lab.store(target, coverage.FOLDER / name)
    whole = captured(file, ports)
    left = [
        frame
        for frame in coverage.frames(original, ports)
        if any(a <= frame.start and frame.start + frame.length <= b for a, b in whole[frame.sender])
    ]
    kept = {
        f"{sender}_bytes_captured": sum(b - a for a, b in spans) for sender, spans in whole.items()
    }
    data = about | {
        "title": item.title,
        "shows": item.shows,
        "how": f"python3 -m {MODULE} {name}",
        "script": f"{name} in captures/recorders/rabbitmq_stream/edits.py",
        "made_from": item.source,
        "damaged": True,
        "edits": f"{edit}; then editcap -F pcapng" + ("; gzip" if file.suffix == ".gz" else ""),
        "file": file.name,
        "sha256": lab.sha256(file),
        "expected": lab.tcp_counts(file, ports) | kept | coverage.table(left),
    }
    if "faults" in about:
        data["faults"] = data.pop("faults")
    lab.write_toml(file.parent / "provenance.toml", data)
