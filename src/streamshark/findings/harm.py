"""Notes that are warnings where the same capture proves that the behaviour harms.

A note says what a peer does, since that may be healthy. A `Harm` is a proof: a condition on the
rows of one or more notes, and what their sentences end with where it holds. A protocol declares its
proofs beside its rules, each once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from streamshark.findings.rule import Rule


class Harm(NamedTuple):
    """What proves that a behaviour harms."""

    rules: Mapping[str, str]
    """Id of a note to that of its warning."""
    when: str
    """Condition, on the rows of the notes."""
    so: str
    """The end of their sentences, with values as in messages."""
    title: str
    """The end of their titles."""
    evidence: str = ""
    """Frames that prove it, besides those of the notes."""

    def applied(self, note: Rule) -> tuple[Rule, Rule]:
        """Return the warning for where harm is proved, and the note for where it is not."""
        first = f"({note.when}) and " if note.when else ""
        warning = replace(
            note,
            id=self.rules[note.id],
            severity=note.severity.worse,
            title=f"{note.title}, {self.title}",
            when=f"{first}({self.when})",
            evidence=", ".join(filter(None, (note.evidence, self.evidence))),
            message=f"{note.message}, so that {self.so}",
            healthy="",
        )
        # A condition about what is unknown does not hold, and neither does its negation.
        return warning, replace(note, when=f"{first}(1 if {self.when} else 0) == 0")


def with_harm(rules: Iterable[Rule], harms: Iterable[Harm]) -> Iterator[Rule]:
    """Yield rules, the warnings of proved harm before their notes."""
    proofs = {note: harm for harm in harms for note in harm.rules}
    for rule in rules:
        harm = proofs.get(rule.id)
        yield from (rule,) if harm is None else harm.applied(rule)
