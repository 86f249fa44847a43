"""Which frames are in which capture, read without Streamshark: tshark's TCP, then plain bytes.

    python -m captures.recorders.nats.coverage [SCENARIO...]     what each capture holds
    python -m captures.recorders.nats.coverage --check           unseen.toml is exact

Bytes of a direction are laid by sequence number; lines are cut by their sizes until a gap, or until
what is compressed. A connection that begins with a GET is a WebSocket. TLS is opened by tshark.
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
from captures.recorders.nats.setup import CLIENTS as PORT
from captures.recorders.nats.setup import GATEWAYS, LEAVES, ROUTES
from captures.recorders.segments import joined, pieces

FOLDER = lab.CAPTURES / "nats"
CLIENTS = {"CONNECT", "PUB", "HPUB", "SUB", "UNSUB", "PING", "PONG"}
SERVERS = {"INFO", "MSG", "HMSG", "PING", "PONG", "+OK", "-ERR"}
PEERS = {"RS+", "RS-", "RMSG", "LS+", "LS-", "LMSG", "A+", "A-"}
"""Verbs that servers alone use; links between them have most of the others too."""
NAMES = {
    "+OK": "ok", "-ERR": "err", "RS+": "rs_plus", "RS-": "rs_minus", "LS+": "ls_plus",
    "LS-": "ls_minus", "A+": "a_plus", "A-": "a_minus",
}  # fmt: skip
SIZED = {"PUB", "HPUB", "MSG", "HMSG", "RMSG", "LMSG"}
BETWEEN = {ROUTES, ROUTES + 1, ROUTES + 2, GATEWAYS, GATEWAYS + 1, LEAVES}
"""Ports on which servers talk to servers."""


@dataclass(frozen=True)
class Seen:
    """One frame: where it ends in its direction's bytes, and its verb."""

    stream: int
    sender: str
    end: int
    verb: str

    @property
    def command(self) -> str:
        """The verb as a word: signs spelt out."""
        return NAMES.get(self.verb, self.verb.lower())


def possible() -> set[tuple[str, str]]:
    """Every verb from every sender that may send it."""
    sides = {"client": CLIENTS, "server": SERVERS, "peer": PEERS}
    return {
        (NAMES.get(verb, verb.lower()), side) for side, verbs in sides.items() for verb in verbs
    }


def between_servers(file: Path) -> set[int]:
    """Connections that join servers."""
    rows = lab.fields(file, "tcp.stream", "tcp.srcport", "tcp.dstport")
    return {int(stream) for stream, *ports in rows if stream and {int(p) for p in ports} & BETWEEN}


def directions(file: Path, ports: list[int]) -> dict[tuple[int, str], bytes]:
    """Return the bytes of each side up to the first gap; after INFO the plaintext of TLS."""
    found = {key: joined(parts) for key, parts in pieces(file, ports).items()}
    if any(b'"tls_required":true' in each[:1024] for each in found.values()):
        for stream in sorted({stream for stream, _ in found}):
            out = lab.run(f"tshark -q -r {file} -d tcp.port=={PORT},tls -z follow,tls,raw,{stream}")
            first = "server" if re.search(rf"Node 0: .*:{PORT}$", out, re.MULTILINE) else "client"
            second = "client" if first == "server" else "server"
            data = {first: b"", second: b""}
            for line in out.splitlines():
                if re.fullmatch(r"\t?[0-9a-f]+", line):  # the second node's lines are indented
                    data[second if line[0] == "\t" else first] += bytes.fromhex(line.strip())
            clear = re.match(rb"INFO [^\n]*\n", found[stream, "server"])
            found[stream, "server"] = (clear[0] if clear else b"") + data["server"]
            found[stream, "client"] = data["client"]
    return found


def frames(file: Path, ports: list[int]) -> Iterator[Seen]:
    """All frames that can be cut from the start of each direction."""
    found, peers = directions(file, ports), between_servers(file)
    for (stream, side), data in sorted(found.items()):
        sender = "peer" if stream in peers else side
        upgraded = found.get((stream, "client"), b"").startswith(b"GET ")
        for end, verb in lines(b"".join(messages(data)) if upgraded else data):
            yield Seen(stream, sender, end, verb)


def lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Where each frame ends, and its verb; none after a malformed line."""
    at = 0
    while (end := data.find(b"\n", at)) >= 0:
        words = data[at:end].replace(b"\t", b" ").replace(b"\r", b"").split(b" ")
        words = [word for word in words if word]
        verb = words[0].decode("latin-1").upper() if words else ""
        if verb not in CLIENTS | SERVERS | PEERS:
            break
        at = end + 1
        if verb in SIZED:
            if not words[-1].isdigit():
                break
            at += int(words[-1]) + 2
        if at > len(data):
            break
        yield at, verb


def messages(data: bytes) -> Iterator[bytes]:
    """Payloads of a WebSocket after the headers of HTTP, unmasked and inflated."""
    at, packed = data.find(b"\r\n\r\n") + 4, b""
    inflater = zlib.decompressobj(-15)
    while 4 <= at <= len(data) - 2:
        code, length, body = data[at] & 15, data[at + 1] & 0x7F, at + 2
        if length > 125:
            wide = 2 if length == 126 else 8
            length, body = int.from_bytes(data[body : body + wide], "big"), body + wide
        mask = b"\0\0\0\0"
        if data[at + 1] & 0x80:
            mask, body = data[body : body + 4], body + 4
        if code in (0, 1, 2):
            own = bytes(x ^ mask[n % 4] for n, x in enumerate(data[body : body + length]))
            if packed or data[at] & 0x40:
                packed += own
                if data[at] & 0x80:
                    yield inflater.decompress(packed + b"\0\0\xff\xff")
                    packed = b""
            else:
                yield own
        at = body + length


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts as provenance has them: verb, then sender."""
    counts: dict[str, dict[str, int]] = {}
    for (verb, sender), number in sorted(Counter((f.command, f.sender) for f in found).items()):
        counts.setdefault(verb, {})[sender] = number
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
    stated = {(each["key"], each["sender"]) for each in listed}
    found = [frame for scenario in scenarios() for frame in frames(*capture(scenario))]
    missing = possible() - {(frame.command, frame.sender) for frame in found}
    for verb, sender in sorted(stated - missing):
        print("listed as unseen but seen (or impossible):", verb, sender)
    for verb, sender in sorted(missing - stated):
        print("neither seen nor listed:", verb, sender)
    return int(stated != missing)


def main(arguments: list[str]) -> int:
    """Prints what was asked for."""
    if arguments == ["--check"]:
        return check()
    for scenario in arguments or scenarios():
        print(scenario)
        for verb, senders in table(list(frames(*capture(scenario))))["frames"].items():
            print(f"  {verb}: {senders}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
