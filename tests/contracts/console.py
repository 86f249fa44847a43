"""Console examples in documents, and running them.

An example is a fenced block marked `console`. A line that starts with `$ ` is a command (a line
after a backslash belongs to it), what follows is what it prints, on both channels. In that, `...`
stands for any text, within a line or, on a line of its own, for any lines. A command is expected to
succeed unless it ends in `# exits N`. Blocks of one document share a folder and follow each other.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.contracts.repository import PROGRAMS, ROOT

from streamshark.cli import main

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
EXIT = re.compile(r"# exits (\d+)$")

SHELL = {"&&", "||", ";", ">", ">>", "<", "2>&1"}
"""Words that only a shell understands."""
INSTALLED = {"make demo": "make --old-file=.venv/.package demo"}
"""Commands that install first, and their form when that is done."""


@dataclass(frozen=True)
class Example:
    """One command of a document."""

    command: str
    printed: str
    """Output that the document shows."""
    code: int
    """Exit code that the document states."""


def examples(text: str) -> list[Example]:
    """The commands of a document's console blocks, in order."""
    found = []
    for block in BLOCK.findall(text):
        assert block.startswith("$ "), f"a console block starts with a command: {block}"
        for command, printed in COMMAND.findall(block):
            code = EXIT.search(command)
            found.append(Example(command, printed, int(code[1]) if code else 0))
    return found


def matches(expected: str, printed: str) -> bool:
    """Whether what was printed is what the document says, `...` standing for any text."""
    lines = [
        r"(?:.*\n)*?" if line.strip() == "..." else _line(line) + r"\n"
        for line in expected.rstrip().splitlines()
    ]
    shown = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    return re.fullmatch("".join(lines), shown) is not None


def _line(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.rstrip().split("..."))


def furnish(folder: Path) -> None:
    """Makes a folder in which the repository's paths mean what they mean at its root."""
    for entry in ROOT.iterdir():
        if entry.name != ".git":
            (folder / entry.name).symlink_to(entry)


def run(example: Example, folder: Path) -> tuple[int, str]:
    """Run an example as a user would; return the exit code and all that it printed.

    `streamshark` alone, or the first in a pipe, runs in this process.
    """
    command, _, piped = example.command.partition(" | ")
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    if words[0] != "streamshark" or not SHELL.isdisjoint(words):
        return _shell(INSTALLED.get(example.command, example.command), folder)
    code, out, err = _streamshark(words[1:], folder)
    if not piped:
        return code, out + err
    code, out = _shell(piped, folder, out)
    return code, out + err


def differences(name: str, shown: list[Example], folder: Path) -> list[str]:
    """Return the differences between a document and its examples, run in an empty folder."""
    furnish(folder)
    found = []
    for example in shown:
        code, printed = run(example, folder)
        if not matches(example.printed, printed):
            found.append(f"$ {example.command}\nprints\n{printed}\n{name} says\n{example.printed}")
        if code != example.code:
            found.append(f"$ {example.command}\nexits with {code}\n{printed}")
    return found


def _streamshark(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with (
        chdir(folder), patch.dict(os.environ, {"COLUMNS": "100"}), redirect_stdout(out),
        redirect_stderr(err), patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO())),
    ):  # fmt: skip
        code = main.run(arguments)
        out.flush()
    return code, out.buffer.getvalue().decode(), err.getvalue()  # type: ignore[attr-defined]


def _shell(command: str, folder: Path, given: str = "") -> tuple[int, str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    path = f"{PROGRAMS}{os.pathsep}{outside['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**outside, "PATH": path, "COLUMNS": "100"},
        check=False,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def check(names: list[str]) -> int:
    """Run the examples of documents with the installed program."""
    for name in names:
        with TemporaryDirectory() as folder:
            found = differences(name, examples(Path(name).read_text("utf-8")), Path(folder))
        if found:
            sys.stderr.write("\n".join(found))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[1:]))
