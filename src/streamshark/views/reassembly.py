"""What fragments are reassembled to, in words.

The last fragment of a frame has it next to its own members, as the member `reassembled`.
"""

from typing import Final

from streamshark.dissection.row import FrameRow
from streamshark.fields.reassembled import parts_of
from streamshark.views.tree_nodes import counted

MOST_LISTED: Final = 16
"""Most fragments whose numbers a sentence lists."""


def sizes(row: FrameRow) -> dict[str, int]:
    """Return the size in bytes of each part reassembled at this row, in their order."""
    whole = row.whole
    if whole is None or row.decoder is None or not row.complete or whole.reason is not None:
        return {}
    parts = parts_of(row.connection.wire, row.decoder.tree)
    return {name: whole.sizes[name] for name in parts if name in whole.sizes}


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
