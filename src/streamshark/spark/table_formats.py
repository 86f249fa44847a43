"""Delta and Iceberg: the tables of a folder in these formats, if Spark's session has them."""

from typing import Final, NamedTuple

from pyspark.sql import SparkSession

from streamshark.errors import StreamsharkError
from streamshark.spark.pipeline import tables

FORMATS: Final = {
    "delta": "DIR, and a session with io.delta:delta-spark",
    "iceberg": "CATALOG.NAMESPACE, and a session with org.apache.iceberg:iceberg-spark-runtime",
}
"""Formats, with their arguments."""
_PARTED: Final = ("date", "protocol")


class TableFormat(NamedTuple):
    """Further output of tables."""

    format: str
    """One of `FORMATS`."""
    place: str
    """A folder for Delta, a catalog and a namespace in it for Iceberg."""


def lake_of(spark: SparkSession, text: str) -> TableFormat:
    """Parse `FORMAT:PLACE`.

    Raises:
        StreamsharkError: It is invalid, or the session lacks the format or its catalog.
    """
    kind, _, place = text.partition(":")
    if kind not in FORMATS or not place:
        takes = "; ".join(f"{name}:{what}" for name, what in FORMATS.items())
        raise StreamsharkError(f"{text!r} is not a table destination ({takes})")
    if not _has(spark, kind):
        raise StreamsharkError(
            f"this Spark session does not support {kind}: --conf spark.jars.packages adds it "
            "(docs/spark.md, In Delta or Iceberg)"
        )
    catalog, dot, _ = place.partition(".")
    if kind == "iceberg" and (not dot or not _is_set(spark, f"spark.sql.catalog.{catalog}")):
        raise StreamsharkError(
            f"{place}: not a namespace of a catalog (spark.sql.catalog.{catalog} is not set)"
        )
    return TableFormat(kind, place)


def write(spark: SparkSession, out: str, lake: TableFormat) -> list[str]:
    """Replace tables by those of a folder, each atomically; return their names."""
    found = tables(spark, out)
    for name, rows in found.items():
        parted = [each for each in _PARTED if each in rows.columns]
        if lake.format == "delta":
            writer = rows.write.format("delta").mode("overwrite")
            writer = writer.option("overwriteSchema", "true").partitionBy(*parted)
            writer.save(f"{lake.place}/{name}")
        else:
            rows.writeTo(f"{lake.place}.{name}").using("iceberg").createOrReplace()
    return sorted(found)


def _has(spark: SparkSession, kind: str) -> bool:
    """Return whether a session has a format."""
    try:
        spark.read.format(kind).load("/")
    except Exception as error:  # noqa: BLE001 - formats fail in their own ways without a table
        return "DATA_SOURCE_NOT_FOUND" not in str(error)
    return True


def _is_set(spark: SparkSession, name: str) -> bool:
    return spark.conf.get(name, "") != ""
