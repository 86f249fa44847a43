"""Fields of frames that a fault sets or corrupts."""

from typing import Any

from streamshark.decoding.amending import amended
from streamshark.decoding.decoder import Decoder
from streamshark.errors import StreamsharkError
from streamshark.proxy.fault_checks import field_path
from streamshark.proxy.faults import FaultAction
from streamshark.schema import nodes


def with_changed_field(action: FaultAction, decoder: Decoder, data: bytes) -> bytes:
    """Return a frame in which a field was set, or a bit of it changed.

    Raises:
        StreamsharkError: It has no such field, or the value does not fit.
    """
    path, old = _found(decoder, decoder.read(data)[0], action.field)
    if action.name == "set":
        value: int | str | bytes = action.value
        if isinstance(old, bytes) and isinstance(value, str):
            value = value.encode()
        return amended(decoder, data, {path: value})
    names = tuple(each for each in path if isinstance(each, str))
    known = decoder.tree.nodes
    items = {each.item.id for each in known if isinstance(each, nodes.ListNode)}
    for number, start, end, _ in decoder.examine(data).ranges:
        node = known[number] if number >= 0 else None
        if node is None or node.path != names or not (node.name or node.id in items):
            continue  # also the count of a list, which has its path
        if end > start:
            return data[: end - 1] + bytes([data[end - 1] ^ 1]) + data[end:]
    raise StreamsharkError(f"{action.field}: has no bytes in this frame")


def _found(
    decoder: Decoder, values: dict[str, Any], field: str
) -> tuple[tuple[str | int, ...], object]:
    """Return where a field is in the values of a frame, and its value; of a list its first item."""
    prefix = decoder.tree.prefix
    value: Any = values
    path: list[str | int] = []
    for name in field_path(prefix, field):
        if isinstance(value, list | tuple):
            path.append(0)
            value = value[0] if value else {}
        if not isinstance(value, dict) or name not in value:
            raise StreamsharkError(f"{field}: {prefix} has no such field")
        path.append(name)
        value = value[name]
    return tuple(path), value
