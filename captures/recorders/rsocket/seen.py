"""Which frames are in which capture, read without Streamshark: tshark's TCP, then plain bytes.

    python -m captures.recorders.rsocket.seen [SCENARIO...]     what each capture holds
    python -m captures.recorders.rsocket.seen --check           unseen.toml is exact

Bytes of a direction are laid by sequence number; frames are cut by length until a gap.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from captures.recorders import lab

FOLDER = lab.CAPTURES / "rsocket"
NAMES = {
    1: "setup", 2: "lease", 3: "keepalive", 4: "request_response", 5: "request_fnf",
    6: "request_stream", 7: "request_channel", 8: "request_n", 9: "cancel", 10: "payload",
    11: "error", 12: "metadata_push", 13: "resume", 14: "resume_ok", 63: "ext",
}  # fmt: skip
ONE_SIDED = {1: "client", 13: "client", 14: "server"}
Seen = tuple[int, str]
"""Type and sender of a frame."""


def possible() -> set[Seen]:
    """Every type from every sender that may send it."""
    both = {(key, side) for key in NAMES for side in ("client", "server")}
    return {(key, side) for key, side in both if ONE_SIDED.get(key, side) == side}


def directions(file: Path, ports: list[int]) -> dict[tuple[int, str], bytes]:
    """The bytes of each connection and sender, up to the first gap."""
    rows = lab.fields(file, "tcp.stream", "tcp.srcport", "tcp.seq_raw", "tcp.payload")
    parts: dict[tuple[int, str], list[tuple[int, bytes]]] = {}
    for stream, source, sequence, payload in rows:
        if payload:
            sender = "server" if int(source) in ports else "client"
            piece = int(sequence), bytes.fromhex(payload.replace(":", ""))
            parts.setdefault((int(stream), sender), []).append(piece)
    found = {}
    for key, pieces in parts.items():
        pieces.sort(key=lambda piece: piece[0])
        start, data = pieces[0][0], b""
        for at, more in pieces:
            skip = start + len(data) - at
            if skip < 0:
                break
            data += more[skip:]
        found[key] = data
    return found


def frames(file: Path, ports: list[int]) -> Iterator[Seen]:
    """All frames that can be cut from the start of each direction."""
    for (_, sender), data in directions(file, ports).items():
        at = 0
        while at + 9 <= len(data):
            length = int.from_bytes(data[at : at + 3], "big")
            if length < 6 or at + 3 + length > len(data):
                break
            yield data[at + 7] >> 2, sender
            at += 3 + length


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts as provenance has them: type, then sender."""
    counts: dict[str, dict[str, int]] = {}
    for (key, sender), number in sorted(Counter(found).items()):
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
    seen = {each for scenario in scenarios() for each in frames(*capture(scenario))}
    missing = possible() - seen
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
