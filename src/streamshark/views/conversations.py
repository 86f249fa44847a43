"""Conversations: one line each, as JSON, and one in full with what both sides sent."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from streamshark.conversations.conversation import Conversation, ConversationTurn
from streamshark.conversations.units import counted, duration, shortened, size
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.findings.finding import Finding
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable, quoted
from streamshark.views.findings import MARKS
from streamshark.views.json import JsonObjects
from streamshark.views.terminal_lines import HANGING, FoldLayout, fold
from streamshark.views.text import TextRows
from streamshark.views.times import Clock, Rfc3339

STATES: Final = {
    "done": None, "open": "note", "failed": "error", "unanswered": "warning", "unknown": "generated"
}  # fmt: skip
"""Style of each state."""
NARROW: Final = 100
"""Width of a terminal below which a column is omitted."""
LONGEST: Final = 72
"""Most characters of a request or an outcome in a line."""

Ends = Callable[[int], str]
"""Maps the number of a connection to its two addresses, as text."""


def conversation_dict(conversation: Conversation, time: Rfc3339) -> dict[str, Any]:
    """Return a conversation as JSON: the members of the design's section 4."""
    return {
        "id": conversation.id,
        "protocols": list(conversation.protocols),
        "flows": list(conversation.flows),
        "type": conversation.type,
        "correlation_id": conversation.correlation_id,
        "state": conversation.state,
        "first_frame": conversation.first_frame,
        "last_frame": conversation.last_frame,
        "frame_count": conversation.frame_count,
        "start": time(conversation.start),
        "duration_ns": conversation.duration_ns,
        "request": _turn_dict(conversation.request),
        "outcome": _turn_dict(conversation.outcome),
        "measures": dict(conversation.measures),
    }


def _turn_dict(turn: ConversationTurn | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {"frame": turn.frame, "command": turn.command, "text": printable(turn.text)}


class ConversationJson(JsonObjects):
    """Conversations as JSON objects, one per line; with `array` in one array."""

    def __init__(self, *, array: bool = False) -> None:
        super().__init__(array=array)
        self._time = Rfc3339()

    def conversation(self, conversation: Conversation) -> str:
        """Return one object."""
        return self.object(conversation_dict(conversation, self._time))

    def tail(self) -> str:
        """Return the end of the array, if any."""
        return self.end()


class ConversationText:
    """Conversations as lines: id, state, start, duration, frames, request and outcome.

    Columns only ever grow. `ends` returns the addresses of a connection; lines are folded to
    `width`, 0 for never. On a narrow terminal the start is omitted.
    """

    def __init__(self, clock: Clock, palette: Palette, *, ends: Ends, width: int = 0) -> None:
        self.clock = clock
        self.palette = palette
        self.ends = ends
        self.width = width
        self._id = 16
        self._is_narrow = 0 < width < NARROW

    def head(self) -> str:
        """Return the heads of the columns."""
        start = "" if self._is_narrow else f"{'start':>10} "
        line = f"{'conversation':<{self._id}} {'state':<10} {start}{'lasted':>10} frames"
        return self.palette.paint("generated", line) + "\n"

    def conversation(self, conversation: Conversation) -> str:
        """Return one line."""
        self._id = max(self._id, len(conversation.id))
        lasted = duration(conversation.duration_ns)
        start = "" if self._is_narrow else f"{self.clock(conversation.start)} "
        start += f"{lasted:>10} {conversation.frame_count:>6}"
        paint = self.palette.paint
        line = f"{paint('name', f'{conversation.id:<{self._id}}')} "
        line += paint(STATES.get(conversation.state), f"{conversation.state:<10}")
        line += f" {paint('time', start)} "
        command, *words, more = summary(conversation, self.ends)
        line += " ".join(each for each in (paint("command", command), *words, *more) if each)
        if self.width:
            layout = FoldLayout(HANGING, self._id + len(start) + 13)
            line = fold(line, self.width, lambda _: layout)
        return f"{line}\n"

    def tail(self) -> str:
        """Return an empty text."""
        return ""


def summary(conversation: Conversation, ends: Ends) -> tuple[str, str, str, list[str]]:
    """Return the command, the request, the outcome, then measures and links.

    Of a connection, the command is its protocols, and the request is its addresses.
    """
    came, command, asked = "", " ".join(conversation.protocols), ends(conversation.flows[0])
    if conversation.request is not None:
        command = printable(conversation.request.command)
        asked = shortened(printable(conversation.request.text), LONGEST)
        if conversation.outcome is not None and conversation.outcome != conversation.request:
            came = f"-> {_outcome(conversation.request, conversation.outcome)}"
        elif conversation.state in ("unanswered", "open"):
            came = "-> no answer" if conversation.type == "call" else "-> open"
    more = [
        f"{name.removesuffix('_ns')}={measure(name, value)}"
        for name, value in conversation.measures.items()
        if name != "response_time_ns"
    ]
    return command, asked, came, [*more, *(f"<-> {each}" for each in conversation.links)]


def _outcome(request: ConversationTurn, outcome: ConversationTurn) -> str:
    """Return the outcome as text, with its command unless that follows from the request's."""
    text = shortened(printable(outcome.text), LONGEST)
    if outcome.command == f"{request.command}_response" and text:
        return text
    return f"{printable(outcome.command)} {text}".rstrip()


def measure(name: str, value: object) -> str:
    """Return a measure as text: times with their unit.

    >>> measure("first_delivery_ns", 3_100_000), measure("credit", 3)
    ('3.1 ms', '3')
    """
    if name.endswith("_ns") and isinstance(value, int):
        return duration(value)
    return str(value).lower() if isinstance(value, bool) else quoted(str(value), LONGEST)


class FollowedConversation:
    """One conversation in full: collects its first rows, and writes them at its end.

    At most `most` frames are kept as text, later ones counted. `tree` returns the fields of a
    frame, or is None to omit them.
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
        """Number of rows after the first `most`."""
        self._rows = TextRows(Clock(), Palette(enabled=False), derived=True)
        self._hide = SecretMask(None).row
        self._clock: Clock | None = None
        self._lines: list[tuple[int, str]] = []
        """Frame number (0 for events) and line."""
        self._bytes: dict[str | None, int] = {}
        self._widths = [4, 4]

    def row(self, row: Row) -> None:
        """Add a row of the conversation."""
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

    def text(self, conversation: Conversation, ends: Ends, findings: Sequence[Finding]) -> str:
        """Return the page: the conversation, what both sides sent, the findings."""
        at: dict[int, list[Finding]] = {}
        shown = {number for number, _ in self._lines if number}
        loose = []
        for each in findings:
            if each.frames and each.frames[0] in shown:
                at.setdefault(each.frames[0], []).append(each)
            elif each.conversation == conversation.id:
                loose.append(each)
        lines = [*self._head(conversation, ends), ""]
        for number, line in self._lines:
            lines.append(line)
            for each in at.get(number, ()):
                lines += self._finding(each)
        if self.left_out:
            lines.append(f"... and {counted(self.left_out, 'more row')}; --most N shows more")
        if loose:
            lines += ["", self.palette.paint("command", "Findings")]
            for each in loose:
                lines += self._finding(each)
        return "\n".join(lines) + "\n"

    def _head(self, conversation: Conversation, ends: Ends) -> Iterator[str]:
        paint = self.palette.paint
        state = paint(STATES.get(conversation.state), conversation.state)
        protocols = " ".join(conversation.protocols)
        addresses = ends(conversation.flows[0])
        yield f"{paint('name', conversation.id)}  {state}  {protocols}  {addresses}"
        lasted = (
            f"{counted(conversation.frame_count, 'frame')} in {duration(conversation.duration_ns)}"
        )
        sent = ", ".join(f"{name or 'unknown'} {size(n)}" for name, n in self._bytes.items())
        yield f"  {lasted} ({sent})"
        if conversation.request is not None:
            command, asked, came, more = summary(conversation, ends)
            parts = (command, asked, came, *more[: len(more) - len(conversation.links)])
            yield from self._wrapped("  ", " ".join(part for part in parts if part))
        elif conversation.measures:
            known = "  ".join(
                f"{name}={measure(name, v)}" for name, v in conversation.measures.items()
            )
            yield from self._wrapped("  ", known)
        if conversation.parent:
            yield f"  part of {conversation.parent}"
        if conversation.links:
            yield from self._wrapped("  ", f"linked with {', '.join(conversation.links)}")

    def _finding(self, finding: Finding) -> Iterator[str]:
        mark = f"[{MARKS[finding.severity]}] {finding.rule}"
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        text = f"{mark} {printable(finding.message)}{times}"
        for each in self._wrapped(" " * 16, text):
            yield self.palette.paint(finding.severity, each)
        for echo in finding.echoes:
            text = f"consequence: [{MARKS[echo.severity]}] {echo.rule} {printable(echo.message)}"
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
