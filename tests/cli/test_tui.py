"""`streamshark tui` in a real terminal: from start to the guilty bytes, and back to the shell."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from streamshark.capture import open_capture

ROOT = Path(__file__).parents[2]
BUG = "captures/rabbitmq_stream/bug_credit_never_renewed/traffic.pcapng"
KEY = re.compile(r"(Ctrl\+)?(F\d+|Enter|Tab|Esc|Up|Down|Left|Right|(?<=Ctrl\+)[A-Z/])")
"""A key as documents name it."""
PATIENCE = 30
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
        folder = str(Path(self.socket).parent)
        own = {"XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder, "PS1": "$ "}
        done = subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            cwd=folder,
            env={**os.environ, **own},
        )
        return done.stdout

    def start(self, *arguments: str) -> None:
        """Run the program from the shell."""
        self.run(f"{sys.executable} -m streamshark tui {' '.join(arguments)}")

    def run(self, command: str) -> None:
        """Run a command from the shell."""
        self._tmux("send-keys", f"{command}; echo code=$?", "Enter")

    def press(self, *keys: str) -> None:
        """Press keys, as documents name them; all else is typed."""
        for each in keys:
            name = KEY.fullmatch(each)
            if name is None:
                self._tmux("send-keys", "-l", each.replace(";", "\\;"))
            else:
                control, key = name.groups()
                key = key.lower() if len(key) == 1 else key
                key = "_" if key == "/" else key  # which a terminal sends for Ctrl+/
                self._tmux("send-keys", f"C-{key}" if control else key)
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


class Task(NamedTuple):
    """A task in docs/tui.md."""

    name: str
    keys: list[str]
    shown: list[str]
    """Words that are on the screen then."""


def tasks() -> list[Task]:
    """Return the tasks of docs/tui.md."""
    text = (ROOT / "docs/tui.md").read_text(encoding="utf-8")
    section = text.partition("## Tasks, with Wireshark's keys\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("|")][2:]
    return [
        Task(name.strip(), re.findall("`(.+?)`", keys), re.findall("`(.+?)`", shown))
        for name, keys, shown in rows
    ]


@pytest.mark.process
def test_a_user_of_wireshark_does_the_tasks(tmp_path: Path) -> None:
    """The tasks of docs/tui.md, with its keys; the guilty bytes are within five of them."""
    with terminal(tmp_path) as shell:
        shell.start(str(ROOT / BUG))
        shell.wait(lambda shown: "of 23" in shown)
        first, *others = tasks()
        assert len(others) >= 12
        for task in (first, *others):
            shell.press(*task.keys)
            shown = shell.wait(lambda shown, task=task: all(each in shown for each in task.shown))
            if task is first:
                assert shell.keys <= 5
                assert "0000  00 00 00 bf 00 08" in shown
        shown = shell.wait(lambda shown: "code=0" in shown)
        assert "RMQ" not in shown  # the screen of the shell is there again
        assert json.loads((tmp_path / "frames.json").read_text())
        comments = open_capture(str(tmp_path / "copy.pcapng"))
        for _ in comments.batches():
            pass
        assert [each.text for each in comments.comments if each.kind == "packet"] == ["no credit"]
