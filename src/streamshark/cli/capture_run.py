"""One run of `capture`: the program that captures, and the process that reads what it writes."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path

from streamshark.capture import CaptureError
from streamshark.capture.capture_program import CaptureProgram, CaptureRequest
from streamshark.capture.pcap_files import PcapFiles
from streamshark.capture.program_messages import ProgramMessages
from streamshark.cli.output import DAMAGED, complain
from streamshark.cli.recording_reader import RecordingReader
from streamshark.errors import StreamsharkError

GRACE = 0.7
"""Seconds after which a program that was asked to end is killed."""
REMOTE_GRACE = 3.0
"""The same for ssh, which waits for the counters of the other machine."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_BY_SIGNAL = 128
"""What a shell adds to the signal that has ended a program."""
_LINE_END = re.compile(rb"[\r\n]+")
_BLOCK = 1 << 20
_MOST_LINE = 1 << 16
"""Bytes of a line that are kept."""


class CaptureRun:
    """One run of a program that captures: until it ends, a limit is reached, or a signal comes.

    Args:
        program: The program.
        request: What it captures.
        report: Options of the process that reads the recording; None without one.
        screens: Whether that process shows screens, as `RecordingReader` says.

    Raises:
        CaptureError: The program cannot do what is asked for.
    """

    def __init__(
        self,
        program: CaptureProgram,
        request: CaptureRequest,
        report: Sequence[str] | None,
        *,
        screens: bool = False,
    ) -> None:
        self._program, self._request = program, request
        self._command = program.command(request)
        self._messages = ProgramMessages()
        self._stopped = asyncio.Event()
        self._begun = asyncio.Event()
        """Set once the first file is begun."""
        self._reader = None
        if report is not None:
            self._reader = RecordingReader(report, self._stopped.set, screens=screens)
        self._failure = ""
        """Why the files could not be written."""

    async def run(self) -> int:
        """Capture until the end; return the exit code.

        Raises:
            StreamsharkError: The program captures nothing.
        """
        loop = asyncio.get_running_loop()
        for each in SIGNALS:
            loop.add_signal_handler(each, self._stopped.set)
        process = await self._begin()
        loop.add_signal_handler(signal.SIGUSR1, self._count, process)
        output = asyncio.gather(self._take_messages(process), self._take_packets(process))
        ended = loop.create_task(process.wait())
        try:
            await self._until(ended, self._begun.wait(), self._stopped.wait())
            await self._start_reader()
            await self._until(ended, self._stopped.wait(), self._limit())
            is_early = ended.done()
            await self._end(process, ended)
        finally:
            if process.returncode is None:
                self._kill(process)
        await output
        code = self._report(process.returncode or 0, is_early=is_early)
        return await self._read_to_end() or code

    async def _begin(self) -> asyncio.subprocess.Process:
        """Start the program, which ends with its standard input; Ctrl-C ends this process alone."""
        remote = self._program.remote
        if remote:  # ssh stays in the group of the terminal, to ask for a password
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL
            if self._program.writes_files
            else asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_BLOCK,
            process_group=None if remote else 0,
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stopped.set)
        return process

    def _count(self, process: asyncio.subprocess.Process) -> None:
        """Say how many packets were captured and dropped so far, as far as the program tells."""
        if self._program.writes_files:
            count = self._messages.so_far
            complain(f"{count} packets captured so far; dumpcap counts dropped ones at its end")
        elif process.stdin is not None:
            process.stdin.write(b"\n")

    async def _until(self, *events: Awaitable[object]) -> None:
        """Wait for the first of some events; the end of the program goes on being waited for."""
        tasks = [asyncio.ensure_future(each) for each in events]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for each in tasks[1:]:
            each.cancel()

    async def _limit(self) -> None:
        """Wait until the time is over after which tcpdump is ended; dumpcap ends itself."""
        seconds = self._request.stop.duration
        if self._program.writes_files or not seconds:
            await asyncio.Event().wait()
        await asyncio.sleep(seconds)

    async def _start_reader(self) -> None:
        """Say that the capture has begun, and start the process that reads it."""
        if not self._begun.is_set():
            return
        request = self._request
        where = self._messages.interfaces or ", ".join(request.interfaces) or "its interface"
        complain(f"{self._program.title} captures on {where}; filter: {request.filter or 'none'}")
        if self._reader is not None:
            await self._reader.start()

    async def _end(self, process: asyncio.subprocess.Process, ended: "asyncio.Task[int]") -> None:
        """End the program, if it has not ended."""
        if process.stdin is not None:
            process.stdin.close()
        if not ended.done():
            grace = REMOTE_GRACE if self._program.remote else GRACE
            await asyncio.wait([ended], timeout=grace)
        if not ended.done():
            self._kill(process)
            await ended

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        """Kill the program, and the shell that watches it."""
        if self._program.remote:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)

    async def _take_messages(self, process: asyncio.subprocess.Process) -> None:
        """Take what the program writes to standard error, to its end."""
        stream, rest = process.stderr, b""
        while stream is not None and (data := await stream.read(_BLOCK)):
            *lines, rest = _LINE_END.split(rest[-_MOST_LINE:] + data)
            for each in lines:
                self._take_message(each)
        self._take_message(rest)

    def _take_message(self, line: bytes) -> None:
        messages, before = self._messages, self._messages.counters
        file = messages.take(line.decode("utf-8", "surrogateescape"))
        if messages.counters and messages.counters is not before:
            complain(messages.counters)
        if file is not None:
            self._follow(file)

    async def _take_packets(self, process: asyncio.subprocess.Process) -> None:
        """Write the packets that the program writes to standard output, if it writes no files."""
        stream, request = process.stdout, self._request
        if stream is None:
            return
        files = PcapFiles(request.path, request.switch, request.stop, self._follow)
        try:
            while data := await stream.read(_BLOCK):
                if not (files.is_complete or self._failure):
                    self._write(files, data)
        finally:
            files.close()

    def _write(self, files: PcapFiles, data: bytes) -> None:
        """Write packets; if that fails, or they are enough, the capture ends."""
        try:
            files.feed(data)
        except OSError as error:
            self._failure = f"{error.filename or self._request.path}: {error.strerror or error}"
        except CaptureError as error:
            self._failure = str(error)
        if self._failure or files.is_complete:
            self._stopped.set()

    def _follow(self, file: Path) -> None:
        if self._reader is not None:
            self._reader.follow(file)
        self._begun.set()

    def _report(self, code: int, *, is_early: bool) -> int:
        """Say what was captured and lost; return the exit code.

        Raises:
            StreamsharkError: Nothing was captured.
        """
        messages, name = self._messages, self._program.title
        if not self._begun.is_set() and (self._failure or (code and is_early)):
            raise StreamsharkError(
                self._failure or messages.refusal(self._program, self._request.filter)
            )
        reason = self._failure
        if is_early and not reason:
            reason = _signalled(name, code) or messages.failure() or _reason(name, code)
        if reason:
            now = time.strftime("%H:%M:%S")
            complain(f"the capture has ended early; packets after {now} are missing: {reason}")
        if totals := messages.totals():
            complain(totals)
        if messages.drops:
            complain("rules that need dropped packets are silent on their connections")
            if self._reader is not None:
                self._reader.note_drops()
        return DAMAGED if reason else 0

    async def _read_to_end(self) -> int:
        """Let the reader finish, which a signal ends; return its exit code."""
        reader = self._reader
        if reader is None or not self._begun.is_set():
            return 0
        loop = asyncio.get_running_loop()
        for each in SIGNALS:
            loop.add_signal_handler(each, reader.kill)
        code = await reader.finish()
        return DAMAGED if code is None else code


def _signalled(name: str, code: int) -> str:
    """Return which signal has ended a program, by its exit code; empty for none.

    The shell that runs the program writes a word about that, too, such as "Killed".
    """
    number = code - _BY_SIGNAL if code > _BY_SIGNAL else -code
    return f"{name} was ended by signal {number}" if 0 < number < signal.NSIG else ""


def _reason(name: str, code: int) -> str:
    """Return that a program has failed, by its exit code; empty for 0."""
    return f"{name} failed ({code})" if code else ""
