"""Redacted captures: what is gone, and what stays."""

import os
import struct
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from tests.builders import Conversation, pcap
from tests.draw import some
from tests.failures import Failures
from tests.marker import TOKEN, found
from tests.recorded import index
from tests.sharing import marked_traffic
from tests.sharing.leaks import contents, leaks

import streamshark
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.schema.protobuf import UNKNOWN
from streamshark.session import unread_findings
from streamshark.sharing.policy import Policy
from streamshark.sharing.redaction import redact

KEY: Final = b"a key of the tests, of 32 bytes."
DEFAULT: Final = Policy()
ENCRYPTED: Final = ("tls", "leaf_s2")
"""Parts of the names of scenarios that are read only with their keys."""
COVER: Final = (
    "rabbitmq_stream/sub_batches", "rabbitmq_stream/login_fails",
    "rabbitmq_stream/bug_group_names_differ_js", "nats/jetstream_py", "nats/websocket_py",
    "nats/bug_stale_revision", "liftbridge/plain_go", "pravega/bug_newer_members_0_5",
    "rsocket/composite_metadata_in_fragments_java", "rsocket/bug_length_prefix_websocket_js_0_0",
)  # fmt: skip
"""Few captures of every protocol, carrier, codec and format."""
FEW: Final = 5
"""Captures of these that are redacted and judged, drawn."""


def judged(path: str | Path) -> tuple[list[Any], list[Any]]:
    """Return the rows of a capture, and its findings and conversations, without their texts."""
    with streamshark.open(str(path)) as session:
        analysis = session.analysis(rules=True, conversations=True)
        rows = [
            (
                getattr(row, "name", None), len(row.data), tuple(row.packets), row.sender,
                row.time_ns, [(each.code, each.offset, each.length) for each in row.problems],
                numbers(row.values) if isinstance(row, FrameRow) else None,
            )
            for row in analysis.rows()
        ]  # fmt: skip
        found = [*analysis.findings(), *unread_findings(session)]
        analysis.finish()
        talks = list(analysis.ended())
    facts: list[Any] = [
        (each.rule, each.severity, each.frames, each.packets, each.count, each.flow)
        for each in found
    ]
    facts += [
        (
            each.id, each.protocols, each.state, each.flows, each.first_frame, each.last_frame,
            each.frame_count, each.start, each.duration_ns, each.parent, sorted(each.measures),
        )
        for each in talks
    ]  # fmt: skip
    return rows, sorted(facts, key=repr)


SUMS: Final = {"chunk_crc", "crc", "crc32c", UNKNOWN}
"""Members that follow from others, and those of which nothing is known."""


def numbers(values: object) -> object:
    """Return the values of a frame, texts and bytes as their sizes; those in bodies left out."""
    if isinstance(values, dict):
        return {name: numbers(each) for name, each in values.items() if name not in SUMS}
    if isinstance(values, list):
        return [numbers(each) for each in values]
    return len(values) if isinstance(values, str | bytes) else values


BY_HAND: Final = "liftbridge/bug_envelopes_by_hand"
"""Its malformed envelopes are bodies, whose bytes are replaced: they are malformed elsewhere."""


def unchanging(before: list[Any], after: list[Any], members: int = 7) -> None:
    """Compare the first members of rows."""
    for one, other in zip(before, after, strict=True):
        assert one[:members] == other[:members]


def redacted(path: Path, folder: Path, policy: Policy = DEFAULT) -> Path:
    """Redact a capture."""
    out = folder / f"{path.parent.name}.pcapng"
    redact([str(path)], str(out), policy, KEY)
    return out


def holds(line: index.Line, folder: Path) -> None:
    """Check one recorded capture."""
    out = redacted(line.path, folder)
    before, after = judged(line.path), judged(out)
    assert before[1] == after[1]
    unchanging(before[0], after[0], 5 if line.capture == BY_HAND else 7)
    assert not leaks(line.path, out)
    out.unlink()


def test_frames_and_findings_stay_and_values_are_gone(tmp_path: Path) -> None:
    """Of some captures, drawn from few that show all carriers, codecs and formats."""
    with Failures() as failures:
        for name in some(COVER, FEW):
            with failures.of(name):
                holds(index.lines()[name], tmp_path)


@pytest.mark.sweep
def test_every_recorded_capture(tmp_path: Path) -> None:
    """But those that are read only with keys."""
    with Failures() as failures:
        for line in index.lines().values():
            if not any(each in line.capture for each in ENCRYPTED):
                with failures.of(line.capture):
                    holds(line, tmp_path)


def test_the_search_finds_what_is_there() -> None:
    """In the capture itself, all."""
    for name in COVER:
        path = index.lines()[name].path
        assert len(leaks(path, path)) > 1, name


def test_no_marker_is_left_in_any_slot(tmp_path: Path) -> None:
    """Of all protocols, in WebSocket and HTTP/2 too, raw, unpacked and in other encodings."""
    path, out = tmp_path / "in.pcap", tmp_path / "out.pcapng"
    path.write_bytes(marked_traffic.capture())
    known = marked_traffic.DECODE_AS
    report = redact([str(path)], str(out), DEFAULT, KEY, decode_as=known)
    assert report.dropped == 0
    with streamshark.open(str(path), decode_as=known, show_secrets=True) as session:
        rows = [row for row in session.rows() if isinstance(row, FrameRow)]
    seen = {row.decoder.tree.prefix for row in rows if row.decoder and TOKEN in row.data}
    assert len(seen) > 140
    assert found(contents(out).decode("latin-1")) is None


def written(path: Path, talk: Conversation) -> Path:
    """Write a connection as a capture."""
    path.write_bytes(pcap(talk.packets))
    return path


def publish(body: bytes) -> bytes:
    """Return a Publish of one message."""
    frame = b"\0\2\0\1\7" + struct.pack(">IQI", 1, 1, len(body)) + body
    return struct.pack(">I", len(frame)) + frame


def test_every_packet_that_carries_a_byte_has_the_same(tmp_path: Path) -> None:
    """Also one that repeats it, and one that claims other bytes for its place."""
    talk = Conversation().handshake()
    data = publish(b"a body of which no letter must stay")
    start = talk.next[0]
    talk.send(0, data, 10)
    talk.raw(0, start + 5, data[5:33])  # sent again, cut elsewhere
    talk.raw(0, start + 5, b"other letters than those before"[:28])
    talk.finish(0)
    path = written(tmp_path / "in.pcap", talk)
    out = tmp_path / "out.pcapng"
    redact([str(path)], str(out), Policy(), KEY, decode_as={5552: "rabbitmq_stream"})
    sent = [each.data for each in streamshark.open(str(out), decode_as={5552: "rabbitmq_stream"})]
    assert b"body" not in out.read_bytes()
    assert b"letters" not in out.read_bytes()
    (frame,) = [each for each in sent if each]
    assert out.read_bytes().count(frame[-10:]) == 1
    assert out.read_bytes().count(frame[5:33]) == 2, "the packets that repeat it"


def test_equal_values_are_equal_in_all_captures_with_one_key(tmp_path: Path) -> None:
    """And differ with another."""
    paths = [
        index.lines()[f"rabbitmq_stream/{name}"].path for name in ("sub_batches", "login_fails")
    ]
    hosts = set()
    for number, path in enumerate(paths):
        for key in (KEY, KEY[::-1]):
            out = tmp_path / f"{number}.pcapng"
            redact([str(path)], str(out), Policy(), key)
            with streamshark.open(str(out)) as session:
                named = next(each for each in session if each.kind == "response")
            fields = {each["key"]: each["value"] for each in named.fields["peer_properties"]}
            hosts.add((key, fields["cluster_name"]))
    assert len(hosts) == 2, "one name for each key"
    assert len({name for _, name in hosts}) == 2


def test_roles_that_are_kept_stay(tmp_path: Path) -> None:
    """Everywhere."""
    line = index.lines()["rabbitmq_stream/sub_batches"]
    out = redacted(line.path, tmp_path, Policy(frozenset({"stream"})))
    with streamshark.open(str(out)) as session, streamshark.open(str(line.path)) as original:
        names = [[each.fields.get("stream") for each in one] for one in (session, original)]
    assert names[0] == names[1]


def test_nothing_is_written_when_the_capture_cannot_be_read(tmp_path: Path) -> None:
    """Not even a temporary file."""
    out = tmp_path / "out.pcapng"
    with pytest.raises(StreamsharkError):
        redact([str(tmp_path / "missing.pcap")], str(out), Policy(), KEY)
    assert list(tmp_path.iterdir()) == []


def test_unknown_connections_are_left_out_or_blanked(tmp_path: Path) -> None:
    """As the policy says."""
    talk = Conversation(server=("10.0.0.2", 8765)).handshake()
    talk.send(0, b"something private")
    path, out = written(tmp_path / "in.pcap", talk), tmp_path / "out.pcapng"
    report = redact([str(path)], str(out), Policy(), KEY)
    assert (report.packets, report.dropped) == (0, 4)
    report = redact([str(path)], str(out), Policy(keep_unknown=True), KEY)
    assert (report.packets, report.dropped) == (4, 0)
    assert b"private" not in out.read_bytes()


def experts(path: Path, folder: Path) -> list[str]:
    """Return the items of tshark's expert information, with its plugins."""
    plugins = [each for name in PLUGINS for each in ("-X", f"lua_script:{name}")]
    done = subprocess.run(
        ["tshark", "-n", *plugins, "-r", str(path), "-Y", "_ws.expert", "-T", "fields",
         "-e", "frame.number", "-e", "_ws.expert.severity", "-e", "_ws.expert.group"],
        capture_output=True, text=True, check=True, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    return done.stdout.splitlines()


PLUGINS: Final = sorted((index.ROOT / "dissectors").glob("*.lua"))


@pytest.mark.process
def test_tshark_finds_nothing_new(tmp_path: Path) -> None:
    """In the frames, their carrier and TCP."""
    line = index.lines()["liftbridge/plain_go"]
    found = experts(redacted(line.path, tmp_path), tmp_path)
    assert found
    assert set(found) <= set(experts(line.path, tmp_path))


@pytest.mark.sweep
def test_tshark_finds_nothing_new_in_any_capture(tmp_path: Path) -> None:
    """In those whose TLS is blanked, too."""
    with Failures() as failures:
        for line in index.lines().values():
            with failures.of(line.capture):
                out = redacted(line.path, tmp_path)
                assert set(experts(out, tmp_path)) <= set(experts(line.path, tmp_path))
                out.unlink()
