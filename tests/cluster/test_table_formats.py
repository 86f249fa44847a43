"""Delta and Iceberg: another engine reads what Spark has written there.

Neither has a release for the newest Spark, so a Spark of their own is installed once, in the cache
of the tests.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.packets import recorded

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]
REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("pyspark==4.1.*", "pandas<3", "protobuf", "pyarrow", "deltalake", "pyiceberg")
CAPTURES = recorded("rsocket/bug_answer_twice", "rabbitmq_stream/publish_confirm")
WANTED = ("frames", "flows", "conversations", "findings", "rsocket_setup", "rmqstream_publish")
DELTA = {
    "spark.jars.packages": "io.delta:delta-spark_4.1_2.13:4.3.1",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
ICEBERG = {
    "spark.jars.packages": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
    "spark.sql.catalog.lake.warehouse": "warehouse",
}
COUNT_DELTA = """
import json, sys
from deltalake import DeltaTable
print(json.dumps({n: DeltaTable(f"delta/{n}").to_pyarrow_table().num_rows for n in sys.argv[1:]}))
"""
COUNT_ICEBERG = """
import json, sys
from pathlib import Path
from pyiceberg.table import StaticTable
out = {}
for name in sys.argv[1:]:
    place = Path(f"warehouse/captures/{name}/metadata").resolve()
    version = (place / "version-hint.text").read_text().strip()
    table = StaticTable.from_metadata(str(place / f"v{version}.metadata.json"))
    out[name] = table.scan().to_arrow().num_rows
print(json.dumps(out))
"""
COUNT_PARQUET = """
import json, sys
from pyarrow.dataset import dataset
from pathlib import Path
tables = {each.name.replace(".", "_"): each for each in Path("tables").iterdir()}
print(json.dumps({n: dataset(tables[n], partitioning="hive").count_rows() for n in sys.argv[1:]}))
"""


@pytest.fixture(scope="module")
def python(request: pytest.FixtureRequest) -> Path:
    """A Python with the Spark that Delta and Iceberg are made for."""
    place: Path = request.config.cache.mkdir("spark-4.1")  # type: ignore[union-attr]
    found = place / "bin" / "python"
    if not found.exists():
        subprocess.run((sys.executable, "-m", "venv", str(place)), check=True)
    install = (str(found), "-m", "pip", "install", "--quiet", *PACKAGES, "-e", str(REPOSITORY))
    subprocess.run(install, check=True, timeout=900)
    return found


@pytest.mark.parametrize(
    ("also", "conf", "count"),
    [
        ("delta:delta", DELTA, COUNT_DELTA),
        ("iceberg:lake.captures", ICEBERG, COUNT_ICEBERG),
    ],
    ids=["delta", "iceberg"],
)
def test_another_engine_reads_the_tables(
    tmp_path: Path, python: Path, also: str, conf: dict[str, str], count: str
) -> None:
    """With as many rows as the folder of Parquet has."""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_HOME"}
    environment["PYSPARK_PYTHON"] = str(python)
    settings = [word for name, value in conf.items() for word in ("--conf", f"{name}={value}")]

    def outcome(*arguments: str) -> str:
        done = subprocess.run(
            (str(python), *arguments), cwd=tmp_path, env=environment, timeout=900,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    outcome("-m", "streamshark", "spark", "run", *CAPTURES, "--out", "tables", "--also", also,
            "--master", "local[2]", *settings)  # fmt: skip
    wanted = json.loads(outcome("-c", COUNT_PARQUET, *WANTED))
    assert all(wanted.values())
    assert json.loads(outcome("-c", count, *WANTED)) == wanted
