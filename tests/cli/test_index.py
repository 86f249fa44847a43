"""`streamshark index`."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.console import call
from tests.packets import recorded

from streamshark.index import cache

(CAPTURE,) = recorded("rabbitmq_stream/bug_credit_never_renewed")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all indexes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache.folder()


@pytest.mark.process
def test_index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what was made, and where it is; all of it can be removed."""
    text = call(monkeypatch, "index", CAPTURE)
    assert (text.code, text.err) == (0, "")
    (made,) = folder.iterdir()
    assert text.out.startswith(f"{CAPTURE}: ")
    assert f"\nindex: {made} (" in text.out

    told = json.loads(call(monkeypatch, "index", "-T", "json", CAPTURE).out)
    assert (told["files"], told["index"], told["state"]) == ([CAPTURE], str(made), "complete")
    rows = call(monkeypatch, "read", "-T", "ndjson", CAPTURE).out.splitlines()
    assert told["rows"] == len(rows)
    assert told["frames"] == sum('"frame":null' not in each for each in rows)
    assert told["conversations"] == len(
        call(monkeypatch, "conversations", "-T", "ndjson", CAPTURE).out.splitlines()
    )
    assert told["findings"] == len(
        call(monkeypatch, "check", "-T", "ndjson", CAPTURE).out.splitlines()
    )

    assert call(monkeypatch, "index", "--clear") == (0, "", "")
    assert list(folder.iterdir()) == []


@pytest.mark.process
def test_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read is named, and what was read is indexed."""
    damaged = tmp_path / "damaged.pcapng"
    damaged.write_bytes(Path(CAPTURE).read_bytes()[:-5])
    done = call(monkeypatch, "index", "--strict", str(damaged))
    assert (done.code, "may still be growing" in done.err) == (3, True)

    damaged.write_bytes(b"")
    done = call(monkeypatch, "index", str(damaged))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"streamshark: {damaged}: is empty\n"


def test_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Captures are files."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for given in ((), ("-",), (str(pipe),)):
        assert call(monkeypatch, "index", *given).code == 2
