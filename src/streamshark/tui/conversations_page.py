"""The Conversations screen: a list of them, and one as a ladder."""

import time
from bisect import insort
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.message import Message

from streamshark.conversations.units import duration
from streamshark.errors import StreamsharkError
from streamshark.tui.browser import Browser
from streamshark.tui.frame_list import NARROW
from streamshark.tui.keys import CONVERSATIONS, Press
from streamshark.tui.ladder import LadderView
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.pieces import TextPiece
from streamshark.views.conversations import STATES, summary

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation

SLICE: Final = 0.03
"""Seconds of reading conversations between two looks at the keyboard."""
ALL: Final = ""
"""The kind of all conversations."""


class _Entry(NamedTuple):
    """What is kept of each conversation."""

    first: int
    """Number of its first frame, by which they are sorted."""
    number: int
    """Place in the index."""
    type: str
    flows: tuple[int, ...]


class ConversationList(LineView):
    """Conversations, one line each, in the order of their first frames."""

    context = CONVERSATIONS

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        super().__init__(id=id)
        self.browser = browser
        self.entries: Sequence[_Entry] = ()

    def heading(self) -> Sequence[TextPiece]:
        """Return the names of the columns."""
        start, frames = ("", "") if self.is_narrow else (f"{'Start':>10} ", "Frames ")
        return [TextPiece(f"{'Conversation':<20} {'State':<10} {start}{'Lasted':>9} {frames} What")]

    @property
    def is_narrow(self) -> bool:
        """Whether starts and numbers of frames are left out."""
        return self.app.size.width < NARROW

    def line(self, number: int) -> Sequence[TextPiece]:
        """Return id, state, times, frames, request and outcome."""
        found = self.browser.index.conversation(self.entries[number].number)
        start = (found.start - (self.browser.index.started_ns or 0)) / 1e9
        command, asked, came, more = summary(found, self.browser.ends)
        return [
            TextPiece(f"{found.id:<20} ", "name"),
            TextPiece(f"{found.state:<10} ", STATES.get(found.state) or ""),
            TextPiece("" if self.is_narrow else f"{start:>10.6f} ", "time"),
            TextPiece(f"{duration(found.duration_ns):>9} ", "time"),
            TextPiece(" " if self.is_narrow else f"{found.frame_count:>6}  "),
            TextPiece(command, "command"),
            TextPiece("".join(f" {each}" for each in (asked, came, *more) if each)),
        ]

    def nothing(self) -> str:
        """Return why no conversation is shown."""
        if self.browser.is_complete:
            return "No conversations."
        return "No conversation has ended so far. F on a frame shows the one it belongs to."

    @property
    def selected(self) -> "Conversation | None":
        """The selected conversation."""
        if self.cursor >= len(self.entries):
            return None
        return self.browser.index.conversation(self.entries[self.cursor].number)


class ConversationsPage(Page):
    """Conversations by connection and kind; Enter opens one as a ladder."""

    title: ClassVar[str] = "Conversations"
    DEFAULT_CSS = """
    ConversationsPage ConversationList { height: 1fr; }
    ConversationsPage LadderView { height: 1fr; display: none; }
    ConversationsPage.ladder ConversationList { display: none; }
    ConversationsPage.ladder LadderView { display: block; }
    """

    class Opened(Message):
        """A row of a conversation is to be shown."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self, browser: Browser, *, id: str) -> None:  # noqa: A002 - as of a widget
        self.list = ConversationList(browser, id="conversation-list")
        self.ladder = LadderView(browser, id="ladder")
        super().__init__(browser, self.list, self.ladder, id=id)
        self.kind = ALL
        """Type of the conversations that are shown."""
        self.flow: int | None = None
        """Connection whose conversations are shown; None for all."""
        self.linked = False
        """Whether the ladder has linked conversations of other connections too."""
        self._all: list[_Entry] = []
        self._read = 0

    def compose(self) -> ComposeResult:
        """Return the panes."""
        yield self.list
        yield self.ladder

    # The list

    def refresh_data(self) -> None:
        """Take conversations that have ended, as many as there is time for."""
        index, until, before = self.browser.index, time.monotonic() + SLICE, self._read
        while self._read < index.conversation_count and time.monotonic() < until:
            found = index.conversation(self._read)
            insort(self._all, _Entry(found.first_frame, self._read, found.type, found.flows))
            self._read += 1
        if self._read != before or not self.list.count:
            self._choose(keep=True)
        if self._read < index.conversation_count:
            self.set_timer(SLICE, self.refresh_data)

    def _choose(self, *, keep: bool = False) -> None:
        """Show the conversations of the chosen kind and connection."""
        chosen = self.list.entries[self.list.cursor] if keep and self.list.entries else None
        entries = [
            each
            for each in self._all
            if self.kind in (ALL, each.type) and (self.flow is None or self.flow in each.flows)
        ]
        self.list.entries = entries
        at = entries.index(chosen) if chosen in entries else 0
        self.list.show(len(entries), at)

    def status(self) -> str:
        """Return the position, and what is shown."""
        if self.has_class("ladder"):
            return f"{self.ladder.shown}: {super().status()}, Enter shows the frame, Esc the list"
        kind = f"of type {self.kind}" if self.kind else "of all types (t)"
        flow = "" if self.flow is None else f", connection {self.flow}"
        return f"{super().status()} {kind}{flow}"

    def act_next_kind(self, _press: Press) -> None:
        """Show the next type of conversations."""
        kinds = [ALL, *sorted({each.type for each in self._all})]
        self.use_kind(kinds[(kinds.index(self.kind) + 1) % len(kinds)])

    def use_kind(self, kind: str) -> None:
        """Show conversations of one type, or all.

        Raises:
            StreamsharkError: There is none of this type.
        """
        known = sorted({each.type for each in self._all})
        if kind not in (ALL, *known):
            raise StreamsharkError(f"no conversation of type {kind!r} (known: {', '.join(known)})")
        self.kind = kind
        self._close()
        self._choose()

    def use_flow(self, flow: int | None) -> None:
        """Show the conversations of one connection, or of all."""
        self.flow = flow
        self._close()
        self._choose()

    # The ladder

    def open(self, name: str, cursor: int = 0) -> None:
        """Show a conversation as a ladder, with a row of it selected.

        Raises:
            StreamsharkError: There is no such conversation.
        """
        rows = self.browser.rows_of_conversation(name)
        if not rows:
            raise StreamsharkError(f"no conversation {name!r}")
        if self.linked:
            rows = sorted({*rows, *self._linked_rows(name)})
        first = self.browser.row(rows[0])
        here, there = first.connection.flow.addresses
        if first.connection.client == 1:
            here, there = there, here
        known = first.connection.client is not None
        self.ladder.ends = (f"client {here}", f"server {there}") if known else (here, there)
        self.ladder.shown = name
        self.ladder.findings = self.browser.findings_by_row()
        self.add_class("ladder")
        self.ladder.put(rows, cursor=cursor)
        self.ladder.focus()

    def _linked_rows(self, name: str) -> Iterator[int]:
        """Yield the rows of conversations to which one is linked."""
        for each in self.browser.links(name):
            yield from self.browser.index.rows_of_conversation(each)

    def act_linked(self, _press: Press) -> None:
        """Show or leave out linked conversations of other connections."""
        if not self.has_class("ladder"):
            raise StreamsharkError("open a conversation first")
        if not self.linked and not self.browser.links(self.ladder.shown):
            raise StreamsharkError("no linked conversation on another connection")
        self.linked = not self.linked
        self.open(self.ladder.shown, self.ladder.row or 0)

    def on_line_view_selected(self, event: LineView.Selected) -> None:
        """Nothing depends on the selection."""
        event.stop()

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """Open what was clicked."""
        event.stop()
        event.view.choose(event.line)
        if event.view is self.list:
            self.act_ladder(Press("ladder"))
        else:
            self.act_show_frame(Press("show-frame"))

    def act_ladder(self, _press: Press) -> None:
        """Open the selected conversation."""
        if self.list.selected is not None:
            self.open(self.list.selected.id)

    def act_show_frame(self, _press: Press) -> None:
        """Show the frame of an arrow."""
        if self.ladder.row is not None:
            self.post_message(self.Opened(self.ladder.row))

    def act_back(self, _press: Press) -> None:
        """Go back to the list, or to the frames."""
        self.act_leave(_press)

    def act_leave(self, _press: Press) -> None:
        """Go back to the list, or show conversations of all connections."""
        if self.has_class("ladder"):
            self._close()
            self.list.focus()
        else:
            self.post_message(self.Left())

    def _close(self) -> None:
        self.remove_class("ladder")

    class Left(Message):
        """The screen was left."""
