"""Which frames are in which capture, read without Streamshark: tshark's TCP, then plain bytes.

    python -m captures.recorders.pravega.coverage [SCENARIO...]     what each capture holds
    python -m captures.recorders.pravega.coverage --check           unseen.toml is exact

Bytes of a direction are laid by sequence number; frames are cut by length until a gap. The calls
to the controller are counted by tshark's own HTTP/2, by the path of each request.
"""

import struct
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from captures.recorders import lab
from captures.recorders.pravega.setup import ADMIN, CONTROLLER, STORE
from captures.recorders.segments import joined, pieces

FOLDER = lab.CAPTURES / "pravega"
STORES = [STORE, ADMIN]
HELLO, KEEP_ALIVE = -127, 100
REQUESTS = {
    -5, -3, 1, 3, 4, 5, 9, 11, 13, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 41, 58, 68, 70, 71,
    72, 73, 74, 76, 78, 83, 85, 88, 89, 90,
}  # fmt: skip
REPLIES = {
    -6, -4, 2, 7, 8, 10, 12, 14, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 42, *range(50, 58), 59, 60,
    61, 69, 75, 77, 79, 80, 81, 82, 84, 86, 87, 91,
}  # fmt: skip
INSIDE = {-2: "client", -1: "client", 0: "client"}
"""What stands inside blocks; readers accept it alone too."""


@dataclass(frozen=True)
class Seen:
    """One frame: where it lies in its direction's bytes, and its type code."""

    stream: int
    sender: str
    start: int
    end: int
    key: int


def possible() -> set[tuple[int, str]]:
    """Every type code from every side that may send it."""
    both = {(key, side) for key in (HELLO, KEEP_ALIVE) for side in ("client", "server")}
    one = {(key, "client") for key in REQUESTS} | {(key, "server") for key in REPLIES}
    return both | one | set(INSIDE.items())


def frames(file: Path) -> Iterator[Seen]:
    """All frames that can be cut from the start of each direction of the stores' connections."""
    for (stream, sender), parts in sorted(pieces(file, STORES).items()):
        data, at = joined(parts), 0
        while at + 8 <= len(data):
            key, length = struct.unpack_from(">ii", data, at)
            if not 0 <= length <= 0xFFFFFF or at + 8 + length > len(data):
                break
            yield Seen(stream, sender, at, at + 8 + length, key)
            at += 8 + length


def calls(file: Path) -> dict[str, int]:
    """Calls by method, as tshark's HTTP/2 reads their paths."""
    out = lab.run(
        f"tshark -r {file} -d tcp.port=={CONTROLLER},http2 -Y http2.headers.path"
        " -T fields -e http2.headers.path"
    )
    paths = [path for line in out.splitlines() for path in line.split(",")]
    return dict(sorted(Counter(path.rpartition("/")[2] for path in paths).items()))


def table(found: list[Seen]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts as provenance has them: type code, then sender."""
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
    missing = possible() - {(frame.key, frame.sender) for frame in found}
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
