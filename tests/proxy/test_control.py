"""The control socket: faults from another program, and what it refuses."""

import json
import socket
import stat
import threading
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.proxy.ends import ends, listening, received, url

from streamshark.errors import StreamsharkError
from streamshark.proxy import Proxy
from streamshark.proxy.control import asked

INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'
MSG = b"MSG a 1 1\r\nx\r\n"
DROP = 'nats.command == "msg" -> drop once'


def test_another_program_adds_awaits_and_removes_faults(tmp_path: Path) -> None:
    """They hold for connections that are open; ids are not used again."""
    path = tmp_path / "control"
    with ends(scheme="nats", control=path) as both:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        both.server.sendall(INFO)
        assert received(both.client, len(INFO)) == INFO
        added = asked(path, {"do": "add", "fault": DROP})
        assert added == {"id": 1, "fault": DROP, "matched": 0, "used": 0}
        waiting: list[dict[str, object]] = []
        thread = threading.Thread(
            target=lambda: waiting.append(asked(path, {"do": "wait", "id": 1, "timeout": 10}))
        )
        thread.start()
        both.server.sendall(MSG + MSG + b"PING\r\n")
        assert received(both.client, len(MSG) + 6) == MSG + b"PING\r\n"
        thread.join(10)
        assert waiting[0]["used"] == 1
        second = asked(path, {"do": "add", "fault": 'nats.command == "ping" -> stall'})
        assert [each["id"] for each in asked(path, {"do": "list"})["faults"]] == [1, 2]
        both.server.sendall(b"PING\r\n" + MSG)
        assert asked(path, {"do": "wait", "id": second["id"]})["used"] == 1
        assert asked(path, {"do": "remove", "id": 2})["used"] == 1
        assert received(both.client, 6 + len(MSG)) == b"PING\r\n" + MSG
        assert [each["id"] for each in asked(path, {"do": "list"})["faults"]] == [1]
    assert not path.exists()


def test_what_is_refused(tmp_path: Path) -> None:
    """The refusal is one sentence, and the connection continues."""
    path = tmp_path / "control"
    requests: dict[str, object] = {
        "expected add (fault), list, wait (id) or remove (id)": {"do": "explode"},
        "there is no fault 7": {"do": "remove", "id": 7},
        "times and timeout are numbers": {"do": "wait", "id": 1, "times": "x"},
        "used 0 times in 0.05 s": {"do": "wait", "id": 1, "timeout": 0.05},
        "no server speaks RabbitMQ": {"do": "add", "fault": "rmqstream.command -> drop"},
        "expected 'FILTER -> ACT": {"do": "add", "fault": "x"},
        "expected add": [],
    }
    with listening() as server, Failures() as failures:
        with Proxy(url(server, "nats"), ports=None, control=path, faults=[DROP]):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(path))
                lines = connection.makefile("rb")
                for sentence, request in requests.items():
                    connection.sendall(json.dumps(request).encode() + b"\n")
                    with failures.of(sentence):
                        assert sentence in json.loads(lines.readline())["error"]
                connection.sendall(b"{]\n")
                assert json.loads(lines.readline()) == {"error": "malformed JSON"}
                connection.sendall(b"[" * 100_000 + b"\n")
                assert lines.readline() in (b"", b'{"error": "malformed JSON"}\n')
            with pytest.raises(StreamsharkError, match="there is no fault 9"):
                asked(path, {"do": "remove", "id": 9})
            with pytest.raises(StreamsharkError, match=f"--control {path}: in use"):
                Proxy(url(server, "nats"), ports=None, control=path).open()
        with pytest.raises(StreamsharkError, match="no proxy answers"):
            asked(path, {"do": "list"})


def test_the_socket_of_a_killed_proxy_is_replaced(tmp_path: Path) -> None:
    """Any other file stays."""
    path = tmp_path / "control"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    with listening() as server:
        with Proxy(url(server, "nats"), ports=None, control=path):
            assert asked(path, {"do": "list"}) == {"faults": []}
        path.write_text("mine")
        with pytest.raises(StreamsharkError, match="in use"):
            Proxy(url(server, "nats"), ports=None, control=path).open()
        assert path.read_text() == "mine"
