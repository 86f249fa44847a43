"""A rule: a condition of the engine, and what is said when it holds."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from streamshark.conversations.tables import Watch
from streamshark.findings.finding import Group, Severity
from streamshark.light_dataclass import record


@record(kw_only=True)
class Rule(Watch):
    """What is wrong, how bad it is, and what usually causes it."""

    id: str
    """`RMQ-C3`; never given to another rule."""
    severity: Severity
    group: Group
    title: str
    """A few words for lists."""
    message: str
    """A sentence with the values seen: text in braces is a value, `{sub.balance}`; `:name` behind
    it gives a code's name, `:time` a time in ns for people."""
    cause: str
    """The usual mistake of a client; empty where there is none, or the frames do not show which."""
    source: str
    """Public: document and section, or repository, tag, file and function."""
    by: str = ""
    """A value whose variants have causes of their own, `causes`; `cause` stands for the rest."""
    causes: Mapping[Any, str] = field(default_factory=dict, hash=False)
    """Variant to its cause."""
    healthy: str = ""
    """When it is seen though nobody errs."""
    echo_of: str = ""
    """Ids of rules, or `error`, whose finding on the same connection this one is an echo of: it is
    then attached to that finding."""
    guilty: str = ""
    """`client` or `server` where the rule says who errs."""
    worsens: bool = False
    """Whether it is one step more severe where it is noticed of one object, or of one value of
    `per`, again and again (`draft.REPEATED`): what a client has to repeat makes it wait."""
    is_general: bool = False
    """Whether it names a problem only where no other rule has found a fault in its row."""

    @property
    def all_causes(self) -> tuple[str, ...]:
        """The causes of all variants, what stands for the rest last."""
        return tuple(dict.fromkeys(filter(None, (*self.causes.values(), self.cause))))
