"""The columns of Wireshark's packet list as fields: `_ws.col.info`, `_ws.col.protocol`, ....

The text of the Info column is that of the lines of `read` without annotations; commands hand in
what makes it (`Fields.info`).
"""

from collections.abc import Callable
from typing import Final

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import FieldInfo
from streamshark.filters import kinds

INFO: Final = "_ws.col.info"
PROTOCOL: Final = "_ws.col.protocol"
BETWEEN: Final = " | "
"""Is between the texts of the frames that one packet completes."""
TCP: Final = "TCP"

_ENDS: Final = {"_ws.col.def_src": 0, "_ws.col.def_dst": 1}
COLUMNS: Final = {
    name: FieldInfo(name, "", kinds.TEXT, doc)
    for name, doc in (
        (INFO, "The text of the Info column."),
        (PROTOCOL, "The protocol, as the Protocol column shows it."),
        ("_ws.col.def_src", "The Source column: an address."),
        ("_ws.col.def_dst", "The Destination column: an address."),
    )
}
"""The columns that filters may name."""


def column(name: str, info: Callable[[Row], str] | None) -> Callable[[Row], tuple[str, ...]]:
    """Return what gets a column from rows; none where nothing makes the text of Info."""
    if name == INFO:
        return lambda row: () if info is None else (info(row),)
    if name == PROTOCOL:
        return lambda row: (protocol_of(row),)
    at = _ENDS[name]
    return lambda row: (row.addresses[at].rpartition(":")[0].strip("[]"),)


def protocol_of(row: Row) -> str:
    """Return the protocol of a row as the plugins show it."""
    return row.connection.wire.short.upper() if isinstance(row, FrameRow) else TCP
