"""Tests of the proxy have a data folder of their own: proxies remember their ports there."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that no other test uses."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
