"""The example protocol: its page quotes it whole, works by itself, and can be copied."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from docs.example_protocol.start import EXAMPLE, PLACES, start
from docs.example_protocol.tests.traffic import connection
from tests.builders import pcap
from tests.cli.console import call
from tests.contracts.repository import ROOT, texts

from streamshark.conversations.resolve import ResolvedTables
from streamshark.errors import SchemaError
from streamshark.protocols.catalog import catalog, find

PAGE = Path("docs/adding-a-protocol.md")
QUOTED = re.compile(
    r"^\[`(.+)`\]\(example_protocol/\1\):\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def quoted() -> dict[str, str]:
    """Return the files that the page quotes, with their text."""
    return dict(QUOTED.findall(texts()[PAGE]))


@pytest.fixture
def tally(tmp_path: Path) -> Iterator[Path]:
    """Write the files of the page into a folder, where no other copy of them is imported."""
    kept = {name: sys.modules.pop(name) for name in _imported()}
    for name, text in quoted().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    yield tmp_path
    for name in _imported():
        del sys.modules[name]
    sys.modules.update(kept)


def _imported() -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] == "tally"]


def test_the_page_quotes_the_protocol_whole() -> None:
    """All files of the package and its vectors, letter for letter."""
    files = [path for folder in ("tally", "vectors") for path in (EXAMPLE / folder).rglob("*.*")]

    assert quoted() == {
        str(path.relative_to(EXAMPLE)): path.read_text("utf-8")
        for path in files
        if path.suffix in (".py", ".toml")
    }


def test_the_page_alone_makes_a_protocol(tally: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command reads its traffic, and a plugin is written."""
    capture = tally / "tally.pcap"
    capture.write_bytes(pcap(connection().packets))
    shows = {
        ("read", str(capture)): "add_response code=unknown_counter total=0 -> 3",
        ("check", str(capture)): "add 1 to pear is refused: 1 (unknown_counter)",
        ("conversations", str(capture)): "add pear amount=1 -> code=unknown_counter",
        ("decode", "--protocol", "tally", "000a010007056170706c6503"): '"counter":"apple"',
        ("lua", "generate", "tally", "-o", str(tally)): "tally.lua",
    }

    for arguments, expected in shows.items():
        done = call(monkeypatch, "--protocol-path", str(tally), *arguments)
        assert expected in done.out + done.err, arguments
    assert "Name of the counter." in (tally / "tally.lua").read_text()


def test_a_response_that_is_not_declared(tally: Path) -> None:
    """The message says why the name is not made up from the request's."""
    protocol = find("tally", catalog([str(tally)]))
    wire = replace(protocol.wire, frames=protocol.wire.frames[:1])

    with pytest.raises(SchemaError, match=r"no response bit, so declare .* 'add_response'"):
        ResolvedTables(wire, protocol.conversations)


@pytest.mark.process
def test_a_copy_passes_its_tests(tmp_path: Path) -> None:
    """Under another name, of which nothing but the name is new."""
    written = start(tmp_path, "chess_clock")
    for path in written:  # a port of its own: other copies may be there that are not changed yet
        path.write_text(path.read_text("utf-8").replace("7700", "7701"), "utf-8")
    (tmp_path / "conftest.py").write_text(
        "import streamshark.protocols\n"
        f"streamshark.protocols.__path__.append({str(tmp_path / PLACES['tally'])!r})\n"
        "import tests.protocols\n"
        f"tests.protocols.__path__.append({str(tmp_path / PLACES['tests'])!r})\n"
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null"),
            *("--import-mode=importlib", "--rootdir", tmp_path, tmp_path / PLACES["tests"]),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert [str(path) for path in written if "tally" in path.read_text("utf-8").lower()] == []
    assert re.search(r"^\d+ passed", done.stdout, re.MULTILINE), done.stdout + done.stderr


@pytest.mark.parametrize(("name", "why"), [("Chess", "snake_case"), ("nats", "exists already")])
def test_a_name_that_cannot_be_taken(name: str, why: str) -> None:
    """Nothing is overwritten."""
    with pytest.raises(ValueError, match=why):
        start(ROOT, name)
