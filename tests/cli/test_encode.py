"""`streamshark encode`: frames from their JSON."""

import json
from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.failures import every
from tests.madeup import parrot_traffic
from tests.protocols.test_vectors import WIRES, cases

HEARTBEAT = "0000000400170001"
SAY = parrot_traffic.say()
OF_CARRIERS = {"grpc"}
"""Protocols whose frames are made by a carrier, and are no bytes of a connection."""


def test_what_decode_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    """As objects a line or as an array, of any protocol; events have no bytes."""
    frames = SAY.hex() + parrot_traffic.said().hex()
    for form in ("json", "ndjson"):
        printed = call(monkeypatch, "decode", *PARROT, "-T", form, frames + "0010").out
        done = call(monkeypatch, "encode", *PARROT, stdin=printed.encode())
        assert done.code == 0
        assert done.err.endswith("not in this JSON: 2 bytes are missing\n")
        assert done.out.splitlines() == [SAY.hex(), parrot_traffic.said().hex()]


def by_dialect(protocol: str) -> dict[str, list[str]]:
    """Return the vectors of a protocol as hex, by the dialect that reads them."""
    found: dict[str, list[str]] = {}
    for vector, layout, _ in cases(protocol):
        found.setdefault(layout.tree.schema.dialect, []).append(vector.data.hex())
    return found


@every("protocol", WIRES)
def test_every_vector_comes_back(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From what `decode` prints, through pipes as on a command line; no dialect is named."""
    alone = ["--no-prefix"] if protocol in OF_CARRIERS else []
    for dialect, given in by_dialect(protocol).items():
        chosen = ("-o", f"{WIRES[protocol].short}.dialect:{dialect}") if dialect else ()
        arguments = ("decode", "--show-secrets", "-T", "json", "--protocol", protocol, *chosen)
        for some in [[each] for each in given] if alone else [given]:
            printed = call(monkeypatch, *arguments, *alone, *some).out
            done = call(monkeypatch, "encode", *alone, stdin=printed.encode())
            assert (done.code, done.err) == (0, ""), dialect
            assert "".join(done.out.split()) == "".join(some), dialect


def test_arguments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """JSON, a file, standard input; several frames, also laid out over lines."""
    ping = {"protocol": "nats", "command": "ping"}
    path = tmp_path / "ping.json"
    path.write_text(json.dumps([ping, ping], indent=2))
    expected = "50494e470d0a\n"

    assert call(monkeypatch, "encode", json.dumps(ping)).out == expected
    assert call(monkeypatch, "encode", str(path), json.dumps(ping)).out == expected * 3
    assert call(monkeypatch, "encode", "-", stdin=path.read_bytes()).out == expected * 2
    assert call(monkeypatch, "encode", "--protocol", "nats", '{"command": "ping"}').out == expected


def test_raw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes, one frame after the other."""
    ping = '{"protocol": "nats", "command": "ping"}'
    assert call(monkeypatch, "encode", "--raw", ping, ping).out == "PING\r\nPING\r\n"


def test_frames_without_a_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `decode --no-prefix` takes them; where a frame comes as a message, that message."""
    bare = {
        "rabbitmq-stream": HEARTBEAT[8:],
        "rsocket": "000000012860706f6e67",
        "liftbridge": "b90e43b4000800001a01762a03666f6f420161",
    }
    for protocol, data in bare.items():
        arguments = ("decode", "--no-prefix", "--protocol", protocol, "-T", "json", data)
        printed = call(monkeypatch, *arguments).out
        done = call(monkeypatch, "encode", "--no-prefix", stdin=printed.encode())
        assert done.out.strip() == data


def test_dialects(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was decoded in a dialect is encoded with it, and without it too."""
    dialect = ("-o", "rsocket.dialect:0.1")
    old = "000000140003200000000000000000000000001b"
    printed = call(monkeypatch, "decode", *dialect, "--protocol", "rsocket", old).out
    for options in ((), dialect):
        assert call(monkeypatch, "encode", *options, stdin=printed.encode()).out.strip() == old


@every(
    ("arguments", "stdin", "message"),
    [
        (("{",), b"", "JSON: line 1: not valid JSON"),
        ((), b'{"protocol": "nats",\n "command" "ping"}', "standard input: line 1: not valid JSON"),
        ((), b"\xff", "standard input: not text; encode reads JSON"),
        (("[" * 100_000,), b"", "JSON: line 1: not valid JSON"),
        (("5",), b"", "frame 1: a frame in JSON is an object with protocol, command and fields"),
        (("[]",), b"", "no frame in this JSON"),
        ((), b"", "no frame in this JSON"),
        (
            ('{"protocol": "nats", "command": "ping"}', '{"protocol": "nats", "command": "pong!"}'),
            b"",
            "frame 2: nats has no command 'pong!'",
        ),
        (
            ("--no-prefix", '{"protocol": "nats", "command": "ping"}'),
            b"",
            "frame 1: --no-prefix: frames of nats do not begin with a length",
        ),
        (("--protocol", "x", "{}"), b"", "unknown protocol 'x' (known: grpc, liftbridge"),
    ],
)
def test_errors(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], stdin: bytes, message: str
) -> None:
    """One line, exit code 2, and nothing is written."""
    done = call(monkeypatch, "encode", *arguments, stdin=stdin)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"streamshark: {message}")
    assert done.err.count("\n") == 1


def test_masked_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused, and encoded where decode showed the secrets."""
    data = b'CONNECT {"user":"u","pass":"secret"}\r\n'
    hexadecimal = data.hex()
    masked = call(monkeypatch, "decode", hexadecimal).out
    done = call(monkeypatch, "encode", stdin=masked.encode())
    assert (done.code, done.out) == (2, "")
    assert "masked; decode with --show-secrets" in done.err

    shown = call(monkeypatch, "decode", "--show-secrets", hexadecimal).out
    assert call(monkeypatch, "encode", "--raw", stdin=shown.encode()).out == data.decode()
