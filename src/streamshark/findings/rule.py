"""Rules: a condition of the engine, and the finding to report when it holds."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from streamshark.conversations.tables import Watch
from streamshark.findings.finding import Group, Severity
from streamshark.light_dataclass import record


@record(kw_only=True)
class Rule(Watch):
    """A fault, its severity, and its usual cause."""

    id: str
    """Id: `RMQ-C3`; never reused for another rule."""
    severity: Severity
    group: Group
    title: str
    """A few words for lists."""
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
    """Ids of rules, or `error`: a finding of this rule is attached, as an echo, to a finding of
    theirs on the same connection."""
    guilty: str = ""
    """`client` or `server` if the rule says who is at fault."""
    worsens: bool = False
    """Whether the severity is one step higher if the rule matches one object, or one value of
    `per`, repeatedly (`draft.REPEATED`): an action that a client has to repeat makes it wait."""
    is_general: bool = False
    """Whether it counts only if no other rule has matched its row."""

    @property
    def all_causes(self) -> tuple[str, ...]:
        """The causes of all values of `by`, then `cause`."""
        return tuple(dict.fromkeys(filter(None, (*self.causes.values(), self.cause))))
