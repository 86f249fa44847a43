"""`streamshark messages`."""

import json
from pathlib import Path

import pytest
from tests.cli.console import call

ROOT = Path(__file__).parents[2]
NATS = str(ROOT / "captures/nats/interactions_go/traffic.pcapng")
LIFTBRIDGE = str(next((ROOT / "captures/liftbridge/subscribes_go").glob("traffic.*")))


def test_options_choose_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """By stream, direction and connection; nothing chosen is said on stderr."""
    every = call(monkeypatch, "messages", NATS).out.splitlines()
    chosen = call(
        monkeypatch, "messages", "--stream", "jobs", "--way", "delivered", "-T", "ndjson", NATS
    )
    rows = [json.loads(line) for line in chosen.out.splitlines()]
    none = call(monkeypatch, "messages", "--flow", "99", NATS)

    assert len(every) > 30
    assert rows
    assert {(each["stream"], each["way"]) for each in rows} == {("jobs", "delivered")}
    assert (none.code, none.out) == (0, "")
    assert "no message matches" in none.err


def test_the_innermost_frame_has_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message of Liftbridge is not shown again as one of the NATS frame around it."""
    out = call(monkeypatch, "messages", "-T", "ndjson", "--stream", "log", LIFTBRIDGE).out
    rows = [json.loads(line) for line in out.splitlines()]

    assert {each["protocol"] for each in rows} == {"grpc", "liftbridge"}


def test_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """kcat's, and an error before anything is read."""
    done = call(monkeypatch, "messages", "-f", r"%t:%s\n", "--stream", "limited", NATS)
    wrong = call(monkeypatch, "messages", "-f", "%q", "no such file")

    assert set(done.out.splitlines()) == {"limited:limited"}
    assert (wrong.code, "%q is not known" in wrong.err) == (2, True)


def test_export(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file for each body of the protocol, with its bytes."""
    folder = tmp_path / "new/bodies"
    done = call(
        monkeypatch, "messages", "-q", "--export-objects", f"nats,{folder}", "--stream",
        "orders.new", NATS,
    )  # fmt: skip
    wrong = call(monkeypatch, "messages", "--export-objects", "nats", NATS)
    written = {path.name: path.read_bytes() for path in folder.iterdir()}

    assert (done.code, done.out) == (0, "")
    assert f"{len(written)} files written to " in done.err
    assert written["000010-0-orders.new.txt"] == b"order 0\r\nPING\r\n"
    assert (wrong.code, "PROTOCOL,DIR" in wrong.err) == (2, True)
