"""Whole rows, in blocks or at once, and quiet about a closed pipe."""

import io
import os
import sys

import pytest

from streamshark.cli.output import BLOCK, Output, complain, silence


class Counting(io.BytesIO):
    """Counts what is written."""

    writes = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write once more."""
        self.writes += 1
        return super().write(data)


def stream(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Put something behind standard output."""
    raw = Counting()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "utf-8"))
    return raw


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written before there is a block, or an end."""
    raw = stream(monkeypatch)
    output = Output()
    output.write("a\n")
    output.write("b\n")

    assert raw.getvalue() == b""
    output.write("x" * BLOCK)
    assert len(raw.getvalue()) == BLOCK + 4
    output.write("c\n")
    output.flush()
    assert raw.getvalue().endswith(b"xc\n")
    assert raw.writes == 2


def test_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row."""
    raw = stream(monkeypatch)
    output = Output(immediate=True)
    output.write("a\n")

    assert raw.getvalue() == b"a\n"


def test_a_terminal_is_written_to_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody watches."""
    raw = stream(monkeypatch)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Output().write("a\n")

    assert raw.getvalue() == b"a\n"


def test_output_is_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the locale; what has no bytes is escaped."""
    raw = stream(monkeypatch)
    output = Output()
    output.write("ü\ud800")
    output.flush()

    assert raw.getvalue() == "ü\\ud800".encode()


def test_a_closed_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told once; what is left in buffers then goes nowhere."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        with pytest.raises(BrokenPipeError):
            Output(immediate=True).write("a\n")
        silence()
        broken.write("b\n")


def test_silence_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A standard output that is no file is left alone."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())

    silence()


def test_complaints_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever they hold."""
    complain("a\nb\x1b[2J: no such file")

    assert capsys.readouterr().err == "streamshark: a\\nb\\x1b[2J: no such file\n"
