"""Recorded connections that are joined later: what is recognised, and where nothing proves it.

`tests/foreign` has the other side: what is foreign is left alone, however it is cut.
"""

import io
from pathlib import Path

from tests.builders import Packet, pcap
from tests.foreign.connections import Taken, packets

from streamshark.capture import open_capture
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
SYN = 2
CASES = (
    ("nats/leaf_s2_py", 0, 0, "INFO, then S2, as INFO announces"),
    ("nats/tls_py", 0, 0, "INFO, then TLS, as INFO announces"),
    ("nats/tls_py", 1, 1, "TLS alone is anybody's"),
    ("nats/bug_slow_consumer", 5, 0, "lines of over 64 KiB, on its port"),
    ("nats/bug_header_block_without_version", 2, 0, "lines of both sides, on its port"),
    ("nats/bug_header_block_without_version", 5, 1, "of each side one faulty line and a PING"),
    ("rsocket/bug_resume_after_setup", 2, 0, "an answer and an error, on its port"),
    ("liftbridge/failover_go", 2, 0, "headers of calls that say their content type"),
    ("pravega/byte_stream_java", 2, 0, "frames in a row, on its port"),
)
"""Capture, packets with payload that are gone of each connection (and all before them; 0: those
with SYN), connections that are not recognised, and what there is to go by."""


def cut(taken: list[Taken], depth: int) -> list[Packet]:
    """Cut away the SYNs, or so many packets with payload of each connection."""
    seen: dict[frozenset[tuple[bytes, bytes]], int] = {}
    left = []
    for packet, *ends in taken:
        data = packet.data
        tcp = 14 + (data[14] & 15) * 4
        payload = int.from_bytes(data[16:18], "big") + 14 - tcp - (data[tcp + 12] >> 4) * 4
        connection = frozenset(ends)
        seen[connection] = seen.get(connection, 0) + (payload > 0)
        if seen[connection] > depth if depth else not data[tcp + 13] & SYN:
            left.append(packet)
    return left


def test_connections_that_are_joined_later() -> None:
    """Of each capture as many are recognised as can be."""
    failures = []
    for name, depth, unread, why in CASES:
        (path,) = (CAPTURES / name).glob("traffic.*")
        session = Session(())
        session.captures.append(open_capture(io.BytesIO(pcap(cut(packets(path), depth)))))
        rows = sum(1 for _ in session.rows())
        found = len(session.dissector.unrecognised)
        if found != unread or (not rows and unread != len(session.dissector.tracker.flows)):
            failures.append(f"{name} without {depth}: {found} not recognised; {why}")

    assert failures == []
