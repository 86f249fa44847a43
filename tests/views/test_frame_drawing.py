"""Drawings of frames: offsets as far as they are known, and every shape told apart."""

from tests.failures import every

from streamshark.schema import Record
from streamshark.schema.walk import walk_word
from streamshark.views.frame_drawing import layout
from streamshark.views.manual.examples import MEMBERS, VALUES, Example, members_of


def drawn(code: str, **selected: str) -> list[str]:
    """Return the drawing of an example's members, without its heads."""
    return layout(walk_word(Record(*members_of(code)), "example"), selected)[1:]


def test_offsets_end_after_what_varies() -> None:
    """Fields after one of unknown size have no offset."""
    assert drawn('field("a", U8, "A."), field("b", text(U16), "B."), field("c", U8, "C.")') == [
        "0       1     u8    a",
        "1       2     u16   (length of b)",
        "3       ...   text  b",
        "        1     u8    c",
    ]


def test_items_have_offsets_of_their_own() -> None:
    """An item's members count from its first byte."""
    code = 'field("a", Many(Record(field("b", U8, "B."), field("c", U16, "C.")), count=U8), "A.")'

    assert drawn(code) == [
        "0       1     u8    (number of a)",
        "1       ...   list  a, as many as that; each:",
        "+0      1     u8      b",
        "+1      2     u16     c",
    ]


def test_counts_and_lengths_elsewhere() -> None:
    """What an earlier field measures says so."""
    code = """field("n", U8, "N."), field("a", Many(U8, count=this.n), "A."),
    Region(this.n, field("b", raw(REST), "B."))"""

    assert drawn(code) == [
        "0       1     u8     n",
        "1       ...   list   a, n of them; each:",
        "+0      1     u8       item",
        "                     inside the next n bytes:",
        "        ...   bytes    b, up to the end",
    ]


def test_arms_start_at_the_same_place() -> None:
    """Each arm of a union is drawn from where the union stands; an empty one has nothing."""
    code = 'field("k", U8, "K."), Switch(this.k, {1: (field("a", U16, "A."),)}, default=())'

    assert drawn(code) == [
        "0       1     u8    k",
        "                    if k is 1:",
        "1       2     u16     a",
        "                    else: nothing",
    ]


def test_values_that_select_the_frame() -> None:
    """They follow the names of the header."""
    assert drawn('field("key", U8, "Key.")', key="0x07") == ["0       1     u8    key = 0x07"]


def test_sums_with_a_condition() -> None:
    """A sum that is not always there says when it is."""
    code = """field("f", U8, "F."), field("sum", U32, "S."),
    Region(REST, field("b", raw(REST), "B."), checksum=crc32(this.sum, when=this.f & 1))"""

    assert "up to the end, whose CRC-32 is sum (if f has 0x1):" in drawn(code)[2]


def test_nested_messages() -> None:
    """A message inside is drawn below its field."""
    code = """ProtoMessage({1: proto("a", "message", "A.", message=ProtoMessage({
        2: proto("b", "bool", "B.")}))})"""

    assert drawn(code) == ["#1      ...   message  a", "#2      ...   bool       b"]


def test_a_message_stops_the_offsets() -> None:
    """Fields after one of variable size have no offset."""
    assert drawn('TextLine("A", token("b", "B.")), field("c", U8, "C.")')[1].startswith(" ")


@every(
    "example",
    [each for entry in (*VALUES, *MEMBERS) for each in entry.examples],
    ids=lambda each: each.code,
)
def test_every_word_can_be_drawn(example: Example) -> None:
    """Every name of an example stands in its drawing."""
    text = "\n".join(drawn(example.code))
    tree = walk_word(Record(*members_of(example.code)), "example")

    assert [node.name for node in tree.named() if str(node.name) not in text] in (
        [],
        ["unknown_fields"],
        ["headers"],
    )
