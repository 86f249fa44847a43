"""The package runs as a program."""

import subprocess
import sys

from streamshark import __version__


def test_the_package_is_the_program() -> None:
    """`python -m streamshark --version` is `streamshark --version`."""
    command = [sys.executable, "-m", "streamshark", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[0] == f"streamshark {__version__}"
