"""The package is a program too."""

import subprocess
import sys

import pytest


@pytest.mark.process
def test_the_package_runs() -> None:
    """As the command of the same name, which it calls itself."""
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
