"""The child of the proxy: started again when it dies, and given up after some deaths."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from tests.proxy.ends import ends, received

from streamshark.cli import recording_reader
from streamshark.cli.recording_reader import MOST_RESTARTS, RecordingReader

pytestmark = pytest.mark.process
PUB = b"PUB a 5\r\nhello!\r\nPING\r\n"


def recording(folder: Path) -> Path:
    """A recording with an error of a NATS client."""
    path = folder / "out.pcapng"
    with ends(path) as both:
        both.server.sendall(b'INFO {"server_id":"A","version":"2.9.10"}\r\n')
        received(both.client, 10)
        both.client.sendall(b"CONNECT {}\r\n" + PUB)
        received(both.server, 12 + len(PUB))
    return path


def test_a_reader_that_is_killed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Another one reads all from the start; findings still decide."""
    path = recording(tmp_path)

    async def read() -> int | None:
        reader = RecordingReader(["--fail-on", "error"])
        reader.follow(path)
        await reader.start()
        assert reader._process is not None
        first = reader._process.pid
        os.kill(first, signal.SIGKILL)
        await asyncio.sleep(1)
        assert reader._process.pid != first
        return await reader.finish()

    assert asyncio.run(read()) == 1
    errors = capfd.readouterr().err
    assert "the reader of the recording has ended; it is started again" in errors
    assert "NATS-N2" in errors


def test_a_reader_that_cannot_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is given up: there is no result."""
    monkeypatch.setattr(recording_reader, "MODULE", "no_such_module")

    async def read() -> int | None:
        reader = RecordingReader([])
        reader.follow(tmp_path / "none")
        await reader.start()
        return await reader.finish()

    assert asyncio.run(read()) is None
    errors = capfd.readouterr().err
    assert errors.count("it is started again") == MOST_RESTARTS
    assert "the reader of the recording has failed; the recording continues" in errors
