"""Blocks are written as our reader and capinfos read them."""

import io
import subprocess
from pathlib import Path

import pytest

from streamshark.capture import open_capture
from streamshark.capture.pcapng_writer import (
    LONGEST_OPTION,
    PcapngWriter,
    option,
    time_resolution,
)

TIME_NS = 1_700_000_000_123_456_789
ODD = b"\x45" + bytes(20)
"""A packet whose length is no multiple of 4."""


def written() -> bytes:
    """A section with all that can be written."""
    writer = PcapngWriter()
    return b"".join(
        (
            writer.section(comments=["what\nit is", "é"], program="streamshark"),
            writer.interface(101, 65_535, name="eth0", description="the leg", fcs_bits=32),
            writer.interface(1, units=1 << 20),
            writer.secrets(b"CLIENT_RANDOM 00 11\n"),
            writer.packet(TIME_NS, ODD, comments=["first", "second"]),
            writer.packet(TIME_NS, ODD, interface=1, original=1_500),
        )
    )


def test_the_reader_reads_all_of_it() -> None:
    """Interfaces, times at their resolution, sizes, comments, secrets."""
    capture = open_capture(io.BytesIO(written()))
    (batch,) = capture.batches()

    assert capture.damage is None
    assert [(each.link, each.snap_length, each.resolution) for each in capture.interfaces] == [
        (101, 65_535, 1_000_000_000),
        (1, 0, 1 << 20),
    ]
    assert (capture.interfaces[0].name, capture.interfaces[0].description) == ("eth0", "the leg")
    assert batch.times[0] == TIME_NS
    assert 0 <= TIME_NS - batch.times[1] < 1_000
    assert (batch.captured, batch.original) == ([21, 21], [21, 1_500])
    assert [batch.data[at : at + 21] for at in batch.starts] == [ODD, ODD]
    assert [(each.kind, each.number, each.text) for each in capture.comments] == [
        ("section", 0, "what\nit is"),
        ("section", 0, "é"),
        ("packet", 1, "first"),
        ("packet", 1, "second"),
    ]
    assert [each.data for each in capture.secrets] == [b"CLIENT_RANDOM 00 11\n"]


@pytest.mark.process
def test_capinfos_reads_it(tmp_path: Path) -> None:
    """Its exit code is 0 and it reports no error."""
    path = tmp_path / "written.pcapng"
    path.write_bytes(written())
    told = subprocess.run(["capinfos", path], capture_output=True, check=True, text=True).stdout

    assert "Number of packets:   2\n" in told
    assert "Number of decryption secrets in file: 1" in told
    assert "Name = eth0" in told
    assert "Time resolution = 0x94" in told


def test_resolutions() -> None:
    """Resolutions are powers of ten or two; others are refused."""
    assert [time_resolution(10**at)[0] for at in range(13)] == list(range(13))
    assert time_resolution(1 << 30) == b"\x9e"
    with pytest.raises(ValueError, match="1500 units"):
        time_resolution(1_500)


def test_long_text_is_cut() -> None:
    """At a character, as the length of an option has 16 bits."""
    writer = PcapngWriter()
    capture = open_capture(io.BytesIO(writer.section(comments=["é" * 40_000])))
    list(capture.batches())

    assert capture.comments[0].text == "é" * (LONGEST_OPTION // 2)
    assert len(option(1, bytes(LONGEST_OPTION + 9))) == 4 + LONGEST_OPTION + 1
