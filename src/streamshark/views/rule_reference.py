"""Rules in words: a page of Markdown per protocol, a list, and the full description of a rule."""

import difflib
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from streamshark.conversations.expressions import (
    Arithmetic,
    Choice,
    ColumnRef,
    Compare,
    Expr,
    FunctionCall,
    IsNone,
    Items,
    Junction,
    NamedConstant,
    ObjectRef,
    Parser,
    Scalar,
    SlotRef,
    Truth,
    walk,
)
from streamshark.conversations.tables import Behaviour, Burst, Constant, Lifecycle, Timer
from streamshark.conversations.unfolding import on_rows
from streamshark.conversations.units import counted, duration
from streamshark.errors import StreamsharkError
from streamshark.findings import tcp
from streamshark.findings.draft import REPEATED, REPEATED_NS
from streamshark.findings.finding import Severity
from streamshark.findings.rule import Rule, family
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.protocol import Protocol
from streamshark.views.rule_examples import examples
from streamshark.views.schema_text import table
from streamshark.views.text_table import grid

NEEDS = {
    "start": "the connection's first bytes",
    "whole": "nothing of the connection lost",
    "both": "both sides of the connection",
    "object": "the object's beginning, and nothing lost since",
    "since": "nothing lost since the first frame of the evidence",
    "all": "all bytes of all connections of the protocol",
}
"""What must have been captured for a rule to apply, in words."""
AGAIN = f"one step more severe where it is noticed {REPEATED} times within {duration(REPEATED_NS)}"
_WORDS = {"==": "is", "!=": "is not", "in": "is one of", "not in": "is none of", "//": "/"}
_PARSER = Parser(frozenset())
TCP = Protocol("TCP", "", WireFormat(id=tcp.ID, short=tcp.ID, heads={}), rules=tcp.RULES)
"""The rules about TCP, listed after those of the protocols."""
PRINCIPLE = (
    "One principle chooses severities: what stops the client or loses data is an error, what will "
    "do so or makes it wait or repeat a warning, what is unwise a note."
)
RECORDED = ("Example", "Recorded")
"""Parts about recorded captures, which the pages leave out: each recording would change them."""
LEAST_TITLE = 20
"""Columns that a title has at least, however narrow the terminal is."""
WIDTH = 100
"""Width of lines of text without a terminal."""


def words(expr: Expr) -> str:  # noqa: C901, PLR0911 - one row a kind
    """Return an expression of the tables as text."""
    match expr:
        case Scalar(value):
            return "not known" if value is None else str(value)
        case ColumnRef(path):
            return ".".join(path)
        case SlotRef(owner, name):
            return f"{owner}.{name}"
        case NamedConstant(name) | ObjectRef(name):
            return name
        case Items(()):
            return "nothing"
        case Items(items):
            *most, last = map(words, items)
            return f"{', '.join(most)} or {last}" if most else last
        case FunctionCall(name, arguments):
            return f"{name}({', '.join(map(words, arguments))})"
        case Arithmetic(symbol, left, right) | Compare(symbol, left, right):
            return f"{_inner(left)} {_WORDS.get(symbol, symbol)} {_inner(right)}"
        case IsNone(of, negated):
            return f"{words(of)} is {'' if negated else 'not '}known"
        case Truth(of, negated):
            return f"not {_inner(of)}" if negated else words(of)
        case Junction(symbol, parts):
            return f" {symbol} ".join(map(_inner, parts))
        case Choice(condition, yes, no):
            return f"{words(yes)} if {words(condition)}, else {words(no)}"


def _inner(expr: Expr) -> str:
    """Return an expression inside another one, in parentheses if needed."""
    text = words(expr)
    return f"({text})" if isinstance(expr, (Junction, Arithmetic, Choice)) else text


def merged(rules: Iterable[tuple[str, Rule]]) -> list[tuple[str, Rule]]:
    """Merge the rules of one id, which may have several rows, into one each; with protocol ids.

    For formats that list each rule once. The severity is that of the most severe row.
    """
    rows: dict[tuple[str, str], list[Rule]] = {}
    for protocol, rule in rules:
        rows.setdefault((protocol, rule.id), []).append(rule)
    return [(protocol, _joined(same)) for (protocol, _), same in rows.items()]


def _from(count: int) -> str:
    """Return from how many matches on a rule is more severe, in words; nothing for 0."""
    return f"one step more severe where it is noticed {count} times" if count else ""


def _joined(rows: Sequence[Rule]) -> Rule:
    """Merge the rows of one id."""
    if len(rows) == 1:
        return rows[0]
    return replace(
        max(rows, key=lambda each: each.severity.rank),
        title="; ".join(dict.fromkeys(each.title for each in rows)),
        cause=" ".join(dict.fromkeys(cause for each in rows for cause in each.all_causes)),
        by="",
        causes={},
        source="; ".join(dict.fromkeys(each.source for each in rows)),
    )


class RuleText:
    """The description of one rule of a protocol."""

    def __init__(self, protocol: Protocol, rule: Rule) -> None:
        self.rule = rule
        fixes = dict(protocol.fixes)
        self.fix = fixes.get(rule.id) or fixes.get(family(rule.id), "")
        """What to change; empty if that depends on the case."""
        self.example = examples().get(rule.id)
        self._constants = _named(protocol, Constant)
        self._timers = _named(protocol, Timer)
        self._repeats = _named(protocol, Burst)
        behaviours = _named(protocol, Behaviour).values()
        self._behaviours = {f"{each.kind}:{each.name}": each for each in behaviours}
        self.applied = rule
        """The rule as it is applied to rows."""
        if rule.on in self._behaviours:
            behaviour = self._behaviours[rule.on].unfold(_named(protocol, Lifecycle))
            self.applied = on_rows(rule, behaviour)

    @property
    def when(self) -> str:
        """The rows that it applies to, and its condition."""
        on = " or ".join(self._on(each) for each in self.rule.on.split())
        condition = _PARSER.condition(self.rule.when)
        text = f"on {on}" + (f", when {words(condition)}" if condition else "")
        return text + (", and a Python function agrees" if self.rule.predicate else "")

    @property
    def needs(self) -> str:
        """What must have been captured."""
        return "; ".join(NEEDS.get(each, each) for each in self.applied.needs.split())

    @property
    def thresholds(self) -> list[Constant]:
        """The constants that it depends on; tables of names are no thresholds."""
        texts = [self.applied.when]
        for each in self.rule.on.split():
            kind, _, name = each.partition(":")
            if kind == "timer" and name in self._timers:
                texts += [self._timers[name].limit, self._timers[name].when]
            if kind == "repeat" and name in self._repeats:
                repeat = self._repeats[name]
                texts += [repeat.window, str(repeat.limit), repeat.when]
        found = dict.fromkeys(name for text in texts for name in _names(text))
        constants = [self._constants[name] for name in found if name in self._constants]
        return [each for each in constants if not isinstance(each.value, Mapping)]

    def parts(self) -> Iterator[tuple[str, str]]:
        """Yield label and sentence of each part that is not empty."""
        rule = self.rule
        thresholds = ", ".join(f"{each.name} = {each.value}" for each in self.thresholds)
        cause_rules = "any error" if rule.echo_of == "error" else rule.echo_of
        for label, text in (
            ("Message", rule.message),
            ("Severity", f"{rule.severity.value}: {rule.severity.effect}"),
            ("When", self.when),
            ("Needs", self.needs),
            ("Thresholds", thresholds),
            ("Evidence", f"frames {self.applied.evidence}" if rule.evidence else "packets"),
            ("Once per", f"{rule.per}, over all connections" if rule.per else ""),
            ("Again", AGAIN if rule.worsens else _from(rule.worse_from)),
            ("Guilty", rule.guilty),
            *((f"Cause of {each}", cause) for each, cause in rule.causes.items()),
            ("Cause", rule.cause),
            ("Fix", self.fix),
            ("Healthy", rule.healthy),
            ("Example", self.example.text if self.example else ""),
            ("Recorded", self.example.recorded if self.example else ""),
            ("Consequence of", cause_rules),
            ("Source", rule.source),
        ):
            if text:
                yield label, text

    def _on(self, target: str) -> str:
        kind, _, name = target.partition(":")
        if kind == "timer" and name in self._timers:
            return f"{target} ({self._timers[name].limit} after {self._timers[name].on})"
        if kind == "repeat" and name in self._repeats:
            repeat = self._repeats[name]
            return f"{target} ({repeat.limit} times {repeat.on} within {repeat.window})"
        if target in self._behaviours:
            return f"{target} ({self._behaviours[target].words})"
        return target


def page(protocol: Protocol) -> str:
    """Return all rules of a protocol as Markdown."""
    order = {each.id: number for number, each in reversed([*enumerate(protocol.rules)])}
    rules = sorted(protocol.rules, key=lambda each: order[each.id])
    python = [each for each in rules if each.predicate is not None]
    ids, many = len(order), counted(len(rules), "row")
    counts = ", ".join(
        counted(number, each.value)
        for each in reversed(Severity)
        if (number := sum(rule.severity is each for rule in rules))
    )
    lines = [
        "<!-- Written by python -m streamshark.views.manual.write -->",
        "",
        f"# Findings: {protocol.title}",
        "",
        f"What `streamshark check` looks for: {counted(ids, 'rule')} in {many} ({counts}).",
        f"{_python(len(python), len(rules))}",
        PRINCIPLE,
        "Thresholds can be changed, rules silenced and added: [checking captures](../checking.md).",
        *_requirements(protocol),
        "",
        *table(
            ["id", "severity", "group", "what"],
            [[f"[{r.id}](#{_anchor(r)})", r.severity.value, r.group.value, r.title] for r in rules],
        ),
        "",
    ]
    constants = _named(protocol, Constant)
    if constants:
        rows = [[f"`{each.name}`", _value(each), each.doc] for each in constants.values()]
        lines += ["## Thresholds", "", *table(["name", "value", "meaning"], rows), ""]
    for number, rule in enumerate(rules):
        if not number or rules[number - 1].id != rule.id:
            lines += [f"## {rule.id}", ""]
        lines += [f"**{rule.title}** ({rule.severity.value}, {rule.group.value})", ""]
        lines += [
            f"- {label}: {_code(label, text)}"
            for label, text in RuleText(protocol, rule).parts()
            if label not in RECORDED
        ]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def listed(protocols: Iterable[Protocol], width: int = 0) -> list[str]:
    """Return the lines of a table of all rules, each once; titles are wrapped at `width`."""
    rows = dict.fromkeys(
        (rule.id, rule.severity.value, rule.group.value, rule.title)
        for protocol in protocols
        for rule in protocol.rules
    )
    lines = grid(["rule", "severity", "group", "what"], [*map(list, rows)])
    if not width:
        return lines
    indent = " " * lines[0].index("what") if lines else ""
    wrapped = (
        textwrap.wrap(line, max(width, len(indent) + LEAST_TITLE), subsequent_indent=indent,
                      break_on_hyphens=False)
        for line in lines
    )  # fmt: skip
    return [each for parts in wrapped for each in parts]


def listing(protocols: Iterable[Protocol]) -> list[dict[str, Any]]:
    """Return the rules as JSON."""
    return [
        {
            "rule": rule.id,
            "protocol": protocol.wire.id,
            "severity": rule.severity.value,
            "group": rule.group.value,
            "title": rule.title,
            "on": rule.on,
            "when": rule.when,
            "needs": RuleText(protocol, rule).applied.needs.split(),
            "thresholds": {
                each.name: each.value.hex() if isinstance(each.value, bytes) else each.value
                for each in RuleText(protocol, rule).thresholds
            },
            "cause": rule.cause,
            "fix": RuleText(protocol, rule).fix,
            "causes": {str(each): cause for each, cause in rule.causes.items()},
            "source": rule.source,
            "python": rule.predicate is not None,
        }
        for protocol in protocols
        for rule in protocol.rules
    ]


def explained(protocols: Iterable[Protocol], name: str, width: int = WIDTH) -> str:
    """Return the full description of a rule, or of all rules of a family, as text.

    Raises:
        StreamsharkError: There is no such rule; names a similar one.
    """
    rows = [(protocol, rule) for protocol in protocols for rule in protocol.rules]
    wanted = name.upper()
    found = [
        (protocol, rule) for protocol, rule in rows if wanted in {rule.id.upper(), family(rule.id)}
    ]
    if not found:
        near = difflib.get_close_matches(wanted, [rule.id for _, rule in rows], 1)
        hint = f"did you mean {near[0]}?" if near else "--list-rules lists them"
        raise StreamsharkError(f"unknown rule {name!r}; {hint}")
    return "\n".join(_explained(protocol, rule, width) for protocol, rule in found)


def _explained(protocol: Protocol, rule: Rule, width: int) -> str:
    """Return the description of one row."""
    kind = f"{rule.severity.value}, {rule.group.value}; {protocol.title}"
    lines = [f"{rule.id}  {rule.title}  ({kind})"]
    for label, text in RuleText(protocol, rule).parts():
        first, rest = f"  {label + ':':<11} ", " " * 14
        lines += textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest)
    return "\n".join(lines) + "\n"


def _named(protocol: Protocol, kind: type[Any]) -> dict[str, Any]:
    """Return the tables of one kind, by name."""
    return {each.name: each for each in protocol.conversations if isinstance(each, kind)}


def _value(constant: Constant) -> str:
    """Return the value of a constant, or the size of a table of names."""
    value = constant.value
    return counted(len(value), "name") if isinstance(value, Mapping) else str(value)


def _names(text: str) -> Iterator[str]:
    """Yield the constants that an expression refers to; a duration refers to none."""
    try:
        parsed = _PARSER.condition(text)
    except StreamsharkError:
        return
    yield from (each.name for each in walk(parsed) if isinstance(each, NamedConstant))


def _python(number: int, rules: int) -> str:
    if not number:
        return "All of them are rows of data; none needed Python."
    return f"{rules - number} of them are rows of data, {number} needed Python."


def _requirements(protocol: Protocol) -> Iterator[str]:
    """Yield the lines that lead to the other pages that the protocol has."""
    if protocol.requirements:
        link = f"{protocol.wire.id}_requirements.md"
        yield f"Which rule holds which sentence of the documents: [requirements]({link})."
    if protocol.states:
        link = f"{protocol.wire.id}_states.md"
        yield f"Which rule names what in which state of an object: [states]({link})."
    if protocol.parts:
        link = f"{protocol.wire.id}_parts.md"
        yield f"Which rule names how a part of a program fails: [parts]({link})."


def _anchor(rule: Rule) -> str:
    return rule.id.lower()


def _code(label: str, text: str) -> str:
    return f"`{text}`" if label in ("When", "Thresholds", "Evidence", "Message") else text
