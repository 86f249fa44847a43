"""What every word is: two base classes over construct, the window they read, the error they raise.

There are two sorts of word. A *value word* has one value and is inside a `field`; a *member
word* puts named members into the record around it, so that names stay flat. Both are construct
classes, so a schema parses and builds by construct's own interpreter: that interpreter is the
reference that every other reader is compared with. It is strict: the first problem raises
`DecodingError`.

Of construct remain the base class with parse and build, the number formats, the containers and
the error family. Its stock composites are not used: they drop left-over bytes, swallow errors and
cannot be distinguished by a walk.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, Final, NamedTuple

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.construct_import import construct
from streamshark.schema.expressions import Expression, expression, references
from streamshark.schema.problems import ProblemCode

Values = dict[str, Any]
"""The named members of one record."""
SPELLING: Final = "(spelling)"
"""Under it, values may say how they were written, where the same values can be written in several
ways: word to what it needs to write them so again. See `Window.keeps`."""
STORED: Final = "stored"
"""Under it, a spelling has numbers as read, for those that no length, count or sum determines."""


class DecodingError(construct.ConstructError):  # type: ignore[misc]
    """The reference's only error: a problem code and where it occurred."""

    def __init__(self, code: ProblemCode, offset: int, path: str) -> None:
        super().__init__(f"{code.word} at byte {offset}", path=path)
        self.code = code
        self.offset = offset


class ParsedValue(NamedTuple):
    """A named value that the reference read, and the bytes `[start, end)` it is in."""

    path: tuple[str, ...]
    start: int
    end: int
    value: Any


class Window:
    """A construct stream over bytes with an end that a region can narrow."""

    def __init__(
        self, data: bytes, start: int = 0, end: int | None = None, *, keeps: bool = False
    ) -> None:
        self.keeps = keeps
        """Whether values are read with their `SPELLING`."""
        self.data = data
        self.at = start
        self.end = len(data) if end is None else end
        self.found: list[ParsedValue] = []
        self.path: list[str] = []

    def keep(self, out: Values, word: object, spelling: Any) -> None:
        """Put the spelling of a word among the values, if that is wanted."""
        if self.keeps:
            out.setdefault(SPELLING, {})[word] = spelling

    def read(self, count: int) -> bytes:
        """At most `count` bytes, fewer at the end: construct's `stream_read` checks."""
        start = self.at
        self.at = min(start + max(count, 0), self.end)
        return self.data[start : self.at]

    def tell(self) -> int:
        """Offset of the next byte."""
        return self.at

    def note(self, start: int, value: Any) -> None:
        """Keep the range of a value that is no record and no list, under the present path."""
        if not isinstance(value, (dict, list)):
            self.found.append(ParsedValue(tuple(self.path), start, self.at, value))

    @property
    def left(self) -> int:
        """Bytes up to the end of the region."""
        return self.end - self.at

    def take(self, count: int, path: str) -> bytes:
        """Exactly `count` bytes, or `DecodingError(SHORT)`."""
        if count > self.left:
            raise DecodingError(ProblemCode.SHORT, self.at, path)
        return self.read(count)


def spelling_of(values: Values, word: object) -> Any:
    """Return how a word was spelt when these values were read; None if that is not known."""
    return values.get(SPELLING, {}).get(word)


def without_spelling(value: Any) -> Any:
    """Return a value without the spelling of the records in it."""
    match value:
        case dict():
            items = value.items()
            return {name: without_spelling(each) for name, each in items if name != SPELLING}
        case list():
            return [without_spelling(each) for each in value]
        case _:
            return value


def same(one: object, other: object) -> bool:
    """Return whether two values are equal, NaN being equal to itself."""
    return one == other or repr(one) == repr(other)


class Word(construct.Construct):  # type: ignore[misc]
    """A value word: `_parse` gives its value, `_build` writes it."""

    least = 0
    """Fewest bytes it can take."""
    is_ambiguous = False
    """Whether a value can be written in several ways."""

    @property
    def measured(self) -> Expression | None:
        """The expression that gives its length or count, if that is elsewhere."""
        return None

    def measure(self, value: Any) -> int:
        """Bytes or items of a value, to be filled in where `measured` points."""
        raise NotImplementedError

    def prepare(self, value: Any, scope: Values) -> None:
        """Fill in what the value says of members of the record around it."""


class Member(construct.Construct):  # type: ignore[misc]
    """A member word: reads named members into `out`, writes them from `values`.

    `scope` is construct's context: the members so far, and the record around it as `_`.
    """

    least = 0
    """Fewest bytes it can take."""

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the members and put them into `out` and `scope`."""
        raise NotImplementedError

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the members of `values`."""
        raise NotImplementedError

    def prepare(self, values: Values, scope: Values) -> None:
        """Before anything is written: fill in lengths, counts and sums that `values` leaves out."""


@record
class FieldFacts:
    """What is known of a field beside its shape; facts, never behaviour."""

    unit: str | None = None
    """Unit of the number: `bytes`, `ms`, `s`, `messages`, ..."""
    base: str = "dec"
    """How a number is shown in text: `dec` or `hex`."""
    role: str | None = None
    """What the value is for: one of `ROLES`, or several separated by blanks."""
    entries: Mapping[str, str] | None = None
    """Of a map, key to the role of its value."""
    secret: bool = False
    """True where every output masks the value unless the user asks for secrets."""
    names: Mapping[int, str] | None = None
    """Number to name, for an enumerated or coded value."""
    ranges: Mapping[tuple[int, int], str] | None = None
    """First and last number to a name for all of them that have none of their own."""
    flags: Mapping[int, str] | None = None
    """Mask to name, for a number whose bits are flags."""
    boolean: bool = False
    """True for a number that says true or false: 0 is false, anything else true."""
    since: str | None = None
    """The first release that has the field."""

    def name_of(self, value: int) -> str | None:
        """Return the name of a number, or of the range that contains it; None without either."""
        if self.names is not None and (name := self.names.get(value)) is not None:
            return name
        for (first, last), name in (self.ranges or {}).items():
            if first <= value <= last:
                return name
        return None

    def has_role(self, role: str) -> bool:
        """Return whether a role is among those of the value."""
        return self.role is not None and role in self.role.split()

    @property
    def is_coded(self) -> bool:
        """Whether its numbers have names."""
        return self.names is not None or self.ranges is not None


ROLES: Mapping[str, str] = {
    "correlates": "Joins a request and its response.",
    "identifies": "Names an object of the connection: a publisher, a subscription, a message.",
    "counts": "Number of messages or records that follow.",
    "sizes": "Bytes of what follows.",
    "response_code": "How a request ended.",
    "host": "Address or name of a server of the same cluster.",
    "server_host": "Name of the server of this connection.",
    "client_host": "Address of the client of this connection.",
    "port": "TCP port of the server whose host is beside it.",
    "address": "Host and port of a server in one text, perhaps in a URL.",
    "chance": "Differs between two runs of the same client: ids, cookies, tokens, times, offsets.",
    "time": "A point in time, counted in its unit since 1970.",
    "body": "Bytes of the application: what a message carries.",
    "user": "Names a user or an account.",
    "stream": "Names a stream, a segment or a subject.",
    "reference": "Name that a client chose for itself, a publisher or a consumer.",
    "product": "Product, version or platform of a program.",
    "keyword": "A word that the protocol or a standard defines.",
    "text": "A sentence for people.",
}
"""Role of a field to what it says of the value; a field may have several."""


def facts_of(
    name: str,
    *,
    names: type[IntEnum] | Mapping[int, str] | None = None,
    flags: Mapping[int, str] | None = None,
    **rest: Any,
) -> FieldFacts:
    """Check the keyword facts of a field; an IntEnum becomes a mapping to lower-case names."""
    if isinstance(names, type):
        names = {int(member): member.name.lower() for member in names}
    try:
        facts = FieldFacts(names=names, flags=flags, **rest)
    except TypeError:
        raise SchemaError(f"{name}: unknown fact among {sorted(rest)}") from None
    for role in (*(facts.role or "").split(), *(facts.entries or {}).values()):
        if role not in ROLES:
            raise SchemaError(f"{name}: unknown role {role!r}")
    end = None
    for first, last in sorted(facts.ranges or {}):
        if last < first or (end is not None and first <= end):
            raise SchemaError(f"{name}: the ranges at {first} overlap, or one has no number")
        end = last
    return facts


class Field(Member):
    """A named value with a sentence; see `field`."""

    def __init__(
        self, name: str, word: Word, sentence: str, claims: Expression | None, facts: FieldFacts
    ) -> None:
        super().__init__()
        if not isinstance(word, Word):
            raise SchemaError(f"field {name!r}: {word!r} is not a value word")
        if not name.isidentifier() or name != name.lower():
            raise SchemaError(f"field {name!r}: names are snake_case")
        self.field_name = name
        self.word = word
        self.least = word.least
        self.sentence = sentence
        self.claims = None if claims is None else expression(claims)
        self.facts = facts

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the value, note its range."""
        start = stream.at
        stream.path.append(self.field_name)
        value = self.word._parse(stream, scope, f"{path} -> {self.field_name}")
        scope[self.field_name] = out[self.field_name] = value
        if self.word.is_ambiguous:
            stream.keep(out, self, (value, stream.data[start : stream.at]))
        stream.note(start, value)
        stream.path.pop()

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the value; one with `claims` is computed when `values` has none."""
        here = f"{path} -> {self.field_name}"
        if self.field_name not in values and self.claims is not None:
            scope[self.field_name] = values[self.field_name] = self.claims(scope)
        if self.field_name not in values:
            scope[self.field_name] = values[self.field_name] = stored(values, self.field_name, here)
        spelt = spelling_of(values, self) if self.word.is_ambiguous else None
        if spelt is not None and spelt[0] == values[self.field_name]:
            stream.write(spelt[1])
        else:
            self.word._build(values[self.field_name], stream, scope, here)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in the length or count that this field's word refers to."""
        if self.field_name not in values:
            return
        self.word.prepare(values[self.field_name], scope)
        values.update({name: scope[name] for name in scope.keys() - values.keys() - {"_"}})
        if self.word.measured is not None:
            fill(values, scope, self.word.measured, self.word.measure(values[self.field_name]))


def fill(values: Values, scope: Values, measure: Expression, wanted: int) -> None:
    """Set the one member of this record that is missing for `measure` to give `wanted`.

    The expression must grow or fall by one with that member, as lengths and counts do; where two
    members are missing, or none, nothing is set. A member of a record around this one is set in
    its scope; `Field.prepare` of that record takes it from there.
    """
    missing = {(name, up) for name, up in references(measure) if name not in _around(scope, up)}
    if len(missing) != 1:
        return
    name, up = missing.pop()
    own = _around(scope, up)

    def at(given: int) -> int:
        own[name] = given
        found = int(measure(scope))
        del own[name]
        return found

    value = (wanted - at(0)) * (at(1) - at(0))
    if at(value) == wanted:
        own[name] = value
        if up == 0:
            values[name] = value


def stored(values: Values, name: str, path: str) -> Any:
    """Return the value, as it was read, of a member that nothing determines."""
    found = (spelling_of(values, STORED) or {}).get(name)
    if found is None:
        raise construct.ConstructError("no value for this member", path=path)
    return found


def _around(scope: Values, up: int) -> Values:
    """Return the scope of the record `up` levels outward; an empty one outside all."""
    for _ in range(up):
        scope = scope.get("_", {})
    return scope


def field(
    name: str,
    word: Word,
    sentence: str,
    *,
    claims: Expression | None = None,
    **facts: Any,
) -> Field:
    """Declare a named value: its name in snake_case, its word, and a sentence.

    The sentence says meaning and special values, never the type.

    `claims` says that the written number must equal an expression over the record; the bytes are
    trusted, a lie is a problem. Facts by keyword: `unit`, `base`, `role`, `entries`, `secret`,
    `names`, `ranges`, `flags`, `boolean`, `since`.
    """
    return Field(name, word, sentence, claims, facts_of(name, **facts))


def members(given: Iterable[object], where: str) -> tuple[Member, ...]:
    """Return the member words of a record; raise SchemaError for anything else."""
    out = tuple(given)
    for member in out:
        if not isinstance(member, Member):
            raise SchemaError(
                f"{where}: {member!r} is not a member word (a field, When, Bits, ...)"
            )
    return out  # type: ignore[return-value]


def read_all(
    parts: tuple[Member, ...], stream: Window, scope: Values, path: str, out: Values
) -> None:
    """Read members one after the other, then check what their fields claim."""
    for part in parts:
        part.into(stream, scope, path, out)
    for part in parts:
        if isinstance(part, Field) and part.claims is not None:
            expected = part.claims(scope)
            if out[part.field_name] != expected:
                raise DecodingError(ProblemCode.CLAIM, stream.at, f"{path} -> {part.field_name}")


def prepare_all(parts: tuple[Member, ...], values: Values, scope: Values) -> None:
    """Fill in what values leave out, again as long as one filled in helps to find another."""
    known = -1
    while known != len(values):
        known = len(values)
        for part in reversed(parts):
            part.prepare(values, scope)


def write_all(
    parts: tuple[Member, ...], values: Values, stream: Any, scope: Values, path: str
) -> None:
    """Write members one after the other, lengths and counts filled in first."""
    prepare_all(parts, values, scope)
    for part in parts:
        part.outof(values, stream, scope, path)
