"""Building an index: interrupted, continued after growth, and with a full disk."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.failures import every
from tests.packets import recorded

from streamshark.capture import detect_format, merge
from streamshark.index import build, cache
from streamshark.index.build import IndexBuilder
from streamshark.index.layout import IndexProgress
from streamshark.index.options import IndexOptions
from streamshark.index.reader import Index
from streamshark.index.saved_reading import SavedReading
from streamshark.index.writer import IndexWriter

PLAIN = recorded("rabbitmq_stream/cluster_leader_stops", "rsocket/bug_lease_expired")
"""Captures that are not compressed."""


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of some packets, and a commit after each."""
    monkeypatch.setattr(merge, "WINDOW", 1024)
    monkeypatch.setattr(detect_format, "_FIRST_READ", 64)
    monkeypatch.setattr(build, "COMMIT", 0)
    monkeypatch.setattr(build, "SPARING", 0)


class InterruptionError(Exception):
    """The end of a process that builds."""


def after(commits: int) -> Callable[[IndexProgress], None]:
    """Return what interrupts a building with so many commits."""
    left = commits

    def report(_progress: IndexProgress) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise InterruptionError

    return report


def content(folder: Path) -> list[object]:
    """Return all that an index says."""
    with Index(folder, IndexOptions().known()) as index:
        heads = [index.head(at) for at in range(len(index))]
        rows = [(each.data, each.problems, str(each.annotation and each.annotation.conversation))
                for each in index]  # fmt: skip
        ended = sorted(map(str, index.conversations()))
        findings = sorted(str(each.finding) for each in index.findings())
        flows = [each[:9] for each in index.connections()]
        return [heads, rows, ended, findings, flows, index.is_complete, index.problems]


def builder(source: Path, folder: Path, saves: float = 0) -> IndexBuilder:
    """Return a builder that saves the reading with each commit, unless it is to save seldom."""
    return IndexBuilder([str(source)], folder, IndexOptions(), cached=True, saves=saves)


@every("path", PLAIN[1:], lambda path: Path(path).parent.name)
def test_interrupted(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What was interrupted anywhere, and continued, is as if it had not been."""
    tmp_path = tmp_path_factory.mktemp("index")
    builder(Path(path), tmp_path / "whole", saves=9).run()
    whole = content(tmp_path / "whole")
    continued = 0
    for commits in (2, 5):
        folder = tmp_path / str(commits)
        try:
            builder(Path(path), folder).run(after(commits))
        except InterruptionError:
            assert content(folder)[5] is False
            saved = SavedReading(folder).progress()
            continued += saved is not None and saved.rows > 0
            progress = builder(Path(path), folder).run()
            assert progress.state == "complete"
        assert content(folder) == whole, f"after {commits} commits"
    assert continued


@every("path", PLAIN[:1], lambda path: Path(path).parent.name)
def test_growing(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is appended to a capture is appended to its index, and replaces what its end implied."""
    tmp_path = tmp_path_factory.mktemp("index")
    data = Path(path).read_bytes()
    grown = tmp_path / "grown"
    folder = tmp_path / "index"
    for end in (len(data) // 2 + 1, len(data)):
        grown.write_bytes(data[:end])
        assert cache.change(folder, [str(grown)]) in (cache.STALE, cache.GROWN)
        assert builder(grown, folder).run().state == "complete"
        assert cache.change(folder, [str(grown)]) == cache.SAME
        fresh = tmp_path / f"fresh {end}"
        builder(grown, fresh, saves=9).run()
        assert content(folder) == content(fresh), end


def test_nothing_to_do(tmp_path: Path) -> None:
    """A complete index is left as it is; one of a capture that has changed is made again."""
    capture = tmp_path / "capture"
    capture.write_bytes(Path(PLAIN[0]).read_bytes())
    first = builder(capture, tmp_path / "index", saves=9).run()
    assert first.state == "complete"
    before = (tmp_path / "index" / "rows.time").stat().st_mtime_ns
    assert builder(capture, tmp_path / "index", saves=9).run().rows == first.rows
    assert (tmp_path / "index" / "rows.time").stat().st_mtime_ns == before

    capture.write_bytes(Path(PLAIN[1]).read_bytes())
    assert builder(capture, tmp_path / "index", saves=9).run().rows != first.rows


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was indexed before the disk was full can be read."""
    commit, commits = IndexWriter.commit, 0

    def commit_once(self: IndexWriter) -> dict[str, object]:
        nonlocal commits
        commits += 1
        if commits > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return commit(self)

    monkeypatch.setattr(IndexWriter, "commit", commit_once)
    progress = builder(Path(PLAIN[0]), tmp_path / "index", saves=9).run()

    assert progress.state == "stopped"
    with Index(tmp_path / "index", IndexOptions().known()) as index:
        assert len(list(index)) == len(index) > 0
        assert "No space left" in index.problems[0]


def test_rights(tmp_path: Path) -> None:
    """Only the user can read an index: it holds bytes of the capture."""
    folder = tmp_path / "index"
    builder(Path(PLAIN[0]), folder, saves=9).run()

    assert folder.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in folder.iterdir()} == {0o600}
