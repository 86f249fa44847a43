"""`--follow`: commands wait for more, until a signal ends them."""

import itertools
import json
import signal
import subprocess
from pathlib import Path

import pytest
from tests.cli.console import call, command
from tests.failures import Failures
from tests.packets import packets, recorded, write

import streamshark

(BUG,) = recorded("rabbitmq_stream/bug_answer_with_wrong_id")


@pytest.mark.process
def test_a_ring_is_read_and_judged_while_it_is_written(tmp_path: Path) -> None:
    """Ten files, of which three are kept: all rows, the finding while it waits; SIGINT ends it."""
    found = packets(BUG)
    first = tmp_path / "ring_00001_20261126000000.pcap"
    write(first, found[:2])
    words = ("capture", "-T", "ndjson", "--fail-on", "warning", "--follow", str(first))
    with subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = []
        ends = [2 + (len(found) - 2) * each // 9 for each in range(10)]
        for number, (start, end) in enumerate(itertools.pairwise(ends), 2):
            path = tmp_path / f"ring_{number:05}_2026112600000{number % 10}.pcap"
            write(path, found[start:end])
            if number == 2:
                lines.append(process.stdout.readline())
                first.unlink()
        while "RMQ-X1" not in "".join(lines[-1:]):
            lines.append(process.stdout.readline())
            assert lines[-1], process.communicate()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=30)
    rows = list(map(json.loads, [*lines, *rest.splitlines()]))
    assert sum("rule" not in each for each in rows) == sum(1 for _ in streamshark.open(BUG))
    assert (process.returncode, errors) == (1, "")


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files beside it, options that read twice or capture, and what is no capture."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    other = tmp_path / "text"
    other.write_text("no capture at all, but thirty bytes")
    with Failures() as failures:
        for words, message in (
            (["read", "--follow", BUG, BUG], "no other files go with it"),
            (["read", "--follow", BUG, "-2"], "does not go with -2"),
            (["check", "--follow", BUG, "-T", "sarif"], "-l needs -T text"),
            (["capture", "--follow", BUG, "-i", "lo"], "does not go with -i"),
            (["capture", "--follow", BUG, "-a", "duration:1"], "does not go with -a and -b"),
            (["read", "--follow", str(other)], "not a capture"),
            (["capture", "--follow", str(other)], "not a capture"),
            (["read", "--follow", str(tmp_path / "none")], "no such file"),
        ):
            with failures.of(words):
                done = call(monkeypatch, *words)
                assert (done.code, done.out) == (2, "")
                assert message in done.err
