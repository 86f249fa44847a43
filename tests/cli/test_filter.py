"""`streamshark filter`: checks a filter."""

import json

import pytest
from tests.cli.console import PARROT, call


def test_a_filter_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a tree, or as JSON."""
    done = call(monkeypatch, "filter", "tcp.port == 5 and not rmqstream.open")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("and\n  tcp.port == 5\n  not\n    rmqstream.open\n")
    found = json.loads(call(monkeypatch, "filter", "-T", "json", "rmqstream.open").out)
    assert found["canonical"] == "rmqstream.open"


def test_fields_of_packets_and_of_other_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the options."""
    assert call(monkeypatch, "filter", "tcp.flags.syn == 1").code == 2
    assert call(monkeypatch, "filter", "--packets", "tcp.flags.syn == 1").code == 0
    assert call(monkeypatch, "filter", *PARROT, "parrot.say.volume > 1").code == 0


def test_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each text that may stand at the cursor."""
    done = call(monkeypatch, "filter", "--complete", "tcp.st == 1@6")
    assert done.out == "tcp.stream\tAs in tshark: the flow.\n"
    assert call(monkeypatch, "filter", "--complete", "tcp").code == 2
    assert call(monkeypatch, "filter").code == 2


def test_a_wrong_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exits with 2, and shows where."""
    done = call(monkeypatch, "filter", "tcp.port == ")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 3)
