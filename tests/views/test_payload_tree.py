"""Bodies as lines of a tree."""

from tests.failures import every
from tests.madeup import record_with_slots

from streamshark.decoding.payloads import DecodedPayload, Format, PayloadReaders, SlotBytes
from streamshark.views.colour import Palette
from streamshark.views.payload_tree import LONGEST, ByteRange, PayloadTree, ShownSlot
from streamshark.views.tree import FrameTree, Inner, Subtrees
from streamshark.views.tree_items import DataSource, TreeItem, line, lines

PLAIN = Palette(enabled=False)


def shown(
    data: bytes, mode: str = "decoded", layers: PayloadReaders = record_with_slots.LAYERS
) -> ShownSlot | None:
    """Return what is shown of a message."""
    place = ByteRange(DataSource("frame", data), 0, len(data))
    cell = SlotBytes(0, "message", data, "none", None)
    return PayloadTree(layers, mode).shown(cell, len(data), place)


def printed(found: ShownSlot | None) -> tuple[str, list[str]]:
    """Return a slot's line without its name, and the lines below it."""
    assert found is not None
    item = TreeItem(DataSource("frame", b""), 0, 0, "body", found.text, found.note)
    return line(item, PLAIN).removeprefix("body: "), list(lines(found.items, PLAIN))


def frame_lines(*items: bytes | record_with_slots.Packed, mode: str = "decoded") -> list[str]:
    """Return the lines of a frame."""
    frame = record_with_slots.frame(*items)
    bodies = PayloadTree(record_with_slots.LAYERS, mode)
    decoder = record_with_slots.DECODER
    inner = Inner(frame, decoder, DataSource("frame", frame), 0, decoder.read(frame)[1])
    return list(lines(FrameTree(inner, Subtrees(), secrets=False, bodies=bodies).items, PLAIN, 1))


@every(
    ("data", "text", "below"),
    [
        (b"hello", "hello [text, 5 bytes]", []),
        (b"a\nb", '"a\\nb" [text, 3 bytes]', []),
        (b'{"a": {"b": [1, null, true]}, "c": {}}', "[json, 38 bytes]", [
            "a:", "    b:", "        [0]: 1", "        [1]: null", "        [2]: true",
            "c: {}",
        ]),
        (b'[{"key": "k", "value": 1}, {"key": 1}]', "[json, 38 bytes]", [
            "k: 1", "[1]", "    key: 1",
        ]),
        (bytes.fromhex("005375a0026869"), "[amqp1, 7 bytes]", ["data: hi [text, 2 bytes]"]),
        (bytes.fromhex("005375a00100"), "[amqp1, 6 bytes]", ["data: 00 [1 byte]"]),
        (bytes.fromhex("005375a000"), "[amqp1, 5 bytes]", ["data: [empty]"]),
        (bytes.fromhex("005373c0070353 11 40 a10161"), "[amqp1, 12 bytes]", [
            "properties:", "    message_id: 17", "    to: a",
        ]),
        (bytes.fromhex("005374c1 05 02 a10161 41"), "[amqp1, 10 bytes]", [
            "application_properties:", "    a: true",
        ]),
        (bytes.fromhex("00537782 4004000000000000"), "[amqp1, 12 bytes]", ["amqp_value: 2.5"]),
        (bytes.fromhex("005377a000"), "[amqp1, 5 bytes]", ["amqp_value: [empty]"]),
        (bytes.fromhex("005377 00a30178 5401"), "[amqp1, 9 bytes]", [
            "amqp_value:", "    descriptor: x", "    value: 1",
        ]),
    ],
)  # fmt: skip
def test_a_body(data: bytes, text: str, below: list[str]) -> None:
    """Sections, maps and lists one below the other; text and JSON as what they are."""
    assert printed(shown(data)) == (text, below)


def test_modes() -> None:
    """Payloads as size, as raw bytes, and undecoded ones."""
    assert printed(shown(b"hi", "size")) == ("[2 bytes]", [])
    assert printed(shown(b"h", "size")) == ("[1 byte]", [])
    assert shown(b"hi", "raw") is None
    assert shown(b"\0\1") is None


def test_long_bytes_are_cut() -> None:
    """What is left out is counted."""
    value = bytes(LONGEST)
    found = shown(b"", layers=PayloadReaders([_format(value)]))

    assert printed(found)[1] == [f"[0]: {'00' * (LONGEST // 4)}... [{LONGEST} bytes]"]


def _format(value: bytes) -> Format:
    return Format(
        "made", frozenset({"message"}), lambda _: DecodedPayload([value], []), lambda _: 100
    )


def test_a_frame_with_bodies() -> None:
    """Numbers in brackets; what is packed below its slot, numbered on."""
    assert frame_lines(b"x", record_with_slots.packed([b"a", b"\0"]), b"\0\1") == [
        "    key: 1",
        "    first: 5",
        "    items: 3 items",
        "        [0]",
        "            [number: 5]",
        "            body: x [text, 1 byte]",
        "        [1]",
        "            [number: 6]",
        "            1... .... = packed: 1",
        "            .000 0001 = codec: gzip (1)",
        "            count: 2",
        "            inner: [26 bytes, 6 unpacked by gzip]",
        "                bodies: 2 items",
        "                    [0]",
        "                        [number: 6]",
        "                        body: a [text, 1 byte]",
        "                    [1]",
        "                        [number: 7]",
        "                        body: 00 [1 byte]",
        "        [2]",
        "            [number: 8]",
        "            body: 0001 [2 bytes]",
    ]


def test_a_frame_with_sizes() -> None:
    """Raw shows the bytes, size how many."""
    small = record_with_slots.packed([b"a"])

    assert frame_lines(b"x", small, mode="size")[5] == "            body: [1 byte]"
    assert frame_lines(b"x", mode="raw")[5] == "            body: 78 [1 byte]"
    assert "unpacked by gzip" in frame_lines(small, mode="size")[-1]
    assert "[2" in frame_lines(small, mode="raw")[-1]


def test_what_cannot_be_unpacked() -> None:
    """Its bytes."""
    assert frame_lines(record_with_slots.Packed(1, 1, b"no gzip"))[-1].startswith(
        "            inner: 6e6f20677a6970"
    )
