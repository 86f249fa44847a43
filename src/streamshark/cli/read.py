"""`streamshark read`: the frames and events of captures."""

import gc
from collections.abc import Callable
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.lacking import lacking
from streamshark.cli.output import INTERRUPTED, Output
from streamshark.cli.progress import Progress
from streamshark.cli.rows import DAMAGED, Rows, check, printer_of, shows_bodies
from streamshark.cli.telling import tell_damage, tell_notes, tell_unrecognised
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import catalog, formats
from streamshark.session import Session


@click.command("read", context_settings=options.HELP, short_help="Show what captures hold.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-r", "--read-file", "more", multiple=True, metavar="FILE", help="Read a capture; - is stdin."
)
@click.option("-c", "limit", type=click.IntRange(1), metavar="N", help="Stop after N packets.")
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
@click.option(
    "-d",
    "decode_as",
    multiple=True,
    metavar="tcp.port==N,PROTOCOL",
    callback=options.decode_as,
    help="Read a port as a protocol. Repeatable.",
)
@options.protocols
@options.showing
@click.option("-l", "immediate", is_flag=True, help="Write every row at once.")
@click.option("-q", "quiet", is_flag=True, help="Show no rows, only what stderr says.")
@click.option("-n", "numeric", is_flag=True, help="Resolve no names; they never are.")
@click.option("-2", "twice", is_flag=True, hidden=True)
@lacking
def command(files: tuple[str, ...], more: tuple[str, ...], **given: Any) -> int:  # noqa: ANN401 - click's options
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
    sources = (*more, *files)
    if not sources:
        raise click.UsageError("nothing to read: name a capture, or - for standard input")
    if sources.count("-") > 1:
        raise click.UsageError("standard input (-) can be read once")
    check(given)
    session = Session(
        sources,
        protocols=catalog(given["paths"]),
        formats=formats(given["paths"]) if shows_bodies(given) else (),
        decode_as=given["decode_as"],
        dialects=given["dialects"],
        limit=given["limit"],
        live=given["immediate"] or "-" in sources,
        keylog=given["keylog"],
    )
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # rows make much that is new and nothing that is garbage
    gc.enable()
    names = [each.name for each in session.captures] if len(sources) > 1 else []
    try:
        rows = printer_of(
            given,
            session.tables,
            files=names,
            layers=session.layers,
            start=lambda: session.started_ns,
        )
        return _shown(session, rows, given)
    finally:
        session.decryption.close()
        for each in session.captures:
            each.close()


def _shown(session: Session, rows: Rows, given: dict[str, Any]) -> int:
    """Write the rows, then say what could not be read."""
    output = Output(immediate=given["immediate"])
    write: Callable[[str], Any] = output.write if not given["quiet"] else len
    failed: StreamsharkError | None = None
    interrupted = False
    write(rows.head())
    try:
        _written(session, rows, write)
    except StreamsharkError as error:
        failed = error
    except KeyboardInterrupt:
        interrupted = True
    write(rows.tail())
    output.flush()
    if interrupted:
        return INTERRUPTED
    if failed:
        raise failed
    damaged = tell_damage(session)
    tell_notes(session)
    if not session.frames and not damaged:
        tell_unrecognised(session)
    if given["strict"] and (damaged or rows.problems):
        return DAMAGED
    return 0


def _written(session: Session, rows: Rows, write: Callable[[str], Any]) -> None:
    """Write row after row, telling how far it is."""
    progress = Progress()
    try:
        for row in session.rows():
            write(rows.row(row))
            progress.row()
    finally:
        progress.end()
