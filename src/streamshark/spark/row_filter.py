"""Display filters over an archive: of rows as tasks write them, and of tables in queries."""

from collections.abc import Mapping

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters import Filter, compile  # noqa: A004 - as of `re`
from streamshark.filters.sql import statement
from streamshark.protocols.catalog import catalog, formats

KEY = ("file", "packet", "flow", "offset")


def row_filter(text: str, paths: tuple[str, ...] = ()) -> Filter:
    """Return the filter of the rows that a task writes; `paths` have more protocols.

    Raises:
        FilterError: The text is no filter.
        StreamsharkError: It names what only a reading of all captures in order of time knows.
    """
    found = compile(text, Fields(catalog(paths), formats=formats(paths)))
    if found.needs_analysis or found.needs_first_reading:
        names = ", ".join(
            sorted({each.field.name for each in found.used if each.field.needs - {"bodies"}})
        )
        raise StreamsharkError(
            f"--where: tasks know frames alone, not {names}; `spark sql --where` knows more"
        )
    return found


def tables_of(text: str, paths: tuple[str, ...] = ()) -> tuple[str, frozenset[str]]:
    """Return a filter as a statement of SQL, and the words in it that may be tables."""
    import re  # noqa: PLC0415 - once for each query

    sql = statement(text, Fields(catalog(paths), formats=formats(paths)))
    return sql, frozenset(re.findall(r"LEFT JOIN (\w+)", sql))


def selected(spark: SparkSession, sql: str, found: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
    """Return the tables of frames with their selected rows alone; the others as they are.

    Raises:
        StreamsharkError: There is no table `frames`.
    """
    if "frames" not in found:
        raise StreamsharkError("--where needs the table `frames`")
    for name, each in found.items():
        each.createOrReplaceTempView(name)
    try:
        rows = spark.sql(sql)
    except PySparkException as error:
        raise StreamsharkError(f"--where: {str(error).splitlines()[0]}") from None
    out = {"frames": rows}
    for name, each in found.items():
        if name != "frames" and set(KEY) <= set(each.columns):
            same = [*KEY, *(key for key in ("site", "protocol") if key in each.columns)]
            out[name] = each.join(rows.select(*same).distinct(), same, "left_semi")
    return {**found, **out}
