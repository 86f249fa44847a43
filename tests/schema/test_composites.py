"""Words that hold other words: lists, conditions, tails, unions, regions."""

import zlib

import google_crc32c
import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, agree, broken, whole

from streamshark.schema import (
    I16,
    REST,
    U8,
    U16,
    U32,
    Bits,
    Either,
    Fits,
    Many,
    Member,
    ProblemCode,
    Record,
    Region,
    Switch,
    Tail,
    When,
    crc32,
    crc32c,
    field,
    len_,
    part,
    raw,
    reserved,
    text,
    this,
)
from streamshark.schema.composites import FORM, checksum

A, B, C = field("a", U8, "A."), field("b", U16, "B."), field("c", U8, "C.")


def of(*members: Member) -> Layout:
    """Return the layout of members."""
    return Layout.of_record(Record(*members), "any.members")


def codes(layout: Layout, data: str) -> list[ProblemCode]:
    """Return what is wrong, all readers agreeing that something is."""
    assert agree(layout, bytes.fromhex(data)) is None
    return [each.code for each in layout.decoder.careful(bytes.fromhex(data))[2]]


GOOD: dict[str, tuple[Layout, str, dict[str, object]]] = {
    "record": (of(field("r", Record(A, B), "R."), C), "01 0002 03",
               {"r": {"a": 1, "b": 2}, "c": 3}),
    "scope": (
        of(A, field("r", Record(When(this._.a == 1, B)), "R.")), "01 0002", {"r": {"b": 2}}),
    "two scopes up": (
        of(A, field("r", Record(field("s", Record(When(this._._.a, B)), "S.")), "R.")),
        "01 0002", {"r": {"s": {"b": 2}}}),
    "counted": (of(field("l", Many(U16, count=U8), "L.")), "02 0001 0002", {"l": [1, 2]}),
    "empty": (of(field("l", Many(U16, count=U8), "L.")), "00", {"l": []}),
    "counted elsewhere": (of(A, C, field("l", Many(U8, count=this.a - 1), "L.")), "02 09 05",
                          {"l": [5]}),
    "claimed": (of(field("l", Many(U16, claim=U8), "L.")), "02 0001 0002", {"l": [1, 2]}),
    "to the end": (of(field("l", Many(U16), "L.")), "0001 0002", {"l": [1, 2]}),
    "of three bytes": (of(field("l", Many(text(U8), count=U8), "L.")), "02 0161 00",
                       {"l": ["a", ""]}),
    "of lists": (of(field("l", Many(Many(U8, count=U8), count=U8), "L.")), "02 0107 00",
                 {"l": [[7], []]}),
    "when": (of(A, When(this.a & 1, B)), "01 0002", {"a": 1, "b": 2}),
    "when not": (of(A, When(this.a & 1, B)), "02", {"a": 2}),
    "when in when": (of(A, When(this.a, B, When(this.b == 2, C))), "01 0002 03", {"c": 3}),
    "absent counts as 0": (of(A, When(this.a, B), When(this.b == 0, C)), "00 03", {"c": 3}),
    "length of what is absent": (of(A, When(this.a, field("x", raw(U8), "X.")),
                                    When(len_(this.x) == 0, C)), "00 03", {"c": 3}),
    "tail there": (of(A, Tail(B)), "01 0002", {"b": 2}),
    "tail absent": (of(A, Tail(B)), "01", {"a": 1}),
    "second tail there": (of(A, Tail(B), Tail(C)), "01 03", {"a": 1, "c": 3}),
    "tail that claims": (of(A, Tail(field("b", U16, "B.", claims=this.a + 1))), "01 0002",
                         {"b": 2}),
    "tail referred to": (of(A, Tail(B), When(this.b == 0, C)), "01 09", {"c": 9}),
    "either clear": (of(Either(clear=(A,), set=(B,))), "7f", {"a": 127}),
    "either set": (of(Either(clear=(A,), set=(B,))), "8001", {"b": 32769}),
    "either, one name": (
        of(Either(clear=(field("n", U8, "N."),),
                  set=(Bits(2, reserved(1, written=1), part("n", 15, "N.")), C)),
           field("x", raw(this.n), "X.")), "8002 09 6162", {"n": 2, "x": "6162"}),
    "fits first": (of(Fits(one=(B,), two=(A,))), "0002", {"b": 2}),
    "fits second": (of(Fits(one=(B,), two=(A,))), "02", {"a": 2}),
    "fits in a region": (
        of(Region(U8, Fits(one=(Region(U8, A),), two=(B,))), C), "02 0105 03",
        {"a": 5, "c": 3}),
    "region in a fits that fails": (
        of(Region(U8, Fits(one=(Region(U8, A),), two=(B,))), C), "02 0505 03",
        {"b": 0x0505, "c": 3}),
    "switch": (of(A, Switch(this.a, {1: (B,), 2: (C,)}, default=())), "02 03", {"c": 3}),
    "switch default": (of(A, Switch(this.a, {1: (B,)}, default=(C,))), "07 03", {"c": 3}),
    "switch of a known case": (of(A, Switch(this.a, {7: (C,)}, default=None)), "07 03", {"c": 3}),
    "switch without cases": (of(A, Switch(this.a, {}, default=(C,))), "07 03", {"c": 3}),
    "region": (of(Region(U8, A, field("x", raw(REST), "X.")), C), "03 01 6162 07",
               {"a": 1, "x": "6162", "c": 7}),
    "region by a field": (of(A, C, Region(this.a, B)), "02 09 0003", {"b": 3}),
    "region to the end": (of(A, Region(REST, B)), "01 0002", {"b": 2}),
    "region of a size": (of(Region(2, B), C), "0002 03", {"b": 2, "c": 3}),
}  # fmt: skip


@every("name", GOOD)
def test_what_is_read(name: str) -> None:
    """By all readers, and built again; broken in all ways."""
    layout, data, expect = GOOD[name]
    whole(layout, bytes.fromhex(data), expect)
    broken(layout, bytes.fromhex(data))


BAD: dict[str, tuple[Layout, str, list[ProblemCode]]] = {
    "too large a count": (of(field("l", Many(U8, count=U32), "L.")), "ffffffff 01",
        [ProblemCode.SHORT]),
    "a negative count": (of(field("l", Many(U8, count=I16), "L.")), "ffff", [ProblemCode.NEGATIVE]),
    "a wrong claim": (of(field("l", Many(U8, claim=U8), "L.")), "05 0102", [ProblemCode.COUNT]),
    "over the limit": (of(field("l", Many(U8, count=U8, limit=1), "L.")), "02 0102",
        [ProblemCode.LIMIT]),
    "over the limit, to the end": (of(field("l", Many(U8, limit=1), "L.")), "0102",
        [ProblemCode.LIMIT]),
    "an item cut": (of(field("l", Many(U16), "L.")), "0001 02", [ProblemCode.SHORT]),
    "a wrong claim in an arm": (
        of(A, When(this.a, field("b", U16, "B.", claims=this.a))), "01 0007", [ProblemCode.CLAIM]),
    "a wrong claim in a tail": (
        of(A, Tail(field("b", U16, "B.", claims=this.a))), "01 0007", [ProblemCode.CLAIM]),
    "a wrong claim in a fits": (
        of(A, Fits(x=(field("b", U16, "B.", claims=this.a),))), "01 0007", [ProblemCode.NO_FIT]),
    "no arm": (of(Either(clear=(A,), set=(B,))), "", [ProblemCode.SHORT]),
    "no such case": (of(A, Switch(this.a, {1: (C,)}, default=None)), "07", [ProblemCode.VALUE]),
    "nothing fits": (of(Fits(one=(B,), two=(A,))), "010203", [ProblemCode.NO_FIT]),
    "a region too long": (of(Region(U8, B), C), "05 0002 03",
        [ProblemCode.SHORT, ProblemCode.TRAILING]),
    "a region too short": (of(Region(U8, B), C), "01 00 03", [ProblemCode.SHORT]),
    "a region with more": (of(Region(U8, A), C), "02 01 02 03", [ProblemCode.TRAILING]),
    "a negative region": (of(Region(I16, A)), "ffff", [ProblemCode.NEGATIVE]),
    "two problems": (
        of(Region(U8, field("x", text(U8), "X.")), Region(U8, B)), "02 01ff 01 00",
        [ProblemCode.TEXT, ProblemCode.SHORT]),
}  # fmt: skip


@every("name", BAD)
def test_what_is_wrong(name: str) -> None:
    """The reference raises one code; the careful form continues and reports all."""
    layout, data, wanted = BAD[name]

    assert codes(layout, data) == wanted


def test_decoding_goes_on_after_a_region() -> None:
    """Fields that a problem inside the region has skipped count as absent."""
    layout = of(Region(U8, A, B), When(this.b == 0, C))

    values, ranges, _ = layout.decoder.careful(bytes.fromhex("0201ff 07"))

    assert values == {"a": 1, "c": 7}
    assert (-1, 2, 3, None) in ranges


def test_what_fits_is_built_as_values_say() -> None:
    """By the members that they have, else as the first layout, or as the one that is named."""
    same = of(Fits(wide=(B,), narrow=(field("b", U8, "B."),)))
    other = of(Fits(one=(), two=(A, B), three=(A,)))

    assert [same.build(each).hex() for each in ({"b": 2}, {"b": 2, FORM: "narrow"})] == [
        "0002",
        "02",
    ]
    assert [other.build(each).hex() for each in ({}, {"a": 1}, {"a": 1, "b": 2})] == [
        "",
        "01",
        "010002",
    ]


def test_what_fits_leaves_nothing_of_what_did_not() -> None:
    """Neither values nor ranges of the arm that failed."""
    layout = of(Fits(one=(A, B), two=(C, field("d", U8, "D."))))

    values, ranges, problems = layout.decoder.careful(b"\1\2")

    assert (values, problems) == ({"c": 1, "d": 2}, [])
    assert [layout.tree.nodes[each[0]].name for each in ranges] == ["c", "d"]


@pytest.mark.parametrize("kind", [crc32, crc32c])
def test_a_region_with_a_sum(kind: object) -> None:
    """Filled in when built, a problem when it differs, in all readers."""
    layout = of(
        field("crc", U32, "Sum."),
        Region(U8, field("x", raw(REST), "X."), checksum=kind(this.crc)),  # type: ignore[operator]
    )
    data = layout.build({"x": b"123456789"})

    assert data[:4].hex() == {"crc32": "cbf43926", "crc32c": "e3069283"}[kind.__name__]  # type: ignore[attr-defined]
    whole(layout, data, {"x": b"123456789".hex()})
    broken(layout, data)
    assert codes(layout, "00000000" + data[4:].hex()) == [ProblemCode.CHECKSUM]


def test_a_sum_that_is_there_only_sometimes() -> None:
    """The condition stands with the sum."""
    layout = of(
        A,
        When(this.a & 1, field("crc", U32, "Sum.")),
        Region(REST, field("x", raw(REST), "X."), checksum=crc32(this.crc, when=this.a & 1)),
    )
    for flags in (0, 1):
        data = layout.build({"a": flags, "x": b"abc"})
        whole(layout, data, {"x": "616263"})
        broken(layout, data)


def test_the_two_sums() -> None:
    """As the libraries compute them."""
    assert checksum("crc32", b"abc") == zlib.crc32(b"abc")
    assert checksum("crc32c", b"abc") == google_crc32c.value(b"abc")


def test_huge_counts_and_deep_lists_are_bounded() -> None:
    """By the bytes that are there."""
    item: Many = Many(U8, count=U8)
    for _ in range(12):
        item = Many(item, count=U8)
    layout = of(field("deep", item, "Deep."))

    assert codes(layout, "ff" * 3000)[0] is ProblemCode.SHORT
    assert codes(of(field("l", Many(Record(A, C), count=U32), "L.")), "ffffffff" + "00" * 999) == [
        ProblemCode.SHORT
    ]
