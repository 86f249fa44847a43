"""Progress is for terminals, and for work that takes long."""

import io
import sys

import pytest

from streamshark.cli import progress
from streamshark.cli.progress import LOOK, Progress


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def told(
    monkeypatch: pytest.MonkeyPatch,
    err: io.StringIO,
    out: io.StringIO,
    after: float,
    *,
    beside: bool = True,
) -> str:
    """What stderr shows of three looks at the clock, so many seconds after the start."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "stdout", out)
    shown = Progress(beside=beside)
    now[0] = after
    for _ in range(3 * LOOK):
        shown.row()
    shown.end()
    return err.getvalue()


def test_long_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, and it is gone at the end."""
    assert told(monkeypatch, Screen(), io.StringIO(), 2.0) == f"\r{LOOK} rows\r\x1b[K"


def test_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said within a second."""
    assert told(monkeypatch, Screen(), io.StringIO(), 0.9) == ""


def test_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No progress is shown without a terminal, or if the rows go to it."""
    assert told(monkeypatch, io.StringIO(), io.StringIO(), 2.0) == ""
    assert told(monkeypatch, Screen(), Screen(), 2.0) == ""


def test_output_that_comes_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a terminal has room for both."""
    assert told(monkeypatch, Screen(), Screen(), 2.0, beside=False).startswith("\r")
