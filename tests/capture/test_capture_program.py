"""Command lines of dumpcap and tcpdump for what is asked for, and which of the two there is."""

import os
import sys
from pathlib import Path

import pytest
from tests.failures import Failures

from streamshark.capture import CaptureError
from streamshark.capture.capture_program import (
    CaptureProgram,
    CaptureRequest,
    Limits,
    default_filter,
    installed_program,
    parse_limits,
)
from streamshark.capture.remote_program import watched

DUMPCAP, TCPDUMP = CaptureProgram("dumpcap", "dumpcap"), CaptureProgram("tcpdump", "tcpdump")
OUT = Path("out.pcapng")
FULL = CaptureRequest(
    OUT,
    interfaces=["lo"],
    filter="tcp port 4222",
    snaplen=96,
    promiscuous=False,
    buffer=8,
    packets=7,
    stop=Limits(duration=1.5, packets=5, files=9),
    switch=Limits(filesize=1_234_567, files=3),
)


def line(program: CaptureProgram, request: CaptureRequest) -> str:
    """The command line that the shell watches."""
    return " ".join(program.command(request)[len(watched([])) :])


def test_command_lines() -> None:
    """All options are passed to dumpcap, and to tcpdump those that it has."""
    assert line(DUMPCAP, CaptureRequest(OUT)) == "dumpcap -B 16 -w out.pcapng"
    assert line(DUMPCAP, FULL) == (
        "dumpcap -s 96 -p -c 7 -B 8 -f tcp port 4222 -i lo -a duration:1.5 -a packets:5"
        " -a files:9 -b filesize:1234567 -b files:3 -w out.pcapng"
    )
    assert line(TCPDUMP, CaptureRequest(OUT)) == ("tcpdump -U --immediate-mode -B 16384 -w -")
    assert line(TCPDUMP, FULL) == (
        "tcpdump -U --immediate-mode -s 96 -p -c 5 -B 8192 -i lo -w - -- tcp port 4222"
    )
    assert TCPDUMP.link_types(["lo"]) == ["tcpdump", "-L", "-i", "lo"]
    assert DUMPCAP.writes_files
    assert not TCPDUMP.writes_files


def test_what_tcpdump_cannot_do() -> None:
    """Several interfaces, and files that end at multiples of a time, are errors."""
    with pytest.raises(CaptureError, match="one interface"):
        TCPDUMP.command(CaptureRequest(OUT, interfaces=["lo", "eth0"]))
    with pytest.raises(CaptureError, match="one interface"):
        TCPDUMP.link_types(["lo", "eth0"])
    with pytest.raises(CaptureError, match="interval needs dumpcap"):
        TCPDUMP.command(CaptureRequest(OUT, switch=Limits(interval=60)))


def test_conditions() -> None:
    """NAME:N with a name of the option, and a number from 1 (a fraction for seconds)."""
    names = ("duration", "filesize", "files")
    given = ("duration:0.5", "filesize:100", "files:2")
    assert parse_limits(given, names) == Limits(duration=0.5, filesize=100, files=2)
    assert not Limits(files=2).switches
    assert Limits(interval=2).switches
    with Failures() as failures:
        for value in (
            "duration", "duration:", "duration:nan", "duration:inf", "duration:-1", "files:0",
            "files:1.5", "packets:3", "filesize:99999999999", "printname:stdout",
        ):  # fmt: skip
            with failures.of(value), pytest.raises(ValueError, match=value):
                parse_limits([value], names)


def test_the_filter_of_ports() -> None:
    """Each port once; all of TCP without ports."""
    assert default_filter([5552, 4222, 5552]) == "tcp port 4222 or 5552"
    assert default_filter([]) == "tcp"


def test_the_installed_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The preferred one is dumpcap; a program that this user may not run does not count."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed_program() == CaptureProgram("scapy", sys.executable)
    monkeypatch.setattr("streamshark.capture.capture_program.find_spec", lambda _name: None)
    assert installed_program() is None
    for name in ("tcpdump", "dumpcap"):
        path = tmp_path / name
        path.touch(0o700)
        assert installed_program() == CaptureProgram(name, str(path))  # type: ignore[arg-type]
    (tmp_path / "dumpcap").chmod(0o600)
    assert installed_program() == CaptureProgram("tcpdump", os.fspath(tmp_path / "tcpdump"))
