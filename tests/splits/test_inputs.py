"""Files, folders, patterns and URLs mean captures."""

from pathlib import Path

import pytest
from tests.packets import recorded

from streamshark.capture import CaptureError
from streamshark.splits.inputs import inputs, opened, part_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Captures in two folders."""
    for name in ("a/1.pcap", "a/2.pcapng", "b/3.pcap", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"12345")
    return tmp_path


def named(folder: Path, *paths: str) -> list[str]:
    """What paths mean, relative to the folder."""
    found = inputs([path.format(folder) for path in paths])
    return [each.name.rpartition(f"{folder}/")[2] for each in found]


def test_what_paths_mean(folder: Path) -> None:
    """Each file once, by name."""
    assert named(folder, "{}") == ["a/1.pcap", "a/2.pcapng", "b/3.pcap", "notes.txt"]
    assert named(folder, "{}/b", "{}/**/*.pcap") == ["a/1.pcap", "b/3.pcap"]
    assert named(folder, "{}/a/1.pcap", "{}/a/1.pcap") == ["a/1.pcap"]
    assert named(folder, "{}/nothing.pcap") == ["nothing.pcap"]
    assert named(folder, "file://{}/a") == ["a/1.pcap", "a/2.pcapng"]
    assert named(folder, "file://{}/*/*.pcap") == ["a/1.pcap", "b/3.pcap"]
    assert inputs([str(folder / "notes.txt")])[0].size == 5


def test_opening() -> None:
    """A URL is read as its file is; what cannot be opened says why."""
    path = str(Path(recorded("rsocket/cancels_js")[0]).resolve())
    by_url = opened(f"file://{path}", 3)
    assert (by_url.file, by_url.name) == (3, f"file://{path}")
    assert [len(each) for each in by_url.batches()] == [
        len(each) for each in opened(path, 0).batches()
    ]
    for name in (path, f"file://{path}"):
        part = part_of(name, 8)
        assert part.read(4) == Path(path).read_bytes()[8:12]
        part.close()
    with pytest.raises(CaptureError, match="no such file"):
        opened("/nowhere/at/all.pcap", 0)
    with pytest.raises(CaptureError, match="no such file"):
        opened("file:///nowhere/at/all.pcap", 0)
