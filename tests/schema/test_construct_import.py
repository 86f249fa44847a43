"""construct costs little at the start, and is all there."""

import subprocess
import sys

import pytest

NEEDLESS = {"hashlib", "pdb", "pickle", "traceback"}


@pytest.mark.process
def test_construct_comes_without_what_nobody_calls() -> None:
    """Replacements of construct's unused modules do not stay in `sys.modules`."""
    text = "import sys, streamshark.schema.words; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)

    assert "construct" in done.stdout.split()
    assert not NEEDLESS & set(done.stdout.split())


@pytest.mark.process
def test_what_was_postponed_works() -> None:
    """Construct pickles the containers that it gives, and compiles with a digest of the text."""
    text = """
import pytest
from streamshark.schema.construct_import import construct
form = construct.Struct("a" / construct.Byte)
assert form.compile().parse(b"\\7").a == form.parse(b"\\7").a == 7
"""
    subprocess.run([sys.executable, "-c", text], check=True)
