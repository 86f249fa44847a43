"""`streamshark info`."""

import json
from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic

from streamshark.cli.info import wide_as_text


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A capture."""
    return parrot_traffic.write(tmp_path, parrot_traffic.talk())


def test_text(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file first, then what it holds."""
    done = call(monkeypatch, "info", *PARROT, path)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{path}\n  format       pcap, ")
    assert "\n\nProtocols\n" in done.out
    assert "\n\nConnections\n  flow 0  10.0.0.1:40000 -> 10.0.0.2:7777  parrot_talk\n" in done.out


def test_colour(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only when it is wanted."""
    assert "\x1b" not in call(monkeypatch, "info", *PARROT, path).out
    assert "\x1b[1m" in call(monkeypatch, "info", *PARROT, "--color", "always", path).out


def test_json(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One object."""
    told = json.loads(call(monkeypatch, "info", *PARROT, "-T", "json", path).out)
    text = json.loads(call(monkeypatch, "info", *PARROT, "-T", "json", "--int-strings", path).out)

    assert told["connections"][0]["client"] == "10.0.0.1:40000"
    assert text["files"][0]["first_ns"] == str(told["files"][0]["first_ns"])
    assert text == wide_as_text(told)


def test_damage(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told of the file, and on stderr."""
    Path(path).write_bytes(Path(path).read_bytes()[:-5])
    done = call(monkeypatch, "info", *PARROT, "--strict", path)

    assert done.code == 3
    assert "\n  damage       the file ends inside the record" in done.out
    assert "the file ends inside" in done.err


def test_nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Says what is missing."""
    done = call(monkeypatch, "info")
    assert (done.code, done.out) == (2, "")
    assert "no input: name a capture" in done.err
