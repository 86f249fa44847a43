"""Puts plugins where Wireshark looks for them, and proves by running tshark that they load.

tshark exits with 0 even where a script fails, so what it says is read: complaints of Lua, and the
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
"""What Wireshark calls the folder in `tshark -G folders`."""
_MARK: Final = "-- SPDX-License-Identifier: MIT"
_SHORT: Final = re.compile(r'^local SHORT = "(\w+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Whether a plugin is there and works."""

    name: str
    """Its file."""
    problem: str | None
    """What is wrong; None when it has loaded."""
    protocol: str = ""
    """The name that Wireshark knows it by."""


def run(*arguments: str, program: str = PROGRAM) -> tuple[str, str]:
    """Output and complaints of tshark; StreamsharkError when there is none."""
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False)  # noqa: S603 - the user's own
    except OSError as error:
        raise StreamsharkError(f"{program}: {error.strerror}: install Wireshark's tshark") from None
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def folder(program: str = PROGRAM) -> Path:
    """The personal folder of Lua plugins, as this Wireshark has it."""
    for line in run("-G", "folders", program=program)[0].splitlines():
        name, _, path = line.partition("\t")
        if name.strip().rstrip(":") == FOLDER:
            return Path(path.strip())
    raise StreamsharkError(f"{program} names no folder of Lua plugins: it was built without Lua")


def install(texts: Mapping[str, str], where: Path) -> list[Path]:
    """Write plugins into a folder; files of the same name that are not ours are left alone."""
    where.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in texts.items():
        path = where / name
        if path.exists() and not is_ours(path):
            raise StreamsharkError(f"{path} is not a plugin of Streamshark; move it away first")
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def uninstall(names: Iterable[str], where: Path) -> list[Path]:
    """Remove plugins from a folder, those that are there and ours."""
    found = [where / name for name in names]
    gone = [path for path in found if path.is_file() and is_ours(path)]
    for path in gone:
        path.unlink()
    return gone


def is_ours(path: Path) -> bool:
    """Whether a file is one that we wrote."""
    start = path.read_text(encoding="utf-8", errors="replace")[:1000]
    return _MARK in start and "Streamshark" in start


def check(texts: Mapping[str, str], where: Path, program: str = PROGRAM) -> list[Loaded]:
    """What became of each plugin: not there, another version, a Lua error, or loaded."""
    output, complaints = run("-G", "protocols", program=program)
    known = {parts[2] for line in output.splitlines() if len(parts := line.split("\t")) > 2}  # noqa: PLR2004 - name, short, filter
    return [_checked(name, text, where / name, known, complaints) for name, text in texts.items()]


def _checked(name: str, text: str, path: Path, known: set[str], complaints: str) -> Loaded:
    if not path.is_file():
        return Loaded(name, "it is not there")
    found = _SHORT.search(text)
    short = found[1] if found else name.removesuffix(".lua")
    told = [line.strip() for line in complaints.splitlines() if name in line]
    if told:
        return Loaded(name, told[0])
    if path.read_text(encoding="utf-8", errors="replace") != text:
        return Loaded(name, "it was made by another version; run: streamshark lua install")
    for filter_name in (short, f"{short}_x"):
        if filter_name in known:
            return Loaded(name, None, filter_name)
    return Loaded(name, "Wireshark did not load it; are Lua plugins switched off, as for root?")
