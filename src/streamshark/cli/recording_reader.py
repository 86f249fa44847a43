"""The process of `proxy` and `capture` that reads the recording while it is written."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from streamshark.cli import options
from streamshark.cli.check import FOUND, ruled_by
from streamshark.cli.display_filter import filter_of
from streamshark.cli.output import CLOSED_PIPE, DAMAGED, NOTHING_READ, complain
from streamshark.cli.recording_report import FOUND_LATER, NOTHING_LATER
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

MODULE = "streamshark.cli.recording_report"
SCREENS = "streamshark.cli.recording_screens"
CODES = {
    0: 0,
    DAMAGED: DAMAGED,
    FOUND_LATER: FOUND,
    NOTHING_LATER: NOTHING_READ,
    CLOSED_PIPE: CLOSED_PIPE,
}
"""Exit codes of the process, and what they mean for the command."""
MOST_RESTARTS = 3
"""How often a reader that died is started again."""


def check_report(given: Mapping[str, Any]) -> None:
    """Raise an error for a malformed filter or file of rules, before anything is recorded."""
    protocols, _ = ruled_by(catalog(given["paths"]), given["rules_file"])
    session = Session((), protocols=protocols, decode_as=given.get("decode_as"))
    filter_of({**given, "more": (), "files": ("-",)}, session)


def report_options(given: Mapping[str, Any], *, shows_rows: bool) -> list[str]:
    """Return the options of the process, for those of the command."""
    words = ["--rows"] if shows_rows else []
    words += ["-q"] if given["quiet"] else []
    words += [option for option, name in (("-V", "tree"), ("-x", "dump")) if given.get(name)]
    for port, protocol in given.get("decode_as", {}).items():
        words += ["-d", f"tcp.port=={port},{protocol}"]
    named = {"-T": "form", "-Y": "display_filter", "--color": "colour", "--level": "level"}
    named |= {"--fail-on": "fail_on", "--rules": "rules_file"}
    for option, name in named.items():
        if given[name] is not None:
            words += [option, given[name]]
    return words + _reading_options(given)


def screen_options(given: Mapping[str, Any]) -> list[str]:
    """Return the options of the process that shows screens, for those of the command."""
    chosen = given["display_filter"]
    return [*(["-Y", chosen] if chosen else []), *_reading_options(given)]


def _reading_options(given: Mapping[str, Any]) -> list[str]:
    """Return the options that say how the recording is read."""
    words = []
    for folder in given["paths"]:
        words += ["--protocol-path", folder]
    for protocol, dialect in given["dialects"].items():
        words += ["-o", f"{protocol}.dialect:{dialect}"]
    if given.get("engine"):
        words += ["--engine", given["engine"]]
        words += [word for each in given["preferences"] for word in ("-o", each)]
    if given["keylog"]:
        words += ["-o", f"{options.KEYLOG}:{given['keylog']}"]
    return words


class RecordingReader:
    """The process that prints rows and findings of a recording, or shows it on screens.

    Args:
        arguments: Options of `recording_report`, or with `screens` of `recording_screens`.
        closed: Called if the reader of its output has closed it, or the user has left the screens,
            which ends the process.
        screens: Whether it shows screens.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        closed: Callable[[], object] | None = None,
        *,
        screens: bool = False,
    ) -> None:
        self._closed = closed
        self._screens = screens
        self._arguments = arguments
        self._files: list[Path] = []
        self._process: asyncio.subprocess.Process | None = None
        self._restarts = 0
        self._has_drops = False
        self._is_over = False
        self._watch: asyncio.Task[int] | None = None

    async def start(self) -> None:
        """Start the process."""
        await self._start(0)
        self._watch = asyncio.get_running_loop().create_task(self._watched())

    def follow(self, path: Path) -> None:
        """Let it read another file, which has begun."""
        self._files.append(path)
        self._name(path)

    def note_drops(self) -> None:
        """Let it know that packets are missing, because they were dropped."""
        self._has_drops = True
        self._write(b"\n")

    async def finish(self) -> int | None:
        """Let it read to the end.

        Returns:
            1 for findings that fail, 2 without frames if it needs some, 3 if files were lost, 141
            after a closed output, None if it failed, else 0.
        """
        self._is_over = True
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        code = None if self._watch is None else await self._watch
        return None if code is None else CODES.get(code)

    def kill(self) -> None:
        """End it at once; screens restore the terminal before."""
        self._is_over, self._restarts = True, MOST_RESTARTS
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM if self._screens else signal.SIGKILL)

    async def _start(self, since: int) -> None:
        """Start a process that reads all files, and prints rows from a time in ns on."""
        module = ("-m", SCREENS) if self._screens else ("-m", MODULE, "--since", str(since))
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(*module, *self._arguments),
            stdin=asyncio.subprocess.PIPE,
            # Ctrl-C ends the command, which lets it finish; screens need the terminal.
            process_group=None if self._screens else 0,
        )
        for each in self._files:
            self._name(each)
        if self._has_drops:
            self.note_drops()
        if self._is_over and self._process.stdin is not None:
            self._process.stdin.close()

    def _name(self, path: Path) -> None:
        self._write(os.fsencode(f"{path}\n"))

    def _write(self, data: bytes) -> None:
        """Write to its standard input, unless that is closed."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(data)

    async def _watched(self) -> int:
        """Wait for the end of the process, and start it again if it died; return its exit code."""
        while True:
            process = self._process
            code = 0 if process is None else await process.wait()
            if code in CODES and self._is_over:
                return code
            if code == CLOSED_PIPE or self._screens:
                if self._closed is not None:
                    self._closed()
                return code
            if self._restarts >= MOST_RESTARTS:
                complain("the reader of the recording has failed; the recording continues")
                return code or 1
            self._restarts += 1
            complain("the reader of the recording has ended; it is started again")
            await self._start(time.time_ns())
