"""The files of an index: columns with a number for each row, records, and marks of windows."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from streamshark import __version__
from streamshark.index.columns import MODE, IndexDamageError

FORMAT: Final = 4
"""Version of the files; an index of another one is made again."""
ROWS: Final = {
    "time": "q",  # ns since 1970
    "packet": "I",  # number of the packet that completed it
    "flow": "I",
    "offset": "I",  # lower half of the offset in the side's stream
    "length": "I",
    "setting": "I",  # number of the record with what many rows have in common
    "context": "I",  # number of the record with facts of its conversation; or `NO_CONTEXT`
    "since": "H",  # packets since that in which its conversation begins; `FAR`: see its setting
    "asked": "H",  # frames since the one that it answers; 0 without one; `FAR`: see its detail
    "took": "I",  # ns since that frame: `NO_TIME` without, `LONG_TIME` if the detail has it
    "lead": "H",  # payload bytes of the first packet before it; `NO_LEAD` if bytes are elsewhere
    "flags": "B",
}
"""Column to the code of its numbers."""
MARK: Final = "mark"
"""Column of what becomes known of a row later; its numbers have one byte, and change."""
EVENTS: Final = "events"
"""Column with the place of each event among the rows."""
DETAILS: Final = "details"
"""Column with the place of each row with a detail among the rows."""
WINDOWS: Final = {
    "file": "I",
    "first": "I",  # number of the first packet
    "start": "Q",  # offset of the first record
    "size": "I",
    "reader": "I",  # number of the record with the reader's state
}
"""Column of the windows of the captures to the code of its numbers."""
RECORDS: Final = (
    "settings", "contexts", "details", "spool", "conversations", "findings", "matches", "comments",
    "connections", "readers",
)  # fmt: skip

NO_CONTEXT: Final = 0xFFFF_FFFF
"""Context of a row without an annotation."""
NO_TIME: Final = 0xFFFF_FFFF
LONG_TIME: Final = 0xFFFF_FFFE
NO_LEAD: Final = 0xFFFF
FAR: Final = 0xFFFF
"""A distance that is too long for its column."""
SIDE, EVENT, DAMAGED, DETAILED, CARRIES = 1, 2, 4, 8, 16
"""Bits of `flags`: the side of the flow, whether it is an event, has problems, has a detail, and
contains a frame of another protocol."""
SEVERITY, FAILED, UNANSWERED = 7, 8, 16
"""Bits of `mark`: rank of the worst finding plus 1, a failed response, a request without one."""
NO_SEVERITY: Final = 128
"""Bit of a mark that takes the severity away; it is not stored."""


class Detail:
    """Keys of the members of a row's detail."""

    PACKETS, PROBLEMS, SPOOL, CARRIER, FRAGMENT, TOOK, ANSWERS, DERIVED, FIELDS, LEAD = range(10)
    REQUEST = 10


class RowSetting(NamedTuple):
    """What many rows have in common, as it is stored."""

    file: int
    protocol: str
    """Id of the protocol; of an event, its source."""
    wire: str
    """Id of the protocol of the connection."""
    dialect: str
    bare: bool
    carrier: str | None
    embedded: bool
    """Whether the protocol is embedded in another one."""
    command: str | None
    """Name of the command or event; None if unknown."""
    kind: str | None
    decoder: int
    """Place among the decoders of its table; -1 without one."""
    selector: tuple[Any, ...] | None
    sender: str | None
    agreed: int
    """Record with the negotiated values."""
    conversation: tuple[int | None, str, str, int] | None
    """Flow of the conversation if it is another one, its start as `split_start` gives it, its type,
    and the packet in which it begins, if that is far."""
    part_of: tuple[Any, ...] | None
    high: int
    """Upper half of the offset."""


class IndexProgress(NamedTuple):
    """How far an index is."""

    rows: int = 0
    frames: int = 0
    events: int = 0
    packets: int = 0
    read: int = 0
    """Bytes of the captures that were read."""
    size: int = 0
    """Bytes of the captures; 0 if unknown."""
    state: str = "building"
    """`building`, `complete`, `growing`, or `stopped`."""
    reason: str = ""
    """Why it is stopped."""
    started_ns: int | None = None
    """Time of the first packet."""
    is_ordered: bool = True
    """Whether the times of rows never decrease."""
    problems: tuple[str, ...] = ()
    """What could not be read of the captures."""
    notes: tuple[str, ...] = ()
    windows: int = 0
    records: Mapping[str, tuple[int, int, int]] = {}
    """Record file to the numbers of its records, blocks and bytes."""
    flows: int = 0
    """Connections of the captures, recognised or not."""
    is_live: bool = False
    """Whether findings are announced before they are settled, as news."""
    open_version: int = 0
    """How often the conversations that have not ended were stored with other contents."""
    builder: int = 0
    """Id of the process that builds it."""
    beginnings: int = 1
    """How often this process has begun it."""


def write_json(path: Path, value: object) -> None:
    """Replace a file by one with a value as JSON."""
    fresh = path.with_suffix(f".{os.getpid()}.new")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MODE)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            json.dump(value, stream)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file of JSON.

    Raises:
        IndexDamageError: It cannot be read, or holds something else.
    """
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise IndexDamageError(f"{path}: {error.strerror or error}") from None
    except ValueError:
        raise IndexDamageError(f"{path}: not a file of an index") from None
    if not isinstance(value, dict):
        raise IndexDamageError(f"{path}: not a file of an index")
    return value


def write_progress(folder: Path, progress: IndexProgress) -> None:
    """Commit how far an index is."""
    write_json(folder / "progress.json", progress._asdict())


def read_progress(folder: Path) -> IndexProgress:
    """Return how far an index is."""
    found = read_json(folder / "progress.json")
    try:
        made = IndexProgress(**found)
        counts = [
            made.rows,
            made.frames,
            made.events,
            made.windows,
            *(each for record in made.records.values() for each in record),
        ]
    except (TypeError, AttributeError):
        raise IndexDamageError(f"{folder}: not an index") from None
    if any(type(each) is not int or each < 0 for each in counts):
        raise IndexDamageError(f"{folder}: not an index")
    return made._replace(problems=tuple(made.problems), notes=tuple(made.notes))


def header(names: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what identifies the files of an index and who can read it."""
    return {
        "streamshark index": FORMAT,
        "version": __version__,
        "names": names,
        "options": dict(options),
    }
