"""URLs mean files of stores, as paths mean files; tests/cluster has them with real servers."""

from pathlib import Path

import pytest

from streamshark.capture import CaptureError
from streamshark.errors import StreamsharkError
from streamshark.splits import remote_files as remote
from streamshark.splits.remote_files import RemoteFile, RemoteStream, is_url


@pytest.fixture
def root(tmp_path: Path) -> str:
    """The URL of a folder with captures in two folders."""
    for name in ("a/1.pcap", "a/2.pcapng", "b/c/3.pcap"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"12345")
    return f"file://{tmp_path}"


def test_what_urls_mean(root: str) -> None:
    """Folders, patterns, and files; what is not there is an error, or matches nothing."""
    wanted = {
        root: ["a/1.pcap", "a/2.pcapng", "b/c/3.pcap"],
        f"{root}/a/": ["a/1.pcap", "a/2.pcapng"],
        f"{root}/a/1.pcap": ["a/1.pcap"],
        f"{root}/*/*.pcap": ["a/1.pcap"],
        f"{root}/**/*.pcap": ["a/1.pcap", "b/c/3.pcap"],
        f"{root}/none/*.pcap": [],
    }
    found = {url: sorted(each.url for each in remote.remote_files(url)) for url in wanted}
    assert found == {url: [f"{root}/{each}" for each in names] for url, names in wanted.items()}
    assert {each.size for each in remote.remote_files(root)} == {5}
    for url, reason in ((f"{root}/none", "no such file or folder"), ("store://x", "cannot be")):
        with pytest.raises(StreamsharkError, match=f"{url}: {reason}"):
            remote.remote_files(url)
    assert not is_url("captures/a:b")


def test_a_part_of_a_file(root: str) -> None:
    """From a byte on."""
    stream = RemoteStream(f"{root}/a/1.pcap", 2)
    assert (stream.read(2), stream.read(9), stream.read(9)) == (b"34", b"5", b"")
    stream.close()
    with pytest.raises(CaptureError, match="no such file"):
        RemoteStream(f"{root}/none")


class _Failing:
    """A store that fails in the middle of a file."""

    def files(self, path: str) -> list[RemoteFile]:
        return [RemoteFile(path, 10, 1)]

    def open(self, _path: str) -> "_Failing":
        return self

    def read(self, _most: int) -> bytes:
        raise RuntimeError("IO error\n\tat a line of Java")


def test_names_and_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of a URL stay with its files; a failing store is damage, in one line."""
    asked = []

    def bucket(*name: str) -> _Failing:
        asked.append(name)
        return _Failing()

    monkeypatch.setattr(remote, "_bucket", bucket)
    monkeypatch.setattr(remote, "_hdfs", bucket)
    for url in (
        "s3a://bucket/a/x.pcap",
        "s3://bucket/a/x.pcap?endpoint_override=store:9",
        "hdfs://node:8020/a/x.pcap",
    ):
        assert remote.remote_files(url) == [RemoteFile(url, 10, 1)]
    assert asked == [
        ("bucket", ""),
        ("bucket", "?endpoint_override=store:9"),
        ("hdfs", "node:8020"),
    ]
    with pytest.raises(OSError, match=r"^IO error$"):
        RemoteStream("s3a://bucket/x").read(1)
