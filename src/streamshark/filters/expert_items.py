"""Expert items: problems of frames, and rules that match at them, by Wireshark's names.

`rmqstream.finding` is the id of a rule, `rmqstream.expert.rmq_n6` and `rmqstream.expert.short` are
there where the rule matches, or the problem is; `_ws.expert.*` is what they say.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import FieldInfo
from streamshark.fields.registry import Fields
from streamshark.filters import kinds
from streamshark.filters.other_rows import (
    EXPERT,
    FINDING,
    FINDINGS,
    FIRST_READING,
    MATCHES,
    OtherRows,
)
from streamshark.schema.problems import Problem, ProblemCode
from streamshark.schema.words import FieldFacts

WS: Final = "_ws.expert"

_SEVERITIES: Final = {0x200000: "Chat", 0x400000: "Note", 0x600000: "Warning", 0x800000: "Error"}
_GROUPS: Final = {
    at << 24: name
    for at, name in enumerate(
        ("Checksum", "Sequence", "Response", "Request", "Undecoded", "Reassemble", "Malformed",
         "Debug", "Protocol", "Security", "Comment", "Decryption", "Assumption", "Deprecated"),
        1,
    )
}  # fmt: skip
"""Wireshark's numbers of severities and groups."""
_NUMBERS: Final = {name.lower(): at for at, name in (*_SEVERITIES.items(), *_GROUPS.items())}


class ExpertItem(NamedTuple):
    """What is said of a frame."""

    protocol: str
    """Id of the protocol."""
    name: str
    """Last part of its field: the code of a problem, or the name of a rule."""
    rule: str
    """Id of the rule; empty for a problem."""
    severity: str
    group: str
    message: str


_NEEDS: Final = frozenset({FIRST_READING, FINDINGS, MATCHES})
PROBLEMS: Final = {each.word: each.sentence for each in ProblemCode}
"""Codes of problems, with what they mean."""
_PRESENCE: Final = "A frame that cannot be decoded in full, or at which a rule matches."
_OF_ITEM: Final[Mapping[str, tuple[FieldInfo, Callable[[ExpertItem], Any]]]] = {
    each.name: (each, get)
    for each, get in (
        (FieldInfo(WS, "", kinds.NONE, _PRESENCE), lambda _item: True),
        (FieldInfo(f"{WS}.message", "", kinds.TEXT, "What is wrong with a frame."),
         lambda item: item.message),
        (FieldInfo(f"{WS}.severity", "", kinds.UNSIGNED, "Severity of what is wrong.",
                   facts=FieldFacts(names=_SEVERITIES)), lambda item: _NUMBERS[item.severity]),
        (FieldInfo(f"{WS}.group", "", kinds.UNSIGNED, "Kind of what is wrong.",
                   facts=FieldFacts(names=_GROUPS)), lambda item: _NUMBERS[item.group]),
    )
}  # fmt: skip


def value_of(name: str, severity: str, group: str, message: str) -> object:
    """Return the value of a field of all protocols, `_ws.expert.severity`, of an item."""
    return _OF_ITEM[name][1](ExpertItem("", "", "", severity, group, message))


class ExpertItems:
    """The expert items of rows, and their fields."""

    def __init__(self, fields: Fields, others: OtherRows) -> None:
        self._fields, self._others = fields, others
        self._rules: dict[str, dict[str, str]] = {}
        self._row: Row | None = None
        self._items: list[ExpertItem] = []

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if it is not one of these."""
        if name in _OF_ITEM:
            return replace(_OF_ITEM[name][0], many=True, needs=_NEEDS)
        short, _, rest = name.partition(".")
        if short not in self._fields.protocols:
            return None
        if rest == FINDING:
            doc = "Id of a rule that matches at the frame."
            return FieldInfo(name, short, kinds.TEXT, doc, many=True, needs=_NEEDS)
        kind, _, last = rest.partition(".")
        if kind != EXPERT:
            return None
        if last in PROBLEMS:
            return FieldInfo(name, short, kinds.NONE, PROBLEMS[last])
        title = self._titles(short).get(last)
        return None if title is None else FieldInfo(name, short, kinds.NONE, title, needs=_NEEDS)

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield the fields whose names begin with a prefix."""
        names = list(_OF_ITEM)
        short, dot, rest = prefix.partition(".")
        if dot and short in self._fields.protocols:
            names.append(f"{short}.{FINDING}")
            if rest.startswith(f"{EXPERT}."):
                names += [f"{short}.{EXPERT}.{each}" for each in PROBLEMS | self._titles(short)]
        found = (self.find(name) for name in names if name.startswith(prefix))
        yield from (each for each in found if each is not None)

    def _titles(self, short: str) -> dict[str, str]:
        """Return the titles of a protocol's rules, by the last part of their fields."""
        if short not in self._rules:
            from streamshark.findings.rule import field_names  # noqa: PLC0415 - few filters name any

            rules = list(self._fields.protocols[short].source.rules)
            names = field_names(each.id for each in rules)
            self._rules[short] = {
                name: f"Rule {rule.id}: {rule.title}."
                for name, rule in zip(names, rules, strict=True)
            }
        return self._rules[short]

    def values(self, name: str) -> Callable[[Row], Sequence[Any]]:
        """Return what gets a field from rows."""
        if name in _OF_ITEM:
            get = _OF_ITEM[name][1]
            return lambda row: [get(each) for each in self.of(row)]
        short, _, rest = name.partition(".")
        protocol = self._fields.protocols[short].wire.id
        if rest == FINDING:
            return lambda row: [
                each.rule for each in self.of(row) if each.rule and each.protocol == protocol
            ]
        last = rest.partition(".")[2]
        return lambda row: [
            True for each in self.of(row) if each.name == last and each.protocol == protocol
        ]

    def of(self, row: Row) -> Sequence[ExpertItem]:
        """Return the items of a row: its problems, then the rules that match at it."""
        if not isinstance(row, FrameRow):
            return ()
        if row is not self._row:
            self._row = row
            self._items = [_of_problem(row, each) for each in row.problems]
            self._items += self._matched(row.number)
        return self._items

    def _matched(self, frame: int) -> Iterator[ExpertItem]:
        """Yield the items of the rules that match at a frame."""
        shorts = {each.wire.id: short for short, each in self._fields.protocols.items()}
        matches = self._others.matches
        for each in () if matches is None else matches.at(frame):
            name = [*self._titles(shorts[each.protocol])][each.number]
            text = f"{each.rule}: {each.message}"
            yield ExpertItem(each.protocol, name, each.rule, each.severity, each.group, text)


def _of_problem(row: FrameRow, problem: Problem) -> ExpertItem:
    """Return a problem as an expert item."""
    from streamshark.findings.general_rules import group_of  # noqa: PLC0415 - few filters name any

    code = problem.code
    path = ""
    if row.decoder is not None and problem.node >= 0:
        path = ".".join(row.decoder.tree.nodes[problem.node].path)
    text = f"{path}: {problem.message}" if path else problem.message
    severity = "error" if code.stops else "warning"
    return ExpertItem(row.connection.wire.id, code.word, "", severity, group_of(code).value, text)
