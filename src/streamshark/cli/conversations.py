"""`streamshark conversations`: conversations as a list, or one of them in full."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import click

from streamshark.analysis import Analysis
from streamshark.cli import options
from streamshark.cli.diagnostics import report_evictions
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.output import Output, complain, terminal_width
from streamshark.cli.parallel import (
    following,
    in_parallel,
    jobs,
    jobs_of,
    judging_of,
    reading_report,
)
from streamshark.cli.run import Ending, concluded, ended, reading, through
from streamshark.cli.short_filters import short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import Rows, is_damage, printer_of
from streamshark.conversations.conversation import Conversation
from streamshark.conversations.follow import (
    MOST_NEAR,
    ConversationRows,
    FlowRows,
    parsed,
    types_of_connections,
)
from streamshark.conversations.tables import Lifecycle, Pair
from streamshark.conversations.units import counted
from streamshark.dissection.row import Row
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.protocols.catalog import catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session
from streamshark.views.colour import Palette, wanted
from streamshark.views.conversations import (
    STATES,
    ConversationJson,
    ConversationText,
    FollowedConversation,
)
from streamshark.views.times import Clock

MOST_FRAMES = 1000
"""Most rows of one conversation that are shown as text."""
EVERY = 64
"""Number of packets between two collections of findings."""
MOST_FINDINGS = 4096
"""Most findings that are kept until the conversation is written."""


def known_types(protocols: Iterable[Protocol]) -> list[str]:
    """Return the types of conversations that protocols have, in order of name."""
    tables = (table for each in protocols for table in each.conversations)
    types = {table.type for table in tables if isinstance(table, (Pair, Lifecycle))}
    return sorted(types - {""})


def _completed_types(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the types that begin with what is typed."""
    known = known_types(catalog(context.params.get("paths") or ()))
    return [each for each in known if each.startswith(incomplete)]


def _check_types(types: Iterable[str], protocols: Iterable[Protocol]) -> None:
    """Raise a usage error for a type that no conversation can have."""
    if not types:
        return
    known = known_types(protocols)
    for each in types:
        if each not in known:
            raise click.UsageError(f"--type {each!r}: not a type (known: {', '.join(known)})")


@click.command(
    "conversations", context_settings=options.HELP, short_help="List conversations; follow one."
)
@refuse_unsupported
@options.sources
@options.engine
@display_filter
@options.form("text", "json", "ndjson", default="text")
@click.option(
    "--follow",
    "follow",
    metavar="ID",
    help="Show all frames of one conversation: an ID from the list or from read -T json.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=MOST_FRAMES,
    metavar="N",
    help=f"With --follow: show at most N frames and events as text ({MOST_FRAMES} by default).",
)
@click.option(
    "--type", "types", multiple=True, metavar="TYPE", shell_complete=_completed_types,
    help="List only this type: call, connection, publisher, subscription, stream, ... Repeatable.",
)  # fmt: skip
@click.option(
    "--state", "states", multiple=True, type=click.Choice(list(STATES)),
    help="List only conversations in this state. Repeatable.",
)  # fmt: skip
@options.flows
@short_filters
@click.option("-V", "tree", is_flag=True, help="With --follow: show the fields of each frame.")
@options.colouring
@options.strictness
@options.protocols
@options.showing
@click.option("-l", "immediate", is_flag=True, help="Flush after each line.")
@jobs
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """List conversations (calls, publishers, subscriptions, streams, connections), or follow one.

    The list has one line per conversation, in the order in which they end: id, state, start,
    duration, frames, request and outcome, measures, and linked conversations on other connections.
    --follow shows all frames of one conversation, the client's in red and the server's in blue,
    with the findings; with -T json it writes the rows as read does.

    \b
    streamshark conversations capture.pcapng
    streamshark conversations --state failed --state unanswered capture.pcapng
    streamshark conversations -T ndjson --type subscription FILE | jq .measures
    streamshark conversations --follow 0-18-publisher capture.pcapng
    """  # noqa: D301 - click's mark for lines that stay
    if given["follow"] is None:
        if given["tree"]:
            raise click.UsageError("-V needs --follow")
        protocols = catalog(given["paths"])
        _check_types(given["types"], protocols)
        with reading(given, protocols=protocols, live=given["immediate"]) as session:
            return _listed(session, given)
    if given["types"] or given["states"] or given["flows"]:
        raise click.UsageError(
            "--type, --state and --flow select from the list; they cannot be used with --follow"
        )
    name = parsed(given["follow"])
    if name is None:
        raise click.UsageError(
            f"--follow {given['follow']!r} is not a conversation id "
            "(expected FLOW-PACKET-TYPE, such as 0-18-publisher)"
        )
    with reading(given, formats=formats(given["paths"]), puts_together=True) as session:
        tables = (each.conversations for each in session.protocols)
        return _followed(session, ConversationRows(name, types_of_connections(tables)), given)


def _palette(given: dict[str, Any]) -> tuple[Palette, int]:
    """Return the colours, and the width at which lines are cut (0: never)."""
    width = terminal_width()
    return Palette(enabled=wanted(given["colour"], sys.stdout)), width


def _ends(session: Session) -> Callable[[int], str]:
    """Return a function that gives the addresses of a connection, the client first if known."""

    def ends(number: int) -> str:
        dissector = session.dissector
        return _arrow(dissector.tracker.flows[number].addresses, dissector.client(number))

    return ends


def _arrow(addresses: tuple[str, str], client: int | None) -> str:
    """Return the addresses of a connection, the client first if known."""
    if client is None:
        return " <-> ".join(addresses)
    return f"{addresses[client]} -> {addresses[1 - client]}"


class ListedConversations:
    """The list of conversations as it is written."""

    def __init__(
        self,
        session: Session,
        given: dict[str, Any],
        selection: Selection,
        write: Callable[[str], None],
        ends: Callable[[int], str],
        start: Callable[[], int | None],
    ) -> None:
        palette, width = _palette(given)
        self.view: ConversationJson | ConversationText
        if given["form"] == "text":
            self.view = ConversationText(Clock("r", start), palette, ends=ends, width=width)
        else:
            self.view = ConversationJson(array=given["form"] == "json")
        self.session, self.given, self.selection = session, given, selection
        self._write = write
        self.written = 0
        """Characters written so far."""
        self.shown = self.total = 0
        """Conversations that were written, and of all."""

    def add(self, conversations: Iterable[Conversation]) -> None:
        """Write those of some conversations that are wanted."""
        for each in conversations:
            self.total += 1
            if _is_wanted(each, self.given) and self.selection.has_conversation(each.id):
                if not self.shown:
                    self.write(self.view.head())
                self.shown += 1
                self.write(self.view.conversation(each))

    def end(self, frames: int) -> None:
        """Write what follows the last conversation."""
        is_begun = self.shown or self.given["form"] == "text"
        self.write(self.view.tail() if is_begun else self.view.head() + self.view.tail())
        if frames and not self.shown:
            found = counted(self.total, "conversation")
            complain(f"no conversation matches the options ({found} in all)")

    def write(self, text: str) -> None:
        """Write text, and count it."""
        self._write(text)
        self.written += len(text)


def _listed(session: Session, given: dict[str, Any]) -> int:
    """Write the list; return the exit code."""
    output = Output(immediate=given["immediate"], folds=given["form"] == "text")
    selection, written = Selection(given, session), 0
    if selection.filter is None and (count := jobs_of(given)) > 1:
        code, written = _in_parallel(session, given, output, count)
        if code is not None:
            return code
    start = partial(getattr, session, "started_ns")
    write = following(output.write, written)
    listing = ListedConversations(session, given, selection, write, _ends(session), start)
    analysis = session.analysis(conversations=True, derives=selection.derives)
    problems = 0

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        selection.takes(row)
        listing.add(analysis.ended())

    ending = through(analysis.rows(), take, beside=True)
    analysis.finish()
    listing.add(analysis.ended())
    listing.end(session.frames)
    output.flush()
    selection.report()
    report_evictions(analysis.capped)
    return ended(session, ending, strict=given["strict"], problems=problems)


def _in_parallel(
    session: Session, given: dict[str, Any], output: Output, count: int
) -> tuple[int | None, int]:
    """Write the list with several processes; return the exit code, and the characters written.

    The exit code is None if one process must write what follows these.
    """
    judging = judging_of(session, given, count, conversations=True, puts_together=False)

    def ends(number: int) -> str:
        return _arrow(judging.addresses[number], judging.clients.get(number))

    selection = Selection(given, session)
    start = partial(getattr, judging.reading, "started_ns")
    listing = ListedConversations(session, given, selection, output.write, ends, start)

    def conclude(ending: Ending) -> int:
        report = reading_report(session, judging.reading)
        listing.end(report.frames)
        output.flush()
        report_evictions(judging.capped)
        problems = judging.problems
        return concluded(lambda: report, ending, strict=given["strict"], problems=problems)

    found = judging.conversations()
    code = in_parallel(session, given, found, listing.add, conclude, beside=True)
    return code, listing.written


def _is_wanted(conversation: Conversation, given: dict[str, Any]) -> bool:
    return (
        (not given["types"] or conversation.type in given["types"])
        and (not given["states"] or conversation.state in given["states"])
        and (not given["flows"] or not set(given["flows"]).isdisjoint(conversation.flows))
    )


def _followed(session: Session, chosen: ConversationRows, given: dict[str, Any]) -> int:
    """Write one conversation in full; return the exit code."""
    is_text = given["form"] == "text"
    selection = Selection(given, session)
    analysis = session.analysis(
        rules=is_text,
        conversations=True,
        derives=lambda table: is_text or selection.derives(table),
        in_full=is_text,
    )
    output = Output(immediate=given["immediate"], folds=given["form"] == "text")
    problems = 0
    palette, width = _palette(given)
    page = FollowedConversation(
        palette, most=given["most"], width=width, tree=_tree(session, given)
    )
    rows = None if is_text else _rows(session, given)
    findings: list[Finding] = []

    def take(row: Row) -> None:
        nonlocal problems
        problems += is_damage(row)
        if chosen.takes(row, analysis.ended()) and selection.takes(row):
            if rows is None:
                page.row(row)
            else:
                output.write(rows.row(row))
        if row.packet % EVERY == 0:
            kept(findings, analysis, chosen)

    output.write(rows.head() if rows else "")
    ending = through(analysis.rows(), take)
    analysis.finish()
    kept(findings, analysis, chosen)
    chosen.find(analysis.ended())
    output.write(rows.tail() if rows else "")
    if is_text and chosen.conversation is not None:
        output.write(page.text(chosen.conversation, _ends(session), findings))
    output.flush()
    report_evictions(analysis.capped)
    if chosen.conversation is None:
        raise_missing(session, chosen, ending)
    return ended(session, ending, strict=given["strict"], problems=problems)


def kept(
    findings: list[Finding], analysis: Analysis, chosen: ConversationRows | FlowRows
) -> list[Finding]:
    """Add the new findings that concern the chosen rows, up to `MOST_FINDINGS`; return all."""
    for each in analysis.findings():
        guilty = each.frames[0] if each.frames else None
        concerns = chosen.concerns(each.flow, each.conversation, guilty)
        if concerns and len(findings) < MOST_FINDINGS:
            findings.append(each)
    return findings


def _tree(session: Session, given: dict[str, Any]) -> Callable[[Row], str] | None:
    """Return the function that writes the fields of a row, for -V; else None."""
    if not given["tree"] or given["form"] != "text":
        return None
    printer = _rows(session, given)
    return printer.row


def _rows(session: Session, given: dict[str, Any]) -> Rows:
    """Return a writer of rows as `read` writes them."""
    names = [each.name for each in session.captures]
    return printer_of(
        {**given, "time": ("r", 6), "dump": False},
        files=names if len(names) > 1 else (),
        layers=session.layers,
        start=lambda: session.started_ns,
    )


def raise_missing(session: Session, chosen: ConversationRows, ending: Ending) -> None:
    """Raise an error that no conversation has this id, unless nothing could be read.

    Raises:
        StreamsharkError: Names conversations with similar ids.
    """
    if not session.frames or ending.failed or ending.interrupted:
        return
    near = ", ".join(list(chosen.near)[:MOST_NEAR])
    suggestion = f"; similar ids: {near}" if near else ""
    raise StreamsharkError(
        f"no conversation has the id {chosen.name}{suggestion} "
        "(`streamshark conversations` lists them)"
    )
