"""`streamshark fields`: every name."""

import json

import pytest
from tests.cli.console import PARROT, call


def test_all_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    """Members of every row first, then each protocol's."""
    done = call(monkeypatch, "fields", *PARROT)
    lines = done.out.splitlines()

    assert (done.code, done.err) == (0, "")
    assert lines[0].startswith("frame\tmember\t")
    assert "parrot.say.volume\tu8\t\t2\tHow loud.\t1.0" in lines
    assert any(line.startswith("rmqstream.publish.publisher_id\tu8\t") for line in lines)
    assert {line.count("\t") for line in lines} == {5}


def test_one_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its short name or its id."""
    for name in ("parrot", "parrot-talk"):
        names = {
            line.split("\t")[0].split(".")[0]
            for line in call(monkeypatch, "fields", *PARROT, name).out.splitlines()
        }
        assert names == {"parrot"}


def test_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """One object, with the version of the shapes."""
    told = json.loads(call(monkeypatch, "fields", *PARROT, "-T", "json", "parrot").out)

    assert told["schema_version"] == 1
    assert told["fields"][0]["name"] == "parrot.command"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("crow",), "unknown protocol 'crow'"),
        (("-T", "ndjson"), "unknown -T ndjson (known: text, json)"),
    ],
)
def test_errors(arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, exit code 2."""
    done = call(monkeypatch, "fields", *arguments)

    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
