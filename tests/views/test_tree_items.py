"""The items of a tree have the bytes that they show."""

from collections.abc import Iterable, Iterator

from hypothesis import given
from hypothesis import strategies as st
from tests.madeup import parrot_traffic, record_with_slots, vault

from streamshark.dissection.row import FrameRow
from streamshark.schema import Problem, ProblemCode
from streamshark.views.colour import Palette
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.tree import FrameTree, Inner
from streamshark.views.tree_items import DataSource, TreeItem, line, lines
from streamshark.views.tree_nodes import Subtrees

PLAIN = Palette(enabled=False)


def flat(items: Iterable[TreeItem]) -> Iterator[TreeItem]:
    """Yield items and all below them."""
    for item in items:
        yield item
        yield from flat(item.children)


def shown_bytes(items: Iterable[TreeItem]) -> list[tuple[str, bytes]]:
    """Return the names of items with the bytes of their ranges."""
    return [(each.name, each.source.data[each.start : each.end]) for each in flat(items)]


def outside(items: Iterable[TreeItem], within: TreeItem | None = None) -> Iterator[str]:
    """Yield items whose range is outside its source, or that of their parent in this source."""
    for item in items:
        if not 0 <= item.start <= item.end <= len(item.source.data):
            yield f"{item.name}: {item.start} to {item.end} of {len(item.source.data)}"
        if (
            within is not None
            and item.problem is None
            and within.source == item.source
            and not within.start <= item.start <= item.end <= within.end
        ):
            yield f"{item.name}: {item.start} to {item.end}, in {within.start} to {within.end}"
        known = item if item.end > item.start or within is None else within
        yield from outside(item.children, known)


def test_the_bytes_of_members() -> None:
    """Lists and records have those of their items; flags those of their number."""
    tree = FrameTree(parrot_traffic.row(parrot_traffic.say()), Subtrees(), secrets=False)

    assert shown_bytes(tree.items)[3:] == [
        ("correlation_id", b"\0\x07"),
        ("phrase", b"\x05hello"),
        ("volume", b"\x02"),
        ("manner", b"\x01"),
        ("slowly", b"\x01"),
        ("twice", b"\x01"),
        ("tags", b"\x02\x01a\x01b"),
        ("[0]", b"\x01a"),
        ("[1]", b"\x01b"),
    ]


def test_unpacked_bytes_are_a_source_of_their_own() -> None:
    """Which says where its bytes came from."""
    frame = record_with_slots.frame(b"x", record_with_slots.packed([b"abc"]))
    decoder = record_with_slots.DECODER
    source = DataSource("frame", frame)
    bodies = PayloadTree(record_with_slots.LAYERS, "decoded")
    row = Inner(frame, decoder, source, 0, decoder.read(frame)[1])
    tree = FrameTree(row, Subtrees(), secrets=False, bodies=bodies)

    bodies_of = [each for each in flat(tree.items) if each.name == "body"]
    first, packed = (each.source for each in bodies_of)
    inner = next(each for each in flat(tree.items) if each.name == "inner")
    assert [each.source.data[each.start : each.end] for each in bodies_of] == [
        b"\0\x01x",
        b"\0\x03abc",
    ]
    assert (first.name, packed.name) == ("frame", "inner, unpacked by gzip")
    assert (packed.origin, packed.start, packed.end) == (source, inner.start, inner.end)


def test_reassembled_bytes_are_a_source_of_their_own() -> None:
    """The members of the record that they are have their ranges there."""
    *_, row = vault.rows(vault.hello(vault.KEY), vault.put(b"\1a", more=True), vault.put(b"\3key"))
    bodies = PayloadTree(vault.LAYERS, "decoded")
    tree = FrameTree(row, Subtrees(), secrets=True, bodies=bodies)

    found = [each for each in flat(tree.items) if each.source.name == "body, reassembled"]
    assert [(each.name, each.source.data[each.start : each.end]) for each in found] == [
        ("body", vault.BODY),
        ("name", b"\x01a"),
        ("key", b"\x03key"),
    ]


@given(st.binary(max_size=60), st.sampled_from([1, 2, 3, 4, 5, 0x81, 9]))
def test_ranges_of_any_bytes(body: bytes, key: int) -> None:
    """Inside their source and their parent."""
    for row in parrot_traffic.rows(parrot_traffic.frame(key, body), None):
        if isinstance(row, FrameRow):
            tree = FrameTree(row, Subtrees(), secrets=False)

            assert list(outside(tree.items)) == []
            assert [p for each in tree.items for p in each.problems()] != [] or not row.problems


def test_secrets_have_no_value() -> None:
    """Unless they are shown."""
    row = parrot_traffic.row(parrot_traffic.login(token=b"t"))

    for secrets, wanted in ((False, [None, None]), (True, ["pieces of eight", b"t"])):
        tree = FrameTree(row, Subtrees(), secrets=secrets)
        assert [e.value for e in flat(tree.items) if e.name in {"password", "token"}] == wanted


def test_text() -> None:
    """Names, values, generated text, bits, groups, indexes and problems."""
    source = DataSource("frame", b"")
    problem = Problem(ProblemCode.LIMIT, 0, 0, 0, "too long")
    items = [
        TreeItem(source, 0, 0, "a", "1", "s", bits=".... 0001"),
        TreeItem(source, 0, 0, "b", children=[TreeItem(source, 0, 0, "[0]", note="1 byte")]),
        TreeItem(source, 0, 0, "[1]", children=[TreeItem(source, 0, 0, note="made")]),
        TreeItem(source, 0, 0, text="limit: too long", problem=problem),
    ]

    assert list(lines(items, PLAIN, 1)) == [
        "    .... 0001 = a: 1 [s]",
        "    b:",
        "        [0]: [1 byte]",
        "    [1]",
        "        [made]",
        "    [W] limit: too long",
    ]
    assert line(items[3], Palette(enabled=True)) == "\x1b[33m[W]\x1b[0m limit: too long"
