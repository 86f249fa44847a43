"""Display filters of archives: SQL selects what filters of rows select."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.filters.corpus import drawn_of_rows
from tests.filters.reading import CAPTURES

from streamshark.cli.display_filter import fields_of
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields
from streamshark.filters.sql import condition
from streamshark.filters.sql_columns import SqlColumns
from streamshark.session import Session
from streamshark.spark.pipeline import RunOptions, ask, run, view
from streamshark.spark.read_task import ReadOptions
from streamshark.spark.row_filter import row_filter

pytestmark = pytest.mark.xdist_group("spark")
CAPTURED = (
    "rabbitmq_stream/message_properties_java",
    "rsocket/composite_metadata_js",
    "pravega/events_py",
    "nats/interactions_py",
    "liftbridge/basics_py",
)
OF_OTHER_ROWS = (
    'finding.severity == "note" and not finding.rule == "RMQ-P2"',
    "finding",
    'conv.state == "done" && conv.type in {"call", "subscription"}',
    "conv.duration > 0.001 and conv.frames > 2",
    'not conv.id contains "0-"',
    'request.command == "open" or request.rmqstream.subscribe.credit > 0',
    "request.nats && not request.frame.number == 5",
    'all finding.group != "security" or rmqstream.expert.short',
    'rsocket#1 and _ws.col.protocol == "RSOCKET" and not rsocket#2',
    '_ws.col.def_src == "127.0.0.1" and not _ws.col.def_dst == "127.0.0.1"',
)
"""Filters of other rows, of layers and of columns."""
FILTERS = 120
"""Filters that are drawn."""
AT_ONCE = 15
"""Filters of one query."""


@pytest.fixture(scope="module")
def archive(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """The tables of some captures, and their paths."""
    out = tmp_path_factory.mktemp("archive") / "out"
    paths = [str(path) for name in CAPTURED for path in (CAPTURES / name).glob("traffic.*")]
    run(spark, RunOptions(tuple(paths), str(out)))
    return str(out), paths


@pytest.mark.spark
def test_sql_selects_the_rows_of_filters(
    spark: SparkSession, archive: tuple[str, list[str]]
) -> None:
    """Drawn filters of fields that have a column; also where they are absent, and below `not`."""
    out, paths = archive
    session = Session(paths)
    rows = list(session.analysis().rows())
    fields = fields_of({"paths": ()}, session)
    names = [each.name for each in session.captures]
    filters = list(_conditions(drawn_of_rows(rows, fields, "archive", FILTERS), fields))
    assert len(filters) > FILTERS // 2
    filters += [(text, "") for text in OF_OTHER_ROWS]
    differing = []
    for first in range(0, len(filters), AT_ONCE):
        some = filters[first : first + AT_ONCE]
        for (text, _), theirs in zip(some, _selected(spark, out, some, fields), strict=True):
            chosen = _learned(Filter(text, RowFields(fields)), paths)
            ours = {_identity(row, names) for row in rows if chosen(row)}
            if ours != theirs:
                more = sorted(map(str, ours ^ theirs))[:3]
                differing.append(f"{text}\n  rows {len(ours)}, SQL {len(theirs)}: {more}")
    assert not differing, "\n".join(differing)


def _learned(chosen: Filter, paths: list[str]) -> Filter:
    """Return a filter that has read the captures a first time if it needs to."""
    if chosen.needs_first_reading:
        analysis = Session(paths).analysis(rules=True, conversations=True, in_full=True)
        chosen.learn(analysis, analysis.engine.unanswered)
    return chosen


def _conditions(filters: Iterable[str], fields: Fields) -> Iterator[tuple[str, str]]:
    """Yield filters with the condition of each; not those of fields without a column."""
    for text in filters:
        try:
            yield text, condition(text, SqlColumns(fields))
        except FilterError:
            continue


def _selected(
    spark: SparkSession, out: str, filters: Iterable[tuple[str, str]], fields: Fields
) -> list[set[tuple[str, int, int, str | None, int]]]:
    """Return the identities of the rows that each of some filters selects."""
    columns = SqlColumns(fields)
    tests = [condition(text, columns) for text, _ in filters]
    known = {each.replace(".", "_") for each in columns.tables.values()}
    view(spark, out, frozenset(known | {"frames"}))
    shown = ", ".join(tests)
    identity = "f.file, f.packet, f.offset, f.command, f.side"
    found = spark.sql(
        f"SELECT {identity}, {shown} FROM frames f{columns.joins()}"  # noqa: S608 - our own
    ).collect()
    assert all(each is not None for row in found for each in row[5:])
    return [{tuple(row[:5]) for row in found if row[5 + at]} for at in range(len(tests))]


def _identity(row: Row, names: list[str]) -> tuple[str, int, int, str | None, int]:
    command = row.command if isinstance(row, FrameRow) else row.name  # type: ignore[attr-defined]
    return names[row.file], row.packet, row.offset, command, row.side


@pytest.mark.spark
def test_queries_of_selected_rows(spark: SparkSession, archive: tuple[str, list[str]]) -> None:
    """Tables of commands and messages have those of the selected frames."""
    out, _ = archive
    where = "rmqstream.publish && rmqstream.publish.publisher_id == 0 && not tcp.port == 1"
    (whole,) = ask(spark, out, "SELECT count(*) FROM frames", 1).collect()
    (some,) = ask(spark, out, "SELECT count(*), min(command) FROM frames", 1, where=where).collect()
    (publishes,) = ask(
        spark, out, "SELECT count(*) FROM rmqstream_publish", 1, where=where
    ).collect()
    (opens,) = ask(spark, out, "SELECT count(*) FROM rmqstream_open", 1, where=where).collect()

    assert 0 < some[0] < whole[0]
    assert (some[1], publishes[0], opens[0]) == ("publish", some[0], 0)
    with pytest.raises(StreamsharkError, match="spark run --where"):
        ask(spark, out, "SELECT 1", 1, where="amqp1")


@pytest.mark.spark
def test_a_run_writes_the_selected_rows(spark: SparkSession, tmp_path: Path) -> None:
    """With fields that tasks know; findings are those of all frames."""
    paths = tuple(str(path) for path in (CAPTURES / CAPTURED[0]).glob("traffic.*"))
    options = RunOptions(
        paths, str(tmp_path), known=ReadOptions(where="amqp1 and tcp.port == 5552")
    )
    run(spark, options)
    (found,) = ask(spark, str(tmp_path), "SELECT count(*), min(command) FROM frames", 1).collect()
    (messages,) = ask(spark, str(tmp_path), "SELECT count(*) FROM messages", 1).collect()

    assert (found[0], found[1], messages[0] > 0) == (4, "deliver", True)


def test_what_tasks_do_not_know_is_refused() -> None:
    """Conversations, findings, answers."""
    assert row_filter("rmqstream.publish").needs == frozenset()
    for text, instead in {
        "answer.missing": "read -Y", "_ws.col.info": "read -Y", "conv.id": "spark sql --where",
        "rmqstream.response_time > 1": "spark sql --where",
    }.items():  # fmt: skip
        with pytest.raises(StreamsharkError, match=f"tasks know frames alone, not .*{instead}"):
            row_filter(text)
