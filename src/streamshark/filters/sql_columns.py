"""Where fields are in the tables of an archive: columns of `frames`, and of the tables of commands.

`frames` has the members that all rows share; a field of a frame's body is a column of its command's
table, or a member of one (see `arrow.columns`), which is joined to `frames` by the row's identity.
"""

from itertools import count
from typing import Final, NamedTuple

from streamshark.arrow.columns import ArrowColumn, columns
from streamshark.fields.common_fields import CommonField, sources
from streamshark.fields.field import FieldInfo
from streamshark.fields.protocol_fields import ProtocolFields
from streamshark.fields.registry import Fields
from streamshark.fields.rows import HEADERS, MEMBERS

FRAMES: Final = "f"
"""Alias of the table `frames`."""

_TEXT_OF_PORT: Final = "TRY_CAST(regexp_extract({}, ':([0-9]+)$', 1) AS BIGINT)"
_IPV4: Final = r"^([0-9]+)[.]([0-9]+)[.]([0-9]+)[.]([0-9]+):"


class SqlValue(NamedTuple):
    """An expression with the values of a field."""

    text: str
    many: bool = False
    """Whether it is an array of values; else it is NULL where the field is absent."""


def _address(end: str) -> str:
    """Return the expression of an IPv4 address as a number; NULL of others."""
    parts = (
        f"TRY_CAST(regexp_extract({end}, '{_IPV4}', {at}) AS BIGINT) * {256 ** (4 - at)}"
        for at in range(1, 5)
    )
    return f"CASE WHEN {end} RLIKE '{_IPV4}' THEN {' + '.join(parts)} END"


def _version(version: int) -> str:
    is_in_brackets = "" if version == 6 else "NOT "  # noqa: PLR2004 - of IP
    return f"CASE WHEN {is_in_brackets}startswith({FRAMES}.src, '[') THEN TRUE END"


_MEMBERS: Final = {
    name: f"{FRAMES}.{column}"
    for name, column in (
        *((each, each) for each in MEMBERS if each not in {"packets", "problems", "context"}),
        ("time", "time_ns"),
        ("frame.time", "time_ns"),
        ("frame.time_epoch", "time_ns"),
        ("frame.number", "packet"),
        ("tcp.stream", "flow"),
        ("problem", "problems"),
        ("response_time", "response_time_ns"),
    )
}
_LACKING: Final = frozenset({"response_frame", "carrier"})
"""Members without a column, or without values in it."""
_PORTS: Final = tuple(_TEXT_OF_PORT.format(f"{FRAMES}.{end}") for end in ("src", "dst"))
_ADDRESSES: Final = tuple(_address(f"{FRAMES}.{end}") for end in ("src", "dst"))
_OTHERS: Final = {
    "packets": SqlValue(f"{FRAMES}.packets", many=True),
    "problems": SqlValue(f"transform({FRAMES}.problems, p -> p.code)", many=True),
    "tcp": SqlValue("TRUE"),
    "tcp.srcport": SqlValue(_PORTS[0]),
    "tcp.dstport": SqlValue(_PORTS[1]),
    "tcp.port": SqlValue(f"array({', '.join(_PORTS)})", many=True),
    "ip": SqlValue(_version(4)),
    "ipv6": SqlValue(_version(6)),
    "ip.src": SqlValue(_ADDRESSES[0]),
    "ip.dst": SqlValue(_ADDRESSES[1]),
    "ip.addr": SqlValue(f"array({', '.join(_ADDRESSES)})", many=True),
}
"""Fields that are no plain columns of `frames`."""


class SqlColumns:
    """The fields of rows as SQL, and the tables that they need."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.tables: dict[str, str] = {}
        """Tables of commands to join, by alias to the full name of the command."""
        self._names = count()

    def value(self, field: FieldInfo) -> SqlValue | None:
        """Return the expression of a field; None if no table has it."""
        name = field.name
        if field.secret or name in _LACKING:
            return None
        if name in _OTHERS:
            return _OTHERS[name]
        if name in _MEMBERS:
            return SqlValue(_MEMBERS[name])
        own = self.fields.protocols.get(name.partition(".")[0])
        return None if own is None else self._of_protocol(own, name)

    def _of_protocol(self, own: ProtocolFields, name: str) -> SqlValue | None:
        """Return a field of a protocol, or the presence of it or of a command."""
        rest = name.partition(".")[2]
        if not rest or name in own.prefixes:
            is_there = _is_command(own, name) if rest else _is_protocol(own)
            return SqlValue(f"CASE WHEN {is_there} THEN TRUE END")
        if rest in HEADERS:
            return self._header(own, rest)
        return self._common(own, name) if own.is_common(name) else self._of_command(own, name)

    def joins(self) -> str:
        """Return the joins of the tables of commands to `frames`."""
        out = []
        for alias, prefix in self.tables.items():
            own = self.fields.protocols[prefix.partition(".")[0]]
            same = " AND ".join(
                f"{alias}.{key} = {FRAMES}.{key}" for key in ("file", "packet", "flow", "offset")
            )
            table = prefix.replace(".", "_")
            out.append(f"LEFT JOIN {table} {alias} ON {_is_command(own, prefix)} AND {same}")
        return "".join(f"\n{each}" for each in out)

    def _header(self, own: ProtocolFields, rest: str) -> SqlValue | None:
        """Return a header field: the column, where the frame is of the protocol."""
        if rest in _LACKING:
            return None
        if rest == "problem":
            text = f"transform({FRAMES}.problems, p -> p.code)"
            return SqlValue(f"CASE WHEN {_is_protocol(own)} THEN {text} END", many=True)
        column = _MEMBERS.get(rest, "")
        if rest == "correlation_id" and own.headers[f"{own.wire.short}.{rest}"].type.kind != "text":
            column = f"TRY_CAST({column} AS DECIMAL(20, 0))"
        return SqlValue(f"CASE WHEN {_is_protocol(own)} THEN {column} END")

    def _common(self, own: ProtocolFields, name: str) -> SqlValue | None:
        """Return a field that spans commands: of each command's table, else of the context."""
        field, table, flag = own.common[name]
        if flag or _is_embedded(own, name):
            return None
        found = {
            prefix: f"{self._table(prefix)}.`{name}`"
            for prefix, decoders in own.prefixes.items()
            if any(each.name == name for one in decoders for each in self._carried(own, one))
        }
        values = [f"array({each})" if not field.many else each for each in found.values()]
        arms = [
            f"WHEN {_is_command(own, prefix)} THEN {value}"
            for prefix, value in zip(found, values, strict=True)
        ]
        if isinstance(table, CommonField) and table.context and field.type.kind == "text":
            known = f"get_json_object({FRAMES}.context, '$.{table.context}')"
            arms.append(f"WHEN {_is_protocol(own)} THEN array({known})")
        return SqlValue(f"CASE {' '.join(arms)} END", many=True)

    def _carried(self, own: ProtocolFields, decoder: object) -> list[FieldInfo]:
        return self.fields.carried(decoder, own.wire)  # type: ignore[arg-type]

    def _table(self, prefix: str) -> str:
        """Return the alias of the table of a command, which is joined."""
        for alias, known in self.tables.items():
            if known == prefix:
                return alias
        alias = f"t{len(self.tables) + 1}"
        self.tables[alias] = prefix
        return alias

    def _of_command(self, own: ProtocolFields, name: str) -> SqlValue | None:
        """Return a field of a command's body."""
        prefix = ".".join(name.split(".", 2)[:2])
        rest = name.removeprefix(prefix).removeprefix(".")
        if prefix not in own.prefixes or not rest:
            return None
        found = columns(each.tree for each in own.prefixes[prefix])
        for each in found:
            inner = rest.removeprefix(each.name)
            if inner == rest or inner[:1] not in {"", "."}:
                continue
            text = f"{self._table(prefix)}.`{prefix}.{each.name}`"
            value = self._inside(text, each, inner.removeprefix("."))
            if value is not None:
                return value
        return None

    def _inside(self, text: str, column: ArrowColumn, rest: str) -> SqlValue | None:
        """Return the values at a path below a value."""
        if column.item is not None:
            return self._items(text, column.item, rest)
        if not rest:
            is_kept = column.kind not in {"record", "unknown"} and not column.slot
            return SqlValue(text) if is_kept else None
        for mask, flag in (column.facts.flags or {}).items():
            if flag == rest:
                return SqlValue(f"CAST({text} AS BIGINT) & {mask} <> 0")
        for each in column.members:
            inner = rest.removeprefix(each.name)
            if inner != rest and inner[:1] in {"", "."}:
                return self._inside(f"{text}.`{each.name}`", each, inner.removeprefix("."))
        return None

    def _items(self, text: str, item: ArrowColumn, rest: str) -> SqlValue | None:
        """Return the values at a path below the items of a list."""
        name = f"i{next(self._names)}"
        inner = self._inside(name, item, rest)
        if inner is None:
            return None
        if inner.text == name:
            return SqlValue(text, many=True)
        if not inner.many:
            return SqlValue(f"transform({text}, {name} -> {inner.text})", many=True)
        found = f"transform({text}, {name} -> coalesce({inner.text}, array()))"
        return SqlValue(f"flatten({found})", many=True)


def _is_protocol(own: ProtocolFields) -> str:
    return f"{FRAMES}.protocol = '{own.wire.id}'"


def _is_command(own: ProtocolFields, prefix: str) -> str:
    """Return whether a row of `frames` is of a command, by its full name."""
    kinds = {(each.schema.name, each.schema.kind.value) for each in own.prefixes[prefix]}
    tests = " OR ".join(
        f"({FRAMES}.command = '{name}' AND {FRAMES}.kind = '{kind}')"
        for name, kind in sorted(kinds)
    )
    return f"{_is_protocol(own)} AND ({tests})"


def _is_embedded(own: ProtocolFields, name: str) -> bool:
    """Return whether records inside other frames have values of a field that spans commands."""
    table = own.common[name][1]
    return any(sources(table, each.decoder.tree) for each in own.source.embedded_records)
