"""Where fields are in the tables of an archive: columns of `frames`, and of tables joined to it.

`frames` has the members that all rows share; a field of a frame's body is a column of its command's
table, or a member of one (see `arrow.columns`), which is joined to `frames` by the row's identity.
Requests are other rows of `frames`; conversations and findings have tables of their own.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple

from streamshark.arrow.columns import ArrowColumn, columns
from streamshark.fields.common_fields import CommonField, sources
from streamshark.fields.field import BODIES, FieldInfo
from streamshark.fields.protocol_fields import ProtocolFields
from streamshark.fields.registry import Fields
from streamshark.fields.rows import HEADERS, MEMBERS
from streamshark.filters.columns import PROTOCOL, TCP
from streamshark.filters.expert_items import PROBLEMS, WS
from streamshark.filters.other_rows import ANSWER, FIELDS, REQUEST, is_expert
from streamshark.filters.row_fields import call_paths

FRAMES: Final = "f"
"""Alias of the table `frames`."""

REQUEST_FRAMES: Final = "r"
"""Alias of the same table for the frames that are answered."""
_KEY: Final = ("file", "packet", "flow", "offset")

_TEXT_OF_PORT: Final = "TRY_CAST(regexp_extract({}, ':([0-9]+)$', 1) AS BIGINT)"
_IPV4: Final = r"^([0-9]+)[.]([0-9]+)[.]([0-9]+)[.]([0-9]+):"


class SqlValue(NamedTuple):
    """An expression with the values of a field."""

    text: str
    many: bool = False
    """Whether it is an array of values; else it is NULL where the field is absent."""


class KeptColumns(NamedTuple):
    """What an archive has beside the columns that all have."""

    site: bool = False
    """Whether frames are numbered in each site."""
    bodies: bool = False
    """Whether the bytes of bodies are kept."""
    secrets: bool = False
    """Whether secrets are kept."""


def _address(end: str) -> str:
    """Return the expression of an IPv4 address as a number; NULL of others."""
    parts = (
        f"TRY_CAST(regexp_extract({end}, '{_IPV4}', {at}) AS BIGINT) * {256 ** (4 - at)}"
        for at in range(1, 5)
    )
    return f"CASE WHEN {end} RLIKE '{_IPV4}' THEN {' + '.join(parts)} END"


def _host(end: str) -> str:
    """Return the expression of an address without its port."""
    inside = f"substring_index(substring({end}, 2), ']', 1)"
    return f"CASE WHEN startswith({end}, '[') THEN {inside} ELSE substring_index({end}, ':', 1) END"


def _version(frames: str, version: int) -> str:
    is_in_brackets = "" if version == 6 else "NOT "  # noqa: PLR2004 - of IP
    return f"CASE WHEN {is_in_brackets}startswith({frames}.src, '[') THEN TRUE END"


_MEMBERS: Final = {
    **{each: each for each in MEMBERS if each not in {"packets", "problems", "context"}},
    "time": "time_ns",
    "frame.time": "time_ns",
    "frame.time_epoch": "time_ns",
    "frame.number": "packet",
    "tcp.stream": "flow",
    "problem": "problems",
    "response_time": "response_time_ns",
}
"""Column of `frames` of each member."""
_LACKING: Final = frozenset({"response_frame", "carrier"})
"""Members without a column, or without values in it."""
_OF_FINDINGS: Final = ("rule", "severity", "group", "message")
_OF_CONVERSATIONS: Final = {
    "id": "id", "type": "type", "state": "state", "duration": "duration_ns",
    "frames": "frame_count",
}  # fmt: skip
_INSTEAD: Final = {
    "answer": "no table says which frames are answered; `read -Y` finds them",
    "expert": "tables have the frames that prove findings (finding.rule), not where rules match",
    "bodies": "bodies are not decoded in tables; `spark run --where` decodes them",
    "slot": "bodies are in tables that were written with --bodies full alone",
    "secret": "secrets are in tables that were written with --show-secrets alone",
    "": "no table has a column of it; `read -Y` reads it from the captures",
}
"""What to use instead of fields that no table has."""


def _others(frames: str) -> dict[str, SqlValue]:
    """Return the fields that are no plain columns of `frames`."""
    ports = [_TEXT_OF_PORT.format(f"{frames}.{end}") for end in ("src", "dst")]
    addresses = [_address(f"{frames}.{end}") for end in ("src", "dst")]
    hosts = [_host(f"{frames}.{end}") for end in ("src", "dst")]
    return {
        "packets": SqlValue(f"{frames}.packets", many=True),
        "problems": SqlValue(f"transform({frames}.problems, p -> p.code)", many=True),
        "tcp": SqlValue("TRUE"),
        "tcp.srcport": SqlValue(ports[0]),
        "tcp.dstport": SqlValue(ports[1]),
        "tcp.port": SqlValue(f"array({', '.join(ports)})", many=True),
        "ip": SqlValue(_version(frames, 4)),
        "ipv6": SqlValue(_version(frames, 6)),
        "ip.src": SqlValue(addresses[0]),
        "ip.dst": SqlValue(addresses[1]),
        "ip.addr": SqlValue(f"array({', '.join(addresses)})", many=True),
        "_ws.col.def_src": SqlValue(hosts[0]),
        "_ws.col.def_dst": SqlValue(hosts[1]),
    }


class SqlColumns:
    """The fields of rows as SQL, and the tables that they need."""

    def __init__(self, fields: Fields, kept: KeptColumns | None = None) -> None:
        self.fields = fields
        self.kept = kept or KeptColumns()
        self.tables: dict[str, str] = {FRAMES: "frames"}
        """Tables by alias, as they are joined: `frames`, other ones, those of commands."""
        self._joins: list[str] = []
        self._names = count()
        self._rows = RowColumns(self, FRAMES)

    def value(self, field: FieldInfo) -> SqlValue | None:
        """Return the expression of a field; None if no table has it."""
        head, _, rest = field.name.partition(".")
        if head == REQUEST:
            alias = self._request_frames()
            inner = replace(field, name=rest)
            return None if _is_of_other_rows(rest) else RowColumns(self, alias).value(inner)
        if field.name in FIELDS:
            return self._of_other_rows(head, rest)
        return self._rows.value(field)

    def instead(self, field: FieldInfo) -> str:
        """Return a sentence about a field that no table has, and what to use for it."""
        head = field.name.partition(".")[0]
        if head == ANSWER:
            return _INSTEAD["answer"]
        if is_expert(field.name) or field.name.startswith(WS):
            return _INSTEAD["expert"]
        if field.secret:
            return _INSTEAD["secret"]
        if BODIES in field.needs:
            return _INSTEAD["bodies"]
        return _INSTEAD["slot" if self._is_body(field.name) else ""]

    def _is_body(self, name: str) -> bool:
        """Return whether a field is a body, as it is on the wire."""
        whole = SqlColumns(self.fields, KeptColumns(bodies=True, secrets=True))
        field = self.fields.find(name.removeprefix(f"{REQUEST}."))
        return field is not None and whole.value(field) is not None

    def joins(self) -> str:
        """Return the joins of tables to `frames`."""
        return "".join(f"\n{each}" for each in self._joins)

    def item(self) -> str:
        """Return a name for the item of a list."""
        return f"i{next(self._names)}"

    def _join(self, alias: str, table: str, source: str, test: str) -> str:
        """Join a table, or the result of a query, once."""
        if alias not in self.tables:
            self.tables[alias] = table
            self._joins.append(f"LEFT JOIN {source} {alias} ON {test}")
        return alias

    def _same_site(self, alias: str, other: str = FRAMES) -> str:
        return f" AND {alias}.site = {other}.site" if self.kept.site else ""

    def _request_frames(self) -> str:
        alias = REQUEST_FRAMES
        test = f"{alias}.frame = {FRAMES}.request_frame{self._same_site(alias)}"
        return self._join(alias, "frames", "frames", test)

    def command(self, prefix: str, frames: str, is_command: str) -> str:
        """Return the alias of the table of a command, which is joined to rows of `frames`."""
        for alias, known in self.tables.items():
            if (known, alias.rpartition("_")[0]) == (prefix, frames):
                return alias
        alias = f"{frames}_{len(self.tables)}"
        same = " AND ".join(f"{alias}.{key} = {frames}.{key}" for key in _KEY)
        return self._join(alias, prefix, prefix.replace(".", "_"), f"{is_command} AND {same}")

    def _of_other_rows(self, head: str, rest: str) -> SqlValue | None:
        """Return a member of the conversations, or of the findings, of a row."""
        if head == "conv":
            return self._of_conversations(_OF_CONVERSATIONS[rest])
        if head != "finding":
            return None
        site = "site, " if self.kept.site else ""
        lists = ", ".join(f"collect_list(`{each}`) AS `{each}`" for each in _OF_FINDINGS)
        columns = ", ".join(f"`{each}`" for each in _OF_FINDINGS)
        each = f"SELECT {site}explode(frames) AS frame, {columns} FROM findings"  # noqa: S608 - our names
        query = f"(SELECT {site}frame, {lists} FROM ({each}) GROUP BY {site}frame)"  # noqa: S608
        test = f"n.frame = {FRAMES}.frame{self._same_site('n')}"
        alias = self._join("n", "findings", query, test)
        if not rest:
            return SqlValue(f"CASE WHEN {alias}.frame IS NOT NULL THEN TRUE END")
        return SqlValue(f"{alias}.`{rest}`", many=True)

    def _of_conversations(self, column: str) -> SqlValue:
        """Return a column of the innermost conversation of a row, and of the one around it."""
        if column == "id":
            return SqlValue(f"array({FRAMES}.conversation, {FRAMES}.part_of)", many=True)
        found = []
        for alias, own in (("c", "conversation"), ("p", "part_of")):
            test = f"{alias}.id = {FRAMES}.{own}{self._same_site(alias)}"
            found.append(f"{self._join(alias, 'conversations', 'conversations', test)}.{column}")
        return SqlValue(f"array({', '.join(found)})", many=True)


def _is_of_other_rows(name: str) -> bool:
    return name in FIELDS or name.partition(".")[0] in {REQUEST, ANSWER}


class RowColumns:
    """The fields of rows of `frames`, by the alias of the table."""

    def __init__(self, columns: SqlColumns, alias: str) -> None:
        self.columns, self.alias = columns, alias
        self.fields, self.kept = columns.fields, columns.kept
        self._others = _others(alias)

    def value(self, field: FieldInfo) -> SqlValue | None:
        """Return the expression of a field; None if no table has it."""
        name = field.name
        if (field.secret and not self.kept.secrets) or name in _LACKING:
            return None
        if name in self._others:
            return self._others[name]
        if name in _MEMBERS:
            return SqlValue(f"{self.alias}.{_MEMBERS[name]}")
        if name == PROTOCOL:
            return self._protocols()
        own = self.fields.protocols.get(name.partition(".")[0])
        return None if own is None else self._of_protocol(own, name)

    def _protocols(self) -> SqlValue:
        """Return the protocol of a row as the Protocol column shows it."""
        arms = " ".join(
            f"WHEN '{own.wire.id}' THEN '{short.upper()}'"
            for short, own in self.fields.protocols.items()
        )
        kind = f"{self.alias}.kind = 'event'"
        found = f"CASE {self.alias}.protocol {arms} ELSE '{TCP}' END"
        return SqlValue(f"CASE WHEN {kind} THEN '{TCP}' ELSE {found} END")

    def _of_protocol(self, own: ProtocolFields, name: str) -> SqlValue | None:
        """Return a field of a protocol, or the presence of it or of a command."""
        rest = name.partition(".")[2]
        if not rest:
            tests = " OR ".join([self._is_protocol(own), *self._calls(own)])
            return SqlValue(f"CASE WHEN {tests} THEN TRUE END")
        if name in own.prefixes:
            return SqlValue(f"CASE WHEN {self._is_command(own, name)} THEN TRUE END")
        if rest in HEADERS:
            return self._header(own, rest)
        if is_expert(name):
            return self._problem(own, rest.partition(".")[2])
        return self._common(own, name) if own.is_common(name) else self._of_command(own, name)

    def _calls(self, own: ProtocolFields) -> Iterator[str]:
        """Yield tests of the frames of calls that carry a protocol's messages."""
        paths = ", ".join(f"'{path}'" for path in sorted(call_paths(own)))
        for other in self.fields.protocols.values() if paths else ():
            for prefix in other.prefixes:
                found = self._of_command(other, f"{prefix}.path")
                if found is not None and not found.many:
                    is_command = self._is_command(other, prefix)
                    yield f"({is_command} AND coalesce(lower({found.text}) IN ({paths}), FALSE))"

    def _problem(self, own: ProtocolFields, code: str) -> SqlValue | None:
        """Return the presence of a problem, by its code."""
        if code not in PROBLEMS:
            return None
        is_there = f"exists({self.alias}.problems, p -> p.code = '{code}')"
        return SqlValue(f"CASE WHEN {self._is_protocol(own)} AND {is_there} THEN TRUE END")

    def _header(self, own: ProtocolFields, rest: str) -> SqlValue | None:
        """Return a header field: the column, where the frame is of the protocol."""
        if rest in _LACKING:
            return None
        is_own = self._is_protocol(own)
        if rest == "problem":
            text = f"transform({self.alias}.problems, p -> p.code)"
            return SqlValue(f"CASE WHEN {is_own} THEN {text} END", many=True)
        column = f"{self.alias}.{_MEMBERS[rest]}" if rest in _MEMBERS else ""
        if rest == "correlation_id" and own.headers[f"{own.wire.short}.{rest}"].type.kind != "text":
            column = f"TRY_CAST({column} AS DECIMAL(20, 0))"
        return SqlValue(f"CASE WHEN {is_own} THEN {column} END")

    def _common(self, own: ProtocolFields, name: str) -> SqlValue | None:
        """Return a field that spans commands: of each command's table, else of the context."""
        field, table, flag = own.common[name]
        if flag or _is_embedded(own, name):
            return None
        found = {
            prefix: f"{self._table(own, prefix)}.`{name}`"
            for prefix, decoders in own.prefixes.items()
            if any(each.name == name for one in decoders for each in self._carried(own, one))
        }
        values = [f"array({each})" if not field.many else each for each in found.values()]
        arms = [
            f"WHEN {self._is_command(own, prefix)} THEN {value}"
            for prefix, value in zip(found, values, strict=True)
        ]
        if isinstance(table, CommonField) and table.context and field.type.kind == "text":
            known = f"get_json_object({self.alias}.context, '$.{table.context}')"
            arms.append(f"WHEN {self._is_protocol(own)} THEN array({known})")
        return SqlValue(f"CASE {' '.join(arms)} END", many=True)

    def _carried(self, own: ProtocolFields, decoder: object) -> list[FieldInfo]:
        return self.fields.carried(decoder, own.wire)  # type: ignore[arg-type]

    def _table(self, own: ProtocolFields, prefix: str) -> str:
        """Return the alias of the table of a command, which is joined."""
        return self.columns.command(prefix, self.alias, self._is_command(own, prefix))

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
            text = f"{self._table(own, prefix)}.`{prefix}.{each.name}`"
            value = self._inside(text, each, inner.removeprefix("."))
            if value is not None:
                return value
        return None

    def _inside(self, text: str, column: ArrowColumn, rest: str) -> SqlValue | None:
        """Return the values at a path below a value."""
        if column.item is not None:
            return self._items(text, column.item, rest)
        if not rest:
            is_value = column.kind not in {"record", "unknown"}
            return SqlValue(text) if is_value and (self.kept.bodies or not column.slot) else None
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
        name = self.columns.item()
        inner = self._inside(name, item, rest)
        if inner is None:
            return None
        if inner.text == name:
            return SqlValue(text, many=True)
        if not inner.many:
            return SqlValue(f"transform({text}, {name} -> {inner.text})", many=True)
        found = f"transform({text}, {name} -> coalesce({inner.text}, array()))"
        return SqlValue(f"flatten({found})", many=True)

    def _is_protocol(self, own: ProtocolFields) -> str:
        return f"{self.alias}.protocol = '{own.wire.id}'"

    def _is_command(self, own: ProtocolFields, prefix: str) -> str:
        """Return whether a row of `frames` is of a command, by its full name."""
        kinds = {(each.schema.name, each.schema.kind.value) for each in own.prefixes[prefix]}
        tests = " OR ".join(
            f"({self.alias}.command = '{name}' AND {self.alias}.kind = '{kind}')"
            for name, kind in sorted(kinds)
        )
        return f"{self._is_protocol(own)} AND ({tests})"


def _is_embedded(own: ProtocolFields, name: str) -> bool:
    """Return whether records inside other frames have values of a field that spans commands."""
    table = own.common[name][1]
    return any(sources(table, each.decoder.tree) for each in own.source.embedded_records)
