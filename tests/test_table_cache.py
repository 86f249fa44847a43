"""Compiled tables in the user's cache are used if they fit, and ignored otherwise."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.failures import every
from tests.test_judging import Rows, apart, together

from streamshark import table_cache
from streamshark.conversations import compiled_tables
from streamshark.conversations.handler_code import HandlerCode
from streamshark.conversations.prune import Requested
from streamshark.conversations.resolve import ResolvedTables
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.table_cache import FolderStore, store_of

PAIRS = (
    ("rabbitmq_stream/request_before_open", "rabbitmq_stream/login_fails"),
    ("nats/bug_before_connect", "nats/wrong_password_py"),
    ("liftbridge/bug_correlation_id_constant", "liftbridge/bug_time_in_milliseconds"),
)
"""Captures with lists, prefixes and embedded records; the second needs more handlers."""
WANTED = Requested(
    conversations=False, links=False, watched=True, annotates=False, in_full=False, derived=()
)
PROTOCOL = catalog()[0]


def fresh(monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    """Start as a new process does, with the cache in a folder, or without one."""
    if folder is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setattr(table_cache, "_stores", None if folder is None else {})


def capture(name: str) -> Rows:
    """Return the rows of a recorded capture."""
    (path,) = Path("captures", name).glob("*.pcap*")
    return Rows([str(path)])


def found_in(rows: Rows) -> list[list[str]]:
    """Return the findings of one engine, and of one for each connection."""
    return [together(rows), apart(rows, by_object=False)]


@every("pair", PAIRS)
def test_a_later_process_compiles_nothing_again_and_finds_the_same(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A later process compiles only handlers that are missing, and adds them to the cache."""
    first, second = map(capture, pair)
    fresh(monkeypatch, None)
    findings = found_in(second)
    folder = tmp_path / pair[0]

    fresh(monkeypatch, folder)
    found_in(first)
    fresh(monkeypatch, folder)
    assert found_in(second) == findings
    with monkeypatch.context() as patch:
        fresh(patch, folder)
        patch.setattr(ResolvedTables, "__init__", refused)
        patch.setattr(HandlerCode, "__init__", refused)
        assert found_in(second) == findings
    assert any(findings)


def test_a_process_unfolds_tables_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Later readings with the same tables use those that the first one has unfolded."""
    rows = capture(PAIRS[0][0])
    fresh(monkeypatch, tmp_path)
    found = found_in(rows)

    monkeypatch.setattr(compiled_tables, "unfolded", refused)

    assert found_in(rows) == found
    assert any(found)


def refused(*_given: object, **_named: object) -> None:
    """Fail: replaces a function that must not be called."""
    pytest.fail("compiled again")


def kept(folder: Path) -> Path:
    """Return the only file in the cache."""
    (path,) = (folder / "streamshark" / "compiled").iterdir()
    return path


def changed(path: Path) -> None:
    """Change one byte of a file."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def shortened(path: Path) -> None:
    """Truncate a file."""
    os.truncate(path, 20)


def linked(path: Path) -> None:
    """Replace a file by a link."""
    path.rename(path.with_suffix(".other"))
    path.symlink_to(path.with_suffix(".other"))


def renamed(path: Path) -> None:
    """Replace a file by one that was made for other handlers."""
    store = store_of(PROTOCOL, judges=True, explains=False)
    assert store is not None
    other = WANTED._replace(in_full=True)
    store.save(other, b"of others")
    (found,) = {*path.parent.iterdir()} - {path}
    found.rename(path)


SPOILT: tuple[Callable[[Path], object], ...] = (
    changed,
    shortened,
    linked,
    renamed,
    lambda path: path.chmod(0o660),
    lambda path: path.unlink(),
)


@every("spoil", SPOILT)
def test_what_is_damaged_or_may_be_of_others_is_not_read(
    spoil: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file that is damaged, or may belong to another user, is ignored."""
    folder = tmp_path / str(SPOILT.index(spoil))
    fresh(monkeypatch, folder)
    store = store_of(PROTOCOL, judges=True, explains=False)
    assert store is not None
    store.save(WANTED, b"compiled")
    assert store.load(WANTED) == b"compiled"
    assert kept(folder).stat().st_mode & 0o777 == 0o600
    assert kept(folder).parent.stat().st_mode & 0o777 == 0o700

    spoil(kept(folder))

    assert store.load(WANTED) is None


def test_other_sources_rules_and_protocols_have_other_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each set of sources, rules and protocols has its own file; a user's protocol has none."""
    fresh(monkeypatch, tmp_path)
    stores = [
        store_of(each, judges=judges, explains=False)
        for each in catalog()[:2]
        for judges in (True, False)
    ]
    monkeypatch.setattr(table_cache, "_program", lambda: "of other sources")
    table_cache._stores.clear()  # type: ignore[union-attr]
    stores.append(store_of(PROTOCOL, judges=True, explains=False))
    for number, each in enumerate(stores):
        assert each is not None
        assert each.load(WANTED) is None
        each.save(WANTED, bytes([number]))

    assert [each and each.load(WANTED) for each in stores] == [bytes([n]) for n in range(5)]
    assert store_of(example(), judges=True, explains=False) is None


def example() -> Protocol:
    """Return a protocol as `--rules` changes it."""
    return replace(PROTOCOL, rules=())


def test_what_cannot_be_kept_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is written if there is no folder, or if others may write to it."""
    (tmp_path / "streamshark" / "compiled").mkdir(parents=True)
    (tmp_path / "streamshark" / "compiled").chmod(0o777)
    (tmp_path / "file").touch()
    for folder in (tmp_path, tmp_path / "file" / "none", Path("relative")):
        monkeypatch.setattr(table_cache, "_cache_folder", lambda folder=folder: str(folder))
        store = FolderStore(PROTOCOL, "name")
        store.save(WANTED, b"compiled")
        assert store.load(WANTED) is None


def test_the_cache_has_a_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The oldest files are removed."""
    fresh(monkeypatch, tmp_path)
    monkeypatch.setattr(table_cache, "MOST_BYTES", 4000)
    stores = [FolderStore(PROTOCOL, str(number)) for number in range(4)]
    for number, store in enumerate(stores):
        store.save(WANTED, b"x" * 1000)
        os.utime(table_cache._path(store._key(WANTED)), ns=(number, number))

    assert [store.load(WANTED) is not None for store in stores] == [False, True, True, True]
