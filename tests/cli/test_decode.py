"""`streamshark decode`: frames from hex or bytes."""

import json
from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic

SAY = parrot_traffic.say().hex()
PONG = "00000001 2860 706f6e67".replace(" ", "")
HEARTBEAT = "0000000400170001"


def objects(out: str) -> list[dict[str, object]]:
    """One object a line."""
    return [json.loads(line) for line in out.splitlines()]


def test_hex(monkeypatch: pytest.MonkeyPatch) -> None:
    """One object a line; no protocol is named, the surest is taken."""
    done = call(monkeypatch, "decode", *PARROT, SAY + parrot_traffic.said().hex())

    assert (done.code, done.err) == (0, "")
    assert [row["command"] for row in objects(done.out)] == ["say", "say"]
    assert [row["kind"] for row in objects(done.out)] == ["request", "response"]


def test_hex_over_several_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a shell splits it."""
    done = call(monkeypatch, "decode", "00", "00 00 04", "00:17", "0x00", "01")

    assert [row["command"] for row in objects(done.out)] == ["heartbeat"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, or without one."""
    for arguments in (("decode", "-"), ("decode",)):
        done = call(monkeypatch, *arguments, stdin=HEARTBEAT.encode())
        assert objects(done.out)[0]["command"] == "heartbeat"


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text with hex, bytes with --raw; hex around files keeps its place."""
    text, data = tmp_path / "frame.hex", tmp_path / "frame.bin"
    text.write_text(SAY)
    data.write_bytes(parrot_traffic.say())

    for arguments in ((str(text),), ("--raw", str(data))):
        done = call(monkeypatch, "decode", *PARROT, *arguments)
        assert [row["command"] for row in objects(done.out)] == ["say"]
    done = call(
        monkeypatch,
        "decode",
        *PARROT,
        parrot_traffic.login().hex(),
        str(text),
        parrot_traffic.said().hex(),
    )
    assert [row["command"] for row in objects(done.out)] == ["login", "say", "say"]
    done = call(monkeypatch, "decode", *PARROT, "--raw", "-", stdin=parrot_traffic.say())
    assert [row["command"] for row in objects(done.out)] == ["say"]


def test_trees_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """-V, -x and -T text show trees; -x adds the bytes."""
    for arguments in (("-V",), ("-T", "text")):
        done = call(monkeypatch, "decode", *PARROT, *arguments, SAY)
        assert done.out.startswith("Frame 1: parrot say (request), 18 bytes\n")
        assert "0000  00 10" not in done.out
    assert "\n0000  00 10" in call(monkeypatch, "decode", *PARROT, "-x", SAY).out


def test_one_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """With -T json."""
    assert len(json.loads(call(monkeypatch, "decode", *PARROT, "-T", "json", SAY).out)) == 1


def test_senders(monkeypatch: pytest.MonkeyPatch) -> None:
    """As told; else only what frames prove."""
    data = parrot_traffic.squawk().hex()

    assert objects(call(monkeypatch, "decode", *PARROT, data).out)[0]["sender"] is None
    for side in ("client", "server"):
        done = call(monkeypatch, "decode", *PARROT, "--from", side, data)
        assert objects(done.out)[0]["sender"] == side


def test_a_bare_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """The length is put before it."""
    done = call(monkeypatch, "decode", *PARROT, "--protocol", "parrot", "--no-prefix", SAY[4:])

    assert objects(done.out)[0]["length"] == 18


def test_a_frame_that_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read as it is: no length stands before it, in bytes and offsets neither."""
    [row] = objects(call(monkeypatch, "decode", "--protocol", "rsocket", "--no-prefix", PONG).out)
    dump = call(monkeypatch, "decode", "--protocol", "rsocket", "--no-prefix", "-x", PONG)

    assert (row["command"], row["length"]) == ("payload", 10)
    assert "0000  00 00 00 01 28 60" in dump.out


@pytest.mark.parametrize("options", [(), ("--protocol", "websocket"), ("--protocol", "rsocket")])
def test_a_frame_in_a_frame_of_websocket(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the carrier's name, by the protocol's, or by none."""
    rows = objects(call(monkeypatch, "decode", *options, "820a" + PONG + "890168").out)

    assert [(row["protocol"], row["command"]) for row in rows] == [
        ("rsocket", "payload"), ("websocket", "ping"),
    ]  # fmt: skip


def test_cut_and_odd_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows with problems and events, exit code 0; 3 with --strict."""
    arguments = ("decode", *PARROT, "--protocol", "parrot")

    done = call(monkeypatch, *arguments, SAY[:-4])
    assert done.code == 0
    assert [row["command"] for row in objects(done.out)] == ["say", "partial"]
    assert call(monkeypatch, *arguments, "--strict", SAY[:-4]).code == 3
    assert call(monkeypatch, *arguments, "--strict", SAY).code == 0
    assert objects(call(monkeypatch, *arguments, "ff" * 40).out)[0]["command"] == "resync"


@pytest.mark.parametrize("form", [["-T", "text"], ["-T", "ndjson"], ["-V"], ["-V", "-x"]])
def test_what_is_wrong_inside_a_body_is_damage(
    form: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where bodies are read: to be shown, or to be strict in one line."""
    broken = "0000001d00020001010000000100000000000000050000000800" + "5375a0ff616161"
    arguments = ["decode", "--protocol", "rabbitmq-stream", *form, broken]

    strict = call(monkeypatch, *arguments, "--strict")
    assert strict.code == 3
    assert "255 bytes needed, 3 left" in strict.out
    assert call(monkeypatch, *arguments).code == 0
    raw = call(monkeypatch, *arguments, "--strict", "--bodies", "raw")
    assert raw.code == 0
    assert "255 bytes" not in raw.out


def test_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masked in JSON, trees and bytes unless asked for."""
    data = parrot_traffic.login().hex()

    for arguments in ((), ("-V",), ("-x",)):
        assert "pieces" not in call(monkeypatch, "decode", *PARROT, *arguments, data).out
        assert "70 69 65 63" not in call(monkeypatch, "decode", *PARROT, *arguments, data).out
    assert "pieces" in call(monkeypatch, "decode", *PARROT, "--show-secrets", data).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no input: give hex"),
        (("",), "no input: give hex"),
        (("00zz",), "'z' is not a hex digit (line 1, column 3)"),
        (("000",), "streamshark: 3 hex digits"),
        (("nosuchfile",), "nosuchfile: neither a file nor hex: 'n' is not a hex digit"),
        (("00 zz",), "streamshark: 'z' is not a hex digit"),
        (("ffffffff",), "no protocol recognises these bytes; choose one with --protocol"),
        (("--protocol", "crow", "00"), "unknown protocol 'crow'"),
        (("--no-prefix", "00"), "--no-prefix needs --protocol"),
        (("--raw", "missing.bin"), "missing.bin: no such file"),
        (("--from", "nobody", "00"), "'nobody' is not one of"),
        (("-T", "fields", "00"), "unknown -T fields"),
        (("-x", "-T", "json", "00"), "-x needs -T text"),
        (("-o", "crow.dialect:x", "00"), "unknown protocol 'crow'"),
        (("/",), "/: cannot read"),
    ],
)
def test_errors(arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what, exit code 2."""
    done = call(monkeypatch, "decode", *PARROT, *arguments)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_bytes_where_hex_is_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names --raw."""
    path = tmp_path / "frame.bin"
    path.write_bytes(b"\xff\xfe")

    done = call(monkeypatch, "decode", str(path))

    assert done.err == f"streamshark: {path}: not text; use --raw for binary input\n"


def test_names_that_cannot_be_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long hex is no name of a file."""
    done = call(monkeypatch, "decode", HEARTBEAT * 400)

    assert len(objects(done.out)) == 400


def test_a_terminal_without_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for."""
    monkeypatch.setattr(parrot_traffic, "feeding", _terminal)

    assert "no input: give hex" in call(monkeypatch, "decode").err


def _terminal(monkeypatch: pytest.MonkeyPatch, _data: bytes) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal())


def test_nothing_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows say what became of the bytes, stderr what may help."""
    done = call(monkeypatch, "decode", "--protocol", "rmqstream", HEARTBEAT[8:])

    assert done.code == 2
    assert objects(done.out)[0]["command"] == "resync"
    assert done.err.count("\n") == 1
    assert "try --no-prefix" in done.err
    assert call(monkeypatch, "decode", HEARTBEAT).err == ""


def test_bytes_are_told_from_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are valid UTF-8, and still no text."""
    for data in (bytes.fromhex(HEARTBEAT), b"\xff"):
        done = call(monkeypatch, "decode", stdin=data)
        assert (done.code, "use --raw" in done.err) == (2, True)


def test_an_unknown_type_of_rsocket_keeps_its_stream_and_flags(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In JSON, as the correlation id too, and in a tree; other heads have nothing to show."""
    given = ("decode", "--protocol", "rsocket", "00000a000000015120deadbeef")
    (row,) = objects(call(monkeypatch, *given).out)
    tree = call(monkeypatch, *given, "-V").out
    bare = call(monkeypatch, "decode", "--protocol", "rmqstream", "000000080fff000100000001")

    assert row["fields"] == {"stream_id": 1, "flags": 0x120}
    assert row["correlation_id"] == 1
    assert "stream_id: 1\n" in tree
    assert "flags: 288\n" in tree
    assert objects(bare.out)[0]["fields"] == {}
