"""The options `-Y` and `-R`: display filters, in the commands that read captures."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

import click

from streamshark.capture.captured_comments import CapturedComments
from streamshark.capture.number_set import NumberSet
from streamshark.cli.diagnostics import report_missing_flows
from streamshark.cli.filter_macros import with_macros
from streamshark.cli.output import complain
from streamshark.cli.run import reading
from streamshark.cli.short_filters import FLOWS, filter_text, is_filtered, is_given, spelling
from streamshark.decoding.payloads import EmbeddedRecord, PayloadReaders
from streamshark.dissection.row import FrameRow, Row
from streamshark.protocols.catalog import formats
from streamshark.session import Session

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived
    from streamshark.fields.registry import Fields
    from streamshark.filters import Filter
    from streamshark.findings.finding import Finding
    from streamshark.views.text import TextRows

Command = Callable[..., Any]

CONVERSATIONS, FINDINGS, MATCHES = "conversations", "findings", "matches"
"""As in `filters.other_rows`."""
FILTERS = ("read_filter", "display_filter")
"""Names of the options that are filters in full."""
NOTHING_SATISFIES = (
    "no row can satisfy this filter: a row is one frame, of one command; "
    "--packets tests whole packets"
)


def display_filter(command: Command) -> Command:
    """Add the option that selects rows."""
    return click.option(
        "-Y",
        "--display-filter",
        "display_filter",
        metavar="FILTER",
        help="Select rows by a display filter, in Wireshark's language.",
    )(command)


def filter_of(given: Mapping[str, Any], session: Session) -> "Filter | None":
    """Return the filter that the options give; None without one."""
    if not is_filtered(given) and not given.get("read_filter"):
        return None
    from streamshark.filters.filter import both, compile  # noqa: A004, PLC0415

    fields = fields_of(given, session)
    chosen = reduce(both, [compile(text, fields) for text in filter_texts(given, fields)])
    use_comments(chosen, session)
    learn(chosen, given)
    return chosen


def use_comments(chosen: "Filter", session: Session) -> None:
    """Give a filter the comments of the captures that are read."""
    chosen.fields.others.use_comments(CapturedComments(session.captures).of)


def filter_texts(given: Mapping[str, Any], fields: "Fields") -> list[str]:
    """Return the filters that the options give, all of which a row must satisfy."""
    texts = [with_macros(given.get(name) or "") for name in FILTERS]
    return [text for text in (*texts, filter_text(given, fields)) if text]


def fields_of(given: Mapping[str, Any], session: Session) -> "Fields":
    """Return the fields that filters of a session may name."""
    from streamshark.fields.registry import Fields  # noqa: PLC0415 - only who filters loads them

    names = [each.name for each in session.captures]
    kinds = formats(given["paths"])
    return Fields(session.protocols, session.layers, names, kinds, info_column(session.layers))


def info_column(layers: PayloadReaders) -> Callable[[Row], str]:
    """Return the function that makes the text of the Info column."""

    @cache
    def lines() -> "TextRows":
        from streamshark.views.colour import Palette  # noqa: PLC0415 - few filters name it
        from streamshark.views.text import TextRows  # noqa: PLC0415
        from streamshark.views.times import Clock  # noqa: PLC0415

        records = (each for each in layers.readers if isinstance(each, EmbeddedRecord))
        return TextRows(Clock("r"), Palette(enabled=False), layers=PayloadReaders(records))

    def info(row: Row) -> str:
        if isinstance(row, FrameRow):
            return lines().frame(row, annotated=False)
        return lines().event(row)

    return info


def learn(chosen: "Filter", given: Mapping[str, Any]) -> None:
    """Read the captures a first time if a filter needs values that only the whole capture has."""
    if not chosen.needs_first_reading:
        return
    if "-" in (*given["more"], *given["files"]):
        raise click.UsageError(
            "this filter reads captures twice, and standard input can be read once"
        )
    judges = FINDINGS in chosen.needs
    kinds = formats(given["paths"]) if judges else ()
    with reading(dict(given), formats=kinds, puts_together=judges) as session:
        analysis = session.analysis(
            rules=judges,
            matches=MATCHES in chosen.needs,
            conversations=CONVERSATIONS in chosen.needs,
            derives=derives(chosen, lambda _table: False),
            in_full=True,
        )
        chosen.learn(analysis, analysis.engine.unanswered)


def derives(
    chosen: "Filter | None", others: "Callable[[Derived], bool]"
) -> "Callable[[Derived], bool]":
    """Return the choice of derived values: those that a filter names, and others."""
    if chosen is None:
        return others
    used = {each.field.name.rpartition(".")[2] for each in chosen.used}
    return lambda table: table.name in used or others(table)


class Selection:
    """The rows that a filter selects, and which frames, conversations and connections have one.

    Without a filter it selects everything.
    """

    def __init__(self, given: Mapping[str, Any], session: Session) -> None:
        self.filter = filter_of(given, session)
        self._session = session
        self._frames = NumberSet()
        self._conversations: set[str] = set()
        self._chosen = frozenset(given.get(FLOWS) or ())
        self._flows: set[int] = set()
        if self._chosen and self.filter is not None and _is_by_flow_alone(given):
            self._flows.update(self._chosen)  # those without any row too
        self._given = given

    @property
    def needs_analysis(self) -> bool:
        """Whether rows must be annotated to be selected."""
        return self.filter is not None and self.filter.needs_analysis

    @property
    def derives(self) -> "Callable[[Derived], bool]":
        """Which derived values the filter names."""
        return derives(self.filter, lambda _table: False)

    def takes(self, row: Row) -> bool:
        """Return whether a row is selected, and note to what it belongs."""
        if self.filter is None:
            return True
        if not self.filter(row):
            return False
        self._flows.add(row.connection.flow.number)
        if isinstance(row, FrameRow):
            self._frames.add(row.number)
        if (annotation := row.annotation) is not None:
            names = (annotation.name, annotation.part_of)
            self._conversations.update(str(each) for each in names if each is not None)
        return True

    def note(self, rows: Iterable[Row]) -> None:
        """Note which rows are selected."""
        if self.filter is not None:
            for row in rows:
                self.takes(row)

    def has_frame(self, number: int) -> bool:
        """Return whether a frame is selected."""
        return self.filter is None or number in self._frames

    def has_conversation(self, name: str) -> bool:
        """Return whether a row of a conversation is selected."""
        return self.filter is None or name in self._conversations

    def has_flow(self, number: int) -> bool:
        """Return whether a row of a connection is selected."""
        return self.filter is None or number in self._flows

    def has_finding(self, finding: "Finding") -> bool:
        """Return whether a frame of a finding is selected, or a row of its connection."""
        if finding.frames:
            return any(map(self.has_frame, finding.frames))
        return self.has_flow(finding.flow)

    def report(self) -> None:
        """Print a line if no row was selected, and it is worth saying why."""
        report_missing_flows(self._chosen, len(self._session.dissector.tracker.flows))
        if self.filter is not None:
            report_unselected(self.filter, self._session, self._given)


def _is_by_flow_alone(given: Mapping[str, Any]) -> bool:
    """Return whether rows are selected by `--flow` and by nothing else."""
    return not is_filtered({**given, FLOWS: ()}) and not given.get("read_filter")


def report_unselected(chosen: "Filter", session: Session, given: Mapping[str, Any]) -> None:
    """Print a line if no row was selected: by short forms, or by a filter that none satisfies."""
    if chosen.count or not session.frames:
        return
    if is_given(given):
        complain(f"no row matches {spelling(given)}{' and -Y' * bool(given['display_filter'])}")
    else:
        _report_unsatisfiable(chosen, session)


def _report_unsatisfiable(chosen: "Filter", session: Session) -> None:
    """Print a line if no row, of any capture, can satisfy the filter."""
    from streamshark.filters.predicate import EVENTS, RowKind  # noqa: PLC0415 - as above

    predicate = chosen.predicate
    if predicate is None:
        return
    kinds = [
        RowKind(decoder, table.wire) for table in session.tables for decoder in (None, *table.all)
    ]
    if all(predicate.never(each) for each in (EVENTS, *kinds)):
        complain(NOTHING_SATISFIES)
