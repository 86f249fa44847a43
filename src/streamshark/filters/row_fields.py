"""The fields that filters of rows may name: those of the registry, and headers of the packet.

A protocol by its short name is there in its frames, a command by its name in those of the command.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from streamshark.decoding.payloads import cells
from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import ANNOTATION, ConstantValue, FieldInfo, Getter
from streamshark.fields.protocol_fields import ProtocolFields
from streamshark.fields.registry import Fields
from streamshark.fields.rows import MEMBERS
from streamshark.fields.types import FieldType, integer
from streamshark.filters import kinds
from streamshark.filters.body_fields import TEXT, BodyFields
from streamshark.filters.columns import COLUMNS, column
from streamshark.filters.nodes import Interval
from streamshark.filters.other_rows import (
    ANSWER,
    FIELDS,
    FIRST_READING,
    REQUEST,
    OtherRows,
    Values,
    is_expert,
)
from streamshark.filters.predicate import RowKind, key_of, kind_of
from streamshark.filters.typed import FieldValue

if TYPE_CHECKING:
    from streamshark.filters.expert_items import ExpertItems

_PORT: Final = integer("number", 16)


class SocketAddress(NamedTuple):
    """The address of one side of a connection."""

    version: int
    """Of IP; 0 where a frame was given without a packet."""
    address: int
    port: int


@lru_cache(maxsize=4096)
def endpoints(addresses: tuple[str, str]) -> tuple[SocketAddress, SocketAddress]:
    """Return the addresses of both sides, from `address:port`."""
    one, other = (_endpoint(each) for each in addresses)
    return one, other


def _endpoint(text: str) -> SocketAddress:
    from ipaddress import ip_address  # noqa: PLC0415 - few filters name addresses

    host, _, port = text.rpartition(":")
    if not host:
        return SocketAddress(0, 0, 0)
    address = ip_address(host.strip("[]").partition("%")[0])
    return SocketAddress(address.version, int(address), int(port))


def _ends(row: Row) -> tuple[SocketAddress, SocketAddress]:
    """Return source and destination of a row."""
    one, other = endpoints(row.connection.flow.addresses)
    return (other, one) if row.side else (one, other)


def _addresses(version: int, *ends: int) -> Any:  # noqa: ANN401 - a function of a row
    def get(row: Row) -> list[int]:
        both = _ends(row)
        return [both[each].address for each in ends if both[each].version == version]

    return get


def _ports(*ends: int) -> Any:  # noqa: ANN401 - a function of a row
    def get(row: Row) -> list[int]:
        both = _ends(row)
        return [both[each].port for each in ends if both[each].version]

    return get


def _version(version: int) -> Any:  # noqa: ANN401 - a function of a row
    def get(row: Row) -> list[bool]:
        return [True] if _ends(row)[0].version == version else []

    return get


_HEADERS: Final[dict[str, tuple[FieldType, str, Any]]] = {
    "tcp": (kinds.NONE, "The row was carried by TCP: every row.", "True"),
    "ip": (kinds.NONE, "The row was carried by IPv4.", _version(4)),
    "ipv6": (kinds.NONE, "The row was carried by IPv6.", _version(6)),
    "tcp.srcport": (_PORT, "Port that sent it.", _ports(0)),
    "tcp.dstport": (_PORT, "Port that it was sent to.", _ports(1)),
    "tcp.port": (_PORT, "Both ports.", _ports(0, 1)),
    "ip.src": (kinds.IPV4, "IPv4 address that sent it.", _addresses(4, 0)),
    "ip.dst": (kinds.IPV4, "IPv4 address that it was sent to.", _addresses(4, 1)),
    "ip.addr": (kinds.IPV4, "Both IPv4 addresses.", _addresses(4, 0, 1)),
    "ipv6.src": (kinds.IPV6, "IPv6 address that sent it.", _addresses(6, 0)),
    "ipv6.dst": (kinds.IPV6, "IPv6 address that it was sent to.", _addresses(6, 1)),
    "ipv6.addr": (kinds.IPV6, "Both IPv6 addresses.", _addresses(6, 0, 1)),
    "frame.time": (kinds.TIME, "When the packet that completed it was captured.", "row.time_ns"),
}
"""Type, description and getter of the headers of the packets of a row."""
HEADERS: Final = {
    name: FieldInfo(name, "", kind, doc, many=not isinstance(get, str))
    for name, (kind, doc, get) in _HEADERS.items()
}
"""The headers of packets that every row has."""

_OTHERS: Final = {**FIELDS, **COLUMNS}
"""Fields that every row may have beside those of the registry."""


def is_in(layer: int, layers: Iterable[Interval]) -> bool:
    """Return whether a layer, from 1, is among those that `#` asks for."""
    return any(_holds(each, layer) for each in layers)


def _holds(interval: Interval, layer: int) -> bool:
    if interval.last is not None:
        return interval.first <= layer <= interval.last
    if interval.length is None:
        return layer >= interval.first
    return interval.first <= layer < interval.first + interval.length


def call_paths(protocol: ProtocolFields) -> set[str]:
    """Return the paths of the calls that carry a protocol's messages, in lower case."""
    records = protocol.source.embedded_records
    return {path.lower() for each in records for path in each.types if path[0] == "/"}


class RowFields:
    """The fields of rows, by name, with their getters."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.headers: Mapping[str, FieldInfo] = HEADERS
        """The headers of packets that it has."""
        self.others = OtherRows()
        """Values of other rows: of requests, answers, conversations and findings."""
        self.bodies = BodyFields(fields)
        """The fields of message bodies."""
        self._sides: dict[str, Values] = {}
        self.selected: Row | None = None
        """The row that `${field}` means; None if there is none."""

    @cached_property
    def experts(self) -> "ExpertItems":
        """The fields of expert items: those that findings have in Wireshark."""
        from streamshark.filters.expert_items import ExpertItems  # noqa: PLC0415 - few filters need it

        return ExpertItems(self.fields, self.others)

    def find(self, name: str) -> FieldInfo | None:  # noqa: PLR0911 - one row a kind
        """Return the field of a name; None if no field has it."""
        if name in HEADERS or name in _OTHERS:
            return HEADERS.get(name) or _OTHERS[name]
        side, dot, inner = name.partition(".")
        if dot and side in (REQUEST, ANSWER):
            return self._of_side(name, side, inner)
        if is_expert(name):
            return self.experts.find(name)
        if "." not in name and name in self.fields.protocols:
            return self._presence(name)
        if self._is_command(name):
            return self._presence(name)
        found = self.fields.find(name)
        if found is not None and name.endswith(".key") and name.count(".") == 1:
            return self._with_names(found)
        return found or self._presence(name) or self.bodies.find(name)

    def _is_command(self, name: str) -> bool:
        """Return whether a name is that of a command; derived values are not looked at for it."""
        own = self.fields.protocols.get(name.partition(".")[0])
        return (
            own is not None
            and name in own.prefixes
            and name not in own.headers
            and not own.is_common(name)
        )

    def _with_names(self, key: FieldInfo) -> FieldInfo:
        """Return the field of the number that names a command, with the names that frames have."""
        for decoders in self.fields.protocols[key.name.partition(".")[0]].prefixes.values():
            tree = decoders[0].tree
            if member := getattr(tree.head, "key", None):  # commands of lines have none
                names = tree.find(member).facts.names
                return replace(key, facts=replace(key.facts, names=names))
        return key

    def _of_side(self, name: str, side: str, inner: str) -> FieldInfo | None:
        """Return a field of the request or answer of a row."""
        found = None if inner.partition(".")[0] in (REQUEST, ANSWER) else self.find(inner)
        if found is None:
            return None
        needs = found.needs | {ANNOTATION} | ({FIRST_READING} if side == ANSWER else set())
        doc = f"Of the {'answer to' if side == ANSWER else 'request of'} the frame: {found.doc}"
        return replace(found, name=name, doc=doc, many=True, needs=needs)

    def _presence(self, name: str) -> FieldInfo | None:
        """Return the field of a protocol or command by its name."""
        short, dot, _ = name.partition(".")
        own = self.fields.protocols.get(short)
        if own is None:
            return None
        if not dot:
            return FieldInfo(
                name, own.wire.id, kinds.PROTOCOL, "A frame of the protocol; its bytes."
            )
        if name in own.prefixes:
            return FieldInfo(name, own.wire.id, kinds.NONE, "A frame of the command.")
        return None

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield the fields whose names begin with a prefix."""
        side, dot, rest = prefix.partition(".")
        if dot and side in (REQUEST, ANSWER):
            inner = (self.find(f"{side}.{each.name}") for each in self.starting(rest))
            yield from (each for each in inner if each is not None)
        headers = {**HEADERS, **_OTHERS}
        yield from (each for name, each in headers.items() if name.startswith(prefix))
        for short, own in self.fields.protocols.items():
            names = [short]
            if prefix.startswith(short) or short.startswith(prefix):
                names += own.prefixes
            found = (self._presence(name) for name in names if name.startswith(prefix))
            yield from (each for each in found if each is not None)
        yield from self.fields.starting(prefix)
        yield from self.bodies.starting(prefix)
        yield from self.experts.starting(prefix)

    def near(self, name: str, most: int = 3) -> list[str]:
        """Return the names of fields that are most like a wrong name."""
        import difflib  # noqa: PLC0415 - for errors alone

        short, dot, rest = name.partition(".")
        if dot and short in (REQUEST, ANSWER):
            return [f"{short}.{each}" for each in self.near(rest, most)]
        known = [*self.headers, *MEMBERS, *_OTHERS]
        if short in self.bodies.formats:
            known = [each.name for each in self.bodies.starting(f"{short}.")]
        elif short in self.fields.protocols:
            known = self._named_like(name)
        elif not any(each.startswith(f"{short}.") for each in known):
            shorts = [*self.fields.protocols, *self.bodies.formats]
            known += shorts
            for like in difflib.get_close_matches(short, shorts, 1):
                known += [f"{like}.{rest}"] if dot and self.find(f"{like}.{rest}") else ()
        return difflib.get_close_matches(name, dict.fromkeys(known), most, 0.6)

    def _named_like(self, name: str) -> list[str]:
        """Return the names that begin like one of a protocol: its commands, or those of one."""
        own = self.fields.protocols[name.partition(".")[0]]
        command = ".".join(name.split(".", 2)[:2])
        if is_expert(command):
            return [each.name for each in self.experts.starting(f"{command}.")]
        if name.count(".") == 1:
            return [*own.headers, *own.common, *own.derived, *own.prefixes]
        if command in own.prefixes:
            return [*own.command(command)]
        import difflib  # noqa: PLC0415 - as above

        near = difflib.get_close_matches(command, own.prefixes, 1)
        return [each for prefix in near for each in own.command(prefix)]

    def missing(self, name: str) -> str:
        """Return a sentence about a name that Wireshark knows, or filters of packets; else ''."""
        from streamshark.filters.packet_headers import missing  # noqa: PLC0415 - for errors alone

        return missing(name, is_for_rows=self.headers is HEADERS)

    def without_bytes(self, name: str) -> str:
        """Return a sentence about a protocol that has bytes in packets alone; else ''."""
        from streamshark.filters.packet_headers import without_bytes  # noqa: PLC0415 - as above

        return without_bytes(name) if self.headers is HEADERS else ""

    def getter(  # noqa: PLR0911 - one row a kind
        self, field: FieldValue, kind: RowKind
    ) -> Getter | ConstantValue | None:
        """Return what gets a field from rows of a kind; None where they never have it."""
        if field.selected:
            return self._of_selected(field)
        if field.layers and not is_in(1, field.layers):
            return None
        name = field.field.name
        if name in _HEADERS:
            get = _HEADERS[name][2]
            is_text = isinstance(get, str)
            return Getter(get) if is_text else _calling("h", name, get)
        if name in COLUMNS:
            return _calling("w", name, column(name, self.fields.info))
        if is_expert(name):
            return _calling("x", name, self.experts.values(name))
        if name in FIELDS or name.partition(".")[0] in (REQUEST, ANSWER):
            get = self.others.of_row(name) if name in FIELDS else self._sides[name]
            return _calling("o", name, get)
        return self._of_row(name, kind)

    def _of_row(self, name: str, kind: RowKind) -> Getter | ConstantValue | None:
        """Return what gets a field of the registry, or the presence of a protocol or command."""
        if "." not in name and name in self.fields.protocols:
            is_own = kind.wire is not None and name == kind.wire.short
            return Getter("row.data") if is_own else self._of_calls(name, kind)
        if self._is_command(name):
            is_there = kind.decoder is not None and name == kind.decoder.tree.prefix
            return ConstantValue(value=True) if is_there else None
        short, _, rest = name.partition(".")
        if short in self.bodies.formats or (rest == TEXT and self.fields.find(name) is None):
            values = self.bodies.values(name, kind.decoder)
            return None if values is None else _calling("b", name, values)
        found = self.fields.getter(name, kind.decoder, kind.wire)
        if name == "correlation_id" and isinstance(found, Getter):  # a number, in most protocols
            return Getter(f"f_text({found.expression})", {**found.scope, "f_text": _text})
        return found

    def _of_calls(self, short: str, kind: RowKind) -> Getter | None:
        """Return what gets the presence of a protocol whose messages the calls of another carry.

        As in Wireshark it is there in all frames of a call, by the call's path.
        """
        paths = call_paths(self.fields.protocols[short])
        if not paths or kind.decoder is None:
            return None
        path = self.fields.getter(f"{kind.decoder.tree.prefix}.path", kind.decoder, kind.wire)
        if not isinstance(path, Getter) or path.many:
            return None
        get = path.get
        return _calling(
            "c", short, lambda row: (row.data,) if (get(row) or "").lower() in paths else ()
        )

    def carries_messages(self, protocol: str) -> Callable[[FrameRow], bool | None]:
        """Return what tells whether a frame of a call carries a message of a protocol.

        It is None for other frames.
        """
        field = self._presence(protocol)
        is_there = None if field is None else self.values_in(FieldValue(field, field.type))

        def carries(row: FrameRow) -> bool | None:
            if is_there is None or row.decoder is None or not is_there(row):
                return None
            found = cells(row.decoder.tree, row.values, row.agreed, unpacks=False)
            return any(each.data for each in found)

        return carries

    def prepare(self, fields: Iterable[FieldValue]) -> None:
        """Note which fields of requests and answers a filter names, before the first row."""
        for each in fields:
            side, _, inner = each.field.name.partition(".")
            known = each.field.name in FIELDS or side not in (REQUEST, ANSWER)
            if known or (found := self.find(inner)) is None:
                continue
            values = self.values_in(FieldValue(found, found.type))
            self._sides[each.field.name] = self.others.of_side(side, inner, values)

    def _of_selected(self, field: FieldValue) -> Getter:
        """Return what gets a field of the selected row, whatever the row is."""
        values = self.values_in(replace(field, selected=False))

        def get(_row: object) -> Sequence[Any]:
            return () if self.selected is None else values(self.selected)

        return _calling("s", field.field.name, get)

    def values_in(self, field: FieldValue) -> Callable[[Row], Sequence[Any]]:
        """Return what gets the values of a field from rows of any kind."""
        known: dict[object, Callable[[Row], Sequence[Any]]] = {}

        def values(row: Row) -> Sequence[Any]:
            key = key_of(row)
            if key not in known:
                known[key] = _values(RowFields.getter(self, field, kind_of(row)))
            return known[key](row)

        return values


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _calling(kind: str, name: str, get: Callable[[Any], Sequence[Any]]) -> Getter:
    """Return the getter that calls a function of the row."""
    label = f"{kind}_{name.replace('.', '_')}"
    return Getter(f"{label}(row)", {label: get}, many=True)


def _values(getter: Getter | ConstantValue | None) -> Callable[[Row], Sequence[Any]]:
    if getter is None:
        return lambda _row: ()
    if isinstance(getter, ConstantValue):
        known = (getter.value,)
        return lambda _row: known
    return getter.values
