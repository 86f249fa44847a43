"""Terminal colours; colour never conveys what the text does not.

The client is red and the server blue, as in Wireshark's Follow Stream; errors are red, warnings
yellow, notes cyan, chats blue.
"""

import os
from collections.abc import Mapping
from typing import IO

WHEN = ("auto", "always", "never")

_CODES = {
    "client": "31",
    "server": "34",
    "peer": "35",
    "command": "1",
    "event": "36",
    "time": "2",
    "error": "1;31",
    "refused": "1;31",
    "fine": "32",
    "warning": "33",
    "note": "36",
    "chat": "34",
    "name": "36",
    "generated": "2",
}
"""Parameters of the SGR sequence of each style."""


class Palette:
    """The colours of an output, which may be disabled."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled

    def paint(self, style: str | None, text: str) -> str:
        """Return the text in a style; plain if colours are off or the style has none."""
        if not self.enabled or style not in _CODES:
            return text
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def wanted(when: str, stream: IO[str], environment: Mapping[str, str] | None = None) -> bool:
    """Return whether to colour a stream: `--color`, NO_COLOR, CLICOLOR_FORCE, TERM, terminal.

    Sources: no-color.org (set and not empty), bixense.com/clicolors.
    """
    environment = os.environ if environment is None else environment
    if when != "auto":
        return when == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
