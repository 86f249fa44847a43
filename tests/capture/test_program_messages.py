"""Messages of dumpcap 4.0 and tcpdump 4.99 are parsed and reported in our words."""

import os
from pathlib import Path

import pytest
from tests.failures import Failures

from streamshark.capture import program_messages
from streamshark.capture.capture_program import CaptureProgram
from streamshark.capture.program_messages import (
    ProgramMessages,
    grant,
    listed_interfaces,
    missing,
)

DUMPCAP, TCPDUMP = CaptureProgram("dumpcap", "dumpcap"), CaptureProgram("tcpdump", "tcpdump")
CAPTURED = """\
Capturing on 'Loopback: lo' and 'eth0'
File: ./a b_00001_20261125233852.pcapng

\rPackets: 7 \rPackets: 60 File: ./a b_00002_20261125233853.pcapng
\rPackets captured: 78
Packets received/dropped on interface 'Loopback: lo': 78/10 (pcap:3/dumpcap:1/flushed:2/ps_ifdrop:4) (98.7%)
Packets received/dropped on interface 'eth0': 0/0 (pcap:0/dumpcap:0/flushed:0/ps_ifdrop:0) (0.0%)
"""  # noqa: E501 - as dumpcap writes it
TCPDUMP_CAPTURED = """\
tcpdump: listening on lo, link-type EN10MB (Ethernet), snapshot length 262144 bytes
1 packet captured
24 packets received by filter
5 packets dropped by kernel
0 packets dropped by interface
"""
DUMPCAP_DENIED = """\
Capturing on 'Loopback: lo'
dumpcap: You do not have permission to capture on device "lo".
(socket: Operation not permitted)
Please check to make sure you have sufficient permissions.
"""
DUMPCAP_FILTER = """\
Capturing on 'Loopback: lo'
dumpcap: Invalid capture filter "tcp prt 5552" for interface 'lo'.

That string isn't a valid capture filter (can't parse filter expression: syntax error).
See the User's Guide for a description of the capture filter syntax.
"""
DUMPCAP_DEVICE = """\
Capturing on 'nope0'
dumpcap: There is no device named "nope0".
(No such device exists)
"""
DUMPCAP_FILE = """\
Capturing on 'Loopback: lo'
dumpcap: The file to which the capture would be saved ("/x/b") could not be opened: Permission denied.
"""  # noqa: E501 - as dumpcap writes it
TCPDUMP_DENIED = """\
tcpdump: lo: You don't have permission to perform this capture on that device
(socket: Operation not permitted)
"""


def taken(text: str) -> tuple[ProgramMessages, list[Path]]:
    """Return the messages, and the files that they name."""
    messages = ProgramMessages()
    found = [messages.take(line) for line in text.splitlines()]
    return messages, [each for each in found if each is not None]


def test_counters_while_it_runs() -> None:
    """Dumpcap counts packets, tcpdump also drops after SIGUSR1; neither is a failure."""
    messages, _ = taken(
        "Capturing on 'lo'\nFile: a\n\rPackets: 9 \rPackets: 12 ".replace("\r", "\n")
    )
    assert (messages.so_far, messages.failure()) == (12, "")
    line = "tcpdump: 7 packets captured, 9 packets received by filter, 2 packets dropped by kernel"
    messages, _ = taken(line)
    assert messages.counters == "7 packets captured so far, 2 dropped by the kernel"
    assert (messages.totals(), messages.failure()) == ("", "")


def test_files_interfaces_and_counters() -> None:
    """Also of several interfaces; counters that are 0 are not named."""
    messages, files = taken(CAPTURED)
    assert files == [
        Path("a b_00001_20261125233852.pcapng"),
        Path("a b_00002_20261125233853.pcapng"),
    ]
    assert messages.so_far == 60
    assert messages.interfaces == "lo and eth0"
    assert messages.failure() == ""
    assert messages.totals() == (
        "78 packets captured, 3 dropped by the kernel on lo, 1 dropped by dumpcap on lo,"
        " 2 dropped by dumpcap at the end on lo, 4 dropped by the interface on lo"
    )
    messages, files = taken(TCPDUMP_CAPTURED)
    assert (files, messages.interfaces, messages.failure()) == ([], "lo", "")
    assert messages.totals() == "1 packet captured, 5 dropped by the kernel"
    assert ProgramMessages().totals() == ""
    assert taken("0 packets captured")[0].totals() == "0 packets captured, none dropped"


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each refusal is one sentence with its reason and a remedy."""
    monkeypatch.setattr(program_messages, "grant", lambda: "GRANT")
    right = "no right to capture packets; GRANT"
    no_filter = "-f 'tcp prt 5552': can't parse filter expression: syntax error"
    listed = "; streamshark capture -D lists the interfaces"
    with Failures() as failures:
        for text, program, sentence in (
            (DUMPCAP_DENIED, DUMPCAP, right),
            (TCPDUMP_DENIED, TCPDUMP, right),
            (DUMPCAP_FILTER, DUMPCAP, no_filter),
            ("tcpdump: can't parse filter expression: syntax error", TCPDUMP, no_filter),
            (DUMPCAP_DEVICE, DUMPCAP, f'dumpcap: There is no device named "nope0"{listed}'),
            (
                "tcpdump: nope0: No such device exists\n(No such device exists)",
                TCPDUMP,
                f"tcpdump: nope0: No such device exists{listed}",
            ),
            (
                DUMPCAP_FILE,
                DUMPCAP,
                f"dumpcap: {DUMPCAP_FILE.splitlines()[1].removeprefix('dumpcap: ').rstrip('.')}",
            ),
            ("tcpdump: lo: Something else", TCPDUMP, "tcpdump: lo: Something else"),
            ("", DUMPCAP, "dumpcap: it ended without a message"),
        ):
            with failures.of(sentence):
                assert taken(text)[0].refusal(program, "tcp prt 5552") == sentence


def test_the_command_that_grants_the_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the group of dumpcap, by a capability of the program, or for root by its container."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("getpass.getuser", lambda: "alice")
    assert "neither dumpcap nor tcpdump was found" in missing()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "--cap-add NET_RAW" in grant()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    tcpdump, dumpcap = tmp_path / "tcpdump", tmp_path / "dumpcap"
    tcpdump.touch(0o755)
    assert grant() == f"this grants it: sudo setcap cap_net_raw,cap_net_admin=ep {tcpdump}"
    dumpcap.touch(0o755)
    assert grant() == f"this grants it: sudo setcap cap_net_raw,cap_net_admin=ep {dumpcap}"
    dumpcap.chmod(0o640)
    command = "sudo usermod -aG wireshark alice"
    assert grant() == f"this grants it from the next login on: {command}"
    assert missing() == f"no right to run dumpcap; {grant()}"


def test_interfaces() -> None:
    """With addresses, which tcpdump does not name: those are found elsewhere."""
    text = (
        "1. eth0\t\t\t0\t192.0.2.2,fd00::2\tnetwork\t\n"
        "3. lo\t\tLoopback\t0\t127.0.0.1,::1\tloopback\t\n"
        "4. ifb0\t\t\t0\t\tnetwork\t\n"
    )
    assert [each.line() for each in listed_interfaces(text, {})] == [
        "1. eth0 192.0.2.2, fd00::2",
        "3. lo (Loopback) 127.0.0.1, ::1",
        "4. ifb0",
    ]
    text = (
        "1.eth0 [Up, Running, Connected]\n"
        "2.any (Pseudo-device that captures on all interfaces) [Up, Running]\n"
        "something else\n"
    )
    assert [each.line() for each in listed_interfaces(text, {"eth0": ["192.0.2.2"]})] == [
        "1. eth0 (Up, Running, Connected) 192.0.2.2",
        "2. any (Pseudo-device that captures on all interfaces)",
    ]
