"""The pipeline: captures in, a folder of tables out, equal to the output of one machine.

- Splits of the packets are read apart from each other, and joined by their boundary states
  (`stages`): rows of `frames`, `messages` and the commands' tables.
- At the same time the *ordered pass*, one task for each domain, judges all rows in order of time,
  with the engine of the command line, because related frames may be on several connections:
  numbers, conversations, findings.

Both save their state, so that the next run reads only new captures. The ordered pass's rows are
joined to `frames` by a row's identity. See docs/decisions.
"""

import json
import os
import re
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery

from streamshark.errors import StreamsharkError
from streamshark.spark import write_task
from streamshark.spark.domain_discovery import clusters, seen
from streamshark.spark.domains import AUTO, OTHERS, DomainHosts, domains_of
from streamshark.spark.output_folder import CHECKPOINT, OutputFolder, OutputRun, local, write
from streamshark.spark.read_task import (
    ADDRESSES,
    ANNOTATED_ROWS,
    ENDING,
    ORDERED_PASS,
    ReadOptions,
    ReadTask,
    command_tables,
    produce,
    schema_of,
)
from streamshark.spark.row_filter import row_filter, selected, tables_of
from streamshark.spark.source import register
from streamshark.spark.stages import Dissection, each_of, spread
from streamshark.spark.storage_settings import variables
from streamshark.spark.tables import (
    BAD_INPUTS,
    CONVERSATIONS,
    FILES,
    FINDINGS,
    FLOWS,
    FRAMES,
    MESSAGES,
    frames,
)
from streamshark.splits.inputs import Input, inputs

ORDERED = (CONVERSATIONS, FINDINGS, FLOWS, BAD_INPUTS)
"""Tables that the ordered pass writes."""
COMMANDS = "commands"
"""Name for the tables of all commands."""
TABLES = (FRAMES, FLOWS, CONVERSATIONS, FINDINGS, BAD_INPUTS, MESSAGES, COMMANDS)
_KEY = ("file", "packet", "flow", "offset", "side")
HOSTS_FILE = "sites.json"
"""File with the hosts of discovered domains."""
_NO_HOSTS = DomainHosts((OTHERS,), {})
PENDING = "pending"
"""Folder of final rows whose annotations the ordered pass may still change."""


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
    """Number of tasks that join connections; 0 for the number of Spark's cores."""
    time_slice: int = 0
    """Bytes of a split; 0 for a size that fits the number of cores."""
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
        "spark.sql.streaming.stateStore.providerClass": (
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
        ),
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
    domains_of((), request.site, _NO_HOSTS)  # validates it
    if request.known.where:
        row_filter(request.known.where, request.known.paths)  # as above
    house = OutputFolder(request.out)
    files = inputs(request.paths)
    if not files:
        raise StreamsharkError(f"no files found in {', '.join(request.paths)}")
    options = _options(request)
    anew = request.overwrite or not house.listed.runs
    held = house.listed.options
    differ = [name for name, value in options.items() if held.get(name) != value]
    if not anew and differ:
        raise StreamsharkError(
            f"{request.out} was written with other options ({', '.join(differ)}); "
            "--mode overwrite reads all files again"
        )
    fresh = files if anew else house.fresh(files)
    if not fresh:
        return _summary(spark, house, 0)
    shares = request.shares or spark.sparkContext.defaultParallelism
    shares = shares if anew else house.listed.shares
    last = None if anew else house.last
    before = () if anew else house.listed.files
    step = _Work(spark, request, house.begin(), last, shares, before)
    step.read(fresh)
    step.run.commit(fresh, anew=anew, shares=shares, options=options)
    return _summary(spark, house, len(fresh))


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
    if options.get("site"):  # a query by connection has no domains
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


class _Work:
    """The work of one run."""

    def __init__(
        self,
        spark: SparkSession,
        request: RunOptions,
        run: OutputRun,
        last: str | None,
        shares: int,
        read_before: Iterable[str],
    ) -> None:
        self.spark = spark
        self.request = request
        self.run = run
        self.last = last
        self.shares = shares
        self.read_before = read_before
        self.staging = str(run.staging.absolute())
        self.state = run.warehouse.state(run.name).absolute()
        self.before = run.warehouse.state(last).absolute() if last else None
        self.known_hosts = DomainHosts.read(self.before / HOSTS_FILE) if self.before else None
        self.hosts = self.known_hosts

    def read(self, files: Sequence[Input]) -> None:
        """Write all tables into the staging folder."""
        if self.request.site == AUTO:
            self._scout(files)
        jobs = self._sites(files)
        wanted = [each for each in self.request.tables if each not in ORDERED]
        with ThreadPoolExecutor(1) as beside:  # one task, while the others read the splits
            judged = beside.submit(self._ordered_pass, jobs)
            tables = self._shared(wanted)
            dissection = Dissection(
                self.spark, self.staging, tables, self.shares, time_slice=self.request.time_slice
            )
            if wanted:
                dissection.read_apart(jobs, files, self._read_before())
            ordered_pass = judged.result()
        if wanted:
            self._put_together(dissection, ordered_pass)
        if FRAMES in wanted:
            self._join(ordered_pass)
        for table in ORDERED:
            if table in self.request.tables:
                self._keep(ordered_pass, table)

    def _shared(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the tables that partitions of connections write."""
        out = [each for each in wanted if each != COMMANDS]
        if COMMANDS in wanted:
            out += command_tables(self.request.known)
        return tuple(out)

    def _sites(self, files: Sequence[Input]) -> list[ReadTask]:
        """Return a task for each domain, over all its new files."""
        found = domains_of((each.name for each in files), self.request.site, self.hosts)
        columns = [each for each in frames().names if self.request.fields or each != "fields"]
        known = self.request.known
        jobs = [
            ReadTask(FRAMES, tuple(columns), each.files, known, each.name, within=each.within)
            for each in found
        ]
        silent = self._earlier() - {job.site for job in jobs}
        return [*jobs, *(ReadTask(FRAMES, tuple(columns), (), known, site) for site in silent)]

    def _scout(self, files: Sequence[Input]) -> None:
        """Discover which hosts are related."""
        names = [each.name for each in files]
        found = each_of(self.spark, names, partial(seen, known=self.request.known))
        self.hosts = clusters(found, self.known_hosts)
        self.hosts.write(self.state / HOSTS_FILE)

    def _earlier(self) -> set[str | None]:
        """Return the domains of the last run: their open connections are kept."""
        if self.known_hosts is not None:
            return set(self.known_hosts.names)
        if self.before is None:
            return set()
        names = {
            each.name.removeprefix("ordered_pass-") for each in self.before.glob("ordered_pass-*")
        }
        return {None if each == "all" else each for each in names}

    def _stateful(self, job: ReadTask, name: str) -> ReadTask:
        before = self.before / name if self.before else None
        resumes = str(before) if before is not None and before.exists() else None
        return replace(job, resumes=resumes, saves=str(self.state / name))

    def _ordered_pass(self, jobs: Sequence[ReadTask]) -> DataFrame:
        """Run an ordered reading of each domain, and return its rows."""
        ordered = [
            self._stateful(replace(job, table=ORDERED_PASS, columns=tuple(_ordered_pass().names)),
                           f"ordered_pass-{job.label}")
            for job in jobs
        ]  # fmt: skip
        schema = _ordered_pass()
        if self.request.site:
            schema = schema.append(pa.field("site", pa.string()))
            ordered = [replace(job, columns=tuple(schema.names)) for job in ordered]
        found = spread(self.spark, ordered, produce, schema)
        place = local(self.run.staging / "_ordered_pass")
        found.write.parquet(place)
        return self.spark.read.parquet(place)

    def _put_together(self, dissection: Dissection, ordered_pass: DataFrame) -> None:
        """Join the splits in tasks by partition, and write the final rows."""
        endings = ordered_pass.where(F.col("kind") == ENDING).select(
            "ending.*", *(["site"] if self.request.site else [])
        )
        at = {
            row["site"] if self.request.site else None: (row["time_ns"], row["file"], row["packet"])
            for row in endings.collect()
        }

        def share(job: ReadTask) -> ReadTask:
            name = f"share-{job.label}-{job.share:03}"
            return self._stateful(replace(job, ending=at.get(job.site)), name)

        dissection.put_together(share)
        self._number(dissection.verdicts(), ordered_pass)
        dissection.settle()

    def _read_before(self) -> dict[str | None, int]:
        """Return the number of captures of each domain that earlier runs have read."""
        found = domains_of(self.read_before, self.request.site, self.known_hosts or _NO_HOSTS)
        return {each.name: len(each.files) for each in found}

    def _number(self, verdicts: DataFrame, ordered_pass: DataFrame) -> None:
        """Write, for each source, the ordered pass's numbers of its connections."""
        site = [F.col("site") if self.request.site else F.lit(None).cast("string").alias("site")]
        flows = ordered_pass.where(F.col("kind") == ADDRESSES).select(
            *site,
            F.least("addresses.src", "addresses.dst").alias("one"),
            F.greatest("addresses.src", "addresses.dst").alias("other"),
            F.col("addresses.flow").alias("flow"),
        )
        by = Window.partitionBy("site", "one", "other").orderBy("flow")
        flows = flows.withColumn("ordinal", F.row_number().over(by).cast("long"))
        same = [F.col(f"v.{name}").eqNullSafe(F.col(f"f.{name}"))
                for name in ("site", "one", "other", "ordinal")]  # fmt: skip
        found = verdicts.alias("v").join(flows.alias("f"), same).select(
            "v.source", "v.number", "f.flow", "v.shift_0", "v.shift_1", "v.swapped"
        )  # fmt: skip
        found.write.partitionBy("source").parquet(local(self.run.staging / write_task.NUMBERS))

    def _join(self, ordered_pass: DataFrame) -> None:
        """Join rows with their numbers and annotations."""
        site = ["site"] if self.request.site else []
        annotated = ordered_pass.where(F.col("kind") == ANNOTATED_ROWS).select(
            *site, F.col("open").alias("annotated_open"), "annotated.*"
        ).drop("time_ns")  # fmt: skip
        rows = self._rows()
        if rows is None:
            return
        keys = [*site, *_KEY, "what"]
        what = F.coalesce(F.col("command"), F.lit(""))
        rows = rows.withColumn("what", what)
        annotated = annotated.withColumn("what", what).drop("command")
        joined = rows.join(annotated, keys, "inner").drop("what")
        order = [each for each in frames(numbered=True).names if each in joined.columns]
        plain = [each for each in rows.columns if each not in ("what", "open")]
        pending = joined.where(F.col("annotated_open") & ~F.col("open")).select(plain)
        part = F.when(F.col("annotated_open"), "open").otherwise("done")
        write(joined.withColumn("part", part).select(*order, *site, "part"), self._place(FRAMES))
        pending.write.parquet(local(self.state / PENDING))

    def _rows(self) -> DataFrame | None:
        """Return the rows of this run, and pending ones of earlier runs; None without any."""
        found: list[DataFrame] = []
        place = self.run.staging / write_task.ROWS
        if place.exists():
            read = self.spark.read.parquet(local(place))
            found.append(read.withColumn("open", F.col("part") == "open").drop("part"))
        if self.before is not None and (self.before / PENDING).exists():
            read = self.spark.read.parquet(local(self.before / PENDING))
            found.append(read.withColumn("open", F.lit(col=False)))
        if not found:
            return None
        out = found[0]
        for each in found[1:]:
            out = out.unionByName(each, allowMissingColumns=True)
        return out

    def _place(self, table: str) -> str:
        return f"{self.staging}/{table}"

    def _keep(self, ordered_pass: DataFrame, table: str) -> None:
        """Write a table of the ordered pass."""
        site = ["site"] if self.request.site else []
        part = F.when(F.col("open"), "open").otherwise("done").alias("part")
        rows = ordered_pass.where(F.col("kind") == table)
        write(rows.select(f"{table}.*", *site, part), self._place(table))


def _ordered_pass() -> pa.Schema:
    return schema_of(ORDERED_PASS, ReadOptions())
