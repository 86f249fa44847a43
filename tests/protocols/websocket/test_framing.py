"""Frames are cut and read as RFC 6455 and the library wsproto write them."""

import pytest
from tests.failures import every
from tests.schema.reader_agreement import Layout, Vector, vectors, whole

from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.framing import FRAMES, HEAD, MARKS, TABLE

VECTORS = [each for each in vectors("websocket") if each.file.startswith("frame")]
RFC_6455 = {
    "a text": ("810548656c6c6f", 1, "48656c6c6f"),
    "a masked text": ("818537fa213d7f9f4d5158", 1, "48656c6c6f"),
    "a first fragment": ("010348656c", 1, "48656c"),
    "a last fragment": ("80026c6f", 0, "6c6f"),
    "a ping": ("890548656c6c6f", 9, "48656c6c6f"),
    "a masked pong": ("8a8537fa213d7f9f4d5158", 10, "48656c6c6f"),
    "256 bytes": (f"827e0100{'ab' * 256}", 2, "ab" * 256),
    "64 KiB": (f"827f0000000000010000{'cd' * 65536}", 2, "cd" * 65536),
}
"""Section 5.7; the bytes of the last two are free there."""


@pytest.mark.parametrize("name", RFC_6455)
def test_the_examples_of_the_document(name: str) -> None:
    """Total, opcode, payload; a head that is not whole says nothing."""
    text, opcode, payload = RFC_6455[name]
    data = bytes.fromhex(text)
    values, problems = TABLE.decoders[(opcode, None, False)][0].read(data)  # type: ignore[index]
    found = values["payload"]

    assert TABLE.measure(data + b"more", 0, len(data) + 4) == (len(data), opcode, None, False)
    assert problems == []
    assert (unmask(found, values["masking_key"]) if values["masked"] else found).hex() == payload
    assert bool(MARKS.match(data)) is (opcode > 0)
    head = len(data) - len(found) - 4 * values["masked"]
    assert all(TABLE.measure(data, 0, end) is None for end in range(head))


@every("vector", VECTORS, ids=lambda each: f"{each.file}/{each.name}")
def test_what_a_library_writes(vector: Vector) -> None:
    """Every reader agrees, and the mark stands at its head."""
    schema = next(each for each in FRAMES if each.key == vector.expect["opcode"])
    layout = Layout.of_frame(schema, HEAD, "websocket")
    if not vector.facts.get("open"):
        whole(layout, vector.data)

    assert bool(MARKS.match(vector.data)) is (schema.key > 0)  # type: ignore[operator]


@pytest.mark.parametrize("head", ["f100", "8300", "8800ff"[:2] + "7e", "827f01"])
def test_what_is_no_head(head: str) -> None:
    """RSV2 and RSV3, an unknown opcode, a control frame too long, a length too large."""
    assert not MARKS.match(bytes.fromhex(head) + bytes(8))
