"""The index of captures, built by another process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.packets import packets, recorded, write

from streamshark.errors import StreamsharkError
from streamshark.index import cache
from streamshark.index.building_process import build
from streamshark.index.opening import IndexedCaptures

(CAPTURE,) = recorded("rabbitmq_stream/bug_credit_never_renewed")
pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all indexes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache.folder()


def test_cached(folder: Path) -> None:
    """One process builds it; later it is there at once."""
    with IndexedCaptures([CAPTURE]) as first:
        index = first.wait()
        assert index.is_complete
        assert first.reason == ""
        rows = len(index)
    with IndexedCaptures([CAPTURE]) as second:
        assert not second.is_building
        assert len(second.index) == rows > 0
    assert [each.name for each in folder.iterdir()] == [second.folder.name]

    with IndexedCaptures([CAPTURE], cached=False) as third:
        assert len(third.wait()) == rows
        assert third.folder.parent != folder
    assert not third.folder.exists()


def test_foreign_file(folder: Path) -> None:
    """A broken or foreign file in the cache is replaced."""
    with IndexedCaptures([CAPTURE]) as first:
        rows = len(first.wait())
    (first.folder / cache.ABOUT).write_bytes(b"not an index")
    with IndexedCaptures([CAPTURE]) as again:
        assert len(again.wait()) == rows
    assert len(list(folder.iterdir())) == 1


def test_no_capture(tmp_path: Path) -> None:
    """What cannot be read is named as ever."""
    (tmp_path / "text").write_text("no capture at all")
    for name, message in (("none", "no such file"), ("text", "not a capture")):
        with pytest.raises(StreamsharkError, match=message):
            _ = IndexedCaptures([str(tmp_path / name)]).index


def test_two_builders() -> None:
    """The second process reads what the first one builds."""
    with IndexedCaptures([CAPTURE]) as first:
        with cache.locked(first.folder, waits=True) as mine:
            assert mine
            assert build(first.folder, [CAPTURE], first.options, cached=True) is None
        with IndexedCaptures([CAPTURE]) as second:
            assert len(second.wait()) == len(first.wait()) > 0


def test_live(tmp_path: Path) -> None:
    """Rows and findings come while a capture grows, and the end of the file ends it."""
    growing, data = tmp_path / "growing.pcapng", Path(CAPTURE).read_bytes()
    with IndexedCaptures([CAPTURE]) as captures:
        wanted = captures.wait()
        heads = [wanted.head(at) for at in range(len(wanted))]
        found = sorted(each.finding.rule for each in wanted.findings())
    growing.write_bytes(data[: len(data) // 2])
    with IndexedCaptures([str(growing)], follows=True) as captures:
        index = captures.index
        while not index.finding_count:
            assert captures.is_building
            captures.look()
        assert 0 < len(index) < len(heads)
        with growing.open("ab") as file:
            file.write(data[len(data) // 2 :])
        while len(index) < len(heads) - 1:
            captures.look()
        growing.unlink()
        assert "was removed" in captures.wait().problems[0]
        assert [index.head(at) for at in range(len(index))] == heads
        assert sorted(each.finding.rule for each in index.findings()) == found


def test_standard_input() -> None:
    """A pipe is read by the process that builds, and its bytes are kept."""
    code = (
        "from streamshark.index.opening import IndexedCaptures\n"
        "with IndexedCaptures(['-']) as captures:\n"
        "    index = captures.wait()\n"
        "    print([bytes(each.data).hex() for each in index])"
    )
    with Path(CAPTURE).open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=stdin, capture_output=True, text=True, check=True
        )
    with IndexedCaptures([CAPTURE]) as captures:
        assert done.stdout == f"{[each.data.hex() for each in captures.wait()]}\n"


def test_killed(tmp_path: Path) -> None:
    """A reader of an index whose builder was killed has what was indexed, and says why it ends."""
    found = packets(CAPTURE)
    large = write(tmp_path / "large.pcap", found)
    with Path(large).open("ab") as file:
        records = Path(large).read_bytes()[24:]
        file.write(records * (24_000_000 // len(records)))
    with IndexedCaptures([large]) as captures:
        while not len(captures.index):
            assert captures.is_building
            captures.look()
        process = captures._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        index = captures.wait()
        assert not index.is_complete
        assert "exit code -9" in captures.reason
        assert index[len(index) - 1].time_ns
        assert not cache.is_locked(captures.folder)
    started = time.monotonic()
    with IndexedCaptures([large]) as captures:
        assert time.monotonic() - started < 60
        assert captures.is_building
    process = captures._process
    assert process is None or process.poll() is not None
    shutil.rmtree(captures.folder)
