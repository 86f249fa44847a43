"""Two commands set everything up, and their scripts report what they cannot do."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.contracts.repository import ROOT, texts

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))


def install(tmp_path: Path, *words: str, user: int) -> subprocess.CompletedProcess[str]:
    """Runs the installer as `user`, with an apt-get that only fails."""
    for name, line in {"id": f"echo {user}", "apt-get": "exit 99"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    return subprocess.run(
        [ROOT / ".ci" / "install-programs", *words],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_are_there(target: str) -> None:
    """The Makefile has both, and the README names both."""
    assert target in TARGETS
    assert f"make {target}" in texts()[Path("README.md")]


def test_what_lands_is_what_passes() -> None:
    """The script that decides runs the same command as everyone."""
    assert "\nmake test\n" in (ROOT / ".ci" / "run").read_text()


def test_documents_name_targets_that_exist() -> None:
    """`make something` in a document works."""
    astray = [
        f"{path}: make {target}"
        for path, text in texts().items()
        if path.suffix == ".md"
        for named in re.findall(r"(?:`|^\$ |^)make ((?:[a-z][a-z-]* ?)+)", text, re.MULTILINE)
        for target in named.split()
        if target not in TARGETS
    ]

    assert astray == []


def test_programs_that_are_there_need_nothing(tmp_path: Path) -> None:
    """The second time nothing is installed, root or not."""
    for user in (0, 1000):
        done = install(tmp_path, "sh", "make:a-package-called-otherwise", user=user)

        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_root_the_line_to_run_is_printed(tmp_path: Path) -> None:
    """Only packages that are missing are named, under the names that apt knows."""
    done = install(tmp_path, "sh", "no-such-program:its-package", "no-other", user=1000)

    assert done.returncode == 1
    assert done.stderr.strip().endswith(
        "apt-get install --no-install-recommends its-package no-other"
    )
