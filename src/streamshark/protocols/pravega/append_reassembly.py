"""Append blocks and what ends them, reassembled; events that run on over reads of a segment.

APPEND_BLOCK_END says how many bytes of the block count. A block of known size has no more; one that
grows ends in PADDING, or in PARTIAL_EVENT, whose bytes and those in APPEND_BLOCK_END are one write,
cut where the block was full.

Source: `AppendEncoder`, `AppendDecoder` and `WireCommands.AppendBlockEnd` of
`io.pravega.shared.protocol.netty`.
"""

import struct
from collections.abc import Mapping
from typing import Any, Final

from streamshark.framing.wire_format import Fragmentation, SpanningItem
from streamshark.protocols.pravega.codes import RecordType

LARGEST_EVENT: Final = 16 * 1024 * 1024
"""Bytes of an event that is looked for over several reads; larger ones stay bytes."""

_HEAD: Final = struct.Struct(">ii")


def joined(parts: Mapping[str, bytes], end: Mapping[str, Any]) -> Mapping[str, bytes] | str:
    """Return the appended bytes; a reason if the end does not fit its block."""
    block, rest = bytes(parts.get("data", b"")), end.get("data", b"")
    size = end.get("size_of_whole_events", -1)
    if not 0 <= size <= len(block):
        return f"{size} bytes of complete events are announced, its block has {len(block)}"
    filling = _filling(block, size, rest)
    return filling if isinstance(filling, str) else {"data": block[:size] + filling + rest}


def _filling(block: bytes, size: int, rest: bytes) -> bytes | str:
    """Return the event's part of the bytes that fill a block; a reason if they are malformed."""
    if size == len(block):
        return b""
    if len(block) < size + _HEAD.size:
        return f"{len(block) - size} bytes after its complete events are not a record"
    kind, length = _HEAD.unpack_from(block, size)
    filling = block[size + _HEAD.size :]
    if length != len(filling) or kind not in (RecordType.PADDING, RecordType.PARTIAL_EVENT):
        return "the bytes after its complete events do not fill the block"
    if kind == RecordType.PARTIAL_EVENT:
        return filling
    if rest:
        return "bytes follow the padding of its block"
    return "the padding of its block is not all zeros" if filling.count(0) < length else b""


BLOCKS: Final = Fragmentation(
    by="writer_id",
    flags="",
    more="",
    continued=frozenset({"append_block_end", "partial_message"}),
    ended=frozenset(),
    parts=("data",),
    begun=frozenset({"append_block"}),
    place="position",
    joins=joined,
    reads=frozenset({"size_of_whole_events"}),
)
"""A block is tied to the end of the same writer, which comes next; in dialect `draft` any message
may come in parts, which say their place."""

READS: Final = SpanningItem(
    command="segment_read",
    by="segment",
    position="offset",
    part="data",
    begins=bytes(4),
    most=LARGEST_EVENT,
)
"""Events run on over reads of a segment."""
