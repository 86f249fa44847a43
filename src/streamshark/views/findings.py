"""Findings as text and as JSON objects.

The text is written at the end, grouped by rule, the most severe first, then those that explain
most; what the findings of a rule share (title, cause, source) is written once. Only the first
findings of a rule are kept and shown, the others counted, so that the length of a page is bounded.
"""

import shlex
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from streamshark.conversations.units import counted
from streamshark.findings.finding import Finding, Severity
from streamshark.findings.news import Change, News
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable
from streamshark.views.json import JsonObjects
from streamshark.views.ranking import order

MOST_SHOWN = 20
"""Most findings of one rule written in text."""
MOST_EVIDENCE = 8
"""Most frames that prove a finding, listed in text."""
MARKS = {"error": "E", "warning": "W", "note": "N", "chat": "C"}
"""Letter of each severity, shown as well as its colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTotals:
    """Totals of what was judged, known at the end."""

    frames: int = 0
    connections: int = 0
    protocols: tuple[str, ...] = ()
    """Ids of the protocols in the captures."""
    rules: int = 0
    """Number of rules checked."""
    silenced: int = 0
    """Number of silenced findings."""
    known: int = 0
    """Number of findings that are in the baseline, and are not reported."""
    unread: tuple[str, ...] = ()
    """Sentences about what could not be read."""
    nothing: str = ""
    """Why no frame at all was read; empty if one was."""
    incomplete: Mapping[str, int] = field(default_factory=dict)
    """What was not captured to the number of connections of which it is missing."""


class WorstFindings:
    """The worst findings, at most `most`, and the number of all by severity; chat is left out."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._counts: Counter[str] = Counter()
        self._worst: list[Finding] = []

    def add(self, findings: Iterable[Finding]) -> None:
        """Add settled findings."""
        for each in findings:
            if each.severity == Severity.CHAT.value:
                continue
            self._counts[each.severity] += 1
            self._worst.append(each)
        if len(self._worst) > self.most:
            self._worst.sort(key=order)
            del self._worst[self.most :]

    def counts(self) -> list[tuple[Severity, int]]:
        """Return the severities that occur with the number of findings, the worst first."""
        found = ((each, self._counts[each.value]) for each in reversed(Severity))
        return [(severity, count) for severity, count in found if count]

    def worst(self) -> list[Finding]:
        """Return the worst findings, the worst first."""
        return sorted(self._worst, key=order)


class Report(Protocol):
    """The interface of every format of findings: `head`, each finding, `tail`."""

    def head(self) -> str:
        """Return the text before the first finding."""

    def finding(self, finding: Finding) -> str:
        """Return one finding as text; empty if it is written at the end."""

    def tail(self, judged: JudgedTotals) -> str:
        """Return the text after the last finding."""


def finding_dict(finding: Finding, files: Sequence[str]) -> dict[str, Any]:
    """Return a finding as JSON: the members of the design's section 4, then `count` and `echoes`.

    `files` are the names of the captures.
    """
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "group": finding.group,
        "protocol": finding.protocol,
        "file": printable(files[finding.file]),
        "flow": finding.flow,
        "frames": list(finding.frames),
        "packets": list(finding.packets),
        "conversation": finding.conversation,
        "message": finding.message,
        "cause": finding.cause,
        "source": finding.source,
        "count": finding.count,
        "echoes": [finding_dict(each, files) for each in finding.echoes],
    }


class FindingJson(JsonObjects):
    """Findings as JSON objects; `files` are the names of the captures."""

    def __init__(self, files: Sequence[str], *, array: bool = False) -> None:
        super().__init__(array=array)
        self.files = files

    def finding(self, finding: Finding) -> str:
        """Return one object."""
        return self.object(finding_dict(finding, self.files))

    def news(self, news: News) -> str:
        """Return the finding as an object that begins with its change and its number."""
        head = {"change": news.change.value, "number": news.number}
        return self.object({**head, **finding_dict(news.finding, self.files)})

    def tail(self, judged: JudgedTotals) -> str:  # noqa: ARG002 - JSON has only findings
        """Return the end of the array, if any."""
        return self.end()


_Key = tuple[str, str, str]


def _incomplete(judged: JudgedTotals) -> str:
    """Return a line about connections that were not captured completely; empty without any."""
    if not judged.incomplete:
        return ""
    counts = ", ".join(f"{reason}: {count:,}" for reason, count in judged.incomplete.items())
    many = counted(sum(judged.incomplete.values()), "connection is", "connections are")
    return f"{many} incomplete ({counts}): rules that need what is missing did not apply\n"


def _key(finding: Finding) -> _Key:
    """Return what the findings of one group share: rule, severity, cause."""
    return finding.rule, finding.severity, finding.cause


class FindingText:
    """A page of findings, written at the end.

    `title_of` returns the title of a finding's rule, empty without one; `ends` returns the
    addresses of a flow; lines are wrapped at `width`, 0 for never. `opens` adds the command that
    opens Wireshark at the packet.
    """

    def __init__(
        self,
        title_of: Callable[[Finding], str],
        palette: Palette,
        *,
        ends: Callable[[int], str],
        files: Sequence[str] = (),
        width: int = 0,
        opens: bool = False,
    ) -> None:
        self.title_of = title_of
        self.palette = palette
        self.ends = ends
        self.files = [printable(each) for each in files] if len(files) > 1 else []
        self.sources = files if opens else []
        self.width = width
        self.severities: Counter[str] = Counter()
        self.echoes = 0
        self._kept: dict[_Key, list[Finding]] = {}
        self._found: Counter[_Key] = Counter()

    def head(self) -> str:
        """Return an empty text: the page is written at the end."""
        return ""

    def finding(self, finding: Finding) -> str:
        """Add one finding; return an empty text."""
        self.severities[finding.severity] += 1
        self.echoes += len(finding.echoes)
        key = _key(finding)
        self._found[key] += 1
        kept = self._kept.setdefault(key, [])
        if len(kept) < MOST_SHOWN:
            kept.append(finding)
        return ""

    def tail(self, judged: JudgedTotals) -> str:
        """Return all groups, the most severe first, then those that explain most; the totals."""
        groups = sorted(self._kept.values(), key=lambda each: min(map(order, each)))
        groups_text = "".join(f"{self._group(each)}\n" for each in groups)
        if not judged.frames:
            reason = f"nothing decoded: {printable(judged.nothing)}\n" if judged.nothing else ""
            return groups_text + reason
        seen = f"{counted(judged.frames, 'frame')} of {counted(judged.connections, 'connection')}"
        checked = f" ({counted(judged.rules, 'rule')} checked)"
        silenced = f"; {judged.silenced:,} silenced" if judged.silenced else ""
        known = f"; {judged.known:,} in the baseline" if judged.known else ""
        total = f"{self._total()} in {seen}{checked}{silenced}{known}\n"
        return f"{groups_text}{total}{_incomplete(judged)}"

    def _total(self) -> str:
        """Return the number of findings of each severity, as text."""
        counts = [
            counted(self.severities[each.value], each.value)
            for each in reversed(Severity)
            if self.severities[each.value]
        ]
        if self.echoes:
            counts.append(counted(self.echoes, "consequence"))
        return ", ".join(counts) or "no findings"

    def _group(self, findings: Sequence[Finding]) -> str:
        first, paint = findings[0], self.palette.paint
        title = f"  {found}" if (found := self.title_of(first)) else ""
        head = paint(first.severity, f"[{MARKS[first.severity]}] {first.severity} {first.rule}")
        lines = [f"{head}{paint('command', title)}  ({first.group})"]
        for each in findings:
            lines += self._finding(each)
        more = self._found[_key(first)] - len(findings)
        if more > 0:
            lines.append(f"    ... and {more} more (all with -T ndjson)")
        for name in ("cause", "source"):
            if text := getattr(first, name):
                lines += self._lines("    ", f"{name}: {printable(text)}", "generated")
        return "".join(f"{line}\n" for line in lines)

    def _finding(self, finding: Finding) -> Iterable[str]:
        file = f", in {self.files[finding.file]}" if self.files else ""
        where = f"{place(finding)}, flow {finding.flow} {self.ends(finding.flow)}{file}"
        yield from self._lines("  ", where, "name")
        yield from self._lines("      ", printable(finding.message) + _more(finding))
        if self.sources and finding.packets and (source := self.sources[finding.file]) != "-":
            name = shlex.quote(printable(source))
            yield f"      open: wireshark -g {finding.packets[0]} {name}"
        for echo in finding.echoes:
            mark = f"[{MARKS[echo.severity]}] {echo.rule}"
            text = f"consequence: {mark} {place(echo)}: {printable(echo.message)}{_more(echo)}"
            yield from self._lines("        ", text)

    def _lines(self, indent: str, text: str, style: str = "") -> list[str]:
        wrapped = [text]
        if self.width:
            wrapped = textwrap.wrap(
                text,
                max(self.width - len(indent), 40),
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
        return [indent + self.palette.paint(style, each) for each in wrapped]


class FindingNews(FindingText):
    """A page of findings that is written as they change: each in full when new, then its changes.

    Takes the arguments of `FindingText`. The growth of a finding is shown once, when it is settled.
    """

    def __init__(self, *given: Any, **more: Any) -> None:  # noqa: ANN401 - those of `FindingText`
        super().__init__(*given, **more)
        self._open: dict[int, Finding] = {}
        """Findings that are not settled, as they were when new, by number."""

    def news(self, news: News) -> str:
        """Return the text of a change; empty for growth, and for a finding settled as it was."""
        finding, mark = news.finding, self.palette.paint("generated", f"#{news.number}")
        match news.change:
            case Change.NEW:
                self._open[news.number] = finding
                return f"{mark} {self._group([finding])}\n"
            case Change.WITHDRAWN:
                del self._open[news.number]
                where = place(finding)
                return f"{mark} withdrawn: lost bytes may explain it ({finding.rule}, {where})\n\n"
            case Change.SETTLED:
                self.finding(finding)
                if _reported(self._open.pop(news.number)) != _reported(finding):
                    return f"{mark} settled: {self._group([finding])}\n"
        return ""

    def tail(self, judged: JudgedTotals) -> str:
        """Return how many findings were settled, in how much."""
        self._kept.clear()
        return super().tail(judged)


def _reported(finding: Finding) -> tuple[object, ...]:
    """Return what makes a finding worth reporting again if it changes."""
    echoes = tuple(each.rule for each in finding.echoes)
    return finding.severity, finding.count, finding.message, finding.cause, echoes


def place(finding: Finding) -> str:
    """Return the finding's main frame and its packet as text; for an event the packet alone."""
    packets = " ".join(f"p{each}" for each in finding.packets[:1])
    frame = f"frame {finding.frames[0]}" if finding.frames else ""
    return " ".join(each for each in (frame, packets) if each) or "the capture"


def _more(finding: Finding) -> str:
    """Return the number of occurrences and the other frames that prove a finding, as text."""
    others = finding.frames[1:]
    notes = [f"{finding.count} times"] if finding.count > 1 else []
    if others:
        shown = ", ".join(map(str, others[:MOST_EVIDENCE]))
        more = f" and {len(others) - MOST_EVIDENCE} more" if len(others) > MOST_EVIDENCE else ""
        notes.append(f"see {'frame' if len(others) == 1 else 'frames'} {shown}{more}")
    return f" [{'; '.join(notes)}]" if notes else ""
