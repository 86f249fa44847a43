"""`streamshark tui` in a real terminal: from start to the guilty bytes, and back to the shell."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUG = "captures/rabbitmq_stream/bug_credit_never_renewed/traffic.pcapng"
PATIENCE = 60
"""Seconds after which something on the screen is given up."""


class Terminal:
    """A terminal of tmux in which a shell runs."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        self.socket = str(folder / "tmux")
        self.keys = 0
        """Number of keys that were pressed."""
        width, height = map(str, size)
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", width, "-y", height, "sh")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self.socket, *arguments]
        environment = {**os.environ, "XDG_CACHE_HOME": str(Path(self.socket).parent), "PS1": "$ "}
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=ROOT, env=environment
        )
        return done.stdout

    def start(self, *arguments: str) -> None:
        """Run the program from the shell."""
        self.run(f"{sys.executable} -m streamshark tui {' '.join(arguments)}")

    def run(self, command: str) -> None:
        """Run a command from the shell."""
        self._tmux("send-keys", f"{command}; echo code=$?", "Enter")

    def press(self, *keys: str) -> None:
        """Press keys."""
        for each in keys:
            self._tmux("send-keys", each)
            self.keys += 1

    def screen(self) -> str:
        """Return what is on the screen."""
        return self._tmux("capture-pane", "-p")

    def wait(self, holds: Callable[[str], object]) -> str:
        """Return the screen once something holds of it."""
        until = time.monotonic() + PATIENCE
        while not holds(shown := self.screen()):
            assert time.monotonic() < until, shown
            time.sleep(0.05)
        return shown


@contextmanager
def terminal(folder: Path, size: tuple[int, int] = (80, 24)) -> Iterator[Terminal]:
    """Open a terminal, and end what runs in it."""
    made = Terminal(folder, size)
    try:
        yield made
    finally:
        made._tmux("kill-server")


@pytest.mark.process
def test_the_guilty_bytes_are_within_five_keys(tmp_path: Path) -> None:
    """From the start of the program to the bytes of the frame that a rule blames; then back."""
    with terminal(tmp_path) as shell:
        shell.start(BUG)
        shell.wait(lambda shown: "of 23" in shown)
        shell.press("F5")
        shell.wait(lambda shown: "W RMQ-C2" in shown)
        shell.press("Enter")
        wanted = ("0000  00 00 00 bf 00 08", " W   16 ", "17 of 23")
        shell.wait(lambda shown: all(each in shown for each in wanted))
        assert shell.keys <= 5
        shell.press("Q")
        shown = shell.wait(lambda shown: "code=0" in shown)
        assert "RMQ" not in shown  # the screen of the shell is there again
