"""Nodes in Protobuf messages are replaced; unknown fields, their order and their spelling stay."""

import pytest

from streamshark.errors import StreamsharkError
from streamshark.proxy.protobuf_nodes import METHODS, NodeFields, with_replaced_nodes

BROKER = b"\x0a\x01a\x12\x06lift-1\x18\xcc\x48\x28\x07\xfd\x01\x01\0\0\0"
"""id, host, port 9292, a count, and an unknown field of 32 bits."""
NODES = NodeFields((1,), 2, 3)


def replaced(host: str, port: int) -> tuple[str, int]:
    """The address of a proxy."""
    return f"proxy-of-{host}", port + 1


def test_nodes_are_replaced() -> None:
    """In every item of a list; sizes around them follow; other fields are not touched."""
    item = b"\x0a" + bytes([len(BROKER)]) + BROKER
    other = b"\x12\x03abc\x19" + bytes(8)
    changed = BROKER.replace(b"\x06lift-1\x18\xcc\x48", b"\x0fproxy-of-lift-1\x18\xcd\x48")

    out = with_replaced_nodes(item + other + item, NODES, replaced)
    new = b"\x0a" + bytes([len(changed)]) + changed
    assert out == new + other + new
    many = b"".join(with_replaced_nodes(item, NODES, replaced) for _ in range(1000))
    assert with_replaced_nodes(item * 1000, NODES, replaced) == many
    alone = NodeFields((), 2, 3)
    assert with_replaced_nodes(BROKER, alone, replaced) == changed


def test_messages_without_nodes_stay() -> None:
    """No host, no port, a port of 0, the same address."""
    for message in (b"", b"\x12\x01a", b"\x18\x05", b"\x12\x01a\x18\0", b"\x12\0\x18\x05"):
        assert with_replaced_nodes(message, NodeFields((), 2, 3), replaced) == message
    assert with_replaced_nodes(BROKER, NodeFields((), 2, 3), lambda *node: node) == BROKER
    assert len(METHODS) == 3


def test_malformed_messages() -> None:
    """Cut off, or of wire types that there are not."""
    for message in (b"\x0a", b"\x0a\x05a", b"\x0b", b"\xff" * 11, b"\x09\0", b"\x0a\x01\xff"):
        with pytest.raises(StreamsharkError, match="malformed Protobuf"):
            with_replaced_nodes(message, NODES, replaced)
