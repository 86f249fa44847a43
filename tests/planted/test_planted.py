"""Faults that are planted can be planted: their patches fit the source."""

import subprocess
from collections import Counter

import pytest
from tests.failures import Failures
from tests.planted.__main__ import ROOT, faults, name, near, patched

LEAST = {"decoding": 20, "lua": 10, "rules": 20, "views": 10}
"""How many faults there are of each kind."""


@pytest.mark.process
def test_every_patch_applies() -> None:
    """To the source as it is; each changes one file, whose tests are there."""
    every = faults([])
    assert Counter(each.parent.name for each in every) == LEAST
    with Failures() as failures:
        for patch in every:
            with failures.of(name(patch)):
                command = ["git", "apply", "--check", str(patch)]
                told = subprocess.run(
                    command, cwd=ROOT, capture_output=True, text=True, check=False
                )
                assert (told.returncode, told.stderr) == (0, "")
                assert all((ROOT / each).exists() for each in near(patched(patch)))


def test_faults_are_chosen_by_the_beginnings_of_their_names() -> None:
    """All where nothing is chosen."""
    assert {each.parent.name for each in faults(["lua", "views/p95"])} == {"lua", "views"}
    assert len(faults(["views/p95"])) == 1
