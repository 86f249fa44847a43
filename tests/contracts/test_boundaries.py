"""The boundaries between packages hold because a breach is seen: each is breached in a copy."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.contracts.repository import PROGRAMS, ROOT, SOURCE

ONE_WAY = "Data flows one way"
STRANGERS = "Protocols do not know each other"
CONSTRUCT = "construct is spoken in one place"
NO_IO = "The core does no I/O"
OPTIONAL = "pyspark is spoken in spark alone, scapy and pyshark in capture alone"
SURFACES = "Surfaces take records of the core"
CIRCLES = "No circle inside a package"
CORE = (
    "schema",
    "flows",
    "decoding",
    "framing",
    "dissection",
    "conversations",
    "findings",
    "filters",
    "protocols",
)


def checked(source: Path) -> str:
    """What import-linter says of the package in `source`."""
    done = subprocess.run(
        [PROGRAMS / "lint-imports", "--no-cache", "--no-logo", "--config", ROOT / "pyproject.toml"],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return done.stdout


def broken(told: str) -> set[str]:
    """Names of the contracts that are broken, of what import-linter says."""
    return set(re.findall(r"^(.+) BROKEN\b", told, re.MULTILINE))


def is_named(module: str, told: str) -> bool:
    """Whether import-linter names a module; of a circle it says the last part alone."""
    name = re.escape(module.removesuffix(".py").replace("/", "."))
    last = name.rpartition(".")[2]
    return re.search(rf"\b{name}\b|^- \.{last} ->", told, re.MULTILINE) is not None


def plant(source: Path, files: dict[str, str]) -> None:
    """Adds lines to modules of the copy, which are made where they do not exist."""
    for name, line in files.items():
        path = source / "streamshark" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in path.parents[: len(Path(name).parents)]:
            (folder / "__init__.py").touch()
        with path.open("a") as module:
            module.write(line + "\n")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the package."""
    shutil.copytree(SOURCE, tmp_path / "streamshark", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


BREACHES: dict[str, tuple[dict[str, str], ...]] = {
    ONE_WAY: (
        {"views/planted.py": "", "flows/planted.py": "import streamshark.views.planted"},
        {"protocols/planted.py": "", "findings/planted.py": "import streamshark.protocols.planted"},
        {"lua/planted.py": "", "proxy/planted.py": "import streamshark.lua.planted"},
        {"errors.py": "import streamshark.flows"},
        {"unplaced.py": ""},
    ),
    STRANGERS: (
        {
            "protocols/one/framing.py": "",
            "protocols/two/frames/deep.py": "import streamshark.protocols.one.framing",
        },
    ),
    CONSTRUCT: (
        {"flows/planted.py": "from construct.core import Struct"},
        {"protocols/one/types.py": "import construct"},
    ),
    NO_IO: (
        {
            "capture/planted.py": "import asyncio",
            "dissection/planted.py": "import streamshark.capture.planted",
        },
    ),
    OPTIONAL: (
        {"flows/planted.py": "def late():\n    import scapy.all"},
        {"views/planted.py": "import pyspark.sql"},
    ),
    SURFACES: ({"views/planted.py": "import streamshark.conversations.engine"},),
    CIRCLES: (
        {
            "flows/one.py": "import streamshark.flows.two",
            "flows/two.py": "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    import streamshark.flows.one",
        },
    ),
}
"""Contract to breaches of it: modules of the copy with a line each; the last one is named."""


@pytest.mark.parametrize("contract", BREACHES)
def test_planted_breaches_are_seen(source: Path, contract: str) -> None:
    """Each contract, and no other, breaks where it is breached; each breach is named."""
    for files in BREACHES[contract]:
        plant(source, files)
    told = checked(source)

    assert broken(told) == {contract}
    assert [each for each in BREACHES[contract] if not is_named(list(each)[-1], told)] == []


def test_each_package_of_the_core_is_kept_from_io(source: Path) -> None:
    """All are breached at once, and all are named."""
    plant(source, {f"{package}/planted.py": "import socket" for package in CORE})

    found = re.findall(r"streamshark\.(\w+)\.planted -> socket", checked(source))
    assert sorted(found) == sorted(CORE)


def test_what_is_allowed_breaks_nothing(source: Path) -> None:
    """Each library in its place, and a protocol made of its own parts, are fine."""
    plant(
        source,
        {
            "schema/planted.py": "import construct",
            "capture/planted.py": "import scapy.all\nimport socket",
            "spark/planted.py": "import pyspark",
            "cli/planted.py": "import streamshark.spark.planted\nimport asyncio",
            "protocols/protocol.py": "",
            "protocols/one/framing.py": "",
            "protocols/one/frames/deep.py": "import streamshark.protocols.one.framing\n"
            "import streamshark.protocols.protocol",
        },
    )

    assert broken(checked(source)) == set()


def test_spark_uses_no_private_member() -> None:
    """The linter finds them, and is not told to look away."""
    spoken = [
        str(path) for path in (SOURCE / "spark").rglob("*.py") if "SLF001" in path.read_text()
    ]

    assert spoken == []
