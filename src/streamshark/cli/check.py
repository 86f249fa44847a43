"""`streamshark check`: what is wrong in captures, and who did it."""

import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from streamshark.cli import options
from streamshark.cli.diagnostics import nothing_read, tell_capped
from streamshark.cli.output import NOTHING_READ, Output
from streamshark.cli.run import ended, reading, through
from streamshark.cli.unsupported_options import lacking
from streamshark.cli.writers import is_damage
from streamshark.conversations.tables import Constant
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.findings import tcp, user_rules
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.rule import Rule
from streamshark.findings.tcp import UnreadConnection, unread
from streamshark.findings.user_rules import UserRules
from streamshark.protocols.catalog import catalog, formats
from streamshark.protocols.protocol import Protocol
from streamshark.session import Session
from streamshark.views.colour import Palette, wanted
from streamshark.views.findings import FindingJson, FindingText, JudgedTotals, Report
from streamshark.views.json import encoded
from streamshark.views.junit import Junit
from streamshark.views.rule_reference import TCP, WIDTH, explained, listed, listing
from streamshark.views.sarif import Sarif

FOUND = 1
"""Exit code where there are findings at or above `--fail-on`."""
EVERY = 64
"""Packets between two looks for findings."""
LEVELS = [each.value for each in Severity]
Rules = Sequence[tuple[str, Rule]]


@click.command("check", context_settings=options.HELP, short_help="Judge what captures hold.")
@lacking
@options.sources
@options.form("text", "json", "ndjson", "sarif", "junit", default="text")
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    help="Exit with 1 where something at least so severe was found.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="note",
    help="Report nothing less severe (note, the default, leaves out normal life).",
)
@click.option(
    "--rules",
    "rules_file",
    metavar="FILE",
    help="TOML with rules of your own, thresholds, severities, silenced rules.",
)
@click.option("--list-rules", is_flag=True, help="List the rules, and read nothing.")
@click.option("--explain-rule", "explained", metavar="ID", help="Tell all about a rule.")
@options.colouring
@options.strictness
@options.protocols
@click.option("-q", "quiet", is_flag=True, help="Show nothing; the exit code tells.")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Find what is wrong in captures: mistakes of clients, refusals, lost data.

    Each finding names the frames that prove it, what usually causes it, and the document or
    program that says so. A healthy capture has nothing above note, so that --fail-on warning means
    a fault.

    \b
    streamshark check capture.pcapng
    streamshark check --fail-on warning -T sarif capture.pcapng > findings.sarif
    streamshark check --rules our-rules.toml -T junit *.pcapng > findings.xml
    streamshark check --explain-rule RMQ-C3
    """  # noqa: D301 - click's mark for lines that stay
    protocols, said = _ruled(catalog(given["paths"]), given["rules_file"])
    ruled = (*protocols, dataclasses.replace(TCP, rules=said.rules_of(tcp.ID, tcp.RULES)))
    rules = [(each.wire.id, rule) for each in ruled for rule in each.rules]
    if given["list_rules"] or given["explained"]:
        return _listed(ruled, given)
    with reading(given, protocols=protocols, formats=formats(given["paths"])) as session:
        return _judged(session, rules, said, given)


def _ruled(
    protocols: Sequence[Protocol], path: str | None
) -> tuple[tuple[Protocol, ...], UserRules]:
    """The protocols as the user wants them judged."""
    if path is None:
        return tuple(protocols), UserRules()
    known = {each.wire.id: [rule.id for rule in each.rules] for each in (*protocols, TCP)}
    constants = {
        each.wire.id: [one.name for one in each.conversations if isinstance(one, Constant)]
        for each in protocols
    }
    try:
        said = user_rules.read(Path(path).read_text("utf-8"), known, constants)
        if own := [each.rule.id for each in said.rules if each.protocol == tcp.ID]:
            raise StreamsharkError(f"rule {own[0]}: rules of your own are about a protocol on TCP")  # noqa: TRY301 - named as others
    except (StreamsharkError, UnicodeDecodeError) as error:
        raise StreamsharkError(f"{path}: {error}") from None
    changed = tuple(
        dataclasses.replace(
            each,
            conversations=said.tables(each.wire.id, each.conversations),
            rules=said.rules_of(each.wire.id, each.rules),
        )
        for each in protocols
    )
    return changed, said


def _listed(protocols: Sequence[Protocol], given: dict[str, Any]) -> int:
    """Write a list of the rules, or all about one."""
    output = Output()
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    if given["explained"]:
        output.write(explained(protocols, given["explained"], width or WIDTH))
    elif given["form"] in ("json", "ndjson"):
        output.write(encoded(listing(protocols)) + "\n")
    else:
        output.write("".join(f"{line}\n" for line in listed(protocols, width)))
    output.flush()
    return 0


def _judged(session: Session, rules: Rules, said: UserRules, given: dict[str, Any]) -> int:
    """Judge the rows, write what was found; gives the exit code."""
    report = _report(session, rules, said, given)
    output = Output()
    desk = _FindingOutput(report, output.write if not given["quiet"] else None, said, given)
    desk.write(report.head())
    analysis = session.analysis(rules=True, tells=False)

    def tell(row: Row) -> None:
        if not row.packet % EVERY:
            desk.take(analysis.findings())

    def count(rows: list[Row]) -> None:
        odd = [row for row in rows if row.problems or row.__class__ is not FrameRow]
        desk.problems += sum(map(is_damage, odd))

    ending = through(analysis.batches(tell), count, size=len)
    analysis.finish()
    desk.take(analysis.findings())
    seen = {protocol for protocol, _ in session.spoken} | analysis.engine.spoken
    found = _unread(session)
    desk.take(found)
    judged = JudgedTotals(
        frames=analysis.engine.seen,
        connections=session.spoken.total(),
        protocols=tuple(each.wire.id for each in session.protocols if each.wire.id in seen),
        rules=len({rule.id for protocol, rule in rules if protocol in seen}),
        silenced=desk.silenced,
        unread=(
            *(f"{name}: {told}" for name, told in session.damage),
            *(each.message for each in found if each.severity != Severity.CHAT.value),
        ),
        nothing="" if session.frames or ending.failed else nothing_read(session),
    )
    desk.write(report.tail(judged))
    output.flush()
    tell_capped(analysis.capped)
    code = ended(session, ending, strict=given["strict"], problems=desk.problems)
    if judged.nothing and not code and (given["fail_on"] or given["strict"]):
        return NOTHING_READ
    return code or (FOUND if desk.failed else 0)


def _unread(session: Session) -> list[Finding]:
    """What is found of connections that nothing recognised."""
    return unread(
        (
            UnreadConnection(
                flow=each.flow,
                server=each.server,
                payload=each.payload,
                packet=each.packet,
                file=each.file,
                what="TLS" if each.is_tls else each.carrier,
                ours=each.is_known,
            )
            for each in session.unrecognised
        ),
        alone=not session.frames,
    )


class _FindingOutput:
    """Where findings come by: reported, silenced, or too small to be told; each may fail."""

    def __init__(
        self,
        report: Report,
        write: Callable[[str], None] | None,
        said: UserRules,
        given: dict[str, Any],
    ) -> None:
        self.report = report
        self.output = write
        self.said = said
        fails = given["fail_on"]
        self.fails = Severity(fails).rank if fails else len(LEVELS)
        self.least = min(Severity(given["level"]).rank, self.fails)
        self.suppresses = isinstance(report, Sarif)
        """Whether the format has a word for what nobody wants to hear of."""
        self.silenced = 0
        self.failed = False
        self.problems = 0

    def write(self, text: str) -> None:
        """Write text, unless nothing is to be shown."""
        if text and self.output is not None:
            self.output(text)

    def take(self, findings: Sequence[Finding]) -> None:
        """Report what is to be reported."""
        for finding in findings:
            if finding.rule in self.said.silenced:
                self.silenced += 1
                if self.suppresses:
                    self.write(self.report.finding(finding))
                continue
            if finding.protocol == tcp.ID and finding.rule in self.said.severities:
                changed = self.said.severities[finding.rule].value
                finding = dataclasses.replace(finding, severity=changed)  # noqa: PLW2901 - as the user has it
            heard = tuple(each for each in finding.echoes if each.rule not in self.said.silenced)
            told = dataclasses.replace(finding, echoes=heard)
            self.silenced += len(finding.echoes) - len(heard)
            self.failed |= told.worst.rank >= self.fails
            if told.worst.rank >= self.least:
                self.write(self.report.finding(finding if self.suppresses else told))


def _report(session: Session, rules: Rules, said: UserRules, given: dict[str, Any]) -> Report:
    """The format that the options ask for."""
    files = [each.name for each in session.captures]
    match given["form"]:
        case "json" | "ndjson":
            return FindingJson(files, array=given["form"] == "json")
        case "sarif":
            return Sarif(rules, files, said.silenced)
        case "junit":
            fails = Severity(given["fail_on"] or "warning")
            return Junit(rules, files, fails=fails, silenced=said.silenced)
    return FindingText(
        (rule for _, rule in rules),
        Palette(enabled=wanted(given["colour"], sys.stdout)),
        ends=lambda flow: " -> ".join(session.tracker.flows[flow].addresses),
        files=files,
        width=get_terminal_size().columns if sys.stdout.isatty() else 0,
    )
