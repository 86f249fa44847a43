"""Notes that are warnings where the same capture proves that the behaviour harms.

A note says what a peer does, since that may be healthy. A `Harm` is a proof, declared once and
shared by rules: a condition on the rows of the note, and what the sentence then ends with.
"""

from dataclasses import replace
from typing import NamedTuple

from streamshark.findings.rule import Rule


class Harm(NamedTuple):
    """What proves that a behaviour harms."""

    when: str
    """Condition, on the rows of the note."""
    so: str
    """The end of the sentence, with values as in messages: "the requests time out"."""
    title: str
    """The end of the title."""
    evidence: str = ""
    """Frames that prove it, besides those of the note."""


def with_harm(note: Rule, rule_id: str, harm: Harm) -> tuple[Rule, Rule]:
    """Return the warning for where harm is proved, and the note for where it is not."""
    both = f"({note.when}) and ({harm.when})" if note.when else harm.when
    neither = f"({note.when}) and not ({harm.when})" if note.when else f"not ({harm.when})"
    warning = replace(
        note,
        id=rule_id,
        severity=note.severity.worse,
        title=f"{note.title}, {harm.title}",
        when=both,
        evidence=", ".join(filter(None, (note.evidence, harm.evidence))),
        message=f"{note.message}, so that {harm.so}",
        healthy="",
    )
    return warning, replace(note, when=neither)
