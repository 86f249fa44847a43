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
        """Return the note for where no harm is proved, and the warning for where it is."""
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
        return replace(note, when=f"{first}(1 if {self.when} else 0) == 0"), warning


def with_harm(rules: Iterable[Rule], harms: Iterable[Harm]) -> Iterator[Rule]:
    """Yield rules, and after them the warnings of proved harm."""
    proofs = {note: harm for harm in harms for note in harm.rules}
    warnings = []
    for rule in rules:
        if rule.id in proofs:
            note, warning = proofs[rule.id].applied(rule)
            warnings.append(warning)
            yield note
        else:
            yield rule
    yield from warnings
