"""Display filters over an archive: of rows as tasks write them, and of tables in queries."""

from collections.abc import Mapping
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from streamshark.errors import StreamsharkError
from streamshark.fields.field import BODIES
from streamshark.fields.registry import Fields
from streamshark.filters import Filter, FilterError, compile  # noqa: A004 - as of `re`
from streamshark.filters.columns import INFO
from streamshark.filters.sql import statement
from streamshark.filters.sql_columns import KeptColumns
from streamshark.protocols.catalog import catalog, formats

KEY = ("file", "packet", "flow", "offset")


def row_filter(text: str, paths: tuple[str, ...] = ()) -> Filter:
    """Return the filter of the rows that a task writes; `paths` have more protocols.

    Raises:
        FilterError: The text is no filter.
        StreamsharkError: It names what only a reading of all captures in order of time knows.
    """
    fields = Fields(catalog(paths), formats=formats(paths))
    found = compile(text, fields)
    unknown = {each.field.name for each in found.used if each.field.needs - {BODIES}}
    unknown |= {INFO} & {each.field.name for each in found.used}
    if unknown:
        raise StreamsharkError(
            f"--where: tasks know frames alone, not {', '.join(sorted(unknown))}; "
            f"{_knowing(text, fields)}"
        )
    return found


def _knowing(text: str, fields: Fields) -> str:
    """Return a sentence about what takes a filter of other rows."""
    try:
        statement(text, fields)
    except FilterError:
        return "`read -Y` selects by it"
    return "`spark sql --where` selects by it"


def tables_of(
    text: str, options: Mapping[str, Any], paths: tuple[str, ...] = ()
) -> tuple[str, frozenset[str]]:
    """Return a filter as a statement of SQL, and the words in it that may be tables.

    `options` are those by which the tables were written.
    """
    import re  # noqa: PLC0415 - once for each query

    kept = KeptColumns(
        site=bool(options.get("site")),
        bodies=options.get("bodies") == "full",
        secrets=bool(options.get("secrets")),
    )
    sql = statement(text, Fields(catalog(paths), formats=formats(paths)), kept)
    return sql, frozenset(re.findall(r"(?:LEFT JOIN|FROM) (\w+)", sql))


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
