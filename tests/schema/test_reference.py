"""The reference, and with it every reader, against bytes that other people's code wrote."""

import pytest
from tests.schema.reader_agreement import agree, broken, covers, shown, whole
from tests.schema.shapes.catalog import FAULTY, SHAPES, cases, layouts

from streamshark.schema import (
    U8,
    U16,
    FrameKind,
    FrameSchema,
    Head,
    Record,
    Sender,
    field,
    text,
    this,
)
from streamshark.schema.reference import build, build_members, parse, parse_members
from streamshark.schema.words import DecodingError

PLACES = 12
"""Places at which a vector is broken here; the frames of protocols are broken at more."""
HEAD = Head(
    (field("size", U16, "Bytes after it."), field("key", U8, "Which.")),
    this.size + 2,
    "key",
    hidden=("size", "key"),
)
NAMED = FrameSchema(
    "named",
    7,
    FrameKind.COMMAND,
    Sender.BOTH,
    "A name.",
    "x",
    (field("name", text(U8), "A name."),),
)


@pytest.mark.parametrize("protocol", SHAPES)
def test_every_reader_reads_every_vector(protocol: str) -> None:
    """Values are what the encoder was given, and the same bytes are built from them."""
    for case in cases(protocol):
        if case.name in FAULTY:
            assert agree(case.layout, case.vector.data) is None
            values, _, problems = case.layout.decoder.careful(case.vector.data)
            assert FAULTY[case.name] in {each.code.name for each in problems}
            if FAULTY[case.name] == "CHECKSUM":
                covers(case.expect, shown(case.layout.tree, values))
            continue
        whole(case.layout, case.vector.data, case.expect, canonical=case.canonical)


@pytest.mark.parametrize("protocol", SHAPES)
def test_every_reader_says_the_same_of_broken_vectors(protocol: str) -> None:
    """Cut at every length, one byte more, bits flipped."""
    for case in cases(protocol):
        broken(case.layout, case.vector.data, most=PLACES)


@pytest.mark.parametrize("protocol", SHAPES)
def test_every_shape_has_a_vector(protocol: str) -> None:
    """Each layout has bytes from another program."""
    seen = {id(case.layout) for case in cases(protocol)}
    without = {key[1] for key, layout in layouts(protocol).items() if id(layout) not in seen}

    assert without <= {"ping", "pong", "sub_batch", "grpc_messages", "block"} | WITHOUT[protocol]


WITHOUT: dict[str, set[str]] = {protocol: set() for protocol in SHAPES} | {
    "rsocket": {"accept_mime_types"},
    "nats": {"info", "connect", "ok", "err", "lmsg"},
}
"""Layouts without a vector of their own: another dialect or another test has one."""


def test_a_frame_is_built_with_its_length_and_its_key() -> None:
    """What the head says is filled in."""
    data = build(NAMED, HEAD, {"name": "hi"})

    assert data == bytes.fromhex("0004 07 02 6869")
    assert parse(NAMED, HEAD, data)[0] == {"size": 4, "key": 7, "name": "hi"}


def test_a_given_length_is_written_as_it_is() -> None:
    """A lie can be built, so that readers can be tested with it."""
    assert build(NAMED, HEAD, {"size": 9, "name": ""}) == bytes.fromhex("0009 07 00")


def test_bytes_after_the_last_member_are_refused() -> None:
    """The reference decoder is strict."""
    with pytest.raises(DecodingError, match="trailing at byte 1"):
        parse_members((field("one", U8, "One."),), b"\1\2")


def test_members_are_built_and_read_alone() -> None:
    """A record without a head."""
    members = Record(field("one", U8, "One."), field("two", U16, "Two.")).members

    assert build_members(members, {"one": 1, "two": 2}) == b"\1\0\2"
    values, found = parse_members(members, b"\1\0\2")
    assert values == {"one": 1, "two": 2}
    assert [(each.path, each.start, each.end) for each in found] == [
        (("one",), 0, 1),
        (("two",), 1, 3),
    ]
