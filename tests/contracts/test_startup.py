"""Streamshark starts quickly, because what is heavy is imported only where it is used."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from tests.contracts.repository import PROGRAMS, ROOT, files

HEAVY = {"numba", "numpy", "pandas", "pyarrow", "pyshark", "pyspark", "scapy", "textual"}

SELDOM = {"hashlib", "pathlib", "pdb", "subprocess", "tempfile", "traceback"}
"""What Python brings and is slow to import; only what is rare needs it."""
UNPACKING = "pickle"
"""What readings unpack compiled tables with."""

JUDGING = re.compile(
    r"streamshark\..*\b(judge|rule|findings\.finding|explain|predicates|rsocket\.conv)"
)
"""What judges, and tables of a protocol that is not met."""

LARGEST = max(
    (path for path in files() if path.match("captures/rabbitmq_stream/*/traffic.*")),
    key=lambda path: (ROOT / path).stat().st_size,
)

RUN = """
import json, sys
from streamshark.cli.main import main
sys.argv[0] = "streamshark"
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["read", str(LARGEST)], ["read", "-T", "json", str(LARGEST)]],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments: list[str]) -> None:
    """What people run most imports none of the heavy libraries."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    modules = json.loads(done.stderr.splitlines()[-1])

    assert done.stdout
    assert HEAVY.isdisjoint(name.split(".")[0] for name in modules)
    assert SELDOM.isdisjoint(modules) or arguments == ["--version"]
    assert UNPACKING not in modules or arguments[0] == "read"
    assert ("importlib.metadata" in modules) == (arguments == ["--version"])
    assert not [name for name in modules if JUDGING.search(name)]


@pytest.mark.parametrize(
    ("field", "followed"), [("rmqstream.length", False), ("rmqstream.request_frame", True)]
)
def test_conversations_are_followed_where_they_are_shown(field: str, followed: bool) -> None:  # noqa: FBT001
    """Columns of frames alone cost nothing of what conversations do."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, "read", "-T", "fields", "-e", field, str(LARGEST)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    modules = json.loads(done.stderr.splitlines()[-1])

    assert any(done.stdout.splitlines())
    assert ("streamshark.conversations.engine" in modules) == followed


def test_version_names_the_libraries_in_use() -> None:
    """A report of a fault can say exactly what was running."""
    shown = subprocess.run(
        [PROGRAMS / "streamshark", "--version"], check=True, capture_output=True, text=True
    ).stdout

    assert re.search(rf"\b{re.escape(version('streamshark'))}\b", shown)
    for library in ("Python", "construct", "click"):
        assert re.search(rf"\b{library}\b\S* \d+\.\d+", shown), library
