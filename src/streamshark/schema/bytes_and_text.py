"""Words for text and bytes: length before them, given elsewhere, fixed, or up to the end."""

from typing import Any, Final, Self

from streamshark.errors import SchemaError
from streamshark.light_dataclass import record
from streamshark.schema.expressions import Expression, IntegerConstant, Reference, expression
from streamshark.schema.numbers import Int
from streamshark.schema.problems import ProblemCode
from streamshark.schema.words import DecodingError, Member, Values, Window, Word


class Rest:
    """Everything up to the end of the frame or region."""

    def __repr__(self) -> str:
        return "REST"


RAW: Final = "none"
"""The codec of bytes that are not packed."""
REST: Final = Rest()
Measure = Int | int | Expression | Rest
"""How long a blob is: a length before it, a number, an expression, or all that is left."""


class Limit(int):
    """The most bytes or items that a field may have, and where that is said."""

    source: str

    def __new__(cls, most: int, source: str) -> Self:
        """Make a limit that is a number too."""
        made = super().__new__(cls, most)
        made.source = source
        return made


ENCODINGS = ("utf-8", "ascii", "mutf-8", "uuid")


@record
class Slot:
    """A place where the bytes of another layer are.

    The schema only names the place; embedded records and formats say which slots they fit. `codec`,
    `size` and `cap` are for compressed bytes: an expression that gives the codec's number, one that
    gives the unpacked length, and the most bytes that are ever unpacked. `count` is an expression
    that says how many items the one list of the record in the slot should have.

    Where something says which type the bytes are (a MIME type), that chooses what reads them:
    `types` are members of the same record, text or numbers with names, of which the first that is
    there says it; else `agreed` names what the connection agreed. `veiled` are the types that may
    hold secrets: until such bytes are decoded, or while the type is unknown, they are not shown.
    """

    name: str
    codec: Expression | None = None
    size: Expression | None = None
    cap: int = 64 * 1024 * 1024
    count: Expression | None = None
    types: tuple[Reference, ...] = ()
    agreed: str | None = None
    veiled: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for reference in self.types:
            if not isinstance(reference, Reference):
                raise SchemaError(f"a type must be in a member, not in {reference!r}")
        for each in (self.codec, self.size, self.count):
            if each is not None:
                expression(each)


class Blob(Word):
    """Text (`encoding` given) or bytes of a measured length.

    With `null`, a length of -1 (a signed length) means null; with `refuses_null` it does too, but
    is a problem: a document allows what peers refuse. `limit` is the most bytes allowed, a
    `Limit` with its source. `encoding` is `utf-8`, `ascii`, `mutf-8` (Java's modified UTF-8, in
    which no character has four bytes) or `uuid` (16 bytes, kept as they are and shown in canonical
    form).
    """

    def __init__(
        self,
        length: Measure,
        *,
        encoding: str | None = None,
        null: bool = False,
        refuses_null: bool = False,
        slot: str | Slot | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__()
        if encoding not in (None, *ENCODINGS):
            raise SchemaError(f"unknown encoding {encoding!r}")
        if (null or refuses_null) and not (isinstance(length, Int) and length.signed):
            raise SchemaError("a null blob needs a signed length before it")
        whole = isinstance(length, (Int, Rest))
        self.length: Int | Expression | Rest = length if whole else expression(length)  # type: ignore[assignment]
        self.encoding = encoding
        self.is_ambiguous = encoding == "mutf-8"
        self.null = null
        self.refuses_null = refuses_null
        self.least = least_of(self.length)
        self.slot = Slot(slot) if isinstance(slot, str) else slot
        self.limit = limit

    @property
    def measured(self) -> Expression | None:
        """The expression that gives the length, if it is elsewhere."""
        return self.length if isinstance(self.length, Expression) else None

    def measure(self, value: Any) -> int:
        """Bytes that `value` takes without a length before it."""
        return len(self.encode(value))

    def _parse(self, stream: Window, context: Any, path: str) -> Any:
        start = stream.at
        if isinstance(self.length, Rest):
            count = stream.left
        elif isinstance(self.length, Int):
            count = self.length._parse(stream, context, path)
            if count == -1 and self.null:
                return None
            if count == -1 and self.refuses_null:
                raise DecodingError(ProblemCode.NULL, start, path)
        else:
            count = self.length(context)
        if count < 0:
            raise DecodingError(ProblemCode.NEGATIVE, start, path)
        if self.limit is not None and count > self.limit:
            raise DecodingError(ProblemCode.LIMIT, start, path)
        start = stream.at
        data = stream.take(count, path)
        try:
            return self._decode(data)
        except UnicodeDecodeError:
            raise DecodingError(ProblemCode.TEXT, start, path) from None

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        if obj is None and self.null:
            self.length._build(-1, stream, context, path)  # type: ignore[union-attr]
            return obj
        data = self.encode(obj)
        if isinstance(self.length, Int):
            self.length._build(len(data), stream, context, path)
        stream.write(data)
        return obj

    def _decode(self, data: bytes) -> Any:
        if self.encoding in (None, "uuid"):
            return data
        return _modified(data) if self.encoding == "mutf-8" else data.decode(str(self.encoding))

    def encode(self, value: Any) -> bytes:
        """Return a value as bytes, without its length."""
        if not isinstance(value, str):
            return bytes(value)
        if self.encoding != "mutf-8":
            return value.encode(str(self.encoding))
        units = value.encode("utf-16-be", "surrogatepass")
        codes = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
        return b"".join(
            b"\xc0\x80" if code == 0 else chr(code).encode("utf-8", "surrogatepass")
            for code in codes
        )


def least_of(length: Int | Expression | Rest) -> int:
    """Fewest bytes of what has this length: its prefix, or its constant size."""
    if isinstance(length, Int):
        return length.size
    return length.value if isinstance(length, IntegerConstant) else 0


def _modified(data: bytes) -> str:
    """Decode modified UTF-8 unit by unit (JVM specification 4.4.7)."""
    units: list[int] = []
    at = 0
    while at < len(data):
        if data[at] >= 0xF0:  # noqa: PLR2004 - where four bytes begin
            raise UnicodeDecodeError("mutf-8", data, at, at + 1, "four bytes for a character")
        size = 1 + (data[at] >= 0xC0) + (data[at] >= 0xE0)  # noqa: PLR2004
        piece = data[at : at + size]
        if piece == b"\xc0\x80":
            units.append(0)
        else:
            text = piece.decode("utf-8", "surrogatepass").encode("utf-16-be", "surrogatepass")
            units += [int.from_bytes(text[i : i + 2], "big") for i in range(0, len(text), 2)]
        at += size
    return b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be")


def text(
    length: Measure,
    *,
    encoding: str = "utf-8",
    null: bool = False,
    refuses_null: bool = False,
    limit: int | None = None,
    slot: str | None = None,
) -> Blob:
    """Text of a measured length in bytes."""
    return Blob(
        length, encoding=encoding, null=null, refuses_null=refuses_null, limit=limit, slot=slot
    )


def raw(
    length: Measure,
    *,
    null: bool = False,
    refuses_null: bool = False,
    limit: int | None = None,
    slot: str | Slot | None = None,
) -> Blob:
    """Bytes of a measured length."""
    return Blob(length, null=null, refuses_null=refuses_null, limit=limit, slot=slot)


UUID: Final = Blob(16, encoding="uuid")
"""16 bytes, shown as a canonical UUID."""


class Literal(Member):
    """Fixed bytes: a magic number, a line's end. They have no name and no value."""

    def __init__(self, data: bytes, sentence: str) -> None:
        super().__init__()
        self.data = data
        self.least = len(data)
        self.sentence = sentence

    def into(self, stream: Window, scope: Values, path: str, out: Values) -> None:  # noqa: ARG002
        """Compare: other bytes raise `DecodingError(LITERAL)`, missing ones `SHORT`."""
        start = stream.at
        if stream.take(len(self.data), path) != self.data:
            raise DecodingError(ProblemCode.LITERAL, start, path)

    def outof(self, values: Values, stream: Any, scope: Values, path: str) -> None:  # noqa: ARG002
        """Write them."""
        stream.write(self.data)
