"""Which frames are in which capture, read without Streamshark: tshark's TCP, then `struct`.

    python -m captures.recorders.rabbitmq_stream.coverage [SCENARIO...]     what each capture holds
    python -m captures.recorders.rabbitmq_stream.coverage --check           unseen.toml is exact

Bytes of a direction are laid by sequence number, the first of equal copies kept; frames are cut
by size until a gap.
"""

import re
import struct
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab

FOLDER = lab.CAPTURES / "rabbitmq_stream"
LARGEST_SIZE = 1 << 24
TLS = 5551
WITHOUT_CODE = (0x0F, 0x14)  # Metadata and Tune

NAMES = [
    "declare_publisher",
    "publish",
    "publish_confirm",
    "publish_error",
    "query_publisher_sequence",
    "delete_publisher",
    "subscribe",
    "deliver",
    "credit",
    "store_offset",
    "query_offset",
    "unsubscribe",
    "create",
    "delete",
    "metadata",
    "metadata_update",
    "peer_properties",
    "sasl_handshake",
    "sasl_authenticate",
    "tune",
    "open",
    "close",
    "heartbeat",
    "route",
    "partitions",
    "consumer_update",
    "exchange_command_versions",
    "stream_stats",
    "create_super_stream",
    "delete_super_stream",
    "resolve_offset_spec",
]

ONE_WAY = {2: "client", 3: "server", 4: "server", 8: "server", 10: "client", 16: "server"}


def possible() -> set[tuple[int, int, str]]:
    """Every (key on the wire, version, sender) that a protocol peer may send."""
    frames = {(2, 1, "client"), (2, 2, "client"), (8, 1, "server"), (8, 2, "server")}
    frames |= {(key, 1, sender) for key, sender in ONE_WAY.items()}
    frames |= {(0x14, 1, "server"), (0x14, 1, "client"), (0x8014, 1, "client")}
    frames |= {(0x17, 1, "server"), (0x17, 1, "client")}
    frames |= {(0x16, 1, "server"), (0x8016, 1, "client")}
    frames |= {(0x1A, 1, "server"), (0x801A, 1, "client")}
    frames |= {(0x18, 1, "server"), (0x19, 1, "server")}  # 3.10 answers with the bit clear
    for key in range(1, 32):
        if key not in ONE_WAY and key not in (0x14, 0x17, 0x1A):
            frames |= {(key, 1, "client"), (key | 0x8000, 1, "server")}
    return frames


@dataclass(frozen=True)
class Seen:
    """One frame: where it lies in its direction, and what it says of itself."""

    stream: int
    sender: str
    start: int
    length: int
    key: int
    version: int
    body: bytes


@dataclass(frozen=True)
class Piece:
    """One TCP payload."""

    number: int
    sequence: int
    data: bytes


def pieces(file: Path, ports: list[int]) -> dict[tuple[int, str], list[Piece]]:
    """TCP payloads per connection and sender, in the order of the file."""
    out = lab.run(
        f"tshark -r {file} -Y 'tcp.len>0' -T fields -e frame.number -e tcp.stream"
        " -e tcp.srcport -e tcp.seq_raw -e tcp.payload"
    )
    found: dict[tuple[int, str], list[Piece]] = defaultdict(list)
    for line in out.splitlines():
        number, stream, source, sequence, payload = line.split("\t")
        sender = "server" if int(source) in ports else "client"
        found[int(stream), sender].append(
            Piece(int(number), int(sequence), bytes.fromhex(payload.replace(":", "")))
        )
    return found


def joined(parts: list[Piece]) -> tuple[int, bytes]:
    """First sequence number and the bytes from there to the first gap."""
    ordered = sorted(parts, key=lambda p: p.sequence)  # a wrap would show as a capture cut short
    start = ordered[0].sequence
    data = b""
    for part in ordered:
        skip = start + len(data) - part.sequence
        if skip < 0:
            break
        data += part.data[skip:]
    return start, data


def decrypted(file: Path) -> dict[tuple[int, str], tuple[int, bytes]]:
    """What TLS connections carried, by the secrets in the file; positions count from 0."""
    streams = lab.run(f"tshark -r {file} -Y tls -T fields -e tcp.stream").split()
    found = {}
    for stream in sorted(set(map(int, streams))):
        out = lab.run(f"tshark -q -r {file} -z follow,tls,raw,{stream}")
        first = "server" if re.search(rf"Node 0: .*:{TLS}$", out, re.MULTILINE) else "client"
        second = "client" if first == "server" else "server"
        data = {first: b"", second: b""}
        for line in out.splitlines():
            if re.fullmatch(r"\t?[0-9a-f]+", line):  # the second node's lines are indented
                data[second if line[0] == "\t" else first] += bytes.fromhex(line.strip())
        found |= {(stream, sender): (0, said) for sender, said in data.items()}
    return found


def frames(file: Path, ports: list[int]) -> Iterator[Seen]:
    """All frames that can be cut from the start of each direction.

    After malformed bytes it continues with the next segment that begins with a frame.
    """
    starts: dict[tuple[int, str], list[int]] = {}
    if ports == [TLS]:
        directions = decrypted(file)
    else:
        found = pieces(file, ports)
        directions = {key: joined(parts) for key, parts in found.items()}
        starts = {key: sorted(p.sequence for p in parts) for key, parts in found.items()}
    for (stream, sender), (first, data) in sorted(directions.items()):
        at = data.index(b"\r\n") + 2 if data.startswith(b"PROXY ") else 0
        while at + 8 <= len(data):
            size, key, version = struct.unpack_from(">IHH", data, at)
            if size < 4:  # too short for a key: no frame, but its bytes are passed over
                at += 4 + size
                continue
            if size > LARGEST_SIZE:
                later = [s - first for s in starts.get((stream, sender), []) if s > first + at]
                at = next((s for s in later if begins(data, s)), len(data))
                continue
            if at + 4 + size > len(data):
                break
            body = data[at + 8 : at + 4 + size]
            yield Seen(stream, sender, first + at, 4 + size, key, version, body)
            at += 4 + size


def begins(data: bytes, at: int) -> bool:
    """Whether a whole frame with a known key begins there."""
    if at + 8 > len(data):
        return False
    size, key, version = struct.unpack_from(">IHH", data, at)
    known = 1 <= key & 0x7FFF <= len(NAMES) and version in (1, 2)
    return known and 4 <= size <= len(data) - at - 4


def capture(scenario: str) -> tuple[Path, list[int]]:
    """The file of a scenario and the ports of its servers."""
    file = next((FOLDER / scenario).glob("traffic.*"))
    about = FOLDER / scenario / "provenance.toml"
    return file, tomllib.loads(about.read_text())["server_ports"]


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Frame counts as provenance states them."""
    tables: dict[str, dict[str, dict[str, int]]] = {"frames": {}, "frames_version_2": {}}
    for frame in sorted(found, key=lambda f: (f.key & 0x7FFF, f.key)):
        names = ["frames", *(["frames_version_2"] if frame.version == 2 else [])]
        for name in names:
            senders = tables[name].setdefault(f"0x{frame.key:04x}", {})
            senders[frame.sender] = senders.get(frame.sender, 0) + 1
    return {name: table for name, table in tables.items() if table}


def codes(found: list[Seen]) -> Counter[tuple[str, int]]:
    """Response codes by the name of the frame that carries them."""
    counted: Counter[tuple[str, int]] = Counter()
    for frame in found:
        key = frame.key & 0x7FFF
        if not 1 <= key <= len(NAMES) or key in WITHOUT_CODE:
            continue
        name = NAMES[key - 1]
        at = None
        if frame.key & 0x8000:
            at = 0 if key == 9 else 4
        elif key in (0x18, 0x19) and frame.sender == "server":
            at = 4
        elif key == 0x16:
            at, name = 4, "close request"
        elif key == 0x10:
            at = 0
        elif key == 4 and len(frame.body) > 5:
            at = 13
        if at is not None:
            counted[name, int.from_bytes(frame.body[at : at + 2], "big")] += 1
    return counted


def scenarios() -> list[str]:
    """All recorded scenarios."""
    return sorted(f.parent.name for f in FOLDER.glob("*/provenance.toml"))


def healthy_frames(scenario: str) -> list[Seen]:
    """Frames of one scenario, those with a key outside the table left out."""
    return [f for f in frames(*capture(scenario)) if 1 <= (f.key & 0x7FFF) <= len(NAMES)]


def missing() -> list[tuple[int, int, str]]:
    """What no capture shows."""
    seen = {(f.key, f.version, f.sender) for s in scenarios() for f in healthy_frames(s)}
    return sorted(possible() - seen, key=lambda f: (f[0] & 0x7FFF, f))


def check() -> int:
    """Compares unseen.toml with the captures."""
    listed = tomllib.loads((FOLDER / "unseen.toml").read_text()).get("unseen", [])
    stated = {(int(u["key"], 16), u["version"], u["sender"]) for u in listed}
    actual = set(missing())
    for frame in sorted(stated - actual):
        print("listed as unseen but seen (or impossible):", frame)
    for frame in sorted(actual - stated):
        print("neither seen nor listed:", frame)
    return int(stated != actual)


def main(arguments: list[str]) -> int:
    """Prints what was asked for."""
    if arguments == ["--check"]:
        return check()
    for scenario in arguments or scenarios():
        found = list(frames(*capture(scenario)))
        print(scenario)
        for name, rows in table(found).items():
            for key, senders in rows.items():
                number = int(key, 16) & 0x7FFF
                word = NAMES[number - 1] if 1 <= number <= len(NAMES) else "?"
                print(f"  {name} {key} {word}: {senders}")
        shown = ", ".join(f"{name} {code} x{n}" for (name, code), n in sorted(codes(found).items()))
        print(f"  codes: {shown}")
    if not arguments:
        print("unseen:", [(f"0x{k:04x}", v, s) for k, v, s in missing()])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
