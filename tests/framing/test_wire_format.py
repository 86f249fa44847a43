"""A table chooses the schema that a head selects."""

import dataclasses

import pytest
from tests.framing.parcel_protocol import HEAD, SEND, WIRE

from streamshark.errors import SchemaError, StreamsharkError
from streamshark.framing.wire_format import NegotiatedValue, Selector


def test_a_selector_finds_request_and_response() -> None:
    """The response bit tells two frames of one key apart."""
    table = WIRE.table()

    prefixes = [table.decoders[Selector(1, 1, bit)][0].tree.prefix for bit in (False, True)]

    assert prefixes == ["parcels.send", "parcels.send_response"]


def test_one_selector_may_mean_two_senders() -> None:
    """An answer without the response bit stands beside the request of the other side."""
    found = WIRE.table().decoders[Selector(4, 1, response=False)]

    assert [each.tree.schema.sender.value for each in found] == ["server", "client"]


def test_an_unknown_dialect_is_the_users_mistake() -> None:
    """The message names what there is."""
    with pytest.raises(StreamsharkError, match="parcels has no dialect 'old'"):
        WIRE.table("old")


def test_a_dialect_replaces_frames_by_name() -> None:
    """What a dialect does not define is read as by default."""
    old = dataclasses.replace(SEND, dialect="old", body=())
    wire = dataclasses.replace(WIRE, heads={"": HEAD, "old": HEAD}, frames=(*WIRE.frames, old))
    default, other = wire.table(), wire.table("old")

    assert default.named("send").tree.schema is SEND
    assert other.named("send").tree.schema is old
    assert other.named("tick").tree.schema is default.named("tick").tree.schema


def test_a_frame_that_agrees_something_must_say_so() -> None:
    """Without `negotiates` its values are not read."""
    frames = tuple(dataclasses.replace(each, negotiates=False) for each in WIRE.frames)

    table = dataclasses.replace(WIRE, frames=frames).table()

    with pytest.raises(SchemaError, match="hello"):
        _ = table.agreements


def test_two_frames_of_one_selector_and_sender_are_refused() -> None:
    """The protocol's author is told which."""
    twin = dataclasses.replace(SEND, name="twin")

    table = dataclasses.replace(WIRE, frames=(*WIRE.frames, twin)).table()

    with pytest.raises(SchemaError, match="twin"):
        _ = table.decoders


def test_the_longest_match_names_another_protocol() -> None:
    """Whatever the order of declaration."""
    wire = dataclasses.replace(WIRE, foreign={b"AB": "two", b"ABC": "three"})

    assert [wire.foreign_name(each) for each in (b"AB", b"ABCD", b"A")] == ["two", "three", None]


def test_a_dialect_replaces_frames_by_selector() -> None:
    """Another command under the same key and sender gives way."""
    old = dataclasses.replace(SEND, name="post", dialect="old")
    wire = dataclasses.replace(WIRE, heads={"": HEAD, "old": HEAD}, frames=(*WIRE.frames, old))
    found = [each.tree.prefix for each in wire.table("old").all]

    assert "parcels.post" in found
    assert "parcels.send" not in found
    assert "parcels.send_response" in found


def test_an_agreement_is_a_field_or_a_flag() -> None:
    """The value is a field or a flag; None if the frame has neither."""
    values = {"a": {"b": 1}, "flags": 0x80}
    schema = dataclasses.replace(SEND, flags={0x80: "lease", 0x40: "resume"})

    def said(path: str) -> object:
        return NegotiatedValue("x", "send", path, "Something.").value_in(schema, values)

    assert [said("a.b"), said("a"), said("c"), said("a.c")] == [1, {"b": 1}, None, None]
    assert [said("flags.lease"), said("flags.resume"), said("flags.none")] == [True, False, None]


def test_of_what_both_sides_say_the_least_holds() -> None:
    """The minimum holds if the schema says so, else the latest value."""
    least = NegotiatedValue("x", "send", "x", "Something.", least=True)
    last = NegotiatedValue("x", "send", "x", "Something.")

    assert [least.joined({"x": 5}, value) for value in (3, 5, 8)] == [3, 5, 5]
    assert [least.joined({}, 8), last.joined({"x": 5}, 8)] == [8, 8]
