"""The command that runs as the client of the proxy: `streamshark proxy URL -- COMMAND`.

It finds the proxy in its environment and in placeholders of its arguments. Signals are passed on to
it, and the proxy ends with it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Final

from streamshark.errors import StreamsharkError
from streamshark.proxy.targets import Target

PREFIX: Final = "STREAMSHARK_PROXY_"
"""What the names of the variables begin with."""
PASSED_ON: Final = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCONT,
    signal.SIGWINCH,
)
"""Signals that are passed on to the command."""
_FROM_TERMINAL: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH)
"""Signals that a terminal sends to the command, too."""
KILLED: Final = 128
"""Exit code of a command that a signal has killed, less the number of the signal."""


def variables(addresses: Sequence[tuple[Target, str, int]]) -> dict[str, str]:
    """Return the variables that name the proxy: URL, HOST and PORT, of further targets with 2, 3.

    Args:
        addresses: Targets, with host and port where the proxy listens for their clients.
    """
    found = {}
    for number, (target, host, port) in enumerate(addresses, 1):
        end = "" if number == 1 else f"_{number}"
        found[f"{PREFIX}URL{end}"] = target.url(host, port)
        found[f"{PREFIX}HOST{end}"] = host
        found[f"{PREFIX}PORT{end}"] = str(port)
    return found


def filled(arguments: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return arguments with `{url}`, `{host}`, `{port}`, `{url2}` and so on replaced.

    >>> filled(["--uri={url}", "{x}"], {"STREAMSHARK_PROXY_URL": "nats://127.0.0.1:4000"})
    ['--uri=nats://127.0.0.1:4000', '{x}']
    """
    out = []
    for argument in arguments:
        for name, value in values.items():
            word = name.removeprefix(PREFIX).replace("_", "").lower()
            argument = argument.replace(f"{{{word}}}", value)  # noqa: PLW2901 - one after the other
        out.append(argument)
    return out


def check_command(arguments: Sequence[str]) -> None:
    """Raise `StreamsharkError` if there is no such command."""
    name = arguments[0]
    if which(name) is not None:
        return
    is_there = os.sep in name and Path(name).exists()
    raise StreamsharkError(f"{name}: {'not executable' if is_there else 'command not found'}")


class ClientCommand:
    """A running command."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, arguments: Sequence[str], values: Mapping[str, str]) -> "ClientCommand":
        """Start a command, with the variables that name the proxy.

        Raises:
            StreamsharkError: It cannot be started.
        """
        given = filled(arguments, values)
        try:
            process = await asyncio.create_subprocess_exec(*given, env={**os.environ, **values})
        except OSError as error:
            raise StreamsharkError(f"{given[0]}: cannot be run: {error.strerror}") from None
        made = cls(process)
        loop = asyncio.get_running_loop()
        for number in PASSED_ON:
            loop.add_signal_handler(number, made.signal, number)
        return made

    def signal(self, number: int) -> None:
        """Pass a signal on, unless the terminal has sent it to the command as well."""
        if number in _FROM_TERMINAL and _is_foreground():
            return
        if self._process.returncode is None:
            self._process.send_signal(number)

    async def finished(self) -> int:
        """Wait for its end; return its exit code, 128 and the number if a signal has killed it."""
        code = await self._process.wait()
        return KILLED - code if code < 0 else code


def _is_foreground() -> bool:
    """Return whether this process is in the foreground of a terminal, whose keys send signals."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False
