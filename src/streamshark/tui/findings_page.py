"""The Findings screen: what is wrong, the worst first, with an explanation and its evidence."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.message import Message

from streamshark.conversations.units import counted
from streamshark.index.reader import Index, IndexedFinding
from streamshark.tui.browser import Browser
from streamshark.tui.keys import FINDINGS, Press
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.pieces import PiecePalette, TextPiece
from streamshark.tui.text_pane import TextPane
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS, place
from streamshark.views.ranking import order

WIDE: Final = 110
"""Columns from which the explanation is beside the list."""
MOST_EVIDENCE: Final = 16
"""Most frames of a finding whose lines are shown."""


class UnseenFindings:
    """Findings of a live capture that the user has not seen."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._seen = 0
        """Number of the findings that were seen."""

    @property
    def count(self) -> int:
        """Number of the new findings."""
        self._seen = min(self._seen, self._index.finding_count)  # some may have been withdrawn
        return self._index.finding_count - self._seen if self._index.progress.is_live else 0

    @property
    def latest(self) -> IndexedFinding | None:
        """The new finding that came last; None without one."""
        return self._index.finding(self._index.finding_count - 1) if self.count else None

    def text(self) -> str:
        """Return how many came, and the last of them; empty without one."""
        latest = self.latest
        if latest is None:
            return ""
        found, what = latest.finding, counted(self.count, "new finding")
        at = f" at frame {found.frames[0]}" if found.frames else ""
        return f"{what}: {MARKS[found.severity]} {found.rule}{at}, ]f shows it"

    def see(self) -> None:
        """Note that the user has seen them."""
        self._seen = self._index.finding_count


class FindingList(LineView):
    """Findings, one line each."""

    context = FINDINGS

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.browser = browser
        self.findings: list[IndexedFinding] = []

    def heading(self) -> Sequence[TextPiece]:
        """Return the names of the columns."""
        return [TextPiece("  Rule      Frame   Flow  What")]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return severity, rule, frame, connection and message."""
        found = self.findings[number].finding
        times = f" ({found.count:,} times)" if found.count > 1 else ""
        frame = found.frames[0] if found.frames else f"p{found.packets[0]}" if found.packets else ""
        return [
            TextPiece(f"{MARKS[found.severity]} {found.rule:<9} ", found.severity),
            TextPiece(f"{frame:<7} {found.flow:<5} ", "generated"),
            TextPiece(f"{printable(found.message)}{times}"),
        ]

    def nothing(self) -> str:
        """Return that there are no findings."""
        return "No findings." if self.browser.is_complete else "No findings so far."

    @property
    def selected(self) -> IndexedFinding | None:
        """The selected finding."""
        return self.findings[self.cursor] if self.cursor < len(self.findings) else None


def _key(found: IndexedFinding) -> tuple[str, int, Sequence[int]]:
    """Return what a finding keeps while it grows."""
    return found.finding.rule, found.finding.flow, found.rows[:1]


class FindingsPage(Page):
    """Findings, an explanation of the selected one, and the way to its evidence."""

    title: ClassVar[str] = "Findings"
    DEFAULT_CSS = """
    FindingsPage { layout: vertical; }
    FindingsPage.wide { layout: horizontal; }
    FindingsPage FindingList { height: 2fr; width: 1fr; }
    FindingsPage TextPane { height: 3fr; width: 1fr; }
    FindingsPage.wide FindingList { height: 1fr; width: 3fr; }
    FindingsPage.wide TextPane { height: 1fr; width: 2fr; }
    """

    class Evidence(Message):
        """A row is to be shown that proves a finding."""

        def __init__(self, finding: IndexedFinding, row: int) -> None:
            super().__init__()
            self.finding, self.row = finding, row

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        self.list = FindingList(browser, id="finding-list")
        self.text = TextPane("Explanation", FINDINGS, id="explanation")
        super().__init__(browser, self.list, self.text, id=id)
        self._changes = -1
        self._paint = PiecePalette().paint

    def compose(self) -> ComposeResult:
        """Return the panes."""
        yield self.list
        yield self.text

    def on_resize(self) -> None:
        """Put the panes beside or below each other."""
        self.set_class(self.app.size.width >= WIDE, "wide")

    def refresh_data(self) -> None:
        """Take the findings that have come; the selected one stays selected."""
        if self._changes == self.browser.index.finding_changes:
            return
        chosen = self.list.selected
        self._changes = self.browser.index.finding_changes
        found = self.browser.index.findings()
        self.list.findings = sorted(found, key=lambda each: order(each.finding))
        keys = [_key(each) for each in self.list.findings]
        is_there = chosen is not None and self.list.cursor and _key(chosen) in keys
        self.list.show(len(keys), keys.index(_key(chosen)) if is_there and chosen else 0)
        self._explain()

    def on_line_view_selected(self, event: LineView.Selected) -> None:
        """Explain the finding of a line."""
        event.stop()
        if event.view is self.list:
            self._explain()

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """Go to the evidence."""
        event.stop()
        if event.view is self.list:
            self.list.choose(event.line)
        self.act_evidence(Press("evidence"))

    def act_next_evidence(self, press: Press) -> None:
        """Go to the first evidence."""
        self.act_evidence(press)

    def act_evidence(self, _press: Press) -> None:
        """Go to the guilty frame of the selected finding."""
        found = self.list.selected
        if found is not None and (rows := self.rows_of(found)):
            self.post_message(self.Evidence(found, rows[0]))

    def rows_of(self, found: IndexedFinding) -> Sequence[int]:
        """Return the rows that prove a finding; the packet's if there is no frame."""
        if found.rows:
            return found.rows
        rows = (self.browser.row_of_packet(each) for each in found.finding.packets)
        return [each for each in rows if each is not None]

    def status(self) -> str:
        """Return the position, and what to do."""
        return super().status() if self.list.findings else self._nothing()

    def _nothing(self) -> str:
        return "no findings" if self.browser.is_complete else "no findings so far"

    # Explanation

    def _explain(self) -> None:
        found = self.list.selected
        self.text.put([self._nothing()] if found is None else self._paragraphs(found))

    def _paragraphs(self, found: IndexedFinding) -> Iterator[str]:
        finding, paint = found.finding, self._paint
        head = paint(finding.severity, f"[{MARKS[finding.severity]}] {finding.rule}")
        yield f"{head} {paint('command', self.browser.titles.get(finding.rule, ''))}"
        yield ""
        yield printable(finding.message)
        yield paint("generated", f"{place(finding)}, flow {finding.flow}")
        if finding.cause:
            yield ""
            yield f"{paint('name', 'Cause:')} {printable(finding.cause)}"
        if fix := self.browser.fix(finding):
            yield f"{paint('name', 'Fix:')} {printable(fix)}"
        yield from self._evidence(found)
        for echo in finding.echoes:
            mark = paint(echo.severity, f"[{MARKS[echo.severity]}] {echo.rule}")
            yield f"{paint('name', 'Consequence:')} {mark} {place(echo)}: {printable(echo.message)}"
        yield ""
        yield f"{paint('name', 'Severity:')} {finding.severity}, {finding.group}"
        yield f"{paint('name', 'Source:')} {printable(finding.source)}"

    def _evidence(self, found: IndexedFinding) -> Iterator[str]:
        rows = self.rows_of(found)
        yield ""
        yield self._paint("name", "Evidence (Enter shows the first, ]f the next):")
        for each in rows[:MOST_EVIDENCE]:
            yield f"  {self.browser.line(each)}"
        if len(rows) > MOST_EVIDENCE:
            yield f"  and {len(rows) - MOST_EVIDENCE} more"
