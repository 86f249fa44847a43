"""What happened on a connection, in plain sentences: one page each.

Protocols contribute an `Explanation`. The other sentences apply to all protocols: TCP, amounts
sent, response times, findings, and what is missing.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from streamshark.conversations.conversation import Conversation
from streamshark.conversations.explain import ExplainedLine, Explanation
from streamshark.conversations.units import counted, duration, size
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.findings.finding import Finding, Severity
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable, quoted
from streamshark.views.findings import MARKS
from streamshark.views.times import Rfc3339

MOST_FINDINGS: Final = 40
"""Most findings of a connection that are written."""
MOST_HOLES: Final = 5
"""Most holes and skipped ranges that are written."""
OVER_ALL: Final = "Over all connections"
"""Title of the findings that are on no page."""
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_TOGETHER: Final = re.compile(
    r"(?<=\d) (?=(?:[num]?s|min|h|[kMGT]?B)\b)|(?<=\bframe) (?=\d)|(?<=\bpacket) (?=\d)"
)
"""Spaces at which no line ends."""
HOUSEKEEPING: Final = "set up, keep alive or close the connection"
_OTHER: Final = {"client": "server", "server": "client"}


@dataclass(slots=True)
class SideFacts:
    """Totals of what one side sent."""

    frames: int = 0
    size: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    """Frames by name: those that are neither responses nor housekeeping."""
    responses: int = 0
    """Responses that are not housekeeping."""
    housekeeping: int = 0
    """Frames that set up, keep alive or close the connection."""


@dataclass(slots=True)
class ConnectionFacts:
    """Facts about one connection, collected row by row; their size is bounded."""

    first_ns: int
    addresses: tuple[str, str]
    housekeeping: frozenset[tuple[str, str]] = frozenset()
    """Protocol and command of frames that set up, keep alive or close a connection."""
    sides: dict[str, SideFacts] = field(default_factory=dict)
    """Totals by sender: `client`, `server` or `unknown`."""
    first: tuple[str, str, int, int] | None = None
    """Sender, command, number and time of the first frame."""
    last_ns: int = 0
    last_frame_ns: int | None = None
    opened: bool = False
    """Whether the capture has its TCP handshake."""
    ends: list[tuple[str, str, int]] = field(default_factory=list)
    """`close` or `reset`, sender and time, of the first few."""
    holes: list[str] = field(default_factory=list)
    """Sentences about missing and skipped bytes; the first few."""
    more_holes: int = 0
    problems: int = 0
    problem: int = 0
    """Number of the first frame with a problem."""
    calls: Counter[str] = field(default_factory=Counter)
    """Number of requests by state."""
    kinds: dict[tuple[str, str], int] = field(default_factory=dict)
    """Number of other conversations by type and state."""
    slowest: tuple[int, str, int] | None = None
    """Longest response time, with its command and frame."""
    links: dict[str, None] = field(default_factory=dict)
    """Ids of conversations on other connections."""

    def row(self, row: Row) -> None:
        """Add a row of the connection."""
        self.last_ns = row.time_ns
        sender = row.sender or "unknown"
        if isinstance(row, FrameRow):
            self._frame(row, sender)
        elif isinstance(row, EventRow):
            self._event(row, sender)

    def _frame(self, row: FrameRow, sender: str) -> None:
        sent = self.sides.setdefault(sender, SideFacts())
        sent.frames += 1
        sent.size += len(row.data)
        if (row.connection.wire.id, row.command) in self.housekeeping:
            sent.housekeeping += 1
        elif row.kind == "response":
            sent.responses += 1
        else:
            sent.commands[row.name or "unknown"] += 1
        self.last_frame_ns = row.time_ns
        if self.first is None:
            self.first = sender, row.name or "unknown", row.number, row.time_ns
        if row.problems:
            self.problems += 1
            self.problem = self.problem or row.number

    def _event(self, row: EventRow, sender: str) -> None:
        if row.protocol != "tcp":
            return
        fields = row.fields
        match row.name:
            case "open":
                self.opened = True
            case "close" | "reset" | "refused" | "unanswered":
                if len(self.ends) < MOST_HOLES:
                    self.ends.append((row.name, sender, row.time_ns))
            case "gap":
                self._hole(
                    f"{_bytes(fields, 'length')} from the {_side(sender)} are missing", fields
                )
            case "resync":
                self._hole(
                    f"{_bytes(fields, 'skipped')} from the {_side(sender)} were in no frame",
                    fields,
                )
            case "partial":
                self._hole(f"the last frame from the {_side(sender)} is truncated", fields)

    def _hole(self, sentence: str, fields: Mapping[str, Any]) -> None:
        if len(self.holes) >= MOST_HOLES:
            self.more_holes += 1
            return
        reason = fields.get("reason")
        self.holes.append(f"{sentence} ({printable(str(reason))})" if reason else sentence)

    def conversation(self, conversation: Conversation) -> None:
        """Add a conversation that has ended."""
        for each in conversation.links[:MOST_HOLES]:
            if len(self.links) < MOST_HOLES:
                self.links[each] = None
        if conversation.type == "call":
            self.calls[conversation.state] += 1
            took = conversation.measures.get("response_time_ns")
            if (
                took is not None
                and conversation.request
                and (not self.slowest or took > self.slowest[0])
            ):
                self.slowest = took, conversation.request.command, conversation.first_frame
        elif conversation.parent is not None:
            key = conversation.type, conversation.state
            self.kinds[key] = self.kinds.get(key, 0) + 1


class Explainer:
    """A writer of the pages; lines are wrapped at `width`, 0 for never.

    `files` are the names of the captures if there are several.
    """

    def __init__(
        self,
        palette: Palette,
        *,
        width: int = 0,
        files: Sequence[str] = (),
        judged: Iterable[str] = (),
    ) -> None:
        self.palette = palette
        self.width = width
        self.files = [printable(each) for each in files] if len(files) > 1 else []
        self.judged = frozenset(judged)
        """Ids of protocols that have rules."""
        self._time = Rfc3339()

    def page(
        self,
        explanation: Explanation,
        facts: ConnectionFacts,
        findings: Sequence[Finding],
        *,
        agreed: Mapping[str, Any],
        handshake_ns: int | None,
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """Return the page of one connection.

        `findings` are in order of time; `elsewhere` are rules with findings over several
        connections, this one among them, and where each is shown. `agreed` are the values that its
        frames have negotiated.
        """
        faults = [each for each in findings if each.severity != Severity.CHAT.value]
        sections = (
            ("Who", self._who(explanation, facts)),
            ("How it began", self._began(explanation, facts, handshake_ns)),
            ("What was negotiated", self._agreed(explanation, agreed)),
            ("What they did", self._did(explanation, facts)),
            ("What went wrong", self._wrong(explanation, faults, elsewhere)),
            ("What to do next", self._next(explanation, faults)),
            ("How it ended", self._ended(explanation, facts)),
            ("What cannot be known", self._unknown(explanation, facts)),
        )
        lines = list(self._head(explanation, facts))
        for title, sentences in sections:
            shown = [line for each in sentences for line in self.wrapped(each)]
            if shown:
                lines += [self.palette.paint("command", title), *shown]
        return "\n".join(lines) + "\n"

    def overall(self, findings: Sequence[Finding]) -> str:
        """Return the findings that are on no page, as of connections that were never open."""
        lines = [self.palette.paint("name", OVER_ALL)]
        lines += [line for each in self._found(findings) for line in self.wrapped(each)]
        return "\n".join(lines) + "\n"

    # Sections: sentences, each with its style

    def _head(self, explanation: Explanation, facts: ConnectionFacts) -> Iterator[str]:
        client, server = facts.addresses
        arrow = "->" if facts.opened or "client" in facts.sides else "<->"
        file = f"{self.files[explanation.file]}: " if self.files else ""
        protocols = ", ".join(explanation.protocols)
        head = f"{file}Connection {explanation.flow}  {client} {arrow} {server}  {protocols}"
        yield self.palette.paint("name", head)
        sides = [
            f"{name} {size(each.size)}" for name, each in sorted(facts.sides.items()) if each.frames
        ]
        frames = counted(sum(each.frames for each in facts.sides.values()), "frame")
        when = self._time(facts.first_ns)
        lasted = duration(facts.last_ns - facts.first_ns)
        yield from self.wrapped(
            (
                "time",
                f"{f'{when}, ' if when else ''}{lasted}, {frames} ({', '.join(sides) or '0 B'})",
            )
        )

    def _who(self, explanation: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        yield from _lines(explanation, "who")
        if "who" not in explanation.parts:
            yield "", "Neither peer identifies itself in the captured frames."
        if "unknown" in facts.sides and "client" not in facts.sides:
            yield "", "The capture does not show which peer is the client."

    def _began(
        self, explanation: Explanation, facts: ConnectionFacts, handshake_ns: int | None
    ) -> Iterator[tuple[str, str]]:
        if facts.opened:
            trip = f"; the TCP handshake took {duration(handshake_ns)}" if handshake_ns else ""
            yield "", f"The client opened the connection{trip}."
        else:
            yield "", "The connection was already open when the capture began."
        if facts.first is not None and "began" not in explanation.parts:
            sender, command, number, time_ns = facts.first
            after = duration(time_ns - facts.first_ns)
            first = f"The first frame was {command} from the {_side(sender)}"
            yield "", f"{first}, {after} later (frame {number})."
        elif facts.first is None:
            yield "", "No frames were sent."
        yield from _lines(explanation, "began")

    @staticmethod
    def _agreed(explanation: Explanation, agreed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        yield from _lines(explanation, "agreed")
        plain = {name: value for name, value in agreed.items() if isinstance(value, (str, int))}
        if not explanation.parts and plain:
            known = ", ".join(f"{name} {_plain(value)}" for name, value in plain.items())
            yield "", f"Negotiated: {known}."

    @staticmethod
    def _did(explanation: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        for sender in ("client", "server", "unknown"):
            sent = facts.sides.get(sender)
            if sent is not None:
                yield sender, f"The {_side(sender)} sent {_commands(sent)}."
            elif sender != "unknown" and facts.sides:
                captured = explanation.both
                yield "", f"The {sender} sent no frames{'' if captured else ' that were captured'}."
        calls = facts.calls
        answered = calls["done"] + calls["failed"]
        if answered or (calls and explanation.both):
            text = f"{counted(answered, 'request')} answered" if answered else "No request answered"
            text += f", {calls['failed']:,} with an error code" if calls["failed"] else ""
            if facts.slowest is not None:
                took, command, frame = facts.slowest
                text += f"; the slowest was {command}, after {duration(took)} (frame {frame})"
            yield "", f"{text}."
        if not explanation.parts:
            for (kind, state), count in facts.kinds.items():
                yield "", f"{counted(count, kind)}: {state}."
        yield from _lines(explanation, "did")
        if facts.links:
            yield "", f"Linked conversations on other connections: {', '.join(facts.links)}."

    def _wrong(
        self, explanation: Explanation, findings: Sequence[Finding], elsewhere: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        yield from self._found(findings)
        if elsewhere:
            rules = ", ".join(f"{rule} ({place})" for rule, place in elsewhere.items())
            yield "", f"This connection also belongs to findings over several connections: {rules}."
        elif findings:
            return
        elif self.judged.isdisjoint(explanation.protocols):
            yield "", "There are no rules for this protocol."
        else:
            yield "", "No findings."

    def _found(self, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
        for each in findings[:MOST_FINDINGS]:
            frame = f"frame {each.frames[0]}" if each.frames else ""
            packet = f"packet {each.packets[0]}" if each.packets else ""
            place = ", ".join(part for part in (frame, packet) if part)
            times = f" This happened {each.count:,} times." if each.count > 1 else ""
            others = each.frames[1:MOST_HOLES]
            frames = "frame" if len(others) == 1 else "frames"
            see = f" See also {frames} {', '.join(map(str, others))}." if others else ""
            mark = f"[{MARKS[each.severity]}] {each.rule}"
            yield (
                each.severity,
                f"{mark} at {place or 'the end'}: {_stopped(each.message)}{times}{see}",
            )
            for echo in each.echoes[:MOST_HOLES]:
                yield "", f"  Consequence {echo.rule}: {_stopped(echo.message)}"
            if each.cause:
                yield "", f"  Usual cause: {_stopped(each.cause)}"
        more = len(findings) - MOST_FINDINGS
        if more > 0:
            yield "", f"... and {more:,} more; `streamshark check` lists all."

    @staticmethod
    def _next(explanation: Explanation, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
        advice = dict.fromkeys(
            line.advice for lines in explanation.parts.values() for line in lines if line.advice
        )
        yield from (("", printable(each)) for each in advice)
        rules = list(dict.fromkeys(each.rule for each in findings))[:MOST_HOLES]
        if rules:
            yield (
                "",
                f"Describe the {'rule' if len(rules) == 1 else 'rules'}: "
                + ", ".join(f"streamshark check --explain-rule {each}" for each in rules),
            )
        if (rules or advice) and explanation.conversation:
            yield (
                "",
                (
                    "Show all frames: streamshark conversations --follow "
                    f"{explanation.conversation} FILE"
                ),
            )

    @staticmethod
    def _ended(explanation: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        yield from _lines(explanation, "ended")
        pending = facts.calls["open"] + facts.calls["unanswered"]
        if pending and explanation.both:
            yield "warning", f"{counted(pending, 'request was', 'requests were')} never answered."
        if not facts.ends:
            yield "", "The connection was still open when the capture ended."
            return
        what, who, when = facts.ends[0]
        after = "" if facts.last_frame_ns is None else _after(when - facts.last_frame_ns)
        verb = "closed its side of" if what == "close" else "reset"
        yield "", f"The {_side(who)} {verb} the TCP connection{after}."
        for what, other, then in facts.ends[1:]:
            if (what, other) != ("close", who):
                verb = "closed its side" if what == "close" else "reset the connection"
                yield "", f"The {_side(other)} {verb} {duration(then - when)} later."
                break

    @staticmethod
    def _unknown(explanation: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        if not explanation.start:
            yield (
                "",
                (
                    "The capture begins in the middle of the connection: earlier frames and "
                    "negotiated values are unknown, and rules that need them are not applied."
                ),
            )
        if not explanation.both and len(facts.sides) == 1:
            (only,) = facts.sides
            other = _OTHER.get(only, "other side")
            yield "", f"Only the {_side(only)} was captured: the frames of the {other} are missing."
        for each in facts.holes:
            yield "", f"{each[0].upper()}{each[1:]}."
        if facts.more_holes:
            yield "", f"... and {counted(facts.more_holes, 'gap')} more."
        if facts.holes:
            yield "", "These bytes are unknown, and rules that need them are not applied."
        if facts.problems:
            yield (
                "",
                (
                    f"{counted(facts.problems, 'frame')} had problems when decoded, the first is "
                    f"frame {facts.problem}."
                ),
            )

    # Text

    def wrapped(self, sentence: tuple[str, str], lines: int = 0) -> list[str]:
        """Return the lines of a sentence with its style, indented; at most `lines` on a terminal.

        No line ends between a number and its unit, or between `frame` and its number.
        """
        style, text = sentence
        indent = "  " + " " * (len(text) - len(text.lstrip()))
        text = text.strip()
        wrapped = [text]
        if self.width:
            wrapped = textwrap.wrap(
                _TOGETHER.sub(_NO_BREAK, text),
                max(self.width - len(indent), 40),
                subsequent_indent="  ",
                break_on_hyphens=False,
                max_lines=lines or None,
                placeholder=" …",
            )
        wrapped = [each.replace(_NO_BREAK, " ") for each in wrapped]
        return [indent + self.palette.paint(style, each) for each in wrapped]


def _lines(explanation: Explanation, part: str) -> Iterator[tuple[str, str]]:
    """Yield the protocol's own sentences about one part."""
    for line in explanation.parts.get(part, ()):
        yield "", _line(line)
    more = explanation.more.get(part, 0)
    if more:
        yield "", f"... and {more:,} more like this."


def _line(line: ExplainedLine) -> str:
    text = printable(line.text)
    if line.frame is None:
        return text
    place = f"frame {line.frame}" if line.times == 1 else f"first in frame {line.frame}"
    return f"{text.removesuffix('.')} ({place})."


def _stopped(text: str) -> str:
    """Return a sentence with its full stop."""
    text = printable(text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else quoted(str(value), 80)


def _commands(sent: SideFacts) -> str:
    """Return what a side sent as text: the most frequent command first, then all others."""
    frames = counted(sent.frames, "frame")
    parts = [f"{count:,} {printable(name)}" for name, count in sent.commands.most_common()]
    parts += [counted(sent.responses, "response")] if sent.responses else []
    if sent.housekeeping == sent.frames:
        return f"{frames} to {HOUSEKEEPING}"
    if sent.housekeeping:
        parts.append(f"{sent.housekeeping:,} to {HOUSEKEEPING}")
    return f"{frames}: {', '.join(parts)}"


def _side(sender: str) -> str:
    return {"unknown": "unknown peer", "peer": "other peer"}.get(sender, sender)


def _bytes(fields: Mapping[str, Any], name: str) -> str:
    count = fields.get(name)
    return counted(count, "byte") if isinstance(count, int) else "bytes"


def _after(ns: int) -> str:
    return f", {duration(ns)} after the last frame" if ns >= 0 else ""
