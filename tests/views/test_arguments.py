"""One word for every value."""

from typing import Any

import pytest
from tests.madeup import aviary

from streamshark.schema import I64, U8, U32, UUID, Many, Record, Slot, Word, field, raw, text
from streamshark.schema.nodes import Node
from streamshark.schema.walk import walk_word
from streamshark.views.arguments import Arguments, long_text, plain, words


def node(word: Word, **facts: object) -> Node:
    """A field's node."""
    return walk_word(Record(field("a", word, "A.", **facts)), "any.thing").find("a")


def line(data: bytes, sender: str = "client", *, secrets: bool = False) -> str:
    """What one line shows of a frame."""
    row = aviary.row(data, sender)
    assert row.decoder is not None
    return Arguments(row.decoder.tree, secrets=secrets)(row)


@pytest.mark.parametrize(
    ("data", "sender", "shown"),
    [
        (aviary.say(), "client", " phrase=hello volume=high manner=slowly tags=2"),
        (aviary.say("two words", volume=9, manner=0, tags=()), "client",
         ' phrase="two words" volume=9 manner=0 tags=0'),
        (aviary.say(manner=7), "client",
         " phrase=hello volume=high manner=slowly|twice|bit_2 tags=2"),
        (aviary.said(code=0x1F), "server", " code=0x1f"),
        (aviary.feed(), "server", " weight=-5 seed=oil"),
        (aviary.login(), "client", " user=ara password=***"),
        (aviary.squawk(), "client", " pitch=1152921504606846976 noise=6b726161"),
        (aviary.squawk(bytes(9)), "client", " pitch=1152921504606846976 noise=[9 bytes]"),
        (aviary.squawk(b""), "client", " pitch=1152921504606846976 noise=empty"),
        (aviary.perch(), "client", " branches=1"),
        (aviary.login()[:6], "client", ""),
    ],
)  # fmt: skip
def test_arguments(data: bytes, sender: str, shown: str) -> None:
    """Those that the schema names, else the first; absent ones are left out."""
    assert line(data, sender) == shown


def test_secrets_when_asked_for() -> None:
    """As any other value."""
    assert line(aviary.login(), secrets=True) == ' user=ara password="pieces of eight"'


def test_a_path_through_a_list_shows_the_first_values() -> None:
    """Three of them, and that there are more."""
    row = aviary.row(aviary.feed(), "server")
    assert row.decoder is not None
    row.values["seeds"] = [{"key": each, "value": ""} for each in "abcd"]
    show = Arguments(row.decoder.tree, secrets=False)

    assert show(row) == " weight=-5 seed=a,b,c,..."
    row.values["seeds"] = [{"key": "a b"}, {}]
    assert show(row) == ' weight=-5 seed="a b"'
    row.values["seeds"] = []
    assert show(row) == " weight=-5"


@pytest.mark.parametrize(
    ("word", "facts", "value", "shown"),
    [
        (U8, {}, 5, "5"),
        (U8, {"base": "hex"}, 31, "0x1f"),
        (U8, {"names": {1: "one"}}, 1, "one"),
        (U8, {"names": {1: "one"}, "base": "hex"}, 31, "0x1f"),
        (U8, {"names": {1: "one"}, "ranges": {(0, 9): "few"}, "base": "hex"}, 2, "few(0x2)"),
        (U8, {"ranges": {(0, 9): "few"}}, 10, "10"),
        (U8, {"flags": {1: "x", 2: "y"}}, 3, "x|y"),
        (UUID, {}, bytes(16), "00000000-0000-0000-0000-000000000000"),
        (raw(I64, null=True), {}, None, "null"),
        (text(I64, null=True), {"secret": True}, None, "null"),
        (text(U8), {"secret": True}, "x", "***"),
        (Many(U8, count=U8), {"names": {1: "one"}}, [1, 2], "2"),
        (Record(field("b", U8, "B.")), {}, {"b": 1}, "[1 members]"),
    ],
)
def test_words(word: Word, facts: dict[str, Any], value: object, shown: str) -> None:
    """Names, flags and bases by the facts of the field."""
    assert words(node(word, **facts), secrets=False)(value) == shown


def test_plain() -> None:
    """Values without a field."""
    shown = [plain(each) for each in (None, "a b", b"", b"\x01", [1], {"a": 1}, True, 1.5)]

    assert shown == ["null", '"a b"', "empty", "01", "1", "[1 members]", "True", "1.5"]


@pytest.mark.parametrize(
    ("word", "facts", "value", "shown"),
    [
        (U32, {"unit": "bytes"}, 5, "5 bytes"),
        (U8, {"names": {1: "one"}}, 1, "one (1)"),
        (U8, {"names": {1: "one"}}, 2, "unknown (2)"),
        (U8, {"ranges": {(0, 9): "few"}}, 2, "few (2)"),
        (U8, {"flags": {1: "x"}}, 1, "0x1 (x)"),
        (text(U8), {}, "two words", "two words"),
        (text(U8), {}, "", '""'),
        (text(U8), {}, "a\nb", '"a\\nb"'),
        (raw(U8), {}, b"", "[empty]"),
        (raw(U8), {}, b"\x01", "01 [1 byte]"),
        (raw(U8), {}, bytes(40), f"{'00' * 25}... [40 bytes]"),
        (UUID, {}, bytes(16), "00000000-0000-0000-0000-000000000000"),
        (raw(I64, null=True), {}, None, "null"),
        (U8, {}, 1.5, "1.5"),
    ],
)
def test_long_text(word: Word, facts: dict[str, Any], value: object, shown: str) -> None:
    """What a tree shows: names and numbers, units, sizes."""
    assert long_text(node(word, **facts), value, most=100) == shown


def test_bytes_in_which_a_secret_may_stand() -> None:
    """Only how many there are, unless secrets are asked for."""
    slot = Slot("vault", veiled=frozenset({"x/key"}))
    found = node(raw(U8, slot=slot))

    assert words(found, secrets=False)(b"key") == "[3 bytes]"
    assert words(found, secrets=False)(b"") == "empty"
    assert words(found, secrets=True)(b"key") == "6b6579"
