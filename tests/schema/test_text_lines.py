"""Text lines and header blocks in the schema; NATS's vectors are with the shapes."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, agree, broken, whole

from streamshark.errors import SchemaError
from streamshark.schema import (
    U8,
    Headers,
    ProblemCode,
    Record,
    Region,
    TextLine,
    decimal,
    quoted,
    remainder,
    token,
    tokens,
)


def of(*arguments: object, verb: str = "GO") -> Layout:
    """Return the layout of one line."""
    return Layout.of_record(Record(TextLine(verb, *arguments)), "any.line")  # type: ignore[arg-type]


A, B = token("a", "A."), token("b", "B.")
OPTIONAL = token("o", "O.", optional=True), token("p", "P.", optional=True)
N = decimal("n", "N.")
MARKED = of(
    A, token("r", "R.", mark="+"), tokens("q", "Q.", mark="+"), tokens("q", "Q.", mark="|"),
    token("r", "R.", optional=True), N,
)  # fmt: skip


@every(
    ("layout", "line", "expect"),
    [
        (of(), "GO\r\n", {}),
        (of(A, B), "GO x y\r\n", {"a": "x", "b": "y"}),
        (of(A, *OPTIONAL, N), "GO x 7\r\n", {"a": "x", "n": 7}),
        (of(N), "GO 123456789\r\n", {"n": 123456789}),
        (of(A, *OPTIONAL, N), "GO x y 7\r\n", {"a": "x", "o": "y", "n": 7}),
        (of(A, *OPTIONAL, N), "GO x y z 7\r\n", {"a": "x", "o": "y", "p": "z", "n": 7}),
        (of(OPTIONAL[0], A), "GO x\r\n", {"a": "x"}),
        (of(OPTIONAL[0], A), "GO y x\r\n", {"o": "y", "a": "x"}),
        (of(A, remainder("r", "R.")), "GO x  y z \r\n", {"a": "x", "r": "y z "}),
        (of(A, remainder("r", "R.")), "GO x\r\n", {"a": "x", "r": ""}),
        (of(remainder("r", "R.", optional=True)), "GO\r\n", {}),
        (of(quoted("q", "Q.")), "GO 'x y'\r\n", {"q": "x y"}),
        (of(quoted("q", "Q.")), "GO x y\r\n", {"q": "x y"}),
        (of(quoted("q", "Q.")), "GO ''\r\n", {"q": ""}),
        (of(quoted("q", "Q.")), "GO '\r\n", {"q": "'"}),
        (of(A), "go \t ü\t\n", {"a": "ü"}),
        (MARKED, "GO x 7\r\n", {"a": "x", "n": 7}),
        (MARKED, "GO x y 7\r\n", {"a": "x", "r": "y", "n": 7}),
        (MARKED, "GO x + y 7\r\n", {"a": "x", "r": "y", "q": [], "n": 7}),
        (MARKED, "GO x + y z w 7\r\n", {"a": "x", "r": "y", "q": ["z", "w"], "n": 7}),
        (MARKED, "GO x | z 7\r\n", {"a": "x", "q": ["z"], "n": 7}),
    ],
)
def test_what_a_line_says(layout: Layout, line: str, expect: dict[str, object]) -> None:
    """All readers, whole and broken."""
    data = line.encode()
    whole(layout, data, expect, canonical=False)
    broken(layout, data)


@every(
    ("layout", "line", "code"),
    [
        (of(A), "GO x", ProblemCode.SHORT), (of(A), "GO\r\n", ProblemCode.ARGS),
        (of(A), "GO x y\r\n", ProblemCode.ARGS),
        (of(A), "NO x\r\n", ProblemCode.VERB), (of(A), "GOx\r\n", ProblemCode.VERB),
        (of(N), "GO x\r\n", ProblemCode.NUMBER),
        (of(N), "GO 1234567890\r\n", ProblemCode.NUMBER), (of(N), "GO -1\r\n", ProblemCode.NUMBER),
        (of(A), "GO \xff\r\n", ProblemCode.TEXT), (MARKED, "GO x +\r\n", ProblemCode.ARGS),
        (MARKED, "GO x + 7\r\n", ProblemCode.ARGS), (MARKED, "GO x |\r\n", ProblemCode.ARGS),
        (of(A, N), "GO x\x0b1\r\n", ProblemCode.ARGS), (of(), "GO\r\nmore", ProblemCode.TRAILING),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line(layout: Layout, line: str, code: ProblemCode) -> None:
    """The same code in all readers."""
    data = line.encode("latin-1")
    assert agree(layout, data) is None

    assert layout.decoder.careful(data)[2][0].code is code


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: TextLine("GO", remainder("r", "R."), A),
        lambda: TextLine("GO", OPTIONAL[0], remainder("r", "R.")),
        lambda: TextLine("GO", OPTIONAL[0], tokens("q", "Q.", mark="|")),
    ],
)
def test_a_line_that_could_be_read_in_two_ways_is_refused(wrong: object) -> None:
    """When it is declared."""
    with pytest.raises(SchemaError):
        wrong()  # type: ignore[operator]


BLOCK = Layout.of_record(Record(Region(U8, Headers("HD/1", "Headers."))), "any.block")


def block(text: str) -> bytes:
    """Return a block with its length before it."""
    data = text.encode("latin-1")
    return bytes([len(data)]) + data


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("HD/1\r\n\r\n", {"headers": []}),
        ("HD/1 503\r\n\r\n", {"status": 503, "headers": []}),
        ("HD/1 123456789\r\n\r\n", {"status": 123456789, "headers": []}),
        ("HD/1  100 Idle  Beat \r\n\r\n", {"status": 100, "description": "Idle  Beat"}),
        ("HD/1\r\na: b\r\nA:\t c d \r\na:\r\n\r\n",
         {"headers": [{"key": "a", "value": "b"}, {"key": "A", "value": "c d"},
                      {"key": "a", "value": ""}]}),
    ],
)  # fmt: skip
def test_what_a_block_says(text: str, expect: dict[str, object]) -> None:
    """Order, duplicates and letter case are kept."""
    whole(BLOCK, block(text), expect, canonical=False)
    broken(BLOCK, block(text))


def test_no_bytes_are_no_block() -> None:
    """Routes write blocks of no bytes; they are not there."""
    assert agree(BLOCK, block("")) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("HD/2\r\n\r\n", ProblemCode.ARGS), ("HD/1\r\n", ProblemCode.ARGS),
        ("HD/1x\r\n\r\n", ProblemCode.ARGS),
        ("HD/1\r\nab\r\n\r\n", ProblemCode.ARGS), ("HD/1\r\n: b\r\n\r\n", ProblemCode.ARGS),
        ("HD/1 ok\r\n\r\n", ProblemCode.NUMBER), ("HD/1 1234567890\r\n\r\n", ProblemCode.NUMBER),
        ("HD/1\r\na: \xff\r\n\r\n", ProblemCode.TEXT),
        ("HD/1\r\n\r\n\r\n", ProblemCode.ARGS),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_block(text: str, code: ProblemCode) -> None:
    """The same code in all readers."""
    assert agree(BLOCK, block(text)) is None

    assert BLOCK.decoder.careful(block(text))[2][0].code is code
