"""A line of input with completion and history: the filter bar and the command line."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, NamedTuple, Self

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from streamshark.filters.completion import Completion

MOST_SHOWN: Final = 6
"""Most completions that are listed."""
MOST_REMEMBERED: Final = 100
"""Most entries of the history."""


class Verdict(NamedTuple):
    """What is thought of a text before it is entered."""

    level: str
    """`valid`, `odd` or `invalid`; empty for a text that needs no judgement."""
    message: str = ""


class LineInput(Input):
    """The input itself: it leaves Tab, Up, Down and Esc to the entry."""

    class Special(Message):
        """A key for completion or history."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def focus(self, scroll_visible: bool = True) -> Self:  # noqa: FBT001, FBT002 - as of a widget
        """Take the focus at once, so that the next key is its own; Textual gives it later."""
        self.screen.set_focus(self, scroll_visible=scroll_visible)
        return self

    async def _on_key(self, event: events.Key) -> None:
        if event.key in ("tab", "shift+tab", "up", "down", "escape"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Special(event.key))
            return
        await super()._on_key(event)


class Entry(Vertical):
    """A prompt, its input, and below it what completes it, or what is wrong with it."""

    DEFAULT_CSS: ClassVar[str] = """
    Entry { height: auto; }
    Entry LineInput { height: 1; border: none; padding: 0 1; background: $surface; }
    Entry LineInput:focus { border: none; }
    Entry.valid LineInput { background: $success 30%; }
    Entry.odd LineInput { background: $warning 40%; }
    Entry.invalid LineInput { background: $error 40%; }
    Entry Static { height: auto; max-height: 7; background: $panel; padding: 0 1; display: none; }
    Entry.hinted Static { display: block; }
    """

    class Entered(Message):
        """A text was entered."""

        def __init__(self, entry: "Entry", text: str) -> None:
            super().__init__()
            self.entry, self.text = entry, text

    class Refused(Message):
        """A text that is wrong was not entered."""

    class Left(Message):
        """The entry was left without a text."""

        def __init__(self, entry: "Entry") -> None:
            super().__init__()
            self.entry = entry

    def __init__(
        self,
        prompt: str,
        complete: Callable[[str, int], Sequence[Completion]],
        judge: Callable[[str], Verdict],
        *,
        id: str,  # noqa: A002 - as of a widget
    ) -> None:
        super().__init__(id=id)
        self.prompt = prompt
        self.complete = complete
        self.judge = judge
        self.history: list[str] = []
        self.verdict = Verdict("")
        self._found: list[Completion] = []
        self._chosen = -1
        self._at = 0
        """Position in the history; its length for the text that is being typed."""

    def compose(self) -> ComposeResult:
        """Return the input and the hints."""
        yield LineInput(placeholder=self.prompt, select_on_focus=False, compact=True)
        yield Static(markup=False)

    @property
    def input(self) -> LineInput:
        """The input."""
        return self.query_one(LineInput)

    @property
    def is_active(self) -> bool:
        """Whether keys go to the input."""
        return self.screen.focused is self.input

    def begin(self, text: str) -> None:
        """Start to type, from a text."""
        self._at = len(self.history)
        self.put(text)
        self.input.focus()

    def put(self, text: str) -> None:
        """Show a text."""
        self.input.value = text
        self.input.cursor_position = len(text)

    def remember(self, text: str) -> None:
        """Add a text to the history."""
        if text and (not self.history or self.history[-1] != text):
            self.history = [*self.history[-MOST_REMEMBERED:], text]

    # Events

    def on_input_changed(self, event: Input.Changed) -> None:
        """Judge the text, and list what may follow."""
        event.stop()
        self.verdict = self.judge(event.value)
        for level in ("valid", "odd", "invalid"):
            self.set_class(self.verdict.level == level, level)
        self._found, self._chosen = [], -1
        if self.is_active:
            text, cursor = event.value, self.input.cursor_position
            self._found = [each for each in self.complete(text, cursor) if self._adds(each, text)]
        self._show()

    @staticmethod
    def _adds(found: Completion, text: str) -> bool:
        """Return whether a completion changes the text, and continues a word."""
        return found.text != text[found.start : found.end] and (found.end > found.start or not text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Report the text, if it is not wrong."""
        event.stop()
        if self.verdict.level != "invalid":
            self.remember(event.value)
            self._close()
            self.post_message(self.Entered(self, event.value))
        else:
            self.post_message(self.Refused())

    def on_line_input_special(self, event: LineInput.Special) -> None:
        """Complete, or go through the history."""
        event.stop()
        match event.key:
            case "escape":
                self._close()
                self.post_message(self.Left(self))
            case "tab" | "shift+tab":
                self._choose(1 if event.key == "tab" else -1)
            case "up" | "down":
                self._recall(-1 if event.key == "up" else 1)

    def _choose(self, by: int) -> None:
        """Insert the next completion; the list stays, so that the one after it can follow."""
        if not self._found:
            cursor = self.input.cursor_position
            self._found = list(self.complete(self.input.value, cursor))
            if not self._found:
                return
        found, text = self._found, self.input.value
        shown = found[self._chosen] if self._chosen >= 0 else None
        self._chosen = (self._chosen + by) % len(found) if shown or by > 0 else len(found) - 1
        each = found[self._chosen]
        end = each.start + len(shown.text) if shown is not None else each.end
        with self.prevent(Input.Changed):
            self.input.value = text[: each.start] + each.text + text[end:]
        self.input.cursor_position = each.start + len(each.text)
        self.verdict = self.judge(self.input.value)
        for level in ("valid", "odd", "invalid"):
            self.set_class(self.verdict.level == level, level)
        if len(found) == 1:
            self._found, self._chosen = [], -1
        self._show()

    def _recall(self, by: int) -> None:
        at = self._at + by
        if 0 <= at < len(self.history):
            self._at = at
            self.put(self.history[at])
        elif at == len(self.history):
            self._at = at
            self.put("")

    def _close(self) -> None:
        self._found, self._chosen = [], -1
        self.remove_class("hinted")

    def _show(self) -> None:
        """List completions, or say what is wrong."""
        first = max(self._chosen - MOST_SHOWN + 1, 0)
        lines = Text()
        if self.verdict.message and (self.verdict.level == "odd" or not self._found):
            lines.append(f"{self.verdict.message}\n")
        for at, each in enumerate(self._found[first : first + MOST_SHOWN], first):
            mark = "> " if at == self._chosen else "  "
            lines.append(f"{mark}{each.text}", "bold" if at == self._chosen else "")
            lines.append(f"  {each.doc}\n" if each.doc else "\n", "dim")
        more = len(self._found) - first - MOST_SHOWN
        if more > 0:
            lines.append(f"  {more} more", "dim")
        lines.rstrip()
        self.query_one(Static).update(lines)
        self.set_class(bool(lines.plain) and self.is_active, "hinted")
