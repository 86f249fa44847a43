"""`streamshark FILE`: one screen."""

from pathlib import Path

import pytest
from tests.cli.console import call

ROOT = Path(__file__).parents[2]
REFUSED = ROOT / "captures/rabbitmq_stream/login_fails/traffic.pcapng"
FOREIGN = next((ROOT / "tests/foreign/traffic").glob("redis*/traffic.*"))


def test_a_file_needs_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, connections, findings and the next commands, in one screen of 80 columns."""
    done = call(monkeypatch, str(REFUSED))
    lines = done.out.splitlines()

    assert done == call(monkeypatch, "overview", str(REFUSED))
    assert (done.code, done.err) == (0, "")
    assert "  1 connection to 127.0.0.1:5552: RabbitMQ Streams, 6 frames, 427 B" in lines
    assert "    broker: RabbitMQ 3.10.8" in lines
    assert lines[lines.index("Findings") + 1] == "  1 error, 1 note"
    assert any(line.startswith("  [E] RMQ-N6  ") for line in lines)
    assert f"  streamshark explain --flow 0 {REFUSED}" in lines
    assert len(lines) <= 24
    assert not [line for line in lines if len(line) > 80 and str(REFUSED) not in line]


def test_standard_input_is_named_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be read again."""
    done = call(monkeypatch, "-", stdin=REFUSED.read_bytes())

    assert done.out.splitlines()[0].startswith("standard input: pcapng, 14 packets")
    assert "  streamshark check FILE..." in done.out.splitlines()


def test_nothing_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Says what there is instead."""
    done = call(monkeypatch, str(FOREIGN))

    assert done.code == 0
    assert " not recognised (" in done.out
    assert f"  streamshark info {FOREIGN}" in done.out.splitlines()


def test_wrong_commands_are_told_what_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of other tools, near misses, and names that are no file."""
    said = {word: call(monkeypatch, word).err for word in ("version", "follow", "reads", "x.pcap")}

    assert "try: streamshark --version" in said["version"]
    assert "try: streamshark conversations --follow ID FILE" in said["follow"]
    assert "did you mean read?" in said["reads"]
    assert said["x.pcap"] == "streamshark: x.pcap: no such file (see streamshark --help)\n"
