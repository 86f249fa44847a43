"""Runs the program in a child of this process, on a terminal of its own (a pseudo-terminal)."""

import fcntl
import io
import os
import struct
import sys
import termios
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from streamshark.cli.main import run


class OnTerminal(NamedTuple):
    """What a terminal got, and the exit code."""

    text: str
    code: int


def on_terminal(
    arguments: Sequence[str], *, width: int = 80, environment: Mapping[str, str] | None = None
) -> OnTerminal:
    """Run a command on a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    child = os.fork()
    if not child:
        os.close(ours)
        _child(theirs, arguments, {"TERM": "xterm", **(environment or {})})
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # as Linux reports that the child has closed it
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    _, status = os.waitpid(child, 0)
    return OnTerminal(
        b"".join(parts).decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(status)
    )


def _child(terminal: int, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Be the program, and end."""
    code = 70
    try:
        os.setsid()
        for stream in range(3):
            os.dup2(terminal, stream)
        for name in ("COLUMNS", "NO_COLOR", "PAGER", "LESS"):
            os.environ.pop(name, None)
        os.environ.update(environment)
        sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), "utf-8", write_through=True)  # noqa: SIM115
        sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), "utf-8", write_through=True)  # noqa: SIM115
        code = run(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
