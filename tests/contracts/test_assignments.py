"""Assignments to objects of other packages are seen by mypy's plugin."""

from pathlib import Path

from mypy import api
from tests.contracts.repository import ROOT

OWNER = """
class Counter:
    def __init__(self) -> None:
        self.count = 0

def add(counter: Counter) -> None:
    counter.count += 1
"""
USER = """
from streamshark.flows.counter import Counter

class Own(Counter):
    def reset(self) -> None:
        self.count = 0

def read(counter: Counter) -> int:
    return counter.count

def write(counter: Counter, own: Own) -> None:
    counter.count = 1
    own.count += 1
"""


def test_assignments_outside_the_package_are_errors(tmp_path: Path) -> None:
    """Reading is not, nor what an object assigns itself, nor what its package does."""
    for folder, name, text in (("flows", "counter", OWNER), ("views", "table", USER)):
        path = tmp_path / "streamshark" / folder / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        for package in (path.parent, path.parent.parent):
            (package / "__init__.py").touch()
    config = tmp_path / "mypy.toml"
    config.write_text(f"[tool.mypy]\nplugins = ['{ROOT / 'tests/contracts/assignments.py'}']\n")

    output, _, _ = api.run(
        ["--config-file", str(config), "--cache-dir", str(tmp_path), str(tmp_path / "streamshark")]
    )

    found = [line.split(":", 2)[1] for line in output.splitlines() if "outside" in line]
    assert found == ["12", "13"], output
