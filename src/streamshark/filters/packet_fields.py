"""The fields that filters of packets may name: headers of packets, and the fields of their rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from streamshark.dissection.row import FrameRow, Row
from streamshark.fields.field import ConstantValue, FieldInfo, Getter
from streamshark.fields.registry import Fields
from streamshark.filters.columns import BETWEEN, COLUMNS, INFO, PROTOCOL, TCP, protocol_of
from streamshark.filters.expert_items import WS, value_of
from streamshark.filters.other_rows import COMMENT, OtherRows
from streamshark.filters.packet_headers import HEADERS, Get, getter_of, hosts
from streamshark.filters.packets import Packet
from streamshark.filters.predicate import RowKind
from streamshark.filters.row_fields import RowFields, is_in
from streamshark.filters.tcp_expert_items import SEQUENCE, tcp_items
from streamshark.filters.typed import FieldValue


def _is_request(name: str) -> bool:
    """Return whether a field has the number of a request: of its packet, as in Wireshark."""
    return name.rpartition(".")[2] == "request_frame"


def _column(name: str, values: Callable[[Row], Sequence[Any]]) -> Get:
    """Return what gets a column of a packet: one text for all its rows."""
    if name == INFO:
        return lambda packet: _joined(
            value for row in packet.rows if isinstance(row, FrameRow) for value in values(row)
        )
    if name == PROTOCOL:
        return _protocol
    end = name.endswith("dst")
    return lambda packet: [each(packet)[end] for each in map(hosts, (4, 6)) if each(packet)]


def _with_tcp(name: str, of_rows: Get) -> Get:
    """Return what gets a field of expert items from a packet: those of TCP and of its rows."""

    def get(packet: Packet) -> list[Any]:
        found = () if packet.tcp is None else tcp_items(packet.tcp)
        values = [value_of(name, each.severity, SEQUENCE, each.message) for each in found]
        return [*values, *of_rows(packet)]

    return get


def _comments(others: OtherRows) -> Get:
    """Return what gets the comments on a packet."""
    return lambda packet: others.comments_of(packet.file, packet.number)


def _joined(texts: Iterable[str]) -> Sequence[str]:
    """Return all texts as one; none where there are none."""
    return [text] if (text := BETWEEN.join(texts)) else ()


def _protocol(packet: Packet) -> Sequence[str]:
    """Return the protocol of the last frame of a packet, else of its headers; none of others."""
    names = [each for each in map(protocol_of, packet.rows) if each != TCP]
    return names[-1:] or (() if packet.tcp is None else (TCP,))


class PacketFields(RowFields):
    """The fields of packets, by name, with their getters."""

    def __init__(self, fields: Fields) -> None:
        super().__init__(fields)
        self.headers = HEADERS

    def find(self, name: str) -> FieldInfo | None:
        """Return the field of a name; None if no field has it."""
        return HEADERS.get(name) or super().find(name)

    def prepare(self, fields: Iterable[FieldValue]) -> None:
        """Note what a filter names, before the first packet."""
        named = list(fields)
        super().prepare(named)
        if any(_is_request(each.field.name) for each in named):
            self.others.numbers_packets = True

    def starting(self, prefix: str) -> Iterator[FieldInfo]:
        """Yield the fields whose names begin with a prefix."""
        yield from (each for name, each in HEADERS.items() if name.startswith(prefix))
        yield from (each for each in super().starting(prefix) if each.name not in HEADERS)

    def getter(self, field: FieldValue, kind: RowKind) -> Getter | ConstantValue | None:
        """Return what gets a field from packets; of the fields of rows, those of all its rows."""
        if field.selected:
            return super().getter(field, kind)
        name = field.field.name
        if name in COLUMNS:
            get = _column(name, self.values_in(field))
        elif name in HEADERS:
            get = getter_of(name)
        elif name == COMMENT:
            get = _comments(self.others)
        elif _is_request(name):
            get = self._requests(self._of_rows(field))
        elif name.startswith(WS):
            get = _with_tcp(name, self._of_rows(field))
        else:
            get = self._of_rows(field)
        if field.layers and name in HEADERS:
            get = _in_layers(get, field)
        label = f"p_{name.replace('.', '_')}"
        if field.layers:
            label += "".join(f"_{ord(each)}" for each in str(field.layers))
        return Getter(f"{label}(row)", {label: get}, many=True)

    def _requests(self, frames: Get) -> Get:
        """Return what gets the packets of requests, as plugins number them."""
        known = self.others.completed
        return lambda packet: [known[each] for each in frames(packet) if each in known]

    def _of_rows(self, field: FieldValue) -> Get:
        """Return what gets the values of a field from all rows of a packet, or from some layers."""
        values = self.values_in(replace(field, layers=()))
        if not field.layers:
            return lambda packet: [value for row in packet.rows for value in values(row)]
        protocol = field.field.name.partition(".")[0]
        carries = self.carries_messages(protocol)

        def get(packet: Packet) -> list[Any]:
            numbered = _numbered(packet.rows, protocol, carries)
            return [
                value
                for layer, row in numbered
                if is_in(layer, field.layers)
                for value in values(row)
            ]

        return get


def _numbered(
    rows: Iterable[Row], protocol: str, carries: Callable[[FrameRow], bool | None]
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a packet with their layers of a protocol.

    Wireshark calls a dissector once for the frames that begin in a packet, once for a frame before
    them that earlier packets begin, and once for each message of a carrier, or of a call. A body is
    in the layer of its frame.
    """
    layers: dict[str, int] = {}
    calls, spanning = 0, False
    for row in rows:
        if not isinstance(row, FrameRow):
            yield 1, row
            continue
        short = row.connection.wire.short
        is_carried = None if short == protocol else carries(row)
        if is_carried is not None:
            calls += is_carried
            yield calls if is_carried else 1, row
            continue
        if short not in layers or row.connection.table.bare or spanning:
            layers[short] = layers.get(short, 0) + 1
        spanning = len(row.packets) > 1 and not row.connection.table.bare
        yield layers[short], row


def _in_layers(get: Get, field: FieldValue) -> Get:
    """Return what gets a header field in some layers: of IP, those of one header each."""
    protocol = field.field.name.partition(".")[0]
    version = {"ip": 4, "ipv6": 6}.get(protocol)
    if version is None:
        return get if is_in(1, field.layers) else lambda _packet: ()

    def values(packet: Packet) -> Sequence[Any]:
        found = list(get(packet))
        headers = sum(each.version == version for each in packet.ip) or 1
        each = len(found) // headers
        return [
            value for at, value in enumerate(found) if is_in(at // max(each, 1) + 1, field.layers)
        ]

    return values
