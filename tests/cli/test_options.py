"""Texts of options become values, or errors in one line."""

import json
from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic

from streamshark.protocols.catalog import catalog

KEEP_ALIVE = bytes.fromhex("0000006400000000")
"""Of Pravega, in its dialect `draft` too."""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-d", "tcp.port==5552"), "-d tcp.port==5552: expected tcp.port==N,PROTOCOL"),
        (("-d", "udp.port==1,parrot"), "expected tcp.port==N,PROTOCOL"),
        (("-d", "tcp.port==0,parrot"), "expected tcp.port==N,PROTOCOL"),
        (("-d", "tcp.port==65536,parrot"), "expected tcp.port==N,PROTOCOL"),
        (("-d", "tcp.port==9-8,parrot"), "expected tcp.port==N,PROTOCOL"),
        (("-d", "tcp.port==9,crow"), "unknown protocol 'crow'"),
        (
            ("-o", "tcp.desegment:1"),
            "expected PROTOCOL.dialect",
        ),
        (("-o", "tls.keylog_file:"), "PROTOCOL.dialect:NAME or tls.keylog_file:FILE"),
        (("-o", "tls.keylog_file:/no/keys"), "key log /no/keys: No such file or directory"),
        (("-o", "parrot.dialect:owl"), "parrot_talk has no dialect 'owl' (known: macaw)"),
        (("-o", "crow.dialect:x"), "unknown protocol 'crow'"),
        (("-t", "x"), "-t x: unknown time format (known: a, ad, "),
        (("-T", "xml"), "unknown -T xml (known: text, json, ndjson, fields)"),
        (
            ("-T", "fields", "-e", "frame", "-E", "header=x"),
            "-E header=x: expected header=y|n separator=C",
        ),
        (("-T", "fields", "-e", "frame", "-E", "separator=ab"), "-E separator=ab"),
        (("-T", "fields", "-e", "frame", "-E", "bom=y"), "-E bom=y"),
        (("--bodies", "all"), "'all' is not one of"),
        (("--color", "maybe"), "'maybe' is not one of"),
        (("-c", "0"), "0 is not in the range x>=1"),
        (("--protocol-path", "/no/such/folder"), "/no/such/folder: no such folder"),
        (("--nonsense",), "No such option"),
    ],
)
def test_values_that_are_none(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that says what, and exit code 2."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    done = call(monkeypatch, "read", *PARROT, *arguments, path)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith("streamshark: ")
    assert done.err.count("\n") == 1


def test_a_key_log_is_for_captures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are given to be decoded are no TLS."""
    done = call(monkeypatch, "decode", *PARROT, "-o", "tls.keylog_file:keys", "00")

    assert done.code == 2
    assert "-o tls.keylog_file: TLS is only decrypted in captures" in done.err


def test_dialects(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the short name or the id, with hyphens too."""
    data = parrot_traffic.frame(5, b"\x01").hex()

    for name in ("parrot", "parrot_talk", "parrot-talk"):
        done = call(monkeypatch, "decode", *PARROT, "-o", f"{name}.dialect:macaw", data)
        assert '"fields":{"high":1}' in done.out


def test_decode_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port, or a range of ports."""
    talk = (
        parrot_traffic.Conversation(server=("10.0.0.2", 9)).handshake().send(0, b"\x00\x05\x09abcd")
    )
    path = parrot_traffic.write(tmp_path, talk)
    arguments = ("read", *PARROT, "-T", "ndjson", path)

    assert "unknown_key" not in call(monkeypatch, *arguments).out
    for ports in ("9", "8-10"):
        done = call(monkeypatch, *arguments, "-d", f"tcp.port=={ports},parrot-talk")
        assert "unknown_key" in done.out


def test_every_dialect_with_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of its own too: the protocol is the same, for what is told of it and for `-d`."""
    path = parrot_traffic.write(tmp_path,
        parrot_traffic.Conversation(server=("10.0.0.2", 9)).handshake()
                        .send(0, KEEP_ALIVE * 3).send(1, KEEP_ALIVE * 3))  # fmt: skip
    for protocol in catalog():
        wire = protocol.wire
        given = [f"{wire.id}.dialect:{name}" for name in wire.dialects if name]
        for name in wire.alone:
            command = next(each.name for each in wire.frames if each.dialect == name)
            given.append(f"{wire.id}.dialect:{name}:{command}=30000")
        for each in given:
            chosen = ("-o", each, "-d", f"tcp.port==9,{wire.id}")
            for command in ("check", "conversations", "diagram", "explain", "info", "read"):
                assert call(monkeypatch, command, *chosen, path).code == 0, (command, each)
            assert call(monkeypatch, "stats", *chosen, path).code == 0, each
            loose = ("decode", "--protocol", wire.id, "-o", each, KEEP_ALIVE.hex())
            done = call(monkeypatch, *loose)
            assert (done.code == 0) is ("frame recognised in these" not in done.err), each


def test_preferences_that_are_none_with_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that names the value, and exit code 2."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    wrong = []
    for given in ("", ":", "x", ".dialect:x", "pravega.dialect",
                  "pravega.dialect:draft:", "pravega.dialect:draft:event",
                  "pravega.dialect:draft:event=x", "pravega.dialect:draft:event=99999999999",
                  "pravega.dialect:draft:event=1,keep_alive=1", "pravega.dialect:0.0:event=5",
                  "tls.keylog_file:"):  # fmt: skip
        for command in ("check", "conversations", "decode", "diagram", "explain", "info", "read",
                        "stats"):  # fmt: skip
            done = call(monkeypatch, command, "-o", given, "00" if command == "decode" else path)
            named = given.partition(":event=1")[0] in done.err
            if (done.code, done.out, named, done.err.count("\n")) != (2, "", True, 1):
                wrong.append((command, given, done))

    assert wrong == []


def test_a_dialect_with_numbers_of_its_own_is_told_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the same dialect with the usual numbers is."""
    told = []
    for number, also in ((100, ""), (100, ":keep_alive=100"), (101, ":keep_alive=101")):
        frame = number.to_bytes(4) + bytes(4)
        talk = parrot_traffic.Conversation(server=("10.0.0.2", 9)).handshake()
        path = parrot_traffic.write(tmp_path, talk.send(0, frame * 3).send(1, frame * 3))
        chosen = ("-o", f"pravega.dialect:draft{also}", "-d", "tcp.port==9,pravega", path)
        rows = json.loads(call(monkeypatch, "read", "-T", "json", *chosen).out)
        told.append([(row["command"], row["conversation"]) for row in rows])

    assert told[0] == told[1] == told[2]
    assert ("keep_alive", "0-4-connection") in told[0]


def test_protocol_paths_before_and_after_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's folders count for every command, and those of the command are added."""
    names = call(monkeypatch, *PARROT, "fields").out
    assert "parrot.say" in names
    assert names == call(monkeypatch, "fields", *PARROT).out
    assert call(monkeypatch, "--protocol-path", "none", "fields", *PARROT).code == 2
