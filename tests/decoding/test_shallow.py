"""The shallow decoder: accepts what fast accepts, and gives its values with lists counted."""

import itertools
from collections.abc import Callable

import pytest
from tests.failures import every
from tests.schema.reader_agreement import accepted, shallow_of

from streamshark.decoding.decoder import Decoder, ShallowResult
from streamshark.decoding.shallow import ShallowPrinter, always_inside
from streamshark.schema import (
    I8,
    REST,
    U8,
    U16,
    U24,
    U32,
    Bits,
    Either,
    Many,
    ProtoMessage,
    Record,
    Region,
    Switch,
    Tail,
    TextLine,
    When,
    Word,
    field,
    len_,
    part,
    proto,
    raw,
    reserved,
    sum_,
    text,
    this,
    token,
)
from streamshark.schema.walk import walk_word

ONE = field("one", U8, "One.")
ITEMS: dict[str, Word] = {
    "number": U16,
    "wide number": U24,
    "bytes": raw(U8),
    "signed length": raw(I8),
    "null": raw(I8, null=True),
    "limit": raw(U8, limit=2),
    "text": text(U8),
    "Java text": text(U8, encoding="mutf-8"),
    "null text": text(I8, null=True),
    "record of one size": Record(ONE, field("two", U16, "Two."), field("x", raw(2), "X.")),
    "record": Record(ONE, field("x", raw(U8), "X."), field("y", text(U8), "Y.")),
    "record in a record": Record(ONE, field("r", Record(field("x", raw(this._.one), "X.")), "R.")),
    "length by name": Record(ONE, field("x", raw(this.one), "X.")),
    "length of bytes": Record(
        field("x", raw(U8), "X."), When(len_(this.x) > 1, field("y", U8, "Y."))
    ),
    "condition": Record(ONE, When(this.one > 1, field("x", U8, "X."))),
    "top bit": Record(
        ONE, Either(clear=(field("x", raw(I8), "X."),), set=(field("y", U16, "Y."),))
    ),
    "top bit of a group": Record(
        ONE,
        Either(
            clear=(field("x", raw(I8), "X."),),
            set=(Bits(1, part("y", 1, "Y."), reserved(7)), field("two", U8, "Two.")),
        ),
    ),
    "top bit before a number": Record(
        Either(clear=(field("x", U8, "X."),), set=(field("y", raw(U8), "Y."),))
    ),
    "top bit before anything": Record(
        Either(clear=(field("x", U24, "X."),), set=(field("y", text(U8), "Y."),))
    ),
    "arms": Record(
        ONE,
        Switch(this.one, {0: (field("x", raw(U8), "X."),), 1: ()}, default=(field("y", U8, "Y."),)),
    ),
    "region": Record(Region(U8, field("x", U8, "X."), Tail(field("y", U8, "Y."), need=1))),
    "region with a rest": Record(Region(U8, ONE, field("x", raw(REST), "X."))),
    "region with a list": Record(Region(U8, field("l", Many(raw(U8)), "L."))),
    "region with numbers": Record(Region(U8, ONE, field("l", Many(U16), "L."))),
    "counted list": Record(field("l", Many(raw(U8), count=U8), "L.")),
    "counted numbers": Record(field("l", Many(U16, count=I8), "L.")),
    "claimed list": Record(Region(U8, field("l", Many(raw(U8), claim=U8), "L."))),
    "claim": Record(field("n", U8, "N.", claims=len_(this.x)), field("x", raw(U8), "X.")),
    "sum": Record(
        field("s", U8, "S.", claims=sum_(this.l, "one", absent=1)),
        field("l", Many(Record(Either(clear=(ONE,), set=(field("x", U8, "X."),))), count=U8), "L."),
    ),
    "sum of one size": Record(
        field("s", U8, "S.", claims=sum_(this.l, "one", absent=0)),
        field("l", Many(Record(ONE), count=U8), "L."),
    ),
    "message": Record(Region(U8, ProtoMessage({1: proto("x", "uint32", "X.")}))),
    "line": Record(TextLine("A", token("x", "X."))),
    "line with a mark": Record(TextLine("A", token("x", "X.", mark="+"))),
}
LISTS: dict[str, Callable[[Word], Word]] = {
    "to the end": Many,
    "counted": lambda item: Many(item, count=U8),
    "claimed": lambda item: Many(item, claim=U8),
    "limited": lambda item: Many(item, count=U8, limit=1),
    "limited, to the end": lambda item: Many(item, limit=1),
}
BYTES = (0, 1, 2, 0x08, 0x41, 0x80, 0xFF)
"""Lengths and counts near each other, a field of protobuf, a letter, what no text begins with."""


@pytest.mark.slow
@every("shape", LISTS)
@every("name", ITEMS)
def test_it_accepts_what_fast_accepts(name: str, shape: str) -> None:
    """All strings of a few bytes, alone and in a region with bytes after it."""
    own = field("l", LISTS[shape](ITEMS[name]), "L.")
    alone = Decoder(walk_word(Record(own), "any.x"))
    inside = Decoder(walk_word(Record(Region(U8, own), field("end", U8, "E.")), "any.x"))
    for size in range(5):
        for each in itertools.product(BYTES, repeat=size):
            alike(alone, bytes(each))
            if size < 4:
                alike(inside, bytes((size, *each, 0)))
                alike(inside, bytes((size, *each, 1, 0)))


def alike(decoder: Decoder, data: bytes) -> None:
    """Both accept bytes or refuse them, and say the same."""
    fast = accepted(decoder.fast, data)
    shallow = accepted(decoder.shallow, data)
    assert shallow == (None if fast is None else shallow_of(decoder.tree, fast)), data


def test_a_list_that_a_number_tells_the_length_of() -> None:
    """The number is believed while items are passed, and holds if they end where they should."""
    told = Record(
        field("n", U8, "N.", claims=len_(this.l)),
        Region(this.n, field("l", Many(raw(U8)), "L.")),
        Tail(field("x", U8, "X."), need=1),
    )
    conditional = Record(
        field("n", U8, "N.", claims=len_(this.l)),
        When(this.n > 1, field("l", Many(raw(U8)), "L.")),
    )
    for record in (told, conditional):
        decoder = Decoder(walk_word(record, "any.x"))
        for size in range(6):
            for each in itertools.product(BYTES, repeat=size):
                alike(decoder, bytes(each))
    assert "for _ in range(" in ShallowPrinter(walk_word(told, "any.x")).print()
    assert "for _ in range(" in ShallowPrinter(walk_word(conditional, "any.x")).print()


def test_items_of_one_size_are_not_passed_one_by_one() -> None:
    """Unless something is made of what they hold."""
    for name in ("number", "wide number", "record of one size"):
        tree = walk_word(Record(field("l", Many(ITEMS[name], count=U8), "L.")), "any.x")
        assert "for " not in ShallowPrinter(tree).print()


def test_a_frame_without_lists_has_one_fast_form() -> None:
    """Its shallow values are all of it."""
    decoder = Decoder(walk_word(Record(ONE), "any.x"))

    assert decoder.shallow is decoder.fast
    assert decoder.skim(b"\1") == ShallowResult({"one": 1}, [], is_whole=True)


def test_skimming_asks_careful_after_an_oddity() -> None:
    """Then the values are whole."""
    decoder = Decoder(walk_word(Record(field("l", Many(U8, claim=U8), "L.")), "any.x"))

    assert decoder.skim(b"\2ab") == ShallowResult({"l": range(2)}, [], is_whole=False)
    assert "careful" not in vars(decoder)
    values, problems, is_whole = decoder.skim(b"\3ab")
    assert (values, is_whole) == ({"l": [97, 98]}, True)
    assert [each.code.word for each in problems] == ["count"]


def test_a_count_of_four_billion_costs_nothing() -> None:
    """There are not as many bytes."""
    decoder = Decoder(walk_word(Record(field("l", Many(raw(U8), count=U32), "L.")), "any.x"))

    assert accepted(decoder.shallow, b"\xff\xff\xff\xff" + bytes(100)) is None


def test_what_every_sound_frame_has() -> None:
    """Not what may be null, nor what is in a branch; of lists what every item has."""
    word = Record(
        ONE,
        Bits(1, part("high", 4, "High."), part("low", 4, "Low.")),
        Region(U8, field("inner", U8, "Inner.")),
        field("r", Record(field("x", raw(U8), "X.")), "R."),
        field("s", raw(I8, null=True), "S."),
        When(this.one, field("w", U8, "W.")),
        field("l", Many(Record(field("y", U8, "Y.")), count=U8), "L."),
        Tail(field("t", U8, "T."), need=1),
    )
    found = {".".join(each) for each in always_inside(walk_word(word, "any.x"))}

    assert found == {"one", "high", "low", "inner", "r", "r.x", "l", "l.y"}
