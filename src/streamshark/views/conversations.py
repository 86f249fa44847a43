"""Conversations: one line each, JSON, and one in full with what both sides said."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from streamshark.conversations.conversation import Conversation, ConversationTurn
from streamshark.conversations.units import counted, duration, size
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable, quoted
from streamshark.views.findings import MARKS
from streamshark.views.json import encoded
from streamshark.views.text import TextRows
from streamshark.views.times import Clock, Rfc3339

STATES: Final = {
    "done": None, "open": "note", "failed": "error", "unanswered": "warning", "unknown": "generated"
}  # fmt: skip
"""State to its style."""
NARROW: Final = 100
"""Width of a terminal below which a column is left out."""
SHORTEST: Final = 8
"""Characters that what came of it keeps at least."""
LONGEST: Final = 72
"""Characters of what one side asked for, or of what came of it, in a line."""

Ends = Callable[[int], str]
"""Number of a connection to its two addresses."""


def conversation_dict(told: Conversation, time: Rfc3339) -> dict[str, Any]:
    """A conversation as JSON: the members of the design's section 4."""
    return {
        "id": told.id,
        "protocols": list(told.protocols),
        "flows": list(told.flows),
        "type": told.type,
        "correlation_id": told.correlation_id,
        "state": told.state,
        "first_frame": told.first_frame,
        "last_frame": told.last_frame,
        "frame_count": told.frame_count,
        "start": time(told.start),
        "duration_ns": told.duration_ns,
        "request": _turn_dict(told.request),
        "outcome": _turn_dict(told.outcome),
        "measures": dict(told.measures),
    }


def _turn_dict(turn: ConversationTurn | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {"frame": turn.frame, "command": turn.command, "text": printable(turn.text)}


class ConversationJson:
    """Conversations as JSON objects, one a line; with `array` in one array."""

    def __init__(self, *, array: bool = False) -> None:
        self.array = array
        self._time = Rfc3339()
        self._between = "\n"

    def head(self) -> str:
        """The beginning of the array."""
        return "[" if self.array else ""

    def conversation(self, told: Conversation) -> str:
        """One object."""
        text = encoded(conversation_dict(told, self._time))
        if not self.array:
            return f"{text}\n"
        between, self._between = self._between, ",\n"
        return between + text

    def tail(self) -> str:
        """The end of the array."""
        if not self.array:
            return ""
        return "]\n" if self._between == "\n" else "\n]\n"


class ConversationText:
    """Conversations as lines: id, state, when, how long, frames, what was asked and what came.

    Columns only ever grow. `ends` gives the addresses of a connection; `width` is where lines end
    on a terminal, 0 for nowhere: then nothing is cut. On a narrow one the start is left out.
    """

    def __init__(self, clock: Clock, palette: Palette, *, ends: Ends, width: int = 0) -> None:
        self.clock = clock
        self.palette = palette
        self.ends = ends
        self.width = width
        self._id = 16
        self._is_narrow = 0 < width < NARROW

    def head(self) -> str:
        """What the columns are."""
        start = "" if self._is_narrow else f"{'start':>10} "
        line = f"{'conversation':<{self._id}} {'state':<10} {start}{'lasted':>10} frames"
        return self.palette.paint("generated", line) + "\n"

    def conversation(self, told: Conversation) -> str:
        """One line."""
        self._id = max(self._id, len(told.id))
        lasted = duration(told.duration_ns)
        start = "" if self._is_narrow else f"{self.clock(told.start)} "
        start += f"{lasted:>10} {told.frame_count:>6}"
        paint = self.palette.paint
        line = f"{paint('name', f'{told.id:<{self._id}}')} "
        line += f"{paint(STATES.get(told.state), f'{told.state:<10}')} {paint('time', start)} "
        room = self.width - (self._id + len(start) + 13) if self.width else 0
        return line + self._said(told, room) + "\n"

    def tail(self) -> str:
        """Nothing."""
        return ""

    def _said(self, told: Conversation, room: int) -> str:
        """What was said, in at most so many characters; 0 for all."""
        command, asked, came, more = said(told, self.ends)
        room -= len(command)
        if room > -len(command) and len(" ".join(["", asked, came, *more])) > room:
            while more and len(" ".join(["", asked, came, *more, "..."])) > room:
                more.pop()
            more.append("...")
            if len(f" {asked} {came} ...") > room:
                more, came = [], _cut(came, max(room * 2 // 3, SHORTEST))
                asked = _cut(asked, max(room - len(came) - 2, 0))
        parts = (self.palette.paint("command", command), asked, came, *more)
        return " ".join(part for part in parts if part)


def said(told: Conversation, ends: Ends) -> tuple[str, str, str, list[str]]:
    """What a conversation was about: command, what was asked, what came, then measures and links.

    Of a connection the command is its protocols, and its ends are what was asked.
    """
    came, command, asked = "", " ".join(told.protocols), ends(told.flows[0])
    if told.request is not None:
        command = printable(told.request.command)
        asked = _cut(printable(told.request.text))
        if told.outcome is not None and told.outcome != told.request:
            came = f"-> {_outcome(told.request, told.outcome)}"
        elif told.state in ("unanswered", "open"):
            came = "-> no answer" if told.type == "call" else "-> goes on"
    more = [
        f"{name.removesuffix('_ns')}={measure(name, value)}"
        for name, value in told.measures.items()
        if name != "response_time_ns"
    ]
    return command, asked, came, [*more, *(f"<-> {each}" for each in told.links)]


def _outcome(request: ConversationTurn, outcome: ConversationTurn) -> str:
    """What came of it; the command only where the request's does not say it."""
    text = _cut(printable(outcome.text))
    if outcome.command == f"{request.command}_response" and text:
        return text
    return f"{printable(outcome.command)} {text}".rstrip()


def _cut(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[: max(most - 3, 0)]}..."[:most]


def measure(name: str, value: object) -> str:
    """A measure for people: times with their unit.

    >>> measure("first_delivery_ns", 3_100_000), measure("credit", 3)
    ('3.1 ms', '3')
    """
    if name.endswith("_ns") and isinstance(value, int):
        return duration(value)
    return str(value).lower() if isinstance(value, bool) else quoted(str(value), LONGEST)


class FollowedConversation:
    """One conversation in full: gathers its first rows, writes them when all is known.

    `most` frames are kept as text, those behind them counted. `tree` gives the fields of a frame,
    where they are wanted.
    """

    def __init__(
        self,
        palette: Palette,
        *,
        most: int,
        width: int = 0,
        tree: Callable[[Row], str] | None = None,
    ) -> None:
        self.palette = palette
        self.most = most
        self.width = width
        self.tree = tree
        self.left_out = 0
        """Rows behind the first `most`."""
        self._rows = TextRows(Clock(), Palette(enabled=False), derived=True)
        self._hide = SecretMask(None).row
        self._clock: Clock | None = None
        self._lines: list[tuple[int, str]] = []
        """Frame number (0 for events) and line."""
        self._bytes: dict[str | None, int] = {}
        self._widths = [4, 4]

    def row(self, row: Row) -> None:
        """One row of the conversation."""
        if isinstance(row, FrameRow):
            self._bytes[row.sender] = self._bytes.get(row.sender, 0) + len(row.data)
        if len(self._lines) >= self.most:
            self.left_out += 1
            return
        if self._clock is None:
            start = row.time_ns
            self._clock = Clock("r", lambda: start)
        number = row.number if isinstance(row, FrameRow) else 0
        self._lines.append((number, self._line(row, number, self._clock)))

    def _line(self, row: Row, number: int, clock: Clock) -> str:
        paint = self.palette.paint
        row = self._hide(row)
        body = self._rows.frame(row) if isinstance(row, FrameRow) else self._rows.event(row)
        way = {"client": "client -->", "server": "<-- server"}.get(row.sender or "", "?       --")
        packet = f"p{row.packet}"
        self._widths = [max(self._widths[0], len(str(number))), max(self._widths[1], len(packet))]
        first, second = self._widths
        start = f"{clock(row.time_ns)} {number or '':>{first}} {packet:<{second}} "
        side = row.sender if number else "event"
        line = paint("time", start) + paint(side, f"{way} {body}")
        if self.tree is not None:
            line += "\n" + textwrap.indent(self.tree(row).rstrip("\n"), "    ")
        return line

    def text(self, told: Conversation, ends: Ends, findings: Sequence[Finding]) -> str:
        """The page: what it is, what both sides said, what was found."""
        at: dict[int, list[Finding]] = {}
        shown = {number for number, _ in self._lines if number}
        loose = []
        for each in findings:
            if each.frames and each.frames[0] in shown:
                at.setdefault(each.frames[0], []).append(each)
            elif each.conversation == told.id:
                loose.append(each)
        lines = [*self._head(told, ends), ""]
        for number, line in self._lines:
            lines.append(line)
            for each in at.get(number, ()):
                lines += self._finding(each)
        if self.left_out:
            lines.append(f"... and {counted(self.left_out, 'row')} more; --most N shows more")
        if loose:
            lines += ["", self.palette.paint("command", "Found")]
            for each in loose:
                lines += self._finding(each)
        return "\n".join(lines) + "\n"

    def _head(self, told: Conversation, ends: Ends) -> Iterator[str]:
        paint = self.palette.paint
        state = paint(STATES.get(told.state), told.state)
        protocols = " ".join(told.protocols)
        yield f"{paint('name', told.id)}  {state}  {protocols}  {ends(told.flows[0])}"
        lasted = f"{counted(told.frame_count, 'frame')} in {duration(told.duration_ns)}"
        sent = ", ".join(f"{name or 'unknown'} {size(n)}" for name, n in self._bytes.items())
        yield f"  {lasted} ({sent})"
        if told.request is not None:
            command, asked, came, more = said(told, ends)
            parts = (command, asked, came, *more[: len(more) - len(told.links)])
            yield from self._wrapped("  ", " ".join(part for part in parts if part))
        elif told.measures:
            known = "  ".join(f"{name}={measure(name, v)}" for name, v in told.measures.items())
            yield from self._wrapped("  ", known)
        if told.parent:
            yield f"  part of {told.parent}"
        if told.links:
            yield from self._wrapped("  ", f"linked with {', '.join(told.links)}")

    def _finding(self, finding: Finding) -> Iterator[str]:
        mark = f"[{MARKS[finding.severity]}] {finding.rule}"
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        text = f"{mark} {printable(finding.message)}{times}"
        for each in self._wrapped(" " * 16, text):
            yield self.palette.paint(finding.severity, each)
        for echo in finding.echoes:
            text = f"echo: [{MARKS[echo.severity]}] {echo.rule} {printable(echo.message)}"
            yield from self._wrapped(" " * 18, text)

    def _wrapped(self, indent: str, text: str) -> list[str]:
        if not self.width:
            return [indent + text]
        return textwrap.wrap(
            text,
            max(self.width, 60),
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_on_hyphens=False,
        )
