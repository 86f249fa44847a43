"""Changes of the rules by users: a TOML text.

```toml
[thresholds.rabbitmq_stream]   # constants of a protocol's tables, by name
STARVED = "5 s"

[severity]
RMQ-P2 = "chat"

[silence]                      # with the reason, repeated in reports
RMQ-M8 = "our deployment declares streams at every start"

[[rule]]                       # the members of `Rule`, in the language of the tables
id = "SHOP-1"
protocol = "rabbitmq_stream"
severity = "warning"
title = "Stream without a prefix"
on = "create"
when = 'not starts(stream, "shop.")'
message = "stream {stream} has no prefix"
```

Nothing here reads files. Errors name the place; conditions are parsed by the engine, as those of
the protocols are. The id of a rule with several meanings selects all of them: `NATS-N2` is also
`NATS-N2b`.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from streamshark.conversations.tables import Constant
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule, family, selected

_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")
_SECTIONS = ("thresholds", "severity", "silence", "rule")
_NEEDED = ("id", "protocol", "severity", "title", "on", "message")
_TEXTS = (
    "on", "when", "needs", "of", "per", "evidence", "title", "message", "cause", "source",
    "echo_of", "guilty",
)  # fmt: skip
"""Members of a rule that are used unchanged."""
NEEDS = frozenset({"start", "whole", "both", "object", "since", "all"})


@dataclass(frozen=True, slots=True)
class UserRule:
    """A user's rule and its protocol."""

    protocol: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class UserRules:
    """Contents of the user's TOML text; empty without one."""

    thresholds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Protocol to constant to value."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule id to severity."""
    silenced: Mapping[str, str] = field(default_factory=dict)
    """Rule id to the reason why its findings are omitted."""
    rules: tuple[UserRule, ...] = ()

    def tables(self, protocol: str, tables: Sequence[Any]) -> tuple[Any, ...]:
        """Return a protocol's tables with the user's thresholds."""
        chosen = self.thresholds.get(protocol, {})
        return tuple(
            replace(each, value=chosen[each.name])
            if isinstance(each, Constant) and each.name in chosen
            else each
            for each in tables
        )

    def rules_of(self, protocol: str, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """Return a protocol's rules with the user's severities, then the user's own rules."""
        own = (each.rule for each in self.rules if each.protocol == protocol)
        return tuple(
            replace(each, severity=self.severities[each.id]) if each.id in self.severities else each
            for each in (*rules, *own)
        )


def read(
    text: str, known: Mapping[str, Iterable[str]], constants: Mapping[str, Iterable[str]]
) -> UserRules:
    """Parse the user's TOML text.

    Args:
        text: TOML.
        known: Protocol id to the ids of its rules.
        constants: Protocol id to the names of its constants.

    Raises:
        StreamsharkError: It is not TOML, or has an unknown name or invalid value.
    """
    import tomllib  # noqa: PLC0415 - few have rules of their own

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StreamsharkError(f"invalid TOML: {error}") from None
    _only(document, _SECTIONS, "")
    thresholds = _thresholds(_table(document, "thresholds"), constants)
    own = document.get("rule", [])
    if not isinstance(own, list):
        raise StreamsharkError("your own rules must be [[rule]] tables, in double brackets")
    ids = {each for rules in known.values() for each in rules}
    rules = tuple(_rule(each, number, known, ids) for number, each in enumerate(own, 1))
    ids |= {each.rule.id for each in rules}
    severities: dict[str, Severity] = {}
    for name, value in _by_rule(document, "severity", ids):
        known_value = _one_of(value, [each.value for each in Severity], f"severity.{name}")
        severities |= dict.fromkeys(selected(name, ids), Severity(known_value))
    silenced: dict[str, str] = {}
    for name, reason in _by_rule(document, "silence", ids):
        if not isinstance(reason, str) or not reason.strip():
            raise StreamsharkError(f"silence.{name} must state the reason, as text")
        silenced |= dict.fromkeys(selected(name, ids), reason.strip())
    return UserRules(thresholds, severities, silenced, rules)


def _thresholds(
    document: Mapping[str, Any], constants: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for protocol, values in document.items():
        where = f"thresholds.{protocol}"
        known = list(constants[_one_of(protocol, constants, "thresholds")])
        if not isinstance(values, dict):
            raise StreamsharkError(f"{where} must be a table of names and values")
        for name, value in values.items():
            _one_of(name, known, where)
            if not isinstance(value, (int, str, list)):
                raise StreamsharkError(f"{where}.{name} must be a number, text or list")
            chosen = tuple(value) if isinstance(value, list) else value
            out.setdefault(protocol, {})[name] = chosen
    return out


def _rule(document: Any, number: int, known: Mapping[str, Any], ids: Iterable[str]) -> UserRule:  # noqa: ANN401 - any TOML
    where = f"rule {number}"
    if not isinstance(document, dict):
        raise StreamsharkError(f"{where} must be a table")
    _only(document, (*_TEXTS, "id", "protocol", "severity", "group"), where)
    for name, value in document.items():
        if not isinstance(value, str):
            raise StreamsharkError(f"{where}: {name} must be text")
    missing = [name for name in _NEEDED if not document.get(name, "").strip()]
    if missing:
        raise StreamsharkError(f"{where} lacks {', '.join(missing)}")
    where = f"rule {document['id']}"
    if not _ID.fullmatch(document["id"]) or document["id"] in ids:
        raise StreamsharkError(f"{where}: the id must be unique, such as SHOP-1")
    for need in document.get("needs", "").split():
        _one_of(need, NEEDS, f"{where}: needs")
    texts = {name: document[name] for name in _TEXTS if name in document}
    rule = Rule(
        id=document["id"],
        severity=Severity(_one_of(document["severity"], [each.value for each in Severity], where)),
        group=Group(
            _one_of(document.get("group", "protocol"), [each.value for each in Group], where)
        ),
        **{"needs": "", "cause": "", "source": "a user's rule", **texts},
    )
    return UserRule(_one_of(document["protocol"], known, where), rule)


def _by_rule(
    document: Mapping[str, Any], section: str, ids: Iterable[str]
) -> Iterator[tuple[str, Any]]:
    """Yield rule id and value of a section, the ids of families before those with letters."""
    known = {*ids, *map(family, ids)}
    for name, value in sorted(_table(document, section).items()):
        yield _one_of(name, known, section), value


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise StreamsharkError(f"{name} must be a table")
    return table


def _only(document: Iterable[str], known: Sequence[str], where: str) -> None:
    for name in document:
        _one_of(name, known, where)


def _one_of(value: Any, known: Iterable[str], where: str) -> str:  # noqa: ANN401 - any TOML
    """Return the value if it is known; else raise an error that suggests the nearest."""
    names = sorted(known)
    if isinstance(value, str) and value in names:
        return value
    near = difflib.get_close_matches(str(value), names, 1)
    few = ", ".join(names) if len(names) <= 8 else ""  # noqa: PLR2004 - what fits a line
    hint = f" (known: {few})" if few else f"; did you mean {near[0]}?" if near else ""
    raise StreamsharkError(f"{where}{': ' if where else ''}unknown name {value!r}{hint}")
