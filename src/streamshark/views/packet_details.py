"""Rows as blocks of lines: a head, the tree of the frame, and its bytes."""

from collections.abc import Sequence
from typing import Protocol

from streamshark.dissection.masking import MaskedRow
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.views.annotations import sentences
from streamshark.views.colour import Palette
from streamshark.views.escaping import printable
from streamshark.views.hexdump import dump
from streamshark.views.info_column import plain
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.times import Rfc3339
from streamshark.views.tree import FrameTree
from streamshark.views.tree_items import STEP, lines
from streamshark.views.tree_nodes import Subtrees


class DetailRows:
    """A view of rows as trees; each block ends with an empty line."""

    shows_annotations = True

    def __init__(
        self,
        palette: Palette,
        *,
        secrets: bool,
        files: Sequence[str] = (),
        loose: bool = False,
        bodies: PayloadTree | None = None,
    ) -> None:
        self.palette = palette
        self.bodies = bodies
        """Writes payloads; if None, they are hex."""
        self.secrets = secrets
        self.files = [printable(name) for name in files]
        self.loose = loose
        self.malformed_bodies = 0
        """Number of rows so far with malformed payloads."""
        self._time = Rfc3339()
        self._subtrees = Subtrees()

    def row(self, row: Row) -> str:
        """Return the block of lines of a row."""
        lines = self.frame(row) if isinstance(row, FrameRow) else self.event(row)
        return "\n".join(lines) + "\n"

    def frame(self, row: FrameRow) -> list[str]:
        """Return the lines of a frame: head, position, members, negotiated values, annotation."""
        name = self.palette.paint("command", row.name or "unknown")
        kind = f" ({row.kind})" if row.kind else ""
        size = f"{len(row.data)} bytes"
        head = f"Frame {row.number}: {row.connection.wire.short} {name}{kind}, {size}"
        tree = FrameTree(row, self._subtrees, secrets=self.secrets, bodies=self.bodies)
        self.malformed_bodies += tree.has_malformed_bodies
        selected = self._selected(row) if row.decoder is None else []
        return [
            head,
            *self._place(row),
            *selected,
            *lines(tree.items, self.palette, 1),
            *self._agreed(row),
            *self._annotation(row),
        ]

    def event(self, row: Row) -> list[str]:
        """Return the lines of an event: head, position, facts."""
        if not isinstance(row, EventRow):
            raise TypeError(row)
        head = f"Event: {row.protocol} {self.palette.paint('event', row.name)}"
        facts = [
            f"{STEP}{self.palette.paint('name', name)}: {plain(value, 0)}"
            for name, value in row.fields.items()
            if value is not None and name != "sender"
        ]
        wrong = [
            f"{STEP}{self.palette.paint('warning', each.code.word)}: {each.message}"
            for each in row.problems
        ]
        return [head, *self._place(row), *facts, *wrong]

    def _place(self, row: Row) -> list[str]:
        """Return the position of a row, as generated lines."""
        notes = place_notes(row, self._time, self.files, loose=self.loose)
        return [STEP + self.palette.paint("generated", f"[{each}]") for each in notes]

    def _selected(self, row: FrameRow) -> list[str]:
        """Return the members of the head of a frame without a schema."""
        if row.selector is None:
            return []
        key = row.selector.key
        facts = [("key", f"{key:#x}" if isinstance(key, int) else plain(key))]
        if row.selector.version is not None:
            facts.append(("version", str(row.selector.version)))
        facts.append(("response", str(int(row.selector.response))))
        return [f"{STEP}{self.palette.paint('name', name)}: {value}" for name, value in facts]

    def _agreed(self, row: FrameRow) -> list[str]:
        """Return the values that a frame negotiates for its connection."""
        notes = negotiated(row)
        return [STEP + self.palette.paint("generated", f"[{each}]") for each in notes]

    def _annotation(self, row: Row) -> list[str]:
        """Return the lines of a row's annotation."""
        notes = sentences(row)
        return [STEP + self.palette.paint("generated", f"[{each}]") for each in notes]


class RowView(Protocol):
    """The interface of every view of rows."""

    malformed_bodies: int
    """Number of rows so far with malformed payloads."""

    def row(self, row: Row) -> str:
        """Return one row as text."""


class WithHexDump:
    """Rows of another view, each followed by the bytes of its frame."""

    shows_annotations = True

    def __init__(self, printer: RowView) -> None:
        self.printer = printer

    @property
    def malformed_bodies(self) -> int:
        """The number that the other view has counted."""
        return self.printer.malformed_bodies

    def row(self, row: Row) -> str:
        """Return the row, then its bytes and an empty line."""
        text = self.printer.row(row)
        if not isinstance(row, FrameRow):
            return text
        hidden = row.hidden if isinstance(row, MaskedRow) else []
        return f"{text}\n{dump(row.data, hidden)}"


def place_notes(row: Row, time: Rfc3339, files: Sequence[str], *, loose: bool = False) -> list[str]:
    """Return the position of a row as texts; a `loose` one is in no capture.

    `files` are the names of the captures, if there are several.
    """
    sender = f"sent by the {row.sender}" if row.sender else "unknown sender"
    if loose:
        return [sender]
    src, dst = row.addresses
    word = "packet" if len(row.packets) == 1 else "packets"
    packets = ", ".join(map(str, row.packets))
    file = f" of {files[row.file]}" if files else ""
    flow = f"flow {row.connection.flow.number}: {src} -> {dst}"
    return [f"{word} {packets}{file}", time(row.time_ns) or str(row.time_ns), f"{flow}, {sender}"]


def negotiated(row: FrameRow) -> list[str]:
    """Return the values that a frame negotiates for its connection, as texts."""
    if row.decoder is None or row.selector is None:
        return []
    schema = row.decoder.tree.schema
    found = row.connection.table.agreements.get((schema.name, row.selector.response), ())
    notes = []
    for each in found:
        value = each.value_in(schema, row.values)
        if value is not None:
            shown = f"{len(value)} items" if isinstance(value, list) else plain(value)
            notes.append(f"negotiated: {each.name} = {shown}")
    return notes
