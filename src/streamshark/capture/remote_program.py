"""tcpdump on another machine, by ssh; and programs that end with their standard input.

A program that only writes notices the end of its reader with the next packet. So a shell runs it
beside a loop that reads its standard input, and ends it at the end of that: when this process ends,
however it does, and when the connection of ssh is lost.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_WATCHED: Final = """exec 3<&0
"$@" </dev/null & program=$!
{ while read -r _; do kill -USR1 $program || sudo -n kill -USR1 $program; done <&3
kill -TERM $program || sudo -n kill -TERM $program; } >/dev/null 2>&1 & watch=$!
wait $program; code=$?
kill $watch 2>/dev/null
exit $code"""
"""Runs a program until it ends, or standard input does; a line there is SIGUSR1 for it."""

_REMOTE: Final = """filter={filter}
if [ -n "$SSH_CONNECTION" ]; then
set -- $SSH_CONNECTION
filter="${{filter:+($filter) and }}not (tcp port $2 and tcp port $4)"
fi
set -- {words} -- "$filter"
{watched}"""
"""Runs tcpdump, which leaves out the packets of this connection: each would bring another one."""

ALIVE: Final = ("ServerAliveInterval=10", "ServerAliveCountMax=3")
"""Options of ssh, so that a network that is gone is noticed."""


def watched(command: Sequence[str]) -> list[str]:
    """Return the command line that runs a command until its standard input ends."""
    return ["/bin/sh", "-c", _WATCHED, "sh", *command]


@dataclass(frozen=True, slots=True)
class Remote:
    """Another machine, as ssh names it."""

    host: str
    """`[user@]host`."""
    sudo: bool = False
    """Whether tcpdump is run with sudo."""
    tcpdump: str = "tcpdump"
    """What runs tcpdump there, in the language of the shell."""
    ssh: Sequence[str] = ("ssh",)
    """The program, and options of it."""

    def capture(self, words: Sequence[str], capture_filter: str) -> list[str]:
        """Return the command line that captures with these options of tcpdump."""
        script = _REMOTE.format(
            filter=shlex.quote(capture_filter),
            words=f"{self._program} {shlex.join(words)}",
            watched=_WATCHED,
        )
        return self._run(script)

    def run(self, words: Sequence[str]) -> list[str]:
        """Return the command line that runs tcpdump with these options."""
        return self._run(f"{self._program} {shlex.join(words)}")

    @property
    def _program(self) -> str:
        return f"sudo -n {self.tcpdump}" if self.sudo else self.tcpdump

    def _run(self, script: str) -> list[str]:
        options = [word for each in ALIVE for word in ("-o", each)]
        return [*self.ssh, "-T", *options, "--", self.host, f"exec sh -c {shlex.quote(script)}"]
