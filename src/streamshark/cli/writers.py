"""Chooses the view that writes the rows, by the options; all views have one interface."""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import click

from streamshark.cli.options import showing_of
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import EventRow, Row
from streamshark.framing.wire_format import FrameTable, WireFormat
from streamshark.views.json_array import JsonArray

if TYPE_CHECKING:
    from streamshark.conversations.tables import Derived
    from streamshark.fields.registry import Fields
    from streamshark.parallel.messages import Others

DAMAGE = frozenset({"gap", "resync", "partial"})
"""Events of TCP that report damage."""


class RowWriter(Protocol):
    """The interface of every view of rows."""

    shows_annotations: bool
    """Whether it shows any annotation of rows."""

    @property
    def malformed_bodies(self) -> int:
        """Number of rows so far with malformed payloads; 0 where payloads are not decoded."""

    def row(self, row: Row) -> str:
        """Return one row as text."""


class Rows:
    """The rows of one output as text, and the number of damaged ones."""

    def __init__(
        self,
        printer: RowWriter,
        hide: Callable[[Row], Row] | None = None,
        *,
        first: str = "",
        end: str = "\n",
        after: "Callable[[Others], object] | None" = None,
    ) -> None:
        self.printer = printer
        self.hide = hide
        """Masks the secrets of a row; None if they are shown."""
        self.after = after
        """Adapts the view to rows that other processes show; None if it depends on none."""
        self.first = first
        self.end = end
        self._damaged = 0

    def head(self) -> str:
        """Return the text before the first row."""
        return self.first

    def row(self, row: Row) -> str:
        """Return one row as text, with its line end."""
        self._damaged += is_damage(row)
        if self.hide is not None:
            row = self.hide(row)
        return self.printer.row(row) + self.end

    def skip(self, others: "Others") -> None:
        """Account for rows that other processes show before the next one."""
        if self.after is not None:
            self.after(others)

    @property
    def problems(self) -> int:
        """Number of rows with problems, payloads included, and of events that report damage."""
        return self._damaged + self.printer.malformed_bodies

    def tail(self) -> str:
        """Return the text after the last row."""
        return ""


class Array(Rows):
    """The rows of one output as a JSON array, one row per line."""

    def __init__(self, printer: RowWriter, hide: Callable[[Row], Row] | None) -> None:
        super().__init__(printer, hide, first=JsonArray.START, end="")
        self._array = JsonArray()

    def row(self, row: Row) -> str:
        """Return one element, after its separator."""
        return self._array.item(super().row(row))

    def skip(self, others: "Others") -> None:
        """Account for elements that other processes show before the next one."""
        super().skip(others)
        self._array.skip()

    def tail(self) -> str:
        """Return the end of the array."""
        return f"{self._array.end}\n"


def printer_of(
    given: dict[str, Any],
    *,
    files: Sequence[str] = (),
    layers: PayloadReaders | None = None,
    start: Callable[[], int | None] | None = None,
    fields: "Callable[[], Fields] | None" = None,
) -> Rows:
    """Return the view that the options choose.

    `start` returns the time of the first packet, and is None for bytes without packets. `layers`
    decodes payloads. `fields` returns the registry of fields; it is called for `-T fields`.
    """
    form, showing = given["form"], showing_of(given)
    hide = None if showing.secrets else SecretMask(layers).row
    if form == "fields" and fields is not None:
        return _columns(given, fields(), hide)
    if form != "text":
        from streamshark.views.json import JsonRows  # noqa: PLC0415 - only the chosen view is loaded

        rows = JsonRows(
            showing, files, loose=start is None, layers=layers, twice=given.get("twice", False)
        )
        return Array(rows, hide) if form == "json" else Rows(rows, hide)
    from streamshark.views.colour import Palette, wanted  # noqa: PLC0415

    palette = Palette(enabled=wanted(given["colour"], sys.stdout))
    secrets, loose = showing.secrets, start is None
    printer: RowWriter
    after: Callable[[Others], object] | None = None
    if given["tree"]:
        from streamshark.views.packet_details import DetailRows  # noqa: PLC0415
        from streamshark.views.payload_tree import PayloadTree  # noqa: PLC0415

        bodies = None if layers is None else PayloadTree(layers, showing.bodies)
        printer = DetailRows(palette, secrets=secrets, files=files, loose=loose, bodies=bodies)
    else:
        from streamshark.views.text import TextRows  # noqa: PLC0415
        from streamshark.views.times import Clock  # noqa: PLC0415

        style, digits = given["time"]
        clock = Clock(style, start or _nothing, digits)
        printer = lines = TextRows(
            clock,
            palette,
            secrets=secrets,
            files=files,
            loose=loose,
            layers=layers if given["bodies"] == "decoded" else None,
            strict=given["strict"],
        )

        def widen(others: "Others") -> None:
            clock.skip(others.time_ns)
            lines.widen(others.packet, others.width)

        after = widen

    if given["dump"]:
        from streamshark.views.packet_details import WithHexDump  # noqa: PLC0415

        printer = WithHexDump(printer)
    return Rows(printer, hide, after=after)


def with_bytes(
    printer: RowWriter, wires: Iterable[WireFormat], layers: PayloadReaders, table: FrameTable
) -> RowWriter:
    """Return the view; JSON with the bytes of frames whose fields do not say all of them.

    The frames are of `table`. JSON does not name its dialect, so they are to be the same frames in
    the default one.
    """
    from streamshark.views.json import JsonRows  # noqa: PLC0415
    from streamshark.views.json_encoder import JsonEncoder, RowsWithBytes  # noqa: PLC0415

    if not isinstance(printer, JsonRows):
        return printer
    ways = [[each.table() for each in wires]]
    if table.dialect:
        ways.append([table.wire.table(table.dialect)])
    return RowsWithBytes(printer, [JsonEncoder(each, layers) for each in ways], bare=table.bare)


def _columns(given: dict[str, Any], fields: "Fields", hide: Callable[[Row], Row] | None) -> Rows:
    from streamshark.views.fields_output import FieldRows, Layout  # noqa: PLC0415

    layout = Layout(**given["layout"])
    columns = FieldRows(given["fields"], fields, layout, showing_of(given))
    return Rows(columns, hide, first=columns.header() + "\n" if layout.header else "")


def _nothing() -> None:
    """Return None: no time is known."""


def shows_bodies(given: dict[str, Any]) -> bool:
    """Return whether payloads are decoded, to be shown or to be checked by `--strict`."""
    form, looks = given["form"], given["tree"] or given["strict"]
    return given["bodies"] == "decoded" and (
        form in ("json", "ndjson") or (form == "text" and looks)
    )


def shows_derived(given: dict[str, Any]) -> "Callable[[Derived], bool]":
    """Return a filter of derived values: all in a tree, marked ones in lines, chosen columns."""
    if given["form"] == "text":
        return lambda table: bool(given["tree"] or table.mark)
    asked = {name.rpartition(".")[2] for name in given.get("fields") or ()}
    return lambda table: table.name in asked


def shows_wholes(given: dict[str, Any]) -> bool:
    """Return whether reassembled payloads are shown, so that fragments must be kept."""
    if given["form"] == "fields":
        return True  # fields of embedded records may be chosen
    return given["bodies"] != "size" and (given["form"] != "text" or bool(given["tree"]))


def check(given: dict[str, Any]) -> None:
    """Raise a usage error for options that conflict, before any capture is opened."""
    form = given["form"]
    if given["dump"] and form != "text":
        raise click.UsageError(
            "-x needs -T text; in JSON, --bodies raw shows message bodies as hex"
        )
    if form == "fields" and not given["fields"]:
        raise click.UsageError("-T fields needs at least one -e FIELD")
    if form != "fields" and (given.get("fields") or given.get("layout")):
        raise click.UsageError("-e and -E need -T fields")


def is_damage(row: Row) -> bool:
    """Return whether a row has problems, or is an event that reports damage."""
    if isinstance(row, EventRow) and row.protocol == "tcp":
        return row.name in DAMAGE
    return bool(row.problems)
