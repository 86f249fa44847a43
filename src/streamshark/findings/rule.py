"""Rules: a condition of the engine, and the finding to report when it holds."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from streamshark.conversations.tables import Watch
from streamshark.findings.finding import Group, Severity
from streamshark.light_dataclass import record

_LETTER = re.compile(r"(?<=\d)[a-z]$")
"""The letter of a rule's later meanings."""


def family(rule_id: str) -> str:
    """Return the id that selects all meanings of a rule: `RMQ-C3` for `RMQ-C3b`."""
    return _LETTER.sub("", rule_id)


def selected(name: str, rule_ids: Iterable[str]) -> list[str]:
    """Return the ids that a name selects: that very id, or all ids of the family."""
    return [each for each in rule_ids if name in {each, family(each)}]


def field_names(rule_ids: Iterable[str]) -> list[str]:
    """Return the names of rules in fields, `rmq_c3b`; a second rule of an id gets a number."""
    taken: dict[str, None] = {}
    for each in rule_ids:
        name = free = each.lower().replace("-", "_")
        number = 2
        while free in taken:
            free, number = f"{name}_{number}", number + 1
        taken[free] = None
    return list(taken)


@record(kw_only=True)
class Rule(Watch):
    """A fault, its severity, and its usual cause."""

    id: str
    """Id: `RMQ-C3`; never reused for another rule. A letter at its end, as in `RMQ-C3b`, marks one
    more meaning of the rule; the id without it selects all of them (`family`)."""
    severity: Severity
    group: Group
    title: str
    """A short noun phrase; that of no other rule."""
    message: str
    """A sentence with the values of the match: text in braces is a value, `{sub.balance}`; a suffix
    `:name` renders a code's name, `:time` a time in ns as text."""
    cause: str
    """The usual mistake of a client; empty if there is none, or the frames do not show which."""
    source: str
    """Public: document and section, or repository, tag, file and function."""
    by: str = ""
    """A value that selects the cause from `causes`; `cause` is for all other values."""
    causes: Mapping[Any, str] = field(default_factory=dict, hash=False)
    """Value of `by` to its cause."""
    healthy: str = ""
    """When the rule matches although no peer is at fault."""
    echo_of: str = ""
    """Ids of rules, or `error`: a finding of this rule is attached, as a consequence, to a finding
    of theirs on the same connection."""
    guilty: str = ""
    """`client` or `server` if the rule says who is at fault."""
    worsens: bool = False
    """Whether the severity is one step higher if the rule matches one object, or one value of
    `per`, repeatedly (`draft.REPEATED`): an action that a client has to repeat makes it wait."""
    worse_from: int = 0
    """The number of matches, at any times, from which the severity is one step higher; 0 if their
    number does not matter. A failure that comes once, and is handled, is a note."""
    is_general: bool = False
    """Whether it counts only if no other rule has matched its row."""

    @property
    def all_causes(self) -> tuple[str, ...]:
        """The causes of all values of `by`, then `cause`."""
        return tuple(dict.fromkeys(filter(None, (*self.causes.values(), self.cause))))
