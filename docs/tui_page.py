"""Writes the table of keys at the end of docs/tui.md, the page of the terminal interface.

    python -m docs.tui_page [--check] [FOLDER]

With `--check` nothing is written: a stale page is named, and the exit code is 1.
"""

import sys
from pathlib import Path

from streamshark.tui.keys import ANYWHERE, KeyAction, KeyMap, shown
from streamshark.views.generated_files import GeneratedFiles

NAME = "tui.md"
HEAD = "| where | keys | command | what it does |\n|---|---|---|---|\n"
"""The first lines of the table of keys, which is the end of the page."""


def page() -> str:
    """Return the page: its text as it is, and the table of keys."""
    text, _, _ = (Path(__file__).parent / NAME).read_text(encoding="utf-8").partition(HEAD)
    return text + HEAD + "".join(map(_row, KeyMap().actions))


def _row(action: KeyAction) -> str:
    """Return the row of an action."""
    where = "" if action.where == (ANYWHERE,) else ", ".join(action.where)
    keys = " ".join(f"`{shown(each)}`".replace("|", "\\|") for each in action.keys)
    argument = f" {action.argument}" if action.argument else ""
    return f"| {where} | {keys} | `:{action.command}{argument}` | {action.doc} |\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it; return the exit code."""
    made = GeneratedFiles({NAME: page()}, (NAME,))
    return made.main(arguments, Path(__file__).parent, "docs.tui_page")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
