"""The interface captures into Wireshark's pipe, and ends at once."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.capture.test_remote_program import SSH, is_alive, until
from tests.cli.console import command
from tests.cli.test_capture import program
from tests.failures import Failures
from tests.proxy.ends import TIMEOUT

from streamshark.capture import extcap_interface

TCPDUMP = """#!/bin/sh
echo $$ > {folder}/number
echo "$@" > {folder}/arguments
printf packets
exec sleep 99
"""


def test_what_describes_the_interface() -> None:
    """In the sentences of extcap(4): each option has a number, a call and a type."""
    assert "interface {value=streamshark-ssh}{display=Streamshark" in extcap_interface.interfaces(
        "1"
    )
    assert extcap_interface.link_types().startswith("dlt {number=147}{name=streamshark-ssh}")
    lines = extcap_interface.configuration("tcp port 1").splitlines()
    starts = [f"arg {{number={number}}}{{call=--remote-" for number in range(len(lines))]
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))
    assert "{default=tcp port 1}" in "".join(lines)
    assert extcap_interface.ssh(22, "k") == ["ssh", "-o", "BatchMode=yes", "-p", "22", "-i", "k"]


@pytest.mark.process
def test_a_capture_ends_without_a_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once: by a signal, if Wireshark has closed the pipe, and with tcpdump."""
    program(tmp_path / "bin", "ssh", SSH)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    pipe, number = tmp_path / "pipe", tmp_path / "number"
    os.mkfifo(pipe)
    words = ("--capture", "--extcap-interface", "streamshark-ssh", "--fifo", str(pipe))
    options = ("--remote-host", "box", "--remote-interface", "if0", "--remote-filter", "tcp")
    with Failures() as failures:
        for name in ("signal", "pipe", "tcpdump"):
            number.unlink(missing_ok=True)
            program(tmp_path / "bin", "tcpdump", TCPDUMP.format(folder=tmp_path))
            with (
                failures.of(name),
                subprocess.Popen(
                    command("extcap", *words, *options), stderr=subprocess.PIPE, text=True
                ) as process,
                pipe.open("rb", buffering=0) as reader,
            ):
                assert reader.read(7) == b"packets"
                there, start = int(number.read_text()), time.monotonic()
                if name == "signal":
                    process.send_signal(signal.SIGTERM)
                elif name == "pipe":
                    reader.close()
                else:
                    os.kill(there, signal.SIGKILL)
                _, errors = process.communicate(timeout=TIMEOUT)
                assert time.monotonic() - start < 3  # on a busy machine
                until(lambda number=there: not is_alive(number))
                assert process.returncode == (2 if name == "tcpdump" else 0)
                assert ("tcpdump on box" in errors) == (name == "tcpdump")
    assert "-i if0 -w - -- (tcp) and not" in (tmp_path / "arguments").read_text()
