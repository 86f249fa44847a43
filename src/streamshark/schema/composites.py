"""Words that hold other words: records, lists, conditions, unions and regions."""

import io
import zlib
from collections.abc import Mapping
from typing import Any, Final

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.bytes_and_text import Measure, Rest, least_of
from streamshark.schema.construct_import import construct
from streamshark.schema.expressions import Expression, Reference, expression
from streamshark.schema.numbers import Int
from streamshark.schema.problems import ProblemCode
from streamshark.schema.words import (
    SPELLING,
    DecodingError,
    Field,
    Member,
    Values,
    Window,
    Word,
    fill,
    members,
    prepare_all,
    read_all,
    spelling_of,
    write_all,
)


class Record(Word):
    """Named members in wire order; a scope of its own for `this`."""

    def __init__(self, *parts: Member) -> None:
        super().__init__()
        self.members = members(parts, "a record")
        self.least = sum(each.least for each in self.members)

    def _parse(self, stream: Window, context: Any, path: str) -> Values:
        out: Values = {}
        read_all(self.members, stream, construct.Container(_=context), path, out)
        return out

    def prepare(self, value: Values, scope: Values) -> None:
        """Fill in what is in the record around this one and measures something inside."""
        prepare_all(self.members, dict(value), construct.Container(value, _=scope))

    def _build(self, obj: Values, stream: Any, context: Any, path: str) -> Values:
        values = dict(obj)
        write_all(self.members, values, stream, construct.Container(values, _=context), path)
        return obj


class Many(Word):
    """A list of one word.

    `count` (a number before the items, or an expression) says how many there are. With `claim`
    the number before the items is only a claim: items are read to the end of the region, and a
    different number is a problem. With neither, items fill the region. `limit` is the most items
    allowed, a `Limit` with its source.
    """

    def __init__(
        self,
        item: Word,
        *,
        count: Int | Expression | None = None,
        claim: Int | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(item, Word):
            raise SchemaError(f"a list holds a value word, not {item!r}")
        if count is not None and claim is not None:
            raise SchemaError("a list is counted or claimed, not both")
        if claim is not None and not isinstance(claim, Int):
            raise SchemaError("a claimed count is a number before the items")
        self.item = item
        prefix = claim or count
        self.least = prefix.size if isinstance(prefix, Int) else 0
        self.count = count if count is None or isinstance(count, Int) else expression(count)
        self.claim = claim
        self.limit = limit

    @property
    def measured(self) -> Expression | None:
        """The expression that gives the count, if it is elsewhere."""
        return self.count if isinstance(self.count, Expression) else None

    def measure(self, value: list[Any]) -> int:
        """Return the number of items."""
        return len(value)

    def _parse(self, stream: Window, context: Any, path: str) -> list[Any]:
        start = stream.at
        prefix = self.claim or self.count
        wanted = None
        if isinstance(prefix, Int):
            wanted = prefix._parse(stream, context, path)
        elif prefix is not None:
            wanted = int(prefix(context))
        if wanted is not None and wanted < 0:
            raise DecodingError(ProblemCode.NEGATIVE, start, path)
        out: list[Any] = []
        while (len(out) < wanted) if wanted is not None and not self.claim else stream.left:
            at = stream.at
            value = self.item._parse(stream, context, f"{path}[{len(out)}]")
            stream.note(at, value)
            out.append(value)
        if self.claim and len(out) != wanted:
            raise DecodingError(ProblemCode.COUNT, start, path)
        if self.limit is not None and len(out) > self.limit:
            raise DecodingError(ProblemCode.LIMIT, start, path)
        return out

    def _build(self, obj: list[Any], stream: Any, context: Any, path: str) -> list[Any]:
        prefix = self.claim or self.count
        if isinstance(prefix, Int):
            prefix._build(len(obj), stream, context, path)
        for index, item in enumerate(obj):
            self.item._build(item, stream, context, f"{path}[{index}]")
        return obj


class When(Member):
    """Members that are there only if a condition over earlier fields holds."""

    def __init__(self, condition: Expression, *parts: Member) -> None:
        super().__init__()
        self.condition = expression(condition)
        self.members = members(parts, "When")

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the members if the condition holds."""
        if self.condition(scope):
            read_all(self.members, stream, scope, path, out)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the members if the condition holds."""
        if self.condition(scope):
            write_all(self.members, values, stream, scope, path)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in what the members need, whether or not they are there."""
        prepare_all(self.members, values, scope)


class Tail(Member):
    """A member that is there only while at least `need` bytes of the region are left.

    `need` is the smallest size of the member unless given. Several in a row are tested one by one.
    `default` is what its absence means: a fact for the docs, never a value in the output.
    """

    def __init__(self, part: Field, *, need: int | None = None, default: object = None) -> None:
        super().__init__()
        if not isinstance(part, Field):
            raise SchemaError(f"a tail is a field, not {part!r}")
        self.member = part
        self.need = max(1, part.least) if need is None else need
        self.default = default

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the member if enough bytes are left."""
        if stream.left >= self.need:
            read_all((self.member,), stream, scope, path, out)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the member if there is a value."""
        if self.member.field_name in values:
            write_all((self.member,), values, stream, scope, path)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in what the member needs."""
        self.member.prepare(values, scope)


class Either(Member):
    """A union chosen by the top bit of the next byte, which is read again by the arm."""

    def __init__(self, *, clear: tuple[Member, ...], set: tuple[Member, ...]) -> None:  # noqa: A002
        super().__init__()
        self.clear = members(clear, "Either")
        self.set = members(set, "Either")
        self.least = max(1, min(_sum(self.clear), _sum(self.set)))

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Look at the next byte, read that arm."""
        first = stream.take(1, path)[0]
        stream.at -= 1
        read_all(self.set if first & 0x80 else self.clear, stream, scope, path, out)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the arm whose own names are in `values`."""
        write_all(self._arm(values), values, stream, scope, path)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in what the arm needs."""
        prepare_all(self._arm(values), values, scope)

    def _arm(self, values: Values) -> tuple[Member, ...]:
        own = names_of(self.set) - names_of(self.clear)
        return self.set if own & values.keys() else self.clear


FORM: Final = "form"
"""Under it, values that are to be built may say which arm of a `Fits` is meant."""


class Fits(Member):
    """A union of layouts distinguished only by size: the first arm that uses up the region.

    Neither the bytes nor the values name the arm. The encoder takes the first of the arms whose
    members fit the values best, or the one in `FORM`.
    """

    def __init__(self, **arms: tuple[Member, ...]) -> None:
        super().__init__()
        self.arms = {name: members(parts, name) for name, parts in arms.items()}
        self.least = min(_sum(parts) for parts in self.arms.values())

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Try the arms in their order."""
        start, end, found, depth = stream.at, stream.end, len(stream.found), len(stream.path)
        for name, parts in self.arms.items():
            tried: Values = {}
            inner = construct.Container(scope)
            try:
                read_all(parts, stream, inner, path, tried)
            except DecodingError:
                tried.clear()
            else:
                if not stream.left:
                    kept = out.get(SPELLING, {}) | tried.pop(SPELLING, {})
                    out.update(tried)
                    scope.update(tried)
                    if stream.keeps:
                        out[SPELLING] = kept | {self: name}
                    return
            stream.at, stream.end = start, end
            del stream.found[found:], stream.path[depth:]
        raise DecodingError(ProblemCode.NO_FIT, start, path)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write an arm."""
        write_all(self._arm(values), values, stream, scope, path)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in what the arm needs."""
        prepare_all(self._arm(values), values, scope)

    def _arm(self, values: Values) -> tuple[Member, ...]:
        form = values.get(FORM, spelling_of(values, self))
        if form is not None:
            return self.arms[form]

        def nearness(arm: tuple[Member, ...]) -> int:
            names = names_of(arm)
            return len(names & values.keys()) - len(names - values.keys())

        return max(self.arms.values(), key=nearness)


class Switch(Member):
    """A union chosen by the value of an earlier field; a value without a case takes `default`.

    Where there is no default, such a value is a problem and has no members.
    """

    def __init__(
        self,
        on: Expression,
        cases: Mapping[int, tuple[Member, ...]],
        *,
        default: tuple[Member, ...] | None,
    ) -> None:
        super().__init__()
        self.on = expression(on)
        self.cases = {int(key): members(parts, "Switch") for key, parts in cases.items()}
        self.default = None if default is None else members(default, "Switch")
        self.least = min(_sum(parts) for parts in (*self.cases.values(), self.default or ()))

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Read the case's members."""
        if self.default is None and self.on(scope) not in self.cases:
            raise DecodingError(ProblemCode.VALUE, stream.at, path)
        read_all(self._arm(scope), stream, scope, path, out)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the case's members."""
        write_all(self._arm(scope), values, stream, scope, path)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in what the case needs."""
        prepare_all(self._arm(scope), values, scope)

    def _arm(self, scope: Values) -> tuple[Member, ...]:
        return self.cases.get(self.on(scope), self.default or ())


@record
class Checksum:
    """A sum over a region's bytes that must equal an earlier field."""

    kind: str
    """`crc32` (IEEE 802.3, zlib's) or `crc32c` (Castagnoli)."""
    field: Reference
    when: Expression | None = None
    """The sum is only there if this holds."""


def crc32(expected: Reference, *, when: Expression | None = None) -> Checksum:
    """CRC-32 (IEEE 802.3) over the region equals `expected`."""
    return Checksum("crc32", _referred(expected), when)


def crc32c(expected: Reference, *, when: Expression | None = None) -> Checksum:
    """CRC-32C (Castagnoli) over the region equals `expected`."""
    return Checksum("crc32c", _referred(expected), when)


def _referred(expected: object) -> Reference:
    if not isinstance(expected, Reference):
        raise SchemaError(f"a checksum must be in a field, not in {expected!r}")
    return expected


def checksum(kind: str, data: bytes) -> int:
    """Compute the checksum of the kind that `Checksum.kind` names."""
    if kind == "crc32":
        return zlib.crc32(data)
    import google_crc32c  # noqa: PLC0415 - few protocols need it

    return int(google_crc32c.value(data))


class Region(Member):
    """Members inside a bounded run of bytes that they must use up.

    A problem that stops the decoding stops it only inside the region. `length` is a number before
    it, an expression, or `REST`.
    """

    def __init__(self, length: Measure, *parts: Member, checksum: Checksum | None = None) -> None:
        super().__init__()
        self.length = length if isinstance(length, (Int, Rest)) else expression(length)
        self.least = least_of(self.length)
        self.members = members(parts, "Region")
        self.checksum = checksum

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:
        """Narrow the window, read the members, insist that nothing is left."""
        start = stream.at
        if isinstance(self.length, Int):
            count = self.length._parse(stream, scope, path)
        else:
            count = stream.left if isinstance(self.length, Rest) else int(self.length(scope))
        if count < 0:
            raise DecodingError(ProblemCode.NEGATIVE, start, path)
        if count > stream.left:
            raise DecodingError(ProblemCode.SHORT, stream.at, path)
        outer, stream.end = stream.end, stream.at + count
        if self._summed(scope):
            self._check(stream.data[stream.at : stream.end], stream.at, scope, path)
        read_all(self.members, stream, scope, path, out)
        if stream.left:
            raise DecodingError(ProblemCode.TRAILING, stream.at, path)
        stream.end = outer

    def _summed(self, scope: Values) -> bool:
        """Whether there is a sum to check or to fill in."""
        given = self.checksum
        return given is not None and (given.when is None or bool(given.when(scope) != 0))

    def _check(self, data: bytes, start: int, scope: Values, path: str) -> None:
        given = self.checksum
        if given is not None and checksum(given.kind, data) != given.field(scope):
            raise DecodingError(ProblemCode.CHECKSUM, start, path)

    def _inside(self, values: Values, scope: Values, path: str) -> bytes:
        inner = io.BytesIO()
        write_all(self.members, values, inner, scope, path)
        return inner.getvalue()

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:
        """Write the members, their length before them where it is there."""
        data = self._inside(values, scope, path)
        if isinstance(self.length, Int):
            self.length._build(len(data), stream, scope, path)
        stream.write(data)

    def prepare(self, values: Values, scope: Values) -> None:
        """Fill in the length and the sum that are elsewhere."""
        data = self._inside(values, scope, "")
        if isinstance(self.length, Expression):
            fill(values, scope, self.length, len(data))
        if self.checksum and self._summed(scope):
            fill(values, scope, self.checksum.field, checksum(self.checksum.kind, data))


def _sum(parts: tuple[Member, ...]) -> int:
    return sum(each.least for each in parts)


def names_of(parts: tuple[Member, ...]) -> set[str]:
    """Every name that these members can put into their record."""
    names: set[str] = set()
    for each in parts:
        if isinstance(each, Field):
            names.add(each.field_name)
        elif isinstance(each, Tail):
            names.add(each.member.field_name)
        elif isinstance(each, Either):
            names |= names_of(each.clear) | names_of(each.set)
        elif isinstance(each, (Fits, Switch)):
            arms = each.arms if isinstance(each, Fits) else each.cases
            for arm in arms.values():
                names |= names_of(arm)
        else:
            names |= {name for name in (p.name for p in getattr(each, "parts", ())) if name}
            names |= names_of(getattr(each, "members", ()))
    return names
