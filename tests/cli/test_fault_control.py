"""`streamshark proxy ctl`: faults of a running proxy, one JSON object a line."""

import json
import threading
import time
from pathlib import Path

import pytest
from tests.cli.console import call
from tests.failures import Failures
from tests.proxy.ends import ends, received

DROP = 'nats.command == "msg" -> drop once'
INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'


def test_faults_are_added_awaited_and_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`wait` returns once the fault was used."""
    path = str(tmp_path / "control")
    with ends(scheme="nats", control=path) as both:
        both.server.sendall(INFO)
        received(both.client, len(INFO))
        added = call(monkeypatch, "proxy", "ctl", path, "add", DROP)
        assert json.loads(added.out) == {"id": 1, "fault": DROP, "matched": 0, "used": 0}

        def send() -> None:
            time.sleep(0.1)
            both.server.sendall(b"MSG a 1 1\r\nx\r\n")

        thread = threading.Thread(target=send)
        thread.start()
        done = call(monkeypatch, "proxy", "ctl", path, "wait", "1")
        thread.join()
        assert json.loads(done.out)["used"] == 1
        call(monkeypatch, "proxy", "ctl", path, "add", DROP)
        done = call(monkeypatch, "proxy", "ctl", path, "remove", "1")
        assert (done.code, json.loads(done.out)["id"]) == (0, 1)
        done = call(monkeypatch, "proxy", "ctl", path, "list")
        assert [json.loads(line)["id"] for line in done.out.splitlines()] == [2]
        done = call(monkeypatch, "proxy", "ctl", path, "wait", "2", "--timeout", "0.05")
        assert (done.code, done.out) == (2, "")
        assert "used 0 times in 0.05 s" in done.err


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence and exit 2."""
    path = str(tmp_path / "none")
    with Failures() as failures:
        for words, sentence in (
            ([path, "list"], "no proxy answers"),
            ([path, "add"], "add needs a FAULT"),
            ([path, "wait", "x"], "wait needs the ID of a fault"),
            ([path, "remove"], "remove needs the ID of a fault"),
            ([path, "list", "1"], "unexpected argument '1'"),
            ([path, "stop"], "'stop' is not one of"),
            ([], "Missing argument 'SOCKET'"),
        ):
            done = call(monkeypatch, "proxy", "ctl", *words)
            with failures.of(words):
                assert (done.code, done.out) == (2, "")
                assert sentence in done.err
