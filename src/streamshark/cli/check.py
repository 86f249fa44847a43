"""`streamshark check`: faults in captures, with their evidence and cause."""

import dataclasses
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click
from click.shell_completion import CompletionItem

from streamshark.analysis import Analysis
from streamshark.cli import options
from streamshark.cli.diagnostics import nothing_read, report_evictions, report_sample
from streamshark.cli.display_filter import Selection, display_filter
from streamshark.cli.following import check_followed, follow
from streamshark.cli.output import NOTHING_READ, Output, terminal_width
from streamshark.cli.parallel import (
    following,
    in_parallel,
    jobs,
    jobs_of,
    judging_of,
    reading_report,
)
from streamshark.cli.run import Ending, concluded, reading, through
from streamshark.cli.short_filters import flow_filter, short_filters
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.cli.writers import is_damage
from streamshark.conversations.tables import Constant
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings import tcp, user_rules
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.news import Change, News
from streamshark.findings.rule import Rule
from streamshark.findings.user_rules import UserRules
from streamshark.protocols.catalog import catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import ReadingReport, Session, unread_findings, unread_of
from streamshark.views.colour import Palette, wanted
from streamshark.views.findings import FindingJson, FindingNews, FindingText, JudgedTotals, Report
from streamshark.views.json import encoded
from streamshark.views.rule_reference import TCP, WIDTH, explained, listed, listing
from streamshark.views.top_finding import TopFinding

if TYPE_CHECKING:
    from streamshark.findings.baseline import Baseline

FOUND = 1
"""Exit code if there are findings at or above `--fail-on`."""
EVERY = 64
"""Number of packets between two collections of findings."""
LEVELS = [each.value for each in Severity]


def _completed_rules(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the rules whose ids begin with what is typed, with their titles."""
    rules = CheckedRules((*catalog(context.params.get("paths") or ()), TCP))
    titles = {rule.id: rule.title for _, rule in rules.all()}
    return [
        CompletionItem(name, help=title)
        for name, title in titles.items()
        if name.startswith(incomplete.upper())
    ]


def judging(command: options.Command) -> options.Command:
    """Add the options that say which findings there are, and which of them fail."""
    for each in (
        click.option(
            "--rules",
            "rules_file",
            type=click.Path(),
            metavar="FILE",
            help="TOML file with your own rules, thresholds, severities and silenced rules.",
        ),
        click.option(
            "--level",
            type=click.Choice(LEVELS),
            default="note",
            help="Report findings of this severity or higher (default: note).",
        ),
        click.option(
            "--fail-on",
            type=click.Choice(LEVELS),
            help="Exit with 1 if there is a finding of this severity or higher.",
        ),
    ):
        command = each(command)
    return command


@click.command("check", context_settings=options.HELP, short_help="Find faults in captures.")
@refuse_unsupported
@options.sources
@options.engine
@follow
@options.form("text", "json", "ndjson", "sarif", "junit", default="text")
@judging
@click.option(
    "--all-bodies",
    is_flag=True,
    help="Decode all message bodies of large captures too, not a sample.",
)
@click.option(
    "--baseline",
    "known",
    type=click.Path(),
    metavar="FILE",
    help="Suppress the findings recorded in FILE; they are counted and do not fail.",
)
@click.option(
    "--write-baseline",
    "written",
    type=click.Path(),
    metavar="FILE",
    help="Write the findings to FILE for --baseline; they do not fail this run.",
)
@click.option(
    "--open", "opens", is_flag=True, help="Print the command that opens Wireshark at each finding."
)
@click.option(
    "--top",
    is_flag=True,
    help="Print one sentence, the finding that explains most, and the command for a ticket.",
)
@click.option("--list-rules", is_flag=True, help="List the rules and exit.")
@click.option(
    "--explain-rule", "explained", metavar="ID", shell_complete=_completed_rules,
    help="Describe a rule and exit.",
)  # fmt: skip
@display_filter
@flow_filter
@short_filters
@options.colouring
@options.strictness
@options.protocols
@click.option(
    "-l",
    "follow",
    is_flag=True,
    help="Report each finding at once, and again when it is withdrawn or settled.",
)
@click.option("-q", "quiet", is_flag=True, help="Print nothing; only set the exit code.")
@jobs
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Find faults in captures: client mistakes, refusals, lost data.

    Each finding names the frames that prove it, its usual cause, and the document or source code
    that defines the rule. A healthy capture has no finding above note, so --fail-on warning fails
    only on faults.

    \b
    streamshark check capture.pcapng
    streamshark check --fail-on warning -T sarif capture.pcapng > findings.sarif
    streamshark check --baseline known.json --fail-on warning capture.pcapng
    streamshark check --rules our-rules.toml -T junit *.pcapng > findings.xml
    tcpdump -i lo -U --immediate-mode -w - | streamshark check -l -
    streamshark check --top capture.pcapng
    streamshark check --explain-rule RMQ-C3
    """  # noqa: D301 - click's mark for lines that stay
    protocols, custom = ruled_by(catalog(given["paths"]), given["rules_file"])
    ruled = (*protocols, dataclasses.replace(TCP, rules=custom.rules_of(tcp.ID, tcp.RULES)))
    if given["list_rules"] or given["explained"]:
        return _listed(ruled, given)
    given["follow"] |= check_followed(given)
    if given["follow"] and given["form"] in ("sarif", "junit"):
        raise click.UsageError("-l needs -T text, json or ndjson")
    if given["top"] and (given["follow"] or given["form"] != "text"):
        raise click.UsageError("--top prints one line of text at the end: not with -l or -T")
    if given["follow"] and (given["known"] or given["written"]):
        raise click.UsageError(
            "-l reports findings before they are settled and cannot be used with a baseline"
        )
    given["known"] = _known(given["known"])
    kinds, live = formats(given["paths"]), given["follow"]
    with reading(
        given, protocols=protocols, formats=kinds, live=live, puts_together=True
    ) as session:
        return _judged(session, CheckedRules(ruled), custom, given)


class CheckedRules:
    """The rules of protocols; those of one are imported when they are first asked for."""

    def __init__(self, protocols: Iterable[Protocol]) -> None:
        self._protocols = {each.wire.id: each for each in protocols}

    def all(self) -> list[tuple[str, Rule]]:
        """Return all rules, each with the id of its protocol."""
        return [(id, rule) for id, each in self._protocols.items() for rule in each.rules]  # noqa: A001 - as in `WireFormat`

    def count(self, protocols: Iterable[str]) -> int:
        """Return how many rules the protocols with some ids have."""
        found = (self._protocols[each] for each in protocols if each in self._protocols)
        return len({rule.id for each in found for rule in each.rules})

    def title(self, finding: Finding) -> str:
        """Return the title of a finding's rule; empty if no rule has its id."""
        known = self._protocols.get(finding.protocol)
        titles = (rule.title for rule in known.rules if rule.id == finding.rule) if known else ()
        return next(iter(titles), "")


def _known(path: str | None) -> frozenset[str] | None:
    """Return the fingerprints of a baseline file; None without one."""
    if path is None:
        return None
    from streamshark.findings import baseline  # noqa: PLC0415 - few compare

    try:
        return baseline.parsed(Path(path).read_bytes())
    except StreamsharkError as error:
        raise StreamsharkError(f"{path}: {error}") from None


def ruled_by(
    protocols: Sequence[Protocol], path: str | None
) -> tuple[tuple[Protocol, ...], UserRules]:
    """Return the protocols with the user's rules, thresholds and severities, and those rules."""
    if path is None:
        return tuple(protocols), UserRules()
    known = {each.wire.id: [rule.id for rule in each.rules] for each in (*protocols, TCP)}
    constants = {
        each.wire.id: [one.name for one in each.conversations if isinstance(one, Constant)]
        for each in protocols
    }
    try:
        custom = user_rules.read(Path(path).read_text("utf-8"), known, constants)
        if own := [each.rule.id for each in custom.rules if each.protocol == tcp.ID]:
            message = f"rule {own[0]}: your own rules must be for a protocol above TCP"
            raise StreamsharkError(message)  # noqa: TRY301 - named as others
    except (StreamsharkError, UnicodeDecodeError) as error:
        raise StreamsharkError(f"{path}: {error}") from None
    changed = tuple(
        dataclasses.replace(
            each,
            conversations=custom.tables(each.wire.id, each.conversations),
            rules=custom.rules_of(each.wire.id, each.rules),
        )
        for each in protocols
    )
    return changed, custom


def _listed(protocols: Sequence[Protocol], given: dict[str, Any]) -> int:
    """Write a list of the rules, or the full description of one; return the exit code."""
    output = Output(folds=given["form"] == "text")
    width = terminal_width()
    if given["explained"]:
        output.write(explained(protocols, given["explained"], width or WIDTH))
    elif given["form"] in ("json", "ndjson"):
        output.write(encoded(listing(protocols)) + "\n")
    else:
        output.write("".join(f"{line}\n" for line in listed(protocols, width)))
    output.flush()
    return 0


def _baseline(session: Session, given: dict[str, Any]) -> "Baseline | None":
    """Return what the findings are compared with, or noted in; None for neither."""
    if given["known"] is None and not given["written"]:
        return None
    from streamshark.findings.baseline import Baseline  # noqa: PLC0415 - as above

    return Baseline(given["known"] or (), [each.name for each in session.captures])


def _sink(  # noqa: PLR0913, PLR0917 - what findings are written with
    session: Session,
    rules: CheckedRules,
    custom: UserRules,
    given: dict[str, Any],
    selection: Selection,
    write: Callable[[str], None],
    ends: Callable[[int], str] | None = None,
) -> "FindingOutput":
    """Return where findings end up."""
    report = report_of(session, rules, custom, given, ends)
    compared = _baseline(session, given)
    output = None if given["quiet"] else write
    return FindingOutput(report, output, custom, compared, given, selection)


def _judged(session: Session, rules: CheckedRules, custom: UserRules, given: dict[str, Any]) -> int:
    """Judge the rows and write the findings; return the exit code."""
    selection, follow = Selection(given, session), given["follow"]
    output = Output(immediate=follow, folds=given["form"] == "text")
    written = 0
    if selection.filter is None and not follow and (jobs := jobs_of(given)) > 1:
        code, written = _in_parallel(session, rules, custom, given, output, jobs)
        if code is not None:
            return code
    sink = _sink(session, rules, custom, given, selection, following(output.write, written))
    sink.write(sink.report.head())
    analysis = session.analysis(
        rules=True,
        annotates=selection.needs_analysis,
        follow=follow,
        all_bodies=given["all_bodies"],
        derives=selection.derives,
    )

    def report_findings(row: Row) -> None:
        if sink.is_due(row):
            sink.take(analysis.findings())

    def count(rows: list[Row]) -> None:
        notable = [row for row in rows if row.problems or row.__class__ is not FrameRow]
        sink.problems += sum(map(is_damage, notable))
        selection.note(rows)
        if follow:
            analysis.tick()
            sink.take_news(analysis.news())
        elif selection.filter is not None:
            sink.take(analysis.findings())

    ending = through(analysis.batches(report_findings), count, size=len)
    analysis.finish()
    if follow:
        sink.take_news(analysis.news())
    else:
        sink.take(analysis.findings())
    found = list(filter(selection.has_finding, unread_findings(session)))
    selection.report()
    if follow:
        sink.take_news(analysis.settled(found))
    else:
        sink.take(found)
    return _concluded(Judged.of(session, analysis, found, ending), rules, sink, output, given)


def _in_parallel(
    session: Session,
    rules: CheckedRules,
    custom: UserRules,
    given: dict[str, Any],
    output: Output,
    count: int,
) -> tuple[int | None, int]:
    """Judge the rows with several processes; return the exit code, and the characters written.

    The exit code is None if one process must write what follows these.
    """
    judging = judging_of(session, given, count, all_bodies=given["all_bodies"])

    def ends(flow: int) -> str:
        return " -> ".join(judging.addresses[flow])

    selection = Selection(given, session)
    sink = _sink(session, rules, custom, given, selection, output.write, ends)
    sink.write(sink.report.head())

    def conclude(ending: Ending) -> int:
        report = reading_report(session, judging.reading)
        sink.problems = judging.problems
        found = unread_of(report.unrecognised, alone=not report.frames)
        for each in report.unrecognised:
            judging.addresses.setdefault(each.flow, each.addresses)
        sink.take(found)
        judged = Judged(
            report=lambda: report,
            frames=report.frames,
            spoken=judging.results[0].spoken,
            embedded=set[str]().union(*(each.judged for each in judging.results)),
            incomplete=judging.incomplete,
            capped=judging.capped,
            is_sample=any(each.is_sample for each in judging.results),
            found=found,
            ending=ending,
        )
        return _concluded(judged, rules, sink, output, given)

    code = in_parallel(session, given, judging.findings(), sink.take, conclude)
    return code, sink.written


@dataclasses.dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a judgement once it is over, besides its findings."""

    report: Callable[[], ReadingReport]
    frames: int
    """Number of frames that were judged."""
    spoken: Counter[str]
    """Protocol to the number of connections on TCP."""
    embedded: set[str]
    """Protocols of the rows, embedded ones included."""
    incomplete: Counter[str]
    """What was not captured to the number of connections of which it is missing."""
    capped: Mapping[str, int]
    """Limits that were reached, to the number of entries that were dropped."""
    is_sample: bool
    """Whether message bodies were left out."""
    found: Sequence[Finding]
    """The findings about unread connections."""
    ending: Ending

    @classmethod
    def of(
        cls, session: Session, analysis: Analysis, found: Sequence[Finding], ending: Ending
    ) -> Self:
        """Return what is known of a judgement by one process."""
        bodies = analysis.engine.bodies
        return cls(
            report=session.report,
            frames=analysis.engine.seen,
            spoken=Counter(each for each, _ in session.dissector.spoken.elements()),
            embedded=analysis.engine.spoken,
            incomplete=analysis.engine.incomplete,
            capped=analysis.capped,
            is_sample=bodies is not None and bodies.left_out,
            found=found,
            ending=ending,
        )


def _concluded(
    judged: Judged,
    rules: CheckedRules,
    sink: "FindingOutput",
    output: Output,
    given: dict[str, Any],
) -> int:
    """Write the totals and report what could not be read; return the exit code."""
    reading = judged.report()
    nothing = "" if reading.frames or judged.ending.failed else nothing_read(reading)
    is_said = given["form"] == "text" and sys.stdout.isatty() and sys.stderr.isatty()
    sink.write(sink.report.tail(totals_of(judged, rules, sink, "" if is_said else nothing)))
    output.flush()
    report_evictions(judged.capped)
    if judged.is_sample:
        report_sample()
    code = concluded(judged.report, judged.ending, strict=given["strict"], problems=sink.problems)
    settled = _settled(sink, given, nothing)
    return settled or code if given["followed"] else code or settled


def _settled(sink: "FindingOutput", given: dict[str, Any], nothing: str) -> int:
    """Write the new baseline, if one is wanted; return the exit code of what was found."""
    if nothing:
        return NOTHING_READ if given["fail_on"] or given["strict"] else 0
    if given["written"] and sink.compared is not None:
        Path(given["written"]).write_text(sink.compared.text(), "utf-8")
    return FOUND if sink.failed else 0


def totals_of(
    judged: Judged, rules: CheckedRules, sink: "FindingOutput", nothing: str
) -> JudgedTotals:
    """Return the totals of what was judged."""
    reading = judged.report()
    seen = {*judged.spoken, *judged.embedded}
    return JudgedTotals(
        frames=judged.frames,
        connections=judged.spoken.total(),
        protocols=tuple(each for each in reading.protocols if each in seen),
        rules=rules.count(seen),
        silenced=sink.silenced,
        known=sink.known,
        unread=(
            *(f"{name}: {shown}" for name, shown in reading.damage),
            *(each.message for each in judged.found if each.severity != Severity.CHAT.value),
        ),
        incomplete=judged.incomplete,
        nothing=nothing,
    )


class FindingOutput:
    """Where findings end up: written, silenced, or below the level; any may set the exit code."""

    def __init__(
        self,
        report: Report,
        write: Callable[[str], None] | None,
        custom: UserRules,
        compared: "Baseline | None",
        given: dict[str, Any],
        selection: Selection,
    ) -> None:
        self.report = report
        self.written = 0
        """Characters written so far."""
        self.selection = selection
        self._waits = given["follow"] or selection.filter is not None
        """Whether findings are taken only after the rows that prove them."""
        self.output = write
        self.custom = custom
        self.compared = compared
        fails = given["fail_on"]
        self.fails = Severity(fails).rank if fails else len(LEVELS)
        self.least = min(Severity(given["level"]).rank, self.fails)
        self.accepts = bool(given["written"])
        """Whether all findings go into a new baseline, so that none of them fails."""
        self.suppresses: bool = given["form"] == "sarif"
        """Whether the format can express suppressed and known findings."""
        self.silenced = self.known = 0
        self.failed = False
        self.problems = 0
        self._numbered = 0
        """Number of findings reported as new."""
        self._shown: dict[int, int] = {}
        """Reported number of each finding that is not settled, by its number."""

    def write(self, text: str) -> None:
        """Write text, unless the output is suppressed."""
        if text and self.output is not None:
            self.output(text)
            self.written += len(text)

    def is_due(self, row: Row) -> bool:
        """Return whether findings may be taken right after a row."""
        return not self._waits and not row.packet % EVERY

    def take(self, findings: Sequence[Finding]) -> None:
        """Report settled findings."""
        for finding in filter(self.selection.has_finding, findings):
            ruled = self._ruled(finding)
            if self._counts(finding, ruled):
                self.write(self.report.finding(finding if self.suppresses else ruled))

    def take_news(self, news: Iterable[News]) -> None:
        """Report changes of findings; one below the level is reported once it reaches it."""
        for each in news:
            if not self.selection.has_finding(each.finding):
                continue
            ruled = self._ruled(each.finding)
            is_settled = each.change is Change.SETTLED
            is_wanted = self._counts(each.finding, ruled) if is_settled else self._passes(ruled)
            if each.number not in self._shown:
                if not is_wanted or each.change is Change.WITHDRAWN:
                    continue
                self._numbered += 1
                self._shown[each.number] = self._numbered
                self._show(News(Change.NEW, self._numbered, ruled))
                if not is_settled:
                    continue
            number = self._shown[each.number]
            if each.change in (Change.SETTLED, Change.WITHDRAWN):
                del self._shown[each.number]
            self._show(News(each.change, number, ruled))

    def _show(self, news: News) -> None:
        if isinstance(self.report, FindingJson | FindingNews):
            self.write(self.report.news(news))

    def _ruled(self, finding: Finding) -> Finding:
        """Return a finding with the user's severity, and without consequences of silenced rules."""
        if finding.protocol == tcp.ID and finding.rule in self.custom.severities:
            changed = self.custom.severities[finding.rule].value
            finding = dataclasses.replace(finding, severity=changed)
        echoes = tuple(each for each in finding.echoes if each.rule not in self.custom.silenced)
        return dataclasses.replace(finding, echoes=echoes)

    def _passes(self, ruled: Finding) -> bool:
        """Return whether a finding is severe enough to report, and its rule is not silenced."""
        return ruled.rule not in self.custom.silenced and ruled.worst.rank >= self.least

    def _counts(self, finding: Finding, ruled: Finding) -> bool:
        """Count a settled finding; return whether it is reported."""
        if finding.rule in self.custom.silenced:
            self.silenced += 1
            return self.suppresses
        self.silenced += len(finding.echoes) - len(ruled.echoes)
        if not self._passes(ruled):
            return False
        if self.compared is not None and self.compared.add(ruled):
            self.known += 1
            return self.suppresses
        self.failed |= ruled.worst.rank >= self.fails and not self.accepts
        return True


def report_of(
    session: Session,
    rules: CheckedRules,
    custom: UserRules,
    given: dict[str, Any],
    ends: Callable[[int], str] | None = None,
) -> Report:
    """Return the writer of the format that the options choose.

    `ends` returns the addresses of a connection, by default those that the session has read.
    """
    files = [each.name for each in session.captures]
    match given["form"]:
        case "json" | "ndjson":
            return FindingJson(files, array=given["form"] == "json")
        case "sarif":
            from streamshark.views.sarif import Sarif  # noqa: PLC0415 - for this format alone

            return Sarif(rules.all(), files, custom.silenced, given["known"])
        case "junit":
            from streamshark.views.junit import Junit  # noqa: PLC0415 - as above

            fails = Severity(given["fail_on"] or "warning")
            return Junit(rules.all(), files, fails=fails, silenced=custom.silenced)
    if given["top"]:
        titles = {each.wire.id: each.title for each in (*session.protocols, TCP)}
        return TopFinding(titles, files)
    kind = FindingNews if given["follow"] else FindingText
    return kind(
        rules.title,
        Palette(enabled=wanted(given["colour"], sys.stdout)),
        ends=ends or (lambda flow: " -> ".join(session.dissector.tracker.flows[flow].addresses)),
        files=files,
        width=terminal_width(),
        opens=given["opens"],
    )
