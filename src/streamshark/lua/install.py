"""Installs plugins in Wireshark's folder, and verifies by running tshark that they load.

tshark exits with 0 even if a script fails, so its output is read: error messages of Lua, and the
list of its protocols.
"""

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from streamshark.errors import StreamsharkError

PROGRAM: Final = "tshark"
FOLDER: Final = "Personal Lua Plugins"
"""Name of the folder in `tshark -G folders`."""
_MARK: Final = "-- SPDX-License-Identifier: MIT"
_SHORT: Final = re.compile(r'^local SHORT = "(\w+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Whether a plugin is installed and loads."""

    name: str
    """Name of its file."""
    problem: str | None
    """Why it does not load; None if it does."""
    protocol: str = ""
    """Filter name of its protocol in Wireshark."""


def run(*arguments: str, program: str = PROGRAM) -> tuple[str, str]:
    """Run tshark; return its standard output and standard error.

    Raises:
        StreamsharkError: The program cannot be started.
    """
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False)  # noqa: S603 - a program that the user chose
    except OSError as error:
        raise StreamsharkError(
            f"{program}: {error.strerror} (is Wireshark's tshark installed?)"
        ) from None
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def folder(program: str = PROGRAM) -> Path:
    """Return the personal folder of Lua plugins of this Wireshark.

    Raises:
        StreamsharkError: It was built without Lua.
    """
    try:
        return named_folder(FOLDER, program)
    except LookupError:
        raise StreamsharkError(
            f"{program} has no folder for Lua plugins: it was built without Lua"
        ) from None


def named_folder(wanted: str, program: str = PROGRAM) -> Path:
    """Return a folder of this Wireshark by its name in `tshark -G folders`.

    Raises:
        LookupError: It has none of this name.
    """
    for line in run("-G", "folders", program=program)[0].splitlines():
        name, _, path = line.partition("\t")
        if name.strip().rstrip(":") == wanted:
            return Path(path.strip())
    raise LookupError(wanted)


def install(texts: Mapping[str, str], where: Path) -> list[Path]:
    """Write plugins into a folder; return their paths.

    Raises:
        StreamsharkError: A file of this name exists that Streamshark did not write.
    """
    where.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in texts.items():
        path = where / name
        if path.exists() and not is_generated(path):
            raise StreamsharkError(f"{path} is not a Streamshark plugin; move it away first")
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def uninstall(names: Iterable[str], where: Path) -> list[Path]:
    """Remove plugins that Streamshark wrote from a folder; return the paths of those removed."""
    found = [where / name for name in names]
    removed = [path for path in found if path.is_file() and is_generated(path)]
    for path in removed:
        path.unlink()
    return removed


def is_generated(path: Path) -> bool:
    """Return whether Streamshark wrote a file."""
    start = path.read_text(encoding="utf-8", errors="replace")[:1000]
    return _MARK in start and "Streamshark" in start


def check(texts: Mapping[str, str], where: Path, program: str = PROGRAM) -> list[Loaded]:
    """Return the state of each plugin: missing, another version, a Lua error, or loaded."""
    output, complaints = run("-G", "protocols", program=program)
    known = {parts[2] for line in output.splitlines() if len(parts := line.split("\t")) > 2}  # noqa: PLR2004 - name, short, filter
    return [_checked(name, text, where / name, known, complaints) for name, text in texts.items()]


def _checked(name: str, text: str, path: Path, known: set[str], complaints: str) -> Loaded:
    if not path.is_file():
        return Loaded(name, "it is not there")
    found = _SHORT.search(text)
    short = found[1] if found else name.removesuffix(".lua")
    errors = [line.strip() for line in complaints.splitlines() if name in line]
    if errors:
        return Loaded(name, errors[0])
    if path.read_text(encoding="utf-8", errors="replace") != text:
        return Loaded(name, "it was made by another version; run: streamshark lua install")
    for filter_name in (short, f"{short}_x"):
        if filter_name in known:
            return Loaded(name, None, filter_name)
    return Loaded(name, "Wireshark did not load it; are Lua plugins switched off, as for root?")
