"""The pipeline says what the command line says, however the captures are cut and shared."""

import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.packets import packets, recorded, rotated, write
from tests.spark.comparison import by_one_machine, by_tables, to_the_end

from streamshark.decoding.payloads import cells
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.session import Session
from streamshark.spark.output_folder import OutputFolder
from streamshark.spark.pipeline import TABLES, RunOptions, RunSummary, ask, run, stream, tables
from streamshark.spark.read_task import ReadOptions
from streamshark.spark.table_fillers import KeptValues

pytestmark = pytest.mark.xdist_group("spark")
COMPARED = ("frames", "conversations", "findings")
MIXED = recorded(
    "rabbitmq_stream/publish_confirm",
    "rabbitmq_stream/bug_reconnect_storm",
    "rabbitmq_stream/cluster_leader_stops",
    "rabbitmq_stream/starts_mid_frame",
    "rabbitmq_stream/ends_early",
    "rsocket/bug_answer_twice",
    "rsocket/cancels_websocket_py",
    "rsocket/bug_fragment_not_continued",
)


def read(spark: SparkSession, out: Path, paths: Iterable[str], **options: object) -> RunSummary:
    """Run the pipeline, for what is compared unless more is asked for."""
    options = {"tables": COMPARED, "time_slice": 10_000, **options}
    return run(spark, RunOptions(tuple(paths), str(out), fields=True, **options))  # type: ignore[arg-type]


def test_recorded_captures(spark: SparkSession, tmp_path: Path) -> None:
    """A folder of recorded captures, by several tasks."""
    folder, out = tmp_path / "in", tmp_path / "out"
    for at, path in enumerate(MIXED):
        place = folder / str(at) / Path(path).name
        place.parent.mkdir(parents=True)
        shutil.copy(path, place)
    files = [str(each) for each in folder.rglob("traffic.*")]
    (folder / "notes.txt").write_text("not a capture")
    (folder / "empty.pcap").write_bytes(b"")
    summary = read(spark, out, [str(folder)], shares=3, tables=TABLES)
    known = tables(spark, str(out))
    wanted, found = by_one_machine(files), by_tables(known)

    assert found.frames == wanted.frames
    assert found.conversations == wanted.conversations
    assert found.findings == wanted.findings
    assert [Path(file).name for file, _ in summary.bad if "traffic" not in file] == [
        "empty.pcap",
        "notes.txt",
    ]
    assert summary.rows["frames"] == len(wanted.frames)
    published = known["rmqstream_publish"]
    assert "rmqstream.publish.published_messages" in published.columns
    bodies = published.selectExpr("explode(`rmqstream.publish.published_messages`) AS each")
    assert bodies.where("each.message IS NOT NULL").count() == 0
    assert known["messages"].where("body IS NOT NULL").count() == 0


@pytest.mark.spark
def test_files_that_come_one_night_after_the_other(spark: SparkSession, tmp_path: Path) -> None:
    """New files are read alone, connections go on, and nothing is there twice."""
    found = packets(recorded("rabbitmq_stream/cluster_leader_stops")[0])
    files = rotated(tmp_path / "in", found, 4)
    out = tmp_path / "out"
    assert read(spark, out, files[:1], shares=2).files == 1
    assert by_tables(tables(spark, str(out))) == by_one_machine(files[:1])
    assert read(spark, out, files, shares=2).files == 3
    assert by_tables(tables(spark, str(out))) == by_one_machine(files)
    before = sorted(out.rglob("*"))
    assert read(spark, out, files).files == 0
    assert sorted(out.rglob("*")) == before

    write(Path(files[0]), found[:2])
    with pytest.raises(StreamsharkError, match="has changed"):
        read(spark, out, files)
    with pytest.raises(StreamsharkError, match="other options"):
        read(spark, out, files, known=ReadOptions(kept=KeptValues("full")))


@pytest.mark.spark
def test_what_a_broken_run_leaves(spark: SparkSession, tmp_path: Path) -> None:
    """It is never shown, and the next run removes it."""
    paths = recorded("rsocket/bug_answer_twice")
    out = tmp_path / "out"
    read(spark, out, paths)
    (out / "frames" / "run=000002").mkdir()
    (out / "_staging" / "000002").mkdir(parents=True)
    again = (*paths, *recorded("rsocket/bug_token_empty"))
    read(spark, out, again)
    assert by_tables(tables(spark, str(out))) == by_one_machine(again)
    read(spark, out, paths, overwrite=True)
    assert by_tables(tables(spark, str(out))) == by_one_machine(paths)
    assert not (out / "_staging").exists()


@pytest.mark.spark
def test_following_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    """A query that is stopped and started again has every file once."""
    found = packets(recorded("rabbitmq_stream/bug_reconnect_storm")[0])
    files = rotated(tmp_path / "in", found, 3)
    Path(files[2]).rename(tmp_path / "later")
    out = tmp_path / "out"
    request = RunOptions(
        (str(tmp_path / "in"),), str(out), COMPARED, fields=True, shares=2, time_slice=10_000
    )
    for names in (files[:2], files):
        if names is files:
            (tmp_path / "later").rename(files[2])
        to_the_end(partial(stream, spark, request, settled=0, once=True))
        assert by_tables(tables(spark, str(out))) == by_one_machine(names)
    assert OutputFolder(str(out)).listed.runs == ["000001", "000002"]


@pytest.mark.spark
def test_running_numbers(spark: SparkSession, tmp_path: Path) -> None:
    """Rows of command tables, and messages, have the number and conversation of `read`."""
    out = tmp_path / "out"
    read(spark, out, MIXED, tables=("frames", "messages", "commands"), shares=3)
    by_command: dict[str, list[tuple[int, str | None]]] = {}
    slots: list[tuple[int, str | None]] = []
    for row in Session(sorted(MIXED)).analysis().rows():
        if isinstance(row, FrameRow) and row.decoder is not None:
            own = row.number, row.annotation and row.annotation.conversation
            by_command.setdefault(row.decoder.tree.prefix.replace(".", "_"), []).append(own)
            slots += [own for _ in cells(row.decoder.tree, row.values, row.agreed)]
    known = tables(spark, str(out), numbers=True)
    messages = known.pop("messages").collect()
    assert sorted((each["frame"], each["conversation"]) for each in messages) == slots
    del known["frames"]
    assert set(known) == set(by_command)
    for name in ("rmqstream_publish", "rmqstream_open_response", "rsocket_payload"):
        conversation = f"{name.partition('_')[0]}.conversation"
        found = known[name].select("frame", f"`{conversation}`").collect()
        assert sorted((each["frame"], each[conversation]) for each in found) == by_command[name]
    query = "SELECT min(frame) FROM rmqstream_publish"
    least, _ = min(by_command["rmqstream_publish"])
    assert ask(spark, str(out), query, 1, numbers=True).collect()[0][0] == least


@pytest.mark.spark
def test_tables_without_rows(spark: SparkSession, tmp_path: Path) -> None:
    """They can be asked like others, and have the same columns."""
    full, bare = tmp_path / "full", tmp_path / "bare"
    read(spark, full, MIXED, tables=TABLES)
    summary = read(spark, bare, recorded("nats/across_py"), tables=TABLES)
    assert summary.rows["findings"] == 0
    there = set(tables(spark, str(bare)))
    names = frozenset(tables(spark, str(full)))
    known, others = tables(spark, str(full), names), tables(spark, str(bare), names)
    assert "findings" in there
    assert not any(each.startswith("rsocket") for each in there)
    for name in names:
        assert dict(others[name].dtypes) == dict(known[name].dtypes), name
    found = ask(spark, str(bare), "SELECT * FROM findings JOIN rmqstream_publish_error", 10)
    assert found.collect() == []
