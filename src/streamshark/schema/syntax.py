"""A protocol's own words in names, texts and bodies: what a redaction keeps of them."""

import re
from collections.abc import Mapping
from dataclasses import field

from streamshark.light_dataclass import record


@record
class Syntax:
    """The words of one protocol; a protocol's folder declares them."""

    names: re.Pattern[str] | None = None
    """Matches what stays in names; of a match with groups these alone stay."""
    words: frozenset[str] = frozenset()
    """Words in sentences for people, in lower case."""
    control: re.Pattern[bytes] | None = None
    """Matches in frames whose bodies of JSON are the protocol's own: their numbers stay."""
    control_slots: frozenset[str] = frozenset()
    """Slots whose bodies are always the protocol's own."""
    members: frozenset[str] = frozenset()
    """Names of members of that JSON, and values that the protocol defines."""
    bodies: re.Pattern[bytes] | None = None
    """Matches what stays at the start of a body."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Name of a header, a parameter or an entry of a map, in lower case, to the role of its value;
    one that ends with `*` is of all names that begin so."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(word_set("a b"))
    ['a', 'b']
    """
    return frozenset(text.split())
