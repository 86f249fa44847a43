"""Examples show every word that frame files may use."""

import re

from streamshark import schema
from streamshark.views.manual.examples import MEMBERS, VALUES, data_of, members_of

NO_WORDS = {
    *(
        "ProblemCode",
        "FrameSchema",
        "Head",
        "FrameKind",
        "Limit",
        "LineHead",
        "Member",
        "Numbering",
        "Problem",
        "ProtoField",
        "Sender",
        "Slot",
    ),
    *("Word", "Int", "Blob", "Expression"),
}
"""What `schema` gives beside words, and the classes that words are made of.

`ProtoField` is what the word `proto` makes: frame files name it for types alone, never call it.
"""


def test_every_word_is_shown() -> None:
    """In a title, and in the code of an example unless it is one of the numbers."""
    entries = (*VALUES, *MEMBERS)
    titles = " ".join(entry.title for entry in entries)
    code = " ".join(example.code for entry in entries for example in entry.examples)
    known = set(re.findall(r"\w+", titles + code))

    assert sorted(set(schema.__all__) - NO_WORDS - known) == []


def test_examples_are_frames() -> None:
    """Each makes member words."""
    for entry in (*VALUES, *MEMBERS):
        for example in entry.examples:
            assert members_of(example.code)
            assert example.good


def test_bytes_are_hex_and_text() -> None:
    """Text stands in quotes."""
    assert data_of("01 'ab' ff") == b"\x01ab\xff"
    assert data_of("") == b""
