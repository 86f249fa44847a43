"""Reads built traffic by our stages of capture and flows, and by tshark for comparison."""

import io
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.builders import ETHERNET, Packet, pcap

from streamshark.capture import PacketBatch, open_capture
from streamshark.capture.tshark import alone
from streamshark.flows import FlowEvent, FlowTracker, Gap, Segment

Records = list[Segment | Gap | FlowEvent]
ALONE = alone("/nonexistent")
"""Environment of a tshark that has no preferences and plugins of the user."""


def batch(packets: Iterable[Packet], link: int = ETHERNET) -> PacketBatch:
    """Make a batch of packets, numbered from 1."""
    packets = list(packets)
    result = PacketBatch(0, 1, b"".join(packet.data for packet in packets))
    at = 0
    for packet in packets:
        result.times.append(packet.time_ns)
        result.starts.append(at)
        result.captured.append(len(packet.data))
        result.original.append(packet.original)
        result.links.append(link)
        at += len(packet.data)
    return result


def follow(packets: Iterable[Packet], link: int = ETHERNET) -> tuple[FlowTracker, Records]:
    """Follow packets up to their end."""
    tracker = FlowTracker()
    records = tracker.feed(batch(packets, link))
    return tracker, records + tracker.finish()


def follow_file(data: bytes, window: int) -> Records:
    """Follow the packets of a capture file that is read in windows of this size."""
    tracker = FlowTracker()
    records: Records = []
    for part in open_capture(io.BytesIO(data)).batches(window):
        records += tracker.feed(part)
    return records + tracker.finish()


def stream(records: Records, side: int, flow: int = 0) -> bytes:
    """Return one side's bytes, `?` for each lost one; fail if segments overlap or leave holes."""
    content = b""
    for record in records:
        if isinstance(record, FlowEvent) or (record.flow, record.side) != (flow, side):
            continue
        assert record.offset == len(content)
        if isinstance(record, Gap):
            assert record.length > 0
            content += b"?" * record.length
        else:
            assert record.data
            content += record.data
    return content


def handed_on(records: Records, flow: int) -> int:
    """Count the bytes of a flow's segments; fail if segments overlap or leave holes."""
    reached, count = [0, 0], 0
    for record in records:
        if isinstance(record, FlowEvent) or record.flow != flow:
            continue
        length = record.length if isinstance(record, Gap) else len(record.data)
        assert record.offset == reached[record.side]
        assert length > 0
        reached[record.side] += length
        count += length if isinstance(record, Segment) else 0
    return count


def events(records: Records) -> list[tuple[str, int, int]]:
    """Return the events as (name, side, packet)."""
    return [
        (record.name, record.side, record.packet)
        for record in records
        if isinstance(record, FlowEvent)
    ]


def gaps(records: Records) -> list[tuple[int, int, int, str]]:
    """Return the gaps as (side, offset, length, reason)."""
    return [
        (record.side, record.offset, record.length, record.reason)
        for record in records
        if isinstance(record, Gap)
    ]


def tshark(data: bytes, folder: Path, *fields: str) -> list[list[str]]:
    """Return tshark's fields of each packet of a capture; skip or fail if there is no tshark."""
    path = folder / "built.capture"
    path.write_bytes(data)
    command = ["tshark", "-n", "-r", str(path), "-o", "tcp.reassemble_out_of_order:TRUE"]
    command += ["-T", "fields", *(word for field in fields for word in ("-e", field))]
    lines = subprocess.run(command, capture_output=True, check=True, text=True, env=ALONE).stdout
    return [line.split("\t") for line in lines.splitlines()]


def tshark_streams(packets: Iterable[Packet], folder: Path, link: int = ETHERNET) -> list[str]:
    """Return tshark's stream number of each packet."""
    return [row[0] for row in tshark(pcap(packets, link=link), folder, "tcp.stream")]
