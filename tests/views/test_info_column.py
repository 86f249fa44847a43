"""One word for every value."""

from typing import Any

import pytest
from tests.failures import every
from tests.madeup import parrot_traffic
from tests.protocols.rsocket.traffic import entry, framed, payload, rows, setup

from streamshark.protocols.catalog import catalog, layers
from streamshark.schema import I64, U8, U32, UUID, Many, Record, Slot, Word, field, raw, text
from streamshark.schema.info_template import words_of
from streamshark.schema.nodes import Node
from streamshark.schema.walk import walk_word
from streamshark.views.info_column import InfoColumn, long_text, plain, words


def node(word: Word, **facts: object) -> Node:
    """A field's node."""
    return walk_word(Record(field("a", word, "A.", **facts)), "any.thing").find("a")


def line(data: bytes, sender: str = "client", *, secrets: bool = False) -> str:
    """What one line shows of a frame."""
    row = parrot_traffic.row(data, sender)
    assert row.decoder is not None
    return InfoColumn(row.decoder.tree, secrets=secrets)(row)


@pytest.mark.parametrize(
    ("data", "sender", "shown"),
    [
        (parrot_traffic.say(), "client", " phrase=hello volume=high manner=slowly tags=2"),
        (parrot_traffic.say("two words", volume=9, manner=0, tags=()), "client",
         ' phrase="two words" volume=9 manner=0 tags=0'),
        (parrot_traffic.say(manner=7), "client",
         " phrase=hello volume=high manner=slowly|twice|bit_2 tags=2"),
        (parrot_traffic.said(code=0x1F), "server", " code=0x1f"),
        (parrot_traffic.feed(), "server", " weight=-5 seed=oil"),
        (parrot_traffic.login(), "client", " user=ara password=***"),
        (parrot_traffic.squawk(), "client", " pitch=1152921504606846976 noise=6b726161"),
        (parrot_traffic.squawk(bytes(9)), "client", " pitch=1152921504606846976 noise=[9 bytes]"),
        (parrot_traffic.squawk(b""), "client", " pitch=1152921504606846976 noise=empty"),
        (parrot_traffic.perch(), "client", " branches=1"),
        (parrot_traffic.login()[:6], "client", ""),
    ],
)  # fmt: skip
def test_arguments(data: bytes, sender: str, shown: str) -> None:
    """Those that the schema names, else the first; absent ones are left out."""
    assert line(data, sender) == shown


def test_secrets_when_asked_for() -> None:
    """As any other value."""
    assert line(parrot_traffic.login(), secrets=True) == ' user=ara password="pieces of eight"'


def test_a_path_through_a_list_shows_the_first_values() -> None:
    """Three of them, and that there are more."""
    row = parrot_traffic.row(parrot_traffic.feed(), "server")
    assert row.decoder is not None
    row.values["seeds"] = [{"key": each, "value": ""} for each in "abcd"]
    show = InfoColumn(row.decoder.tree, secrets=False)

    assert show(row) == " weight=-5 seed=a,b,c and 1 more"
    row.values["seeds"] = [{"key": "a b"}, {}]
    assert show(row) == ' weight=-5 seed="a b"'
    row.values["seeds"] = []
    assert show(row) == " weight=-5"


@every(
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


@every(
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


def body(metadata: bytes | None, data: bytes, *, kind: str = "", **options: bool) -> str:
    """What a line shows of a request's slots, their metadata of this MIME type."""
    sent = framed(1, 0x04, 0 if metadata is None else 0x100, payload(metadata, data))
    first = [(0, setup(kind))] if kind else []
    row = rows(*first, (0, sent))[-1]
    assert row.decoder is not None
    options = {"secrets": False, **options}
    shown = InfoColumn(row.decoder.tree, layers=layers(catalog(), ()), **options)(row)
    return shown.partition(" stream=1 ")[2]


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"ping", '"ping"'),
        (b'{"id": 5}', """'{"id": 5}'"""),
        (b"70", '"70"'),
        (b"\x70\x00", "7000"),
        (b"\xff" * 9, "[9 bytes]"),
        (b"", ""),
        (b"a" * 1000, f'"{"a" * 48}"[1000 bytes]'),
        (b"\x1b[2J", "1b5b324a"),
    ],
)
def test_bodies_that_people_can_read(data: bytes, shown: str) -> None:
    """Are shown as they are, always in quotes: hex has none."""
    assert body(None, data) == shown


def test_what_embedded_records_show() -> None:
    """Routes and users, whatever they stand in; never a secret."""
    route = entry(0x7E, b"\x05a.b.c\x03two")
    simple = entry(0x7C, b"\x80\x00\x03ara" + b"parrot")
    composite = "message/x.rsocket.composite-metadata.v0"

    assert body(route + simple, b"", kind=composite) == ("a.b.c,two user=ara")
    assert body(b"\x01a", b"", kind="message/x.rsocket.routing.v0") == ("a")
    assert body(simple, b"") == "user=ara"


def test_metadata_that_may_hold_secrets_is_no_text() -> None:
    """It is hidden if its type may hold secrets, or is unknown."""
    kind = "message/x.rsocket.authentication.v0"

    assert body(b"parrot", b"", kind="text/plain") == 'metadata="parrot"'
    assert body(b"parrot", b"", kind=kind) == "metadata=[6 bytes]"
    assert body(b"parrot", b"") == "metadata=[6 bytes]"
    assert body(b"parrot", b"", secrets=True) == 'metadata="parrot"'


def test_what_embedded_records_show_is_no_secret() -> None:
    """Members of the record that are not marked."""
    for each in catalog():
        for embedded in each.embedded_records:
            tree = embedded.decoder.tree
            shown = {
                path
                for word in words_of(embedded.shows, tree)
                for hole in word.holes
                for path in hole.paths
            }
            assert not any(tree.find(path).facts.secret for path in shown)
