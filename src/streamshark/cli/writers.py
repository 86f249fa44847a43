"""Which view writes the rows: chosen by the options, one interface for all of them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import click

from streamshark.cli.options import showing_of
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import EventRow, Row
from streamshark.framing.wire_format import FrameTable

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived

DAMAGE = frozenset({"gap", "resync", "partial"})
"""Events that are damage."""


class RowWriter(Protocol):
    """What every view of rows is."""

    shows_told: bool
    """Whether it shows anything of what conversations tell of rows."""

    @property
    def odd_bodies(self) -> int:
        """Rows so far with something wrong inside of their bodies, where bodies are read."""

    def row(self, row: Row) -> str:
        """One row as text."""


class Rows:
    """Rows as the text of one output, and how many of them were damaged."""

    def __init__(
        self,
        printer: RowWriter,
        hide: Callable[[Row], Row] | None = None,
        *,
        first: str = "",
        end: str = "\n",
    ) -> None:
        self.printer = printer
        self.hide = hide
        """What hides the secrets of a row; None where they are shown."""
        self.first = first
        self.end = end
        self._damaged = 0

    def head(self) -> str:
        """What stands before the first row."""
        return self.first

    def row(self, row: Row) -> str:
        """One row, with its end."""
        self._damaged += is_damage(row)
        if self.hide is not None:
            row = self.hide(row)
        return self.printer.row(row) + self.end

    @property
    def problems(self) -> int:
        """Rows with problems, those in bodies that were read included; events that are damage."""
        return self._damaged + self.printer.odd_bodies

    def tail(self) -> str:
        """What stands behind the last row."""
        return ""


class Array(Rows):
    """Rows as one JSON array, a row a line."""

    def __init__(self, printer: RowWriter, hide: Callable[[Row], Row] | None) -> None:
        super().__init__(printer, hide, first="[", end="")
        self.between = "\n"

    def row(self, row: Row) -> str:
        """One element, with what parts it from the one before."""
        between, self.between = self.between, ",\n"
        return between + super().row(row)

    def tail(self) -> str:
        """The end of the array."""
        return "]\n" if self.between == "\n" else "\n]\n"


def printer_of(
    given: dict[str, Any],
    tables: Sequence[FrameTable],
    *,
    files: Sequence[str] = (),
    layers: PayloadReaders | None = None,
    start: Callable[[], int | None] | None = None,
    derived: "Callable[[], Mapping[str, Derived]]" = dict,
) -> Rows:
    """The view that the options ask for.

    `start` tells the first packet's time; None when the bytes came without packets. `layers` reads
    bodies. `derived` are values that the engine works out, by full name.
    """
    form, showing = given["form"], showing_of(given)
    hide = None if showing.secrets else SecretMask(layers).row
    if form == "fields":
        return _columns(given, tables, files, layers, derived, hide)
    if form != "text":
        from streamshark.views.json import JsonRows  # noqa: PLC0415 - only what is shown loads

        rows = JsonRows(
            showing, files, loose=start is None, layers=layers, twice=given.get("twice", False)
        )
        return Array(rows, hide) if form == "json" else Rows(rows, hide)
    from streamshark.views.colour import Palette, wanted  # noqa: PLC0415

    palette = Palette(enabled=wanted(given["colour"], sys.stdout))
    secrets, loose = showing.secrets, start is None
    printer: RowWriter
    if given["tree"]:
        from streamshark.views.packet_details import DetailRows  # noqa: PLC0415
        from streamshark.views.payload_tree import PayloadTree  # noqa: PLC0415

        bodies = None if layers is None else PayloadTree(layers, palette, showing.bodies)
        printer = DetailRows(palette, secrets=secrets, files=files, loose=loose, bodies=bodies)
    else:
        from streamshark.views.text import TextRows  # noqa: PLC0415
        from streamshark.views.times import Clock  # noqa: PLC0415

        style, digits = given["time"]
        clock = Clock(style, start or _nothing, digits)
        printer = TextRows(
            clock,
            palette,
            secrets=secrets,
            files=files,
            loose=loose,
            layers=layers if given["bodies"] == "decoded" else None,
            strict=given["strict"],
        )
    if given["dump"]:
        from streamshark.views.packet_details import WithHexDump  # noqa: PLC0415

        printer = WithHexDump(printer)
    return Rows(printer, hide)


def _columns(
    given: dict[str, Any],
    tables: Sequence[FrameTable],
    files: Sequence[str],
    layers: PayloadReaders | None,
    derived: "Callable[[], Mapping[str, Derived]]",
    hide: Callable[[Row], Row] | None,
) -> Rows:
    from streamshark.views.fields_output import FieldRows, Layout  # noqa: PLC0415

    layout = Layout(**given["layout"])
    columns = FieldRows(given["fields"], tables, layout, showing_of(given), files, layers, derived)
    return Rows(columns, hide, first=columns.header() + "\n" if layout.header else "")


def _nothing() -> None:
    """No packet, no time."""


def shows_bodies(given: dict[str, Any]) -> bool:
    """Whether bodies are read, so that formats are worth loading: to be shown, or to be strict."""
    form, looks = given["form"], given["tree"] or given["strict"]
    return given["bodies"] == "decoded" and (
        form in ("json", "ndjson") or (form == "text" and looks)
    )


def shows_derived(given: dict[str, Any]) -> "Callable[[Derived], bool]":
    """Which derived values of rows are shown: all in a tree, some in lines, chosen columns."""
    if given["form"] == "text":
        return lambda table: bool(given["tree"] or table.mark)
    asked = {name.rpartition(".")[2] for name in given.get("fields") or ()}
    return lambda table: table.name in asked


def shows_wholes(given: dict[str, Any]) -> bool:
    """Whether what fragments are together is shown, so that it is worth keeping."""
    if given["form"] == "fields":
        return True  # records in slots may be asked for, too
    return given["bodies"] != "size" and (given["form"] != "text" or bool(given["tree"]))


def check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is opened."""
    form = given["form"]
    if given["dump"] and form != "text":
        raise click.UsageError("-x goes with -T text; --bodies raw has the bytes of bodies in JSON")
    if form == "fields" and not given["fields"]:
        raise click.UsageError("-T fields needs at least one -e FIELD")
    if form != "fields" and (given.get("fields") or given.get("layout")):
        raise click.UsageError("-e and -E go with -T fields")


def is_damage(row: Row) -> bool:
    """Whether a row has problems, or is an event that tells of damage."""
    if isinstance(row, EventRow) and row.protocol == "tcp":
        return row.name in DAMAGE
    return bool(row.problems)
