"""The interface "Streamshark over ssh", as Wireshark's extcap describes and captures on interfaces.

Spec: the manual page extcap(4) of Wireshark. ssh writes tcpdump's packets into Wireshark's pipe
itself. This process waits for the end: of ssh, of the reader of the pipe, or by a signal. So the
capture ends at once, also if no packet comes.
"""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Final, NamedTuple

from streamshark.capture.capture_program import CaptureProgram, CaptureRequest
from streamshark.capture.program_messages import ProgramMessages

INTERFACE: Final = "streamshark-ssh"
TITLE: Final = "Streamshark over ssh"
SERVER: Final = "Server"
"""Group of the options that say where."""
_LINK_DEPENDS: Final = 147
"""LINKTYPE_USER0, which stands for a link type that only the capture tells, as in sshdump."""
GRACE: Final = 0.5
"""Seconds after which a program that was asked to end is killed."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interfaces(version: str) -> str:
    """Return what describes the interface."""
    return f"extcap {{version={version}}}\ninterface {{value={INTERFACE}}}{{display={TITLE}}}\n"


def link_types() -> str:
    """Return what describes its link types."""
    return (
        f"dlt {{number={_LINK_DEPENDS}}}{{name={INTERFACE}}}{{display=As on the other machine}}\n"
    )


class _Option(NamedTuple):
    """A row of Wireshark's dialog."""

    call: str
    title: str
    kind: str
    about: str
    more: str = ""
    group: str = "Capture"


def configuration(capture_filter: str) -> str:
    """Return what describes the options of the dialog; the default filter is given."""
    key = "A key file; by default those of ssh"
    sudo = "Run tcpdump with sudo, which must not ask for a password"
    rows = (
        _Option("host", "Host", "string", "[user@]host, as for ssh", "{required=true}", SERVER),
        _Option("port", "Port", "unsigned", "By default that of ssh", "{range=1,65535}", SERVER),
        _Option("identity", "Private key", "fileselect", key, "{mustexist=true}", SERVER),
        _Option("interface", "Interface", "string", "By default that of tcpdump"),
        _Option("filter", "Filter", "string", "Capture filter", f"{{default={capture_filter}}}"),
        _Option("sudo", "Use sudo", "boolflag", sudo, "{default=false}"),
        _Option("tcpdump", "tcpdump", "string", "What runs tcpdump", "{default=tcpdump}"),
    )
    return "".join(
        f"arg {{number={number}}}{{call=--remote-{each.call}}}{{display={each.title}}}"
        f"{{type={each.kind}}}{{tooltip={each.about}}}{each.more}{{group={each.group}}}\n"
        for number, each in enumerate(rows)
    )


def capture(program: CaptureProgram, request: CaptureRequest) -> str:
    """Capture into the pipe that is the path of the request, until one side ends.

    Returns:
        Why it failed; empty if it did not.
    """
    command = program.command(request)
    with (
        _ending() as ended,
        request.path.open("wb", buffering=0) as pipe,
        tempfile.TemporaryFile() as errors,
    ):
        process = subprocess.Popen(  # noqa: S603 - a list, no shell
            command, stdin=subprocess.PIPE, stdout=pipe, stderr=errors, process_group=0
        )
        is_stopped = _wait(process, pipe, ended)
        _end(process)
        return "" if is_stopped or not process.returncode else _reason(errors, program, request)


@contextlib.contextmanager
def _ending() -> Iterator[int]:
    """Yield a pipe that can be read once a signal has come, or a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    handlers = {each: signal.signal(each, _ignore) for each in (*_SIGNALS, signal.SIGCHLD)}
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(before)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        os.close(reader)
        os.close(writer)


def _ignore(*_signal: object) -> None:
    """Do nothing: the wake-up pipe has the number of the signal."""


def _wait(process: subprocess.Popen[bytes], pipe: IO[bytes], ended: int) -> bool:
    """Wait for an end; return whether it is not that of the program."""
    waits = select.poll()
    waits.register(pipe, 0)  # an error: the reader has closed it
    waits.register(ended, select.POLLIN)
    while process.poll() is None:
        for number, _ in waits.poll():
            if number != ended or set(os.read(ended, 64)) & set(_SIGNALS):
                return True
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _reason(errors: IO[bytes], program: CaptureProgram, request: CaptureRequest) -> str:
    messages = ProgramMessages()
    errors.seek(0)
    for line in errors.read().decode(errors="replace").splitlines():
        messages.take(line)
    return messages.refusal(program, request.filter)


def ssh(port: int | None, identity: str | None) -> Sequence[str]:
    """Return the command line of ssh, which cannot ask for anything."""
    words = ["ssh", "-o", "BatchMode=yes"]
    words += ["-p", str(port)] if port else []
    return [*words, *(["-i", identity] if identity else [])]
