"""The program: help, version, exit codes, and never a traceback for what a user mistypes."""

import gc
import os
import re
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import click
import pytest
from tests.cli.console import PARROT, call, command, process
from tests.madeup import parrot_traffic

from streamshark.cli import main
from streamshark.cli.main import COMMANDS, program
from streamshark.errors import StreamsharkError


def test_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command that is there, and exit codes."""
    done = call(monkeypatch, "--help")

    assert done.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in done.out
    assert "Exit codes: 0 success" in " ".join(done.out.split())
    assert call(monkeypatch, "-h").out == done.out


def test_garbage_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Collection is off while the program starts, and on again for a program that calls it."""
    call(monkeypatch, "--version")
    assert gc.isenabled()
    call(monkeypatch, "read", "--no-such-option")
    assert gc.isenabled()


def test_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, that of the shapes, and those of the libraries."""
    done = call(monkeypatch, "--version")

    assert done.code == 0
    assert re.match(r"streamshark \d+\.\d+\.\d+\nschema_version 1\nPython 3\.\d+", done.out)
    assert f"click {metadata.version('click')}" in done.out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_commands_have_help(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an example."""
    done = call(monkeypatch, name, "-h")

    assert done.code == 0
    assert f"\n  streamshark {name} " in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "no command or file 'nonsense'"),
        (("--nonsense",), "No such option"),
        (("read",), "no input: name a capture"),
    ],
)
def test_usage(arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, where to look, exit code 2."""
    done = call(monkeypatch, *arguments)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "--help)" in done.err
    assert done.err.count("\n") == 1


def test_what_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of other programs, an option before its command, and `help` as of git."""
    for arguments, instead in (
        (("follow", "a.pcap"), "streamshark conversations --follow ID FILE"),
        (("grep", "x"), "streamshark read -Y FILTER FILE"),
        (("-r", "a.pcap"), "streamshark read -r ..."),
        (("--nonsense",), ""),
    ):
        done = call(monkeypatch, *arguments)
        assert done.code == 2
        assert done.err.endswith(f"; try: {instead}\n") is bool(instead), done.err
    assert call(monkeypatch, "help").out == call(monkeypatch, "--help").out
    assert call(monkeypatch, "help", "check").out == call(monkeypatch, "check", "--help").out
    assert "no command or file 'nonsense'" in call(monkeypatch, "help", "nonsense").err


def test_without_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help, as an error."""
    done = call(monkeypatch)

    assert (done.code, done.out) == (2, "")
    assert "Commands:" in done.err


def test_errors_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their own exit code."""

    class WorseError(StreamsharkError):
        exit_code = 7

    def fail() -> None:
        raise WorseError("it broke\nbadly")

    monkeypatch.setattr(program, "invoke", lambda _context: fail())
    done = call(monkeypatch, "read")

    assert (done.code, done.err) == (7, "streamshark: it broke\\nbadly\n")


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (BrokenPipeError(), 141),
        (click.exceptions.Exit(4), 4),
    ],
)
def test_ends(raised: BaseException, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what a run may raise."""

    def fail() -> None:
        raise raised

    monkeypatch.setattr(program, "invoke", lambda _context: fail())

    assert call(monkeypatch, "read").code == code


def test_the_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exits with the code of the run."""
    monkeypatch.setattr(main, "run", lambda: 3)

    with pytest.raises(SystemExit) as stopped:
        main.main()

    assert stopped.value.code == 3


@pytest.mark.process
def test_help_into_a_closed_pipe() -> None:
    """Silent, and 141."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command("--help"), stdout=writing, stderr=subprocess.PIPE, check=False, text=True
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.process
def test_rows_into_a_closed_pipe(tmp_path: Path) -> None:
    """`| head -1` is quiet, and ends at once."""
    talk = parrot_traffic.Conversation(server=("10.0.0.2", 7777)).handshake()
    for number in range(3000):
        talk.send(0, parrot_traffic.say(number=number))
    path = parrot_traffic.write(tmp_path, talk)
    reader = subprocess.Popen(
        command("read", *PARROT, path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert reader.stdout is not None
    assert reader.stderr is not None
    first = reader.stdout.readline()
    reader.stdout.close()

    assert b"tcp       open" in first
    assert reader.wait(20) == 141
    assert reader.stderr.read() == b""
    reader.stderr.close()


@pytest.mark.process
def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C keeps what was read, closes the array, and exits with 130."""
    data = Path(parrot_traffic.write(tmp_path, parrot_traffic.talk())).read_bytes()
    # A shell has what it runs in the background ignore Ctrl-C, and all that is started there.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    reader = subprocess.Popen(
        command("read", *PARROT, "-l", "-T", "json", "-"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write(data)
    first = reader.stdout.read(1)
    while reader.stdout.read(1) not in (b"{", b""):
        continue
    reader.send_signal(signal.SIGINT)
    out, err = reader.communicate(timeout=20)

    assert first == b"["
    assert out.endswith(b"\n]\n")
    assert err == b""
    assert reader.returncode == 130


@pytest.mark.process
def test_start_imports_nothing_of_a_command() -> None:
    """Help needs no session, and no schema."""
    code = (
        "import sys\n"
        "from streamshark.cli.main import run\n"
        "run(['--help'])\n"
        "print([each for each in sys.modules if each.startswith('construct')"
        " or each == 'streamshark.session'], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stderr == "[]\n"


@pytest.mark.process
def test_completion() -> None:
    """A shell asks what may come next."""
    done = subprocess.run(
        command(), check=True, capture_output=True, text=True,
        env={**os.environ, "_STREAMSHARK_COMPLETE": "bash_complete", "COMP_WORDS": "streamshark re",
             "COMP_CWORD": "1"},
    )  # fmt: skip

    assert done.stdout == "plain,read\nplain,report\nplain,redact\n"


@pytest.mark.process
def test_as_a_process() -> None:
    """The exit code is the program's."""
    assert process("read", "no such file").code == 2


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("fields",), ("decode", "0000000400170001")]
)
def test_a_full_disk(arguments: tuple[str, ...]) -> None:
    """One line says so."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command(*arguments), stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )

    assert (done.returncode, done.stderr) == (2, "streamshark: output: No space left on device\n")
