"""scapy captures where neither dumpcap nor tcpdump is installed."""

import io
import signal
import socket
import subprocess
import sys
import time

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from tests.capture.test_remote_program import until
from tests.packets import recorded
from tests.proxy.ends import TIMEOUT, listening, received

import streamshark
from streamshark.capture import open_capture
from streamshark.capture.capture_program import SNIFFER
from streamshark.capture.scapy_sniffer import PcapWriter, has_port, main

(BUG,) = recorded("rabbitmq_stream/bug_answer_with_wrong_id")


def test_packets_are_written_as_pcap() -> None:
    """With their time and length, cut at the snapshot length."""
    stream = io.BytesIO()
    writer = PcapWriter(stream, 60)
    writer.begin(1)
    packet = Ether(bytes(Ether() / IP() / TCP(dport=9) / (b"x" * 100)))
    packet.time = 5.25
    writer.packet(packet)
    stream.seek(0)
    (batch,) = open_capture(stream).batches()
    assert (batch.times, batch.captured, batch.original) == ([5_250_000_000], [60], [154])
    assert batch.links == [1]


def test_a_filter_of_ports_needs_no_libpcap() -> None:
    """As the default filter is one; others do."""
    takes = has_port("tcp port 9 or 10")
    assert takes is not None
    assert takes(IP() / TCP(sport=10, dport=1))
    assert not takes(IP() / TCP(sport=90, dport=1))
    assert not takes(IP() / UDP(sport=10, dport=9))
    assert has_port("udp port 9") is has_port("") is None


def test_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the list of interfaces, and the error of a missing interface, as tcpdump does."""
    assert main(["-D"]) == 0
    assert ".lo []" in capsys.readouterr().out
    assert main(["-U", "-i", "nope", "-w", "-", "--", "tcp"]) == 1
    assert "tcpdump: nope: No such device exists" in capsys.readouterr().err


def replay(capture: str, server: socket.socket) -> None:
    """Send the recorded frames of both sides of a connection, in their order."""
    address = server.getsockname()
    with socket.create_connection(address, timeout=TIMEOUT) as client, server.accept()[0] as peer:
        for each in streamshark.open(capture, show_secrets=True):
            if not each.is_event:
                ends = (client, peer) if each.sender == "client" else (peer, client)
                ends[0].sendall(each.data)
                assert received(ends[1], len(each.data)) == each.data


@pytest.mark.sweep
def test_it_captures() -> None:
    """On the loopback, until SIGTERM; the counters come at the end."""
    with listening() as server:
        words = ("-i", "lo", "-w", "-", "--", f"tcp port {server.getsockname()[1]}")
        with subprocess.Popen(
            [sys.executable, "-m", SNIFFER, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stderr is not None
            until(lambda: b"listening on lo" in process.stderr.readline())  # type: ignore[union-attr]
            replay(BUG, server)
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            out, errors = process.communicate(timeout=10)
    packets = sum(map(len, open_capture(io.BytesIO(out)).batches()))
    assert packets > 10
    assert errors.decode() == f"{packets} packets captured\n0 packets dropped by kernel\n"
