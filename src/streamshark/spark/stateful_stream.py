"""A folder in which captures rotate, followed by connection, with Spark keeping the state.

    from streamshark.spark.stateful_stream import follow, table

    output = follow(spark, ["captures/"])
    table(output, "frames").writeStream.format("parquet")...

Each connection is dissected independently, by one `transformWithState`: everything that waits for
more bytes (a partial frame, segments beyond a gap, negotiated values, open requests and
conversations) is its state, in RocksDB. A timer ends a connection that was silent for `idle`
seconds, and drops its state. One more key keeps the list of files: which were damaged, came late or
are missing.

Rows are those of a complete reading, except for what only that can produce: connections have an
`id` made of their first packet instead of a number (`flow`), frames and conversations are numbered
within their connection, and there are no facts about other connections. See docs/decisions/0021.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from streamshark.checkpoint import FinishedCapture, SharedObjects, restored, saved
from streamshark.errors import StreamsharkError
from streamshark.session import Session
from streamshark.spark.connection_packets import SLIP, CaptureNote, PacketBundle, captures
from streamshark.spark.output_folder import CHECKPOINT, OutputFolder, local, write
from streamshark.spark.read_task import LATE, ReadOptions
from streamshark.spark.ring_buffer import missing
from streamshark.spark.row_filter import row_filter
from streamshark.spark.tables import (
    BAD_INPUTS,
    BUNDLES,
    CONVERSATIONS,
    FRAMES,
    SCHEMAS,
    Filler,
    RowFiller,
    bad_filler,
    conversation_filler,
    frames,
    in_batches,
)
from streamshark.splits.inputs import UnreadableInput

TABLES = (FRAMES, CONVERSATIONS, BAD_INPUTS)
IDLE = 600
"""Seconds without a packet after which a connection is taken as ended."""
MOST_NAMES = 1024
"""Most names of files in a state; rows of earlier ones are complete."""
_OUTPUT = "table string, rows binary"


def follow(
    spark: SparkSession,
    paths: Sequence[str],
    known: ReadOptions | None = None,
    *,
    idle: float = IDLE,
    settled: float = 10,
    fields: bool = False,
) -> DataFrame:
    """Return a stream of the rows of all tables, packed; `table` unpacks one of them."""
    source = spark.readStream.format("streamshark").option("table", BUNDLES)
    source = source.option("settled", str(settled)).option("paths", json.dumps(list(paths)))
    processor = RememberedConnections(
        known or ReadOptions(), idle_ms=int(idle * 1000), fields=fields
    )
    grouped = source.load().groupBy("connection")
    return grouped.transformWithState(processor, _OUTPUT, "Append", "ProcessingTime")


def stream(  # noqa: PLR0913 - what may be wanted
    spark: SparkSession,
    out: str,
    paths: Sequence[str],
    known: ReadOptions | None = None,
    *,
    tables: Sequence[str] = TABLES,
    idle: float = IDLE,
    settled: float = 10,
    fields: bool = False,
    once: bool = False,
) -> StreamingQuery:
    """Write the tables of a followed folder into an output folder; see `OutputFolder`.

    Exactly once: each batch is the run of its number, so that a retried batch that is committed
    already is skipped. With `once` the present files are read, and the query ends.

    Raises:
        StreamsharkError: The output folder was written with other options.
    """
    if not set(tables) <= set(TABLES):
        raise StreamsharkError(f"--by connection writes only the tables {', '.join(TABLES)}")
    known = known or ReadOptions()
    if known.keylog:
        raise StreamsharkError(
            "TLS is not decrypted with --by connection: captures are not read as a whole"
        )
    if known.where:
        row_filter(known.where, known.paths)  # validates it
    options = {"by": "connection", "tables": sorted(tables), "fields": fields,
               "where": known.where,
               "bodies": known.kept.bodies, "secrets": known.kept.secrets,
               "decode_as": {str(port): name for port, name in known.decode_as.items()},
               "dialects": dict(known.dialects)}  # fmt: skip
    house = OutputFolder(out)
    if house.listed.runs and house.listed.options != options:
        raise StreamsharkError(f"{out} was written with other options")

    def batch(output: DataFrame, number: int) -> None:
        house = OutputFolder(out)
        if int(house.last or 0) > number:
            return
        run = house.begin(number + 1)
        output.persist()
        for name in tables:
            rows = table(output, name, fields=fields).withColumn("part", F.lit("done"))
            write(rows, f"{run.staging.absolute()}/{name}")
        output.unpersist()
        if any(run.staging.rglob("*.parquet")):
            run.commit((), anew=False, shares=0, options=options)

    output = follow(spark, paths, known, idle=idle, settled=settled, fields=fields)
    writer = output.writeStream.foreachBatch(batch)
    writer = writer.option("checkpointLocation", local(house.root / CHECKPOINT))
    trigger = {"availableNow": True} if once else {"processingTime": "10 seconds"}
    return writer.trigger(**trigger).start()


def table(output: DataFrame, name: str, *, fields: bool = False) -> DataFrame:
    """Return the rows of one table."""
    schema = schema_of(name, fields=fields)

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for packed in batch["rows"]:
                yield pa.ipc.read_record_batch(packed.as_buffer(), schema)

    chosen = output.where(F.col("table") == name).select("rows")
    return chosen.mapInArrow(rows, from_arrow_schema(schema))


def schema_of(name: str, *, fields: bool = False) -> pa.Schema:
    """Return the schema of a table."""
    if name != FRAMES:
        return SCHEMAS[name]
    return pa.schema([each for each in frames(numbered=True) if fields or each.name != "fields"])


class RememberedConnections(StatefulProcessor):
    """Processor of Spark that returns the rows of each connection, and keeps its state."""

    def __init__(self, known: ReadOptions, *, idle_ms: int, fields: bool = False) -> None:
        self.known = known
        self.idle_ms = idle_ms
        self.fields = fields

    def init(self, handle: Any) -> None:  # noqa: ANN401 - Spark's
        """Initialise the processor, once for each task."""
        self.handle = handle
        self.state = handle.getValueState("state", "known binary, touched bigint")
        self.reader = ConnectionReader(self.known, fields=self.fields)

    def handleInputRows(  # noqa: N802 - Spark's name
        self,
        key: Any,  # noqa: ANN401
        rows: Iterator[Row],
        timerValues: Any,  # noqa: ANN401, N803
    ) -> Iterator[Row]:
        """Return the rows that a batch of captures adds to a connection."""
        found = [PacketBundle(*row) for row in rows]
        held = self.state.get() if self.state.exists() else None
        before = bytes(held[0]) if held else None
        if key[0] == SLIP:
            output, after = _problems_of_files(found, before)
            self.state.update((after, 0))
            return iter(output)
        now = timerValues.getCurrentProcessingTimeInMs()
        self.reader.begin(key[0], before)
        output = self.reader.read(found)
        self.state.update((self.reader.left(), now))
        if held is None:
            self.handle.registerTimer(now + self.idle_ms)
        return iter(output)

    def handleExpiredTimer(  # noqa: N802 - Spark's name
        self,
        key: Any,  # noqa: ANN401
        timerValues: Any,  # noqa: ANN401, N803
        expiredTimerInfo: Any,  # noqa: ANN401, ARG002, N803
    ) -> Iterator[Row]:
        """End a connection that was silent for long enough; else set the timer again."""
        known, touched = self.state.get()
        over = touched + self.idle_ms
        if over > timerValues.getCurrentProcessingTimeInMs():
            self.handle.registerTimer(over)
            return iter(())
        self.state.clear()
        self.reader.begin(key[0], bytes(known))
        return iter(self.reader.finish())

    def close(self) -> None:
        """Do nothing: no resources are open."""


class ConnectionReader:
    """Reader of one connection after another, with one session."""

    def __init__(self, known: ReadOptions, *, fields: bool = False) -> None:
        self.kept = known.kept
        self._session = Session((), **{**known.options(), "keylog": None})
        self._analysis = self._session.analysis(conversations=True)
        self._named = SharedObjects(self._session.dissector, judged=True)
        self._blank = saved(self._session, self._analysis, self._named)
        self._frames = schema_of(FRAMES, fields=fields)
        self._where = row_filter(known.where, known.paths) if known.where else None
        self._connection, self._since = "", ""

    def begin(self, connection: str, state: bytes | None) -> None:
        """Continue a connection from its state."""
        self._connection = connection
        self._since, rest = "", self._blank
        if state is not None:
            since, _, rest = state.partition(b"\n")
            self._since = since.decode()
        self._forget()
        restored(rest, self._session, self._analysis, self._named)

    def read(self, found: Sequence[PacketBundle]) -> list[Row]:
        """Return the rows that more packets complete."""
        session = self._session
        fresh = captures(found, len(session.captures))
        if not self._since:
            self._since = json.dumps([fresh[0].name, min(each.time_ns for each in found)])
        session.captures.extend(fresh)
        return self._output(self._analysis.seen(session.read()))

    def finish(self) -> list[Row]:
        """Return the rows that the end of the connection completes."""
        return self._output(self._analysis.seen(self._session.finish()), is_over=True)

    def left(self) -> bytes:
        """Return the state after what was read."""
        session = self._session
        session.dissector.tracker.forget_copies()  # a copy comes within 0.1 s
        for at, each in enumerate(session.captures[:-MOST_NAMES]):
            if each.name:
                session.captures[at] = FinishedCapture("", at)
        state = saved(session, self._analysis, self._named)
        return self._since.encode() + b"\n" + state

    def _forget(self) -> None:
        """Clear the state of the connection before in programs; the rest is replaced."""
        for program in self._analysis.engine.programs.values():
            program.clear_shared()

    def _output(self, rows: Iterator[Any], *, is_over: bool = False) -> list[Row]:
        """Return rows, and the conversations that end with them."""
        filler = RowFiller(self._frames, self._session.dissector, self.kept)
        out = self._packed(FRAMES, filler, filter(self._where, rows) if self._where else rows)
        if is_over:
            self._analysis.engine.finish()
        ended = self._analysis.ended()
        return out + self._packed(CONVERSATIONS, conversation_filler(SCHEMAS[CONVERSATIONS]), ended)

    def _packed(self, name: str, filler: Filler, entities: Iterable[Any]) -> list[Row]:
        return [_row(name, self._named_flows(each)) for each in in_batches(filler, entities)]

    def _named_flows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Replace numbers of flows by ids that are unique among connections."""
        for name in ("flow", "flows"):
            at = batch.schema.get_field_index(name)
            if at >= 0:
                numbers = batch[name].to_pylist()
                ids = [
                    [self._id(each) for each in one] if isinstance(one, list) else self._id(one)
                    for one in numbers
                ]
                field = batch.schema.field(at)
                batch = batch.set_column(at, field, pa.array(ids, field.type))
        return batch

    def _id(self, number: int) -> int:
        """Return the id of a flow: a digest of its connection, first packet and number."""
        text = f"{self._connection}\n{self._since}\n{number}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


def _row(name: str, batch: pa.RecordBatch) -> Row:
    return Row(table=name, rows=batch.serialize().to_pybytes())


def _problems_of_files(
    found: Iterable[PacketBundle], before: bytes | None
) -> tuple[list[Row], bytes]:
    """Return the problems of files, and the state by which later ones are checked."""
    last_ns, names = json.loads(before) if before else (0, [])
    slips = sorted((CaptureNote.of(each.packets) for each in found), key=lambda each: each.file)
    bad = [UnreadableInput(each.file, each.reason, each.packets) for each in slips if each.reason]
    bad += [
        UnreadableInput(each.file, LATE, each.packets)
        for each in slips
        if each.first_ns is not None and each.first_ns < last_ns
    ]
    fresh = [each.file for each in slips]
    bad += missing(fresh, names)
    last_ns = max([last_ns, *(each.last_ns for each in slips if each.last_ns is not None)])
    kept = sorted({*names, *fresh})[-MOST_NAMES:]
    filler = bad_filler(SCHEMAS[BAD_INPUTS])
    rows = [_row(BAD_INPUTS, each) for each in in_batches(filler, bad)]
    return rows, json.dumps([last_ns, kept]).encode()
