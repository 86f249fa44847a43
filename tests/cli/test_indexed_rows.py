"""`read --frame` by an index shows what a reading of everything shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.console import call
from tests.failures import Failures
from tests.packets import recorded

from streamshark.cli import indexed_rows
from streamshark.index import cache, opening

CAPTURES = recorded("rabbitmq_stream/bug_credit_never_renewed", "rsocket/bug_lease_expired")
FORMS = (
    (),
    ("-V",),
    ("-x",),
    ("-V", "-x", "--show-secrets"),
    ("-T", "json"),
    ("-T", "ndjson", "--bodies", "raw", "--int-strings"),
    (
        "-T",
        "fields",
        "-e",
        "frame",
        "-e",
        "time",
        "-e",
        "rmqstream.credit_balance",
        "-E",
        "header=y",
    ),
    ("-t", "ud", "--strict"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and indexes of small captures too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(indexed_rows, "SMALL", 0)
    return cache.folder()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Of each index that is opened, whether it is kept."""
    made: list[bool] = []
    begin = opening.IndexedCaptures._begin

    def noted(self: opening.IndexedCaptures) -> None:
        made.append(self.is_cached)
        begin(self)

    monkeypatch.setattr(opening.IndexedCaptures, "_begin", noted)
    return made


@pytest.mark.process
def test_forms(folder: Path, opened: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """In all forms, of one capture and of two."""
    with Failures() as failures:
        for captures, forms in ((CAPTURES[:1], FORMS), (CAPTURES, FORMS[:1])):
            for form in forms:
                given = ("read", "--frame", "3-5,11", *form, *captures)
                by_index = call(monkeypatch, *given)
                monkeypatch.setattr(indexed_rows, "SMALL", 1 << 30)
                read = call(monkeypatch, *given)
                monkeypatch.setattr(indexed_rows, "SMALL", 0)
                with failures.of((len(captures), *form)):
                    assert by_index == read
                    assert by_index.out.strip()
    assert opened == [True] * (len(FORMS) + 1)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.process
def test_no_cache(folder: Path, opened: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept."""
    done = call(monkeypatch, "read", "--no-cache", "--frame", "1,999", CAPTURES[0])

    assert opened == [False]
    assert (done.code, len(done.out.splitlines())) == (0, 1)
    assert "--frame 999: the captures have" in done.err
    assert not folder.exists()


def test_what_needs_a_reading(opened: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Options that an index cannot answer read the captures."""
    for given in (("-Y", "tcp.stream == 0"), ("-2",), ("--flow", "0"), ("-c", "20"), ("-q",)):
        assert call(monkeypatch, "read", "--frame", "3", *given, CAPTURES[0]).code == 0, given
    assert call(monkeypatch, "read", "--frame", "3", "none.pcap").code == 2
    assert opened == []


@pytest.mark.process
def test_several_processes_show_the_same(
    opened: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With -j they build the index."""
    counts = []
    begin = opening.IndexedCaptures._begin

    def noted(self: opening.IndexedCaptures) -> None:
        counts.append(self._count)
        begin(self)

    monkeypatch.setattr(opening.IndexedCaptures, "_begin", noted)
    given = ("read", "--no-cache", "--frame", "3-5,11", *CAPTURES)
    assert call(monkeypatch, *given, "-j", "2") == call(monkeypatch, *given)
    assert (counts, opened) == ([2, 1], [False, False])
