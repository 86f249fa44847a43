"""Where the proxy listens: chosen ports, remembered over a restart, on loopback."""

import json
import socket
from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.proxy.listeners import (
    Listeners,
    RememberedPorts,
    data_folder,
    parse_port_range,
    reached,
)
from streamshark.proxy.targets import ListenAddress

PORTS = range(24_000, 24_100)


def test_a_server_has_the_same_port_after_a_restart(tmp_path: Path) -> None:
    """Unless another program has it: then another one is taken, and the change is said."""
    file = tmp_path / "below" / "ports.json"
    first = Listeners(ports=PORTS, remembered=RememberedPorts(file))
    with first.listen("a:1") as one, first.listen("b:1") as other:
        ports = [reached(each)[1] for each in (one, other)]
    assert len({*ports}) == 2
    assert {*ports} < {*PORTS}

    again = Listeners(ports=PORTS, remembered=RememberedPorts(file))
    with again.listen("b:1") as other:
        assert reached(other)[1] == ports[1]
        assert again.changed == []
    with socket.create_server(("127.0.0.1", ports[0])), again.listen("a:1") as one:
        assert reached(one)[1] != ports[0]
    (sentence,) = again.changed
    assert sentence.startswith(f"port {ports[0]} is in use; a:1 is at port ")


def test_a_port_is_taken_once_it_is_returned() -> None:
    """Two programs that start at once get two ports, though both sockets reuse addresses."""
    with socket.socket() as other, Listeners(ports=PORTS).listen("a:1") as one:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="in use"):
            other.bind(one.getsockname())


def test_a_file_of_ports_that_is_malformed_is_as_none(tmp_path: Path) -> None:
    """Whatever is in it."""
    file = tmp_path / "ports.json"
    for text in ("", "[]", '{"a": 70000}', '{"a": "x"}', "\udcff"):
        file.write_bytes(text.encode(errors="surrogateescape"))
        ports = RememberedPorts(file)
        assert ports.port("a") is None
        ports.remember("a", 1)
        assert json.loads(file.read_text()) == {"a": 1}


def test_what_cannot_be_listened_on() -> None:
    """One sentence each: a port in use, an address of another machine, no free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StreamsharkError, match="port in use"):
            Listeners().listen("a:1", ListenAddress(None, port))
        with pytest.raises(StreamsharkError, match=f"no port of {port}-{port} is free"):
            Listeners(ports=range(port, port + 1)).listen("a:1")
    with pytest.raises(StreamsharkError, match=r"192\.0\.2\.1:\d+: Cannot assign"):
        Listeners().listen("a:1", ListenAddress("192.0.2.1"))
    with pytest.raises(StreamsharkError, match="cannot listen on no-such-host"):
        Listeners().listen("a:1", ListenAddress("no-such-host.invalid"))


def test_clients_reach_a_wildcard_address_on_loopback() -> None:
    """What is listened on everywhere is shown as it can be connected to."""
    with Listeners(ports=PORTS).listen("a:1", ListenAddress("0.0.0.0")) as one:  # noqa: S104
        assert reached(one)[0] == "127.0.0.1"


def test_ranges_of_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """FIRST-LAST, both included; and where the file is."""
    assert parse_port_range("5-7") == range(5, 8)
    for text in ("", "5", "7-5", "a-b", "0-5", "1-70000", "1-2-3"):
        with pytest.raises(StreamsharkError, match="--port-range"):
            parse_port_range(text)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/streamshark")
