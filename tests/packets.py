"""Packets of recorded captures, to be written as captures of other shapes."""

import itertools
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from streamshark.capture import open_capture

CAPTURES = Path(__file__).parents[1] / "captures"


def recorded(*names: str) -> list[str]:
    """Return the paths of the captures of these scenarios."""
    return [str(next((CAPTURES / name).glob("traffic.*"))) for name in names]


class Packet(NamedTuple):
    """One packet of a capture."""

    time_ns: int
    data: bytes
    link: int
    original: int


def packets(path: str) -> list[Packet]:
    """Return the packets of a capture."""
    return [
        Packet(
            batch.times[at],
            batch.data[batch.starts[at] : batch.starts[at] + batch.captured[at]],
            batch.links[at],
            batch.original[at],
        )
        for batch in open_capture(path).batches()
        for at in range(len(batch))
    ]


def write(path: Path, found: Sequence[Packet]) -> str:
    """Write packets of one link type as a pcap file."""
    head = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 0, found[0].link if found else 1)
    records = (
        struct.pack("<IIII", *divmod(each.time_ns, 10**9), len(each.data), each.original)
        + each.data
        for each in found
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + b"".join(records))
    return str(path)


def rotated(folder: Path, found: Sequence[Packet], files: int) -> list[str]:
    """Split packets into files, as a ring buffer does."""
    ends = [len(found) * at // files for at in range(files + 1)]
    return [
        write(folder / f"{at:03}.pcap", found[start:end])
        for at, (start, end) in enumerate(itertools.pairwise(ends))
    ]
