"""Connections followed one by one say what a reading of everything says of each of them."""

import json
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import is_late, to_the_end

from streamshark.errors import StreamsharkError
from streamshark.flows import trouble
from streamshark.spark import stateful_stream
from streamshark.spark.connection_packets import SLIP, PacketBundle, bundles
from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import tables
from streamshark.spark.read_task import ReadOptions, ReadTask, produce
from streamshark.spark.stateful_stream import RememberedConnections, schema_of, stream

pytestmark = pytest.mark.xdist_group("spark")
PATIENCE = 900
"""Seconds in which a query comes to rest, however slow the machine."""
LOCAL = ("frame", "conversation", "part_of", "request_frame")
"""Numbers that a connection has for itself."""
Rows = list[dict[str, Any]]


class Handle:
    """What Spark gives a processor, for one key at a time."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[bytes, int]] = {}
        self.timers: dict[str, int] = {}
        self.key, self.now = "", 0

    def getValueState(self, _name: str, _schema: str) -> "Handle":  # noqa: N802 - Spark's names
        """The state."""
        return self

    def exists(self) -> bool:
        """Whether the key has one."""
        return self.key in self.held

    def get(self) -> tuple[bytes, int]:
        """What it is."""
        return self.held[self.key]

    def update(self, value: tuple[bytes, int]) -> None:
        """Keep it."""
        self.held[self.key] = value

    def clear(self) -> None:
        """Forget it."""
        del self.held[self.key]

    def registerTimer(self, at: int) -> None:  # noqa: N802
        """Fire later."""
        self.timers[self.key] = at

    def getCurrentProcessingTimeInMs(self) -> int:  # noqa: N802
        """The clock."""
        return self.now


class Query:
    """What Spark does with a processor: batches of files, and timers."""

    def __init__(self, idle_ms: int = 1000, where: str = "") -> None:
        self.keeper, self.handle = (
            RememberedConnections(ReadOptions(where=where), idle_ms=idle_ms, fields=True),
            Handle(),
        )
        self.keeper.init(self.handle)
        self.told: list[Row] = []

    def batch(self, names: Iterable[str], now: int = 0) -> None:
        """Read files, then let timers fire."""
        self.handle.now = now
        keys: dict[str, list[PacketBundle]] = {}
        for name in names:
            for each in bundles(name):
                keys.setdefault(each.connection, []).append(each)
        for key, found in keys.items():
            self.handle.key = key
            rows = [Row(*each) for each in reversed(found)]
            self.told += self.keeper.handleInputRows((key,), iter(rows), self.handle)
        for key in [key for key, at in self.handle.timers.items() if at <= now]:
            self.handle.key = key
            del self.handle.timers[key]
            self.told += self.keeper.handleExpiredTimer((key,), self.handle, None)

    def rows(self, name: str) -> Rows:
        """The rows of a table so far."""
        schema = schema_of(name, fields=True)
        found = [each["rows"] for each in self.told if each["table"] == name]
        batches = [pa.ipc.read_record_batch(pa.py_buffer(each), schema) for each in found]
        return [row for each in batches for row in each.to_pylist()]


def whole(table: str, names: Iterable[str]) -> Rows:
    """What a reading of everything says."""
    schema = schema_of(table, fields=True)
    jobs = produce(ReadTask(table, tuple(schema.names), tuple(names)))
    return [row for batch in jobs for row in batch.to_pylist()]


def alike(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Rows as texts, flows in the order in which they begin, without a connection's numbers."""
    rows = list(rows)
    flows: dict[int, tuple[Any, ...]] = {}
    for row in rows:
        at = (row["time_ns"], row["file"], row["packet"])
        flows[row["flow"]] = min(at, flows.get(row["flow"], at))
    order = {flow: at for at, flow in enumerate(sorted(flows, key=lambda one: flows[one]))}
    out = [{**row, "flow": order[row["flow"]], **dict.fromkeys(LOCAL)} for row in rows]
    return sorted(json.dumps(each, default=str, sort_keys=True) for each in out)


def turns(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Conversations as texts, without numbers."""
    gone = dict.fromkeys(("id", "flows", "first_frame", "last_frame", "parent", "links"))
    out = []
    for row in rows:
        row = {**row, **gone}  # noqa: PLW2901 - without numbers
        for name in ("request", "outcome"):
            row[name] = row[name] and {**row[name], "frame": None}
        out.append(json.dumps(row, default=str, sort_keys=True))
    return sorted(out)


@pytest.mark.parametrize(
    "name",
    [
        "rabbitmq_stream/bug_reconnect_storm",
        "rabbitmq_stream/cluster_leader_stops",
        "rabbitmq_stream/starts_mid_frame",
        "rsocket/bug_fragment_not_continued",
        "rsocket/asks_websocket_deflate_js",
        "pravega/bug_hello_missing",
        "nats/interactions_py",
    ],
)
def test_connections_one_by_one(tmp_path: Path, name: str) -> None:
    """Frames, what is told of them, and conversations, with state between each two files."""
    files = rotated(tmp_path, packets(recorded(name)[0]), 4)
    query = Query()
    for at, each in enumerate(files):
        query.batch([each], at * 500)
    query.batch([], 10_000)
    assert set(query.handle.held) == {SLIP}
    assert alike(query.rows("frames")) == alike(whole("frames", files))
    assert turns(query.rows("conversations")) == turns(whole("conversations", files))
    assert query.rows("bad_inputs") == []
    numbers = [(row["flow"], row["frame"]) for row in query.rows("frames") if row["frame"]]
    assert len(set(numbers)) == len(numbers)


def test_files_of_one_batch(tmp_path: Path) -> None:
    """Bundles come in any order."""
    files = rotated(tmp_path, packets(recorded("rabbitmq_stream/cluster_leader_stops")[0]), 3)
    query = Query()
    query.batch(reversed(files))
    query.batch([], 10_000)
    assert alike(query.rows("frames")) == alike(whole("frames", files))


def test_selected_frames(tmp_path: Path) -> None:
    """A display filter selects the rows of `frames`; conversations are those of all."""
    files = rotated(tmp_path, packets(recorded("rabbitmq_stream/publish_confirm")[0]), 2)
    query = Query(where='rmqstream.publish or not kind in {"command", "event"}')
    query.batch(files)
    query.batch([], 10_000)
    found = whole("frames", files)
    wanted = [row for row in found if row["command"] == "publish" or row["kind"][0] == "r"]

    assert 0 < len(wanted) < len(found)
    assert alike(query.rows("frames")) == alike(wanted)
    assert turns(query.rows("conversations")) == turns(whole("conversations", files))
    with pytest.raises(StreamsharkError, match="tasks know frames alone"):
        stream(None, str(tmp_path), [], ReadOptions(where="answer.missing"))  # type: ignore[arg-type]


def test_a_connection_that_is_silent(tmp_path: Path) -> None:
    """A timer ends it, and not before; what comes later begins in the midst."""
    files = rotated(tmp_path, packets(recorded("rabbitmq_stream/publish_confirm")[0]), 2)
    query = Query(idle_ms=1000)
    query.batch(files[:1])
    held = set(query.handle.held)
    query.batch([], 999)
    assert set(query.handle.held) == held
    query.batch([], 1000)
    assert set(query.handle.held) == {SLIP}
    before = len(query.rows("frames"))
    query.batch(files[1:], 2000)
    later = query.rows("frames")[before:]
    assert later
    assert not {row["flow"] for row in later} & {
        row["flow"] for row in query.rows("frames")[:before]
    }


def test_what_is_wrong_with_files(tmp_path: Path) -> None:
    """Late, missing in a ring, gone since it was listed, foreign: named once each."""
    found = packets(recorded("rabbitmq_stream/publish_confirm")[0])
    files = []
    for at, path in enumerate(rotated(tmp_path, found, 4), 1):
        number = at + (at > 2)
        files.append(str(Path(path).rename(tmp_path / f"t_{number:05}_20261121100000.pcap")))
    query = Query()
    query.batch([files[0], files[2]])
    query.batch([files[1], files[3], str(tmp_path / "gone.pcap")])
    bad = query.rows("bad_inputs")
    told = {(Path(row["file"]).name, row["reason"].split(" ")[0]) for row in bad}
    assert told == {
        ("t_00002_*.pcap", "missing:"),
        ("t_00002_20261121100000.pcap", "begins"),
        ("gone.pcap", "no"),
    }
    assert len(bad) == len(told)


def test_state_does_not_grow_with_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A connection that is there for long keeps the names of the last files alone."""
    monkeypatch.setattr(stateful_stream, "MOST_NAMES", 4)
    monkeypatch.setattr(trouble, "MOST_SIGNS", 4)
    found = packets(recorded("rabbitmq_stream/publish_confirm")[0])
    query, sizes = Query(), []
    for each in rotated(tmp_path / ("long" * 40), found[:10] + found[10:11] * 60, 70):
        query.batch([each])
        sizes.append(max(len(state) for state, _ in query.handle.held.values()))
    assert sizes[-1] < sizes[9] + 2000


@pytest.mark.spark
def test_a_query_that_is_started_again(spark: SparkSession, tmp_path: Path) -> None:
    """With Spark: from its checkpoint, everything once; timers leave no state behind."""
    found = packets(recorded("rabbitmq_stream/bug_reconnect_storm")[0])
    files = rotated(tmp_path / "in", found, 3)
    Path(files[2]).rename(tmp_path / "later")
    out, paths = str(tmp_path / "out"), [str(tmp_path / "in")]
    begin = partial(stream, spark, out, paths, settled=0, fields=True, idle=0.2)
    to_the_end(partial(begin, once=True))
    (tmp_path / "later").rename(files[2])
    second = begin()
    deadline = time.monotonic() + PATIENCE
    while not _is_at_rest(second) and time.monotonic() < deadline:
        time.sleep(0.2)
        if not second.isActive and is_late(second.exception()):
            second = begin()
    second.stop()
    assert _is_at_rest(second), second.exception()
    known = {name: each.drop("date") for name, each in tables(spark, out).items()}
    rows = [row.asDict(recursive=True) for row in known["frames"].collect()]
    assert alike(_as_spark_has_it(rows)) == alike(_as_spark_has_it(whole("frames", files)))
    assert known["conversations"].count() == len(whole("conversations", files))
    assert OutputFolder(out).listed.options["by"] == "connection"
    with pytest.raises(StreamsharkError, match="other options"):
        stream(spark, out, paths)
    with pytest.raises(StreamsharkError, match="writes only the tables"):
        stream(spark, out, paths, tables=["findings"])


def _is_at_rest(query: StreamingQuery) -> bool:
    """Whether nothing is left of its state but that of the files."""
    states = [each["stateOperators"] for each in query.recentProgress]
    return any(each and each[0]["numRowsTotal"] == 1 for each in states)


def _as_spark_has_it(rows: Rows) -> Rows:
    """Without what has another form there: the time has `time_ns` beside it."""
    return [{name: value for name, value in row.items() if name != "time"} for row in rows]
