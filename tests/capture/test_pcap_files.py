"""A pcap stream becomes files, cut where conditions say, between records only."""

import struct
from pathlib import Path

import pytest

from streamshark.capture import CaptureError, open_capture, pcap_files
from streamshark.capture.capture_program import Limits
from streamshark.capture.pcap_files import PcapFiles

NONE = Limits()
HEAD = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
PAYLOAD = bytes(84)
RECORD = struct.pack("=IIII", 1, 0, len(PAYLOAD), len(PAYLOAD)) + PAYLOAD


def written(
    folder: Path, data: bytes, switch: Limits = NONE, stop: Limits = NONE, step: int = 1000
) -> tuple[list[Path], PcapFiles]:
    """Write a stream in steps of some bytes; return the files that were begun."""
    begun: list[Path] = []
    files = PcapFiles(folder / "out.pcap", switch, stop, begun.append)
    try:
        for at in range(0, len(data), step):
            files.feed(data[at : at + step])
    finally:
        files.close()
    return begun, files


def counts(paths: list[Path]) -> list[int]:
    """Number of packets of each file, which is read to its end without damage."""
    found = []
    for path in paths:
        with open_capture(path) as capture:
            found.append(sum(map(len, capture.batches())))
            assert capture.damage is None
    return found


def test_one_file(tmp_path: Path) -> None:
    """However the bytes come; a record that is not whole is not written."""
    for step in (1, 23, 24, 99, 5000):
        begun, files = written(tmp_path, HEAD + RECORD * 9 + RECORD[:-1], step=step)
        assert begun == [tmp_path / "out.pcap"]
        assert begun[0].read_bytes() == HEAD + RECORD * 9
        assert not files.is_complete
    assert begun[0].stat().st_mode & 0o777 == 0o600


def test_several_files(tmp_path: Path) -> None:
    """By packets or size, with names as dumpcap's; the oldest are deleted."""
    begun, _ = written(tmp_path, HEAD + RECORD * 7, Limits(packets=3))
    assert counts(begun) == [3, 3, 1]
    assert [each.name[:10] for each in begun] == ["out_00001_", "out_00002_", "out_00003_"]
    begun, _ = written(tmp_path, HEAD + RECORD * 25, Limits(filesize=1, files=2))
    assert [each.exists() for each in begun] == [False, True, True]
    assert counts(begun[1:]) == [10, 5]


def test_files_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record after which the time is over is the last one of its file."""
    clock = iter(range(100))
    monkeypatch.setattr(pcap_files.time, "monotonic", lambda: next(clock))
    begun, _ = written(tmp_path, HEAD + RECORD * 5, Limits(duration=2))
    assert counts(begun) == [2, 2, 1]


def test_a_complete_capture(tmp_path: Path) -> None:
    """By the size of a file, or the number of files: nothing more is written."""
    begun, files = written(tmp_path, HEAD + RECORD * 30, stop=Limits(filesize=1))
    assert counts(begun) == [10]
    assert files.is_complete
    begun, files = written(
        tmp_path, HEAD + RECORD * 30, Limits(packets=4), Limits(files=2), step=5000
    )
    assert counts(begun) == [4, 4]
    assert files.is_complete


def test_damage_and_a_folder_that_is_missing(tmp_path: Path) -> None:
    """Neither is silent."""
    with pytest.raises(CaptureError, match="too long"):
        written(tmp_path, HEAD + b"\xff" * 16)
    with pytest.raises(FileNotFoundError):
        written(tmp_path / "missing", HEAD)
