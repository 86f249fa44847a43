"""The repository as the contracts see it: its root, its files, its settings."""

import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "streamshark"
PROGRAMS = Path(sys.executable).parent
"""Folder of the programs of the environment that runs the tests."""


@cache
def files() -> tuple[Path, ...]:
    """Return the files that are, or would be, part of a commit; relative to the root, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    return tuple(sorted(Path(name) for name in listed.split("\0") if (ROOT / name).is_file()))


@cache
def texts() -> dict[Path, str]:
    """Return the files that are text, with their text."""
    found = {}
    for path in files():
        data = (ROOT / path).read_bytes()
        if b"\0" not in data:
            found[path] = data.decode("utf-8", "replace")
    return found


@cache
def settings() -> dict[str, Any]:
    """Return the settings of the repository's tests in pyproject.toml."""
    tools: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    found: dict[str, Any] = tools["streamshark"]
    return found
