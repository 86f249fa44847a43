"""Faults that are planted can be planted: their patches fit the source."""

from collections import Counter
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.planted.__main__ import near, noticed
from tests.planted.fault import ROOT, Fault, PatchError, faults

LEAST = {"decoding": 20, "lua": 10, "rules": 20, "views": 10}
"""How many faults there are of each kind."""
PATCH = """\
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@
 before
-old
+new
 after
"""


def test_every_patch_fits() -> None:
    """Each one changes the source as it is, in one file, whose tests are there."""
    every = faults([])
    assert Counter(each.kind for each in every) == LEAST
    with Failures() as failures:
        for fault in every:
            with failures.of(fault.name):
                whole = (ROOT / fault.source).read_text()
                assert fault.planted(whole) != whole
                assert all((ROOT / each).exists() for each in near(fault.source))


def test_faults_are_chosen_by_the_beginnings_of_their_names() -> None:
    """All where nothing is chosen."""
    assert {each.kind for each in faults(["lua", "views/p95"])} == {"lua", "views"}
    assert len(faults(["views/p95"])) == 1


def test_a_patch_fits_where_lines_around_it_have_changed(tmp_path: Path) -> None:
    """At any line, but in one place only."""
    (tmp_path / "a.patch").write_text(PATCH)
    fault = Fault(tmp_path / "a.patch")
    assert fault.source == Path("src/a.py")
    assert fault.planted("0\n\nbefore\nold\nafter\nold\n") == "0\n\nbefore\nnew\nafter\nold\n"
    assert fault.planted("before, reworded\nold\nafter\n") == "before, reworded\nnew\nafter\n"
    assert fault.planted("old\n") == "new\n"
    for text, places in (("too old\n", 0), ("1\nold\n2\nold\n", 2)):
        with pytest.raises(PatchError, match=f"in {places} places"):
            fault.planted(text)


@pytest.mark.process
def test_what_notices_a_fault(tmp_path: Path) -> None:
    """The first test that fails, or that tests do not end; nothing if all pass."""
    (tmp_path / "test_a.py").write_text(
        "def test_good(): pass\n"
        "def test_bad(): assert False\n"
        "def test_endless():\n"
        "    while True: pass\n"
    )
    assert noticed(tmp_path, 60, "test_a.py", "-k", "good") is None
    assert noticed(tmp_path, 60, "test_a.py", "-k", "good or bad") == "test_a.py::test_bad"
    assert noticed(tmp_path, 3, "test_a.py", "-k", "endless") == "the tests still run after 3 s"
