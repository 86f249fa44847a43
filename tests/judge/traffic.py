"""Recorded traffic as the judge takes it: many captures in one file, as it was or cut anew.

A file of many captures costs tshark one start instead of hundreds. What is cut anew gets addresses
of its own for each connection, so that none meet.
"""

import itertools
import os
import random
import re
import subprocess
import tomllib
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.builders import ACK, PSH, START_NS, STEP_NS, SYN, Packet, ethernet, ipv4, pcap, tcp
from tests.draw import is_drawn, some_of
from tests.judge.judging import release
from tests.recorded.index import (
    FRAME,
    PER_CAPTURE,
    Line,
    cover,
    frames_of,
    lines,
    needed,
    of,
)
from tests.recorded.share import LONG, ONE_OF_LONG, of_findings, without_findings

from streamshark.flows import Gap, Segment
from streamshark.session import Session

CAPTURES = Path("captures")
PLUGINS = Path("dissectors")
THOROUGH = "STREAMSHARK_TSHARK" in os.environ
"""Whether all captures are read, as `make test-wireshark` does; else a cover, and some drawn."""
SENT_AGAIN = {"flow_control_answered"}
"""Of these segments come out of order and are sent again: Wireshark 4.4 and 4.6 lose frames then,
whatever the dissector, if segments out of order are put together."""
LARGE = 512 * 1024
"""Bytes of payload of captures that only take longer to show."""
USUAL_BYTES, USUAL_FRAMES = 256 * 1024, 500
"""Captures of usual size have less payload and fewer frames: others mostly repeat themselves."""
ONE_OF_FRAMES = 40
"""One in so many is drawn where frames are compared."""
MOST_FRAMES = 700
"""Frames of the largest captures that are read if not all are: what only larger ones have, vectors
show too."""
SMALL = 8 * 1024
"""Bytes of payload of captures that are cut into single bytes."""
MIDDLING = 32 * 1024
"""Bytes of payload of captures that are cut in other ways: larger ones only take longer."""
HANDSHAKE = 3
"""Packets before the first bytes; in WebSocket two more, without which Wireshark sees none."""
WINDOW = 8
"""Packets among which the order is changed."""
PROTOCOLS_A_TEST = 2
"""Protocols of a comparison that `make test` makes for some of them."""


def drawn(names: Collection[str], comparison: str) -> list[str]:
    """Return the protocols for which a comparison is made: a few that are drawn, or all.

    Each protocol is compared in some way in every run, by the tests that take all of them.
    """
    chosen = some_of({f"{comparison} {name}": name for name in names}, PROTOCOLS_A_TEST)
    return [name for name in names if THOROUGH or name in chosen]


def usual(protocol: str) -> list[Path]:
    """Return the recorded captures of a protocol that are cut anew: those of usual size, or all.

    Where they are cut depends on which others there are, so none is drawn.
    """
    every = [CAPTURES / each.capture / each.file for each in recorded(protocol)]
    return [each for each in every if THOROUGH or is_usual(each)]


def recorded(protocol: str) -> list[Line]:
    """Return the captures of a protocol that the judging Wireshark reads whole, sorted."""
    lacking = SENT_AGAIN if release() >= (4, 4) else frozenset()
    return [
        each
        for each in of(protocol)
        if each.path.suffix in (".gz", ".pcapng", ".pcap") and each.path.parent.name not in lacking
    ]


def captures(protocol: str, *, findings: bool = False, large: bool = False) -> list[Path]:
    """Return the recorded captures of a protocol that are judged, sorted.

    Where not all are: few that show all kinds of frames that captures of usual size show, and some
    of the others of that size, drawn. With `large` also few that show all frames of any capture,
    whoever sends them. With `findings` instead few that show together all that rules of the plugin
    find in captures of usual size; of these those that are not long, and a third of the others.
    """
    every = recorded(protocol)
    if THOROUGH:
        return [CAPTURES / each.capture / each.file for each in every]
    told = [line for line in as_told(protocol, every) if line.frames < MOST_FRAMES]
    small = [
        line
        for line in told
        if line.frames < USUAL_FRAMES and is_usual(CAPTURES / line.capture / line.file)
    ]
    if findings:
        chosen = {
            line.capture
            for line in needed(cover(map(of_findings, small)))
            if line.frames < LONG or is_drawn(line.capture, ONE_OF_LONG)
        }
    else:
        chosen = {line.capture for line in needed(cover(map(without_findings, small)))}
        chosen |= {line.capture for line in small if is_drawn(line.capture, ONE_OF_FRAMES)}
    if large:
        chosen |= {line.capture for line in needed(cover(map(without_senders, told)))}
    return [CAPTURES / each.capture / each.file for each in every if each.capture in chosen]


def as_told(protocol: str, captures: Iterable[Line]) -> list[Line]:
    """Return captures of a protocol with those of their features that its plugin tells."""
    named = rules_named(protocol)

    def is_told(feature: str) -> bool:
        kind, _, what = feature.partition(" ")
        if kind == "finding":
            return what in named
        return kind in ("carried", FRAME, "piece", "problem")

    return [each._replace(shows=tuple(filter(is_told, each.shows))) for each in captures]


@cache
def rules_named(protocol: str) -> frozenset[str]:
    """Return what is a string in a plugin, the ids of its rules among them."""
    return frozenset(re.findall(r'"([^"\n]*)"', (PLUGINS / f"{protocol}.lua").read_text()))


def without_senders(line: Line) -> Line:
    """Return a capture with the kinds of its frames, without their senders and findings."""
    kinds = (feature.split() for feature in line.shows if not feature.startswith("finding "))
    shows = {" ".join(kind[:-2] + kind[-1:] if kind[0] == FRAME else kind): None for kind in kinds}
    return line._replace(shows=tuple(shows))


@cache
def is_usual(path: Path) -> bool:
    """Whether a capture is of usual size, by what was counted independently."""
    expected = tomllib.loads((path.parent / "provenance.toml").read_text())["expected"]
    frames = sum(sum(each.values()) for each in expected.get("frames", {}).values())
    size = expected["client_bytes"] + expected["server_bytes"]
    return size < USUAL_BYTES and frames < USUAL_FRAMES


@cache
def is_whole(path: Path) -> bool:
    """Whether a capture ends properly, so that it can be joined with others."""
    return path.absolute() in all_whole() or capinfos([path])


@cache
def all_whole() -> frozenset[Path]:
    """Return all recorded captures, if they all end properly: one start of a program, not many."""
    every = [each.path for each in lines().values()]
    return frozenset(every) if capinfos(every) else frozenset()


def capinfos(paths: Iterable[Path]) -> bool:
    """Whether Wireshark reads captures up to their ends."""
    command = ["capinfos", "-c", *map(str, paths)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def few(protocol: str, paths: Iterable[Path], *, by_bytes: bool = False) -> list[Path]:
    """Return those of some captures of a protocol that show all frames that these show.

    They are chosen for few frames, or for few bytes.
    """
    wanted = set(paths)
    every = {CAPTURES / each.capture / each.file: each for each in recorded(protocol)}
    told = as_told(protocol, (each for path, each in every.items() if path in wanted))
    chosen = cover(map(without_findings, told), payload if by_bytes else frames_of)
    return [CAPTURES / each.capture / each.file for each in needed(chosen)]


def payload(line: Line) -> int:
    """Return what a capture costs where each byte does."""
    return size(CAPTURES / line.capture / line.file) + PER_CAPTURE


@cache
def is_tls(path: Path) -> bool:
    """Whether a capture has connections in TLS."""
    facts = tomllib.loads((path.parent / "provenance.toml").read_text())
    said = f"{facts['title']} {facts.get('shows', '')}"
    return "tls" in path.parent.name or "TLS" in said


@cache
def flows_of(path: Path) -> frozenset[frozenset[str]]:
    """Addresses and ports of a capture's connections."""
    session = Session([str(path)])
    tracker = session.dissector.tracker
    for capture in session.captures:
        for batch in capture.batches():
            tracker.feed(batch)
    return frozenset(frozenset(flow.addresses) for flow in tracker.flows)


def joined(paths: Iterable[Path], folder: Path, *, by_time: bool = False) -> list[Path]:
    """Files with all these captures, one after the other; those that need their own are apart.

    These are cut short, have TLS, or are not read whole by every Wireshark.
    Two connections of one file never have the same addresses and ports. With `by_time` the packets
    are in order of time, as the rows of `read` are: rules about several connections need it.
    """
    groups: list[tuple[list[Path], set[frozenset[str]]]] = []
    apart = []
    for path in paths:
        if not is_whole(path) or is_tls(path) or path.parent.name in SENT_AGAIN:
            apart.append(path)
            continue
        flows = flows_of(path)
        group = next((each for each in groups if each[1].isdisjoint(flows)), None)
        if group is None:
            group = ([], set())
            groups.append(group)
        group[0].append(path)
        group[1].update(flows)
    files, order = [], () if by_time else ("-a",)
    for index, (members, _) in enumerate(groups):
        target = folder / f"joined-{index}.pcapng"
        subprocess.run(["mergecap", *order, "-w", str(target), *map(str, members)], check=True)
        files.append(target)
    return files + apart


# Cut anew


UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
UPGRADED = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)
MASK = b"\x37\xfa\x21\x3d"
LEAST_PACKED = 64
"""Bytes of messages that are compressed, where both sides can."""


class Piece(NamedTuple):
    """Bytes that one side sends at once."""

    side: int
    data: bytes


Talk = list[Piece]
Cut = Callable[[Talk, random.Random], Talk]


@cache
def talks(path: Path) -> tuple[tuple[int, Talk], ...]:
    """Server port and pieces of each connection of a capture that is whole from its start.

    Those that no plugin reads, such as calls to a controller, are left out.
    """
    session = Session([str(path)])
    found: dict[int, Talk] = {}
    spoilt = set()
    tracker = session.dissector.tracker
    feed = tracker.feed

    def watched(batch: object) -> list[object]:
        delivered = feed(batch)  # type: ignore[arg-type]
        for each in delivered:
            if isinstance(each, Segment):
                found.setdefault(each.flow, []).append(Piece(each.side, each.data))
            elif isinstance(each, Gap):
                spoilt.add(each.flow)
        return delivered

    tracker.feed = watched  # type: ignore[method-assign,assignment]
    list(session.rows())
    out = []
    for number, pieces in found.items():
        flow, connection = tracker.flows[number], session.dissector.connections.get(number)
        is_read = connection is not None and (PLUGINS / f"{connection.wire.id}.lua").exists()
        if number not in spoilt and flow.client is not None and is_read:
            client = flow.client
            own = [Piece(each.side ^ client, each.data) for each in pieces]
            out.append((flow.ports[1 - client], own))
    return tuple(out)


def recut(
    paths: Iterable[Path], cut: Cut, target: Path, ports: tuple[int, ...], *, lose: bool = False
) -> Path:
    """Write a capture in which every connection is cut anew.

    Servers on other ports than `ports` move to the first of these: Wireshark recognises a protocol
    elsewhere by whole frames in its first segments, of which nothing may be left here.
    """
    packets: list[Packet] = []
    index = 0
    for path in paths:
        for number, (port, pieces) in enumerate(talks(path)):
            index += 1
            seed = f"{path.parent.name} {number}"  # so that other captures change nothing
            chance = random.Random(seed)  # noqa: S311 - not for secrets
            server = port if port in ports else ports[0]
            made = cut(pieces, chance)
            own = list(packets_of(made, index, server))
            if cut is shuffled:
                mixed(own, chance)
            opened = HANDSHAKE + 2 * made[0].data.startswith(b"GET ")
            if lose and len(own) > opened + 1:
                del own[chance.randrange(opened, len(own))]
            for each in own:
                time_ns = START_NS + len(packets) * STEP_NS
                packets.append(each._replace(time_ns=time_ns))
    target.write_bytes(pcap(packets))
    return target


def packets_of(talk: Talk, index: int, port: int) -> Iterator[Packet]:
    """A connection of its own addresses."""
    ends = f"10.{index >> 16}.{index >> 8 & 255}.{index & 255}", "10.255.0.1"
    ports = (40_000 + index % 20_000, port)
    next_byte = [1000, 5000]

    def packet(side: int, flags: int, data: bytes = b"") -> Packet:
        own = ports if side == 0 else ports[::-1]
        made = tcp(own, next_byte[side], next_byte[1 - side] if flags & ACK else 0, flags, data)
        frame = ethernet(ipv4(made, ends[side], ends[1 - side]))
        next_byte[side] += len(data) + bool(flags & SYN)
        return Packet(0, frame, len(frame))

    yield packet(0, SYN)
    yield packet(1, SYN | ACK)
    yield packet(0, ACK)
    for side, data in talk:
        for at in range(0, len(data), 60_000):
            yield packet(side, PSH | ACK, data[at : at + 60_000])


def coalesced(talk: Talk, _chance: random.Random) -> Talk:
    """What one side sends in a row comes at once."""
    out: Talk = []
    for each in talk:
        if out and out[-1].side == each.side:
            out[-1] = Piece(each.side, out[-1].data + each.data)
        else:
            out.append(each)
    return out


def single(talk: Talk, _chance: random.Random) -> Talk:
    """Every byte comes alone."""
    return [Piece(side, data[at : at + 1]) for side, data in talk for at in range(len(data))]


def webbed(talk: Talk, chance: random.Random) -> Talk:
    """In WebSocket: messages end anywhere, and several come at once or one in several packets.

    Some connections agree to compress them.
    """
    deflates = chance.random() < 0.3
    agreed = (
        b"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; " * deflates
    )
    agreed += b"client_no_context_takeover\r\n" * deflates
    asked = b"GET / HTTP/1.1\r\nHost: a\r\n" + agreed + b"Sec-WebSocket-Version: 13\r\n" + UPGRADE
    told = b"HTTP/1.1 101 Switching Protocols\r\n" + agreed + UPGRADED
    out = [Piece(0, asked), Piece(1, told)]
    for side, data in coalesced(talk, chance):
        edges = sorted(chance.randrange(len(data) + 1) for _ in range(len(data) // 500 + 2))
        made = b""
        for a, b in itertools.pairwise([0, *edges, len(data)]):
            packed = deflates and b - a > LEAST_PACKED
            body = deflated(data[a:b]) if packed else data[a:b]
            made += message(body, side, 0xC2 if packed else 0x82)
        cuts = sorted(chance.randrange(len(made) + 1) for _ in range(chance.randrange(3)))
        out += [
            Piece(side, made[a:b]) for a, b in itertools.pairwise([0, *cuts, len(made)]) if a < b
        ]
    return out


def deflated(data: bytes) -> bytes:
    """As permessage-deflate packs a message that stands alone."""
    packer = zlib.compressobj(wbits=-15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def message(data: bytes, side: int, first: int) -> bytes:
    """A frame of WebSocket, whose first byte is given; that of a client is masked."""
    size, masked = len(data), 0 if side else 0x80
    mark, width = (size, 0) if size < 126 else (126, 2) if size < 1 << 16 else (127, 8)
    head = bytes([first, masked | mark]) + (size.to_bytes(width, "big") if width else b"")
    if side:
        return head + data
    return head + MASK + bytes(each ^ MASK[at % 4] for at, each in enumerate(data))


def shuffled(talk: Talk, chance: random.Random) -> Talk:
    """Cut at random places; `recut` then changes the order."""
    out: Talk = []
    for side, data in talk:
        edges = sorted({0, len(data), *(chance.randrange(len(data) + 1) for _ in range(2))})
        out += [Piece(side, data[a:b]) for a, b in itertools.pairwise(edges) if a < b]
    return out


def mixed(packets: list[Packet], chance: random.Random) -> None:
    """Change the order among neighbours of one side, after the handshake.

    The other side's stay where they are: acknowledging what is still to come is what no network
    does, and Wireshark then takes what comes for repeated.
    """
    start = HANDSHAKE
    while start < len(packets):
        source = packets[start].data[26:30]
        end = start + 1
        while end < len(packets) and end - start < WINDOW and packets[end].data[26:30] == source:
            end += 1
        part = packets[start:end]
        chance.shuffle(part)
        packets[start:end] = part
        start = end


def unchanged(talk: Talk, _chance: random.Random) -> Talk:
    """As it was."""
    return talk


@cache
def size(path: Path) -> int:
    """Bytes of payload of a capture, by what was counted independently."""
    expected = tomllib.loads((path.parent / "provenance.toml").read_text())["expected"]
    return int(expected["client_bytes"] + expected["server_bytes"])
