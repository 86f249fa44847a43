"""The Connections screen: who talks with whom, and what was agreed and done."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.message import Message

from streamshark.conversations.units import counted, duration, size
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Severity
from streamshark.index.reader import IndexedConnection
from streamshark.schema.secrets import scrubbed, scrubbed_members
from streamshark.tui.browser import CHAT, Browser
from streamshark.tui.keys import CONNECTIONS, Press
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.pieces import PiecePalette, TextPiece
from streamshark.tui.text_pane import TextPane
from streamshark.views.conversations import STATES, summary
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS
from streamshark.views.info_column import plain

WIDE: Final = 130
"""Columns from which the description is beside the list."""
MOST_ROWS: Final = 50_000
"""Most rows of a connection that are counted for its description."""
MOST_COMMANDS: Final = 12
"""Most commands of a side that are named."""
MOST_OBJECTS: Final = 40
"""Most publishers, subscriptions and other objects that are listed."""
LONGEST: Final = 200
"""Most characters of a negotiated value."""
_OF_OBJECTS: Final = frozenset({"stream", "reference", "subscription", "publisher"})
"""Facts of the objects of a connection, and not of the connection."""


class ConnectionList(LineView):
    """TCP connections, one line each."""

    context = CONNECTIONS

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.browser = browser
        self.connections: Sequence[IndexedConnection] = ()
        self.worst: Mapping[int, str] = {}
        """Flow to the worst severity of its findings."""

    def heading(self) -> Sequence[TextPiece]:
        """Return the names of the columns."""
        names = f"{'Client':<22} {'Server':<22} {'Protocol':<16} {'Packets':>8} Payload"
        return [TextPiece(f"  {'Flow':>5} {names}")]

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return number, addresses, protocol and amounts."""
        found = self.connections[number]
        worst = self.worst.get(found.flow, "")
        here, there = found.addresses if found.client != 1 else found.addresses[::-1]
        lost = f", {size(found.lost)} lost" if found.lost else ""
        return [
            TextPiece(f"{MARKS.get(worst, ' ')} ", worst),
            TextPiece(f"{found.flow:>5} "),
            TextPiece(f"{here:<22} ", "client" if found.client is not None else ""),
            TextPiece(f"{there:<22} ", "server" if found.client is not None else ""),
            TextPiece(f"{_protocol(found):<16} ", "command" if found.protocol else "generated"),
            TextPiece(f"{found.packets:>8} {size(found.payload)}"),
            TextPiece(lost, "warning"),
        ]

    @property
    def selected(self) -> IndexedConnection | None:
        """The selected connection."""
        return self.connections[self.cursor] if self.cursor < len(self.connections) else None


class ConnectionsPage(Page):
    """Connections, and a description of the selected one."""

    title: ClassVar[str] = "Connections"
    DEFAULT_CSS = """
    ConnectionsPage { layout: vertical; }
    ConnectionsPage.wide { layout: horizontal; }
    ConnectionsPage ConnectionList { height: 2fr; width: 1fr; }
    ConnectionsPage TextPane { height: 3fr; width: 1fr; }
    ConnectionsPage.wide ConnectionList { height: 1fr; width: 3fr; }
    ConnectionsPage.wide TextPane { height: 1fr; width: 2fr; }
    """

    class Chosen(Message):
        """The conversations of a connection are to be shown."""

        def __init__(self, flow: int) -> None:
            super().__init__()
            self.flow = flow

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        self.list = ConnectionList(browser, id="connection-list")
        self.text = TextPane("Connection", CONNECTIONS, id="connection")
        super().__init__(browser, self.list, self.text, id=id)
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Return the panes."""
        yield self.list
        yield self.text

    def on_resize(self) -> None:
        """Put the panes beside or below each other."""
        self.set_class(self.app.size.width >= WIDE, "wide")

    def refresh_data(self) -> None:
        """Take the connections that have come."""
        if not self.display:
            return
        index = self.browser.index
        state = len(index), index.finding_count, index.is_complete
        if state == self._shown:
            return
        self._shown = state
        self.list.connections = index.connections()
        self.list.worst = _worst(
            (each.finding.flow, each.finding.severity) for each in index.findings()
        )
        self.list.show(len(self.list.connections), self.list.cursor)
        self._describe()

    def on_line_view_selected(self, event: LineView.Selected) -> None:
        """Describe the connection of a line."""
        event.stop()
        if event.view is self.list:
            self._describe()

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """Show the conversations of a connection."""
        event.stop()
        if event.view is self.list:
            self.list.choose(event.line)
            self.act_conversations_of(Press("conversations-of"))

    def act_conversations_of(self, _press: Press) -> None:
        """Show the conversations of the selected connection."""
        if self.list.selected is not None:
            self.post_message(self.Chosen(self.list.selected.flow))

    def act_frames_of(self, _press: Press) -> None:
        """Show the frames of the selected connection."""
        if self.list.selected is not None:
            self.post_message(self.Filtered(f"tcp.stream == {self.list.selected.flow}"))

    def status(self) -> str:
        """Return the position, and what to do."""
        return f"{super().status()}, Enter shows conversations, a frames"

    def _describe(self) -> None:
        found = self.list.selected
        if found is None:
            self.text.put(["no TCP connection with payload so far"])
        else:
            self.text.put(describe(self.browser, found))

    class Filtered(Message):
        """A display filter is to be applied."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text


def _protocol(found: IndexedConnection) -> str:
    """Return the protocol of a connection, over its carrier."""
    if found.protocol is None:
        return "not recognised"
    return f"{found.protocol}/{found.carrier}" if found.carrier else found.protocol


def _worst(found: Iterable[tuple[int, str]]) -> Mapping[int, str]:
    worst: dict[int, str] = {}
    for flow, severity in found:
        if severity != CHAT and (
            flow not in worst or Severity(severity).rank > Severity(worst[flow]).rank
        ):
            worst[flow] = severity
    return worst


def describe(browser: Browser, found: IndexedConnection) -> Iterator[str]:
    """Yield paragraphs about a connection, painted for `pieces`."""
    paint = PiecePalette().paint
    rows = list(_first(browser.index.rows_of_flow(found.flow)))
    yield paint("command", f"Connection {found.flow}: {_protocol(found)}")
    yield browser.ends(found.flow)
    if found.reason:
        yield f"{paint('name', 'Recognised by:')} {printable(found.reason)}"
    yield from _lifetime(browser, rows)
    if found.lost:
        yield paint("warning", f"{counted(found.lost, 'byte')} are not in the capture")
    facts = _facts(browser, rows)
    if facts:
        yield ""
        yield paint("command", "Peers")
        yield from (f"  {paint('name', f'{name}:')} {text}" for name, text in facts)
    agreed = {
        name: _value(value)
        for name, value in scrubbed_members(dict(found.agreed)).items()
        if value is not None
    }
    if agreed:
        yield ""
        yield paint("command", "Negotiated")
        yield from (f"  {paint('name', f'{name}:')} {text}" for name, text in agreed.items())
    yield from _sent(browser, rows)
    yield from _objects(browser, found.flow)
    yield from _findings(browser, found.flow)


def _value(value: Any) -> str:  # noqa: ANN401 - any value
    """Return a negotiated value as text."""
    if isinstance(value, list):
        return counted(len(value), "item")
    return scrubbed(plain(value, LONGEST))


def _first(rows: Iterator[int]) -> Iterator[int]:
    """Yield rows up to the limit."""
    for _, each in zip(range(MOST_ROWS), rows, strict=False):
        yield each


def _lifetime(browser: Browser, rows: Sequence[int]) -> Iterator[str]:
    if not rows:
        return
    times = browser.index.columns["time"]
    start = browser.index.started_ns or 0
    first, last = times[rows[0]], times[rows[-1]]
    more = "" if len(rows) < MOST_ROWS else f", counted to row {MOST_ROWS:,}"
    yield f"From {(first - start) / 1e9:.6f} s, for {duration(last - first)}{more}"
    ends = [
        f"{head.command} by the {head.sender or 'unknown peer'}"
        for head in map(browser.index.head, rows[-4:])
        if head.kind == "event" and head.command in ("close", "reset")
    ]
    yield f"Ended: {', '.join(ends)}" if ends else "Open when the capture ended"


def _facts(browser: Browser, rows: Sequence[int]) -> list[tuple[str, str]]:
    """Return what the peers have said of themselves, as the last row knows it."""
    for at in reversed(rows[-16:]):
        try:
            annotation = browser.original(at).annotation
        except StreamsharkError:
            return []
        if annotation is not None and annotation.context:
            known: Mapping[str, Any] = scrubbed_members(annotation.context)
            return [
                (name, plain(each, LONGEST))
                for name, each in known.items()
                if name not in _OF_OBJECTS
            ]
    return []


def _sent(browser: Browser, rows: Sequence[int]) -> Iterator[str]:
    """Yield what each side has sent."""
    index, paint = browser.index, PiecePalette().paint
    settings, lengths = index.columns["setting"], index.columns["length"]
    counts: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for at in rows:
        setting = index.setting(settings[at])
        if setting.kind != "event":
            sender = setting.sender or "unknown peer"
            counts.setdefault(sender, Counter())[setting.command or "unknown"] += 1
            sizes[sender] += lengths[at]
    if counts:
        yield ""
        yield paint("command", "Sent")
    for sender, each in counts.items():
        named = [f"{count:,} {printable(name)}" for name, count in each.most_common(MOST_COMMANDS)]
        more = len(each) - MOST_COMMANDS
        if more > 0:
            named.append(f"and {more} more commands")
        total = f"{counted(each.total(), 'frame')}, {size(sizes[sender])}"
        yield f"  {paint(sender, f'{sender}:')} {total}: {', '.join(named)}"


def _objects(browser: Browser, flow: int) -> Iterator[str]:
    """Yield publishers, subscriptions and other conversations that are no calls."""
    paint = PiecePalette().paint
    found = [
        each
        for each in browser.index.conversations()
        if flow in each.flows and each.type not in ("call", "connection") and each.request
    ]
    if found:
        yield ""
        yield paint("command", "Publishers, subscriptions and other objects")
    for each in sorted(found, key=lambda each: each.first_frame)[:MOST_OBJECTS]:
        command, asked, came, more = summary(each, browser.ends)
        text = " ".join(part for part in (command, asked, came, *more) if part)
        yield f"  {paint('name', each.id)} {paint(STATES.get(each.state), each.state)} {text}"
    if len(found) > MOST_OBJECTS:
        yield f"  and {len(found) - MOST_OBJECTS} more; Enter lists them"


def _findings(browser: Browser, flow: int) -> Iterator[str]:
    paint = PiecePalette().paint
    found = [
        each.finding
        for each in browser.index.findings()
        if each.finding.flow == flow and each.finding.severity != CHAT
    ]
    if found:
        yield ""
        yield paint("command", "Findings")
    for each in sorted(found, key=lambda each: -Severity(each.severity).rank)[:MOST_OBJECTS]:
        mark = paint(each.severity, f"[{MARKS[each.severity]}] {each.rule}")
        yield f"  {mark} {printable(each.message)}"
