"""`streamshark spark`: one command from captures to answers."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from tests.packets import packets, recorded, rotated
from tests.spark.comparison import by_one_machine, by_tables

from streamshark.cli.main import run
from streamshark.spark.pipeline import tables

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.process]
CAPTURE = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


@pytest.mark.usefixtures("spark")
def test_from_captures_to_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Run, ask; the exit code of --fail-on."""
    out = str(tmp_path / "out")
    written = [word for name in ("frames", "findings") for word in ("--table", name)]
    code = run(["spark", "run", CAPTURE, "--out", out, *written, "--fail-on", "warning"])
    assert (code, capfd.readouterr().out.startswith(f"1 new files read; {out} now has ")) == (
        1,
        True,
    )
    query = "SELECT rule, sum(count) AS n FROM findings GROUP BY rule ORDER BY rule"
    assert run(["spark", "sql", query, "--out", out, "-T", "json"]) == 0
    wanted: Counter[str] = Counter()
    for each in map(json.loads, by_one_machine([CAPTURE]).findings):
        wanted[each["rule"]] += each["count"]
    assert {each["rule"]: each["n"] for each in json.loads(capfd.readouterr().out)} == wanted
    assert run(["spark", "sql", "SELECT count(*) AS n FROM frames", "--out", out]) == 0
    assert capfd.readouterr().out.split()[0] == "n"
    assert run(["spark", "sql", "SELECT nothing FROM frames", "--out", out]) == 2
    assert "tables: findings, frames" in capfd.readouterr().err


def test_a_session_that_was_there_stays(spark: SparkSession, tmp_path: Path) -> None:
    """A command ends what it has begun alone."""
    assert run(["spark", "sql", "SELECT 1", "--out", str(tmp_path / "nothing")]) == 2
    assert spark.range(3).count() == 3


@pytest.mark.usefixtures("spark")
def test_executors_without_streamshark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what to do."""

    def failing(*_: object) -> None:
        raise PySparkException("Job aborted: ModuleNotFoundError: No module named 'streamshark'")

    monkeypatch.setattr("streamshark.spark.pipeline.run", failing)
    assert run(["spark", "run", CAPTURE, "--out", str(tmp_path / "out")]) == 2
    assert "--conf spark.archives ships it" in capsys.readouterr().err


def test_a_spark_that_is_too_old(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before version 4 nothing works, and the line says so."""
    monkeypatch.setitem(sys.modules, "streamshark.spark.pipeline", None)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "3.5.9")
    assert run(["spark", "sql", "SELECT 1", "--out", "x"]) == 2
    assert "Spark 3.5.9 is too old: Streamshark needs Spark 4" in capsys.readouterr().err


@pytest.mark.spark
def test_sites(spark: SparkSession, tmp_path: Path) -> None:
    """Folders that use the same addresses at the same time, one of them read in two nights."""
    out, files = str(tmp_path / "out"), {}
    for site, count in (("berlin", 1), ("oslo", 3)):
        files[site] = rotated(tmp_path / "in" / site, packets(CAPTURE), count)
    late = Path(files["oslo"][2])
    late.rename(tmp_path / "late")
    names = ("frames", "conversations", "findings")
    command = ["spark", "run", str(tmp_path / "in"), "--out", out, "--site", "folder", "--fields"]
    command += [word for name in names for word in ("--table", name)]
    assert run([*command, "--shares", "2"]) == 0
    (tmp_path / "late").rename(late)
    assert run(command) == 0
    known = tables(spark, out)
    for site, paths in files.items():
        mine = {name: known[name].where(f"site = '{site}'").drop("site") for name in names}
        assert by_tables(mine) == by_one_machine(paths)
    assert {row[0] for row in known["frames"].select("site").distinct().collect()} == set(files)


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_questions_of_the_documents(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The captures that docs/spark.md names give the answers that it shows."""
    told = (Path(__file__).parents[2] / "docs" / "spark.md").read_text("utf-8")
    (command,) = re.findall(r"streamshark spark run (answer_after.*?) --out", told, re.DOTALL)
    names = command.replace("\\", "").split()
    paths = recorded(*(f"rabbitmq_stream/{each}" for each in names))
    out = str(tmp_path / "out")
    run(["spark", "run", *paths, "--out", out, "--mode", "overwrite", "--bodies", "hash"])
    capfd.readouterr()
    asked = re.findall(r"```sql\n(.*?)```\n+```text\n(.*?)```", told, re.DOTALL)
    for question, answer in asked:
        assert run(["spark", "sql", question, "--out", out]) == 0
        assert capfd.readouterr().out == answer
    assert len(asked) == told.count("```sql") == 3


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Errors come before Spark starts."""
    assert run(["spark", "run", "--out", "x"]) == 2
    assert run(["spark", "run", "x", "--out", "y", "--conf", "nonsense"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err
