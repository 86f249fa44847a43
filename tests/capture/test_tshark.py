"""tshark decrypts TLS records one by one, and ends with its caller."""

import os
import signal
import ssl
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.reading import follow, stream
from tests.tls import CLIENT, SERVER, TlsTalk

from streamshark.capture import CaptureError, tshark
from streamshark.capture.tls_records import CLOSED, TlsRecord
from streamshark.capture.tshark import TsharkTls

VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}
GIVEN = [TlsRecord(0, from_client=True, data=b"\x17\3\3\0\1x")] * 3
"""Records of a connection without a handshake."""
LARGE = bytes(range(256)) * 400


def records(talk: TlsTalk, flow: int = 7) -> list[TlsRecord]:
    """Return the records of both sides, the client's first flight first."""
    _, came = follow(talk.conversation.packets)
    sides = [stream(came, side) for side in (CLIENT, SERVER)]
    out: list[TlsRecord] = []
    turn = [_cut(side) for side in sides]
    for side in (0, 1, 0, 1, 0, 1):  # flights of a handshake, in order enough for tshark
        head = turn[side][:1] if len(out) < 2 else turn[side]
        out += [TlsRecord(flow, side == CLIENT, data) for data in head]
        turn[side] = turn[side][len(head) :]
    return out


def _cut(data: bytes) -> list[bytes]:
    out = []
    while data:
        size = 5 + int.from_bytes(data[3:5], "big")
        out.append(data[:size])
        data = data[size:]
    return out


def talk(folder: Path, version: ssl.TLSVersion, **options: object) -> TlsTalk:
    """Make a connection with a question and a long answer."""
    made = TlsTalk(folder, version, Conversation().handshake(), **options)  # type: ignore[arg-type]
    return made.handshake().send(CLIENT, b"question").send(SERVER, LARGE)


def contents(program: TsharkTls, given: list[TlsRecord]) -> tuple[bytes, bytes]:
    """Return the plaintext of both sides, client first."""
    said = {True: b"", False: b""}
    for record, opened in zip(given, program.decrypt(given), strict=True):
        said[record.from_client] += opened.content
    return said[True], said[False]


def alive(name: str = "tshark") -> set[int]:
    """Return the children of this process of a name."""
    command = ["ps", "-o", "pid=,comm=", "--ppid", str(os.getpid())]
    found = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return {int(line.split()[0]) for line in found.splitlines() if name in line}


@pytest.mark.process
@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS.keys())
@pytest.mark.parametrize("alpn", [(), ("h2",), ("http/1.1",)])
def test_records_are_opened(version: ssl.TLSVersion, alpn: tuple[str, ...], tmp_path: Path) -> None:
    """A key log decrypts them, whatever the inner protocol; then the program ends."""
    made = talk(tmp_path, version, alpn=alpn)
    program = TsharkTls(str(made.keylog))

    assert contents(program, records(made)) == (b"question", LARGE)
    assert program.failure is None
    assert alive()
    program.close()
    assert not alive()
    program.close()


@pytest.mark.process
@pytest.mark.parametrize("ciphers", ["AES128-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE+AES"])
def test_other_ciphers_of_tls_1_2(ciphers: str, tmp_path: Path) -> None:
    """Block and stream ciphers."""
    if ciphers == "AES128-SHA256":
        ciphers = "ECDHE-ECDSA-AES128-SHA256"
    made = talk(tmp_path, VERSIONS["1.2"], ciphers=ciphers)
    program = TsharkTls(str(made.keylog))

    assert contents(program, records(made)) == (b"question", LARGE)
    program.close()


@pytest.mark.process
def test_secrets_of_a_capture_are_keys(tmp_path: Path) -> None:
    """Without a key log; also when they come between records of another connection."""
    made = talk(tmp_path, VERSIONS["1.3"])
    program = TsharkTls(None)
    closed = program.decrypt(records(made, flow=1))
    program.add_secrets(made.keylog.read_bytes())

    assert set(closed) == {CLOSED}
    assert contents(program, records(made, flow=2)) == (b"question", LARGE)
    program.close()


@pytest.mark.process
def test_keys_that_do_not_fit_open_nothing(tmp_path: Path) -> None:
    """No record is decrypted, and nothing fails."""
    keylog = tmp_path / "other"
    keylog.write_text("CLIENT_RANDOM " + "00" * 32 + " " + "11" * 48 + "\nnonsense\n")
    program = TsharkTls(str(keylog))
    given = [*records(talk(tmp_path, VERSIONS["1.3"])), *GIVEN]

    assert set(program.decrypt(given)) == {CLOSED}
    assert program.failure is None
    program.close()


def test_a_missing_program_or_key_log_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line each."""
    with pytest.raises(CaptureError, match=r"key log .*nowhere: No such file"):
        TsharkTls(str(tmp_path / "nowhere"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CaptureError, match="needs tshark, which is not installed"):
        TsharkTls(None)


def pretend(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> TsharkTls:
    """Put a program named tshark first in the path."""
    program = folder / "tshark"
    program.write_text(f"#!{sys.executable}\nimport sys, time, signal\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return TsharkTls(None)


@pytest.mark.process
def test_a_program_that_stops_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error is reported without an exception; later records are not decrypted."""
    script = "print('tshark: no such thing', file=sys.stderr); print('23\\t\\t6162', flush=True)"
    program = pretend(tmp_path, monkeypatch, script)

    assert set(program.decrypt(GIVEN)) == {CLOSED}
    assert program.failure == "tshark stopped: no such thing"
    assert program.decrypt(GIVEN) == [CLOSED] * 3
    assert not alive()


@pytest.mark.process
def test_a_program_that_is_silent_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed after a time, also if it ignores SIGTERM."""
    monkeypatch.setattr(tshark, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(tshark, "_STOP_SECONDS", 0.2)
    program = pretend(
        tmp_path, monkeypatch, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)"
    )

    assert set(program.decrypt(GIVEN)) == {CLOSED}
    assert program.failure == "tshark does not respond"
    assert not alive()


@pytest.mark.process
def test_nothing_is_left_behind_by_a_program_that_is_killed(tmp_path: Path) -> None:
    """The program reads its input to the end, which closes however we end."""
    made = talk(tmp_path, VERSIONS["1.3"])
    script = (
        "import sys, time\n"
        "from streamshark.capture.tshark import TsharkTls\n"
        "from streamshark.capture.tls_records import TlsRecord\n"
        f"program = TsharkTls({str(made.keylog)!r})\n"
        "program.decrypt([TlsRecord(0, True, b'\\x17\\3\\3\\0\\1x')])\n"
        "print(program._process.pid, flush=True)\n"
        "time.sleep(60 if sys.argv[1] == 'wait' else 0)\n"
    )
    for how in ("wait", "end"):
        process = subprocess.Popen(
            [sys.executable, "-c", script, how], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        child = int(process.stdout.readline())
        if how == "wait":
            process.send_signal(signal.SIGKILL)
        process.communicate()
        for _ in range(100):
            if not Path(f"/proc/{child}").exists():
                break
            time.sleep(0.05)
        assert not Path(f"/proc/{child}").exists()
