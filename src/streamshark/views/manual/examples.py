"""Examples of every word: members as an author writes them, and bytes to decode.

`good` bytes are well-formed, `bad` ones are not; bytes are hex, with text in single quotes. The
vocabulary's page shows how they are decoded, and its test ensures that each word is here.
"""

from dataclasses import dataclass
from typing import Any

from streamshark import schema
from streamshark.schema import Member


@dataclass(frozen=True)
class Example:
    """Members that show a word, with well-formed and malformed bytes."""

    code: str
    """Python: member words, separated by commas."""
    good: tuple[str, ...]
    bad: tuple[str, ...] = ()


@dataclass(frozen=True)
class ManualSection:
    """A section of the page: some words and their examples."""

    title: str
    documented: tuple[object, ...]
    """Objects whose docstrings explain the words."""
    examples: tuple[Example, ...]


def members_of(code: str) -> tuple[Member, ...]:
    """Return the member words of an example."""
    names: dict[str, Any] = {name: getattr(schema, name) for name in schema.__all__}
    made: tuple[Member, ...] = eval(f"({code.rstrip().rstrip(',')},)", names)  # noqa: S307 - the examples below
    return made


def data_of(text: str) -> bytes:
    """Parse the bytes of an example: hex, and text in quotes."""
    parts = enumerate(text.split("'"))
    return b"".join(part.encode() if index % 2 else bytes.fromhex(part) for index, part in parts)


VALUES = (
    ManualSection(
        "U8, U16, U24, U32, U64, I8, I16, I32, I64",
        (schema.Int,),
        (
            Example('field("size", U32, "Bytes after it.")', ("00000102",), ("0001",)),
            Example('field("change", I16, "Up or down.")', ("fffe",)),
        ),
    ),
    ManualSection(
        "text, raw, UUID",
        (schema.text, schema.raw, schema.Blob),
        (
            Example(
                'field("name", text(U16), "A name.")',
                ("0003 'abc'",),
                ("0003 'ab'", "0001 ff"),
            ),
            Example(
                'field("name", text(I16, null=True, limit=2), "A name, or null.")',
                ("ffff", "0000"),
                ("0003 'abc'", "fffe"),
            ),
            Example(
                'field("name", text(U16, encoding="mutf-8"), "As Java writes it.")',
                ("0003 'a' c080",),
                ("0001 c0",),
            ),
            Example(
                """\
field("size", U8, "Bytes of the body."),
field("body", raw(this.size), "A body."),
field("rest", raw(REST, slot="body"), "All that is left."),""",
                ("02 00ff 01", "00"),
                ("03 00ff",),
            ),
            Example(
                'field("id", UUID, "Which one.")', ("00112233445566778899aabbccddeeff",), ("00",)
            ),
        ),
    ),
    ManualSection(
        "Many",
        (schema.Many,),
        (
            Example(
                'field("ids", Many(U16, count=U8), "Counted.")',
                ("02 0001 0002", "00"),
                ("02 0001",),
            ),
            Example(
                'field("ids", Many(U16, claim=U8), "Up to the end, whatever the count says.")',
                ("02 0001 0002",),
                ("03 0001 0002",),
            ),
            Example('field("ids", Many(U8, limit=2), "Up to the end.")', ("0102",), ("010203",)),
        ),
    ),
    ManualSection(
        "Record",
        (schema.Record,),
        (
            Example(
                """\
field(
    "range",
    Record(field("low", U8, "From here."), field("high", U8, "To here.")),
    "A range.",
),""",
                ("0109",),
                ("01",),
            ),
            Example(
                """\
field(
    "pairs",
    Many(
        Record(field("key", text(U8), "Its name."), field("value", U8, "Its value.")),
        count=U8,
    ),
    "A map: keys may come twice, and their order counts.",
),""",
                ("01 01 'a' 07",),
                ("02 01 'a' 07 02 'b'",),
            ),
        ),
    ),
)
"""Words that are used inside a `field` and have one value."""

MEMBERS = (
    ManualSection(
        "field",
        (schema.field,),
        (
            Example(
                'field("code", U8, "How it ended.", names={1: "ok"}, role="response_code")',
                ("01", "09"),
            ),
            Example(
                """\
field("count", U8, "Items.", claims=len_(this.items)),
field("items", Many(U8), "The items."),""",
                ("02 0506",),
                ("03 0506",),
            ),
            Example(
                """\
field("total", U8, "Of all items.", claims=sum_(this.items, "weight", absent=1)),
field("items", Many(Record(Either(
    clear=(field("one", U8, "Counts 1."),),
    set=(field("many", U8, "Several."), field("weight", U8, "How many.")),
))), "Items."),""",
                ("06 05 8005",),
                ("05 05 8005",),
            ),
        ),
    ),
    ManualSection(
        "Bits, part, reserved",
        (schema.Bits, schema.part, schema.reserved),
        (
            Example(
                """\
Bits(
    2,
    part("type", 6, "Which kind."),
    reserved(9),
    part("last", 1, "Set on the last one.", boolean=True),
),""",
                ("0401",),
                ("04",),
            ),
        ),
    ),
    ManualSection(
        "Literal",
        (schema.Literal,),
        (
            Example(
                'Literal(b"OK", "A magic word."), field("code", U8, "A code.")',
                ("'OK' 01",),
                ("'KO' 01", "'O'"),
            ),
        ),
    ),
    ManualSection(
        "When",
        (schema.When,),
        (
            Example(
                """\
field("flags", U8, "Bits.", flags={1: "extra", 2: "more"}),
When(this.flags & 1, field("extra", U8, "There with its flag.")),""",
                ("01 07", "00"),
                ("01",),
            ),
            Example(
                """\
field("kind", U8, "Which kind."),
When(any_of(this.kind, 1, 2), field("extra", U8, "Of kinds 1 and 2.")),""",
                ("01 07", "03"),
                ("03 07",),
            ),
        ),
    ),
    ManualSection(
        "Tail",
        (schema.Tail,),
        (
            Example(
                """\
field("id", U8, "Always there."),
Tail(field("late", U16, "In later releases."), default=0),""",
                ("01 0007", "01"),
                ("01 00",),
            ),
        ),
    ),
    ManualSection(
        "Either",
        (schema.Either,),
        (
            Example(
                """\
Either(
    clear=(field("short", U8, "Below 128."),),
    set=(Bits(2, reserved(1), part("long", 15, "128 or more.")),),
),""",
                ("07", "8100"),
                ("", "81"),
            ),
        ),
    ),
    ManualSection(
        "Switch",
        (schema.Switch,),
        (
            Example(
                """\
field("kind", U8, "Which kind."),
Switch(
    this.kind,
    {1: (field("number", U16, "A number."),)},
    default=(field("other", raw(REST), "Of a kind that is not known."),),
),""",
                ("01 0102", "02 ff"),
                ("01 01",),
            ),
        ),
    ),
    ManualSection(
        "Fits",
        (schema.Fits,),
        (
            Example(
                """\
Fits(
    new=(field("name", text(U16), "A name."),),
    old=(field("name", text(U8), "A name."),),
),""",
                ("0002 'ab'", "02 'ab'"),
                ("05 'ab'",),
            ),
        ),
    ),
    ManualSection(
        "Region, crc32, crc32c",
        (schema.Region, schema.crc32, schema.crc32c),
        (
            Example(
                'Region(U8, field("id", U8, "Inside.")), field("next", U8, "After.")',
                ("01 07 09",),
                ("02 07 08 09", "05 07"),
            ),
            Example(
                """\
field("sum", U32, "CRC-32C of the rest.", base="hex"),
Region(REST, field("body", raw(REST), "Summed up."), checksum=crc32c(this.sum)),""",
                ("9a71bb4c 'hello'",),
                ("00000000 'hello'",),
            ),
        ),
    ),
    ManualSection(
        "Message, proto",
        (schema.ProtoMessage, schema.proto),
        (
            Example(
                """\
ProtoMessage(
    {
        1: proto("name", "string", "A name."),
        2: proto("ids", "sint32", "Ids.", repeated=True),
    }
),""",
                ("0a02'ab' 1202 0103", "1801"),
                ("0a05'ab'", "07", "ffffffffffffffffffffff"),
            ),
        ),
    ),
    ManualSection(
        "Line, token, tokens, decimal, remainder, quoted",
        (
            schema.TextLine,
            *(schema.token, schema.tokens, schema.decimal, schema.remainder, schema.quoted),
        ),
        (
            Example(
                """\
TextLine(
    "PUB",
    token("subject", "Where to."),
    token("reply", "Where the answer goes.", optional=True),
    decimal("size", "Bytes that follow."),
),""",
                ("'PUB a.b 5' 0d0a", "'pub a.b c 5' 0d0a"),
                ("'SUB a 5' 0d0a", "'PUB' 0d0a", "'PUB a x' 0d0a"),
            ),
            Example(
                'TextLine("-ERR", quoted("message", "What went wrong."))',
                ("'-ERR ' 27 'no such entity' 27 0d0a",),
            ),
            Example(
                'TextLine("INFO", remainder("info", "JSON.", slot="json"))', ("'INFO {}' 0d0a",)
            ),
            Example(
                """\
TextLine(
    "RMSG",
    token("subject", "Where to."),
    tokens("queues", "Queue groups.", mark="|"),
    decimal("size", "Bytes that follow."),
),""",
                ("'RMSG a | b c 5' 0d0a", "'RMSG a 5' 0d0a"),
            ),
        ),
    ),
    ManualSection(
        "JsonLine, member",
        (schema.JsonLine, schema.member),
        (
            Example(
                """\
JsonLine(
    "INFO",
    member("server_id", "text", "Its id."),
    member("proto", "integer", "A number."),
    member("headers", "boolean", "Whether it has headers."),
    member("connect_urls", "tokens", "Where else to go."),
    member("import", "json", "Anything."),
)""",
                (
                    '\'INFO {"server_id":"a","proto":1,"new":[1]} \' 0d0a',
                    '\'info {"headers":true,"connect_urls":["b"],"import":{}}\' 0d0a',
                ),
                ("'INFO {\"proto\":true}' 0d0a", "'INFO {' 0d0a", "'SUB {}' 0d0a"),
            ),
        ),
    ),
    ManualSection(
        "Headers",
        (schema.Headers,),
        (
            Example(
                'Headers("NATS/1.0", "Headers of a message.")',
                ("'NATS/1.0 503' 0d0a 'Key: value' 0d0a0d0a",),
                ("'HTTP/1.1' 0d0a0d0a",),
            ),
        ),
    ),
)
"""Words that add named members to the record around them."""
