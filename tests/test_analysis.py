"""The analysis of a reading: conversations and findings while rows come."""

import io
import itertools
import os
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.madeup import parrot_traffic
from tests.packets import packets, recorded

from streamshark.capture import merge
from streamshark.capture.pcapng import INTERFACE_STATISTICS, Options
from streamshark.capture.pcapng_writer import PcapngWriter, block, option
from streamshark.dissection.row import FrameRow
from streamshark.findings.user_rules import UserRules
from streamshark.session import Session


def test_analysis_of_a_protocol_from_elsewhere(tmp_path: Path) -> None:
    """A protocol in a folder of the user has its own tables and rules."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login())
    made.send(0, parrot_traffic.say())
    made.send(1, parrot_traffic.said(code=1))
    made.send(1, parrot_traffic.feed())
    path = parrot_traffic.write(tmp_path, made)
    analysis = parrot_traffic.session(path).analysis(rules=True, conversations=True)
    rows = [row for row in analysis.rows() if isinstance(row, FrameRow)]
    answer = rows[2]

    assert (answer.annotation.conversation, answer.annotation.request_frame) == ("0-5-call", 2)
    assert dict(answer.annotation.context) == {"user": "ara"}
    assert [(each.type, each.state) for each in analysis.ended()] == [
        ("call", "failed"), ("flock", "open"), ("connection", "open"),
    ]  # fmt: skip
    assert [(each.rule, each.frames, each.message) for each in analysis.findings()] == [
        ("PRT-1", (2, 3), "hello is 1 (too_loud)"),
    ]  # fmt: skip
    assert analysis.capped == {}

    again, ready = parrot_traffic.session(path).analysis(rules=True, annotates=False), []
    batches = list(again.batches(ready.append))
    given = [row.order for part in batches for row in part if isinstance(row, FrameRow)]
    assert given == [row.order for row in rows]
    assert ([each.rule for each in again.findings()], ready) == (["PRT-1"], [])


def test_ids_name_the_packet_in_which_conversations_begin(tmp_path: Path) -> None:
    """An id has the frame's position in its packet, and the file, unless these are the first."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login())
    made.send(0, b"".join(parrot_traffic.say(number=each) for each in (1, 2, 3)))
    first, made.packets = made.packets, []
    made.send(0, b"".join(parrot_traffic.say(number=each) for each in (4, 5)))
    made.send(1, b"".join(map(parrot_traffic.said, range(1, 6))))
    later, made.packets = made.packets, first
    paths = [parrot_traffic.write(tmp_path, made)]
    made.packets = later
    paths.append(parrot_traffic.write(tmp_path, made, name="later.pcap"))
    analysis = parrot_traffic.session(*paths).analysis(conversations=True)
    list(analysis.rows())

    assert [each.id for each in analysis.ended()] == [
        "0-5-call", "0-5.2-call", "0-5.3-call", "0-2:1-call", "0-2:1.2-call", "0-4-connection",
    ]  # fmt: skip


def test_thresholds_and_silence(tmp_path: Path) -> None:
    """Users can change constants of rules, and turn rules off."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    for each in (parrot_traffic.login(), parrot_traffic.squawk(), parrot_traffic.squawk()):
        made.send(0, each)
    made.send(1, parrot_traffic.squawk())
    made.send(0, parrot_traffic.squawk())
    path = parrot_traffic.write(tmp_path, made)

    def found(thresholds: dict[str, Any], *silenced: str) -> list[str]:
        tables = UserRules(thresholds={"parrot_talk": thresholds}).tables(
            "parrot_talk", parrot_traffic.PROTOCOL.conversations
        )
        protocols = (replace(parrot_traffic.PROTOCOL, conversations=tables),)
        session = Session([path], protocols=protocols)
        analysis = session.analysis(rules=True, silenced=frozenset(silenced))
        for _ in analysis.rows():
            pass
        return [each.message for each in analysis.findings()]

    hungry = {"HUNGRY": "2 ms"}
    assert found({}) == []
    assert found(hungry) == ["ara was not fed for 2 ms"]
    assert found(hungry, "PRT-2") == []


def test_a_silent_source_lets_timers_fire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers of a live source fire by the time that has passed, those of a file by its packets."""
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    for each in (parrot_traffic.login(), parrot_traffic.squawk()):
        made.send(0, each)
    made.send(1, parrot_traffic.squawk())
    path = Path(parrot_traffic.write(tmp_path, made))
    reading, writing = os.pipe()
    os.write(writing, path.read_bytes())
    clock = itertools.count(0, 3600 * 1_000_000_000)
    monkeypatch.setattr("streamshark.session.time.monotonic_ns", lambda: next(clock))
    monkeypatch.setattr("streamshark.session.IDLE", 0.001)
    heard = []
    with os.fdopen(reading, "rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        followed = Session(["-"], protocols=(parrot_traffic.PROTOCOL,), live=True)
        analysis = followed.analysis(rules=True, follow=True)
        for _ in analysis.batches(lambda _row: None):
            analysis.tick()
            heard += [(each.change.value, each.finding.rule) for each in analysis.news()]
            if heard and writing >= 0:
                os.close(writing)
                writing = -1
    file = parrot_traffic.session(str(path)).analysis(rules=True)
    for _ in file.rows():
        pass

    assert heard == [("new", "PRT-2")]
    assert file.findings() == []


def test_ticks_between_batches_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that is held back precedes the timers of later packets, since it may stop them."""
    monkeypatch.setattr(merge, "MOST_PACKETS", 1)
    made = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login())
    made.send(0, parrot_traffic.squawk()).send(1, parrot_traffic.squawk())
    made.time_ns += 1_900_000_000
    made.send(1, parrot_traffic.feed())
    made.time_ns += 1_000_000_000
    made.acknowledge(0)
    analysis = parrot_traffic.session(parrot_traffic.write(tmp_path, made)).analysis(rules=True)
    for _ in analysis.batches(lambda _row: None):
        analysis.tick()

    assert analysis.findings() == []


@pytest.mark.parametrize(
    ("capture", "rule"),
    [
        ("rabbitmq_stream/heartbeat_missed", "RMQ-H1"),
        ("rsocket/bug_keepalive_unanswered", "RSK-K2"),
    ],
)
def test_dropped_packets_accuse_nobody(capture: str, rule: str, tmp_path: Path) -> None:
    """A frame that is missing is no finding if the capture says that packets were dropped."""
    found = packets(*recorded(capture))
    found = found[: len(found) * 9 // 10]
    path = tmp_path / "drops.pcapng"
    for dropped in (0, 1):
        writer = PcapngWriter()
        blocks = [writer.section(), writer.interface(found[0].link)]
        blocks += [writer.packet(each.time_ns, each.data) for each in found]
        count = option(Options.ISB_IFDROP, struct.pack("<Q", dropped))
        blocks.append(block(INTERFACE_STATISTICS, struct.pack("<III", 0, 0, 0) + count))
        path.write_bytes(b"".join(blocks))
        analysis = Session([str(path)]).analysis(rules=True)
        for _ in analysis.rows():
            pass
        assert (rule in {each.rule for each in analysis.findings()}) is (dropped == 0)
