"""Sequence diagrams of rows, as Mermaid and PlantUML.

Arrows of the same command in a row become one with a count, the same few in turn (a publish and its
confirm) a loop, so that a diagram can be looked at; behind `MOST` arrows the rest is counted. All
text from the wire is written in the languages' codes but for letters, digits and harmless marks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from streamshark.conversations.summary import turn_of
from streamshark.conversations.units import counted
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.findings.finding import Finding
from streamshark.schema.secrets import scrubbed
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS

MOST: Final = 200
"""Arrows of a diagram, those in loops included."""
MOST_PARTICIPANTS: Final = 16
"""Peers that are drawn."""
MOST_NOTES: Final = 100
"""Findings that are written out."""
LONGEST: Final = 80
"""Characters of a label."""
PERIODS: Final = (2, 3, 4)
"""Lengths of what becomes a loop."""
REPEATED: Final = 3
"""Times that it is seen before it becomes one."""
_HARMLESS: Final = frozenset(" .,_-/=()|*@?!'")

_ON_TCP: Final = {
    "open": ("TCP connects", "open"),
    "close": ("TCP FIN", "close"),
    "reset": ("TCP RST", "reset"),
    "refused": ("TCP refuses", "reset"),
}
"""Events that are arrows, with what is written on them and their kind."""


@dataclass(slots=True)
class Arrow:
    """What one peer sends another, once or several times."""

    source: int
    target: int
    """Numbers of participants."""
    command: str
    text: str
    """Arguments of the first."""
    kind: str
    """`request`, `response`, `command`; `open`, `close`, `reset` of TCP."""
    first: int
    last: int
    """Numbers of the first and the last frame; 0 for events."""
    flow: int
    about: object = None
    """The conversation that several commands in a row are part of: a publisher, a stream."""
    times: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same in the rounds of a loop."""
        return self.flow, self.source, self.target, self.command, self.kind

    def again(self, other: "Arrow") -> None:
        """Take another one as a repetition."""
        self.times += other.times
        self.last = other.last

    @property
    def label(self) -> str:
        """What is written at it."""
        number = f"{self.first} " if self.first else ""
        if self.times > 1:
            return f"{number}to {self.last} {self.command} ({self.times:,} times)"
        return f"{number}{self.command} {self.text}".rstrip()


@dataclass(slots=True)
class Loop:
    """Arrows that come again and again in the same order."""

    arrows: list[Arrow]
    times: int

    def again(self, others: Sequence[Arrow]) -> None:
        """They came once more."""
        self.times += 1
        for mine, other in zip(self.arrows, others, strict=True):
            mine.again(other)


@dataclass(slots=True)
class Note:
    """Something that is no arrow."""

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
    """Product and version, where it has said so."""

    @property
    def label(self) -> str:
        """What is written above its line."""
        return " ".join(part for part in (self.name or self.role, self.address) if part)


@dataclass(slots=True)
class Diagram:
    """Gathers rows; `text` writes what was gathered."""

    most: int = MOST
    participants: list[Participant] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    left_out: int = 0
    """Rows behind the last arrow that was drawn."""
    strangers: int = 0
    """Rows of peers behind the last one that is drawn."""
    _arrows: int = 0
    _by_address: dict[str, int] = field(default_factory=dict)

    # Gathering

    def row(self, row: Row) -> None:
        """One row, in order."""
        source, target = (self._participant(row, each) for each in (row.side, 1 - row.side))
        if source is None or target is None:
            self.strangers += 1
            return
        self._name(row, source, target)
        if self.left_out:
            self.left_out += 1
            return
        if isinstance(row, FrameRow):
            turn = turn_of(row)
            if turn is None:
                return
            kind = row.kind or "command"
            number, flow, about = row.number, row.connection.flow.number, None
            if row.annotation is not None:
                about = row.annotation.name if kind == "command" else row.annotation.part_of
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
        """Learn the products of both sides from the row's context."""
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
        """Add an arrow, as a repetition where it is one."""
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
        """Make a loop of what came several times, or let the loop before it take it."""
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
        """The diagram in a language, findings noted at their frames."""
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
        everybody = (0, max(len(self.participants) - 1, 0))
        for text in (*noted.rest(), *self._more()):
            lines.append(language.note(everybody, text))
        return "\n".join([*lines, *language.tail]) + "\n"

    @staticmethod
    def _notes(language: "Language", texts: Iterable[str], arrow: Arrow) -> Iterator[str]:
        over = (min(arrow.source, arrow.target), max(arrow.source, arrow.target))
        return (language.note(over, each) for each in texts)

    def _more(self) -> Iterator[str]:
        """What was not drawn."""
        if self.left_out:
            yield f"... {self.left_out:,} more frames and events"
        if self.strangers:
            yield f"... {counted(self.strangers, 'row')} of other peers"


class _Noted:
    """Findings as notes, each once, at the arrow that has its guilty frame."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._left = sorted(findings, key=lambda each: each.frames[0] if each.frames else 0)[::-1]
        self._said = 0

    def until(self, arrow: Arrow) -> Iterator[str]:
        """What was found in the frames up to an arrow's last one; how much more behind a limit."""
        kept = []
        while self._left:
            found = self._left.pop()
            guilty = found.frames[0] if found.frames else 0
            if guilty and arrow.last and guilty <= arrow.last and arrow.flow == found.flow:
                yield from self._say(found)
            else:
                kept.append(found)
            if guilty > arrow.last:
                break
        self._left += kept[::-1]

    def rest(self) -> Iterator[str]:
        """What stands at no arrow."""
        left, self._left = self._left[::-1], []
        for each in left:
            yield from self._say(each)
        if self._said > MOST_NOTES:
            yield f"... {self._said - MOST_NOTES:,} more findings; streamshark check has them"

    def _say(self, found: Finding) -> Iterator[str]:
        self._said += 1
        if self._said <= MOST_NOTES:
            place = f" at frame {found.frames[0]}" if found.frames else ""
            times = f" ({found.count:,} times)" if found.count > 1 else ""
            yield f"[{MARKS[found.severity]}] {found.rule}{place}: {found.message}{times}"


class Language(Protocol):
    """How a language of diagrams is written; participants are numbers."""

    @property
    def tail(self) -> tuple[str, ...]:
        """Lines behind the last one."""

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Lines before the first arrow."""

    def arrow(self, arrow: Arrow) -> str:
        """One arrow."""

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """Arrows in a loop."""

    def note(self, over: tuple[int, int], text: str) -> str:
        """A note over one participant or all from one to another."""


class Mermaid:
    """Mermaid's `sequenceDiagram` (mermaid.js.org, syntax of sequence diagrams)."""

    tail = ()
    _LINES: Final = {"response": "-->>", "command": "-)", "close": "--)", "reset": "-x"}

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Participants are `P0`, `P1`, ..."""
        yield "sequenceDiagram"
        for number, each in enumerate(participants):
            yield f"    participant P{number} as {self._safe(each.label)}"

    def arrow(self, arrow: Arrow) -> str:
        """`P0->>P1: 5 subscribe ...`."""
        line = self._LINES.get(arrow.kind, "->>")
        return f"    P{arrow.source}{line}P{arrow.target}: {self._safe(arrow.label)}"

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """`loop ... end`."""
        yield f"    loop {self._safe(text)}"
        for each in lines:
            yield f"    {each}"
        yield "    end"

    def note(self, over: tuple[int, int], text: str) -> str:
        """`Note over P0,P1: ...`."""
        first, last = over
        peers = f"P{first}" if first == last else f"P{first},P{last}"
        return f"    Note over {peers}: {self._safe(text, 2 * LONGEST)}"

    @staticmethod
    def _safe(text: str, most: int = LONGEST) -> str:
        """Anything that may mean something as `#code;`."""
        return _coded(text, most, "#{};")


class PlantUml:
    """PlantUML's sequence diagram (plantuml.com/sequence-diagram)."""

    tail = ("@enduml",)
    _LINES: Final = {"response": "-->", "command": "->>", "close": "-->>", "reset": "->x"}

    def head(self, participants: Sequence[Participant]) -> Iterator[str]:
        """Participants are `P0`, `P1`, ..."""
        yield "@startuml"
        for number, each in enumerate(participants):
            yield f'participant "{self._safe(each.label)}" as P{number}'

    def arrow(self, arrow: Arrow) -> str:
        """`P0 -> P1 : 5 subscribe ...`."""
        line = self._LINES.get(arrow.kind, "->")
        return f"P{arrow.source} {line} P{arrow.target} : {self._safe(arrow.label)}"

    def loop(self, text: str, lines: Iterable[str]) -> Iterator[str]:
        """`loop ... end`."""
        yield f"loop {self._safe(text)}"
        for each in lines:
            yield f"  {each}"
        yield "end"

    def note(self, over: tuple[int, int], text: str) -> str:
        """`note over P0, P1 : ...`."""
        first, last = over
        peers = f"P{first}" if first == last else f"P{first}, P{last}"
        return f"note over {peers} : {self._safe(text, 2 * LONGEST)}"

    @staticmethod
    def _safe(text: str, most: int = LONGEST) -> str:
        """Anything that may mean something as `<U+code>`, which is read when all else is."""
        return _coded(text, most, "<U+{:04X}>")


LANGUAGES: Final[Mapping[str, Language]] = {"mermaid": Mermaid(), "plantuml": PlantUml()}
"""By the name that `-T` takes."""


def _coded(text: str, most: int, form: str) -> str:
    """Text in one line, cut, with all but harmless characters written as codes.

    Two marks in a row mean something in both languages (`--`, `//`, `__`), one alone does not.
    """
    text = " ".join(printable(text).split())
    text = text if len(text) <= most else f"{text[: most - 3]}..."
    out, before = [], ""
    for each in text:
        plain = each.isalnum() or (each in _HARMLESS and (each != before or each in ". "))
        out.append(each if plain else form.format(ord(each)))
        before = each
    return "".join(out)


def _product(context: Mapping[str, object], *roles: str) -> str:
    """Product and version of a side, as it has said them itself."""
    for role in roles:
        product = context.get(f"{role}_product")
        if product is not None:
            version = context.get(f"{role}_version")
            return scrubbed(f"{product} {version}" if version is not None else str(product))
    return ""


def _facts(fields: Mapping[str, object]) -> str:
    """What an event says of itself."""
    told = [f"{name} {value}" for name, value in fields.items() if value is not None]
    return ", ".join(told)


def _arrows_of(items: Iterable[Item]) -> list[Arrow]:
    return [each for each in items if isinstance(each, Arrow)]


def _keys(arrows: Iterable[Arrow]) -> list[tuple[object, ...]]:
    return [each.key for each in arrows]
