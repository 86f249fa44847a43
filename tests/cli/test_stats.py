"""`streamshark stats`."""

import csv
import io
import json
from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A capture."""
    return parrot_traffic.write(tmp_path, parrot_traffic.talk())


def test_text(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables that have rows."""
    done = call(monkeypatch, "stats", *PARROT, path)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Commands and response times\n")
    assert "\n\nConnections\n" in done.out
    assert done.out.endswith("\n")


def test_one_table(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As asked for."""
    done = call(monkeypatch, "stats", *PARROT, "--table", "tcp", path)
    assert done.out.startswith("TCP: network, client or server?\n")
    assert "Commands" not in done.out


def test_json(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One object with a list for each table, raw values."""
    told = json.loads(call(monkeypatch, "stats", *PARROT, "-T", "json", path).out)
    text = json.loads(call(monkeypatch, "stats", *PARROT, "-T", "json", "--int-strings", path).out)

    assert told["schema_version"] == 1
    assert told["relative_error"] == 0.01
    assert {each["command"] for each in told["commands"]} >= {"say", "login"}
    assert text["first_ns"] == str(told["first_ns"])


def test_csv(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table; the commands unless another is asked for."""
    done = call(monkeypatch, "stats", *PARROT, "-T", "csv", path)
    other = call(monkeypatch, "stats", *PARROT, "-T", "csv", "--table", "connections", path)

    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["command"] for row in rows} >= {"say", "login"}
    assert next(csv.DictReader(io.StringIO(other.out)))["client"] == "10.0.0.1:40000"


def test_names_of_tshark(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several, in order; -q is taken as tshark's."""
    done = call(monkeypatch, "stats", *PARROT, "-q", "-z", "conv,parrot", "-z", "io,stat,0", path)

    assert done.code == 0
    assert done.out.index("parrot_talk Conversations") < done.out.index("IO Statistics")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-z", "dns,tree"), "-z dns,tree: unknown statistic"),
        (("-z", "srt", "-T", "json"), "-z cannot be combined"),
        (("-z", "srt", "--table", "tcp"), "-z cannot be combined"),
        (("-T", "csv", "--table", "tcp", "--table", "streams"), "-T csv takes one --table"),
        (("-T", "pdml"), "-T pdml is not supported"),
    ],
)
def test_what_is_refused(
    arguments: tuple[str, ...], told: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to use instead."""
    done = call(monkeypatch, "stats", *PARROT, *arguments, path)

    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said on stderr."""
    path = parrot_traffic.write(
        tmp_path, parrot_traffic.Conversation().handshake().send(0, b"?" * 9)
    )
    done = call(monkeypatch, "stats", *PARROT, path)

    assert (done.code, done.out) == (0, "")
    assert "no known protocol" in done.err


def test_damage(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read is shown; with --strict the exit code says more."""
    Path(path).write_bytes(Path(path).read_bytes()[:-5])

    done = call(monkeypatch, "stats", *PARROT, "--strict", path)
    assert (done.code, done.out[:8]) == (3, "Commands")
    assert "the file ends inside" in done.err
