"""Which frames of a recording are at fault, where a library sent them and no driver counted them.

The scenario says by a pattern which frames they are; an independent reader finds them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from captures.recorders import lab
from captures.recorders.segments import Piece, joined, pieces

MOST = 64
"""Packets of a mark that provenance lists."""


@dataclass(frozen=True)
class Mark:
    """Frames of one sender whose bytes match, on one connection, or on each where it is None.

    Of those of a connection the first `skip` are right, and at most `most` are at fault. With
    `again`, only frames in which that pattern finds what it found in an earlier one. With `across`
    the frames of all connections are counted and compared together, in the order of their packets.
    With `unanswered`, only frames of which the other side never sends what its group finds.
    """

    connection: int | None
    sender: str
    pattern: bytes
    skip: int = 0
    most: int = MOST
    again: bytes = b""
    across: bool = False
    unanswered: bytes = b""


@dataclass(frozen=True)
class Shown:
    """Packets that a display filter of tshark selects: what is no frame of its own, or rides.

    `what` says what they hold; `skip` and `most` as in `Mark`; of the others every `step`th.
    """

    what: str
    filter: str
    skip: int = 0
    most: int = MOST
    sender: str = "client"
    step: int = 1


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


class Hit(NamedTuple):
    """A frame that matches a mark; hits are in the order of their packets."""

    packet: int
    of: tuple[int, str]
    nth: int
    frame: Seen
    data: bytes


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
            ours = [row(hits, key) for hits in chosen(mark, parts, frames)]
        if not ours:
            raise SystemExit(f"{mark} matches nothing")
        found += ours
    return found


def chosen(
    mark: Mark, parts: Mapping[tuple[int, str], list[Piece]], frames: Sequence[Seen]
) -> list[list[Hit]]:
    """The frames at fault, a list for each connection that has some."""
    senders = sorted(of for of in parts if mark.connection in (None, of[0]))
    groups = [matches(mark, of, parts, frames) for of in senders if of[1] == mark.sender]
    if mark.across:
        groups = [sorted((hit for hits in groups for hit in hits), key=lambda hit: hit.packet)]
    hits = [hit for hits in groups for hit in at_fault(mark, hits)]
    return [ours for of in senders if (ours := [hit for hit in hits if hit.of == of])]


def matches(
    mark: Mark,
    of: tuple[int, str],
    parts: Mapping[tuple[int, str], list[Piece]],
    frames: Sequence[Seen],
) -> list[Hit]:
    """Frames of a side of a connection that match the pattern."""
    data, at, hits = joined(parts[of]), 0, []
    back = parts.get((of[0], "server" if of[1] == "client" else "client"))
    other = joined(back) if back else b""
    own = [each for each in frames if (each.stream, each.sender) == of]
    for nth, frame in enumerate(own, 1):
        whole = data[at : frame.end]
        at = frame.end
        if re.search(mark.pattern, whole, re.DOTALL):
            asked = re.search(mark.unanswered, whole, re.DOTALL) if mark.unanswered else None
            if not mark.unanswered or (asked and asked[1] not in other):
                hits.append(Hit(packet(parts[of], frame.end), of, nth, frame, whole))
    return hits


def at_fault(mark: Mark, hits: list[Hit]) -> list[Hit]:
    """Those that are at fault of frames that match."""
    known, ours = set(), []
    for hit in hits:
        found = re.search(mark.again, hit.data, re.DOTALL)
        same = found[0] if found else b""
        if not mark.again or same in known:
            ours.append(hit)
        known.add(same)
    return ours[mark.skip :][: mark.most]


def row(hits: list[Hit], key: str) -> dict[str, object]:
    """The row of the frames at fault of one side of a connection."""
    packets = [hit.packet for hit in hits]
    named = getattr(hits[0].frame, key)
    return {
        "connection": hits[0].of[0],
        "sender": hits[0].of[1],
        "nth": hits[0].nth,
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
    ours = wanted[mark.skip :: mark.step][: mark.most]
    return [
        {
            "connection": stream,
            "sender": mark.sender,
            "what": mark.what,
            "packet": packets[0],
            "packets": packets,
        }
        for stream in sorted({each[1] for each in ours})
        if (packets := [number for number, one, _ in ours if one == stream])
    ]
