"""An index that several processes build is the index that one builds."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.failures import Failures
from tests.index.test_build import InterruptionError, after, content
from tests.packets import recorded

from streamshark.index.build import IndexBuilder
from streamshark.index.layout import IndexProgress, read_progress
from streamshark.index.options import IndexOptions
from streamshark.index.saved_reading import SavedReading

SHARED = (
    "pravega/batches_java",
    "rsocket/long_run_websocket_go",
    "rabbitmq_stream/load_four_streams",
)
"""Calls, a carrier and fragments, and a stream on several connections; all are compressed."""
DEPENDENT = "rsocket/resume_go"
"""Connections that one process must read."""


def built(sources: Sequence[str], folder: Path, count: int) -> IndexProgress:
    """Build an index."""
    return IndexBuilder(sources, folder, IndexOptions(), cached=True, count=count).run()


def shown(folder: Path) -> list[object]:
    """All that an index says, and how far it is."""
    progress = read_progress(folder)._replace(builder=0, records={})
    records = read_progress(folder).records
    return [*content(folder), progress, {name: count for name, (count, *_) in records.items()}]


@pytest.mark.process
def test_several_processes_build_what_one_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows, their marks, conversations, findings, connections: of one capture and of several.

    No other test compares an index that several processes have built.
    """
    plain = tmp_path / "plain.pcapng"
    plain.write_bytes(gzip.decompress(Path(recorded(SHARED[0])[0]).read_bytes()))
    by_one: list[IndexBuilder] = []
    build = IndexBuilder._build
    monkeypatch.setattr(
        IndexBuilder, "_build", lambda self, *given: (by_one.append(self), build(self, *given))
    )
    with Failures() as failures:
        for number, sources in enumerate((recorded(*SHARED), [str(plain)])):
            with failures.of(str(sources)):
                one, several = tmp_path / f"one {number}", tmp_path / f"several {number}"
                built(sources, one, 1)
                by_one.clear()
                built(sources, several, 2)
                assert not by_one
                assert shown(several) == shown(one)


@pytest.mark.process
def test_what_depends_on_other_connections_is_built_by_one(tmp_path: Path) -> None:
    """It begins anew, and its readers know."""
    sources = recorded(DEPENDENT)
    progress = built(sources, tmp_path / "several", 2)
    assert progress.beginnings == 2
    assert progress.state == "complete"
    built(sources, tmp_path / "one", 1)
    assert content(tmp_path / "several") == content(tmp_path / "one")


@pytest.mark.process
def test_an_interrupted_building_begins_anew(tmp_path: Path) -> None:
    """Its reading is not saved."""
    sources, folder = recorded(SHARED[2]), tmp_path / "index"
    builder = IndexBuilder(sources, folder, IndexOptions(), cached=True, count=2)
    with pytest.raises(InterruptionError):
        builder.run(after(1))
    assert read_progress(folder).state == "building"
    assert SavedReading(folder).progress() is None

    assert built(sources, folder, 2).state == "complete"
    built(sources, tmp_path / "one", 1)
    assert content(folder) == content(tmp_path / "one")
