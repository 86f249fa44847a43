"""The program: screens, keys and commands."""

import asyncio
import os
import signal
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static

from streamshark.conversations.units import counted
from streamshark.errors import StreamsharkError
from streamshark.filters.completion import Completion
from streamshark.tui.browser import Browser
from streamshark.tui.colour_rules import ColourRules
from streamshark.tui.connections_page import ConnectionsPage
from streamshark.tui.conversations_page import ConversationsPage
from streamshark.tui.entry import Entry, LineInput, Verdict
from streamshark.tui.export import export
from streamshark.tui.findings_page import FindingsPage, UnseenFindings
from streamshark.tui.frames_page import FramesPage
from streamshark.tui.help_screen import HelpScreen
from streamshark.tui.keys import CONTEXTS, KeyMap, KeyReader, Press, command_of, key_of, shown
from streamshark.tui.line_view import LineView
from streamshark.tui.page import Page
from streamshark.tui.pieces import text_of
from streamshark.tui.screen_tabs import ScreenTabs
from streamshark.tui.settings import Settings
from streamshark.tui.statistics_page import StatisticsPage
from streamshark.tui.texts import RowTexts, names_of
from streamshark.views.escaping import printable

if TYPE_CHECKING:
    from textual.timer import Timer

    from streamshark.index.reader import IndexedFinding

ALWAYS: Final = frozenset({"help", "close"})
"""Actions that the footer has first."""
ENTRY_ENDS: Final = frozenset({"enter", "escape"})
"""Keys that may end an entry."""
LOOK: Final = 0.25
"""Seconds between two looks at an index that grows."""
FIRST_LOOK: Final = 0.02
"""The same until there are rows, for `FIRST_LOOKS` looks."""
FIRST_LOOKS: Final = 100


class StreamsharkApp(App[int]):
    """Screens of one index."""

    TITLE = "streamshark"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Screen { layout: vertical; background: $background; }
    #tabs { height: 1; background: $panel; color: $text-muted; }
    #pages { height: 1fr; }
    #status { height: auto; max-height: 4; min-height: 1; background: $panel; color: $text; }
    #status.wrong { background: $error 40%; }
    #footer { height: 1; background: $panel; color: $text-muted; }
    #command { display: none; }
    #command.typing { display: block; }
    """

    def __init__(
        self,
        browser: Browser,
        settings: Settings | None = None,
        *,
        display_filter: str = "",
        rules: ColourRules | None = None,
        keep: Callable[[Settings], object] = lambda _settings: None,
    ) -> None:
        """Make the program; `keep` is called with settings that have changed."""
        # Without colours of its own Textual removes all, instead of showing them as greys.
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")))
        self.settings = settings or Settings()
        keys = KeyMap(self.settings.keys)
        self.rules, self._keep = rules, keep
        self.browser = browser
        self.display_filter = display_filter
        """Applied at first."""
        self.reader = KeyReader(keys)
        self.texts = RowTexts(browser)
        self.pages = (
            FramesPage(browser, id="frames"),
            ConversationsPage(browser, id="conversations"),
            ConnectionsPage(browser, id="connections"),
            FindingsPage(browser, id="findings"),
            StatisticsPage(browser, id="statistics"),
        )
        self.page: Page = self.pages[0]
        self.tabs = ScreenTabs(id="tabs")
        self.footer = Static(id="footer", markup=False)
        self.status_line = Static(id="status", markup=False)
        self.finding: IndexedFinding | None = None
        """The finding whose evidence is shown."""
        self.evidence = 0
        """Which of its frames was shown last."""
        self.news = UnseenFindings(browser.index)
        self.said = ""
        """The last message, until a key is pressed."""
        self._held: list[events.Key] | None = None
        """Keys that wait until an entry was taken; None while none does."""
        self._told = ("", "")
        """What is in the status line and in the footer."""
        self._saving: asyncio.Task[None] | None = None
        self._is_warned = False
        """Whether the user knows that comments are not saved."""
        self._first_looks: Timer
        self.entry = Entry("Command, such as goto 12", self._complete, self._judge, id="command")

    # Layout

    def compose(self) -> ComposeResult:
        """Return tabs, screens, command line, status and footer."""
        yield self.tabs
        with Container(id="pages"):
            yield from self.pages
        yield self.entry
        yield self.status_line
        yield self.footer

    def on_mount(self) -> None:
        """Show the first screen, and look at the index from time to time."""
        if not self.is_headless:  # the terminal is restored before the end
            end = signal.SIGTERM
            asyncio.get_running_loop().add_signal_handler(end, self.exit, 128 + end)
        self.app_resume_signal.subscribe(self, lambda _app: self.act_redraw(Press("redraw")))
        self.show("frames")
        self.look()
        self.set_interval(LOOK, self.look)
        self._first_looks = self.set_interval(FIRST_LOOK, self._look_first, repeat=FIRST_LOOKS)
        self.frames.list.set_fields(self._known_columns())
        if self.rules is not None and not self.no_color:
            self.frames.list.use_rules(self.rules)
        if self.settings.theme in self.available_themes:
            self.theme = self.settings.theme
        if self.display_filter:
            self.frames.apply(self.display_filter)

    def _fatal_error(self) -> None:
        """End after an error in the program; its report has no values, which may be secret."""
        self._exit_renderables.append(Text(traceback.format_exc()))
        self._close_messages_no_wait()

    def _look_first(self) -> None:
        """Show the first rows as soon as there are any."""
        if self.browser.total or self._has_come():
            self._first_looks.stop()
            self.tell()

    def look(self) -> None:
        """Show what has come since the last call."""
        self._has_come()
        self.tell()

    def _has_come(self) -> bool:
        """Show what has come since the last call; return whether there was anything."""
        has_come = self.browser.refresh()
        if has_come:
            for each in self.pages:
                each.refresh_data()
        return has_come

    @property
    def frames(self) -> FramesPage:
        """The Frames screen."""
        return self.pages[0]

    def show(self, name: str) -> None:
        """Show a screen."""
        for each in self.pages:
            each.display = each.id == name
            if each.id == name:
                self.page = each
        self.page.refresh_data()
        self.page.panes()[0].focus()
        keys = self.reader.keys
        names = [(each.id or "", f"{keys.hint(each.id or '')} {each.title}") for each in self.pages]
        self.tabs.show(names, name, self.browser.title)
        self.tell()

    def on_screen_tabs_chosen(self, event: ScreenTabs.Chosen) -> None:
        """Show the screen whose name was clicked."""
        event.stop()
        self.show(event.screen)

    def _footer(self) -> str:
        """Return the keys of help and quit, then those of the pane, its own ones first."""
        found = [each for each in self.reader.keys.actions if each.footer and each.keys]
        ordered = [each for each in found if each.id in ALWAYS]
        for context in CONTEXTS[self.page.pane.context]:
            ordered += [each for each in found if context in each.where and each not in ordered]
        items = [f"{shown(each.keys[0])} {each.footer}" for each in ordered]
        while len(items) > 1 and sum(map(len, items)) + 2 * len(items) > self.size.width + 2:
            items.pop()
        return "  ".join(items)

    def tell(self) -> None:
        """Update the status line, unless the program ends: timers may still be under way then."""
        if not self.screen_stack:
            return
        status = self.status_line
        text = self.said or self.page.status()
        if self.page.id == "findings":
            self.news.see()
        typed = self.reader.typed
        progress = self.browser.progress()
        parts = text, self.news.text(), progress, typed
        shown_text = "  ".join(printable(each) for each in parts if each)
        status.set_class(bool(self.said), "wrong")
        footer = self._footer()
        if (shown_text, footer) != self._told:  # else each look at the index would draw them
            self._told = shown_text, footer
            status.update(shown_text)
            self.footer.update(footer)

    def on_descendant_focus(self) -> None:
        """Show the keys of the pane that has the focus now."""
        self.tell()

    def say(self, text: str, *, is_wrong: bool = True) -> None:
        """Show a message until a key is pressed."""
        self.said = text
        self.tell()
        self.status_line.set_class(is_wrong, "wrong")

    def on_page_said(self, event: Page.Said) -> None:
        """Show a message of a screen."""
        event.stop()
        self.say(event.text, is_wrong=False)

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Take keys that a pane would get; all others go their usual way.

        Keys after one that may end an entry wait until that has been taken.
        """
        if isinstance(event, events.Key) and not event.is_forwarded:
            if self._held is not None:
                self._held.append(event)
                return
            if event.key in ENTRY_ENDS and isinstance(self.focused, LineInput):
                self._held = []
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and (isinstance(self.focused, LineView) or self.focused is None)
            and len(self.screen_stack) == 1
        ):
            self.press(key_of(event.key, event.character))
            return
        await super().on_event(event)

    async def _release(self) -> None:
        """Take the keys that have waited."""
        held, self._held = self._held or [], None
        for each in held:
            await self.on_event(each)

    def press(self, key: str) -> None:
        """Take one key."""
        self.said = ""
        if key == "ctrl+c":
            self.say(f"{self.reader.keys.hint('quit')} quits")
            return
        press = self.reader.feed(key, self.page.pane.context)
        if press is not None:
            self.act(press)
        self.tell()

    def act(self, press: Press) -> None:
        """Carry out an action; what is wrong is said."""
        method: Callable[[Press], object] | None = getattr(
            self, f"act_{press.action.replace('-', '_')}", None
        )
        try:
            if method is not None and press.action not in self.page.own:
                method(press)
            elif not self.page.act(press) and not self.frames.act(press):
                self.say(f"{press.action} is not for this screen")
        except StreamsharkError as error:
            self.say(str(error))

    # Actions

    def act_frames(self, _press: Press) -> None:
        """Show the frames."""
        self.show("frames")

    def act_conversations(self, _press: Press) -> None:
        """Show the conversations."""
        self.show("conversations")

    def act_connections(self, _press: Press) -> None:
        """Show the connections."""
        self.show("connections")

    def act_statistics(self, _press: Press) -> None:
        """Show the statistics."""
        self.show("statistics")

    def act_findings(self, _press: Press) -> None:
        """Show the findings."""
        self.show("findings")

    def act_next_screen(self, press: Press) -> None:
        """Show the next screen."""
        at = self.pages.index(self.page) + (press.count or 1)
        self.show(self.pages[at % len(self.pages)].id or "")

    def act_previous_screen(self, press: Press) -> None:
        """Show the previous screen."""
        at = self.pages.index(self.page) - (press.count or 1)
        self.show(self.pages[at % len(self.pages)].id or "")

    def act_filter(self, _press: Press) -> None:
        """Type a display filter."""
        self.show("frames")
        self.frames.bar.begin(self.frames.state.filter.text)

    def act_goto(self, _press: Press) -> None:
        """Type the number of a frame."""
        self._type("goto ")

    def act_find(self, _press: Press) -> None:
        """Type what to search for."""
        self._type("find ")

    def run_find(self, argument: str) -> None:
        """Search in the pane."""
        self.page.find(argument)

    def act_export(self, _press: Press) -> None:
        """Type the name of a file."""
        self._type("export ")

    def run_export(self, argument: str) -> None:
        """Write the rows shown to a file."""
        self.say(export(self.browser, self._shown_rows(), argument), is_wrong=False)

    def act_comment(self, _press: Press) -> None:
        """Type a comment on the packet of the row."""
        self._row()
        self._type(f"comment {self.frames.own_comment}")

    def run_comment(self, argument: str) -> None:
        """Comment on the packet of the row."""
        self.frames.comment(argument)

    def act_save(self, _press: Press) -> None:
        """Type the name of a file."""
        self._type("save ")

    def run_save(self, argument: str) -> None:
        """Write a copy of the captures with the user's comments."""
        self._saving = asyncio.create_task(self._save(argument))

    async def _save(self, name: str) -> None:
        self.say(f"{name}: writing", is_wrong=False)
        try:
            done = await asyncio.to_thread(self.browser.comments.save, name)
        except StreamsharkError as error:
            self.say(str(error))
        else:
            self.say(done, is_wrong=False)

    def _shown_rows(self) -> Sequence[int]:
        """Return the rows of the ladder, else those of the list of frames."""
        if self.page is self.conversations and self.conversations.has_class("ladder"):
            return self.conversations.ladder.rows
        state = self.frames.state
        return range(state.count) if state.selected is None else state.selected[: state.count]

    # Copy

    def copy(self, text: str, what: str) -> None:
        """Put a text into the clipboard of the terminal."""
        self.copy_to_clipboard(text)
        self.say(f"copied {what}: {text}", is_wrong=False)

    def act_copy(self, _press: Press) -> None:
        """Copy the selected line, or the value of the selected field."""
        view = self.page.pane
        if view is self.frames.fields and (line := self.frames.fields.selected) is not None:
            value = line.item.text
            self.copy(value or line.item.note or line.item.name, line.item.name or "the line")
        elif view.count:
            self.copy(text_of([*view.line(view.cursor)]).strip(), "the line")

    def act_copy_json(self, _press: Press) -> None:
        """Copy the selected row as JSON."""
        self.copy(self.texts.json(self._row()), "the row as JSON")

    def act_copy_hex(self, _press: Press) -> None:
        """Copy the bytes of the selected row."""
        self.copy(self.texts.digits(self._row()), "the bytes")

    def act_copy_filter(self, _press: Press) -> None:
        """Copy the filter of the selected field, or the one that is applied."""
        if self.page.pane is self.frames.fields:
            self.copy(self.frames.filter_of_field(), "the filter")
        else:
            self.copy(self.frames.state.filter.text, "the filter")

    def act_copy_command(self, _press: Press) -> None:
        """Copy the command line that shows what is on the screen."""
        files = names_of(self.browser.index.names)
        commands = {
            "conversations": f"streamshark conversations {files}",
            "connections": f"streamshark info {files}",
            "findings": f"streamshark check {files}",
            "statistics": f"streamshark stats {files}",
        }
        command = commands.get(self.page.id or "")
        if self.page is self.conversations and self.conversations.has_class("ladder"):
            shown = self.conversations.ladder.shown
            command = f"streamshark conversations --follow {shown} {files}"
        if command is None:
            whole = self.page.pane is self.frames.list and bool(self.frames.state.filter.text)
            row = None if whole else self.frames.state.row
            command = self.texts.command(row, self.frames.state.filter.text)
        self.copy(command, "the command")

    def _row(self) -> int:
        """Return the selected row.

        Raises:
            StreamsharkError: There is none.
        """
        if self.frames.state.row is None:
            raise StreamsharkError("no row is selected")
        return self.frames.state.row

    def act_command(self, _press: Press) -> None:
        """Type a command."""
        self._type("")

    def act_palette(self, _press: Press) -> None:
        """Search for a command."""
        self.action_command_palette()

    def act_help(self, _press: Press) -> None:
        """Show the keys."""
        self.push_screen(HelpScreen(self.reader.keys))

    def act_redraw(self, _press: Press) -> None:
        """Draw the screen again."""
        self.refresh(layout=True, repaint=True)

    def act_suspend(self, _press: Press) -> None:
        """Put the program into the background."""
        self.action_suspend_process()

    def act_close(self, press: Press) -> None:
        """Go back to the frames; from there, quit."""
        if self.page is self.frames:
            self.act_quit(press)
        elif not self.page.act(Press("leave")):
            self.show("frames")

    def act_back(self, press: Press) -> None:
        """Stop what runs, or go back."""
        if self.reader.typed:
            self.reader.reset()
        elif not self.page.act(press):
            self.show("frames")

    def act_quit(self, _press: Press) -> None:
        """Quit; comments that are not saved are named first."""
        comments = self.browser.comments
        if not (comments.is_saved or self._is_warned):
            self._is_warned = True
            said = counted(len(comments.own), "comment")
            keys = self.reader.keys.hint("quit")
            self.say(f"{said} not saved: :save FILE saves a copy, {keys} again quits")
            return
        self.exit(0)

    # Conversations

    @property
    def conversations(self) -> ConversationsPage:
        """The Conversations screen."""
        return self.pages[1]

    def act_follow(self, _press: Press) -> None:
        """Show the conversation of the selected frame."""
        row = self.frames.state.row
        name = None if row is None else self.browser.conversation_of(row)
        if name is None or row is None:
            raise StreamsharkError("this row belongs to no conversation")
        self.show("conversations")
        self.conversations.open(name, row)

    def run_follow(self, argument: str) -> None:
        """Show a conversation by its id."""
        self.show("conversations")
        self.conversations.open(argument)

    def run_next_kind(self, argument: str) -> None:
        """Show conversations of one type."""
        self.show("conversations")
        self.conversations.use_kind(argument)

    def act_flow(self, _press: Press) -> None:
        """Show conversations of all connections."""
        self.show("conversations")
        self.conversations.use_flow(None)

    def run_flow(self, argument: str) -> None:
        """Show conversations of one connection."""
        if not argument.isdecimal():
            raise StreamsharkError(f"{argument!r} is not the number of a connection")
        self.show("conversations")
        self.conversations.use_flow(int(argument))

    def on_conversations_page_opened(self, event: ConversationsPage.Opened) -> None:
        """Show the frame of an arrow."""
        event.stop()
        self.reveal(event.row)

    def on_conversations_page_left(self, event: ConversationsPage.Left) -> None:
        """Go back to the frames."""
        event.stop()
        self.show("frames")

    def on_connections_page_chosen(self, event: ConnectionsPage.Chosen) -> None:
        """Show the conversations of a connection."""
        event.stop()
        self.show("conversations")
        self.conversations.use_flow(event.flow)
        self.tell()

    def on_connections_page_filtered(self, event: ConnectionsPage.Filtered) -> None:
        """Show the frames of a connection."""
        event.stop()
        self.run_filter(event.text)

    def on_statistics_page_filtered(self, event: StatisticsPage.Filtered) -> None:
        """Show the frames of a command."""
        event.stop()
        self.run_filter(event.text)

    # Findings

    def on_findings_page_evidence(self, event: FindingsPage.Evidence) -> None:
        """Show a row that proves a finding."""
        event.stop()
        self.finding, self.evidence = event.finding, 0
        self.reveal(event.row)

    def reveal(self, row: int) -> None:
        """Show a row on the Frames screen, if need be without the filter."""
        self.show("frames")
        if self.frames.state.position_of(row) is None:
            self.frames.apply("")
            self.say("the display filter was removed: it hides this frame")
        self.frames.go_to(row, "this frame")

    def act_next_evidence(self, press: Press) -> None:
        """Show the next frame that proves the finding."""
        if self.page is self.frames:
            self._evidence(1)
        else:
            self.page.act(press)

    def act_previous_evidence(self, _press: Press) -> None:
        """Show the previous frame that proves the finding."""
        self._evidence(-1)

    def _evidence(self, step: int) -> None:
        latest = self.news.latest
        if latest is not None and step > 0:
            self._show_latest(latest)
            return
        if self.finding is None:
            raise StreamsharkError("choose a finding first: Enter on the Findings screen")
        rows = self.pages[3].rows_of(self.finding)
        here = self.frames.state.row
        at = (rows.index(here) if here in rows else self.evidence) + step
        if not 0 <= at < len(rows):
            raise StreamsharkError(f"no more evidence of {self.finding.finding.rule}")
        self.evidence = at
        self.reveal(rows[at])
        rule = self.finding.finding.rule
        self.say(f"{rule}: evidence {at + 1} of {len(rows)}")

    def _show_latest(self, latest: "IndexedFinding") -> None:
        """Show the frame of the finding that came last."""
        self.news.see()
        if not (rows := self.pages[3].rows_of(latest)):
            self.show("findings")
            return
        self.finding, self.evidence = latest, 0
        self.reveal(rows[0])
        self.say(f"{latest.finding.rule}: {latest.finding.message}", is_wrong=False)

    # Settings

    def _known_columns(self) -> tuple[str, ...]:
        """Return the columns of the settings that are fields."""
        find = self.browser.fields.find
        return tuple(each for each in self.settings.columns if find(each) is not None)

    def _choose(self, **chosen: Any) -> None:  # noqa: ANN401 - of settings
        """Change settings, and keep them.

        Raises:
            StreamsharkError: They cannot be kept.
        """
        self.settings = replace(self.settings, **chosen)
        self._keep(self.settings)

    def on_frames_page_columns(self, event: FramesPage.Columns) -> None:
        """Keep the columns."""
        event.stop()
        try:
            self._choose(columns=event.names)
        except StreamsharkError as error:
            self.say(str(error))

    def act_theme(self, _press: Press) -> None:
        """Use the next theme."""
        names = sorted(self.available_themes)
        self.run_theme(names[(names.index(self.theme) + 1) % len(names)])

    def run_theme(self, argument: str) -> None:
        """Use a theme."""
        if argument not in self.available_themes:
            known = ", ".join(sorted(self.available_themes))
            raise StreamsharkError(f"no theme {argument!r} (known: {known})")
        self.theme = argument
        self.say(f"theme {argument}", is_wrong=False)
        self._choose(theme=argument)

    def act_colour_rules(self, _press: Press) -> None:
        """Apply the colour rules, or none."""
        if self.rules is None:
            raise StreamsharkError("no colour rules in Wireshark's folder")
        listed = self.frames.list
        listed.use_rules(self.rules if listed.rules is None else None)

    # Commands

    def _type(self, text: str) -> None:
        self.entry.add_class("typing")
        self.entry.begin(text)

    async def on_entry_refused(self, event: Entry.Refused) -> None:
        """Go on with the entry."""
        event.stop()
        await self._release()

    async def on_entry_entered(self, event: Entry.Entered) -> None:
        """Apply a filter, or carry out a command."""
        event.stop()
        self.said = ""
        try:
            if event.entry is self.entry:
                self._leave()
                self.run_command(event.text)
            else:
                self.frames.apply(event.text)
                self.frames.list.focus()
        except StreamsharkError as error:
            self.say(str(error))
        self.tell()
        await self._release()

    async def on_entry_left(self, event: Entry.Left) -> None:
        """Go back to the screen."""
        event.stop()
        if event.entry is self.entry:
            self._leave()
        else:
            self.frames.bar.put(self.frames.state.filter.text)
            self.frames.list.focus()
        await self._release()

    def _leave(self) -> None:
        self.entry.remove_class("typing")
        self.page.pane.focus()

    def run_command(self, text: str) -> None:
        """Carry out a `:` command.

        Raises:
            StreamsharkError: It is wrong, or cannot be carried out.
        """
        if not text.strip():
            return
        action, argument = command_of(text, self.reader.keys)
        if not argument:
            self.act(Press(action.id))
            return
        method: Callable[[str], object] | None = getattr(
            self, f"run_{action.id.replace('-', '_')}", None
        )
        if method is None:
            raise StreamsharkError(f":{action.command} takes nothing")
        method(argument)

    def run_filter(self, argument: str) -> None:
        """Apply a display filter."""
        self.show("frames")
        self.frames.apply(argument)

    def run_goto(self, argument: str) -> None:
        """Go to a frame."""
        self.show("frames")
        self.frames.goto(argument)

    def run_packet(self, argument: str) -> None:
        """Go to a packet."""
        self.show("frames")
        self.frames.packet(argument)

    def run_time_format(self, argument: str) -> None:
        """Show times in a format."""
        self.frames.use_time_format(argument)

    def run_column(self, argument: str) -> None:
        """Make a field a column, or remove it."""
        self.frames.use_column(argument)

    def run_time(self, argument: str) -> None:
        """Go to a time."""
        self.show("frames")
        self.frames.time(argument)

    def _complete(self, text: str, cursor: int) -> list[Completion]:
        """Return the commands that begin with a text, and completions of a filter."""
        word, blank, rest = text.partition(" ")
        if blank and word == "filter":
            at = len(word) + 1
            return [
                each._replace(start=each.start + at, end=each.end + at)
                for each in self.browser.complete(rest, max(cursor - at, 0))
            ]
        return [
            Completion(each.command, 0, len(text), each.doc)
            for each in self.reader.keys.actions
            if not blank and each.command.startswith(text)
        ]

    def _judge(self, text: str) -> Verdict:
        """Return whether a text is a command."""
        if not text.strip():
            return Verdict("")
        try:
            command_of(text, self.reader.keys)
        except StreamsharkError as error:
            word = text.partition(" ")[0]
            begins = [each for each in self.reader.keys.actions if each.command.startswith(word)]
            return Verdict("" if begins else "invalid", "" if begins else str(error))
        return Verdict("valid")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """Yield the actions, for the command palette."""
        for each in self.reader.keys.actions:
            keys = ", ".join(map(shown, each.keys))
            title = f"{each.command} ({keys})" if keys else each.command

            def run(action: str = each.id, argument: str = each.argument) -> None:
                if argument and not argument.startswith("["):
                    self._type(f"{self.reader.keys.of(action).command} ")
                else:
                    self.act(Press(action))

            yield SystemCommand(title, each.doc, run)
