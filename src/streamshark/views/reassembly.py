"""What fragments are together, for all outputs: names, values, and a sentence.

The last fragment of a frame has it beside its own members, as the member `reassembled`.
"""

from collections.abc import Iterator
from typing import Any, Final

from streamshark.dissection.row import FrameRow
from streamshark.framing.wire_format import WireFormat
from streamshark.schema.nodes import Tree
from streamshark.views.tree_nodes import counted

REASSEMBLED: Final = "reassembled"
"""The member that holds it."""
MEMBERS: Final = {
    "command": ("text", "Command of the first fragment; null where that is not in the capture."),
    "count": ("number", "Fragments, those that are not in the capture left out."),
    "fragments": ("list of number", "Numbers of the frames that are its fragments; 1024 at most."),
    "reason": ("text", "Why they cannot be put together; absent where they can."),
}
"""What is told of a frame that came in fragments, beside its parts: type and sentence."""
MOST_TOLD: Final = 16
"""Numbers of fragments in a sentence."""


def facts(row: FrameRow) -> dict[str, Any]:
    """What is told at the last fragment of a frame, its parts left out; empty for other rows."""
    whole = row.whole
    if whole is None or not row.complete:
        return {}
    told = {"command": whole.command, "count": whole.count, "fragments": list(whole.frames)}
    return told if whole.reason is None else {**told, "reason": whole.reason}


def sizes(row: FrameRow) -> dict[str, int]:
    """Bytes of each part of what was put together at this row, in their order."""
    whole = row.whole
    if whole is None or row.decoder is None or not row.complete or whole.reason is not None:
        return {}
    parts = parts_of(row.connection.wire, row.decoder.tree)
    return {name: whole.sizes[name] for name in parts if name in whole.sizes}


def parts_of(wire: WireFormat, tree: Tree) -> tuple[str, ...]:
    """Members of a frame that may be put together with those of others, in their order."""
    fragments, run, name = wire.fragments, wire.run, tree.schema.name
    if run is not None and name == run.command:
        return (run.part,)
    return fragments.parts if fragments is not None and name in fragments.continued else ()


def sentence(row: FrameRow) -> str | None:
    """What a row is a fragment of; None for one that is none."""
    whole = row.whole
    if whole is None:
        return None
    if not row.complete:
        first = f" of {whole.command}" if whole.command else ""
        begin = f", from #{whole.frames[0]} on" if row.piece > 1 and whole.frames else ""
        return f"fragment {row.piece or 1}{first}{begin}"
    numbers = ", ".join(f"#{each}" for each in whole.frames[:MOST_TOLD])
    more = ", ..." if whole.count > MOST_TOLD else ""
    count = counted(whole.count, "fragment")
    told = f"{whole.command or 'a frame'}, {count}: {numbers}{more}"
    if whole.reason is not None:
        return f"not reassembled: {told}; {whole.reason}"
    parts = ", ".join(f"{name} {counted(size, 'byte')}" for name, size in sizes(row).items())
    return f"reassembled {told}; {parts}" if parts else f"reassembled {told}"


def names(wire: WireFormat, tree: Tree) -> Iterator[tuple[str, str, str, str]]:
    """Full name, member, type and sentence of what a frame may have."""
    parts = parts_of(wire, tree)
    if not parts:
        return
    prefix = f"{tree.prefix}.{REASSEMBLED}"
    for member, (kind, told) in MEMBERS.items():
        yield f"{prefix}.{member}", member, kind, told
    for part in parts:
        told = f"The {part} of all fragments."
        yield f"{prefix}.{part}", part, "bytes", told
