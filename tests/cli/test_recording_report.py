"""What the reader of a recording prints: rows with changes of findings, or findings at the end."""

import io
import json
import os
from pathlib import Path

import pytest
from tests.cli.test_recording_reader import recording
from tests.packets import packets, recorded, write

from streamshark.cli.recording_report import FOUND_LATER, command

Printed = tuple[int, str, str]


def report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], names: str, *given: str
) -> Printed:
    """Exit code, output and errors of a report on files."""
    reader, writer = os.pipe()
    os.write(writer, names.encode())
    os.close(writer)
    monkeypatch.setattr(os, "nice", lambda _by: 0)
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(pipe)))
        code = command([*given], standalone_mode=False)
    return code, *capsys.readouterr()


def test_rows_and_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `read` and `check -l` print them; selected by a filter; as JSON; from a time on."""
    name = f"{recording(tmp_path)}\n"

    code, out, errors = report(monkeypatch, capsys, name, "--rows", "--fail-on", "error")
    assert (code, errors) == (FOUND_LATER, "")
    assert "nats      connect" in out
    assert "#1 [E] error NATS-N2" in out
    assert "\n1 error, 1 consequence in 4 frames" in out

    code, out, errors = report(monkeypatch, capsys, name)
    assert (code, out) == (0, "")
    assert errors.startswith("[E] error NATS-N2")

    given = ("--rows", "-T", "ndjson", "-Y", 'nats.command == "pub"', "--level", "error")
    code, out, errors = report(monkeypatch, capsys, name, *given)
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["command"] for each in found if "command" in each] == ["pub"]
    assert {each["rule"] for each in found if "rule" in each} == {"NATS-N2"}

    code, out, errors = report(monkeypatch, capsys, name, "--rows", "--since", str(1 << 62))
    assert "nats      connect" not in out
    assert "NATS-N2" in out


def test_a_clock_that_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the clock is set back during a capture, rows and findings keep the order of packets."""
    found = packets(*recorded("rabbitmq_stream/bug_answer_with_wrong_id"))
    hour, half = 3_600_000_000_000, len(found) // 2
    back = [each._replace(time_ns=each.time_ns - hour) for each in found[half:]]
    seen = []
    for each in (found, [*found[:half], *back]):
        name = f"{write(tmp_path / 'recording', each)}\n"
        code, out, _ = report(monkeypatch, capsys, name, "--rows", "-T", "ndjson")
        rows = [json.loads(line) for line in out.splitlines()]
        kept = ("frame", "packets", "command", "fields", "rule", "frames")
        told = [[row.get(name) for name in kept] for row in rows]
        news = sorted((row for row in told if row[4]), key=repr)
        seen.append((code, [row for row in told if not row[4]], news))
    assert seen[0] == seen[1]
    assert any(row[4] == "RMQ-X1" for row in seen[1][2])


def test_nothing_was_recorded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to print, and no finding."""
    assert report(monkeypatch, capsys, "") == (0, "", "")
