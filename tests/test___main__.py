"""`python -m streamshark` runs the program."""

import subprocess
import sys

import pytest


@pytest.mark.process
def test_the_package_runs() -> None:
    """`python -m streamshark` is the command `streamshark`, and calls itself so."""
    done = subprocess.run(
        [sys.executable, "-m", "streamshark", "decode", "zz"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (
        2,
        "streamshark: zz: neither a file nor hex: 'z' is not a hex digit (line 1, column 1)\n",
    )
