"""Fields of what fragments are reassembled to, at the last fragment of a frame."""

from collections.abc import Iterator
from typing import Any, Final

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.types import FieldType, integer
from streamshark.framing.wire_format import WireFormat
from streamshark.schema.nodes import Tree

REASSEMBLED: Final = "reassembled"
"""The member that holds what was reassembled."""
MEMBERS: Final = {
    "command": (
        FieldType("text", "text"),
        "Command of the first fragment; null where that is not in the capture.",
    ),
    "count": (
        integer("number", 32),
        "Number of fragments in the capture.",
    ),
    "fragments": (
        FieldType("list of number", "frame"),
        "Numbers of the frames that are its fragments; 1024 at most.",
    ),
    "reason": (
        FieldType("text", "text"),
        "Why they cannot be reassembled; absent if they can.",
    ),
}
"""Type and description of each fact about a reassembled frame, besides its parts."""


def facts(row: FrameRow) -> dict[str, Any]:
    """Return the facts about a reassembled frame at its last fragment; empty for other rows."""
    whole = row.whole
    if whole is None or not row.complete:
        return {}
    members = {"command": whole.command, "count": whole.count, "fragments": list(whole.frames)}
    return members if whole.reason is None else {**members, "reason": whole.reason}


def parts_of(wire: WireFormat, tree: Tree) -> tuple[str, ...]:
    """Return the members of a frame that may be reassembled from several, in their order."""
    fragments, run, name = wire.fragments, wire.run, tree.schema.name
    if run is not None and name == run.command:
        return (run.part,)
    return fragments.parts if fragments is not None and name in fragments.continued else ()


def names(wire: WireFormat, tree: Tree) -> Iterator[tuple[str, str, FieldType, str]]:
    """Yield full name, member, type and description of what a frame may be reassembled to."""
    parts = parts_of(wire, tree)
    if not parts:
        return
    prefix = f"{tree.prefix}.{REASSEMBLED}"
    for member, (kind, description) in MEMBERS.items():
        yield f"{prefix}.{member}", member, kind, description
    for part in parts:
        description = f"The {part} of all fragments."
        yield f"{prefix}.{part}", part, FieldType("bytes", "bytes"), description


def values(row: Row, member: str) -> list[Any]:
    """Return the occurrences of a member of what fragments are reassembled to."""
    if not isinstance(row, FrameRow):
        return []
    found = {**facts(row), **(row.reassembled or {})}.get(member)
    many = found if isinstance(found, list) else [found]
    return [each for each in many if each is not None]
