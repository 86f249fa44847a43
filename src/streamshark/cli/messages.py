"""`streamshark messages`: the messages of applications, one line each."""

import sys
from pathlib import Path
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, complain, terminal_width
from streamshark.cli.run import ended, reading, through
from streamshark.cli.short_filters import message_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.messages import DELIVERED, PUBLISHED
from streamshark.conversations.units import counted
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.protocols.catalog import catalog, find, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session
from streamshark.views.colour import Palette, wanted
from streamshark.views.message_output import (
    LETTERS,
    MessageFormat,
    MessageJson,
    MessageText,
    MessageWriter,
    file_name,
)
from streamshark.views.messages import Message, MessageReader
from streamshark.views.terminal_lines import of_row
from streamshark.views.times import Clock

MOST_FILES = 100_000
"""Most files that one run exports."""


@click.command("messages", context_settings=options.HELP, short_help="Show the messages.")
@refuse_unsupported
@options.sources
@options.engine
@display_filter
@options.form("text", "json", "ndjson", default="text")
@click.option(
    "-f",
    "template",
    metavar="FORMAT",
    help="Print each message as kcat does: "
    + ", ".join(f"%{letter} {meaning}" for letter, meaning in LETTERS.items())
    + r"; \n, \t, \xHH.",
)
@click.option(
    "--stream",
    "streams",
    multiple=True,
    metavar="NAME",
    help="Show only messages of this stream, subject, segment or route. Repeatable.",
)
@options.flows
@message_filters
@click.option(
    "--way",
    type=click.Choice([PUBLISHED, DELIVERED]),
    help="Show only messages to the server (published) or from it (delivered).",
)
@click.option(
    "--export-objects",
    "exported",
    metavar="PROTOCOL,DIR",
    help="Write the body of each message of a protocol to a file in DIR.",
)
@click.option(
    "-t",
    "time",
    default="r",
    metavar="a|ad|d|dd|e|r|u|ud",
    callback=options.time_style,
    help="Time format: relative to the first packet (r, the default), time of day (a), ...",
)
@options.colouring
@options.strictness
@options.protocols
@options.showing
@click.option("-l", "immediate", is_flag=True, help="Flush after each message.")
@click.option("-q", "quiet", is_flag=True, help="With --export-objects: print no messages.")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """List the messages that applications published and received, one line each.

    A line has the frame and packet, the time, the direction (-> to the server, <- from it), the
    stream, subject, segment or route, the offset or publishing id, the key and the body. A
    delivered message whose publish is in the capture ends with the publishing frame and the
    latency. One process reads (there is no -j): the two may be on different connections.

    \b
    streamshark messages capture.pcapng
    streamshark messages --stream orders --way delivered capture.pcapng
    streamshark messages -f '%t [%o] %k: %s\\n' capture.pcapng
    streamshark messages -T ndjson capture.pcapng | jq .latency_ns
    streamshark messages --export-objects nats,bodies capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    known = catalog(given["paths"])
    export = _Export(given["exported"], known) if given["exported"] else None
    writer_of_format = None if given["template"] is None else MessageFormat(given["template"])
    shown = formats(given["paths"])
    live = given["immediate"]
    with reading(given, protocols=known, formats=shown, live=live, puts_together=True) as session:
        writer = writer_of_format or _writer(session, given)
        return _written(session, writer, export, given)


def _writer(session: Session, given: dict[str, Any]) -> MessageWriter:
    """Return the writer of the format that the options choose."""
    files = [each.name for each in session.captures]
    if given["form"] != "text":
        return MessageJson(files if len(files) > 1 else (), array=given["form"] == "json")
    style, digits = given["time"]
    width = terminal_width()
    palette = Palette(enabled=wanted(given["colour"], sys.stdout))
    return MessageText(Clock(style, lambda: session.started_ns, digits), palette, width=width)


def _written(
    session: Session, writer: MessageWriter, export: "_Export | None", given: dict[str, Any]
) -> int:
    """Write the messages; return the exit code."""
    showing = options.showing_of(given)
    hide = None if showing.secrets else SecretMask(session.layers).row
    reader = MessageReader(session.protocols, showing, session.layers, hide)
    output = Output(
        immediate=given["immediate"],
        folds=given["form"] == "text" and not given["template"],
        layout_of=of_row,
    )
    write = _discard if given["quiet"] else output.write
    problems = shown = 0
    held: list[Message] = []
    """The messages of the last frame: those of a frame inside it replace them."""

    def give() -> None:
        nonlocal shown
        for each in held:
            if _is_wanted(each, given):
                shown += 1
                write(writer.message(each))
                if export is not None:
                    export.write(each)
        held.clear()

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        if not isinstance(row, FrameRow):
            return
        if held and row.carrier is not held[0].row:
            give()
        found = reader.messages(row)
        held[:] = found if selection.takes(row) else ()

    write(writer.head())
    selection = Selection(given, session)
    analysis = session.analysis(derives=selection.derives)
    ending = through(analysis.rows(), take, beside=True)
    give()
    write(writer.tail())
    output.flush()
    if session.frames and not shown:
        complain("no message matches the options, or the capture has none")
    if export is not None:
        complain(f"{counted(export.written, 'file')} written to {export.folder}")
    return ended(session, ending, strict=given["strict"], problems=problems)


def _discard(_text: str) -> None:
    """Print nothing (-q)."""


def _is_wanted(message: Message, given: dict[str, Any]) -> bool:
    way = PUBLISHED if message.is_published else DELIVERED
    return (
        (not given["streams"] or message.stream in given["streams"])
        and (not given["flows"] or message.row.connection.flow.number in given["flows"])
        and given["way"] in (None, way)
    )


class _Export:
    """Files with the bodies of one protocol's messages; `text` is PROTOCOL,DIR."""

    def __init__(self, text: str, known: tuple[Protocol, ...]) -> None:
        name, comma, folder = text.partition(",")
        if not comma or not folder:
            raise click.UsageError("--export-objects needs PROTOCOL,DIR: nats,bodies")
        self.protocol = find(name, known).wire.id
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.written = 0

    def write(self, message: Message) -> None:
        """Write the body of a message, if it is one of the protocol and not masked."""
        if message.row.connection.wire.id != self.protocol or message.data is None:
            return
        if self.written < MOST_FILES:
            (self.folder / file_name(message)).write_bytes(message.data)
            self.written += 1
