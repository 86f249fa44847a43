"""Where indexes are kept: what makes one stale, what is removed, and who builds."""

import os
from pathlib import Path

import pytest

from streamshark.index import cache
from streamshark.index.layout import header, write_json


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all indexes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache.folder()


def described(at: Path, *sources: Path) -> Path:
    """Write of which captures an index is."""
    at.mkdir(parents=True, exist_ok=True)
    about = header(list(map(str, sources)), {})
    about["sources"] = [cache.identity(str(each)) for each in sources]
    write_json(at / cache.ABOUT, about)
    return at


def test_change(tmp_path: Path) -> None:
    """The same, grown, or anything else."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"a" * cache.END + b"b" * cache.END)
    other.write_bytes(b"c")
    at = described(tmp_path / "index", one)
    both = described(tmp_path / "indexes", one, other)
    names = [str(one)]

    assert cache.change(at, names) == cache.change(both, [*names, str(other)]) == cache.SAME
    assert cache.change(at, [*names, str(other)]) == cache.STALE
    assert cache.change(tmp_path / "none", names) == cache.STALE
    other.write_bytes(b"cc")
    assert cache.change(both, [*names, str(other)]) == cache.STALE
    with one.open("ab") as file:
        file.write(b"more")
    assert cache.change(at, names) == cache.GROWN
    data = one.read_bytes()
    one.write_bytes(data[:-8] + b"x" * 8)
    assert cache.change(at, names) == cache.STALE
    one.write_bytes(data[:9])
    assert cache.change(at, names) == cache.STALE
    one.unlink()
    assert cache.change(at, names) == cache.STALE


def test_folder_of(tmp_path: Path) -> None:
    """It depends on captures, options and the files that these name."""
    keys = tmp_path / "keys"
    keys.write_text("one")
    options = {"keylog": str(keys), "paths": ()}
    first = cache.folder_of(["a.pcap"], options)

    assert cache.folder_of([str(Path("a.pcap").resolve())], options) == first
    others = {cache.folder_of(["b.pcap"], options), cache.folder_of(["a.pcap"], {})}
    keys.write_text("other")
    others.add(cache.folder_of(["a.pcap"], options))
    assert len(others) == 3
    assert first not in others


def test_trim(folder: Path) -> None:
    """The indexes that were not used for longest are removed, but for those in use."""
    for at, name in enumerate("abcd"):
        with cache.locked(folder / name):
            pass
        (folder / name / "rows").write_bytes(b"x" * 100)
        os.utime(folder / name / cache.LOCK, (at, at))
    cache.use(folder / "b")

    with cache.locked(folder / "a") as mine, cache.locked(folder / "a") as other:
        assert (mine, other) == (True, False)
        assert cache.is_locked(folder / "a")
        cache.trim(300, keep=folder / "d")
    assert not cache.is_locked(folder / "a")
    assert sorted(each.name for each in folder.iterdir()) == ["a", "b", "d"]

    cache.clear(folder / "b")
    assert [each.name for each in (folder / "b").iterdir()] == [cache.LOCK]
    assert cache.clear_all() == 0
    assert not list(folder.iterdir())
