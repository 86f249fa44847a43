"""`streamshark spark`: archives of captures as tables, by Spark."""

import gc
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from streamshark.cli import options
from streamshark.cli.check import FOUND, LEVELS
from streamshark.cli.filter_macros import with_macros
from streamshark.cli.output import Output, complain
from streamshark.errors import StreamsharkError
from streamshark.views.json_array import JsonArray

if TYPE_CHECKING:
    from streamshark.spark.pipeline import RunOptions, RunSummary
    from streamshark.spark.read_task import ReadOptions

TABLES = ("frames", "flows", "conversations", "findings", "bad_inputs", "messages", "commands")
BODIES = ("none", "hash", "full")
CODECS = ("none", "lz4", "zstd")
MOST_ROWS = 1000
"""Most rows of a result that are shown by default."""

Command = Callable[..., Any]


def _cluster(command: Command) -> Command:
    """Add the options that choose the cluster."""
    for option in (
        click.option(
            "--conf",
            multiple=True,
            metavar="NAME=VALUE",
            callback=_conf,
            help="Set a Spark configuration property. Repeatable.",
        ),
        click.option(
            "--master",
            metavar="URL",
            help="Spark master: spark://HOST:7077, yarn, k8s://... (local[*] by default).",
        ),
    ):
        command = option(command)
    return command


def _conf(
    context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    out = {}
    for each in values:
        name, equals, value = each.partition("=")
        if not equals:
            raise click.UsageError(f"--conf {each}: expected NAME=VALUE", context)
        out[name] = value
    return out


def _where(command: Command) -> Command:
    """Add the option that chooses the frames that are written."""
    return click.option(
        "--where",
        default="",
        metavar="FILTER",
        help="Write only the frames that a display filter selects; conversations, findings and "
        "flows are those of all frames.",
    )(command)


def _sized(command: Command) -> Command:
    """Add the options that choose how the work is divided."""
    for option in (
        click.option(
            "--compress-packets",
            "codec",
            type=click.Choice(CODECS),
            default=CODECS[0],
            help="Compression of packets on their way to the task that reads their connection.",
        ),
        click.option(
            "--shares",
            type=click.IntRange(1),
            metavar="N",
            help="Number of groups of connections, each read by one task.",
        ),
    ):
        command = option(command)
    return command


def _kept(command: Command) -> Command:
    """Add the options that choose what of the captures is written."""
    for option in (
        click.option(
            "--show-secrets", is_flag=True, help="Keep passwords and other secrets in clear text."
        ),
        click.option("--fields", is_flag=True, help="Keep all fields of each frame, as JSON."),
        click.option(
            "--bodies",
            type=click.Choice(BODIES),
            default=BODIES[0],
            help="What to keep of message bodies: only the length (the default), SHA-256, or all.",
        ),
        click.option(
            "--site",
            multiple=True,
            metavar="folder|NAME=NETWORK[,NETWORK...]",
            help="Split the input into independent networks, each numbered and judged separately "
            "by tasks of their own: each folder, or the connections of named "
            "networks. Repeatable for networks.",
        ),
        click.option(
            "--table",
            "tables",
            multiple=True,
            type=click.Choice(TABLES),
            help="Write only this table. Repeatable.",
        ),
        click.option("--out", required=True, metavar="DIR", help="Output folder of the tables."),
        click.option(
            "-d",
            "decode_as",
            multiple=True,
            metavar="tcp.port==N,PROTOCOL",
            callback=options.decode_as,
            help="Decode a TCP port as a protocol. Repeatable.",
        ),
    ):
        command = option(command)
    return options.protocols(command)


@click.group("spark", context_settings=options.HELP)
def command() -> None:
    """Convert archives of captures to tables and query them, with Spark.

    Needs `pip install streamshark[spark]` and a Java runtime (17).

    \b
    streamshark spark run captures/ --out tables
    streamshark spark run captures/ --out tables --master spark://host:7077
    streamshark spark sql --out tables "SELECT count(*) FROM frames"
    streamshark spark stream captures/ --out tables
    """  # noqa: D301 - click's mark for lines that stay
    gc.enable()  # a driver may run for days


@command.command("run", context_settings=options.HELP)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@_kept
@_cluster
@click.option(
    "--mode",
    type=click.Choice(["append", "overwrite"]),
    default="append",
    help="append (the default) reads only new files and continues open connections; overwrite "
    "reads all files again.",
)
@_sized
@_where
@click.option(
    "--also",
    metavar="FORMAT:PLACE",
    help="Also write the tables to delta:DIR or iceberg:CATALOG.NAMESPACE, if the Spark session "
    "supports it.",
)
@click.option(
    "--explain",
    "explains",
    is_flag=True,
    help="Show the tasks of the run with their bytes, and the connections; write nothing.",
)
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    help="Exit with 1 if the tables have a finding of this severity or higher.",
)
def run(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Convert captures to Parquet tables. INPUT: files, folders, patterns, URLs.

    The tables contain what read, conversations and check report for the same files. A second run
    with the same files changes nothing; with more files it reads only those.
    """
    with _spark(given) as spark:
        from streamshark.spark.pipeline import run as running  # noqa: PLC0415
        from streamshark.spark.table_formats import lake_of, write  # noqa: PLC0415 - pyspark is heavy

        lake = lake_of(spark, given["also"]) if given["also"] else None
        if given["explains"]:
            _print_plan(spark, given)
            return 0
        summary = running(spark, _request(given))
        if lake is not None:
            write(spark, given["out"], lake)
    return _summed(summary, given["fail_on"])


@command.command("stream", context_settings=options.HELP)
@click.argument("inputs", nargs=-1, required=True, metavar="DIR...")
@_kept
@_cluster
@_where
@_sized
@click.option(
    "--settled",
    type=click.FloatRange(0),
    default=10.0,
    metavar="SECONDS",
    help="Read the newest file once it has not changed for this long (10).",
)
@click.option("--once", is_flag=True, help="Read the existing files and exit.")
def stream(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Follow folders of rotating captures and append new files to the tables.

    A file is read once a newer one exists, or once it has not changed for a while. After a restart
    it continues where it stopped and reads each file exactly once.
    """
    with _spark(given) as spark:
        from streamshark.spark.pipeline import stream as streaming  # noqa: PLC0415 - pyspark is heavy

        request = _request(given)
        streaming(spark, request, settled=given["settled"], once=given["once"]).awaitTermination()
    return 0


@command.command("sql", context_settings=options.HELP)
@click.argument("query")
@click.option("--out", required=True, metavar="DIR", help="Folder of the tables.")
@options.form("text", "json", "ndjson", default="text")
@click.option(
    "--numbers",
    is_flag=True,
    help="Add frame numbers and conversations to the tables of commands and messages.",
)
@click.option(
    "--where",
    default="",
    metavar="FILTER",
    help="Query only the frames that a display filter selects, in the tables frames and messages "
    "and in those of commands.",
)
@click.option(
    "--most", type=click.IntRange(1), default=MOST_ROWS, metavar="N",
    help=f"Show at most N rows ({MOST_ROWS} by default).",
)  # fmt: skip
@_cluster
def sql(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Query the tables of a folder with SQL; command tables have names like rmqstream_publish."""
    with _spark(given) as spark:
        from streamshark.spark.pipeline import as_json, ask  # noqa: PLC0415 - pyspark is heavy

        answer = ask(
            spark, given["out"], given["query"], given["most"],
            numbers=given["numbers"], where=with_macros(given["where"]),
        )  # fmt: skip
        texts = [] if given["form"] == "text" else as_json(answer)
        output = Output()
        match given["form"]:
            case "ndjson":
                output.write("".join(f"{each}\n" for each in texts))
            case "json":
                array = JsonArray()
                output.write(JsonArray.START + "".join(map(array.item, texts)) + array.end + "\n")
            case _:
                output.write(_grid(answer.columns, answer.collect()))
        output.flush()
    return 0


def _grid(heads: list[str], rows: list[Any]) -> str:
    """Format rows as a table of text."""
    from streamshark.views.escaping import printable  # noqa: PLC0415
    from streamshark.views.text_table import grid  # noqa: PLC0415

    cells = [["" if each is None else printable(str(each)) for each in row] for row in rows]
    return "".join(f"{line}\n" for line in grid(heads, cells))


_LEAST_SPARK = 4
_NOT_SENT = "No module named 'streamshark'"


def _lacking(error: ImportError) -> str:
    """Return a sentence that explains why Spark cannot be used."""
    try:
        from importlib.metadata import version  # noqa: PLC0415 - for this sentence alone

        found = version("pyspark")
    except ImportError:
        return f"Spark is not installed ({error}): pip install 'streamshark[spark]'"
    if int(found.split(".")[0]) < _LEAST_SPARK:
        return (
            f"Spark {found} is too old: Streamshark needs Spark 4, which has Python data sources: "
            "pip install 'streamshark[spark]'"
        )
    return f"Spark {found} cannot be used ({error}): pip install 'streamshark[spark]'"


class _spark:  # noqa: N801 - a context manager
    """A Spark session, stopped on exit if it was created here."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.session: Any = None
        self.is_ours = False

    def __enter__(self) -> Any:  # noqa: ANN401 - a session of Spark's
        try:
            from streamshark.spark.pipeline import is_running, session  # noqa: PLC0415
        except ImportError as error:
            raise StreamsharkError(_lacking(error)) from None
        self.is_ours = not is_running()
        self.session = session(self.given["master"], **self.given["conf"])
        return self.session

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if self.is_ours:
            self.session.stop()
        if error is not None and _NOT_SENT in str(error):
            raise StreamsharkError(
                "streamshark is not installed in the Python of the executors: "
                "--conf spark.archives ships it (docs/spark.md, On a cluster)"
            ) from None


def _request(given: dict[str, Any]) -> "RunOptions":
    from streamshark.spark.pipeline import TABLES as ALL  # noqa: PLC0415
    from streamshark.spark.pipeline import RunOptions  # noqa: PLC0415

    return RunOptions(
        tuple(given["inputs"]),
        given["out"],
        tables=given["tables"] or ALL,
        known=_known(given),
        overwrite=given.get("mode") == "overwrite",
        site=";".join(given["site"]),
        shares=given["shares"] or 0,
        codec=given["codec"],
        fields=given["fields"],
    )


def _known(given: dict[str, Any]) -> "ReadOptions":
    from streamshark.spark.read_task import ReadOptions  # noqa: PLC0415
    from streamshark.spark.table_fillers import KeptValues  # noqa: PLC0415

    return ReadOptions(
        paths=tuple(given["paths"]),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        keylog=given["keylog"],
        kept=KeptValues(given["bodies"], secrets=given["show_secrets"]),
        where=with_macros(given.get("where", "")),
    )


def _print_plan(spark: Any, given: dict[str, Any]) -> None:  # noqa: ANN401 - Spark's
    """Print what a run would do."""
    from streamshark.spark.pipeline import explain  # noqa: PLC0415 - pyspark is heavy
    from streamshark.views.escaping import printable  # noqa: PLC0415
    from streamshark.views.text_table import grid  # noqa: PLC0415

    found = explain(spark, _request(given))
    lines = [f"{found.files:,} new files, {found.bytes:,} bytes, {found.connections:,} connections"]
    if found.files:
        cells = [
            [
                each.name,
                "by content" if each.tasks is None else f"{each.tasks:,}",
                f"{each.bytes:,}",
                f"{each.longest:,}",
                printable(each.what),
            ]
            for each in found.stages
        ]
        lines += grid(["stage", "tasks", "bytes", "longest task", "reads"], cells)
        longest = found.longest
        what = printable(longest.what)
        lines.append(f"longest task: {longest.name} {what}, {longest.longest:,} bytes")
    if found.largest is not None:
        large = found.largest
        lines.append(
            f"largest connection: {large.one} - {large.other}, {large.bytes:,} bytes in "
            f"{large.packets:,} packets"
        )
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))


def _summed(summary: "RunSummary", fail_on: str | None) -> int:
    """Print a summary of the run; return the exit code."""
    for file, reason in summary.bad:
        complain(f"{file}: {reason}")
    counts = ", ".join(
        f"{summary.rows.get(name, 0):,} {name}"
        for name in ("frames", "flows", "conversations", "findings")
        if name in summary.rows
    )
    sys.stdout.write(f"{summary.files} new files read; {summary.out} now has {counts}\n")
    levels = list(LEVELS)
    if fail_on is None:
        return 0
    least = levels.index(fail_on)
    return FOUND if any(levels.index(each) >= least for each in summary.severities) else 0
