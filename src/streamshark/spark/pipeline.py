"""The pipeline: captures in, a folder of tables out, equal to the output of one machine.

The stages of a run are those of `stages`. Each run saves the state of the connections, so that the
next one reads only new captures.
"""

import json
import os
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery

from streamshark.errors import StreamsharkError
from streamshark.spark.domain_run import DomainRun, DomainState
from streamshark.spark.domains import Domain, domains_of
from streamshark.spark.output_folder import CHECKPOINT, OutputFolder, OutputRun, local
from streamshark.spark.read_task import ReadOptions, ReadTask, command_tables, schema_of
from streamshark.spark.row_filter import row_filter, selected, tables_of
from streamshark.spark.run_plan import RunPlan, plan
from streamshark.spark.source import register
from streamshark.spark.stages import Archive, bucket_count
from streamshark.spark.storage_settings import variables
from streamshark.spark.table_fillers import bad_filler, in_batches
from streamshark.spark.tables import (
    BAD_INPUTS,
    CONVERSATIONS,
    FILES,
    FINDINGS,
    FLOWS,
    FRAMES,
    MESSAGES,
    SCHEMAS,
    frames,
)
from streamshark.spark.write_task import DONE, ParquetFolder, with_site
from streamshark.splits.inputs import Input, inputs
from streamshark.splits.packet_buckets import CODECS

COMMANDS = "commands"
"""Name for the tables of all commands."""
TABLES = (FRAMES, FLOWS, CONVERSATIONS, FINDINGS, BAD_INPUTS, MESSAGES, COMMANDS)


@dataclass(frozen=True)
class RunOptions:
    """Options of `run`."""

    paths: tuple[str, ...]
    out: str
    tables: tuple[str, ...] = TABLES
    known: ReadOptions = field(default_factory=ReadOptions)
    overwrite: bool = False
    """True reads everything again; False reads only new files, and continues connections."""
    site: str = ""
    """How the archive is divided into independent domains, as for `domains_of`."""
    shares: int = 0
    """Number of groups of connections, each read by a task; 0 for as many as the captures need."""
    time_slice: int = 0
    """Bytes of a part of the captures; 0 for a size that fits the number of cores."""
    codec: str = CODECS[0]
    """Compression of packets on their way to the task that reads them, one of `CODECS`."""
    fields: bool = False
    """Whether `frames` has all fields as JSON."""


@dataclass
class RunSummary:
    """Summary of a run."""

    out: str
    files: int = 0
    """New files that were read."""
    rows: dict[str, int] = field(default_factory=dict)
    """Rows of the folder by table; those of messages and commands are not counted."""
    severities: dict[str, int] = field(default_factory=dict)
    """Number of findings by severity."""
    bad: list[tuple[str, str]] = field(default_factory=list)
    """Files of this run that could not be read to their end, and why; the first ones."""


MOST_BAD = 20
"""Most files that a summary names."""


_SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""Environment variable that is set if `spark-submit` started this process."""


def is_running() -> bool:
    """Return whether there is a session of Spark already."""
    return SparkSession.getActiveSession() is not None


def session(master: str | None = None, **conf: str) -> SparkSession:
    """Return a session of Spark: the existing one, else one at `master`, else a local one.

    A process started by `spark-submit` uses the master that was given there. Tasks use this Python
    unless the cluster sets another; `streamshark` must be installed there.

    Raises:
        StreamsharkError: Spark does not start.
    """
    builder = SparkSession.builder.appName("streamshark")
    if master is None and _SUBMITTED in os.environ:
        pass
    elif master is None or master.startswith("local"):
        builder = builder.master(master or "local[*]").config("spark.ui.enabled", "false")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")  # a name server may be slow
    else:
        builder = builder.master(master)
    shown = str(sys.stderr.isatty()).lower()
    given = {
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.showConsoleProgress": shown,
        **conf,
    }
    for name, value in given.items():
        builder = builder.config(name, value)
    try:
        made = builder.getOrCreate()
    except PySparkException as error:
        message = str(error).splitlines()[0]
        raise StreamsharkError(
            f"Spark did not start: {message} (it needs a Java runtime: openjdk-17-jre-headless)"
        ) from None
    context = made.sparkContext
    context.setLogLevel("ERROR")
    known = variables(dict(context.getConf().getAll()), os.environ)
    os.environ.update(known)  # the driver lists the captures
    context.environment.update(known)
    found: SparkSession = register(made)
    return found


def run(spark: SparkSession, request: RunOptions) -> RunSummary:
    """Read new files into the output folder; see `OutputFolder`.

    Raises:
        StreamsharkError: There is nothing to read, a file has changed, the folder was written with
            other options, or the domains are invalid.
    """
    house = OutputFolder(request.out)
    fresh, anew = _fresh(request, house)
    if not fresh:
        return _summary(spark, house, 0)
    buckets = _buckets(house, fresh, anew=anew)
    last = None if anew else house.last
    step = _RunWork(spark, request, house.begin(), last, buckets)
    step.read(fresh)
    step.run.commit(fresh, anew=anew, buckets=buckets, options=_options(request))
    return _summary(spark, house, len(fresh))


def explain(spark: SparkSession, request: RunOptions) -> RunPlan:
    """Return the plan of `run`, which writes nothing.

    Raises:
        StreamsharkError: As by `run`.
    """
    house = OutputFolder(request.out)
    fresh, anew = _fresh(request, house)
    buckets = _buckets(house, fresh, anew=anew)
    archive = Archive(
        spark, "", (), buckets, 0, shares=request.shares, time_slice=request.time_slice
    )
    last = None if anew else house.last
    earlier = None if last is None else house.state(last)
    return plan(spark, fresh, request.site, request.known, archive, earlier)


def _fresh(request: RunOptions, house: OutputFolder) -> tuple[list[Input], bool]:
    """Return the files to read, and whether they replace what was read before."""
    domains_of((), request.site)  # validates it
    if request.known.where:
        row_filter(request.known.where, request.known.paths)  # as above
    files = inputs(request.paths)
    if not files:
        raise StreamsharkError(f"no files found in {', '.join(request.paths)}")
    anew = request.overwrite or not house.listed.runs
    held = house.listed.options
    differ = [name for name, value in _options(request).items() if held.get(name) != value]
    if not anew and differ:
        raise StreamsharkError(
            f"{request.out} was written with other options ({', '.join(differ)}); "
            "--mode overwrite reads all files again"
        )
    return (files if anew else house.fresh(files)), anew


def _buckets(house: OutputFolder, files: Sequence[Input], *, anew: bool) -> int:
    """Return the number of buckets of connections; it stays for an existing folder."""
    if not anew:
        return house.listed.buckets
    return bucket_count(sum(max(each.size, 0) for each in files))


def stream(
    spark: SparkSession, request: RunOptions, *, settled: float = 10, once: bool = False
) -> StreamingQuery:
    """Follow a folder in which captures rotate: each batch of new files is a run.

    Exactly once: the query's checkpoint (in the output folder) has the files of a batch, and the
    list of runs those of committed runs, so that a retried batch reads nothing twice. With `once`
    the present files are read, and the query ends.
    """
    if request.known.where:
        row_filter(request.known.where, request.known.paths)  # validates it
    house = OutputFolder(request.out)
    source = spark.readStream.format("streamshark").option("table", FILES)
    source = source.option("settled", str(settled)).option("paths", json.dumps(request.paths))

    def batch(files: DataFrame, _number: int) -> None:
        names = [row[0] for row in files.select("file").collect()]
        if names:
            held = OutputFolder(request.out).listed.files
            fresh = [each for each in dict.fromkeys(names) if each not in held]
            if fresh:
                run(spark, replace(request, paths=tuple(fresh), overwrite=False))

    writer = source.load().writeStream.foreachBatch(batch)
    writer = writer.option("checkpointLocation", local(house.root / CHECKPOINT))
    trigger = {"availableNow": True} if once else {"processingTime": "10 seconds"}
    return writer.trigger(**trigger).start()


def tables(
    spark: SparkSession, out: str, names: Container[str] | None = None, *, numbers: bool = False
) -> dict[str, DataFrame]:
    """Return the tables of a folder, or those of some names; commands' as `rmqstream_publish`.

    A table without rows is included; one of a command only if it is named. With `numbers`, those of
    commands and `messages` have what `frames` knows of their frame: its number `frame`, and the id
    of its conversation, `rmqstream.conversation` or `conversation`.
    """
    house = OutputFolder(out)
    found, wanted = {}, list(house.listed.options.get("tables", ()))
    for table, folders in house.folders().items():
        name = table.replace(".", "_")
        if names is None or name in names:
            reader = spark.read.option("basePath", local(house.root / table))
            found[name] = reader.parquet(*map(local, folders)).drop("run")
    if COMMANDS in wanted:
        wanted.remove(COMMANDS)
        wanted += command_tables(ReadOptions()) if names is not None else ()
    for table in wanted:
        name = table.replace(".", "_")
        if name not in found and (names is None or name in names):
            found[name] = _empty(spark, table, house.listed.options)
    if numbers:
        rows = tables(spark, out, (FRAMES,)).get(FRAMES)
        if rows is None:
            raise StreamsharkError(
                f"--numbers needs the table `frames`, which {out} does not contain"
            )
        for name, each in found.items():
            if name == MESSAGES or name not in TABLES:
                found[name] = _numbered(each, rows, name)
    return found


def _numbered(table: DataFrame, rows: DataFrame, name: str) -> DataFrame:
    """Return a table of a command, or of messages, with the numbers in `frames`."""
    short, _, command = name.partition("_")
    conversation = "conversation" if name == MESSAGES else f"{short}.conversation"
    keys = ["file", "packet", "flow", "offset", "protocol"]
    keys += [each for each in ("site", "command") if each in table.columns]
    rows = rows.where(F.col("frame").isNotNull())
    if "command" not in keys:
        rows = rows.where(F.col("command").isin(command, command.removesuffix("_response")))
    rows = rows.select(*keys, "frame", F.col("conversation").alias(conversation))
    return table.join(rows, keys, "left")


def _empty(spark: SparkSession, table: str, options: Mapping[str, Any]) -> DataFrame:
    """Return a table without rows."""
    whole = schema_of(table, ReadOptions(), numbered=True)
    columns = {each.name: each for each in whole if each.name != "fields" or options["fields"]}
    more = []
    if table not in TABLES:
        more += [pa.field("time", pa.timestamp("us", tz="UTC")), pa.field("protocol", pa.string())]
    if options.get("site"):
        more.append(pa.field("site", pa.string()))
    columns |= {each.name: each for each in more}
    if {"time", "start"} & set(columns):
        columns["date"] = pa.field("date", pa.date32())
    return spark.createDataFrame([], from_arrow_schema(pa.schema(columns.values())))


def view(
    spark: SparkSession,
    out: str,
    names: Container[str] | None = None,
    *,
    numbers: bool = False,
    where: str = "",
) -> list[str]:
    """Register the tables of a folder as views for SQL, as `tables` returns them.

    With `where`, a display filter, those of frames have the selected rows alone. Return their
    names.
    """
    found = tables(spark, out, names, numbers=numbers)
    if where:
        sql, needed = tables_of(where, OutputFolder(out).listed.options)
        found = {**tables(spark, out, needed | {FRAMES}), **found}
        found = selected(spark, sql, found)
    for name, each in found.items():
        each.createOrReplaceTempView(name)
    return sorted(found)


def ask(
    spark: SparkSession,
    out: str,
    query: str,
    most: int,
    *,
    numbers: bool = False,
    where: str = "",
) -> DataFrame:
    """Return the answer to a query over the tables of a folder, at most `most` rows.

    `numbers` as for `tables`, `where` as for `view`.

    Raises:
        StreamsharkError: There are no tables, or the query is wrong.
    """
    if not tables(spark, out):
        raise StreamsharkError(f"{out}: no tables found")
    known = view(spark, out, numbers=numbers, where=where)
    others = frozenset(re.findall(r"\w+", query)) - frozenset(known)
    if others:
        view(spark, out, others, numbers=numbers, where=where)
    try:
        return spark.sql(query).limit(most)
    except PySparkException as error:
        message = str(error).splitlines()[0]
        raise StreamsharkError(f"{message} (tables: {', '.join(known)})") from None


def as_json(rows: DataFrame) -> list[str]:
    """Return each row as a JSON object."""
    whole = F.to_json(F.struct(*rows.columns), {"ignoreNullFields": "false"})
    return [row[0] for row in rows.select(whole).collect()]


def _options(request: RunOptions) -> dict[str, Any]:
    known = request.known
    return {
        "tables": sorted(request.tables),
        "bodies": known.kept.bodies,
        "secrets": known.kept.secrets,
        "decode_as": {str(port): name for port, name in known.decode_as.items()},
        "dialects": dict(known.dialects),
        "site": request.site,
        "fields": request.fields,
        "where": known.where,
    }


def _summary(spark: SparkSession, house: OutputFolder, count: int) -> RunSummary:
    out = RunSummary(str(house.root), count)
    known = tables(spark, str(house.root), TABLES)
    for name in (FRAMES, FLOWS, CONVERSATIONS, FINDINGS):
        each = known.get(name)
        if each is None:
            continue
        if name == FINDINGS:
            out.severities = {row[0]: row[1] for row in each.groupBy("severity").count().collect()}
            out.rows[name] = sum(out.severities.values())
        else:
            out.rows[name] = each.count()
    if BAD_INPUTS in known:
        bad = known[BAD_INPUTS].select("file", "reason").distinct().orderBy("file").limit(MOST_BAD)
        out.bad = [(row[0], row[1]) for row in bad.collect()]
    return out


class _RunWork:
    """The work of one run."""

    def __init__(
        self,
        spark: SparkSession,
        request: RunOptions,
        run: OutputRun,
        last: str | None,
        buckets: int,
    ) -> None:
        self.spark = spark
        self.request = request
        self.run = run
        self.buckets = buckets
        self.staging = str(run.staging.absolute())
        self.state = run.state.absolute()
        self.before = run.warehouse.state(last).absolute() if last else None

    def read(self, files: Sequence[Input]) -> None:
        """Write all tables into the staging folder."""
        domains = self._domains(files)
        wanted = tuple(self._wanted())
        archive = Archive(
            self.spark, self.staging, wanted, self.buckets, int(self.run.name),
            shares=self.request.shares, time_slice=self.request.time_slice,
            codec=self.request.codec,
        )  # fmt: skip
        archive.run(domains)
        if BAD_INPUTS in wanted:
            self._report(domains)

    def _wanted(self) -> Iterator[str]:
        """Yield the names of the tables to write."""
        for each in self.request.tables:
            if each == COMMANDS:
                yield from command_tables(self.request.known)
            else:
                yield each

    def _domains(self, files: Sequence[Input]) -> list[DomainRun]:
        """Return the domains, also those that have only connections of earlier runs."""
        known = {each.name: each for each in files}
        columns = [
            each for each in frames(numbered=True).names if self.request.fields or each != "fields"
        ]
        found = domains_of(known, self.request.site)
        names = {each.name for each in found}
        found += [Domain(each, ()) for each in self._earlier() if each not in names]
        out = []
        for domain in found:
            job = ReadTask(FRAMES, tuple(columns), (), self.request.known, domain.name)
            before = None if self.before is None else self.before / job.label
            earlier = before if before is not None and before.exists() else None
            state = DomainState() if earlier is None else DomainState.read(earlier)
            fresh = [(at, known[name]) for at, name in enumerate(domain.files, len(state.names))]
            job = replace(job, names=(*state.names, *domain.files))
            work = Path(self.staging) / "_domains" / job.label
            out.append(
                DomainRun(job, domain.within, fresh, state, earlier, self.state / job.label, work)
            )
        return out

    def _earlier(self) -> list[str | None]:
        """Return the domains of the last run: their open connections are kept."""
        if self.before is None:
            return []
        found = sorted(each.name for each in self.before.iterdir())
        return [None if each == "all" and not self.request.site else each for each in found]

    def _report(self, domains: Sequence[DomainRun]) -> None:
        """Write the captures that could not be read to their end."""
        folder = ParquetFolder(BAD_INPUTS, self.staging)
        for domain in domains:
            for batch in in_batches(bad_filler(SCHEMAS[BAD_INPUTS]), domain.bad):
                folder.write(BAD_INPUTS, with_site(batch, domain.job.site), DONE)
        folder.finish()
