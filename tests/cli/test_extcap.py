"""Wireshark is given the interface, lists it, and shows its packets."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from tests.capture.test_remote_program import box, until
from tests.cli.console import call
from tests.cli.test_capture import program
from tests.proxy.ends import listening

__all__ = ["box"]
PLUGIN = Path(__file__).parents[2] / "dissectors" / "nats.lua"
TSHARK = """#!/bin/sh
[ "$1" = -D ] || {{ printf '%s:\\t{folder}/extcap\\n' "{name}"; exit; }}
n=1
for each in {folder}/extcap/*; do
"$each" --extcap-interfaces --extcap-version=4.4 | \
sed -n "s/^interface {{value=\\(.*\\)}}{{display=\\(.*\\)}}/$n. \\1 (\\2)/p"
done
"""
"""Does with extcap programs what tshark does."""


@pytest.mark.process
def test_it_is_installed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the user's folder if there is one; a file of another program stays."""
    file = tmp_path / "extcap" / "streamshark"
    for name in ("Personal Extcap path", "Extcap path"):
        folder = program(tmp_path / "bin", "tshark", TSHARK.format(folder=tmp_path, name=name))
        chosen = ("--tshark", str(folder / "tshark"))
        done = call(monkeypatch, "extcap", "install", *chosen)
        listed = "streamshark-ssh (Streamshark over ssh)"
        assert done == (0, f"{file}: {chosen[1]} -D lists {listed}\n", "")
        assert call(monkeypatch, "extcap", "uninstall", *chosen).out == f"removed {file}\n"
        assert not file.exists()
    file.write_text("#!/bin/sh\n")
    done = call(monkeypatch, "extcap", "install", *chosen)
    assert (done.code, done.err) == (
        2, f"streamshark: {file} is not of Streamshark; move it away first\n",
    )  # fmt: skip
    program(tmp_path / "bin", "tshark", TSHARK.format(folder=tmp_path, name="Other"))
    assert "no folder for extcap" in call(monkeypatch, "extcap", "install", *chosen).err


def test_what_wireshark_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its questions have answers; what cannot be captured is a sentence."""
    ours = ("--extcap-interface", "streamshark-ssh")
    assert call(monkeypatch, "extcap", "--extcap-interfaces", "--extcap-version=4.0").code == 0
    assert call(monkeypatch, "extcap", "--extcap-dlts", *ours).out.startswith("dlt ")
    shown = call(monkeypatch, "extcap", "--extcap-config", *ours).out
    assert "{default=tcp port 4222 or " in shown
    assert call(monkeypatch, "extcap", *ours, "--extcap-capture-filter", "tcp").out == ""
    assert "Usage:" in call(monkeypatch, "extcap").out
    assert call(monkeypatch, "extcap", "--extcap-interface", "x", "--extcap-dlts").code == 2
    assert "--fifo" in call(monkeypatch, "extcap", "--capture", *ours).err
    done = call(monkeypatch, "extcap", "--capture", *ours, "--fifo", os.devnull)
    assert "no host is given" in done.err


@pytest.mark.sweep
@pytest.mark.usefixtures("box")
def test_tshark_shows_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a real connection over a real ssh, dissected by the plugin; it stops at once."""
    assert shutil.which("tshark")
    done = call(monkeypatch, "extcap", "install")
    assert done.code == 0, done.err
    words = ["tshark", "-i", "streamshark-ssh", "-l", "-X", f"lua_script:{PLUGIN}"]
    preference = "extcap.streamshark_ssh.remote"
    try:
        with listening() as server, (tmp_path / "rows").open("w") as rows:
            port = server.getsockname()[1]
            chosen = {"host": "root@127.0.0.1", "interface": "lo", "filter": f"tcp port {port}"}
            words += [
                each
                for name, value in chosen.items()
                for each in ("-o", f"{preference}{name}:{value}")
            ]
            with subprocess.Popen([*words, "-d", f"tcp.port=={port},nats"], stdout=rows) as tshark:
                while not _has(tmp_path, "NATS"):
                    assert tshark.poll() is None
                    _talk(server)
                tshark.send_signal(signal.SIGINT)
                tshark.wait(5)
    finally:
        call(monkeypatch, "extcap", "uninstall")


def _has(folder: Path, text: str) -> bool:
    return text in (folder / "rows").read_text()


def _talk(server: socket.socket) -> None:
    """Let a client and a server of NATS say one thing each."""
    with socket.create_connection(server.getsockname()) as client, server.accept()[0] as peer:
        peer.sendall(b'INFO {"server_id":"a","version":"2.9.10"}\r\n')
        client.sendall(b'CONNECT {"verbose":false}\r\nPUB a 5\r\nhello\r\n')
        until(lambda: peer.recv(100))
        time.sleep(0.3)
