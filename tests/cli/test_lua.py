"""The commands `streamshark lua ...`."""

from pathlib import Path

import pytest

from streamshark.cli.main import run


def test_generate_writes_what_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Generate writes what is named."""
    assert run(["lua", "generate", "rsocket", "-o", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["rsocket.lua"]
    assert capsys.readouterr().out == f"{tmp_path / 'rsocket.lua'}\n"


def test_a_name_that_nothing_has_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that nothing has is a usage error."""
    assert run(["lua", "generate", "nope"]) == 2
    assert "unknown protocol or format 'nope'" in capsys.readouterr().err


@pytest.mark.process
def test_install_check_and_uninstall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Install check and uninstall."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(["lua", "check", "rsocket"]) == 1
    assert "is not there" in capsys.readouterr().out
    assert run(["lua", "install", "rsocket"]) == 0
    assert "loaded as rsocket" in capsys.readouterr().out
    assert run(["lua", "uninstall", "rsocket"]) == 0
    assert "removed" in capsys.readouterr().out
