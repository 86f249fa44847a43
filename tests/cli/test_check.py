"""`streamshark check`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.shell_completion import ShellComplete
from tests.builders import START_NS, Conversation, Packet, pcap
from tests.cli import reports
from tests.cli.console import call
from tests.failures import every
from tests.madeup import parrot_traffic

from streamshark.capture import open_capture
from streamshark.cli.main import program
from streamshark.conversations.tables import Constant
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

ROOT = Path(__file__).parents[2]
STARVES = str(ROOT / "captures/rabbitmq_stream/credit_starves_java/traffic.pcapng.gz")
"""A consumer that is out of credit: rule RMQ-C2, a warning."""
WORST = ("--level", "warning")
"""Without the notes that healthy connections have."""
REFUSED = str(ROOT / "captures/rabbitmq_stream/login_fails/traffic.pcapng")
"""A login that the broker refuses: rule RMQ-N6, an error."""
CLEAN = str(ROOT / "captures/rabbitmq_stream/publish_confirm/traffic.pcapng")


def rules(folder: Path, text: str) -> str:
    """A file of the user's."""
    path = folder / "rules.toml"
    path.write_text(text)
    return str(path)


def test_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule, frame and packet, sentence, cause, source, and how many."""
    done = call(monkeypatch, "check", STARVES)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("[W] warning RMQ-C2  ")
    assert "\n  frame " in done.out
    assert "\n    cause: " in done.out
    assert "\n    source: PROTOCOL.adoc, Credit" in done.out
    assert " in 99 frames of 3 connections (" in done.out.splitlines()[-1]


def test_findings_as_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is new, then settled; what is too small to report is left out in both."""
    done = call(monkeypatch, "check", "-l", "-T", "ndjson", "--level", "warning", STARVES)
    changes = [json.loads(line) for line in done.out.splitlines()]
    text = call(monkeypatch, "check", "-l", "--fail-on", "warning", STARVES)
    refused = call(monkeypatch, "check", "-l", "-T", "sarif", STARVES)

    assert [(each["change"], each["rule"]) for each in changes] == [
        ("new", "RMQ-C2"),
        ("settled", "RMQ-C2"),
    ]
    assert text.code == 1
    assert "#2 [W] warning RMQ-C2  " in text.out
    total = "1 warning, 1 note in 99 frames of 3 connections"
    assert re.search(rf"^{total} \(\d+ rules checked\)\n\Z", text.out, re.MULTILINE)
    assert (refused.code, "-T text, json or ndjson" in refused.err) == (2, True)


def test_known_findings_fail_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They are counted, also with other frame numbers; other findings are reported and fail."""
    known = str(tmp_path / "known.json")
    fails = (*WORST, "--fail-on", "warning")
    written = call(monkeypatch, "check", *fails, "--write-baseline", known, STARVES)
    quiet = call(monkeypatch, "check", *fails, "--baseline", known, CLEAN, STARVES)
    loud = call(monkeypatch, "check", *fails, "--baseline", known, STARVES, REFUSED)
    sarif = call(monkeypatch, "check", "-T", "sarif", *WORST, "--baseline", known, STARVES, REFUSED)
    live = call(monkeypatch, "check", "-l", "--baseline", known, STARVES)
    wrong = call(monkeypatch, "check", "--baseline", STARVES, STARVES)
    states = [each["baselineState"] for each in json.loads(sarif.out)["runs"][0]["results"]]

    assert (written.code, " warning RMQ-C2 " in written.out) == (0, True)
    assert (quiet.code, "RMQ-C2" in quiet.out) == (0, False)
    assert quiet.out.endswith("; 1 in the baseline\n")
    assert (loud.code, "RMQ-C2" in loud.out, "RMQ-N6" in loud.out) == (1, False, True)
    assert (states.count("unchanged"), states.count("new") > 0) == (1, True)
    assert (live.code, wrong.code) == (2, 2)
    assert "not a baseline" in wrong.err


def test_how_to_open_wireshark(monkeypatch: pytest.MonkeyPatch) -> None:
    """On request each finding has the command that shows its packet."""
    done = call(monkeypatch, "check", "--open", *WORST, STARVES)

    assert f"\n      open: wireshark -g 111 {STARVES}\n" in done.out


def test_message_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that judge read bodies by their formats: here a cut section of AMQP 1.0."""
    path = str(ROOT / "captures/rabbitmq_stream/raw_payloads/traffic.pcapng")
    checked = [
        json.loads(line)
        for line in call(monkeypatch, "check", "-T", "ndjson", path).out.splitlines()
    ]
    told = call(monkeypatch, "explain", path).out

    assert "RMQ-Q3" in {each["rule"] for each in checked}
    assert "RMQ-Q3" in told


def test_a_sample_of_message_bodies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, unless all are asked for."""
    monkeypatch.setattr("streamshark.conversations.bodies.ALL_UP_TO", 0)
    monkeypatch.setattr("streamshark.conversations.bodies.ALLOWED", 0)
    path = str(ROOT / "captures/rabbitmq_stream/raw_payloads/traffic.pcapng")
    sample, every_body = (
        call(monkeypatch, "check", path, *more) for more in ((), ("--all-bodies",))
    )

    assert ("RMQ-Q3" in sample.out, "RMQ-Q3" in every_body.out) == (False, True)
    assert ("--all-bodies" in sample.err, every_body.err) == (True, "")


def test_one_side_is_not_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text says what was not captured, and JSON holds findings alone."""
    path = str(ROOT / "captures/rabbitmq_stream/client_side_only/traffic.pcapng")
    text, objects = (call(monkeypatch, "check", path, "-T", each).out for each in ("text", "json"))

    assert text.splitlines()[-1].startswith("1 connection is incomplete (only one side was")
    assert "incomplete" not in objects


def test_ctrl_c_shows_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of connections that are still open, too."""
    batches = Session.batches

    def interrupted(session: Session) -> Iterator[list[Row]]:
        for rows in batches(session):
            for at, row in enumerate(rows):
                if getattr(row, "name", "") == "unsubscribe":
                    yield rows[: at + 1]
                    raise KeyboardInterrupt

    monkeypatch.setattr(Session, "batches", interrupted)
    done = call(monkeypatch, "check", STARVES)

    assert done.code == 130
    assert "RMQ-C2" in done.out


def test_silenced_echoes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Secondary findings of a silenced rule are not reported either."""
    capture = str(ROOT / "captures/rabbitmq_stream/login_fails/traffic.pcapng")
    plain = call(monkeypatch, "check", "-T", "ndjson", capture)
    found = next(each for each in map(json.loads, plain.out.splitlines()) if each["echoes"])
    echo = found["echoes"][0]["rule"]
    quiet = rules(tmp_path, f'[silence]\n{echo} = "known"\n')
    done = call(monkeypatch, "check", "-T", "ndjson", "--rules", quiet, capture)

    again = next(e for e in map(json.loads, done.out.splitlines()) if e["rule"] == found["rule"])
    assert echo not in {each["rule"] for each in again["echoes"]}


def test_a_healthy_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing to say, and exit code 0 whatever is a failure."""
    done = call(monkeypatch, "check", "--fail-on", "warning", CLEAN)

    assert (done.code, done.err) == (0, "")
    assert " in 26 frames of 1 connection (" in done.out
    assert "warning" not in done.out


@pytest.mark.parametrize(
    ("level", "code"), [("chat", 1), ("note", 1), ("warning", 1), ("error", 0)]
)
def test_what_fails(level: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings at or above a severity."""
    done = call(monkeypatch, "check", "-q", "--fail-on", level, STARVES)
    assert (done.code, done.out) == (code, "")


def test_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is less severe is not reported, but for what fails."""
    assert call(monkeypatch, "check", "--level", "error", STARVES).out.startswith("no findings")
    done = call(monkeypatch, "check", "--level", "error", "--fail-on", "warning", STARVES)
    assert (done.code, done.out[:11]) == (1, "[W] warning")


def test_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array, or an object a line."""
    array = json.loads(call(monkeypatch, "check", *WORST, "-T", "json", STARVES).out)
    lines = call(monkeypatch, "check", *WORST, "-T", "ndjson", STARVES).out.splitlines()

    assert [each["rule"] for each in array] == ["RMQ-C2"]
    assert [json.loads(line) for line in lines] == array
    assert json.loads(call(monkeypatch, "check", *WORST, "-T", "json", CLEAN).out) == []


def test_sarif_and_junit(monkeypatch: pytest.MonkeyPatch) -> None:
    """For code hosts and CI systems."""
    sarif = json.loads(call(monkeypatch, "check", *WORST, "-T", "sarif", STARVES).out)
    junit = ET.fromstring(call(monkeypatch, "check", "-T", "junit", STARVES).out)  # noqa: S314 - ours

    (result,) = sarif["runs"][0]["results"]
    known = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert known[result["ruleIndex"]]["id"] == result["ruleId"] == "RMQ-C2"
    assert junit.attrib["failures"] == "1"
    assert [each.attrib["name"] for each in junit] == ["streamshark.rabbitmq_stream"]


def test_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silenced rule is not reported and fails nothing; SARIF has it with the reason."""
    path = rules(tmp_path, '[silence]\nRMQ-C2 = "the test starves on purpose"')
    arguments = ("check", *WORST, "--rules", path, "--fail-on", "warning", STARVES)
    done = call(monkeypatch, *arguments)
    sarif = json.loads(call(monkeypatch, *arguments, "-T", "sarif").out)
    junit = ET.fromstring(call(monkeypatch, *arguments, "-T", "junit").out)  # noqa: S314 - ours

    assert done.code == 0
    assert done.out.startswith("no findings in 99 frames")
    assert done.out.endswith("; 1 silenced\n")
    (result,) = sarif["runs"][0]["results"]
    assert result["suppressions"][0]["justification"] == "the test starves on purpose"
    assert (junit.attrib["failures"], junit.attrib["skipped"]) == ("0", "3")


def test_severities_and_thresholds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the user has them."""
    worse = rules(tmp_path, '[severity]\nRMQ-C2 = "error"')
    assert call(monkeypatch, "check", "--rules", worse, STARVES).out.startswith("[E] error RMQ-C2")

    told = json.loads(call(monkeypatch, "check", "--list-rules", "-T", "json").out)
    starving = next(each for each in told if each["rule"] == "RMQ-C2")
    assert set(starving["thresholds"]) == {"MUCH_LONGER", "STARVING"}
    later = rules(tmp_path, '[thresholds.rabbitmq_stream]\nSTARVING = "1 h"')
    done = call(monkeypatch, "check", *WORST, "--rules", later, STARVES)
    assert done.out.startswith("no findings")


@pytest.mark.parametrize("protocol", ["rabbitmq_stream", "rsocket"])
def test_every_threshold_can_be_set(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To what it is: then nothing changes."""
    tables = next(each for each in catalog() if each.wire.id == protocol).conversations
    thresholds = [each for each in tables if isinstance(each, Constant)]
    lines = [
        f"{each.name} = {json.dumps(each.value)}"
        for each in thresholds
        if isinstance(each.value, (int, str))
    ]
    same = rules(tmp_path, "\n".join([f"[thresholds.{protocol}]", *lines]))
    done = call(monkeypatch, "check", "--rules", same, STARVES)

    assert len(lines) >= 7
    assert done.out == call(monkeypatch, "check", STARVES).out


def test_limits_of_what_repeats_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of times, within a window."""
    storm = "captures/rabbitmq_stream/bug_subscribe_in_a_loop/traffic.pcapng"
    more = rules(tmp_path, "[thresholds.rabbitmq_stream]\nREFUSED_LIMIT = 1000")
    soon = rules(tmp_path, '[thresholds.rabbitmq_stream]\nREFUSED_WINDOW = "1 us"')

    assert "RMQ-X7" in call(monkeypatch, "check", storm).out
    for file in (more, soon):
        assert "RMQ-X7" not in call(monkeypatch, "check", "--rules", file, storm).out


def test_rules_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the language of the tables, beside the others."""
    own = """
[[rule]]
id = "SHOP-1"
protocol = "rabbitmq_stream"
severity = "error"
title = "Stream without a prefix"
on = "create"
when = 'not starts(stream, "shop.")'
message = "stream {stream} has no prefix"
"""
    done = call(monkeypatch, "check", "--rules", rules(tmp_path, own), STARVES)
    assert done.out.startswith("[E] error SHOP-1  Stream without a prefix  (protocol)\n")
    assert "stream credit_starves_java has no prefix" in done.out

    wrong = rules(tmp_path, own.replace("stream, ", "streams, "))
    done = call(monkeypatch, "check", "--rules", wrong, STARVES)
    assert (done.code, done.out) == (2, "")
    assert "streams" in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[silence]\nRMQ-C2 = ''", "must state the reason"),
        ("a = ", "invalid TOML"),
        ("x = 1", "unknown name 'x'"),
    ],
)
def test_what_is_wrong_in_the_users_file(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is named with the file."""
    path = rules(tmp_path, text)
    done = call(monkeypatch, "check", "--rules", path, CLEAN)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"streamshark: {path}: ")
    assert told in done.err


def test_no_such_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rules."""
    done = call(monkeypatch, "check", "--rules", "nowhere.toml", CLEAN)
    assert done.code == 2
    assert "nowhere.toml: No such file" in done.err


def test_lists_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """And all about one, by any spelling of its case; nothing is read."""
    listed = call(monkeypatch, "check", "--list-rules").out
    assert listed.splitlines()[0].split() == ["rule", "severity", "group", "what"]
    assert "\nRMQ-C2  " in listed

    told = call(monkeypatch, "check", "--explain-rule", "rmq-c2").out
    assert told.startswith("RMQ-C2  ")
    assert "\n  Source:     PROTOCOL.adoc, Credit\n" in told
    done = call(monkeypatch, "check", "--explain-rule", "RMQ-C22")
    assert (done.code, done.out) == (2, "")
    assert "unknown rule 'RMQ-C22'; did you mean RMQ-" in done.err


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said on stderr, with flows and ports; what was not read is no success."""
    path = parrot_traffic.write(
        tmp_path, Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"?" * 9)
    )
    done = call(monkeypatch, "check", "--fail-on", "chat", path)

    assert done.code == 2
    assert done.out.splitlines()[-1].startswith(f"nothing decoded: {path}: no known protocol")
    assert call(monkeypatch, "check", path).code == 0
    assert "10.0.0.2:80 (flow 0, 9 bytes)" in done.err


def test_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before it is told; it counts with --strict, and SARIF says so."""
    path = tmp_path / "cut.pcapng"
    path.write_bytes(Path(CLEAN).read_bytes()[:-7])

    done = call(monkeypatch, "check", "--strict", str(path))
    assert done.code == 3
    assert "the file ends inside" in done.err
    sarif = json.loads(call(monkeypatch, "check", "-T", "sarif", str(path)).out)
    (told,) = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "the file ends inside" in told["message"]["text"]


@pytest.mark.slow
@every("name", reports.names())
def test_reports_of_recorded_captures(name: str) -> None:
    """What all three commands say is what was looked at."""
    assert (reports.FOLDER / name).read_text("utf-8") == reports.report(name), (
        "python -m tests.cli.reports, and look at what changed"
    )


def mixed(folder: Path, *others: Conversation, healthy: bool = True) -> str:
    """A capture of a healthy connection, and of others beside it."""
    own = open_capture(CLEAN).batches() if healthy else ()
    recorded = [
        Packet(time_ns, batch.data[start : start + captured], captured)
        for batch in own
        for time_ns, start, captured in zip(batch.times, batch.starts, batch.captured, strict=True)
    ]
    path = folder / "mixed.pcap"
    path.write_bytes(pcap(sorted([*recorded, *(p for each in others for p in each.packets)])))
    return str(path)


def hello(port: int, client: int = 40_000) -> Conversation:
    """A connection of which nothing can be read without keys."""
    made = Conversation(("10.0.0.1", client), ("10.0.0.2", port)).handshake()
    return made.send(0, b"\x16\x03\x01\x02\x00\x01" + bytes(500)).finish(0).finish(1)


def found(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[dict[str, Any]]:
    """Findings of TCP itself."""
    done = call(monkeypatch, "check", "-T", "ndjson", *arguments)
    return [each for each in map(json.loads, done.out.splitlines()) if each["protocol"] == "tcp"]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("rabbitmq_stream/bug_wrong_password", "RMQ-N6"),
        ("rabbitmq_stream/bug_wrong_password_in_a_loop", "RMQ-N6"),
        ("rabbitmq_stream/vhost_missing", "RMQ-N6"),
        ("nats/wrong_password_py", "NATS-N9c"),
        ("rsocket/setup_refused_java", "RSK-C22"),
        ("rsocket/setup_refused_websocket_py", "RSK-C22b"),
        ("pravega/wrong_token_by_hand", "PRV-P51"),
    ],
)
def test_a_client_that_is_never_let_in_fails(
    monkeypatch: pytest.MonkeyPatch, name: str, rule: str
) -> None:
    """An error, in every protocol, and one for all its tries."""
    (path,) = map(str, (ROOT / "captures" / name).glob("traffic.pcapng*"))
    done = call(monkeypatch, "check", "--fail-on", "warning", "-T", "ndjson", path)
    errors = [each for each in map(json.loads, done.out.splitlines()) if each["rule"] == rule]

    assert done.code == 1
    assert {each["severity"] for each in errors} == {"error"}
    assert len({each["message"] for each in errors}) == len(errors)


def test_nothing_read_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding with packets and flow, exit code 2 where success was asked for, in all formats."""
    path = mixed(tmp_path, hello(443), hello(443, 40_001), healthy=False)
    (one,) = found(monkeypatch, path)
    sarif = json.loads(call(monkeypatch, "check", "-T", "sarif", path).out)["runs"][0]
    junit = ET.fromstring(call(monkeypatch, "check", "-T", "junit", path).out)  # noqa: S314 - ours

    assert (one["rule"], one["severity"], one["group"]) == ("TCP-U1", "warning", "undecoded")
    assert (one["flow"], one["frames"], one["count"]) == (0, [], 2)
    assert len(one["packets"]) == 2
    assert "10.0.0.2:443" in one["message"]
    assert "2 of TLS" in one["message"]
    assert junit.attrib["errors"] == "1"
    assert junit.find(".//testcase/error") is not None
    notes = sarif["invocations"][0]["toolExecutionNotifications"]
    assert any("no known protocol" in each["message"]["text"] for each in notes)
    for arguments, code in (((), 0), (("--fail-on", "error"), 2), (("--strict",), 2)):
        assert call(monkeypatch, "check", *arguments, path).code == code, arguments


def test_what_stands_beside_fails_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs' connections are one chat; one on a protocol's port is a warning."""
    others = [hello(443, 40_000 + each) for each in range(9)]
    path = mixed(tmp_path, *others)
    assert call(monkeypatch, "check", "--fail-on", "warning", path).code == 0
    assert found(monkeypatch, path) == []
    (one,) = found(monkeypatch, "--level", "chat", path)
    assert (one["rule"], one["severity"], one["count"]) == ("TCP-U1", "chat", 9)

    path = mixed(tmp_path, *others, hello(5551, 50_000))
    (one,) = found(monkeypatch, path)
    assert (one["severity"], one["count"]) == ("warning", 1)
    assert "10.0.0.2:5551" in one["message"]
    assert call(monkeypatch, "check", "--fail-on", "warning", path).code == 1


@pytest.mark.parametrize(("size", "expected"), [(17, []), (200, ["warning"])])
def test_the_last_frames_of_a_connection_are_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, expected: list[str]
) -> None:
    """Few bytes of a connection that began before the capture show no protocol."""
    rest = Conversation(("10.0.0.1", 50_000), ("10.0.0.2", 5551)).send(0, bytes(size))
    path = mixed(tmp_path, rest)

    assert [each["severity"] for each in found(monkeypatch, path)] == expected


@pytest.mark.parametrize(
    ("name", "rule", "event", "count"),
    [
        ("cluster_stops_py", "TCP-C1", "refused", 7),
        ("cluster_vanishes_py", "TCP-C2", "unanswered", 4),
    ],
)
def test_attempts_at_an_endpoint_that_a_server_tells_of(
    monkeypatch: pytest.MonkeyPatch, name: str, rule: str, event: str, count: int
) -> None:
    """INFO names a port that is no protocol's, and that never took a connection."""
    path = str(ROOT / "captures/nats" / name / "traffic.pcapng")
    tries = [each for each in found(monkeypatch, path) if each["rule"] == rule]
    one = next(each for each in tries if "127.0.0.1:14222" in each["message"])
    told = json.loads(call(monkeypatch, "info", "-T", "json", path).out)["attempts"]
    lines = call(monkeypatch, "read", "-T", "ndjson", path).out.splitlines()
    rows = [row for row in map(json.loads, lines) if row["dst"].endswith(":14222")]

    assert (one["severity"], one["count"]) == ("warning", count)
    assert f"{count} connection attempts to 127.0.0.1:14222" in one["message"]
    assert {each["endpoint"]: each[event] for each in told}["127.0.0.1:14222"] == count
    assert "127.0.0.1:14222" in call(monkeypatch, "stats", "--table", "attempts", path).out
    assert len(one["packets"]) >= count
    assert all(row["protocol"] == "tcp" for row in rows)


def test_failed_attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One finding an endpoint, whichever protocol's it is; none for ports of others."""
    seconds = 1_000_000_000
    tries = [
        Conversation(
            ("10.0.0.1", 41_000 + at), ("10.0.0.2", port), start_ns=START_NS + at * seconds
        ).refused()
        for at, port in enumerate([5552] * 6 + [81] * 3)
    ]
    tries.append(Conversation(("10.0.0.1", 42_000)).unanswered(seconds, 2 * seconds))
    path = mixed(tmp_path, *tries)
    refused, unanswered = found(monkeypatch, path)

    assert refused["message"] == "6 connection attempts to 10.0.0.2:5552 refused within 5 s"
    assert (refused["rule"], refused["severity"], refused["count"]) == ("TCP-C1", "warning", 6)
    assert len(refused["packets"]) == 6
    assert unanswered["message"] == "1 connection attempt to 10.0.0.2:5552 unanswered for 3 s"
    assert (unanswered["rule"], unanswered["severity"]) == ("TCP-C2", "note")
    told = json.loads(call(monkeypatch, "info", "-T", "json", path).out)
    assert told["attempts"] == [{"endpoint": "10.0.0.2:5552", "refused": 6, "unanswered": 1}]
    assert "10.0.0.2:5552        6           1" in call(monkeypatch, "stats", path).out
    lines = call(monkeypatch, "read", "-T", "ndjson", path).out.splitlines()
    commands = [row["command"] for row in map(json.loads, lines) if row["kind"] == "event"]
    assert commands.count("refused") == 6
    assert commands.count("unanswered") == 1


def test_rules_of_tcp_are_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed, explained, silenced, and as severe as the user says."""
    path = mixed(tmp_path, hello(443), healthy=False)
    quiet = rules(tmp_path, '[silence]\nTCP-U1 = "known"\n[severity]\nTCP-C1 = "error"\n')
    assert "TCP-C1" in call(monkeypatch, "check", "--list-rules").out
    assert "refused" in call(monkeypatch, "check", "--explain-rule", "tcp-c1").out
    assert found(monkeypatch, "--rules", quiet, path) == []
    twice = [Conversation(("10.0.0.1", 41_000 + each)).refused() for each in range(2)]
    path = mixed(tmp_path, *twice, healthy=False)
    (one,) = found(monkeypatch, "--rules", quiet, path)
    assert (one["rule"], one["severity"]) == ("TCP-C1", "error")


def test_attempts_before_one_that_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clients that wait for a server are healthy, and so are those of one that stops."""
    ends = [(("127.0.0.1", 41_000 + each), ("127.0.0.1", 5552)) for each in range(3)]
    waits = mixed(tmp_path, *(Conversation(*each).refused() for each in ends))
    (note,) = found(monkeypatch, waits)
    stops = str(ROOT / "captures/rabbitmq_stream/cluster_leader_stops_java/traffic.pcapng.gz")
    (stopped, *_) = found(monkeypatch, stops)

    assert (note["rule"], note["severity"], note["count"]) == ("TCP-C1", "note", 3)
    assert note["message"].endswith("; a later one is accepted")
    assert (stopped["rule"], stopped["severity"]) == ("TCP-C1", "note")
    assert stopped["message"].endswith("; an earlier one was accepted")


def test_ids_of_rules_are_completed() -> None:
    """With their titles, for shells that show them."""
    shell = ShellComplete(program, {}, "streamshark", "_STREAMSHARK_COMPLETE")
    found = shell.get_completions(["check", "--explain-rule"], "rmq-c2")

    assert [each.value for each in found] == ["RMQ-C2", "RMQ-C2b", "RMQ-C2c"]
    assert found[1].help == "subscription without credit"
