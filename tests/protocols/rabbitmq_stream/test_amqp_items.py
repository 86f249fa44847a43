"""Values of AMQP 1.0 in their bytes."""

from tests.failures import every

from streamshark.protocols.rabbitmq_stream.amqp_items import items, scalar, sections, size

MESSAGE = bytes.fromhex("005373c005 01 a102 6b31 005375a0016d")


def test_sections_of_a_message() -> None:
    """Codes and values are listed; a cut section is the last one, and other bytes have none."""
    assert list(sections(MESSAGE)) == [(0x73, MESSAGE[3:10]), (0x75, b"\xa0\1m")]
    assert [code for code, _ in sections(MESSAGE[:13])] == [0x73, 0x75]
    assert list(sections(b"text")) == []


@every(("item", "value"), [
    ("a1026b31", b"k1"), ("b1000000016b", b"k"), ("a001ff", b"\xff"), ("5307", b"7"),
    ("8000000000000000ff", b"255"), ("98" + "ab" * 16, b"ab" * 16), ("40", b""), ("", b""),
    ("82" + "00" * 8, b""), ("45", b""),
])  # fmt: skip
def test_scalars(item: str, value: bytes) -> None:
    """Text, bytes, decimal numbers and UUIDs; nothing of other types."""
    assert scalar(bytes.fromhex(item)) == value


def test_items_of_lists_and_maps() -> None:
    """Short and long ones, also cut off; other values have none."""
    assert items(bytes.fromhex("c00702 a1016b a10176")) == [b"\xa1\1k", b"\xa1\1v"]
    assert items(bytes.fromhex("d10000000a00000002 a1016b a101")) == [b"\xa1\1k", b"\xa1\1"]
    assert items(b"\xa1\1k") == []
    assert size(b"\x01\0\0", 0) == 3
