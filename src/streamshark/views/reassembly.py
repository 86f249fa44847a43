"""What fragments are reassembled to, for all outputs: names, values, and a sentence.

The last fragment of a frame has it next to its own members, as the member `reassembled`.
"""

from collections.abc import Iterator
from typing import Any, Final

from streamshark.dissection.row import FrameRow
from streamshark.framing.wire_format import WireFormat
from streamshark.schema.nodes import Tree
from streamshark.views.tree_nodes import counted

REASSEMBLED: Final = "reassembled"
"""The member that holds what was reassembled."""
MEMBERS: Final = {
    "command": ("text", "Command of the first fragment; null where that is not in the capture."),
    "count": ("number", "Number of fragments in the capture."),
    "fragments": ("list of number", "Numbers of the frames that are its fragments; 1024 at most."),
    "reason": ("text", "Why they cannot be reassembled; absent if they can."),
}
"""Type and description of each fact about a reassembled frame, besides its parts."""
MOST_LISTED: Final = 16
"""Most fragments whose numbers a sentence lists."""


def facts(row: FrameRow) -> dict[str, Any]:
    """Return the facts about a reassembled frame at its last fragment; empty for other rows."""
    whole = row.whole
    if whole is None or not row.complete:
        return {}
    members = {"command": whole.command, "count": whole.count, "fragments": list(whole.frames)}
    return members if whole.reason is None else {**members, "reason": whole.reason}


def sizes(row: FrameRow) -> dict[str, int]:
    """Return the size in bytes of each part reassembled at this row, in their order."""
    whole = row.whole
    if whole is None or row.decoder is None or not row.complete or whole.reason is not None:
        return {}
    parts = parts_of(row.connection.wire, row.decoder.tree)
    return {name: whole.sizes[name] for name in parts if name in whole.sizes}


def parts_of(wire: WireFormat, tree: Tree) -> tuple[str, ...]:
    """Return the members of a frame that may be reassembled from several, in their order."""
    fragments, run, name = wire.fragments, wire.run, tree.schema.name
    if run is not None and name == run.command:
        return (run.part,)
    return fragments.parts if fragments is not None and name in fragments.continued else ()


def sentence(row: FrameRow) -> str | None:
    """Return a sentence about what a row is a fragment of; None for unfragmented frames."""
    whole = row.whole
    if whole is None:
        return None
    if not row.complete:
        first = f" of {whole.command}" if whole.command else ""
        begin = f", from #{whole.frames[0]} on" if row.piece > 1 and whole.frames else ""
        return f"fragment {row.piece or 1}{first}{begin}"
    numbers = ", ".join(f"#{each}" for each in whole.frames[:MOST_LISTED])
    more = ", ..." if whole.count > MOST_LISTED else ""
    count = counted(whole.count, "fragment")
    text = f"{whole.command or 'a frame'}, {count}: {numbers}{more}"
    if whole.reason is not None:
        return f"not reassembled: {text}; {whole.reason}"
    parts = ", ".join(f"{name} {counted(size, 'byte')}" for name, size in sizes(row).items())
    return f"reassembled {text}; {parts}" if parts else f"reassembled {text}"


def names(wire: WireFormat, tree: Tree) -> Iterator[tuple[str, str, str, str]]:
    """Yield full name, member, type and description of what a frame may be reassembled to."""
    parts = parts_of(wire, tree)
    if not parts:
        return
    prefix = f"{tree.prefix}.{REASSEMBLED}"
    for member, (kind, description) in MEMBERS.items():
        yield f"{prefix}.{member}", member, kind, description
    for part in parts:
        description = f"The {part} of all fragments."
        yield f"{prefix}.{part}", part, "bytes", description
