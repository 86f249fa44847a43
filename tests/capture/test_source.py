"""Sources return bytes as they come, and report what cannot be opened."""

import io
import os
from pathlib import Path

import pytest

from streamshark.capture.source import CaptureError, Prefixed, StreamSource, open_source


class Failing(io.RawIOBase):
    """A stream whose device fails."""

    def read(self, size: int = -1) -> bytes:
        """Fail."""
        raise OSError(5, "Input/output error", size)


def test_a_pipe_yields_what_it_has() -> None:
    """A read does not wait for all that was asked for, buffered or not."""
    for buffering in (0, -1):
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb", buffering) as stream, os.fdopen(writing, "wb", 0) as end:
            source = StreamSource(stream, owned=False)
            end.write(b"abc")
            assert source.read(1 << 20) == b"abc"
            end.write(b"def")
            assert source.read(2) == b"de"


def test_standard_input_is_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input, which is not closed."""
    stdin = io.TextIOWrapper(io.BytesIO(b"abc"))
    monkeypatch.setattr("sys.stdin", stdin)
    source, name = open_source("-")
    source.close()

    assert (source.read(9), name) == (b"abc", "-")


def test_a_failing_read_is_damage() -> None:
    """An error of the system ends the bytes and is reported."""
    source = StreamSource(Failing(), owned=False)

    assert source.read(1) == b""
    assert source.damage == "reading failed: Input/output error"


def test_a_given_stream_stays_open() -> None:
    """A stream that the caller opened is closed by the caller."""
    stream = io.BytesIO(b"abc")
    source, name = open_source(stream)
    source.close()

    assert (source.read(9), name) == (b"abc", "stream")


def test_a_path_is_closed(tmp_path: Path) -> None:
    """A file that the source opened is closed by it."""
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    source, name = open_source(path)

    assert (source.read(9), source.read(9), name) == (b"abc", b"", str(path))
    source.close()
    with pytest.raises(ValueError, match="closed"):
        source.read(1)


def test_what_cannot_be_opened_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing file, a directory, a forbidden one and an invalid path are errors of one line."""
    for path, reason in (
        (tmp_path / "missing", "no such file"),
        (tmp_path, "is a directory"),
        ("nul\0", "cannot be opened: embedded null byte"),
        (tmp_path / ("x" * 300), "cannot be opened: File name too long"),
    ):
        with pytest.raises(CaptureError, match=reason) as caught:
            open_source(path)
        assert "\n" not in str(caught.value)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(CaptureError, match="no permission"):
        open_source("secret")


def test_bytes_read_ahead_come_first() -> None:
    """Bytes that were read ahead are returned first, in pieces as asked for."""
    source = Prefixed(b"abc", StreamSource(io.BytesIO(b"def"), owned=False))

    assert [source.read(2), source.read(2), source.read(9), source.read(9)] == [
        b"ab",
        b"c",
        b"def",
        b"",
    ]
    assert source.damage is None
    source.close()


def test_waiting_for_a_pipe(tmp_path: Path) -> None:
    """It is ready once it has bytes or has ended; a file, and bytes read ahead, always are."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", 0) as stream:
        source = StreamSource(stream, owned=False)
        ready = [source.wait(0)]
        os.write(writing, b"abc")
        ready.append(source.wait(0))
        source.read(3)
        ready += [source.wait(0), Prefixed(b"a", source).wait(0), Prefixed(b"", source).wait(0)]
        os.close(writing)
        ready.append(source.wait(0))
    (tmp_path / "file").touch()
    with (tmp_path / "file").open("rb", 0) as stream:
        ready.append(StreamSource(stream, owned=False).wait(0))

    assert ready == [False, True, False, True, False, True, True]
