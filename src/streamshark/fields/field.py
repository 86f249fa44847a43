"""A field: one name that outputs and filters use, with what is known of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from streamshark.dissection.row import Row
from streamshark.fields.types import FieldType
from streamshark.light_dataclass import record
from streamshark.schema.words import FieldFacts

ANNOTATION: Final = "annotation"
"""Needs `Row.annotation`, which the conversation engine sets."""
DERIVED: Final = "derived"
"""Needs `Row.derived`, which the conversation engine sets where the value is chosen."""
BODIES: Final = "bodies"
"""Needs the bodies of frames, reassembled ones included, decoded."""


@record(slots=False)
class FieldInfo:
    """One field: its name, type and meaning, over all versions and dialects of a frame."""

    name: str
    """`rmqstream.publish.publisher_id`; of a member of every row one word, such as `time_ns`."""
    protocol: str
    """Id of its protocol; empty for the members of every row."""
    type: FieldType
    """The type of one occurrence."""
    doc: str
    many: bool = False
    """Whether one frame may have several occurrences."""
    facts: FieldFacts = field(default_factory=FieldFacts)
    """Unit, base, role, names and flags of its values, merged over all versions."""
    since: str = ""
    """First release that has it; empty if not recorded."""
    needs: frozenset[str] = frozenset()
    """What a reading must provide beside frames: `ANNOTATION`, `DERIVED`, `BODIES`."""

    @property
    def unit(self) -> str | None:
        """Unit of the number: `bytes`, `ms`; a `time` or `duration` is in ns whatever it says."""
        return self.facts.unit

    @property
    def names(self) -> Mapping[int, str] | None:
        """Number to name, of an enumerated or coded value."""
        return self.facts.names

    @property
    def ranges(self) -> Mapping[tuple[int, int], str] | None:
        """First and last number to the name of all those that have no name of their own."""
        return self.facts.ranges

    @property
    def flags(self) -> Mapping[int, str] | None:
        """Mask to name, of a number whose bits are flags; each flag is a field of its own."""
        return self.facts.flags

    @property
    def secret(self) -> bool:
        """Whether outputs mask its values unless the user asks for secrets."""
        return self.facts.secret

    def joined(self, other: "FieldInfo") -> "FieldInfo":
        """Return this field merged with another declaration of the same name."""
        return replace(
            self,
            type=self.type.joined(other.type),
            many=self.many or other.many,
            facts=joined_facts(self.facts, other.facts),
            needs=self.needs | other.needs,
        )


def joined_facts(one: FieldFacts, other: FieldFacts) -> FieldFacts:
    """Merge the facts of two declarations; the value is secret if either of them is."""
    return replace(
        one,
        unit=one.unit or other.unit,
        role=_roles(one.role, other.role),
        entries=one.entries or other.entries,
        secret=one.secret or other.secret,
        names=_either(one.names, other.names),
        ranges=one.ranges or other.ranges,
        flags=_either(one.flags, other.flags),
    )


def _roles(one: str | None, other: str | None) -> str | None:
    """Return the roles of both declarations."""
    return " ".join(dict.fromkeys(f"{one or ''} {other or ''}".split())) or None


def _either(
    one: Mapping[int, str] | None, other: Mapping[int, str] | None
) -> Mapping[int, str] | None:
    return {**(other or {}), **(one or {})} or None


class ConstantValue(NamedTuple):
    """The one value that a field has in every frame of a decoder."""

    value: Any


@record(slots=False)
class Getter:
    """Gets the raw values of a field from the rows of one decoder.

    Raw values are those of `FieldType.kind`: numbers, text, bytes, dicts; no names, no masks. Where
    an output masks secrets, it gives the getter a masked row.
    """

    expression: str
    """A Python expression over `row` and the names of `scope`.

    Its value is the one occurrence, None where it is absent or null; with `many` a list of all
    occurrences, None among them where one is null. It contains no assignment and no lambda, so it
    may be part of any other expression. Names of the scopes of one `Fields` do not collide.
    """
    scope: Mapping[str, Any] = field(default_factory=dict)
    many: bool = False

    @cached_property
    def get(self) -> Callable[[Row], Any]:
        """The expression as a function of a row."""
        return compiled(self.expression, self.scope)

    @cached_property
    def values(self) -> Callable[[Row], Sequence[Any]]:
        """The function that returns all occurrences in a row, none where there is no value."""
        get = self.get
        if self.many:
            return get
        return lambda row: () if (value := get(row)) is None else (value,)


def compiled(expression: str, scope: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Compile an expression into a function of a row."""
    made: Callable[[Any], Any] = eval(f"lambda row: {expression}", dict(scope))  # noqa: S307 - text of this package
    return made
