"""Tables of Delta and Iceberg: only where the session has them, and one line where it has not."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.packets import recorded

from streamshark.cli.main import run
from streamshark.errors import StreamsharkError
from streamshark.spark import table_formats
from streamshark.spark.pipeline import RunOptions, tables
from streamshark.spark.pipeline import run as running
from streamshark.spark.table_formats import TableFormat, lake_of, write

pytestmark = pytest.mark.xdist_group("spark")
CAPTURE = recorded("rsocket/bug_answer_twice")[0]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("delta:lake", "does not support delta: --conf spark.jars.packages adds it"),
        ("iceberg:lake.captures", "does not support iceberg"),
        ("hudi:lake", "is not a table destination (delta:DIR"),
        ("delta", "is not a table destination"),
    ],
)
def test_what_a_session_lacks(spark: SparkSession, told: str, wanted: str) -> None:
    """It is said before anything is read."""
    with pytest.raises(StreamsharkError) as raised:
        lake_of(spark, told)
    assert wanted in str(raised.value)


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_nothing_is_read_for_a_lake_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends with one line and code 2."""
    out = tmp_path / "out"
    assert run(["spark", "run", CAPTURE, "--out", str(out), "--also", f"delta:{tmp_path}"]) == 2
    assert "this Spark session does not support delta" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.spark
def test_a_catalog_that_is_not_there(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session may have the format without the catalog."""
    monkeypatch.setattr(table_formats, "_has", lambda *_: True)
    with pytest.raises(StreamsharkError, match=r"spark.sql.catalog.lake is not set"):
        lake_of(spark, "iceberg:lake.captures")
    assert lake_of(spark, "delta:some/folder") == TableFormat("delta", "some/folder")


@pytest.mark.spark
def test_each_table_is_written_whole(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of the lake's format, parted as the folder is; twice is as once."""
    out = str(tmp_path / "out")
    running(spark, RunOptions((CAPTURE,), out, tables=("frames", "flows")))
    asked = []

    def format_of(writer: object, name: str) -> object:
        asked.append(name)
        return writer_format(writer, "parquet")

    writer_format = type(spark.range(1).write).format
    monkeypatch.setattr(type(spark.range(1).write), "format", format_of)
    for _ in range(2):
        assert write(spark, out, TableFormat("delta", str(tmp_path / "lake"))) == [
            "flows",
            "frames",
        ]
    assert set(asked) == {"delta"}
    for name, rows in tables(spark, out).items():
        found = spark.read.parquet(str(tmp_path / "lake" / name))
        assert found.count() == rows.count()
        assert set(found.columns) == set(rows.columns)
    assert list((tmp_path / "lake" / "frames").glob("date=*/protocol=rsocket/*.parquet"))
