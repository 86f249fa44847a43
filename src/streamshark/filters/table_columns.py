"""A filter of tables: columns of `frames`, or of a command's table, as plain Python sequences.

The columns have the names and values of `arrow.schema` (`pyarrow.Table.to_pydict`). A row is its
index in them; the code that tests it is that of rows of captures.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from streamshark.fields.access import occurrences
from streamshark.fields.field import ConstantValue, FieldInfo, Getter
from streamshark.fields.registry import Fields
from streamshark.fields.rows import HEADERS, MEMBERS
from streamshark.filters.error import FilterError
from streamshark.filters.filter import fields_of, protocol_bytes
from streamshark.filters.predicate import EVENTS, Predicate, RowKind
from streamshark.filters.row_fields import RowFields
from streamshark.filters.syntax import parse
from streamshark.filters.typed import FieldValue, typed

Columns = Mapping[str, Sequence[Any]]

_ALIASES: Final = {
    "time": "time_ns", "frame.time": "time_ns", "frame.time_epoch": "time_ns",
    "frame.number": "packet", "tcp.stream": "flow", "problem": "problems",
    "response_time": "response_time_ns",
}  # fmt: skip
"""Column of each member that has another name there."""


def selected(text: str, columns: Columns, fields: Fields, command: str = "") -> list[int]:
    """Return the indices of the rows that satisfy a filter.

    Args:
        text: The filter.
        columns: Columns of equal length, by name.
        fields: The fields that the filter may name.
        command: Full name of the command whose table it is; empty for `frames`.

    Raises:
        FilterError: The text is no filter, or names what the table has not.
    """
    size = len(next(iter(columns.values()), ()))
    node = parse(text)
    if node is None:
        return list(range(size))
    known = ColumnFields(columns, fields, command)
    test = typed(node, text, RowFields(fields))
    lacking = [each for each in fields_of(test) if not known.has(each)]
    for each in (*protocol_bytes(test), *lacking):
        raise FilterError(f"the table has no {each.field.name}", text, 0, len(text))
    predicate = Predicate(test, known)
    return [at for at in range(size) if predicate(at)]


class ColumnFields:
    """The fields of a table's rows, which are indices."""

    def __init__(self, columns: Columns, fields: Fields, command: str) -> None:
        self._columns, self._fields, self._command = columns, fields, command

    def has(self, field: FieldValue) -> bool:
        """Return whether the table knows a field, or that its rows never have it."""
        if field.selected or field.layers:
            return False
        prefix = ".".join(field.field.name.split(".", 2)[:2])
        is_other = bool(self._command) and self._is_command(prefix) and prefix != self._command
        return is_other or self.getter(field, EVENTS) is not None

    def getter(self, field: FieldValue, _kind: RowKind) -> Getter | ConstantValue | None:
        """Return what gets a field from an index; None where no row has it."""
        name = field.field.name
        column = _ALIASES.get(name, name)
        if column in self._columns:
            return self._column(column, (), field.field)
        short, _, rest = name.partition(".")
        if short not in self._fields.protocols:
            return None
        if name == self._command or (self._command and name == self._command.partition(".")[0]):
            return ConstantValue(value=True)
        if not self._command and (not rest or self._is_command(name) or rest in HEADERS):
            return self._of_frames(short, name, rest)
        return self._of_body(field.field)

    def _is_command(self, name: str) -> bool:
        own = self._fields.protocols.get(name.partition(".")[0])
        return own is not None and name in own.prefixes

    def _column(self, column: str, path: Sequence[str], field: FieldInfo) -> Getter:
        """Return what gets the values of a column, or those at a path in them."""
        cells = self._columns[column]
        if not path and not field.many:
            label = f"c_{id(cells)}"
            return Getter(f"{label}[row]", {label: cells})
        inner = ("code",) if column == "problems" else path

        def get(row: int) -> Sequence[Any]:
            found = occurrences(cells[row], inner)
            return [each for each in found if each is not None]

        return _calling(get)

    def _of_frames(self, short: str, name: str, rest: str) -> Getter | None:
        """Return what gets a header field, or the presence of a protocol or command."""
        own = self._fields.protocols[short]
        protocols, id = self._columns["protocol"], own.wire.id  # noqa: A001 - as in `WireFormat`
        if rest in HEADERS:
            inner = self.getter(_member(rest), EVENTS)
            if not isinstance(inner, Getter):
                return None
            values = inner.values
            kind = own.headers[name].type.kind
            convert = int if rest == "correlation_id" and kind == "int" else None
            return _calling(
                lambda row: (
                    [convert(each) if convert else each for each in values(row)]
                    if protocols[row] == id
                    else ()
                )
            )
        if not rest:
            return _calling(lambda row: (True,) if protocols[row] == id else ())
        names = {(each.schema.name, each.schema.kind.value) for each in own.prefixes[name]}
        commands, kinds = self._columns["command"], self._columns["kind"]
        return _calling(
            lambda row: (
                (True,) if protocols[row] == id and (commands[row], kinds[row]) in names else ()
            )
        )

    def _of_body(self, field: FieldInfo) -> Getter | None:
        """Return what gets a member of a column's values, or a flag of a number."""
        parts = field.name.split(".")
        for length in range(len(parts) - 1, 1, -1):
            column, path = ".".join(parts[:length]), parts[length:]
            if column not in self._columns:
                continue
            around = self._fields.find(column)
            for mask, flag in ((around.flags or {}) if around else {}).items():
                if [flag] == path:
                    cells = self._columns[column]
                    return _calling(_flag(cells, mask))
            return self._column(column, path, field)
        return None


def _member(name: str) -> FieldValue:
    field = MEMBERS.get(name) or MEMBERS[_ALIASES[name]]
    return FieldValue(field, field.type)


def _flag(cells: Sequence[Any], mask: int) -> Any:  # noqa: ANN401 - a function of an index
    return lambda row: () if cells[row] is None else (cells[row] & mask != 0,)


def _calling(get: Any) -> Getter:  # noqa: ANN401 - a function of an index
    label = f"t_{id(get)}"
    return Getter(f"{label}(row)", {label: get}, many=True)
