"""Rules that need everything of all connections, where something of another one is missing.

The plugin and `check` have to know of the same losses at the same time, or one of the two reports
what the other does not. All such rules share one condition, so two rules are added to those of a
protocol that report every frame, and the end of every connection, as long as nothing is lost.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import Packet, pcap
from tests.failures import Failures
from tests.judge import judging, traffic
from tests.judge.judging import own, tshark
from tests.judge.test_captures import OUTER_PORTS, PROTOCOLS, plugin
from tests.judge.traffic import Piece, Talk

from streamshark.conversations.unfolding import ALL
from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.lua.conversations import LuaTables
from streamshark.lua.generate import plugins
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog, formats
from streamshark.protocols.protocol import Protocol

FRAME, END = "TST-A1", "TST-A2"
HTTP = [Piece(0, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), Piece(1, b"HTTP/1.1 204 OK\r\n\r\n")] * 3
GARBAGE = bytes(range(128, 256)) * 2
PAUSE_NS = 2_000_000_000
"""Time between connections: `check` waits 50 ms for bytes that were acknowledged."""
MOST = 60_000
"""Bytes of the connections that are taken."""
PIECES = 40
"""Most segments of them."""
HEADERS = 54
"""Bytes of the headers of Ethernet, IP and TCP."""
SNAP_LENGTH = HEADERS + 14

Damaged = Callable[[Talk, int], list[Packet]]


def whole(talk: Talk, port: int) -> list[Packet]:
    """All of a connection."""
    return list(traffic.packets_of(talk, 9, port))


def opened(_talk: Talk, port: int) -> list[Packet]:
    """Nothing was sent."""
    return whole([], port)


def foreign(_talk: Talk, _port: int) -> list[Packet]:
    """A segment of a connection of another protocol is missing."""
    return gap(HTTP, 80)


def foreign_late(_talk: Talk, _port: int) -> list[Packet]:
    """The beginning of a connection of another protocol is missing."""
    return late(HTTP, 80)


def garbage(_talk: Talk, port: int) -> list[Packet]:
    """Both sides send bytes that are no frames, to a port of the protocol."""
    return whole([Piece(0, GARBAGE), Piece(1, GARBAGE)], port)


def proxied(talk: Talk, port: int) -> list[Packet]:
    """A header of the PROXY protocol comes first; nothing is missing."""
    return whole([Piece(0, b"PROXY TCP4 192.0.2.7 192.0.2.1 5 7\r\n"), *talk], port)


def late(talk: Talk, port: int) -> list[Packet]:
    """The beginning is missing."""
    return whole(talk, port)[3:]


def stray(talk: Talk, port: int) -> list[Packet]:
    """Bytes that begin no frame, in the middle."""
    return whole([*talk[:4], Piece(0, GARBAGE), *talk[4:]], port)


def unread(talk: Talk, port: int) -> list[Packet]:
    """All that the client sends begins no frame."""
    return whole([Piece(0, GARBAGE), *(each for each in talk if each.side)], port)


def sealed(talk: Talk, port: int) -> list[Packet]:
    """Both sides go on in a format that is not read."""
    rest = [Piece(side, b"\xff\x06\x00\x00S2sTwO" + GARBAGE) for side in (0, 1, 0)]
    return whole([*talk[:2], *rest], port)


def cut(talk: Talk, port: int) -> list[Packet]:
    """The last frame ends before its head does."""
    return whole([*talk[:6], Piece(talk[0].side, talk[0].data[:3])], port)


def gap(talk: Talk, port: int) -> list[Packet]:
    """One segment in the middle is missing, which the other side acknowledges."""
    made = whole(talk, port)
    sources = [each.data[26:30] for each in made]
    del made[max(at for at in range(len(made) // 2 + 1) if {*sources[at + 1 :]} - {sources[at]})]
    return made


def snapped(talk: Talk, port: int) -> list[Packet]:
    """The snap length cuts off the rest of the first segment that has more than a few bytes."""
    made = whole(talk, port)
    at = next(at for at, each in enumerate(made) if len(each.data) > SNAP_LENGTH)
    made[at] = made[at].cut(SNAP_LENGTH)
    return made


def snapped_whole(talk: Talk, port: int) -> list[Packet]:
    """The snap length cuts off all bytes of a segment in the middle."""
    made = whole(talk, port)
    at = len(made) // 2
    made[at] = made[at].cut(HEADERS)
    return made


def one_sided(talk: Talk, port: int) -> list[Packet]:
    """The server's side is missing, and with it whatever the client acknowledges."""
    made = whole(talk, port)
    client = made[0].data[26:30]
    return [each for each in made if each.data[26:30] == client]


NO_LOSSES: tuple[Damaged, ...] = (whole, opened, foreign, foreign_late, garbage, proxied)
LOSSES: tuple[Damaged, ...] = (late, stray, unread, sealed, snapped, snapped_whole, cut)
SOONER: tuple[Damaged, ...] = (gap, one_sided)
"""Losses of which plugins know with the acknowledgement of the bytes, and `check` some time later:
the captures may be out of order."""
SILENCING = (stray, unread, sealed, snapped, snapped_whole, gap, one_sided)
"""Losses that are known before the third connection; others with the end of the captures."""
INSIDE = (stray, unread, sealed, snapped, snapped_whole, cut, gap, one_sided)
"""Losses that a plugin does not know of if its frames stand in those of another protocol. What is
sealed before such a frame is no loss to `check` either: it is a connection of the other one."""


def probing(name: str, folder: Path) -> tuple[Protocol, list[Path]]:
    """Return a protocol with two rules instead of those that need all, and its plugins."""

    def rule(identity: str, on: str) -> Rule:
        return Rule(
            id=identity, on=on, when="t > 0", needs=ALL, of="conn", severity=Severity.NOTE,
            group=Group.SEQUENCE, title=identity, message="all", cause="", source="none",
        )  # fmt: skip

    others = [each for each in catalog() if each.wire.id != name]
    rules = [each for each in PROTOCOLS[name].rules if ALL not in each.needs.split()]
    probes = (rule(FRAME, "any"), rule(END, "end:conn"))
    protocol = replace(PROTOCOLS[name], rules=(*rules, *probes))
    made = folder / f"{name}.lua"
    made.write_text(plugins([*others, protocol], formats(), [name])[made.name])
    return protocol, [*plugin(name)[:-1], made]


def connections(name: str) -> list[Talk]:
    """Return the first, the middle one and the last of a protocol's healthy connections.

    Both sides are in them. Where a capture begins with a frame that no healthy program sends,
    `check` takes it for the rest of another one, and plugins show it.
    """
    every = [
        talk[:PIECES]
        for path in traffic.usual(name)
        if not traffic.is_tls(path) and not path.parent.name.startswith("bug_")
        for _, talk in traffic.talks(path)
        if len(talk) >= PIECES // 4
        and len({each.side for each in talk[:PIECES]}) == 2
        and sum(len(each.data) for each in talk) < MOST
        and not talk[0].data.startswith((b"GET", b"PRI"))
    ]
    return [every[0], every[len(every) // 2], every[-1]]


def timed(parts: list[list[Packet]], *, mixed: bool) -> Iterator[Packet]:
    """Yield packets of some connections one after the other, or mixed, in order of time."""
    at_ns = traffic.START_NS
    if mixed:
        order = sorted((i / len(part), which, i) for which, part in enumerate(parts)
                       for i in range(len(part)))  # fmt: skip
        parts = [[parts[which][i] for _, which, i in order]]
    for part in parts:
        for each in part:
            yield each._replace(time_ns=at_ns)
            at_ns += traffic.STEP_NS
        at_ns += PAUSE_NS


Found = set[tuple[int, str]]
"""Packets and the rules that report them."""


def ours(capture: Path, protocol: Protocol) -> Found:
    """Return where `check` reports the two rules."""
    read = own(capture, protocol, values=False)
    kept = read.ear.kept.items()
    return {
        (read.packets[frame], rule)
        for frame, rules in kept
        if frame in read.packets
        for rule in rules & {FRAME, END}
    }


def theirs(capture: Path, short: str, plugins: list[Path], *passes: str) -> Found:
    """Return where a plugin reports them."""
    field = f"{short}.finding"
    shown = ("-Y", field, "-Tfields", "-e", "frame.number", "-e", field)
    lines = tshark(capture, plugins, *passes, *shown).splitlines()
    found = (line.split("\t") for line in lines)
    return {
        (int(packet), rule)
        for packet, rules in found
        for rule in rules.split(",")
        if rule in {FRAME, END}
    }


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROTOCOLS)
def test_plugin_and_check_know_of_the_same_losses(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is lost of the second of three connections, one after the other or at once."""
    protocol, probes = probing(name, tmp_path)
    monkeypatch.setitem(judging.TABLES, name, LuaTables(protocol, ValueNames()))
    port = (protocol.wire.ports or OUTER_PORTS)[0]
    first, second, third = connections(name)
    kinds = [*NO_LOSSES, *LOSSES, *SOONER]
    if protocol.wire.within:
        kinds = [each for each in kinds if each not in INSIDE]

    with Failures() as failures:
        for damaged, mixed in ((each, mixed) for each in kinds for mixed in (False, True)):
            with failures.of(f"{damaged.__name__}, mixed: {mixed}"):
                parts = [list(traffic.packets_of(first, 1, port)), damaged(second, port)]
                parts.append(list(traffic.packets_of(third, 3, port)))
                begun, last = len(parts[0]) + len(parts[1]), sum(map(len, parts))
                made = tmp_path / "made.pcap"
                made.write_bytes(pcap(timed(parts, mixed=mixed)))
                mine = ours(made, protocol)
                once = theirs(made, protocol.wire.short, probes)
                twice = theirs(made, protocol.wire.short, probes, "-2")
                assert once == {each for each in twice if each[1] == FRAME}
                if mixed and damaged in LOSSES:  # the order of ends is not compared
                    mine, twice = ({(at, FRAME) for at, rule in each if rule == FRAME and at < last}
                                   for each in (mine, twice))  # fmt: skip
                if damaged in SOONER:
                    assert twice <= mine
                elif damaged is cut:  # its loss is known with the last packet
                    assert twice - mine <= {(last, FRAME)}
                    assert mine <= twice
                elif not (mixed and damaged in (unread, snapped)):  # known with the first frame
                    assert twice == mine
                later = {at > begun for at, _ in twice}
                if not mixed:
                    assert later == ({False} if damaged in SILENCING else {False, True})
                    assert any(rule == END for _, rule in twice) or damaged not in NO_LOSSES


@pytest.mark.parametrize("shown", [("-Y", "rmqstream"), ()], ids=["filter", "no filter"])
def test_acknowledged_bytes_of_an_unfinished_frame_are_lost(shown: tuple[str, ...]) -> None:
    """With a filter or without one: Wireshark passes no segment after the lost one to plugins."""
    (capture,) = (traffic.CAPTURES / "rabbitmq_stream/lost_segment_client").glob("traffic.*")
    protocol, field = PROTOCOLS["rabbitmq_stream"], "rmqstream.finding"
    rules = {rule for found in own(capture, protocol).ear.kept.values() for rule in found}
    told = tshark(capture, plugin("rabbitmq_stream"), "-2", *shown, "-Tfields", "-e", field)
    assert set(told.replace(",", " ").split()) == rules
