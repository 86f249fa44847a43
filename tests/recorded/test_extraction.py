"""What `read -w` writes of a recorded capture is read as the capture is.

`make test` takes captures that show together all that any of their protocol shows, and damaged
ones; `make test-sweep` takes every capture.
"""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.console import call
from tests.failures import Failures
from tests.reading import ALONE
from tests.recorded import damage, index
from tests.recorded.share import parameters

from streamshark.session import Session

NUMBERS = frozenset({"frame", "packets", "flow", "conversation", "request_frame", "carrier"})
"""Members that are numbers of frames, packets or connections, or made of them."""
ELSEWHERE = frozenset({"context", "response_time_ns"})
"""Members that other connections may tell."""
LINKED = (
    "/resume_", "/mended_resume", "/bug_resume",
    "liftbridge/bug_connection_per_publish", "pravega/older_layouts_by_hand",
)  # fmt: skip
"""Captures of which all connections are taken: one knows types that another has announced."""
OF_KNOWN_SUBJECTS = "plain_publish"
"""A command that is known by the streams of a subject, which another connection may tell."""
MOST_FRAMES = 600
"""Frames of a capture that `make test` takes."""


Row = dict[str, Any]
Rows = list[Row]


def rows(monkeypatch: pytest.MonkeyPatch, path: Path) -> Rows:
    """What `read` shows of a capture."""
    done = call(monkeypatch, "read", "-T", "ndjson", str(path))
    assert done.code == 0
    return [json.loads(line) for line in done.out.splitlines()]


def without_numbers(row: Row) -> Row:
    """A row as it is in an excerpt."""
    kept = {name: each for name, each in row.items() if name not in NUMBERS | ELSEWHERE}
    if reassembled := row["fields"].get("reassembled"):
        kept["fields"] = {**row["fields"], "reassembled": {**reassembled, "fragments": None}}
    return kept


def chance(name: str) -> Random:
    """The same draws each time for a name."""
    return Random(name)  # noqa: S311 - must be the same each time


def assert_equal_rows(found: Rows, wanted: Rows, path: Path) -> None:
    """Compare the rows of an excerpt with those of its source, numbers left out.

    Packets of other connections, and the end of the whole capture, may decide when missing bytes
    are given up. From there on the rows of a connection may have other times in an excerpt, and
    so other places.
    """
    left = [without_numbers(row) for row in found]
    if left == [without_numbers(row) for row in wanted]:
        return
    own = packet_times(path)
    timed_by_others, moved = [], set()
    for row in wanted:
        each = without_numbers(row)
        if (row["flow"], row["time_ns"]) not in own:
            moved.add(row["flow"])
        if row["flow"] in moved:
            timed_by_others.append(each)
        else:
            assert each in left
            left.remove(each)
    assert sorted(map(without_time, left)) == sorted(map(without_time, timed_by_others))


def packet_times(path: Path) -> set[tuple[int, int]]:
    """Flow and time of each packet of a capture."""
    out: set[tuple[int, int]] = set()
    with Session([str(path)]) as session:
        tracker = session.dissector.tracker
        session.dissector.on_packets(
            lambda batch, _: out.update(zip(tracker.packet_flows()[0], batch.times, strict=True))
        )
        for _ in session.batches():
            pass
    return out


def without_time(row: Row) -> str:
    """A row as it is at any time, in a form that can be sorted."""
    return json.dumps({**row, "time": None, "time_ns": None}, sort_keys=True)


def excerpt_is_read_as_its_source(
    monkeypatch: pytest.MonkeyPatch, path: Path, folder: Path, draw: Random
) -> int:
    """Write some connections of a capture, and read both; return the packets written."""
    source = rows(monkeypatch, path)
    flows = sorted({row["flow"] for row in source if row["frame"]})
    if not flows:
        return 0
    is_linked = any(each in str(path) for each in LINKED) or any(
        row["command"] == OF_KNOWN_SUBJECTS for row in source
    )
    chosen = set(flows if is_linked else draw.sample(flows, (len(flows) + 1) // 2))
    out = folder / "excerpt"
    arguments = ("--flow", ",".join(map(str, chosen)), "-w", str(out))
    assert call(monkeypatch, "read", *arguments, str(path)).code == 0
    wanted = [row for row in source if row["flow"] in chosen]
    assert_equal_rows(rows(monkeypatch, out), wanted, path)
    told = subprocess.run(["capinfos", "-T", "-r", "-M", "-c", out], capture_output=True,
                          check=True, text=True, env=ALONE)  # fmt: skip
    return int(told.stdout.split("\t")[1])


def copy_is_its_source(monkeypatch: pytest.MonkeyPatch, path: Path, folder: Path) -> None:
    """Write all of a capture, byte for byte."""
    out = folder / "copy"
    assert call(monkeypatch, "read", "-w", str(out), str(path)).code == 0
    if path.suffix == ".pcapng":
        assert out.read_bytes() == path.read_bytes()


def covers() -> list[index.Line]:
    """Few captures of each protocol, none of them large."""
    protocols = {each.protocol: None for each in index.lines().values()}
    small = [each for each in index.lines().values() if 0 < each.frames <= MOST_FRAMES]
    chosen = [
        each
        for protocol in protocols
        for each in index.cover([line for line in small if line.protocol == protocol])
    ]
    return chosen[:: max(1, len(chosen) // 24)]


@pytest.mark.process
def test_excerpts_of_a_cover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all protocols; in all, fewer packets than the captures have."""
    with Failures() as failures:
        for line in covers():
            with failures.of(line.capture):
                assert excerpt_is_read_as_its_source(
                    monkeypatch, line.path, tmp_path, chance(line.capture)
                )
                copy_is_its_source(monkeypatch, line.path, tmp_path)


@pytest.mark.process
def test_excerpts_of_damaged_captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packets lost, cut, twice, late: what is read of a connection is read of its excerpt."""
    with Failures() as failures:
        alone = (line for line in covers() if not any(each in str(line.path) for each in LINKED))
        for spoil, line in zip(damage.DAMAGES, alone, strict=False):
            path, name = tmp_path / "damaged", spoil.__name__
            packets = spoil(damage.read(line.path, []), chance(name))
            path.write_bytes(damage.written(packets))
            with failures.of(f"{name} {line.capture}"):
                excerpt_is_read_as_its_source(monkeypatch, path, tmp_path, chance(name))


@pytest.mark.sweep
@pytest.mark.parametrize("line", parameters(index.lines().values(), frozenset()))
def test_every_excerpt(line: index.Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every capture."""
    excerpt_is_read_as_its_source(monkeypatch, line.path, tmp_path, chance(line.capture))
    copy_is_its_source(monkeypatch, line.path, tmp_path)
