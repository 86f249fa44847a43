"""The screens: how soon the first one is drawn, how pages follow keys, and their memory.

Programs run in a terminal of their own (a pty of 24 lines), which this process reads as a user
would: what counts is when a text was drawn.
"""

import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from fcntl import ioctl
from pathlib import Path
from typing import NamedTuple, Self

from clock import environment

from streamshark.index.layout import IndexProgress, read_progress

LINES, WIDTH = 24, 100
PATIENCE = 600.0
"""Seconds after which a program is taken to hang."""
PAGE = 1_000
"""Bytes of output with which a page is drawn: more than a line, or a count, takes."""
PAGES = 30
"""Pages that are turned."""
PAUSE = 0.1
"""Seconds between two of them."""
DOWN, UP = b"\x1b[6~", b"\x1b[5~"
"""Keys that turn pages."""
MOST_START = 4
"""Bar: time to the first screen of 1 MB, as times of that of an application without contents."""
MOST_FIRST = 0.05
"""Bar: time to the first screen of a large capture, as part of that of `tshark -r`."""
MOST_PAGE = 3
"""Bar: the slowest page while the capture is indexed, as times of that when it is."""
MOST_MEMORY = 150 << 20
"""Bar: bytes of memory of the process of the screens, with 10 million rows."""
FIRST = b"peer_properties"
"""What the first rows of the captures say."""
EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("drawn")
Empty().run()
"""
"""An application with a word on its screen: what importing and starting textual takes."""
DRAWN = b"drawn"
TICK = 1 / os.sysconf("SC_CLK_TCK")


class Drawn(NamedTuple):
    """When a text was drawn."""

    wall: float
    """Seconds since the start of the program."""
    cpu: float
    """Processor seconds of the program until then, without those of other processes."""


class Terminal:
    """A program in a terminal."""

    def __init__(self, command: Sequence[str], folder: Path, cache: Path | None = None) -> None:
        variables = {**environment(folder), "TERM": "xterm-256color"}
        if cache is not None:
            variables["XDG_CACHE_HOME"] = str(cache)
        self.started = time.perf_counter()
        self.pid, self.file = pty.fork()
        if not self.pid:
            os.execvpe(command[0], list(command), variables)  # noqa: S606 - a program that is measured
        ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, WIDTH, 0, 0))

    def wait(self, text: bytes) -> Drawn:
        """Return when a text was drawn.

        Raises:
            RuntimeError: It was not, or the program has ended.
        """
        drawn = b""
        while text not in drawn:
            part = self._read(PATIENCE)
            if not part:
                raise RuntimeError(f"{text!r} was not drawn: {drawn[-500:]!r}")
            drawn = drawn[-len(text) :] + part
        return Drawn(time.perf_counter() - self.started, self._cpu())

    def press(self, key: bytes) -> float:
        """Press a key that changes the page; return the seconds until the page was drawn."""
        self.drain()
        before, drawn = time.perf_counter(), 0
        os.write(self.file, key)
        while drawn < PAGE:
            part = self._read(PATIENCE)
            if not part:
                raise RuntimeError("no page was drawn")
            drawn += len(part)
        return time.perf_counter() - before

    def drain(self) -> None:
        """Read what was drawn."""
        while self._read(0):
            pass

    def memory(self) -> int:
        """Return the bytes of memory that are the program's own (USS)."""
        told = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        own = (line.split() for line in told if line.startswith("Private_"))
        return sum(int(words[1]) << 10 for words in own)

    def _read(self, seconds: float) -> bytes:
        if not select.select([self.file], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.file, 1 << 16)
        except OSError:  # the program has ended
            return b""

    def _cpu(self) -> float:
        told = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) * TICK

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        os.kill(self.pid, signal.SIGTERM)
        while self._read(1):
            pass
        os.close(self.file)
        os.waitpid(self.pid, 0)


def streamshark(capture: Path, *options: str) -> list[str]:
    """Return the command that shows a capture."""
    program = str(Path(sys.executable).with_name("streamshark"))
    return [program, "tui", *options, str(capture)]


def empty(folder: Path) -> Drawn:
    """Return when an application without contents was drawn."""
    with Terminal([sys.executable, "-c", EMPTY], folder) as terminal:
        return terminal.wait(DRAWN)


def first_screen(capture: Path, text: bytes, folder: Path) -> Drawn:
    """Return when the first rows of a capture that was not indexed before were drawn."""
    with Terminal(streamshark(capture, "--no-cache"), folder) as terminal:
        return terminal.wait(text)


class Measured(NamedTuple):
    """The screens of a large capture."""

    tshark: float
    """Seconds of `tshark -r` until its last line."""
    first: Drawn
    """When the first rows were drawn."""
    indexed: float
    """Seconds until all was indexed."""
    pages: list[float]
    """Seconds for each page while the capture was being indexed."""
    idle: list[float]
    """The same once it was."""
    rows: int
    memory: int
    """Bytes of memory of the process of the screens, at the end of the capture."""


def measured(capture: Path, folder: Path) -> Measured:
    """Show a capture that was not indexed before, and turn pages until and after it is indexed."""
    before = time.perf_counter()
    command = ["tshark", "-r", str(capture)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    tshark = time.perf_counter() - before
    with Terminal(streamshark(capture), folder, folder / "cache") as terminal:
        first = terminal.wait(FIRST)
        pages = [_turned(terminal) for _ in range(PAGES)]
        while (progress := _progress(folder / "cache")).state != "complete":
            time.sleep(1)
            terminal.drain()
        indexed = time.perf_counter() - terminal.started
        idle = [_turned(terminal) for _ in range(PAGES)]
        terminal.press(b"G")  # to the end
        _turned(terminal, UP)
        memory = terminal.memory()
    shutil.rmtree(folder / "cache")
    return Measured(tshark, first, indexed, pages, idle, progress.rows, memory)


def starts(capture: Path, folder: Path, rounds: int) -> tuple[float, float, float]:
    """Return how long an empty application, and the first screen of a capture, take; the ratio."""
    pairs = [(empty(folder).wall, first_screen(capture, FIRST, folder).wall) for _ in range(rounds)]
    ratio = statistics.median(shown / plain for plain, shown in pairs)
    return (*(statistics.median(each) for each in zip(*pairs, strict=True)), ratio)


def _turned(terminal: Terminal, key: bytes = DOWN) -> float:
    """Turn a page; return how long it took."""
    time.sleep(PAUSE)
    return terminal.press(key)


def _progress(cache: Path) -> IndexProgress:
    """Return how far the only index in a cache is."""
    (folder,) = (cache / "streamshark" / "indexes").iterdir()
    return read_progress(folder)
