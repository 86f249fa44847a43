"""`--flow` and `--conversation` choose rows, in every format of the output."""

import json
from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Three connections, the last with nothing in it that is known."""
    talks = [
        Conversation(("10.0.0.1", 1_000 + at), ("10.0.0.2", 7777)).handshake()
        .send(0, parrot_traffic.say(number=at)).send(1, parrot_traffic.said(at))
        for at in range(2)
    ]  # fmt: skip
    other = Conversation(("10.0.0.9", 9), ("10.0.0.2", 80)).handshake().send(0, b"?" * 99)
    return parrot_traffic.write(tmp_path, *talks, other)


@pytest.mark.parametrize(
    "form",
    [(), ("-V",), ("-x",), ("-T", "json"), ("-T", "ndjson"),
     ("-T", "fields", "-e", "frame", "-e", "tcp.stream", "-e", "parrot.correlation_id")],
)  # fmt: skip
def test_rows_of_connections(
    path: str, form: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those rows as they are without the option, with their numbers."""
    parts = [call(monkeypatch, "read", *PARROT, *form, "--flow", each, path) for each in "01"]
    both = call(monkeypatch, "read", *PARROT, *form, "--flow", "0,1", path)
    again = call(monkeypatch, "read", *PARROT, *form, "--flow", "1", "--flow", "0", path)
    every = call(monkeypatch, "read", *PARROT, *form, path)

    assert both == again == every
    assert {each.code for each in (*parts, every)} == {0}
    lines = [set(each.out.splitlines()) for each in parts]
    rows = [each for each in every.out.splitlines() if "10.0.0.1:1000" in each]
    assert set(rows) <= lines[0] or form[:2] == ("-T", "json")
    assert not set(rows) & lines[1]
    assert min(map(len, lines)) > 2


def test_rows_of_a_conversation(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call: what was asked and answered."""
    shown = call(monkeypatch, "read", *PARROT, "-T", "ndjson", path).out.splitlines()
    rows = [json.loads(each) for each in shown]
    call_id = next(each["conversation"] for each in rows if each["flow"] == 1 and each["frame"])
    wanted = [each for each in rows if each["conversation"] == call_id]

    done = call(monkeypatch, "read", *PARROT, "-T", "ndjson", "--conversation", call_id, path)
    assert [json.loads(each) for each in done.out.splitlines()] == wanted
    assert len(wanted) == 2
    done = call(monkeypatch, "read", *PARROT, "--conversation", f"{call_id},{call_id}", path)
    assert len(done.out.splitlines()) == 2


def test_the_list_of_conversations_takes_the_same_numbers(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated, or separated by commas."""
    lists = [
        call(monkeypatch, "conversations", *PARROT, *arguments, path).out
        for arguments in (("--flow", "0,1"), ("--flow", "0", "--flow", "1"), ())
    ]

    assert lists[0] == lists[1] == lists[2]


def test_what_is_not_there(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number is named on stderr, an id is an error, other text is no number or id."""
    done = call(monkeypatch, "read", *PARROT, "--flow", "7,1,9", path)
    assert done.code == 0
    assert "--flow 7, 9: the captures have 3 connections" in done.err
    assert "tcp" in done.out

    for arguments, error in (
        (("--flow", "x"), "--flow 'x': not the number of a connection"),
        (("--flow", "1,"), "--flow '': not the number"),
        (("--flow", "9" * 40), "not the number"),
        (("--conversation", "publisher"), "not an id (such as 0-18-publisher)"),
        (("--conversation", "0-1-frog"), "no conversation has the id 0-1-frog"),
    ):
        done = call(monkeypatch, "read", *PARROT, *arguments, path)
        assert done.code == 2
        assert error in done.err
        assert done.err.count("\n") == 1
