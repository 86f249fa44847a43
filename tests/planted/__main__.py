"""Plants each fault of this folder in a copy of the repository, and tells which test notices it.

    python -m tests.planted                 all of them
    python -m tests.planted rules/one lua   those whose name begins so
    python -m tests.planted --near          only with the tests of the file that is patched

A fault is a patch, `<kind>/<name>.patch`. It is tried on the tests of the file that it patches,
then on all tests of `make test`, up to the first that fails. What no test notices survives, and
the exit code is 1. Generated plugins are made anew with the fault, since a test that compares them
with their source would notice whatever changes there.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import monotonic

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
SHARED = ("captures", ".git", ".venv")
"""What is not copied, since no test writes there."""
SOURCE = Path("src/streamshark")
LUA = SOURCE / "lua"
BESIDE = {
    "decoding": ("tests/decoding", "tests/schema"),
    "framing": ("tests/framing", "tests/dissection"),
    "lua": (
        "tests/lua", "tests/judge/test_made.py", "tests/judge/test_words.py",
        "tests/judge/test_vectors.py",
    ),
}  # fmt: skip
"""Rooms whose modules are tested together, to the tests that are nearest."""
READ = {"conversations.py": "test_findings.py"}
"""Modules of a protocol whose tables others read, to the tests of those: rules show states."""


def faults(chosen: list[str]) -> list[Path]:
    """Return the patches whose names begin as one of those that are chosen, or all."""
    every = sorted(FOLDER.glob("*/*.patch"))
    return [each for each in every if not chosen or name(each).startswith(tuple(chosen))]


def name(patch: Path) -> str:
    """Return how a fault is called: its kind and what it does."""
    return f"{patch.parent.name}/{patch.stem}"


def patched(patch: Path) -> Path:
    """Return the file that a patch changes."""
    (found,) = re.findall(r"^\+\+\+ b/(.*)$", patch.read_text(), re.MULTILINE)
    return Path(found)


def near(source: Path) -> list[str]:
    """Return the tests of a file: its own, or those of the room that it is in."""
    inside = source.relative_to(SOURCE)
    own = Path("tests") / inside.with_name(f"test_{inside.name}")
    if source.suffix != ".py" or not (ROOT / own).is_file():
        return list(BESIDE.get(inside.parts[0], (str(own.parent),)))
    is_read = inside.parts[0] == "protocols" and inside.name in READ
    return [str(own), *([str(own.with_name(READ[inside.name]))] if is_read else [])]


def copy(folder: Path) -> Path:
    """Return a copy of the repository, without what tests leave behind."""
    made = folder / "copy"
    left = ignore_patterns(*SHARED, "__pycache__", ".*_cache", ".hypothesis", "build", "dist")
    copytree(ROOT, made, ignore=left, symlinks=True)
    for each in SHARED:
        (made / each).symlink_to(ROOT / each)
    return made


def run(where: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a copy."""
    environment = {**os.environ, "PYTHONPATH": str(where / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=where, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def noticed(where: Path, *arguments: str) -> str | None:
    """Return the first test that fails, or what keeps them from running; None if all pass."""
    done = run(where, "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments)
    if done.returncode == 0:
        return None
    found = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[0] if found else f"pytest exits with {done.returncode}"


def tried(patch: Path, workers: str, *, only_near: bool) -> Iterator[str | None]:
    """Yield what notices a fault: the nearest tests, then all."""
    with TemporaryDirectory() as folder:
        where = copy(Path(folder))
        subprocess.run(["git", "apply", str(patch)], cwd=where, check=True)
        if patched(patch).is_relative_to(LUA):
            made = run(where, "streamshark.lua.generate")
            if made.returncode:
                yield f"the plugins are not made: {made.stderr.splitlines()[-1]}"
                return
        yield noticed(where, *near(patched(patch)))
        if not only_near:
            yield noticed(where, "-n", workers, "--dist", "loadgroup", "--ignore=tests/planted")


def main() -> int:
    """Try faults, and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--near", action="store_true", help="try only the nearest tests")
    parser.add_argument("--workers", default="2")
    given = parser.parse_args()
    survivors = []
    for patch in faults(given.names):
        began = monotonic()
        ways = tried(patch, given.workers, only_near=given.near)
        found = next((each for each in ways if each is not None), None)
        if found is None:
            survivors.append(name(patch))
        told = f"{name(patch)}: {found or 'SURVIVES'} ({monotonic() - began:.0f} s)"
        sys.stdout.write(f"{told}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(survivors)} survive: {', '.join(survivors) or 'none'}\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
