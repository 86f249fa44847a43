"""`--engine tshark` of commands: what goes with it, and live captures."""

from pathlib import Path

import pytest
from tests.cli.console import call
from tests.cli.test_recording_report import report
from tests.failures import Failures
from tests.packets import packets, recorded, write

(BUG,) = recorded("rabbitmq_stream/bug_answer_with_wrong_id")


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Options of what reads captures by itself, and preferences of tshark without it."""
    with Failures() as failures:
        for words, reason in (
            (["read", "--engine", "tshark", "-j", "2", BUG], "does not go with -j"),
            (["read", "--engine", "tshark", "-w", str(tmp_path / "x"), BUG], "does not go with -w"),
            (["read", "--engine", "tshark", "--frame", "1", BUG], "does not go with --frame"),
            (["capture", "--engine", "tshark", "--tui"], "--tui and --engine exclude each other"),
            (["read", "--engine", "wireshark", BUG], "'wireshark' is not 'tshark'"),
            (["read", "-o", "tcp.nothing:1", BUG], "expected PROTOCOL.dialect:NAME"),
        ):
            with failures.of(words):
                done = call(monkeypatch, *words)
                assert (done.code, done.out) == (2, "")
                assert reason in done.err


@pytest.mark.process
def test_a_recording_that_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ring of two files: the rows and findings are those without tshark."""
    found = packets(BUG)
    half = len(found) // 2
    first, second = write(tmp_path / "1", found[:half]), write(tmp_path / "2", found[half:])
    names = f"{first}\n{second}\n"
    plain = report(monkeypatch, capsys, names, "--rows", "-T", "ndjson")
    engine = report(monkeypatch, capsys, names, "--rows", "-T", "ndjson", "--engine", "tshark")
    assert sorted(engine[1].splitlines()) == sorted(plain[1].splitlines())
    assert (engine[0], engine[2]) == (plain[0], plain[2])
    assert '"rule":"RMQ-X1"' in engine[1]
