"""Display filters select the packets that Wireshark selects with our plugins.

Filters are drawn for some captures of every protocol, over every operator and type of field. One
run of `sharkd`, which Wireshark brings along, answers for all filters of a capture. `make test`
draws a tenth of what `make test-wireshark` draws; `STREAMSHARK_FILTERS=n` draws so many of each.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.filters.corpus import DIFFERS, REJECTED, drawn
from tests.filters.reading import CAPTURES, Read, read
from tests.judge import judging
from tests.judge.judging import PREFERENCES, release, tshark
from tests.judge.test_captures import PROTOCOLS

from streamshark.analysis import Analysis
from streamshark.dissection.row import FrameRow
from streamshark.filters.body_fields import BodyFields
from streamshark.filters.error import FilterError
from streamshark.filters.filter import compile_for_packets
from streamshark.filters.packet_headers import HEADERS
from streamshark.filters.predicate import EVENTS
from streamshark.filters.row_fields import call_paths
from streamshark.filters.typed import FieldValue
from streamshark.session import Session

ROOT = Path(__file__).parents[2]
TAB = re.compile("\t")
FULL = "STREAMSHARK_TSHARK" in os.environ
EACH = int(os.environ.get("STREAMSHARK_FILTERS", "100" if FULL else "30"))
"""Filters of each capture."""
CAPTURED = (
    "rabbitmq_stream/publish_confirm",
    "rabbitmq_stream/message_properties_java",
    "rabbitmq_stream/login_fails",
    "rsocket/keepalive_rust",
    "pravega/bug_event_number_goes_back",
    "nats/interactions_py",
    "nats/jetstream_go",
    "liftbridge/bug_silent_leader_by_hand",
)
CHOSEN = CAPTURED if FULL else CAPTURED[:2]
HEADS = ("command", "key", "version", "kind", "sender", "length", "correlation_id", "problem")
ANALYSED = {((4, 0),): "duplicate|window_update", ((4, 6),): r"\.retransmission|out_of_order|Note"}
"""Filters of the analysis of TCP that these releases judge in another way; see docs/filters.md."""
LAYERS = {
    "liftbridge/basics_py": ("liftbridge#2", "liftbridge#5", "liftbridge.message.subject#2"),
    "nats/bug_pub_with_headers": ('nats[1:1] == "N"', 'nats[-3:1] == "G"'),
    "rabbitmq_stream/bug_offset_of_another_stream": ("rmqstream#2", "amqp1#2", "amqp1.data#1"),
    "rabbitmq_stream/zero_window_consumer": (
        '_ws.expert.severity == "Note" && _ws.expert.group == "Sequence" && tcp',
        '_ws.expert.message contains "completely full"',
        '_ws.expert.severity == "Chat" && _ws.expert.group == "Sequence"',
    ),
}
"""Filters of layers and expert items, by capture."""
SHOWN = tuple(f"{each.wire.short}.secrets:TRUE" for each in PROTOCOLS.values())
"""Preferences with which plugins show secrets, as filters of ours find them."""
LEAST = str(-(1 << 63))
"""Wireshark has no literal for the least 64-bit number, and takes it for its own absolute value."""
ABSOLUTE = re.compile(r"abs\((\S+)\)")
LONGEST = 1900
"""Bytes of the longest request that `sharkd` reads."""


def sharkd(folder: Path) -> list[str]:
    """Return the command that runs the `sharkd` of the judging Wireshark."""
    program = Path(shutil.which(judging.PROGRAM) or judging.PROGRAM)
    text = program.read_bytes()[:2]
    if text != b"#!":
        return [str(program.with_name("sharkd"))]
    script = folder / "sharkd"
    script.write_text(program.read_text().replace("/usr/bin/tshark", "/usr/bin/sharkd"))
    script.chmod(0o755)
    return [str(script)]


def judged(
    capture: Path, filters: Iterable[str], folder: Path, method: str = "frames"
) -> list[list[int] | str]:
    """Return the packets that Wireshark selects by each filter, or why it rejects it.

    With the method `check` no packets, but whether it takes the filter.
    """
    plugins = folder / "home" / ".local" / "lib" / "wireshark" / "plugins"
    settings = folder / "home" / ".config" / "wireshark"
    for each in (plugins, settings):
        each.mkdir(parents=True, exist_ok=True)
    for each in (ROOT / "dissectors").glob("*.lua"):
        shutil.copy(each, plugins)
    (settings / "preferences").write_text("".join(f"{each}\n" for each in PREFERENCES + SHOWN))
    requests = [("load", {"file": str(capture)})]
    requests += [(method, {"filter": each}) for each in filters]
    lines = (
        json.dumps({"jsonrpc": "2.0", "id": at, "method": name, "params": given})
        for at, (name, given) in enumerate(requests, 1)
    )
    environment = {**os.environ, "HOME": str(folder / "home"), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*sharkd(folder), "-"], input="\n".join(lines) + "\n", capture_output=True, check=False,
        env=environment, text=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(answers) == len(requests), done.stderr[-2000:]
    return [
        [each["num"] for each in answer["result"] if method == "frames"]
        if "result" in answer
        else answer["error"]["message"]
        for answer in answers[1:]
    ]


def ours(found: Read, text: str, analysis: Analysis | None = None) -> list[int] | str:
    """Return the packets that we select, or the error; rules match if they are analysed."""
    try:
        chosen = compile_for_packets(text, found.fields)
    except FilterError as error:
        return f"rejected: {error}"
    if analysis is not None:
        chosen.learn(analysis, {})
    return [packet.number for packet in found.packets if chosen(packet)]


def names_of(found: Read) -> list[str]:
    """Return the fields of the frames and bodies of a capture.

    Of calls these are the fields of bodies: their frames are Wireshark's own `grpc`, and here a
    protocol also selects what is around its messages.
    """
    names: dict[str, None] = {}
    carried: set[str] = set()
    for row in found.rows:
        if not isinstance(row, FrameRow) or row.decoder is None:
            continue
        short = row.connection.wire.short
        if short == "grpc":
            protocols = found.fields.protocols.items()
            carried |= {
                name
                for name, each in protocols
                if row.values.get("path", "").lower() in call_paths(each)
            }
            continue
        names |= dict.fromkeys([short, *(f"{short}.{each}" for each in HEADS)])
        names |= {row.decoder.tree.name(each): None for each in row.decoder.tree.named()}
    names = {name: None for name in names if name not in carried}
    bodies = BodyFields(found.fields)
    named = [
        name
        for each in bodies.formats
        for name in (each, *(field.name for field in bodies.starting(f"{each}.")))
        if found.numbers(name)
    ]
    named += [each for each in bodies.texts() if found.numbers(each)]
    return [*named, *names]


def counted_otherwise(found: Read) -> set[str]:
    """Return fields that in plugins count a length before a frame that should have none."""
    return {
        field
        for row in found.rows
        if isinstance(row, FrameRow)
        and any("precedes the frame" in each.message for each in row.problems)
        for field in (row.connection.wire.short, f"{row.connection.wire.short}.length")
    }


def is_judged(found: Read, text: str) -> bool:
    """Return whether `sharkd` reads a filter, and Wireshark judges its numbers as we do."""
    absolute = ABSOLUTE.match(text)
    has_least = absolute is not None and ours(found, f"{absolute[1]} == {LEAST}") != []
    return LEAST not in text and len(json.dumps(text)) < LONGEST and not has_least


def differences_of(path: Path, folder: Path) -> tuple[int, list[str]]:
    """Return how many filters were drawn for a capture, and those that select other packets.

    A field that the plugin lacks is left out; the protocol itself must be there.
    """
    found = read(path)
    names = names_of(found)
    known = [
        each
        for each, answer in zip(names, judged(path, names, folder, "check"), strict=True)
        if not isinstance(answer, str)
    ]
    assert not names or names[0] in known, f"Wireshark does not know {names[0]}"
    name = f"{path.parent.parent.name}/{path.parent.name}"
    known = [each for each in known if each not in counted_otherwise(found)]
    filters = drawn(found.packets, known, found.fields, name, EACH)
    for since, differing in DIFFERS.items():
        if release() < since:
            filters = [each for each in filters if not re.search(differing, each)]
    filters = [each for each in filters if is_judged(found, each)]
    failed = []
    for text, theirs in zip(filters, judged(path, filters, folder), strict=True):
        mine = ours(found, text)
        if mine != theirs and not (isinstance(mine, str) and isinstance(theirs, str)):
            failed.append(f"{text}\n  Wireshark {theirs}\n  we        {mine}")
    return len(filters), failed


@pytest.mark.process
@pytest.mark.parametrize("name", CHOSEN)
def test_filters_select_the_same_packets(name: str, tmp_path: Path) -> None:
    """Drawn filters; a field that the plugin lacks is left out."""
    (path,) = (CAPTURES / name).glob("traffic.*")
    count, failed = differences_of(path, tmp_path)

    assert count > EACH // 4
    assert not failed, "\n".join(failed)


def comparable(filters: Iterable[str]) -> list[str]:
    """Return the filters that this release of Wireshark judges as we do."""
    differing = [each for releases, each in ANALYSED.items() if release() in releases]
    return [each for each in filters if not any(re.search(one, each) for one in differing)]


@pytest.mark.process
@pytest.mark.parametrize("name", ["lossy_line", "zero_window_consumer"])
def test_the_analysis_of_tcp_is_the_same(name: str, tmp_path: Path) -> None:
    """All its fields; newer releases read selective acknowledgements, and 4.6 more than 4.4."""
    (path,) = (CAPTURES / "rabbitmq_stream" / name).glob("traffic.*")
    filters = [each for each in HEADERS if each.startswith("tcp.analysis.")]
    filters += ["tcp.analysis.duplicate_ack_num > 2", "tcp.analysis.duplicate_ack_frame == 22"]
    filters = comparable(filters)
    selected = {
        text: (ours(read(path), text), theirs)
        for text, theirs in zip(filters, judged(path, filters, tmp_path), strict=True)
    }

    assert sum(bool(theirs) for _, theirs in selected.values()) > 3
    assert {text: mine for text, (mine, _) in selected.items()} == {
        text: theirs for text, (_, theirs) in selected.items()
    }


@pytest.mark.process
def test_layers_and_expert_items_are_the_same(tmp_path: Path) -> None:
    """Layers of what a packet completes; severities of TCP and of rules that match."""
    different = []
    for name, filters in LAYERS.items():
        (path,) = (CAPTURES / name).glob("traffic.*")
        alike = comparable(filters)
        answers = zip(alike, judged(path, alike, tmp_path), strict=True)
        found, analysis = read(path), Session([str(path)]).analysis(rules=True, matches=True)
        different += [
            (name, each) for each, theirs in answers if ours(found, each, analysis) != theirs
        ]

    assert different == []


@pytest.mark.process
def test_findings_are_at_the_same_packets() -> None:
    """Rules that the plugins have, by two passes; an end proves RMQ-K2b."""
    path = CAPTURES / "rabbitmq_stream" / "login_fails" / "traffic.pcapng"
    plugins = sorted((ROOT / "dissectors").glob("*.lua"))
    fields = ("-e", "frame.number", "-e", "rmqstream.finding", "-Y", "rmqstream.finding")
    shown = tshark(path, plugins, "-2", "-T", "fields", *fields)
    rows = [TAB.split(each) for each in shown.splitlines()]
    theirs = {(packet, rule) for packet, rules in rows for rule in rules.split(",")}
    found = read(path)
    chosen = compile_for_packets("rmqstream.finding", found.fields)
    analysis = Session([str(path)]).analysis(rules=True, matches=True)
    chosen.learn(analysis, {})
    values = chosen.fields.experts.values("rmqstream.finding")
    packets = {
        (str(packet.number), rule)
        for packet in found.packets
        if chosen(packet)
        for row in packet.rows
        for rule in values(row)
    }

    assert ("10", "RMQ-K2b") in theirs
    assert packets == theirs


@pytest.mark.process
def test_columns_are_those_of_the_packet_list() -> None:
    """Info and Protocol of the packets that complete a frame."""
    path = CAPTURES / CHOSEN[0] / "traffic.pcapng"
    found = read(path)
    fields = ("frame.number", "_ws.col.Protocol", "_ws.col.Info")
    asked = (part for each in fields for part in ("-e", each))
    shown = tshark(path, sorted((ROOT / "dissectors").glob("*.lua")), "-T", "fields", *asked)
    theirs = {int(each[0]): each[1:] for each in map(TAB.split, shown.splitlines())}
    names = ("_ws.col.protocol", "_ws.col.info")
    chosen = [compile_for_packets(name, found.fields) for name in names]
    getters = [
        each.fields.getter(FieldValue(each.used[0].field, each.used[0].field.type), EVENTS)
        for each in chosen
    ]
    ours = {
        packet.number: [value for each in getters for value in each.values(packet)]  # type: ignore[union-attr]
        for packet in found.packets
        if any(isinstance(row, FrameRow) for row in packet.rows)
    }

    assert len(ours) > 5
    assert ours == {number: theirs[number] for number in ours}


@pytest.mark.process
def test_filters_that_wireshark_rejects(tmp_path: Path) -> None:
    """Are rejected here."""
    path = CAPTURES / CHOSEN[0] / "traffic.pcapng"
    answers = zip(REJECTED, judged(path, REJECTED, tmp_path), strict=True)
    accepted = [text for text, theirs in answers if not isinstance(theirs, str)]
    kept = [each for each in REJECTED if not isinstance(ours(read(path), each), str)]

    assert (accepted, kept) == ([], [])
