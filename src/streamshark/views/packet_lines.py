"""Packets of `--packets`: a line for one without rows, and columns of one with all its rows."""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from streamshark.dissection.row import Row
from streamshark.fields.types import FieldType
from streamshark.filters.packet_headers import HEADERS, getter_of
from streamshark.filters.packets import Packet
from streamshark.views.escaping import printable
from streamshark.views.times import NS, Clock

_PROTOCOLS = {1: "icmp", 2: "igmp", 17: "udp", 58: "icmpv6", 132: "sctp"}
_WIDTH = 15
"""Least width of an address."""


def packet_line(packet: Packet, clock: Clock) -> str:
    """Return the line of a packet that has no row."""
    protocol, src, dst, info = "other", "", "", f"length={packet.length}"
    if packet.ip:
        header = packet.ip[0]
        made = IPv4Address if header.version == 4 else IPv6Address  # noqa: PLR2004 - of IP
        src, dst = str(made(header.src)), str(made(header.dst))
        protocol = _PROTOCOLS.get(header.protocol, "ip")
        if header.version == 6:  # noqa: PLR2004 - of IP
            src, dst = f"[{src}]", f"[{dst}]"
    if packet.tcp is not None:
        tcp, protocol = packet.tcp, "tcp"
        src, dst = f"{src}:{tcp.srcport}", f"{dst}:{tcp.dstport}"
        info = f"flags={tcp.flags_text.strip('·') or 'none'} length={tcp.length}"
    ends = f"{src:<{_WIDTH}} -> {dst:<{_WIDTH}}"
    return f"{'':4} p{packet.number:<4} {clock(packet.time_ns)} {ends} {protocol:<9} {info}"


class PacketColumns:
    """Chosen fields of packets, one line per packet.

    `columns` makes, for a field of rows, the function that returns its values in a row as text.
    """

    def __init__(
        self,
        names: Iterable[str],
        columns: Callable[[str], Callable[[Row], str]],
        separator: str,
        aggregator: str,
    ) -> None:
        self._separator, self._aggregator = separator, aggregator
        self._cells = [
            _header_cell(name, aggregator) or self._cell(columns(name)) for name in names
        ]

    def line(self, packet: Packet) -> str:
        """Return the line of a packet."""
        return self._separator.join(cell(packet) for cell in self._cells)

    def _cell(self, column: Callable[[Row], str]) -> Callable[[Packet], str]:
        join = self._aggregator.join
        return lambda packet: join(text for row in packet.rows if (text := column(row)))


def _header_cell(name: str, aggregator: str) -> Callable[[Packet], str] | None:
    """Return the function that shows a header field; None for other fields."""
    if name not in HEADERS:
        return None
    kind, get = HEADERS[name].type, getter_of(name)
    return lambda packet: aggregator.join(_shown(each, kind) for each in get(packet))


def _shown(value: Any, kind: FieldType) -> str:  # noqa: ANN401, PLR0911 - one row a kind
    """Return a value of a header as tshark shows it."""
    match kind.kind:
        case "ipv4":
            return str(IPv4Address(value))
        case "ipv6":
            return str(IPv6Address(value))
        case "bool":
            return str(int(value))
        case "time" | "duration":
            return f"{value // NS}.{value % NS:09}"
        case "bytes" | "protocol":
            return bytes(value).hex()
        case "none":
            return "1"
        case "int" if kind.words == "flags":
            return f"0x{value:04x}"
        case _:
            return printable(str(value))
