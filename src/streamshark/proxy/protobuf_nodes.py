"""Nodes in Protobuf messages, replaced where they are: all other fields keep their bytes."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from streamshark.errors import StreamsharkError
from streamshark.proxy.hosts import Node, Replace
from streamshark.proxy.targets import LAST_PORT

_LENGTH_DELIMITED: Final = 2
_FIXED: Final = {1: 8, 5: 4}
"""Wire type of a number of fixed size to its bytes."""
_LONGEST_VARINT: Final = 10


class NodeFields(NamedTuple):
    """Where a message names nodes."""

    path: tuple[int, ...]
    """Numbers of the fields that lead to the message of a node; empty if it is the message."""
    host: int
    """Number of the field with the host."""
    port: int
    """Number of the field with the port."""


METHODS: Final = {
    b"/proto.API/FetchMetadata": NodeFields((1,), 2, 3),
    b"/io.pravega.controller.stream.api.grpc.v1.ControllerService/getURI": NodeFields((), 1, 2),
    b"/io.pravega.controller.stream.api.grpc.v1.ControllerService/getControllerServerList": (
        NodeFields((1,), 1, 2)
    ),
}
"""Path of a gRPC method to the nodes in its responses.

Source: liftbridge-api v1.9.0, api.proto, FetchMetadataResponse; Pravega 0.13, Controller.proto,
NodeUri and ServerResponse.
"""


class _Field(NamedTuple):
    """A field of a message."""

    number: int
    kind: int
    """Wire type."""
    start: int
    content: int
    """Where its value begins, after the length of one that has a length."""
    end: int
    value: int
    """The value of a varint."""


def with_replaced_nodes(message: bytes, fields: NodeFields, replace: Replace) -> bytes:
    """Return a message in which all nodes are replaced.

    Raises:
        StreamsharkError: It is malformed, or there is no address for a node.
    """
    if not fields.path:
        return _with_node(message, fields, replace)
    inner = fields._replace(path=fields.path[1:])
    parts, start = [], 0
    for each in _fields(message):
        if each.number == fields.path[0] and each.kind == _LENGTH_DELIMITED:
            before = message[each.content : each.end]
            changed = with_replaced_nodes(before, inner, replace)
            if changed != before:
                parts += [message[start : each.start], _delimited(each.number, changed)]
                start = each.end
    return b"".join((*parts, message[start:])) if parts else message


def _with_node(message: bytes, fields: NodeFields, replace: Replace) -> bytes:
    """Return the message of a node with another host and port."""
    host: str | None = None
    port = 0
    found = list(_fields(message))
    for each in found:
        if each.number == fields.host and each.kind == _LENGTH_DELIMITED:
            host = message[each.content : each.end].decode(errors="replace")
        elif each.number == fields.port and not each.kind:
            port = each.value
    if not host or not 0 < port <= LAST_PORT:
        return message
    new = replace(host, port)
    return message if new == (host, port) else _spliced(message, found, fields, new)


def _spliced(message: bytes, found: list[_Field], fields: NodeFields, node: Node) -> bytes:
    parts = []
    for each in found:
        if each.number == fields.host and each.kind == _LENGTH_DELIMITED:
            parts.append(_delimited(each.number, node[0].encode()))
        elif each.number == fields.port and not each.kind:
            parts.append(_varint(each.number << 3) + _varint(node[1]))
        else:
            parts.append(message[each.start : each.end])
    return b"".join(parts)


def _delimited(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - 7 bits of each byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(message: bytes) -> Iterator[_Field]:
    """Yield the fields of a message; raise `StreamsharkError` for a malformed one."""
    at, end = 0, len(message)
    while at < end:
        start = at
        key, at = _read_varint(message, at)
        kind, value, content = key & 7, 0, at
        if not kind:
            value, at = _read_varint(message, at)
        elif kind == _LENGTH_DELIMITED:
            size, content = _read_varint(message, at)
            at = content + size
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            raise StreamsharkError("malformed Protobuf message")
        if at > end:
            raise StreamsharkError("malformed Protobuf message")
        yield _Field(key >> 3, kind, start, content, at, value)


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    """Return a number, and where it ends."""
    value = 0
    for shift, byte in enumerate(message[at : at + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << 7 * shift
        if byte <= 0x7F:  # noqa: PLR2004 - as above
            return value, at + shift + 1
    raise StreamsharkError("malformed Protobuf message")
