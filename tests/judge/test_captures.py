"""Every field of every recorded frame, as tshark reads it with the generated plugin: the judge.

`make test-wireshark` reads every capture, `make test` a cover and some that are drawn.
The same frames also as no network would bring them, cut anew and in other orders, and with some
packets lost; then each direction counts up to its first gap.
"""

import itertools
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.draw import some, some_of
from tests.judge import traffic
from tests.judge.judging import OUTER, compare, compare_calls, tshark
from tests.recorded.index import FRAME, lines

from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog
from streamshark.schema.problems import ProblemCode
from streamshark.session import Session

PLUGINS = traffic.PLUGINS
PROTOCOLS = {
    each.wire.id: each
    for each in catalog()
    if (traffic.CAPTURES / each.wire.id).is_dir() and (each.wire.table().cuts or each.wire.within)
}
"""Those of which something is recorded, and that have a plugin."""
LEAST = {"rabbitmq_stream": 1_000, "rsocket": 300}
"""Frames that are at least compared."""
OUTER_PORTS = (4222,)
"""Where those listen in whose frames others stand."""
WEB = 8080
"""A port on which Wireshark sees HTTP however it is cut."""
STREAMS = [name for name, each in PROTOCOLS.items() if "websocket.bytes" in each.wire.carried_in]
"""Those whose frames go over the borders of a carrier's messages."""
FRAGMENTS = {"websocket_deflate_go"}
"""Wireshark 4.0 loses fragments of compressed messages that come in one packet with others."""

UNEXPLAINED = {
    "bug_newer_members_0_5",
    "bug_mime_type_not_ascii",
    "bug_request_on_stream_zero",
}
"""Of these one packet differs when packets are lost or out of order; the cause is not known yet."""

TWO_SETUPS = {"bug_server_sets_up"}
"""Of these both sides send SETUP: where the client's is lost, the plugin takes the other for it."""

UNKNOWN_FIRST = {"bug_no_rsocket_server"}
"""Of these connections begin with a frame of a type that does not exist: their conversation begins
there here, and with the first known frame in the plugin, which leaves messages of WebSocket that
are no known frames to Wireshark's own dissectors."""

ONE_SIDED = {"client_side_only", "server_side_only", "client_side_only_py", "server_side_only_py"}
ALONE = {"bug_controller_asked_in_a_loop_java", *ONE_SIDED}
"""These are compared by themselves. Connections of the first are open at the end: in a file with
later captures the plugin waits longer for answers (PRV-P14). Of the others one side is missing,
which `check` knows at the end and the plugin by an acknowledgement: rules that need all connections
whole are silent from there on."""

KINDS = {ProblemCode.UNKNOWN_KEY, ProblemCode.UNKNOWN_VERSION}
"""Problems of frames that have a head, and no schema."""
SECRETIVE = {"nats", "pravega", "rabbitmq_stream", "rsocket"}
"""Protocols in whose frames passwords and tokens are recorded."""
WAYS = ("coalesced", "shuffled", "lost", "single")
"""How packets are cut and ordered anew."""
ONE_OF_CALLS = 3
"""One capture with calls of this many is read by `make test`, of those that show all findings: each
is a file of its own, and a start of tshark."""
SOME = 6
"""One in so many captures is compared in one pass as well, field by field."""


def plugin(name: str) -> list[Path]:
    """The plugin of a protocol, with that around it but no others: bodies stay bytes."""
    outer = OUTER if PROTOCOLS[name].wire.within else ()
    return [PLUGINS / f"{each}.lua" for each in (*outer, name)]


def can_be_cut(path: Path, name: str) -> bool:
    """Whether Wireshark finds what is in a capture when it is cut otherwise."""
    in_web = "websocket" in path.parent.name
    return not (
        traffic.is_tls(path) or path.parent.name in FRAGMENTS or (in_web and name not in STREAMS)
    )


def has_frames(path: Path) -> bool:
    """Whether a capture has frames of its protocol: some have calls alone, which are apart."""
    return shows(path, FRAME)


def has_calls(path: Path) -> bool:
    """Whether a capture has calls of gRPC."""
    return shows(path, "other grpc ")


def shows(path: Path, feature: str) -> bool:
    """Whether a capture has a feature that begins so."""
    line = lines()[f"{path.parent.parent.name}/{path.parent.name}"]
    return any(each.startswith(feature) for each in line.shows)


def files_of(name: str, captures: Iterable[Path], folder: Path) -> list[Path]:
    """Join captures of a protocol in few files, but those that are compared alone."""
    every = list(captures)
    if PROTOCOLS[name].wire.within:  # streams of the same names would be one
        return every
    alone = UNKNOWN_FIRST | ALONE
    apart = [path for path in every if path.parent.name in alone]
    files = [path for path in every if path.parent.name not in alone]
    return apart + traffic.joined(files, folder, by_time=True)


def differences_of(file: Path, name: str) -> tuple[int, list[str]]:
    """How many frames of a file of `files_of` were compared in two passes, and what differs."""
    meaning = file.parent.name not in UNKNOWN_FIRST
    return compare(file, PROTOCOLS[name], plugin(name), meaning=meaning)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_field_of_every_recorded_frame_is_ours(name: str, tmp_path: Path) -> None:
    """In two passes, with links in both directions, times and expert items."""
    compared = 0
    every = [path for path in traffic.captures(name, large=True) if has_frames(path)]
    for file in files_of(name, every, tmp_path):
        count, told = differences_of(file, name)
        assert told == [], (file, told[:5])
        compared += count
    assert compared > LEAST.get(name, 0) // (1 if traffic.THOROUGH else 2)


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "one pass"))
def test_every_field_in_one_pass(name: str, tmp_path: Path) -> None:
    """The same of some captures, as frames are seen first; pyshark drives tshark here."""
    for file in traffic.joined(traffic.captures(name)[::SOME], tmp_path):
        _, told = compare(file, PROTOCOLS[name], plugin(name), pyshark_drives=True)
        assert told == [], (file, told[:5])


def ways_drawn() -> list[tuple[str, str]]:
    """Return each protocol with the way in which it is cut: drawn, so that each way occurs.

    Or all protocols with all ways.
    """
    if traffic.THOROUGH:
        return list(itertools.product(PROTOCOLS, WAYS))
    return list(zip(some(PROTOCOLS, len(PROTOCOLS)), itertools.cycle(WAYS), strict=False))


@pytest.mark.parametrize(("name", "way"), ways_drawn())
def test_however_it_comes(name: str, way: str, tmp_path: Path) -> None:
    """Each capture in every way; `make test` cuts few in one way, which show all their frames."""
    chosen = [
        path for path in traffic.usual(name) if traffic.is_whole(path) and can_be_cut(path, name)
    ]
    if way in ("lost", "shuffled"):
        odd = UNEXPLAINED | TWO_SETUPS
        chosen = [path for path in chosen if path.parent.name not in odd]
    most = traffic.SMALL if way == "single" else traffic.MIDDLING
    fitting = [path for path in chosen if traffic.size(path) < most]
    if not traffic.THOROUGH:  # of single bytes each costs as much as a packet
        fitting = traffic.few(name, fitting, by_bytes=way == "single")
    elif way != "single":
        fitting = fitting[::2]
    chosen = fitting or sorted(chosen, key=traffic.size)[:2]
    cut = getattr(traffic, "unchanged" if way == "lost" else way)
    ports = (*(PROTOCOLS[name].wire.ports or OUTER_PORTS), WEB)
    file = traffic.recut(chosen, cut, tmp_path / f"{way}.pcap", ports, lose=way == "lost")
    in_order = way not in ("lost", "shuffled")
    count, told = compare(file, PROTOCOLS[name], plugin(name), sound=True, in_order=in_order)
    assert told == [], told[:5]
    assert count > LEAST.get(name, 0) // (2 if traffic.THOROUGH else 8)


@pytest.mark.parametrize("way", ["whole", "lost"])
@pytest.mark.parametrize("name", STREAMS)
def test_over_the_borders_of_messages(name: str, way: str, tmp_path: Path) -> None:
    """In WebSocket whose messages end anywhere, some compressed; links and findings too."""
    protocol, lost = PROTOCOLS[name], way == "lost"
    chosen = [
        path
        for path in traffic.usual(name)
        if traffic.is_whole(path) and not traffic.is_tls(path) and "websocket" not in str(path)
        and traffic.size(path) < traffic.MIDDLING and is_for_clients(path, protocol.wire.ports)
    ]  # fmt: skip
    if not traffic.THOROUGH:
        chosen = traffic.few(name, chosen)
    file = traffic.recut(chosen, traffic.webbed, tmp_path / "web.pcap", (WEB,), lose=lost)
    # What loss puts in doubt is taken back later; frames in one pass are compared there.
    count, told = compare(
        file, protocol, plugin(name), meaning=not lost, sound=lost, in_order=not lost
    )
    assert told == [], told[:5]
    most = 1000 if traffic.THOROUGH else 100
    assert count > (most // 3 if lost else most)


def is_for_clients(path: Path, ports: tuple[int, ...]) -> bool:
    """Whether all connections go to a client's port, and begin with what proves the protocol."""
    return all(
        port in ports and each[0].data.startswith(b"INFO ") for port, each in traffic.talks(path)
    )


@pytest.mark.parametrize("name", ["rabbitmq_stream", "rsocket"])
def test_what_heads_tell_of_unknown_frames(name: str) -> None:
    """Key, version, sender and length, of frames that no schema is known for."""
    short, count = PROTOCOLS[name].wire.short, 0
    asked = [f"{short}.{each}" for each in ("key", "version", "sender", "length")]
    chosen = ["-2", "-Y", f"{short}.problem && !{short}.command", "-T", "fields"]
    columns = [part for each in ("frame.number", *asked) for part in ("-e", each)]
    for file in traffic.captures(name):
        expected = [
            [str(each) for each in (row.packet, row.key, row.version, row.sender, len(row.data))]
            for row in Session([str(file)]).rows()
            if isinstance(row, FrameRow) and KINDS & {each.code for each in row.problems}
        ]
        if expected and file.parent.name not in UNKNOWN_FIRST:
            lines = tshark(file, plugin(name), *chosen, *columns).splitlines()
            told = [line.split("\t") for line in lines]
            assert [[each[0], str(int(each[1], 0)), *each[2:]] for each in told] == expected
            count += len(expected)
    assert count


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "what a user sees"))
def test_what_a_user_sees(name: str, tmp_path: Path) -> None:
    """Trees of two passes, with every plugin and all as it is set at first: secrets are hidden."""
    every = traffic.captures(name)
    chosen = [path for path in every if traffic.size(path) < traffic.LARGE]
    file = tmp_path / "all.pcapng"
    subprocess.run(
        ["mergecap", "-a", "-w", str(file), *map(str, filter(traffic.is_whole, chosen))], check=True
    )
    output = tshark(file, sorted(PLUGINS.glob("*.lua")), "-V", "-2")
    assert ("***" in output) == (name in SECRETIVE)


@pytest.mark.parametrize(("name", "of_all"), [("liftbridge", 400), ("pravega", 300)])
def test_messages_of_calls_are_ours(name: str, of_all: int) -> None:
    """Inside Wireshark's own HTTP/2 and gRPC, whatever the port; nothing else is read there.

    Each capture by itself: streams of the same names in two of them would be one.
    No other test compares findings of recorded calls, and of frames beside them, with those of the
    plugins.
    """
    compared = 0
    chosen = {e.parent.name: e for e in traffic.captures(name, findings=True) if has_calls(e)}
    most = len(chosen) if traffic.THOROUGH else -(-len(chosen) // ONE_OF_CALLS)
    for file in some_of(chosen, most):
        count, told = compare_calls(file, PROTOCOLS[name], plugin(name))
        assert told == [], (file, told[:5])
        compared += count
    assert compared > (of_all if traffic.THOROUGH else 0)


def test_calls_on_any_port(tmp_path: Path) -> None:
    """Calls are found by how HTTP/2 begins, where the port says nothing."""
    capture = next((traffic.CAPTURES / "liftbridge/publishes_go").glob("traffic.*"))
    text = (PLUGINS / "liftbridge.lua").read_text()
    assert ",9292" in text
    (tmp_path / "liftbridge.lua").write_text(text.replace(",9292", ",9293"))
    count, told = compare_calls(capture, PROTOCOLS["liftbridge"], [tmp_path / "liftbridge.lua"])
    assert told == []
    assert count > 10
