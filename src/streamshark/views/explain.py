"""What happened on a connection, in plain sentences: a page each.

What protocols say of themselves comes as a `Explanation`; beside it stand sentences that hold for
all of them: what TCP did, how much was said, how long answers took, what rules found, what is
missing.
"""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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

MOST_COMMANDS: Final = 8
"""Commands of a side that are named."""
MOST_FINDINGS: Final = 40
"""Findings of a connection that are written out."""
MOST_HOLES: Final = 5
"""Holes and skips that are written out."""
_OTHER: Final = {"client": "server", "server": "client"}


@dataclass(slots=True)
class SideFacts:
    """What one side sent."""

    frames: int = 0
    size: int = 0
    commands: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class ConnectionFacts:
    """What is gathered of a connection while it lasts; all of it bounded."""

    first_ns: int
    addresses: tuple[str, str]
    said: dict[str, SideFacts] = field(default_factory=dict)
    """By sender, `client`, `server` or `unknown`."""
    first: tuple[str, str, int, int] | None = None
    """Sender, command, number and time of the first frame."""
    last_ns: int = 0
    last_frame_ns: int | None = None
    opened: bool = False
    """Whether it was seen to open."""
    ends: list[tuple[str, str, int]] = field(default_factory=list)
    """`close` or `reset`, who, when; the first few."""
    holes: list[str] = field(default_factory=list)
    """Sentences about missing and skipped bytes; the first few."""
    more_holes: int = 0
    problems: int = 0
    problem: int = 0
    """The first frame with one."""
    calls: Counter[str] = field(default_factory=Counter)
    """State to how many requests."""
    kinds: dict[tuple[str, str], int] = field(default_factory=dict)
    """Type and state of other conversations to how many."""
    slowest: tuple[int, str, int] | None = None
    """Time of the longest answer, its command and frame."""
    links: dict[str, None] = field(default_factory=dict)
    """Ids of conversations on other connections."""

    def row(self, row: Row) -> None:
        """One row of it."""
        self.last_ns = row.time_ns
        sender = row.sender or "unknown"
        if isinstance(row, FrameRow):
            self._frame(row, sender)
        elif isinstance(row, EventRow):
            self._event(row, sender)

    def _frame(self, row: FrameRow, sender: str) -> None:
        said = self.said.setdefault(sender, SideFacts())
        said.frames += 1
        said.size += len(row.data)
        said.commands[row.name or "unknown"] += 1
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
                self._hole(f"{_bytes(fields, 'length')} of the {_side(sender)} are missing", fields)
            case "resync":
                self._hole(
                    f"{_bytes(fields, 'skipped')} of the {_side(sender)} were no frames", fields
                )
            case "partial":
                self._hole(f"the last frame of the {_side(sender)} is cut", fields)

    def _hole(self, sentence: str, fields: Mapping[str, Any]) -> None:
        if len(self.holes) >= MOST_HOLES:
            self.more_holes += 1
            return
        reason = fields.get("reason")
        self.holes.append(f"{sentence} ({printable(str(reason))})" if reason else sentence)

    def conversation(self, told: Conversation) -> None:
        """One conversation that has ended."""
        for each in told.links[:MOST_HOLES]:
            if len(self.links) < MOST_HOLES:
                self.links[each] = None
        if told.type == "call":
            self.calls[told.state] += 1
            took = told.measures.get("response_time_ns")
            if took is not None and told.request and (not self.slowest or took > self.slowest[0]):
                self.slowest = took, told.request.command, told.first_frame
        elif told.parent is not None:
            key = told.type, told.state
            self.kinds[key] = self.kinds.get(key, 0) + 1


class Explainer:
    """Writes pages; lines end at `width`, 0 for nowhere. `files` are the names of several."""

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
        story: Explanation,
        facts: ConnectionFacts,
        findings: Sequence[Finding],
        *,
        agreed: Mapping[str, Any],
        handshake_ns: int | None,
        pending: Sequence[str] = (),
    ) -> str:
        """All about one connection.

        `findings` come in order of time; `pending` are rules that found something of which they
        tell at the end, over all connections. `agreed` is what its frames have negotiated.
        """
        told = [each for each in findings if each.severity != Severity.CHAT.value]
        sections = (
            ("Who", self._who(story, facts)),
            ("How it began", self._began(story, facts, handshake_ns)),
            ("What was agreed", self._agreed(story, agreed)),
            ("What they did", self._did(story, facts)),
            ("What went wrong", self._wrong(story, told, pending)),
            ("What to do next", self._next(story, told)),
            ("How it ended", self._ended(story, facts)),
            ("What cannot be known", self._unknown(story, facts)),
        )
        lines = list(self._head(story, facts))
        for title, sentences in sections:
            shown = [line for each in sentences for line in self._wrapped(each)]
            if shown:
                lines += [self.palette.paint("command", title), *shown]
        return "\n".join(lines) + "\n"

    def overall(self, findings: Sequence[Finding]) -> str:
        """What rules found over all connections, known at the end alone."""
        lines = [self.palette.paint("name", "Over all connections")]
        lines += [line for each in self._found(findings) for line in self._wrapped(each)]
        return "\n".join(lines) + "\n"

    # Sections: sentences, each with its style

    def _head(self, story: Explanation, facts: ConnectionFacts) -> Iterator[str]:
        client, server = facts.addresses
        arrow = "->" if facts.opened or "client" in facts.said else "<->"
        file = f"{self.files[story.file]}: " if self.files else ""
        protocols = ", ".join(story.protocols)
        head = f"{file}Connection {story.flow}  {client} {arrow} {server}  {protocols}"
        yield self.palette.paint("name", head)
        said = [
            f"{name} {size(each.size)}" for name, each in sorted(facts.said.items()) if each.frames
        ]
        frames = counted(sum(each.frames for each in facts.said.values()), "frame")
        when = self._time(facts.first_ns)
        lasted = duration(facts.last_ns - facts.first_ns)
        yield from self._wrapped(
            (
                "time",
                f"{f'{when}, ' if when else ''}{lasted}, {frames} ({', '.join(said) or '0 B'})",
            )
        )

    def _who(self, story: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        yield from _lines(story, "who")
        if "who" not in story.parts:
            yield "", "Neither side says in a frame that was captured who it is."
        if "unknown" in facts.said and "client" not in facts.said:
            yield "", "Nothing proves which side is the client."

    def _began(
        self, story: Explanation, facts: ConnectionFacts, handshake_ns: int | None
    ) -> Iterator[tuple[str, str]]:
        if facts.opened:
            trip = f"; TCP's handshake took {duration(handshake_ns)}" if handshake_ns else ""
            yield "", f"The client opened the connection{trip}."
        else:
            yield "", "It was open before the capture began."
        if facts.first is not None and "began" not in story.parts:
            sender, command, number, time_ns = facts.first
            after = duration(time_ns - facts.first_ns)
            first = f"The first frame was {command} of the {_side(sender)}"
            yield "", f"{first}, {after} later (frame {number})."
        elif facts.first is None:
            yield "", "No frame followed."
        yield from _lines(story, "began")

    @staticmethod
    def _agreed(story: Explanation, agreed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        yield from _lines(story, "agreed")
        plain = {name: value for name, value in agreed.items() if isinstance(value, (str, int))}
        if not story.parts and plain:
            known = ", ".join(f"{name} {_plain(value)}" for name, value in plain.items())
            yield "", f"They agreed on {known}."

    @staticmethod
    def _did(story: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        for sender in ("client", "server", "unknown"):
            said = facts.said.get(sender)
            if said is not None:
                counts = counted(said.frames, "frame")
                yield sender, f"The {_side(sender)} sent {counts}: {_commands(said.commands)}."
            elif sender != "unknown" and facts.said:
                yield "", f"The {sender} sent no frame."
        calls = facts.calls
        if calls:
            answered = calls["done"] + calls["failed"]
            text = f"{counted(answered, 'request was', 'requests were')} answered"
            text += f", {calls['failed']} of them by a refusal" if calls["failed"] else ""
            if facts.slowest is not None:
                took, command, frame = facts.slowest
                text += f"; the longest wait was {duration(took)}, for {command} (frame {frame})"
            yield "", f"{text}."
        if not story.parts:
            for (kind, state), count in facts.kinds.items():
                yield "", f"{counted(count, kind)}: {state}."
        yield from _lines(story, "did")
        if facts.links:
            yield "", f"Linked with {', '.join(facts.links)} on other connections."

    def _wrong(
        self, story: Explanation, findings: Sequence[Finding], pending: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        yield from self._found(findings)
        if pending:
            rules = ", ".join(pending)
            yield "", f"What was found over all connections stands at the end: {rules}."
        elif findings:
            return
        elif self.judged.isdisjoint(story.protocols):
            yield "", "There are no rules for this protocol."
        else:
            yield "", "No rule found a fault."

    def _found(self, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
        for each in findings[:MOST_FINDINGS]:
            frame = f"frame {each.frames[0]}" if each.frames else ""
            packet = f"packet {each.packets[0]}" if each.packets else ""
            place = ", ".join(part for part in (frame, packet) if part)
            times = f" It happened {each.count:,} times." if each.count > 1 else ""
            others = each.frames[1:MOST_HOLES]
            frames = "frame" if len(others) == 1 else "frames"
            see = f" See also {frames} {', '.join(map(str, others))}." if others else ""
            mark = f"[{MARKS[each.severity]}] {each.rule}"
            yield (
                each.severity,
                f"{mark} at {place or 'the end'}: {_stopped(each.message)}{times}{see}",
            )
            for echo in each.echoes[:MOST_HOLES]:
                yield "", f"  With it came {echo.rule}: {_stopped(echo.message)}"
            if each.cause:
                yield "", f"  Usual cause: {_stopped(each.cause)}"
        more = len(findings) - MOST_FINDINGS
        if more > 0:
            yield "", f"... and {more:,} more; streamshark check has them all."

    @staticmethod
    def _next(story: Explanation, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
        advice = dict.fromkeys(
            line.advice for lines in story.parts.values() for line in lines if line.advice
        )
        yield from (("", printable(each)) for each in advice)
        rules = list(dict.fromkeys(each.rule for each in findings))[:MOST_HOLES]
        if rules:
            yield (
                "",
                f"Read about {'it' if len(rules) == 1 else 'them'}: "
                + ", ".join(f"streamshark check --explain-rule {each}" for each in rules),
            )
        if (rules or advice) and story.conversation:
            yield (
                "",
                f"See every frame: streamshark conversations --follow {story.conversation} FILE",
            )

    @staticmethod
    def _ended(story: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        yield from _lines(story, "ended")
        pending = facts.calls["open"] + facts.calls["unanswered"]
        if pending:
            yield "warning", f"{counted(pending, 'request was', 'requests were')} never answered."
        if not facts.ends:
            yield "", "The capture ends while the connection is open."
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
    def _unknown(story: Explanation, facts: ConnectionFacts) -> Iterator[tuple[str, str]]:
        if not story.start:
            yield (
                "",
                (
                    "The capture begins in the middle of the connection: what was said and agreed "
                    "before is not known, and rules that need it are silent."
                ),
            )
        if not story.both and len(facts.said) == 1:
            (only,) = facts.said
            other = _OTHER.get(only, "other side")
            yield "", f"Only the {_side(only)} was captured: what the {other} said is not known."
        for each in facts.holes:
            yield "", f"{each[0].upper()}{each[1:]}."
        if facts.more_holes:
            yield "", f"... and {counted(facts.more_holes, 'hole')} more."
        if facts.holes:
            yield "", "What was said there is not known, and rules that need it are silent."
        if facts.problems:
            yield (
                "",
                (
                    f"{counted(facts.problems, 'frame')} could not be read as the protocol says, "
                    f"the first of them {facts.problem}."
                ),
            )

    # Text

    def _wrapped(self, sentence: tuple[str, str]) -> list[str]:
        style, text = sentence
        indent = "  " + " " * (len(text) - len(text.lstrip()))
        text = text.strip()
        wrapped = [text]
        if self.width:
            wrapped = textwrap.wrap(
                text,
                max(self.width - len(indent), 40),
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
        return [indent + self.palette.paint(style, each) for each in wrapped]


def _lines(story: Explanation, part: str) -> Iterator[tuple[str, str]]:
    """What the protocol's own sentences say."""
    for line in story.parts.get(part, ()):
        yield "", _line(line)
    more = story.more.get(part, 0)
    if more:
        yield "", f"... and {more:,} more of the kind."


def _line(line: ExplainedLine) -> str:
    text = printable(line.text)
    if line.frame is None:
        return text
    place = f"frame {line.frame}" if line.times == 1 else f"first in frame {line.frame}"
    return f"{text.removesuffix('.')} ({place})."


def _stopped(text: str) -> str:
    """A sentence with its full stop."""
    text = printable(text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else quoted(str(value), 80)


def _commands(counts: Counter[str]) -> str:
    """How many of which, the most first."""
    named = counts.most_common(MOST_COMMANDS)
    shown = ", ".join(f"{printable(name)} {count:,}" for name, count in named)
    rest = counts.total() - sum(count for _, count in named)
    return f"{shown}, others {rest:,}" if rest else shown


def _side(sender: str) -> str:
    return {"unknown": "side that is not known", "peer": "other peer"}.get(sender, sender)


def _bytes(fields: Mapping[str, Any], name: str) -> str:
    count = fields.get(name)
    return counted(count, "byte") if isinstance(count, int) else "bytes"


def _after(ns: int) -> str:
    return f", {duration(ns)} after the last frame" if ns >= 0 else ""
