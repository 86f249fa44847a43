"""`streamshark read`: the frames and events of captures."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from streamshark.answers import KnownAnswers
from streamshark.cli import options
from streamshark.cli.output import Output
from streamshark.cli.parallel import ParallelOutput, ShownRows, following, jobs, jobs_of
from streamshark.cli.run import concluded, ended, reading, through
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import (
    Rows,
    check,
    printer_of,
    shows_bodies,
    shows_derived,
    shows_wholes,
)
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import formats
from streamshark.session import Session, answers_of

if TYPE_CHECKING:
    from streamshark.fields.registry import Fields
    from streamshark.parallel.reading import ReadPlan


@click.command("read", context_settings=options.HELP, short_help="Show what captures hold.")
@refuse_unsupported
@options.sources
@click.option("-2", "twice", is_flag=True, help="Read twice: requests know their answers.")
@options.form("text", "json", "ndjson", "fields", default="text")
@click.option("-e", "fields", multiple=True, metavar="FIELD", help="Show a field (-T fields).")
@click.option(
    "-E",
    "layout",
    multiple=True,
    metavar="NAME=VALUE",
    callback=options.layout,
    help=f"Layout of -T fields: {options.LAYOUT}.",
)
@options.rendering
@click.option(
    "-t",
    "time",
    default="r",
    metavar="a|ad|d|dd|e|r|u|ud",
    callback=options.time_style,
    help="Times: of day, relative to the first packet (r, the default), ...; UTC with u.",
)
@options.protocols
@options.showing
@jobs
@click.option("-l", "immediate", is_flag=True, help="Write every row at once.")
@click.option("-q", "quiet", is_flag=True, help="Show no rows, only what stderr says.")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Show the frames and events of captures, one line each.

    FILE is a pcap or pcapng capture, compressed (gzip, zstd, lz4) or not; - is standard input.
    Several files are read as one session, in the order of time. Options are tshark's where they
    have its letters. TLS is read where the capture holds its secrets, or a key log is given.

    \b
    streamshark read capture.pcapng
    streamshark read -V -x -c 100 capture.pcapng
    streamshark read -T ndjson capture.pcapng | jq .command
    tcpdump -i any -U -w - port 5552 | streamshark read -l -
    streamshark read -o tls.keylog_file:keys.log capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    check(given)
    shown = formats(given["paths"]) if shows_bodies(given) else ()
    answers = _answers(given) if given["twice"] else None
    live, whole = given["immediate"], shows_wholes(given)
    with reading(given, formats=shown, live=live, puts_together=whole) as session:
        names = [each.name for each in session.captures]
        view = partial(
            printer_of,
            given,
            files=names if len(names) > 1 else (),
            layers=session.layers,
            fields=partial(_fields, session, names),
        )
        return _shown(session, view, given, answers)


def _fields(session: Session, names: list[str]) -> "Fields":
    """Return the registry of fields of a session."""
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - for -T fields alone

    return Fields(session.protocols, session.layers, names if len(names) > 1 else ())


def _answers(given: dict[str, Any]) -> KnownAnswers:
    """Return the answers of requests, found by a first pass."""
    if "-" in (*given["more"], *given["files"]):
        raise click.UsageError("-2 reads captures twice, and standard input can be read once")
    with reading(given) as session:
        return answers_of(session)


def _shown(
    session: Session,
    view: Callable[..., Rows],
    given: dict[str, Any],
    answers: KnownAnswers | None,
) -> int:
    """Write the rows, then report what could not be read; return the exit code."""
    output = Output(immediate=given["immediate"])
    write: Callable[[str], object] = _unseen if given["quiet"] else output.write
    rows = view(start=lambda: session.started_ns)
    wanted = None
    if rows.printer.shows_annotations and not given["quiet"]:
        derives = shows_derived(given)
        wanted = {"answers": answers, "derives": derives, "in_full": given["tree"]}
    if (count := jobs_of(given)) > 1:
        parallel = ParallelOutput(session, write)
        done = parallel.show(_plan(session, view, given, wanted, count), rows)
        if done is not None:
            output.flush()
            return concluded(
                parallel.report, done, strict=given["strict"], problems=sum(parallel.results)
            )
        write = following(write, parallel.written)
        rows = view(start=lambda: session.started_ns)

    def show(row: Row) -> None:
        write(rows.row(row))

    def show_many(many: list[Row]) -> None:
        write("".join(map(rows.row, many)))

    write(rows.head())
    if wanted is not None:
        ending = through(session.analysis(**wanted).rows(), show, beside=True)
    else:
        ending = through(session.batches(), show_many, beside=True, size=len)
    write(rows.tail())
    output.flush()
    return ended(session, ending, strict=given["strict"], problems=rows.problems)


def _plan(
    session: Session,
    view: Callable[..., Rows],
    given: dict[str, Any],
    wanted: dict[str, Any] | None,
    count: int,
) -> "ReadPlan":
    """Return what each of several processes does."""
    from streamshark.parallel.reading import ReadPlan  # noqa: PLC0415 - few use it

    return ReadPlan(
        count=count,
        sources=(*given["more"], *given["files"]),
        known=session.dissector.known,
        view=lambda start: ShownRows(view(start=start)),
        analysis=wanted,
        limit=given["limit"],
        puts_together=shows_wholes(given),
        timed=given["time"][0] in ("d", "dd"),
        quiet=given["quiet"],
    )


def _unseen(_text: str) -> None:
    """Discard a row (-q): it is formatted all the same, so that its problems are counted."""
