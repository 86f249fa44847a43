"""Sequence diagrams of rows, as Mermaid and PlantUML.

Consecutive arrows of the same command become one with a count, and a few arrows that alternate (a
publish and its confirm) become a loop, so that a diagram stays readable; after `MOST` arrows the
rest is counted. All text from the wire is written as character codes, except for letters, digits
and harmless punctuation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from streamshark.conversations.conversation import NOTHING
from streamshark.conversations.summary import turn_of
from streamshark.conversations.units import counted, shortened
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.findings.finding import Finding
from streamshark.schema.secrets import scrubbed
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS

MOST: Final = 200
"""Most arrows of a diagram, those in loops included."""
MOST_PARTICIPANTS: Final = 16
"""Most peers that are drawn."""
MOST_NOTES: Final = 100
"""Most findings that are written."""
LONGEST: Final = 80
"""Most characters of a label."""
PERIODS: Final = (2, 3, 4)
"""Numbers of arrows that can become a loop."""
REPEATED: Final = 3
"""Number of rounds from which a loop is drawn."""
_WORD: Final = re.compile(r'[\d,]+ bytes?|(?:"[^"]*"|[^\s"])+')
_HARMLESS: Final = frozenset(" .,_-/=()|*@?!'")

_ON_TCP: Final = {
    "open": ("TCP connects", "open"),
    "close": ("TCP FIN", "close"),
    "reset": ("TCP RST", "reset"),
    "refused": ("TCP refuses", "reset"),
}
"""Events that are drawn as arrows, with their label and kind."""


@dataclass(slots=True)
class Arrow:
    """What one peer sends another, once or several times."""

    source: int
    target: int
    """Numbers of the participants."""
    command: str
    text: str
    """Arguments of the first frame; of several frames, the words that they share."""
    kind: str
    """`request`, `response`, `command`; `open`, `close`, `reset` of TCP."""
    first: int
    last: int
    """Numbers of the first and the last frame; 0 for events."""
    flow: int
    about: object = None
    """The conversation, such as a publisher or stream, that consecutive commands belong to."""
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """What an arrow has in common with its repetitions."""
        return self.flow, self.source, self.target, self.command, self.kind

    def again(self, other: "Arrow") -> None:
        """Merge another arrow as a repetition."""
        self.times += other.times
        self.last = other.last
        if self.text != other.text:
            others = set(_words(other.text))
            self.text = " ".join(word for word in _words(self.text) if word in others)

    @property
    def label(self) -> str:
        """The text at the arrow."""
        number = f"{self.first} " if self.first else ""
        if self.times > 1:
            words = f"{self.command} {self.text}".rstrip()
            return f"{number}to {self.last} {words} ({self.times:,} times)"
        return f"{number}{self.command} {self.text}".rstrip()


def _words(text: str) -> list[str]:
    """Return the words of an arrow's arguments; a quoted text is part of one."""
    return _WORD.findall(text)


@dataclass(slots=True)
class Loop:
    """Arrows that repeat in the same order."""

    arrows: list[Arrow]
    times: int

    def again(self, others: Sequence[Arrow]) -> None:
        """Merge the arrows of one more round."""
        self.times += 1
        for mine, other in zip(self.arrows, others, strict=True):
            mine.again(other)


@dataclass(slots=True)
class Note:
    """A note over one participant or several."""

    over: tuple[int, int]
    text: str


Item = Arrow | Loop | Note


@dataclass(slots=True)
class Participant:
    """A peer."""

    address: str
    role: str
    """`client`, `server`, or empty."""
    name: str = ""
    """Product and version, if it announced them; else empty."""

    @property
    def label(self) -> str:
        """The text above its line."""
        return " ".join(part for part in (self.name or self.role, self.address) if part)


@dataclass(slots=True)
class Diagram:
    """A diagram that is collected row by row; `text` writes it."""

    most: int = MOST
    participants: list[Participant] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    left_out: int = 0
    """Number of rows after the last arrow that was drawn."""
    strangers: int = 0
    """Number of rows of peers that are not drawn."""
    _arrows: int = 0
    _by_address: dict[str, int] = field(default_factory=dict)

    # Collecting

    def row(self, row: Row) -> None:
        """Add a row; rows come in order."""
        source, target = (self._participant(row, each) for each in (row.side, 1 - row.side))
        if source is None or target is None:
            self.strangers += 1
            return
        self._name(row, source, target)
        if self.left_out:
            self.left_out += 1
            return
        if isinstance(row, FrameRow):
            annotation = row.annotation
            turn = turn_of(row, annotation.context if annotation is not None else NOTHING)
            if turn is None:
                return
            kind = row.kind or "command"
            number, flow, about = row.number, row.connection.flow.number, None
            if annotation is not None:
                about = annotation.name if kind == "command" else annotation.part_of
            self._add(
                Arrow(source, target, turn.command, turn.text, kind, number, number, flow, about)
            )
        elif isinstance(row, EventRow):
            self._event(row, source, target)

    def _event(self, row: EventRow, source: int, target: int) -> None:
        flow, over = row.connection.flow.number, (min(source, target), max(source, target))
        if row.protocol != "tcp":
            facts = " ".join(f"{name}={value}" for name, value in row.fields.items())
            self._add(Arrow(source, target, row.name, facts, "command", 0, 0, flow))
        elif row.name in _ON_TCP:
            command, style = _ON_TCP[row.name]
            self._add(Arrow(source, target, command, "", style, 0, 0, flow))
        else:
            self._note(over, f"{row.name}: {_facts(row.fields)}")

    def _participant(self, row: Row, side: int) -> int | None:
        address = row.connection.flow.addresses[side]
        found = self._by_address.get(address)
        if found is None:
            if len(self.participants) >= MOST_PARTICIPANTS:
                return None
            found = self._by_address[address] = len(self.participants)
            self.participants.append(Participant(address, ""))
        if row.sender in ("client", "server"):
            other = "server" if row.sender == "client" else "client"
            self.participants[found].role = row.sender if side == row.side else other
        return found

    def _name(self, row: Row, source: int, target: int) -> None:
        """Take the products of both sides from the row's context."""
        context: Mapping[str, object] = row.annotation.context if row.annotation is not None else {}
        if not context or row.sender not in ("client", "server"):
            return
        client, server = (source, target) if row.sender == "client" else (target, source)
        for number, product in ((client, _product(context, "client")),
                                (server, _product(context, "broker", "server"))):  # fmt: skip
            if product:
                self.participants[number].name = product

    def _note(self, over: tuple[int, int], text: str) -> None:
        if self._arrows >= self.most:
            self.left_out += 1
            return
        self._arrows += 1
        self.items.append(Note(over, text))

    def _add(self, arrow: Arrow) -> None:
        """Add an arrow, or merge it as a repetition."""
        items = self.items
        before = items[-1] if items else None
        last = before.arrows[-1] if isinstance(before, Loop) else before
        if isinstance(last, Arrow) and last.key == arrow.key and last.about == arrow.about:
            last.again(arrow)
            return
        if self._arrows >= self.most:
            self.left_out += 1
            return
        items.append(arrow)
        self._arrows += 1
        self._fold()

    def _fold(self) -> None:
        """Make a loop of repeated arrows, or merge them into the loop before."""
        for period in PERIODS:
            tail = _arrows_of(self.items[-period:])
            if len(tail) < period:
                return
            before = self.items[-period - 1] if len(self.items) > period else None
            if isinstance(before, Loop) and _keys(before.arrows) == _keys(tail):
                before.again(tail)
                del self.items[-period:]
                self._arrows -= period
                return
            runs = _arrows_of(self.items[-period * REPEATED :])
            if len(runs) == period * REPEATED and _keys(runs) == _keys(tail) * REPEATED:
                loop = Loop(runs[:period], 1)
                for at in range(1, REPEATED):
                    loop.again(runs[at * period : (at + 1) * period])
                self.items[-period * REPEATED :] = [loop]
                self._arrows -= period * (REPEATED - 1)
                return

    # Writing

    def text(self, language: "Language", findings: Iterable[Finding] = ()) -> str:
        """Return the diagram in a language, with findings as notes at their frames."""
        noted = _Noted(findings)
        lines = list(language.head(self.participants))
        for item in self.items:
            match item:
                case Arrow():
                    lines.append(language.arrow(item))
                    lines += self._notes(language, noted.until(item), item)
                case Note(over, text):
                    lines.append(language.note(over, text))
                case Loop(arrows, times):
                    lines += language.loop(f"{times:,} times", map(language.arrow, arrows))
                    for each in arrows:
                        lines += self._notes(language, noted.until(each), each)
        all_participants = (0, max(len(self.participants) - 1, 0))
        for text in (*noted.rest(), *self._more()):
            lines.append(language.note(all_participants, text))
        return "\n".join([*lines, *language.tail]) + "\n"

    @staticmethod
    def _notes(language: "Language", texts: Iterable[str], arrow: Arrow) -> Iterator[str]:
        over = (min(arrow.source, arrow.target), max(arrow.source, arrow.target))
        return (language.note(over, each) for each in texts)

    def _more(self) -> Iterator[str]:
        """Yield what was not drawn."""
        if self.left_out:
            yield f"... {self.left_out:,} more frames and events"
        if self.strangers:
            yield f"... {counted(self.strangers, 'row')} of other peers"


class _Noted:
    """Findings as notes, each once, at the arrow of its main frame."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._left = sorted(findings, key=lambda each: each.frames[0] if each.frames else 0)[::-1]
        self._written = 0

    def until(self, arrow: Arrow) -> Iterator[str]:
        """Yield the findings in the frames up to an arrow's last one, up to the limit of notes."""
        kept = []
        while self._left:
            found = self._left.pop()
            guilty = found.frames[0] if found.frames else 0
            if guilty and arrow.last and guilty <= arrow.last and arrow.flow == found.flow:
                yield from self._write(found)
            else:
                kept.append(found)
            if guilty > arrow.last:
                break
        self._left += kept[::-1]

    def rest(self) -> Iterator[str]:
        """Yield the findings that belong to no arrow."""
        left, self._left = self._left[::-1], []
        for each in left:
            yield from self._write(each)
        if self._written > MOST_NOTES:
            yield f"... {self._written - MOST_NOTES:,} more findings; streamshark check has them"

    def _write(self, found: Finding) -> Iterator[str]:
        self._written += 1
        if self._written <= MOST_NOTES:
            place = f" at frame {found.frames[0]}" if found.frames else ""
            times = f" ({found.count:,} times)" if found.count > 1 else ""
            yield f"[{MARKS[found.severity]}] {found.rule}{place}: {found.message}{times}"


class Language(Protocol):
    """The syntax of a diagram language; participants are numbers."""

    @property
    def tail(self) -> tuple[str, ...]:
        """The lines after the last one."""

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Yield the lines before the first arrow."""

    def arrow(self, arrow: Arrow) -> str:
        """Return one arrow."""

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """Yield arrows in a loop."""

    def note(self, over: tuple[int, int], text: str) -> str:
        """Return a note over one participant, or over all between two."""


class Mermaid:
    """Mermaid's `sequenceDiagram` (mermaid.js.org, syntax of sequence diagrams)."""

    tail = ()
    _LINES: Final = {"response": "-->>", "command": "-)", "close": "--)", "reset": "-x"}

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Declare the participants `P0`, `P1`, ..."""
        yield "sequenceDiagram"
        for number, each in enumerate(participants):
            yield f"    participant P{number} as {self._safe(each.label)}"

    def arrow(self, arrow: Arrow) -> str:
        """Return `P0->>P1: 5 subscribe ...`."""
        line = self._LINES.get(arrow.kind, "->>")
        return f"    P{arrow.source}{line}P{arrow.target}: {self._safe(arrow.label)}"

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines of `loop ... end`."""
        yield f"    loop {self._safe(text)}"
        for each in lines:
            yield f"    {each}"
        yield "    end"

    def note(self, over: tuple[int, int], text: str) -> str:
        """Return `Note over P0,P1: ...`."""
        first, last = over
        peers = f"P{first}" if first == last else f"P{first},P{last}"
        return f"    Note over {peers}: {self._safe(text, 2 * LONGEST)}"

    @staticmethod
    def _safe(text: str, most: int = LONGEST) -> str:
        """Escape text; characters with a meaning become `#code;`."""
        return _coded(text, most, "#{};")


class PlantUml:
    """PlantUML's sequence diagram (plantuml.com/sequence-diagram)."""

    tail = ("@enduml",)
    _LINES: Final = {"response": "-->", "command": "->>", "close": "-->>", "reset": "->x"}

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Declare the participants `P0`, `P1`, ..."""
        yield "@startuml"
        for number, each in enumerate(participants):
            yield f'participant "{self._safe(each.label)}" as P{number}'

    def arrow(self, arrow: Arrow) -> str:
        """Return `P0 -> P1 : 5 subscribe ...`."""
        line = self._LINES.get(arrow.kind, "->")
        return f"P{arrow.source} {line} P{arrow.target} : {self._safe(arrow.label)}"

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines of `loop ... end`."""
        yield f"loop {self._safe(text)}"
        for each in lines:
            yield f"  {each}"
        yield "end"

    def note(self, over: tuple[int, int], text: str) -> str:
        """Return `note over P0, P1 : ...`."""
        first, last = over
        peers = f"P{first}" if first == last else f"P{first}, P{last}"
        return f"note over {peers} : {self._safe(text, 2 * LONGEST)}"

    @staticmethod
    def _safe(text: str, most: int = LONGEST) -> str:
        """Escape text; characters with a meaning become `<U+code>`, which is parsed last."""
        return _coded(text, most, "<U+{:04X}>")


LANGUAGES: Final[Mapping[str, Language]] = {"mermaid": Mermaid(), "plantuml": PlantUml()}
"""Languages by their name in `-T`."""


def _coded(text: str, most: int, form: str) -> str:
    """Return text in one line, cut, with all but harmless characters written as codes.

    Two of the same mark in a row have a meaning in both languages (`--`, `//`, `__`), one alone has
    not.
    """
    text = shortened(" ".join(printable(text).split()), most)
    out, before = [], ""
    for each in text:
        plain = each.isalnum() or (each in _HARMLESS and (each != before or each in ". "))
        out.append(each if plain else form.format(ord(each)))
        before = each
    return "".join(out)


def _product(context: Mapping[str, object], *roles: str) -> str:
    """Return the product and version that a side announced; empty if it did not."""
    for role in roles:
        product = context.get(f"{role}_product")
        if product is not None:
            version = context.get(f"{role}_version")
            return scrubbed(f"{product} {version}" if version is not None else str(product))
    return ""


def _facts(fields: Mapping[str, object]) -> str:
    """Return the fields of an event as text."""
    facts = [f"{name} {value}" for name, value in fields.items() if value is not None]
    return ", ".join(facts)


def _arrows_of(items: Iterable[Item]) -> list[Arrow]:
    return [each for each in items if isinstance(each, Arrow)]


def _keys(arrows: Iterable[Arrow]) -> list[tuple[object, ...]]:
    return [each.key for each in arrows]
