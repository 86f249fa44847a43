"""Requirements of a protocol's documents, and the rules that hold them.

A row for every sentence that says what a peer must or must not do, or when something is valid:
`docs/findings/<protocol>_requirements.md` is made from them.
"""

from typing import Final

from streamshark.light_dataclass import record

MOST_QUOTED: Final = 140
"""Most characters of a quotation."""


@record
class Requirement:
    """One sentence of a document: either rules hold it, or the wire cannot show it."""

    section: str
    text: str
    """The sentence or its decisive part, as in the document; `...` where words are left out."""
    rules: tuple[str, ...] = ()
    """Ids of rules; an id without its letter means all of its family."""
    why: str = ""
    """Why the wire cannot show a breach, or what shows it that is no rule."""


@record
class Document:
    """The requirements of one document, in its order."""

    title: str
    revision: str
    """Revision or date of the text that was read."""
    requirements: tuple[Requirement, ...]


def held(section: str, text: str, *rules: str) -> Requirement:
    """Return a requirement that rules hold."""
    return Requirement(section, text, rules=rules)


def unseen(section: str, text: str, why: str) -> Requirement:
    """Return a requirement of which frames cannot show a breach, with the reason."""
    return Requirement(section, text, why=why)
