"""The screen about captures: what is listed, in which order, and what is cut."""

from typing import Any

from tests.views.findings import finding

from streamshark.views.colour import Palette
from streamshark.views.overview import MOST_FINDINGS, Overview


def facts(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - members of the summary
    """A capture of one connection."""
    connection = {
        "protocol": "parrot", "carrier": None, "server": "10.0.0.1:7", "ends": ["a", "b"],
        "frames": 3, "bytes": 2048, "lost_bytes": 0,
        "context": {"client_product": "p\x1b[1m", "client_version": "1"},
    }  # fmt: skip
    file = {
        "name": "a b.pcap", "format": "pcap", "compression": None, "packets": 9,
        "duration_ns": 10**9, "first": "2026-11-21T11:56:11.5Z", "damage": None,
    }  # fmt: skip
    given = {
        "files": [file], "packets": 9, "frames": 3, "protocols": [], "connections": [connection],
        "attempts": [], "unrecognised": [],
    }  # fmt: skip
    return {**given, **changes}


def screen(known: dict[str, Any], *found: Any, width: int = 80) -> list[str]:  # noqa: ANN401 - findings
    """What is written on a terminal."""
    overview = Overview((), Palette(enabled=False), width, is_terminal=True)
    overview.add(found)
    return overview.text(known).splitlines()


def test_the_worst_findings_come_first() -> None:
    """By severity, then by consequences, then by time; the others are counted."""
    notes = [finding(severity="note", rule=f"T-{number}") for number in range(MOST_FINDINGS)]
    cause = finding(rule="T-8", echoes=(finding(),))
    found = [*notes, finding(rule="T-7"), cause, finding(severity="error", rule="T-9")]
    lines = screen(facts(), *found, finding(severity="chat", rule="T-0"))
    listed = [line.split()[1] for line in lines if line.startswith("  [")]

    assert lines[lines.index("Findings") + 1] == "  1 error, 2 warnings, 4 notes"
    assert listed == ["T-9", "T-8", "T-7", "T-0"]


def test_connections_are_grouped_by_server() -> None:
    """With what the peers say they are, escaped, lost bytes, and failed connects."""
    (one,) = facts()["connections"]
    many = [{**one, "lost_bytes": 5}, one, {**one, "server": None}]
    attempts = [{"endpoint": "10.0.0.2:7", "refused": 6, "unanswered": 0}]
    lines = screen(facts(connections=many, attempts=attempts))

    assert "  2 connections to 10.0.0.1:7: parrot, 6 frames, 4 KiB" in lines
    assert "    client: p\\x1b[1m 1 (2)" in lines
    assert "    5 bytes lost" in lines
    assert "  1 connection to a or b: parrot, 3 frames, 2 KiB" in lines
    assert "  6 connection attempts to 10.0.0.2:7 refused" in lines


def test_frames_of_embedded_protocols() -> None:
    """Are named beside the protocol that has them inside."""
    overview = Overview((), Palette(enabled=False), 80)
    overview.names = {"parrot": "Parrot", "cage": "Cage"}
    inside = {"protocol": "parrot", "carrier": "cage", "connections": 1, "frames": 2, "bytes": 9}

    assert "  Parrot inside Cage: 2 frames, 9 B\n" in overview.text(facts(protocols=[inside]))


def test_what_cannot_be_read_names_the_next_step() -> None:
    """Keys for TLS; a capture without connections says so."""
    tls = [{"flow": 0, "ends": ["a", "b"], "payload": 7, "carrier": None, "tls": True}]
    locked = screen(facts(frames=0, connections=[], unrecognised=tls))
    empty = screen(facts(frames=0, connections=[]))

    assert "  1 connection not recognised (1 TLS), 7 B" in locked
    assert "  streamshark check -o tls.keylog_file:keys.log 'a b.pcap'" in locked
    assert "  no TCP connection with payload" in empty


def test_commands_that_do_not_fit_are_short() -> None:
    """After a change to the folder of the captures: a command that is cut cannot be pasted."""
    (file,) = facts()["files"]
    folder = f"/{'long/' * 15}"
    inside = [{**file, "name": f"{folder}{name}"} for name in ("a.pcap", "b c.pcap")]
    apart = [{**file, "name": f"{folder}{each}"} for each in ("x/a.pcap", "y/a.pcap")]

    assert screen(facts(files=inside))[-4:-2] == [
        f"  cd {folder[:-1]}", "  streamshark explain a.pcap 'b c.pcap'",
    ]  # fmt: skip
    assert f"{folder}x/a.pcap {folder}y/a.pcap" in screen(facts(files=apart))[-1]


def test_many_files_and_long_messages_keep_one_screen() -> None:
    """Three files are listed; a message has two lines."""
    (file,) = facts()["files"]
    lines = screen(facts(files=[file] * 50), finding(message="word " * 99), width=60)

    assert "and 47 more files; 9 packets in all" in lines
    assert "  streamshark check FILE..." in lines
    assert len(lines) < 20
    assert max(map(len, lines)) <= 60
