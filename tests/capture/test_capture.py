"""Windows and limits change no packet; damage is reported, and the packets before it are read."""

import gzip
import io
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Conversation, block, pcap, pcapng

from streamshark.capture import CaptureError, PacketBatch, open_capture
from streamshark.capture.capture import LARGEST_RECORD, STANDARD_RECORD, record_limit

PACKETS = Conversation().handshake().send(0, bytes(3_000), 300).packets
FILES = {"pcap": pcap(PACKETS), "pcapng": pcapng(PACKETS) + block(0x77, b"note")}

Row = tuple[int, int, bytes, int, int]


def rows(batches: list[PacketBatch]) -> list[Row]:
    """Return each packet's number, time, bytes, original length and link type."""
    return [
        (batch.first + at, time, batch.data[start : start + size], original, link)
        for batch in batches
        for at, (time, start, size, original, link) in enumerate(
            zip(batch.times, batch.starts, batch.captured, batch.original, batch.links, strict=True)
        )
    ]


@given(st.sampled_from(sorted(FILES)), st.integers(1, 2_000), st.booleans())
def test_windows_change_no_packet(name: str, window: int, compress: object) -> None:
    """One byte at a time or all at once: the same packets."""
    data = gzip.compress(FILES[name]) if compress else FILES[name]
    expected = rows(list(open_capture(io.BytesIO(FILES[name])).batches()))

    capture = open_capture(io.BytesIO(data))

    assert rows(list(capture.batches(window))) == expected
    assert capture.damage is None


@pytest.mark.parametrize("name", FILES)
def test_a_limit_ends_the_packets(name: str) -> None:
    """Reading stops after this many packets, whatever the window."""
    for limit in range(len(PACKETS) + 2):
        capture = open_capture(io.BytesIO(FILES[name][:-1]))
        got = rows(list(capture.batches(100, limit)))

        assert len(got) == min(limit, len(PACKETS) - (name == "pcap"))
        assert capture.packets == len(got)
        assert (capture.damage is not None) == (limit > len(got))


@given(st.sampled_from(sorted(FILES)), st.data())
def test_a_cut_gzip_stream_delivers_what_is_there(name: str, data: st.DataObject) -> None:
    """The packets before the cut are read, and the cut is reported."""
    whole = gzip.compress(FILES[name])
    expected = rows(list(open_capture(io.BytesIO(FILES[name])).batches()))

    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    try:
        capture = open_capture(io.BytesIO(cut))
    except CaptureError:
        return
    got = rows(list(capture.batches()))

    assert got == expected[: len(got)]
    assert capture.damage is not None
    assert "the gzip stream ends early, after" in capture.damage


@pytest.mark.slow
def test_memory_does_not_grow_with_the_capture() -> None:
    """A small file with large content needs one window of memory."""
    data = gzip.compress(pcap(PACKETS * 6_000), 1)
    tracemalloc.start()
    try:
        count = sum(len(batch) for batch in open_capture(io.BytesIO(data)).batches(1 << 16))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count == len(PACKETS) * 6_000
    assert peak < 4_000_000


@pytest.mark.parametrize(
    ("snap_length", "limit"),
    [(0, STANDARD_RECORD), (96, STANDARD_RECORD), (1 << 20, 1 << 20), (1 << 31, LARGEST_RECORD)],
)
def test_what_a_record_may_claim(snap_length: int, limit: int) -> None:
    """A record of usual size is read, a larger one if the snap length allows it, up to a limit."""
    assert record_limit(snap_length) == limit


def test_where_packets_are_in_a_file(tmp_path: Path) -> None:
    """Packets of a plain file can be read again by their place; those of other sources cannot."""
    for name, content in FILES.items():
        path = tmp_path / name
        path.write_bytes(content)
        with path.open("rb") as file:
            for batch in open_capture(str(path)).batches(700):
                assert batch.base is not None
                for start, size in zip(batch.starts, batch.captured, strict=True):
                    again = os.pread(file.fileno(), size, batch.base + start)
                    assert again == batch.data[start : start + size]
        (tmp_path / "gz").write_bytes(gzip.compress(content))
        for source in (str(tmp_path / "gz"), io.BytesIO(content)):
            with open_capture(source) as capture:
                assert {each.base for each in capture.batches()} == {None}


@pytest.mark.parametrize("size", [1, 100, 1 << 20])
def test_windows_hold_all_records(size: int) -> None:
    """Windows hold all records, and `on_window` is called before their packets are read."""
    content = FILES["pcapng"]
    capture, seen = open_capture(io.BytesIO(content)), []
    capture.on_window(lambda each: seen.append(each.data[each.begin : each.end]))

    for batch in capture.batches(size):
        last = batch.starts[-1] + batch.captured[-1]
        assert batch.data[batch.starts[0] : last] in seen[-1]
    assert b"".join(seen) == content
