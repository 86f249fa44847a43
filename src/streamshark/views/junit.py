"""Findings as JUnit XML, which CI systems show as tests.

There is no standard; this is the form that Jenkins, GitLab and GitHub actions read: a suite per
protocol, a test per rule. Findings of at least the failing severity are failures, others are the
test's output; a silenced rule is skipped, with the reason.
"""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from streamshark.findings.finding import Finding, Severity
from streamshark.findings.rule import Rule
from streamshark.views.escaping import printable
from streamshark.views.findings import JudgedTotals
from streamshark.views.rule_reference import merged

MOST_SHOWN = 64
"""Most findings of one rule that are written."""


class Junit:
    """A JUnit document of findings, written at the end.

    `rules` are those that were checked: protocol id and rule. `fails` is the least severity that is
    a failure. Rules of protocols that are not in the captures are omitted.
    """

    def __init__(
        self,
        rules: Sequence[tuple[str, Rule]],
        files: Sequence[str],
        *,
        fails: Severity = Severity.WARNING,
        silenced: Mapping[str, str] | None = None,
    ) -> None:
        self.rules = merged(rules)
        self.files = files
        self.fails = fails
        self.silenced = silenced or {}
        self._kept: dict[str, list[str]] = {}
        self._failed: dict[str, Finding] = {}

    def head(self) -> str:
        """Return an empty text: the document is written at the end."""
        return ""

    def finding(self, finding: Finding) -> str:
        """Add one finding, with its consequences as the test's output; return an empty text."""
        kept = self._kept.setdefault(finding.rule, [])
        if len(kept) < MOST_SHOWN:
            kept.append(self._line(finding))
            kept += (f"  consequence: {self._line(each)}" for each in finding.echoes)
        if finding.worst.rank >= self.fails.rank:
            self._failed.setdefault(finding.rule, finding)
        return ""

    def tail(self, judged: JudgedTotals) -> str:
        """Return the document."""
        names = [*judged.protocols, *(["tcp"] if self._about_tcp() else [])]
        suites = [
            (protocol, [rule for other, rule in self.rules if other == protocol])
            for protocol in names
        ]
        suites = [suite for suite in suites if suite[1]]
        inside = "".join(self._suite(*suite) for suite in suites)
        counts = self._counts([rule for _, rules in suites for rule in rules], judged.nothing)
        inside += self._nothing(judged.nothing)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n'
        return f'{head}<testsuites name="streamshark check" {counts}>\n{inside}</testsuites>\n'

    def _suite(self, protocol: str, rules: Sequence[Rule]) -> str:
        cases = "".join(self._case(protocol, rule) for rule in rules)
        files = "".join(
            f'<property name="capture" value={quoteattr(printable(each))}/>' for each in self.files
        )
        return (
            f"  <testsuite name={quoteattr(f'streamshark.{protocol}')} {self._counts(rules)}>\n"
            f"    <properties>{files}</properties>\n{cases}  </testsuite>\n"
        )

    def _about_tcp(self) -> bool:
        """Return whether there are findings about TCP."""
        return any(rule.id in self._kept for protocol, rule in self.rules if protocol == "tcp")

    def _nothing(self, why: str) -> str:
        """Return the suite for captures in which nothing could be read; empty otherwise."""
        if not why:
            return ""
        message = quoteattr(printable(why))
        return (
            f'  <testsuite name="streamshark.reading" {self._counts([], why)}>\n'
            '    <testcase classname="streamshark.reading" name="something is read" time="0">'
            f'<error message={message} type="unread"/></testcase>\n  </testsuite>\n'
        )

    def _counts(self, rules: Sequence[Rule], nothing: str = "") -> str:
        failed = sum(rule.id in self._failed and rule.id not in self.silenced for rule in rules)
        skipped = sum(rule.id in self.silenced for rule in rules)
        errors = int(bool(nothing))
        return (
            f'tests="{len(rules) + errors}" failures="{failed}" errors="{errors}" '
            f'skipped="{skipped}" time="0"'
        )

    def _case(self, protocol: str, rule: Rule) -> str:
        name = quoteattr(f"{rule.id} {rule.title}")
        head = (
            f'    <testcase classname={quoteattr(f"streamshark.{protocol}")} name={name} time="0"'
        )
        if rule.id in self.silenced:
            return f"{head}><skipped message={quoteattr(self.silenced[rule.id])}/></testcase>\n"
        lines = self._kept.get(rule.id)
        if lines is None:
            return f"{head}/>\n"
        text = escape("\n".join(lines))
        failed = self._failed.get(rule.id)
        if failed is None:
            return f"{head}><system-out>{text}</system-out></testcase>\n"
        more = "\n".join(
            f"{label}: {value}"
            for label, value in (("cause", failed.cause), ("source", failed.source))
            if value
        )
        message = quoteattr(printable(failed.message))
        kind = quoteattr(failed.severity)
        return (
            f"{head}><failure message={message} type={kind}>{text}\n{escape(more)}</failure>"
            "</testcase>\n"
        )

    def _line(self, finding: Finding) -> str:
        """Return one line: severity, file, place, message."""
        places = [f"flow {finding.flow}"]
        places += [f"frame {each}" for each in finding.frames[:1]]
        places += [f"p{each}" for each in finding.packets[:1]]
        where = f"{printable(self.files[finding.file])}: {' '.join(places)}"
        often = f" ({finding.count} times)" if finding.count > 1 else ""
        return f"{finding.severity}: {where}: {printable(finding.message)}{often}"
