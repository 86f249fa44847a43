"""Programs that end with their standard input, here and on another machine."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.console import command
from tests.cli.test_capture import program
from tests.proxy.ends import TIMEOUT, listening

from streamshark.capture.remote_program import Remote, watched

pytestmark = pytest.mark.process

SSH = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift 2
SSH_CONNECTION="192.0.2.1 50001 192.0.2.2 22" exec sh -c "$*"
"""
"""A replacement of ssh that runs the remote command here."""
SSHD = """ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile {folder}/pid
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
"""
CLIENT = """#!/bin/sh
exec {ssh} -F /dev/null -p {port} -i {folder}/user -o IdentitiesOnly=yes -o LogLevel=ERROR \
-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "$@"
"""


def until(condition: object, seconds: float = TIMEOUT) -> None:
    """Wait for something to become true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not become true"
        time.sleep(0.02)


def is_alive(number: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_program_ends_with_its_standard_input(tmp_path: Path) -> None:
    """Even if it reads and writes nothing; else its exit code is passed on."""
    with subprocess.Popen(watched(["sh", "-c", "exit 7"]), stdin=subprocess.PIPE) as process:
        assert process.wait(TIMEOUT) == 7
    sleep = f"echo $$ > {tmp_path}/number; exec sleep 99"
    with subprocess.Popen(watched(["sh", "-c", sleep]), stdin=subprocess.PIPE) as process:
        until(lambda: (tmp_path / "number").exists() and (tmp_path / "number").read_text())
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(TIMEOUT) == 128 + signal.SIGTERM
    assert not is_alive(int((tmp_path / "number").read_text()))


def test_what_is_run_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tcpdump as it is given, with sudo if that is asked for, without the packets of ssh itself."""
    program(tmp_path / "bin", "ssh", SSH)
    program(tmp_path / "bin", "sudo", '#!/bin/sh\nshift\nexec "$@"\n')
    program(tmp_path / "bin", "tcpdump", '#!/bin/sh\nprintf "<%s>" "$@"\n')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    own = "not (tcp port 50001 and tcp port 22)"
    for remote, words, capture_filter, wanted in (
        (Remote("box"), ["-i", "it's"], "", f"<-i><it's><--><{own}>"),
        (Remote("me@box"), [], "tcp port 1 or 2", f"<--><(tcp port 1 or 2) and {own}>"),
        (Remote("box", sudo=True), ["-w", "-"], "$x", f"<-w><-><--><($x) and {own}>"),
        (Remote("box", tcpdump="env A=1 tcpdump -Z x"), [], "", f"<-Z><x><--><{own}>"),
    ):
        line = remote.capture(words, capture_filter)
        pipe = subprocess.PIPE
        with subprocess.Popen(line, stdin=pipe, stdout=pipe, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.read() == wanted, shlex.join(line)
        assert line[-2] == remote.host


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a real sshd on the loopback, which `ssh box` reaches."""
    sshd, ssh = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin"), shutil.which("ssh")
    assert sshd, "openssh-server is not installed"
    for name in ("host", "user"):
        words = ("-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name))
        subprocess.run(["ssh-keygen", *words], check=True)
    with listening() as free:
        port = free.getsockname()[1]
    (tmp_path / "conf").write_text(SSHD.format(port=port, folder=tmp_path))
    Path("/run/sshd").mkdir(exist_ok=True)
    program(tmp_path / "bin", "ssh", CLIENT.format(ssh=ssh, port=port, folder=tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with subprocess.Popen([sshd, "-D", "-f", str(tmp_path / "conf")]) as server:
        until(lambda: not subprocess.run(["ssh", "root@127.0.0.1", "true"], check=False).returncode)
        yield tmp_path
        server.terminate()


@pytest.mark.sweep
@pytest.mark.usefixtures("box")
def test_the_other_machine_is_left_clean() -> None:
    """It ends when the capture is killed here; a lost connection is one line and exit code 3."""
    with listening() as free:
        port = free.getsockname()[1]
    words = ("capture", "--remote", "root@127.0.0.1", "-i", "lo", "-f", f"tcp port {port}")
    for is_lost in (False, True):
        with subprocess.Popen(command(*words), stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert "tcpdump on root@127.0.0.1 captures on lo" in process.stderr.readline()
            (there,) = _matching(f"tcpdump -U .*\\(tcp port {port}\\)")
            if is_lost:
                for each in _matching(f"ssh .*root@127.0.0.1 .*port {port}"):
                    os.kill(each, signal.SIGTERM)
                _, errors = process.communicate(timeout=TIMEOUT)
                assert process.returncode == 3
                assert "the capture has ended early; packets after" in errors
            else:
                process.kill()
            until(lambda number=there: not is_alive(number), 2)


def _matching(pattern: str) -> list[int]:
    """The processes whose command line matches, from its beginning on."""
    found = subprocess.run(
        ["pgrep", "-f", f"^(/usr/bin/)?{pattern}"], capture_output=True, text=True, check=False
    )
    return [int(each) for each in found.stdout.split()]
