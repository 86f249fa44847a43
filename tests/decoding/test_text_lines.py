"""Text lines and header blocks in the record decoder; what they say is tested with the words."""

from streamshark.decoding.decoder import Decoder
from streamshark.schema import (
    U8,
    Headers,
    ProblemCode,
    Record,
    Region,
    TextLine,
    decimal,
    field,
    quoted,
    raw,
    this,
    token,
    tokens,
)
from streamshark.schema.walk import walk_word

LINE = Decoder(
    walk_word(
        Record(
            TextLine(
                "GO", token("a", "A."), tokens("q", "Q.", mark="|"), decimal("size", "Bytes.")
            ),
            field("data", raw(this.size), "Data."),
        ),
        "any.line",
    )
)


def named(decoder: Decoder, data: bytes) -> list[tuple[str | None, bytes]]:
    """Return the name and the bytes of every range."""
    nodes = decoder.tree.nodes
    return [
        (nodes[i].name if i >= 0 else "?", data[s:e]) for i, s, e, _ in decoder.careful(data)[1]
    ]


def test_every_byte_of_a_line_has_a_node() -> None:
    """Verb, blanks, marks and the line's end belong to the line."""
    assert named(LINE, b"go  x | y z 2\r\nab") == [
        (None, b"go  "), ("a", b"x"), (None, b" | "), ("q", b"y"), (None, b" "), ("q", b"z"),
        (None, b" "), ("size", b"2"), (None, b"\r\n"), ("data", b"ab"),
    ]  # fmt: skip


def test_a_line_that_cannot_be_read_is_nobodys_or_the_lines() -> None:
    """The values that were read before stay."""
    values, ranges, problems = LINE.careful(b"GO x | y z\r\nab")

    assert values == {"a": "x", "q": ["y"]}
    assert problems[0].code is ProblemCode.NUMBER
    assert problems[0].message == "'z' is not a decimal number of at most nine digits"
    assert ranges[-1][1:3] == (12, 14)


def test_quotes_belong_to_the_line() -> None:
    """Only what is between them is the value."""
    decoder = Decoder(walk_word(Record(TextLine("-ERR", quoted("message", "What."))), "any.err"))

    assert named(decoder, b"-ERR 'a b'\r\n") == [
        (None, b"-ERR '"),
        ("message", b"a b"),
        (None, b"'\r\n"),
    ]


def test_every_byte_of_a_header_block_has_a_node() -> None:
    """Version, colons and line ends belong to the block."""
    block = Record(Region(U8, Headers("H/1", "Headers.")))
    decoder = Decoder(walk_word(block, "any.block"))
    data = b"H/1 503 No\r\na: b\r\n\r\n"

    assert named(decoder, bytes([len(data)]) + data)[1:] == [
        (None, b"H/1 "), ("status", b"503"), (None, b" "), ("description", b"No"), (None, b"\r\n"),
        ("key", b"a"), (None, b": "), ("value", b"b"), (None, b"\r\n\r\n"),
    ]  # fmt: skip


def test_headers_before_a_bad_line_are_kept_in_the_ranges() -> None:
    """And the status among the values."""
    decoder = Decoder(walk_word(Record(Headers("H/1", "Headers.")), "any.block"))
    values, ranges, problems = decoder.careful(b"H/1 100\r\na: b\r\nbad\r\n\r\n")

    assert values == {"status": 100}
    assert [each.code for each in problems] == [ProblemCode.ARGS]
    assert [each[3] for each in ranges if each[3] is not None] == [100, "a", "b"]
