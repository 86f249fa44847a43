"""Plugins in Wireshark's folder, and the proof that they load."""

import os
from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.lua import install as installing
from streamshark.protocols.catalog import catalog

PROGRAM = os.environ.get("STREAMSHARK_TSHARK", "tshark")
"""As in `tests.judge.judging`."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for tshark; the folder of its plugins."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    where = installing.folder(PROGRAM)
    assert where.is_relative_to(tmp_path)
    return where


def test_install_check_uninstall(home: Path) -> None:
    """Install check uninstall."""
    texts = {path.name: path.read_text() for path in Path("dissectors").glob("*.lua")}
    assert all(each.problem for each in installing.check(texts, home, PROGRAM))
    installing.install(texts, home)
    found = installing.check(texts, home, PROGRAM)
    names = {each.wire.short for each in catalog() if f"{each.wire.id}.lua" in texts} | {"amqp1"}
    assert {each.protocol for each in found if each.problem is None} == names
    assert len(installing.uninstall(texts, home)) == len(texts)
    assert list(home.glob("*.lua")) == []


def test_a_script_that_fails_is_told_though_tshark_exits_with_0(home: Path) -> None:
    """A script that fails is told though tshark exits with 0."""
    broken = {"rsocket.lua": Path("dissectors/rsocket.lua").read_text() + "\nnope()\n"}
    installing.install(broken, home)
    (found,) = installing.check(broken, home, PROGRAM)
    assert found.problem is not None
    assert "rsocket.lua" in found.problem


def test_a_file_of_somebody_else_stays(home: Path) -> None:
    """A file of somebody else stays."""
    home.mkdir(parents=True)
    own = home / "rsocket.lua"
    own.write_text("-- mine")
    with pytest.raises(StreamsharkError, match="not a Streamshark plugin"):
        installing.install({"rsocket.lua": "x"}, home)
    assert installing.uninstall(["rsocket.lua"], home) == []
    assert own.read_text() == "-- mine"


def test_without_tshark_one_line_says_so() -> None:
    """Without tshark one line says so."""
    with pytest.raises(StreamsharkError, match="is Wireshark's tshark installed"):
        installing.folder("no-such-tshark")
