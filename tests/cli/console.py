"""Running the program: in this process, or as a process of its own where that matters."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.madeup import parrot_traffic

from streamshark.cli.main import run

MAIN = "import sys; from streamshark.cli.main import main; main()"
PARROT = ("--protocol-path", str(parrot_traffic.FOLDER))


class Done(NamedTuple):
    """What a run gave."""

    code: int
    out: str
    err: str


def call(
    monkeypatch: pytest.MonkeyPatch, *arguments: str, stdin: bytes = b"", terminal: bool = False
) -> Done:
    """Run the program in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    out.isatty = lambda: terminal  # type: ignore[method-assign]
    parrot_traffic.feeding(monkeypatch, stdin)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    code = run(arguments)
    out.flush()
    return Done(code, out.buffer.getvalue().decode(), err.getvalue())  # type: ignore[attr-defined]


def command(*arguments: str) -> list[str]:
    """The program as a process of its own."""
    return [sys.executable, "-c", MAIN, *arguments]


def process(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> Done:
    """Run the program as a process of its own, to its end."""
    done = subprocess.run(
        command(*arguments), input=stdin, capture_output=True, check=False, cwd=cwd,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
