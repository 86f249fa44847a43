"""The format is recognised by the first bytes; an unknown one is an error of one line."""

import gzip
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from tests.builders import Conversation, pcap, pcapng
from tests.failures import every

from streamshark.capture import CaptureError, open_capture

PACKETS = Conversation().handshake().packets


COMPRESS: dict[str | None, Callable[[bytes], bytes]] = {
    None: bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "lz4": lz4.frame.compress,
}


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("make", [pcap, pcapng])
def test_captures_are_recognised(make: object, compression: str | None, tmp_path: Path) -> None:
    """Either format, compressed or not, whatever the file is called."""
    data = pcap(PACKETS) if make is pcap else pcapng(PACKETS)
    path = tmp_path / "capture.txt"
    path.write_bytes(COMPRESS[compression](data))

    with open_capture(path, 2) as capture:
        (batch,) = capture.batches()

    assert capture.format == ("pcap" if make is pcap else "pcapng")
    assert (capture.name, capture.file, batch.file) == (str(path), 2, 2)
    assert capture.compression == compression
    assert len(batch) == 3
    assert capture.damage is None


REFUSED = {
    "empty": (b"", "is empty"),
    "gzip of nothing": (gzip.compress(b""), "gzip, but empty inside"),
    "gzip of text": (gzip.compress(b"hello"), "gzip, but not a capture inside.*text"),
    "zstd of text": (zstandard.compress(b"hello"), "zstd, but not a capture inside"),
    "lz4 of nothing": (lz4.frame.compress(b""), "lz4, but empty inside"),
    "gzip cut at once": (gzip.compress(b"hello")[:10], "gzip, but the gzip stream ends early"),
    "text": (b"frame.number,time\n1,2\n" * 99, "not a capture .*: looks like text"),
    "bytes": (b"\xff\xfe\0\x01\x02", "its first bytes are ff fe 00 01 02"),
    "two bytes": (b"\xd4\xc3", "its first bytes are d4 c3"),
    "pcap header cut": (pcap([])[:23], "the file ends inside the pcap header, after 23 bytes"),
    "pcapng header cut": (
        pcapng([])[:20],
        "the file ends inside the pcapng header, after 20 bytes",
    ),
    "pcapng without order": (pcapng([])[:8] + bytes(40), "no byte-order magic"),
}


@every(("data", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_capture_is_refused(data: bytes, reason: str) -> None:
    """One line that names the source and the reason."""
    with pytest.raises(CaptureError, match=reason) as caught:
        open_capture(io.BytesIO(data))

    assert str(caught.value).startswith("stream: ")
    assert "\n" not in str(caught.value)


def test_a_live_pipe_yields_packets_as_they_come() -> None:
    """A packet is read as soon as it is written, without waiting for a window."""
    reading, writing = os.pipe()
    data, header = pcap(PACKETS), len(pcap([]))
    size = (len(data) - header) // 3
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", 0) as end:
        end.write(data[:header])
        batches = open_capture(stream).batches()
        for number in (1, 2):
            end.write(data[header + (number - 1) * size : header + number * size])
            assert next(batches).first == number
        end.write(data[header + 2 * size : -1])
        end.write(data[-1:])
        assert next(batches).first == 3


def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    """A slow writer, or one that ends within a record, loses no packet."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    data = zstandard.compress(pcap(PACKETS))

    def write() -> None:
        with path.open("wb", buffering=0) as end:
            for at in range(0, len(data), 7):
                end.write(data[at : at + 7])

    writer = threading.Thread(target=write)
    writer.start()
    capture = open_capture(path)
    batches = list(capture.batches())
    writer.join()

    assert sum(map(len, batches)) == 3
    assert capture.damage is None


@pytest.mark.parametrize("make", [pcap, pcapng])
@pytest.mark.parametrize("missing", [1, 30])
def test_a_file_still_growing_is_read_as_far_as_it_is(
    make: object, missing: int, tmp_path: Path
) -> None:
    """Whole records are read; the cut one is reported, and read the next time."""
    data = pcap(PACKETS) if make is pcap else pcapng(PACKETS)
    path = tmp_path / "growing"
    path.write_bytes(data[:-missing])
    with open_capture(path) as capture:
        assert [len(batch) for batch in capture.batches()] == [2]
    assert capture.damage is not None
    assert capture.damage.endswith("it may still be growing")

    with path.open("ab") as end:
        end.write(data[-missing:])
    with open_capture(path) as capture:
        assert [len(batch) for batch in capture.batches()] == [3]
    assert capture.damage is None


def test_a_header_may_come_in_pieces() -> None:
    """A pipe may bring the first bytes one by one."""

    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(1 if size else 0)

    for make in (pcap, pcapng):
        capture = open_capture(Slow(make(PACKETS)))

        assert sum(len(batch) for batch in capture.batches()) == 3
        assert capture.damage is None


@pytest.mark.process
def test_opening_imports_nothing_heavy() -> None:
    """A small capture opens without the libraries of the extras."""
    code = "import sys, streamshark.capture, streamshark.flows; print(*sys.modules)"
    command = [sys.executable, "-c", code]

    loaded = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()

    assert not {"numpy", "scapy", "pyarrow", "construct", "zstandard", "lz4"} & set(loaded)
