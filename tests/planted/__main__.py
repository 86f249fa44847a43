"""Plants each fault of this folder in a copy of the repository, and names the test that notices it.

    python -m tests.planted                 all of them
    python -m tests.planted rules/one lua   those whose names begin so
    python -m tests.planted --near          only with the tests of the file that is patched

Each fault is tried on the tests of the file that it patches, then on all tests of `make test`, up
to the first that fails. A fault that no test notices survives, and the exit code is 1. Generated
plugins are made anew with the fault, since a test that compares them with their source would notice
whatever changes there.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import monotonic

from tests.planted.fault import ROOT, Fault, faults

SHARED = ("captures", ".git", ".venv")
"""What is not copied, since no test writes there."""
SOURCE = Path("src/streamshark")
LUA = SOURCE / "lua"
DISSECTORS = "dissectors"
"""What is generated from `LUA`."""
BESIDE = {
    "decoding": ("tests/decoding", "tests/schema"),
    "framing": ("tests/framing", "tests/dissection"),
    "lua": (
        "tests/lua", "tests/judge/test_made.py", "tests/judge/test_words.py",
        "tests/judge/test_vectors.py",
    ),
}  # fmt: skip
"""Packages whose modules are tested together, to the nearest tests."""
READ = {"conversations.py": "test_findings.py"}
"""Modules of a protocol whose tables others read, to the tests of those: rules show states."""
NEAR_SECONDS, ALL_SECONDS = 300, 1800
"""How long the nearest tests and all tests may take; a fault that needs longer has hung them."""


def near(source: Path) -> list[str]:
    """Return the tests of a file: its own, or those of its package."""
    inside = source.relative_to(SOURCE)
    own = Path("tests") / inside.with_name(f"test_{inside.name}")
    if source.suffix != ".py" or not (ROOT / own).is_file():
        return list(BESIDE.get(inside.parts[0], (str(own.parent),)))
    if inside.parts[0] != "protocols" or inside.name not in READ:
        return [str(own)]
    reading = own.with_name(READ[inside.name])  # a file, or a folder of several
    return [str(own), str(reading if reading.is_file() else own.with_name("findings"))]


def copy(folder: Path) -> Path:
    """Return a copy of the repository, without what tests leave in it."""
    made = folder / "copy"
    left = ignore_patterns(*SHARED, "__pycache__", ".*_cache", ".hypothesis", "build", "dist")
    copytree(ROOT, made, ignore=left, symlinks=True)
    for each in SHARED:
        (made / each).symlink_to(ROOT / each)
    return made


def run(where: Path, seconds: float, *command: str) -> subprocess.CompletedProcess[str] | None:
    """Run a Python module in a copy; None if it takes longer, and then all it started is ended."""
    environment = {**os.environ, "PYTHONPATH": str(where / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each run compiles all of the source
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=where, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as started:  # fmt: skip
        try:
            output, errors = started.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            return None
    return subprocess.CompletedProcess(started.args, started.returncode, output, errors)


def noticed(where: Path, seconds: float, *arguments: str) -> str | None:
    """Return the first test that fails, or what keeps the tests from ending; None if all pass."""
    done = run(where, seconds, "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments)
    if done is None:
        return f"the tests still run after {seconds:.0f} s"
    if done.returncode == 0:
        return None
    found = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[0] if found else f"pytest exits with {done.returncode}"


def tried(fault: Fault, where: Path, workers: str, *, only_near: bool) -> Iterator[str | None]:
    """Yield what notices a fault that is planted in a copy: the nearest tests, then all."""
    if fault.source.is_relative_to(LUA):
        made = run(where, NEAR_SECONDS, "streamshark.lua.generate")
        if made is None or made.returncode:
            yield "the plugins are not generated"
            return
    yield noticed(where, NEAR_SECONDS, *near(fault.source))
    if not only_near:
        every = ("-n", workers, "--dist", "loadgroup", "--ignore=tests/planted")
        yield noticed(where, ALL_SECONDS, *every)


def main() -> int:
    """Try faults, and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--near", action="store_true", help="try only the nearest tests")
    parser.add_argument("--workers", default="2")
    given = parser.parse_args()
    survivors = []
    with TemporaryDirectory() as folder:
        where = copy(Path(folder))
        for fault in faults(given.names):
            began = monotonic()
            whole = (where / fault.source).read_text()
            (where / fault.source).write_text(fault.planted(whole))
            ways = tried(fault, where, given.workers, only_near=given.near)
            found = next((each for each in ways if each is not None), None)
            (where / fault.source).write_text(whole)
            copytree(ROOT / DISSECTORS, where / DISSECTORS, dirs_exist_ok=True)
            if found is None:
                survivors.append(fault.name)
            seconds = monotonic() - began
            sys.stdout.write(f"{fault.name}: {found or 'SURVIVES'} ({seconds:.0f} s)\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(survivors)} survive: {', '.join(survivors) or 'none'}\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
