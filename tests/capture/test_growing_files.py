"""Files are read while they grow, one after the other, up to the end of the pipe."""

import os
from pathlib import Path

import pytest

from streamshark.capture.growing_files import GrowingFiles
from streamshark.capture.pcap import FILE_HEADER

HEADER = bytes.fromhex("d4c3b2a1").ljust(FILE_HEADER, b"h")


def test_files_are_followed(tmp_path: Path) -> None:
    """What is appended later comes later; the next file follows the last byte of the one before."""
    names, writer = os.pipe()
    first, second = tmp_path / "first", tmp_path / "second"
    with os.fdopen(names, "rb", buffering=0) as pipe, first.open("wb", buffering=0) as file:
        source = GrowingFiles(pipe)
        assert not source.wait(0.01)
        file.write(HEADER + b"abc")
        os.write(writer, f"{first}\n".encode())
        assert source.wait(1)
        assert source.read(100) == HEADER + b"abc"
        assert not source.wait(0.01)
        file.write(b"def")
        assert source.wait(1)
        assert source.read(2) == b"de"
        second.write_bytes(HEADER + b"ghi")
        os.write(writer, f"{tmp_path / 'deleted'}\n{second}".encode())
        os.write(writer, b"\n")
        file.write(b"!")
        assert [source.read(100) for _ in range(2)] == [b"f!", b""]
        assert not source.is_over
        source.leave_file()
        assert source.read(100) == b"ghi"
        assert not source.wait(0.01)
        assert not source.has_drops
        os.write(writer, b"\n")  # packets were dropped
        assert not source.wait(0.01)
        assert source.has_drops
        os.close(writer)
        assert source.wait(1)
        assert source.read(100) == b""
        assert source.is_over
        assert source.damage == "1 file was deleted before it was read"
        source.close()


def test_what_is_written_before_the_pipe_ends_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it comes between the last read of the file and the end of the pipe."""
    names, writer = os.pipe()
    path = tmp_path / "file"
    path.write_bytes(b"a")
    os.write(writer, f"{path}\n".encode())
    with os.fdopen(names, "rb", buffering=0) as pipe:
        source = GrowingFiles(pipe)
        assert source.read(1) == b"a"
        real = source._look

        def late(seconds: float) -> None:
            if not source._ended:
                path.write_bytes(b"ab")
                os.close(writer)
            real(seconds)

        monkeypatch.setattr(source, "_look", late)
        assert source.read(1) == b"b"
        assert source.read(1) == b""
        source.close()
