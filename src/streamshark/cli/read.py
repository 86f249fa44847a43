"""`streamshark read`: the frames and events of captures."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from streamshark.analysis import Analysis
from streamshark.answers import KnownAnswers
from streamshark.cli import options
from streamshark.cli.display_filter import (
    derives,
    display_filter,
    filter_of,
    report_unselected,
)
from streamshark.cli.following import check_followed, follow
from streamshark.cli.frame_numbers import frame_numbers
from streamshark.cli.output import Output, pages
from streamshark.cli.parallel import ParallelOutput, ShownRows, following, jobs, jobs_of
from streamshark.cli.row_selection import RowSelection
from streamshark.cli.run import Ending, concluded, ended, reading, through
from streamshark.cli.short_filters import is_filtered, short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import (
    Rows,
    check,
    printer_of,
    shows_bodies,
    shows_derived,
    shows_wholes,
)
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.row import Row
from streamshark.protocols.catalog import formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session, answers_of
from streamshark.views.terminal_lines import indented, of_row

if TYPE_CHECKING:
    from streamshark.fields.registry import Fields

T = TypeVar("T")


@click.command("read", context_settings=options.HELP, short_help="Print frames and events.")
@refuse_unsupported
@options.sources
@options.engine
@click.option(
    "-2",
    "twice",
    is_flag=True,
    help="Read twice: requests name their responses, and frames the rules of their findings.",
)
@follow
@display_filter
@click.option(
    "-R",
    "--read-filter",
    "read_filter",
    metavar="FILTER",
    help="With -2: drop the rows that a display filter does not select.",
)
@click.option("--packets", is_flag=True, help="Select whole packets, as tshark does.")
@options.form("text", "json", "ndjson", "fields", default="text")
@click.option(
    "-e",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="With -T fields: show this field. Repeatable.",
)
@click.option(
    "-E",
    "layout",
    multiple=True,
    metavar="NAME=VALUE",
    callback=options.layout,
    help=f"Layout of -T fields: {options.LAYOUT}.",
)
@options.rendering
@options.paging
@click.option(
    "-t",
    "time",
    default="r",
    metavar="a|ad|d|dd|e|r|u|ud",
    callback=options.time_style,
    help="Time format: relative to the first packet (r, the default), time of day (a), ...",
)
@options.flows
@options.conversations
@frame_numbers
@click.option(
    "--no-cache",
    "no_cache",
    is_flag=True,
    help="With --frame: keep no index of the captures, and use none that is kept.",
)
@short_filters
@click.option(
    "-w",
    "write",
    metavar="OUT",
    help="Write the packets to a capture instead of rows to the screen; - is stdout.",
)
@click.option(
    "-F",
    "file_format",
    type=click.Choice(options.CAPTURE_FORMATS),
    default=options.CAPTURE_FORMATS[0],
    help="Format of -w: pcapng (the default), pcap, nsecpcap.",
)
@click.option(
    "--flows",
    "whole_flows",
    is_flag=True,
    help="With -w and -Y: write the whole connections of the selected rows.",
)
@click.option("-P", "--print", "print", is_flag=True, help="Show rows although -w writes packets.")
@options.protocols
@options.showing
@jobs
@click.option("-l", "immediate", is_flag=True, help="Write every row and packet at once.")
@click.option(
    "-q", "quiet", is_flag=True, help="Show no rows, only the messages on standard error."
)
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Print the frames and connection events of captures, one line each.

    FILE is a pcap or pcapng capture, compressed (gzip, zstd, lz4) or not; - is standard input.
    Several files are merged by time and read as one. Options have the meaning that they have in
    tshark. TLS is decrypted if the capture contains the secrets or a key log is given. With
    -w, rows are shown only if -P, -V, -x or -T asks for them.

    \b
    streamshark read capture.pcapng
    streamshark read -V -x -c 100 capture.pcapng
    streamshark read -Y 'rmqstream.command == "open"' capture.pcapng
    streamshark read --stream orders --failed capture.pcapng
    streamshark read -T ndjson capture.pcapng | jq .command
    tcpdump -i any -U --immediate-mode -w - port 5552 | streamshark read -l -
    streamshark read --follow ring_00001_20261126101500.pcapng
    streamshark read -o tls.keylog_file:keys.log capture.pcapng
    streamshark read --frame 7312004 -V large.pcapng
    streamshark read --flow 3,7 -w part.pcapng capture.pcapng
    streamshark read -Y rmqstream.problem --flows -w part.pcapng capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    check(given)
    _check_filters(given)
    given["immediate"] |= check_followed(given, twice="-2")
    given["shown"] = given["write"] is None or _asks_for_rows(given)
    if given["print"] and given["write"] is None:
        raise click.UsageError("-P goes with -w; rows are shown anyway")
    shown = formats(given["paths"]) if shows_bodies(given) else ()
    if given["numbers"]:
        code = _indexed(given)
        if code is not None:
            return code
    answers = _answers(given) if given["twice"] else None
    live, whole = given["immediate"], shows_wholes(given)
    with reading(given, formats=shown, live=live, puts_together=whole) as session:
        names = [each.name for each in session.captures]
        view = partial(
            printer_of,
            _without_columns(given) if given["packets"] else given,
            files=names if len(names) > 1 else (),
            layers=session.layers,
            fields=partial(_fields, session.protocols, session.layers, names),
        )
        if given["packets"]:
            return _shown_packets(session, view(start=lambda: session.started_ns), given, answers)
        return _Reading(session, view, given).run(answers)


def _fields(protocols: tuple[Protocol, ...], layers: PayloadReaders, names: list[str]) -> "Fields":
    """Return the registry of fields of a reading."""
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - for -T fields alone

    return Fields(protocols, layers, names if len(names) > 1 else ())


def _indexed(given: dict[str, Any]) -> int | None:
    """Show the frames with the chosen numbers by an index, if it can; return the exit code."""
    from streamshark.cli.indexed_rows import is_indexable, shown_by_index  # noqa: PLC0415 - few need it

    if not is_indexable(given):
        return None

    def view(
        names: list[str],
        protocols: tuple[Protocol, ...],
        layers: PayloadReaders,
        start: Callable[[], int | None],
    ) -> Rows:
        return printer_of(
            given,
            files=names if len(names) > 1 else (),
            layers=layers,
            start=start,
            fields=lambda: _fields(protocols, layers, names),
        )

    return shown_by_index(given, view, lambda: _output(given))


def _answers(given: dict[str, Any]) -> KnownAnswers:
    """Return the answers of requests, found by a first pass."""
    if "-" in (*given["more"], *given["files"]):
        raise click.UsageError("-2 reads captures twice; standard input can only be read once")
    with reading(given, formats=formats(given["paths"]), puts_together=True) as session:
        return answers_of(session)


def _asks_for_rows(given: dict[str, Any]) -> bool:
    """Return whether options ask for rows besides the packets of -w, as in tshark."""
    source = click.get_current_context().get_parameter_source("form")
    chosen = source is not None and source is not click.core.ParameterSource.DEFAULT
    return bool(given["print"] or given["tree"] or given["dump"] or chosen)


class _Reading:
    """One pass over the rows of a session: it shows those that are chosen, and counts problems."""

    def __init__(self, session: Session, view: Callable[..., Rows], given: dict[str, Any]) -> None:
        self.session = session
        self.view = view
        """Returns the view of the rows."""
        self.rows = view(start=lambda: session.started_ns)
        self.given = given
        self.selection = RowSelection(session, given)
        self.filter = filter_of(given, session)
        self.is_seen = given["shown"] and not given["quiet"]
        """Whether rows are written."""
        self.is_formatted = given["shown"] or given["strict"]
        """Whether they are formatted, which counts their problems."""
        self.select: Callable[[Row], object] = _unseen_row
        """Called with each row that is selected."""

    def run(self, answers: KnownAnswers | None) -> int:
        """Write the rows and packets, then report what could not be read; return the exit code."""
        session, given = self.session, self.given
        if given["write"] is None:
            written = 0
            if self.selection.is_all and self.filter is None and (count := jobs_of(given)) > 1:
                code, written = self._in_parallel(answers, count)
                if code is not None:
                    return code
                self.rows = self.view(start=lambda: session.started_ns)
            ending = self._pass(answers, _unseen_row, written)
        else:
            from streamshark.cli.packet_output import PacketOutput  # noqa: PLC0415 - few need it

            with PacketOutput(session, given, self.selection) as packets:
                self.select = packets.select
                ending = self._pass(answers, packets.see)
                packets.finish(ending)
        return ended(session, ending, strict=given["strict"], problems=self.rows.problems)

    def _in_parallel(self, answers: KnownAnswers | None, count: int) -> tuple[int | None, int]:
        """Read with several processes; return the exit code, and the characters written.

        The exit code is None if one process must write what follows these.
        """
        from streamshark.parallel.reading import ReadPlan  # noqa: PLC0415 - few use it

        given, output = self.given, _output(self.given)
        parallel = ParallelOutput(self.session, output.write if self.is_seen else _unseen)
        plan = ReadPlan(
            count=count,
            sources=(*given["more"], *given["files"]),
            known=self.session.dissector.known,
            view=lambda start: ShownRows(self.view(start=start)),
            analysis=self._annotations(answers),
            limit=given["limit"],
            puts_together=shows_wholes(given),
            timed=given["time"][0] in ("d", "dd"),
            quiet=not self.is_seen,
        )
        with output:
            ending = parallel.show(plan, self.rows)
        if ending is None:
            return None, parallel.written
        problems = sum(parallel.results)
        return concluded(parallel.report, ending, strict=given["strict"], problems=problems), 0

    def _annotations(self, answers: KnownAnswers | None) -> dict[str, Any] | None:
        """Return the options of the analysis; None if no annotations are shown."""
        if not (self.rows.printer.shows_annotations and self.is_seen):
            return None
        shown = shows_derived(self.given)
        return {"answers": answers, "derives": shown, "in_full": self.given["tree"]}

    def _pass(
        self, answers: KnownAnswers | None, see: Callable[[Row], object], written: int = 0
    ) -> Ending:
        """Take all rows; `written` characters of what they show are already there."""
        with _output(self.given) as output:
            write = following(output.write, written) if self.is_seen else _unseen
            ending = self._written(answers, see, write)
        if self.filter is not None:
            report_unselected(self.filter, self.session, self.given)
        return ending

    def _written(
        self,
        answers: KnownAnswers | None,
        see: Callable[[Row], object],
        write: Callable[[str], None],
    ) -> Ending:
        """Write all rows that are selected."""
        write(self.rows.head())
        finds, wanted = bool(self.selection.conversations), self._annotations(answers)
        analyses = self.filter is not None and self.filter.needs_analysis
        if finds or analyses or wanted is not None:
            analysis = self.session.analysis(
                conversations=finds,
                answers=answers,
                derives=derives(self.filter, shows_derived(self.given)),
                in_full=self.given["tree"],
            )
            ending = self._annotated(analysis, write, see)
            self.selection.finish(analysis, ending)
        else:
            ending = self._plain(write, see)
            self.selection.finish(None, ending)
        write(self.rows.tail())
        return ending

    def _annotated(
        self, analysis: Analysis, write: Callable[[str], None], see: Callable[[Row], object]
    ) -> Ending:
        """Take the rows with their annotations."""
        selection, formatted = self.selection, self.is_formatted
        selected = self.filter or _selected

        def show(row: Row) -> None:
            see(row)
            if (selection.is_all or selection.takes(row, analysis.ended())) and selected(row):
                self.select(row)
                write(self.rows.row(row) if formatted else "")

        def show_many(rows: list[Row]) -> None:
            for row in rows:
                show(row)

        if self.filter is not None and selection.is_all:  # the engine is quicker with many rows
            found = self._needed(analysis.batches(_unseen_row))
            ending = through(found, show_many, beside=self.is_seen, size=len)
        else:
            ending = through(self._needed(analysis.rows()), show, beside=self.is_seen)
        analysis.finish()
        return ending

    def _plain(self, write: Callable[[str], None], see: Callable[[Row], object]) -> Ending:
        """Take the rows without annotations."""
        selection, formatted = self.selection, self.is_formatted

        def show(many: list[Row]) -> None:
            if see is not _unseen_row:
                for row in many:
                    see(row)
            if not selection.is_all:
                many = [row for row in many if selection.takes(row)]
            if self.filter is not None:
                many = list(filter(self.filter, many))
            if self.select is not _unseen_row and (self.filter or self.given["numbers"]):
                for row in many:
                    self.select(row)
            if formatted:
                write("".join(map(self.rows.row, many)))

        batches = self._needed(self.session.batches())
        return through(batches, show, beside=self.is_seen, size=len)

    def _needed(self, rows: Iterable[T]) -> Iterator[T]:
        """Yield rows, or batches of rows, until all that are chosen by number were among them."""
        numbers, given = self.given["numbers"], self.given
        ends = numbers and given["write"] is None and not self.selection.conversations
        for each in rows:
            yield each
            if ends and self.session.frames >= numbers.last:
                return


def _output(given: dict[str, Any]) -> Output:
    """Return what the rows are written to."""
    return Output(
        immediate=given["immediate"],
        folds=given["form"] == "text" and not given["wide"] and not given["dump"],
        layout_of=indented if given["tree"] else of_row,
        pages=given["tree"] and given["form"] == "text" and given["shown"] and pages(given),
    )


def _without_columns(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options without the chosen fields, which those of packets may be."""
    return {**given, "fields": (), "layout": {}}


def _shown_packets(
    session: Session, rows: Rows, given: dict[str, Any], answers: KnownAnswers | None
) -> int:
    """Show or copy the selected packets; return the exit code."""
    from streamshark.cli.packets import heading, shown_packets  # noqa: PLC0415 - for --packets alone

    shows = given["shown"]
    with _output(given) as output:
        output.write((heading(given) or rows.head()) if shows else "")
        if given["write"] is None:
            ending = shown_packets(session, rows, given, output, answers)
        else:
            from streamshark.cli.packet_output import PacketOutput  # noqa: PLC0415 - few need it

            with PacketOutput(session, given, None) as packets:
                ending = shown_packets(session, rows, given, output, answers, packets)
                packets.finish(ending)
        output.write(rows.tail() if shows else "")
    return ended(session, ending, strict=given["strict"], problems=rows.problems)


def _check_filters(given: dict[str, Any]) -> None:
    """Raise a usage error for display filters that do not go with other options."""
    if given["read_filter"] and not given["twice"]:
        raise click.UsageError("-R is for the first of two readings: it needs -2")
    if given["packets"] and given["flows"]:
        raise click.UsageError("--packets goes with -Y, not with --flow")
    if given["packets"] and given["numbers"]:
        raise click.UsageError("--packets goes with -Y, not with --frame")
    is_chosen = is_filtered(given) or given["numbers"]
    if given["whole_flows"] and (given["write"] is None or not is_chosen):
        raise click.UsageError("--flows is for -w OUT with -Y FILTER or --frame N")


def _selected(_row: Row) -> bool:
    """Return True: there is no display filter."""
    return True


def _unseen(_text: str) -> None:
    """Discard a row (-q): it is formatted all the same, so that its problems are counted."""


def _unseen_row(_row: Row) -> None:
    """Note nothing of a row."""
