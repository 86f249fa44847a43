"""Which frames are in which capture, read without Streamshark: tshark's TCP, then plain bytes.

    python -m captures.recorders.liftbridge.coverage [SCENARIO...]     what each capture holds
    python -m captures.recorders.liftbridge.coverage --check           unseen.toml is exact

Bytes of a direction are laid by sequence number; messages of NATS are cut by their sizes until a
gap, and those that begin with the magic number are envelopes. The calls of the API are counted by
tshark's own HTTP/2, by the path of each request.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab
from captures.recorders.liftbridge.setup import API, NATS
from captures.recorders.segments import joined, pieces

FOLDER = lab.CAPTURES / "liftbridge"
MAGIC = bytes.fromhex("b90e43b4")
SIZED = {b"PUB", b"HPUB", b"MSG", b"HMSG"}
KEYS = range(15)


@dataclass(frozen=True)
class Seen:
    """One envelope: the end of its NATS message in its direction's bytes, and its type."""

    stream: int
    sender: str
    end: int
    key: int


def messages(data: bytes) -> Iterator[tuple[int, list[bytes], bytes]]:
    """End, line and payload of every message in a direction."""
    at = 0
    while (end := data.find(b"\r\n", at)) >= 0:
        words = data[at:end].split()
        at = end + 2
        if words and words[0].upper() in SIZED:
            size = int(words[-1])
            payload = data[at : at + size]
            if len(payload) < size:
                return
            if words[0].upper().startswith(b"H"):
                payload = payload[int(words[-2]) :]
            at += size + 2
            yield at, words, payload


def frames(file: Path) -> Iterator[Seen]:
    """All envelopes."""
    for (stream, sender), parts in sorted(pieces(file, [NATS]).items()):
        for end, _, payload in messages(joined(parts)):
            if payload.startswith(MAGIC) and len(payload) >= 8:
                yield Seen(stream, sender, end, payload[7])


def calls(file: Path) -> dict[str, int]:
    """Calls by method, as tshark's HTTP/2 reads their paths."""
    ports = " ".join(f"-d tcp.port=={API + each},http2" for each in range(3))
    out = lab.run(f"tshark -r {file} {ports} -Y http2.headers.path -T fields -e http2.headers.path")
    paths = [path for line in out.splitlines() for path in line.split(",")]
    return dict(sorted(Counter(path.rpartition("/")[2] for path in paths).items()))


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts as provenance has them: type, then sender."""
    counts: dict[str, dict[str, int]] = {}
    for (key, sender), number in sorted(Counter((f.key, f.sender) for f in found).items()):
        counts.setdefault(f"{key:#04x}", {})[sender] = number
    return {"frames": counts}


def capture(scenario: str) -> Path:
    """File of a scenario."""
    told = tomllib.loads((FOLDER / scenario / "provenance.toml").read_text())
    return FOLDER / scenario / str(told["file"])


def scenarios() -> list[str]:
    """All that are recorded."""
    return sorted(file.parent.name for file in FOLDER.glob("*/provenance.toml"))


def check() -> int:
    """Compares unseen.toml with the captures."""
    listed = tomllib.loads((FOLDER / "unseen.toml").read_text())["unseen"]
    stated = {(int(each["key"], 16), each["sender"]) for each in listed}
    found = [frame for scenario in scenarios() for frame in frames(capture(scenario))]
    possible = {(key, side) for key in KEYS for side in ("client", "server")}
    missing = possible - {(frame.key, frame.sender) for frame in found}
    for key, sender in sorted(stated - missing):
        print("listed as unseen but seen (or impossible):", key, sender)
    for key, sender in sorted(missing - stated):
        print("neither seen nor listed:", key, sender)
    return int(stated != missing)


def main(arguments: list[str]) -> int:
    """Prints what was asked for."""
    if arguments == ["--check"]:
        return check()
    for scenario in arguments or scenarios():
        print(scenario)
        for key, senders in table(list(frames(capture(scenario))))["frames"].items():
            print(f"  {int(key, 16)}: {senders}")
        print(" ", calls(capture(scenario)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
