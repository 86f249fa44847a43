"""Which frames are in which capture, read without Streamshark: tshark's TCP, then plain bytes.

    python -m captures.recorders.rsocket.coverage [SCENARIO...]     what each capture holds
    python -m captures.recorders.rsocket.coverage --check           unseen.toml is exact

Bytes of a direction are laid by sequence number; frames are cut by length until a gap. A connection
that begins with a GET is a WebSocket: after the headers of HTTP, each binary message is a frame.
TLS is opened by tshark, with the secrets in the file.
"""

import re
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab
from captures.recorders.rsocket.setup import TLS
from captures.recorders.segments import joined, pieces

FOLDER = lab.CAPTURES / "rsocket"
NAMES = {
    1: "setup", 2: "lease", 3: "keepalive", 4: "request_response", 5: "request_fnf",
    6: "request_stream", 7: "request_channel", 8: "request_n", 9: "cancel", 10: "payload",
    11: "error", 12: "metadata_push", 13: "resume", 14: "resume_ok", 63: "ext",
}  # fmt: skip
ONE_SIDED = {1: "client", 13: "client", 14: "server"}
CONTINUATION, TEXT, BINARY = 0, 1, 2


@dataclass(frozen=True)
class Seen:
    """One frame: where it lies in its direction's bytes, its type and its stream's id."""

    stream: int
    sender: str
    start: int
    end: int
    key: int
    id: int


def possible() -> set[tuple[int, str]]:
    """Every type from every sender that may send it."""
    both = {(key, side) for key in NAMES for side in ("client", "server")}
    return {(key, side) for key, side in both if ONE_SIDED.get(key, side) == side}


def decrypted(file: Path) -> dict[tuple[int, str], bytes]:
    """What TLS connections carried, by the secrets in the file."""
    found = {}
    for stream in sorted({int(row[0]) for row in lab.fields(file, "tcp.stream") if row[0]}):
        out = lab.run(f"tshark -q -r {file} -z follow,tls,raw,{stream}")
        first = "server" if re.search(rf"Node 0: .*:{TLS}$", out, re.MULTILINE) else "client"
        second = "client" if first == "server" else "server"
        data = {first: b"", second: b""}
        for line in out.splitlines():
            if re.fullmatch(r"\t?[0-9a-f]+", line):  # the second node's lines are indented
                data[second if line[0] == "\t" else first] += bytes.fromhex(line.strip())
        found |= {(stream, sender): said for sender, said in data.items()}
    return found


def directions(file: Path, ports: list[int]) -> dict[tuple[int, str], bytes]:
    """What each side of each connection sent, up to the first gap."""
    if ports == [TLS]:
        return decrypted(file)
    return {key: joined(parts) for key, parts in pieces(file, ports).items()}


def frames(file: Path, ports: list[int]) -> Iterator[Seen]:
    """All frames that can be cut from the start of each direction."""
    found = directions(file, ports)
    for (stream, sender), data in sorted(found.items()):
        upgraded = found.get((stream, "client"), b"").startswith(b"GET ")
        for start, end, frame in messages(data) if upgraded else prefixed(data):
            number = int.from_bytes(frame[:4], "big")
            yield Seen(stream, sender, start, end, frame[4] >> 2, number)


def prefixed(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Start, end and bytes of the frames after their lengths."""
    at = 0
    while at + 9 <= len(data):
        length = int.from_bytes(data[at : at + 3], "big")
        if length < 6 or at + 3 + length > len(data):
            break
        yield at, at + 3 + length, data[at + 3 : at + 3 + length]
        at += 3 + length


def messages(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Binary messages of a WebSocket after the headers of HTTP: unmasked, joined, inflated."""
    at = data.find(b"\r\n\r\n") + 4
    unpack = zlib.decompressobj(-15)
    start, packed, message = at, False, b""
    while 4 <= at <= len(data) - 2:
        code, length, body = data[at], data[at + 1] & 0x7F, at + 2
        if length > 125:
            wide = 2 if length == 126 else 8
            length, body = int.from_bytes(data[body : body + wide], "big"), body + wide
        mask = b"\0\0\0\0"
        if data[at + 1] & 0x80:
            mask, body = data[body : body + 4], body + 4
        if body + length > len(data):
            break
        said = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data[body : body + length]))
        if code & 15 in (TEXT, BINARY):  # text is a client's fault
            start, packed, message = at, bool(code & 0x40), said
        elif code & 15 == CONTINUATION:
            message += said
        if code & 15 in (CONTINUATION, TEXT, BINARY) and code & 0x80:
            whole = unpack.decompress(message + b"\0\0\xff\xff") if packed else message
            if int.from_bytes(whole[:3], "big") == len(whole) - 3:  # a client's fault: as on TCP
                whole = whole[3:]
            if len(whole) >= 6:
                yield start, body + length, whole
        at = body + length


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts as provenance has them: type, then sender."""
    counts: dict[str, dict[str, int]] = {}
    for (key, sender), number in sorted(Counter((f.key, f.sender) for f in found).items()):
        counts.setdefault(f"{key:#04x}", {})[sender] = number
    return {"frames": counts}


def capture(scenario: str) -> tuple[Path, list[int]]:
    """File and server ports of a scenario."""
    told = tomllib.loads((FOLDER / scenario / "provenance.toml").read_text())
    return FOLDER / scenario / told["file"], told["server_ports"]


def scenarios() -> list[str]:
    """All that are recorded."""
    return sorted(file.parent.name for file in FOLDER.glob("*/provenance.toml"))


def check() -> int:
    """Compares unseen.toml with the captures."""
    listed = tomllib.loads((FOLDER / "unseen.toml").read_text())["unseen"]
    stated = {(int(each["key"], 16), each["sender"]) for each in listed}
    found = [frame for scenario in scenarios() for frame in frames(*capture(scenario))]
    missing = possible() - {(frame.key, frame.sender) for frame in found}
    for key, sender in sorted(stated - missing):
        print("listed as unseen but seen (or impossible):", NAMES.get(key, key), sender)
    for key, sender in sorted(missing - stated):
        print("neither seen nor listed:", NAMES[key], sender)
    return int(stated != missing)


def main(arguments: list[str]) -> int:
    """Prints what was asked for."""
    if arguments == ["--check"]:
        return check()
    for scenario in arguments or scenarios():
        print(scenario)
        for key, senders in table(list(frames(*capture(scenario))))["frames"].items():
            print(f"  {key} {NAMES.get(int(key, 16), '?')}: {senders}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
