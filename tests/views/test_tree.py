"""Every member of a frame, with its problems, in wire order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.madeup import parrot_traffic, vault

from streamshark.decoding.decoder import Decoder
from streamshark.dissection.connection import Connection
from streamshark.dissection.row import FrameRow, row_of
from streamshark.flows.segment import Flow
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.schema import (
    REST,
    U8,
    U16,
    U32,
    Bits,
    Either,
    Fits,
    Headers,
    Literal,
    Many,
    Member,
    ProtoMessage,
    Record,
    Region,
    Switch,
    TextLine,
    When,
    decimal,
    field,
    part,
    proto,
    raw,
    text,
    this,
    token,
)
from streamshark.schema.walk import walk_word
from streamshark.views.colour import Palette
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.tree import FrameTree
from streamshark.views.tree_items import lines
from streamshark.views.tree_nodes import Subtrees

PLAIN = Palette(enabled=False)


PAIR = Record(field("key", text(U8), "K."), field("value", text(U8), "V."))


def tree(row: FrameRow, *, secrets: bool = False) -> list[str]:
    """The lines of a frame."""
    return list(lines(FrameTree(row, Subtrees(), secrets=secrets).items, PLAIN, 1))


def frame(data: bytes, sender: str = "client", *, secrets: bool = False) -> list[str]:
    """Return the lines of a Parrot frame after its header, without indent."""
    lines = [each[4:] for each in tree(parrot_traffic.row(data, sender), secrets=secrets)]
    return lines[3:]


def record(data: bytes, *members: Member) -> list[str]:
    """The lines of any members."""
    decoder = Decoder(walk_word(Record(*members), "any.thing"))
    connection = Connection(Flow(0, ("", ""), (0, 0)), parrot_traffic.TABLE, "")
    cut = RawFrame(0, data, PacketRef([], (0, 0, 0)), None, None)
    row = row_of(connection, 0, cut, decoder, decoder.skim(data))
    return [each[4:] for each in tree(row)]


def test_the_head_is_shown_too() -> None:
    """With the bits that each part takes."""
    assert tree(parrot_traffic.row(parrot_traffic.said(), "server"))[:3] == [
        "    length: 4 bytes",
        "    1... .... = response: 1",
        "    .000 0001 = key: 0x1",
    ]


def test_values() -> None:
    """Numbers with names and units, flags bit by bit, lists, bytes, pairs."""
    assert frame(parrot_traffic.say()) == [
        "correlation_id: 7",
        "phrase: hello",
        "volume: high (2)",
        "manner: 0x1 (slowly)",
        "    .... ...1 = slowly: 1",
        "    .... ..0. = twice: 0",
        "tags: 2 items",
        "    [0]: a",
        "    [1]: b",
    ]
    assert frame(parrot_traffic.feed(), "server") == [
        "nut: 00010203-0405-0607-0809-0a0b0c0d0e0f",
        "weight: -5 g",
        "001. .... = kind: walnut (1)",
        "...1 1111 = reserved: 31",
        "shell: 01ff [2 bytes]",
        "seeds: 1 item",
        "    oil: much",
    ]


def test_records_and_lists_inside_each_other() -> None:
    """One step deeper each."""
    assert frame(parrot_traffic.perch()) == [
        "branches: 1 item",
        "    [0]",
        "        name: low",
        "        tree:",
        "            height: 9 m",
        "        years: 2 items",
        "            [0]: 3",
        "            [1]: 4",
    ]


def test_empty_lists_are_shown() -> None:
    """An empty list is not an absent one."""
    assert frame(parrot_traffic.say(tags=()))[-1] == "tags: 0 items"
    assert record(b"", field("a", Many(U8), "A.")) == ["a: 0 items"]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (parrot_traffic.perch("muchtoolong"), [
            "        name: muchtoolong",
            "            [W] limit: 11 exceeds the limit of 8",
        ]),
        (parrot_traffic.feed(claim=3), [
            "seeds: 1 item",
            "    [W] count: 3 items announced, 1 present",
            "    oil: much",
        ]),
        (parrot_traffic.say()[:-7], [
            "phrase: hello",
            "volume: [cannot be read]",
            "    [E] short: 1 bytes needed, 0 left",
        ]),
        (parrot_traffic.say()[:-3], [
            "tags: 0 items",
            "    [E] short: 1 bytes needed, 0 left",
            "[1 byte not decoded: 01]",
        ]),
        (parrot_traffic.frame(3, bytes(16)), [
            "weight: [cannot be read]",
            "    [E] short: 8 bytes needed, 0 left",
        ]),
        (parrot_traffic.frame(3, bytes(24)), [
            "bytes: [cannot be read]",
            "    [E] short: 1 bytes needed, 0 left",
        ]),
        (parrot_traffic.frame(3, bytes(27) + b"\x01\x02k"), [
            "seeds: 1 item",
            "    [0]",
            "        key: [cannot be read]",
            "            [E] short: 2 bytes needed, 1 left",
            "[2 bytes not decoded: 026b]",
        ]),
        (parrot_traffic.frame(0x81, bytes(5)), [
            "code: ok (0x0)",
            "[2 bytes not decoded: 0000]",
            "[W] trailing: 2 trailing bytes after the last field",
        ]),
        (parrot_traffic.frame(9, b"abc"), []),
    ],
)  # fmt: skip
def test_problems_stand_at_their_member(data: bytes, lines: list[str]) -> None:
    """Or at the end where the member is not there."""
    shown = frame(data, "server" if data[2] in (3, 0x81) else "client")

    start = shown.index(lines[0]) if lines else 0
    assert shown[start : start + len(lines)] == lines


def test_pairs_that_are_cut() -> None:
    """The value that is missing says so."""
    shown = record(
        b"\x01k\x05v",
        field(
            "a", Many(Record(field("key", text(U8), "K."), field("value", text(U8), "V."))), "A."
        ),
    )

    assert shown == [
        "a: 1 item",
        "    k: [cannot be read]",
        "        [E] short: 5 bytes needed, 1 left",
        "[2 bytes not decoded: 0576]",
    ]


def test_secrets() -> None:
    """Masked, and what is not decoded is not shown; unless asked for."""
    assert frame(parrot_traffic.login(token=b"t")) == ["user: ara", "password: ***", "token: ***"]
    assert frame(parrot_traffic.login(), secrets=True)[1] == "password: pieces of eight"
    assert frame(parrot_traffic.login()[:-3]) == [
        "user: ara",
        "password: [cannot be read]",
        "    [E] short: A field runs past the end of its frame or region.",
        "[13 bytes not decoded]",
    ]
    assert frame(parrot_traffic.login()[:-3], secrets=True)[-1].startswith(
        "[13 bytes not decoded: 0f70"
    )


def test_secret_lists() -> None:
    """Not even their number is shown."""
    members = (
        field("a", Many(text(U8), count=U8), "A.", secret=True),
        field("b", U8, "B."),
    )

    assert record(b"\x02\x01x\x01y\x07", *members) == ["a: ***", "b: 7"]


def test_frames_without_a_schema() -> None:
    """Their bytes."""
    assert tree(parrot_traffic.row(parrot_traffic.frame(9, b"abc"))) == [
        "    [6 bytes not decoded: 000409616263]",
        "    [E] unknown_key: key 9",
    ]


def test_conditions_and_unions() -> None:
    """Only what is there is shown, of arms with one name the one that was read."""
    members = (
        field("kind", U8, "K."),
        When(this.kind == 1, field("one", U8, "O.")),
        Switch(this.kind, {1: (field("a", U8, "A."),)}, default=(field("a", U16, "A."),)),
        Either(clear=(field("low", U8, "L."),), set=(field("high", U8, "H."),)),
        Literal(b"!", "An end."),
    )

    assert record(b"\x01\x05\x06\x07!", *members) == ["kind: 1", "one: 5", "a: 6", "low: 7"]
    assert record(b"\x02\x00\x06\x87!", *members) == ["kind: 2", "a: 6", "high: 135"]


def test_layouts_told_by_what_fits() -> None:
    """The members of the one that fits; none where none does."""
    members = (Fits(wide=(field("a", U16, "A."),), narrow=(field("a", U8, "A."),)),)

    assert record(b"\x00\x05", *members) == ["a: 5"]
    assert record(b"\x05", *members) == ["a: 5"]
    assert record(b"123", *members) == [
        "[3 bytes not decoded: 313233]",
        "[E] nofit at byte 0: no known layout uses up these 3 bytes",
    ]


def test_regions() -> None:
    """The rest of a region is inside it, and reading continues after it."""
    members = (
        Region(U8, field("a", U8, "A."), field("b", text(U8), "B.")),
        field("c", U8, "C."),
    )

    assert record(b"\x03\x01\x01x\x07", *members) == ["a: 1", "b: x", "c: 7"]
    assert record(b"\x03\x01\x09x\x07", *members) == [
        "a: 1",
        "b: [cannot be read]",
        "    [E] short: 9 bytes needed, 1 left",
        "[2 bytes not decoded: 0978]",
        "c: 7",
    ]


def test_groups_that_are_cut() -> None:
    """A group of bits of which a byte is missing."""
    members = (Bits(2, part("a", 4, "A."), part("b", 12, "B.")),)

    assert record(b"\x12\x34", *members) == [
        "0001 .... .... .... = a: 1",
        ".... 0010 0011 0100 = b: 564",
    ]
    assert record(b"\x12", *members)[0] == "bytes: [cannot be read]"


def test_protobuf() -> None:
    """Fields in the order of the bytes, nested ones below their name."""
    inner = ProtoMessage({1: proto("c", "string", "C.")})
    members = (
        ProtoMessage({
            1: proto("a", "uint32", "A.", unit="s"),
            2: proto("b", "message", "B.", message=inner, repeated=True),
            3: proto("d", "uint32", "D.", repeated=True),
        }),
    )  # fmt: skip
    data = b"\x12\x03\x0a\x01x\x08\x05\x12\x03\x0a\x01y\x1a\x02\x01\x02\x20\x07"

    assert record(data, *members) == [
        "b:",
        "    c: x",
        "a: 5 s",
        "b:",
        "    c: y",
        "d: 1",
        "d: 2",
        "unknown_fields: 7",
    ]


def test_protobuf_problems() -> None:
    """At the field, or in the nested message that is broken."""
    inner = ProtoMessage({1: proto("c", "string", "C.")})
    members = (ProtoMessage({1: proto("b", "message", "B.", message=inner)}),)

    assert record(b"\x0a\x03\x0a\x01\xff", *members) == [
        "b:",
        "    c: \ufffd",
        "        [W] text: not valid utf-8",
    ]


def test_text_lines() -> None:
    """Arguments by name, headers as pairs."""
    members = (
        TextLine("HPUB", token("subject", "S."), decimal("size", "Z.", unit="bytes")),
        Headers("NATS/1.0", "Headers."),
    )

    assert record(b"HPUB a.b 5\r\nNATS/1.0\r\nk: v\r\n\r\n", *members) == [
        "subject: a.b",
        "size: 5 bytes",
        "key: k",
        "value: v",
    ]


def test_problems_of_claims() -> None:
    """At the number that lies."""
    members = (field("n", U8, "N.", claims=this.m + 1), field("m", U8, "M."))

    assert record(b"\x05\x01", *members) == [
        "n: 5",
        "    [W] claim: 5 written, but the bytes give 2",
        "m: 1",
    ]


@given(st.binary(max_size=60), st.sampled_from([1, 2, 3, 4, 5, 0x81, 9]))
def test_any_bytes_have_a_tree(body: bytes, key: int) -> None:
    """Every problem is told, and once; nothing raises."""
    for row in parrot_traffic.rows(parrot_traffic.frame(key, body), None):
        if isinstance(row, FrameRow):
            lines = tree(row)
            told = sum(each.lstrip().startswith(("[E]", "[W]")) for each in lines)

            assert told == len(row.problems)


def test_wide_numbers_keep_their_size() -> None:
    """A number of 32 bits with flags has 32 bits in each line."""
    shown = record(b"\x80\x00\x00\x00", field("a", U32, "A.", flags={0x8000_0000: "top"}))

    assert shown == [
        "a: 0x80000000 (top)",
        "    1... .... .... .... .... .... .... .... = top: 1",
    ]


def test_bytes_to_the_end() -> None:
    """The first of many."""
    (shown,) = record(bytes(300), field("a", raw(REST), "A."))

    assert shown == f"a: {'00' * 256}... [300 bytes]"


def typed(*frames: bytes, secrets: bool = False) -> list[str]:
    """Return the lines of the last of some frames after its header, bodies decoded."""
    *_, row = vault.rows(*frames)
    bodies = PayloadTree(vault.LAYERS, "decoded")
    tree = FrameTree(row, Subtrees(), secrets=secrets, bodies=bodies)
    return [each for each in list(lines(tree.items, PLAIN))[3:] if " = " not in each]


def test_what_was_agreed_chooses_what_reads_a_slot() -> None:
    """Secrets inside are masked, as is what could not be decoded there."""
    hello = vault.hello(vault.KEY)

    assert typed(hello, vault.put()) == ["body: [6 bytes]", "    name: a", "    key: ***"]
    assert typed(hello, vault.put(), secrets=True)[-1] == "    key: key"
    assert typed(hello, vault.put(vault.BODY + b"zz")) == [
        "body: [8 bytes]",
        "    [W] trailing: 2 trailing bytes after the last field",
        "    name: a",
        "    key: ***",
        "    [2 bytes not decoded]",
    ]


def test_slots_in_which_a_secret_may_stand() -> None:
    """Masked where nothing reads them: the type is not known, or they are pieces."""
    assert typed(vault.put()) == ["body: ***"]
    piece = "[fragment 1 of put]"
    assert typed(vault.hello(vault.KEY), vault.put(more=True)) == ["body: ***", piece]
    assert typed(vault.put(), secrets=True) == ["body: 0161036b6579 [6 bytes]"]
    open_piece = typed(vault.hello(vault.OPEN), vault.put(b"hi", more=True))
    assert open_piece == ["body: 6869 [2 bytes]", piece]
    assert typed(vault.hello(vault.OPEN), vault.put(b"hi")) == ["body: hi [text, 2 bytes]"]
