"""Which frames of a recording are at fault, where a library sent them and no driver counted them.

The scenario says by a pattern which frames they are; an independent reader finds them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from captures.recorders import lab
from captures.recorders.segments import Piece, joined, pieces

MOST = 64
"""Packets of a mark that provenance lists."""


@dataclass(frozen=True)
class Mark:
    """Frames of one sender whose bytes match, on one connection, or on each where it is None.

    Of those of a connection the first `skip` are right, and at most `most` are at fault. With
    `again`, only frames in which that pattern finds what it found in an earlier one.
    """

    connection: int | None
    sender: str
    pattern: bytes
    skip: int = 0
    most: int = MOST
    again: bytes = b""


@dataclass(frozen=True)
class Shown:
    """Packets that a display filter of tshark selects: what is no frame of its own, or rides.

    `what` says what they hold; `skip` and `most` as in `Mark`.
    """

    what: str
    filter: str
    skip: int = 0
    most: int = MOST
    sender: str = "client"


class Seen(Protocol):
    """A frame as the independent reader of a protocol sees it."""

    @property
    def stream(self) -> int:
        """Connection."""

    @property
    def sender(self) -> str:
        """Side."""

    @property
    def end(self) -> int:
        """Where it ends in the bytes of its side."""


def rows(
    marks: tuple[Mark | Shown, ...], file: Path, ports: list[int], frames: Sequence[Seen], key: str
) -> list[dict[str, object]]:
    """Rows of `[[guilty]]` without a rule; `key` is the attribute of a frame that has its key."""
    parts = pieces(file, ports)
    found = []
    for mark in marks:
        if isinstance(mark, Shown):
            ours = shown(mark, file, ports)
        else:
            senders = sorted(of for of in parts if mark.connection in (None, of[0]))
            ours = [
                one
                for of in senders
                if of[1] == mark.sender and (one := row(mark, of, parts[of], frames, key))
            ]
        if not ours:
            raise SystemExit(f"{mark} matches nothing")
        found += ours
    return found


def row(
    mark: Mark, of: tuple[int, str], parts: list[Piece], frames: Sequence[Seen], key: str
) -> dict[str, object] | None:
    """The row of a mark on one connection; None where nothing matches."""
    data, at, hits, known = joined(parts), 0, [], set()
    own = [each for each in frames if (each.stream, each.sender) == of]
    for nth, frame in enumerate(own, 1):
        whole = data[at : frame.end]
        at = frame.end
        if re.search(mark.pattern, whole, re.DOTALL):
            found = re.search(mark.again, whole, re.DOTALL)
            same = found[0] if found else b""
            if not mark.again or same in known:
                hits.append((nth, frame))
            known.add(same)
    hits = hits[mark.skip :][: mark.most]
    if not hits:
        return None
    packets = [packet(parts, frame.end) for _, frame in hits]
    nth, frame = hits[0]
    named = getattr(frame, key)
    return {
        "connection": of[0],
        "sender": of[1],
        "nth": nth,
        "key": f"{named:#04x}" if isinstance(named, int) else named,
        "packet": packets[0],
        "packets": sorted(set(packets)),
    }


def packet(parts: list[Piece], end: int) -> int:
    """Number of the packet with the byte before `end`."""
    place = parts[0].sequence + end
    return next(p.number for p in parts if p.sequence < place <= p.sequence + len(p.data))


def shown(mark: Shown, file: Path, ports: list[int]) -> list[dict[str, object]]:
    """A row for each connection with packets of a display filter."""
    carrier = "http2" if "http2" in mark.filter else "http"
    riding = " ".join(f"-d tcp.port=={port},{carrier}" for port in ports)
    names = "-e frame.number -e tcp.stream -e tcp.srcport"
    out = lab.run(f"tshark -r {file} {riding} -Y '{mark.filter}' -T fields {names}")
    hits = [[int(each) for each in line.split("\t")] for line in out.splitlines()]
    wanted = [each for each in hits if (each[2] in ports) == (mark.sender == "server")]
    chosen = wanted[mark.skip :][: mark.most]
    return [
        {
            "connection": stream,
            "sender": mark.sender,
            "what": mark.what,
            "packet": packets[0],
            "packets": packets,
        }
        for stream in sorted({each[1] for each in chosen})
        if (packets := [number for number, one, _ in chosen if one == stream])
    ]
