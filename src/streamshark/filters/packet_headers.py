"""The header fields of packets: of the frame, IP, UDP and TCP."""

from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Final

from streamshark.fields.field import FieldInfo
from streamshark.fields.types import FieldType, integer
from streamshark.filters import kinds
from streamshark.filters.packets import UDP_FIXED, Packet, TcpSegment, option
from streamshark.filters.tcp_analysis import FIN, SYN, Analysed, AnalysisFlag
from streamshark.flows.ip import TCP_FIXED
from streamshark.schema.words import FieldFacts

Get = Callable[[Packet], Sequence[Any]]

_FRAME: Final = FieldType("number", "frame")
_U8, _U16, _U32 = integer("number", 8), integer("number", 16), integer("number", 32)
_FLAGS: Final = {
    "fin": 0x01, "syn": 0x02, "reset": 0x04, "push": 0x08, "ack": 0x10, "urg": 0x20, "ece": 0x40,
    "cwr": 0x80, "ae": 0x100,
}  # fmt: skip
"""Flags of TCP by Wireshark's names."""


def _tcp(get: Callable[[TcpSegment], Any]) -> Get:
    return lambda packet: () if packet.tcp is None else (get(packet.tcp),)


def _tcp_if(test: Callable[[TcpSegment], Any]) -> Get:
    return lambda packet: (True,) if packet.tcp is not None and test(packet.tcp) else ()


def _of_header(start: int, end: int) -> Get:
    """Return what gets a number of the TCP header."""
    return _tcp(lambda tcp: int.from_bytes(tcp.header[start:end]))


def _ip(version: int, *names: str) -> Get:
    return lambda packet: [
        getattr(each, name) for each in packet.ip if each.version == version for name in names
    ]


def _number(version: int, start: int, size: int, mask: int = -1, unit: int = 1) -> Get:
    """Return what gets a number of the headers of a version of IP: in units, without other bits."""
    return lambda packet: [
        (int.from_bytes(each.data[start : start + size]) & mask) * unit
        for each in packet.ip
        if each.version == version
    ]


def _shifted(get: Get, bits: int) -> Get:
    return lambda packet: [each >> bits for each in get(packet)]


def _ip_flag(bit: int) -> Get:
    flags = _number(4, 6, 2)
    return lambda packet: [bool(each & bit) for each in flags(packet)]


def _of_ip(protocol: int) -> Get:
    """Return what tells whether IP carries a protocol."""
    return lambda packet: [True for each in packet.ip if each.protocol == protocol]


def _ethernet(start: int, end: int) -> Get:
    """Return what gets bytes of the Ethernet header."""
    return lambda packet: (
        (packet.data[start:end],)
        if packet.link == _ETHERNET and len(packet.data) >= _ETHERNET_SIZE
        else ()
    )


def _addresses(packet: Packet) -> Sequence[bytes]:
    return [*_ethernet(6, 12)(packet), *_ethernet(0, 6)(packet)]


def _ether_type(packet: Packet) -> Sequence[int]:
    """Return the type of an Ethernet frame; none of a frame with a length in its place."""
    found = (int.from_bytes(each) for each in _ethernet(12, 14)(packet))
    return [each for each in found if each >= _LEAST_TYPE]


def _mss(packet: Packet) -> Sequence[int]:
    found = None if packet.tcp is None else option(packet.tcp.header[TCP_FIXED:], _MSS)
    return () if found is None else (int.from_bytes(found),)


_ETHERNET: Final = 1
"""Link type of Ethernet."""
_ETHERNET_SIZE: Final = 14
_LEAST_TYPE: Final = 0x600
"""Smaller numbers are lengths (IEEE 802.3)."""
_ARP: Final = 0x0806
_ICMP, _ICMPV6 = 1, 58
_MSS: Final = 2


def hosts(version: int) -> Get:
    """Return what gets the addresses of a version of IP, as text."""
    made = IPv4Address if version == 4 else IPv6Address  # noqa: PLR2004 - of IP
    addresses = _ip(version, "src", "dst")
    return lambda packet: [str(made(each)) for each in addresses(packet)]


def _udp_ports(*ends: int) -> Get:
    return lambda packet: [ports[each] for ports in packet.udp for each in ends]


def _of_datagrams(start: int) -> Get:
    """Return what gets a 16-bit number of the UDP headers."""
    return lambda packet: [
        int.from_bytes(each[start : start + 2])
        for each in packet.datagrams
        if len(each) == UDP_FIXED
    ]


def _of_message(protocol: int, at: int) -> Get:
    """Return what gets a byte of the ICMP messages of a version."""
    return lambda packet: [
        packet.data[start + at]
        for start in packet.carried(protocol)
        if start + at < len(packet.data)
    ]


def _flag(mask: int) -> Get:
    return _tcp(lambda tcp: bool(tcp.flags & mask))


def _analysed(flags: AnalysisFlag) -> Get:
    return _tcp_if(lambda tcp: tcp.analysed.flags & flags)


def _of_duplicate(get: Callable[[Analysed], int]) -> Get:
    return lambda packet: (
        (get(packet.tcp.analysed),)
        if packet.tcp is not None and packet.tcp.analysed.flags & AnalysisFlag.DUPLICATE_ACK
        else ()
    )


_REPEATED: Final = (
    AnalysisFlag.RETRANSMISSION
    | AnalysisFlag.FAST_RETRANSMISSION
    | AnalysisFlag.SPURIOUS_RETRANSMISSION
)
_ANALYSIS: Final[dict[AnalysisFlag, tuple[AnalysisFlag, str]]] = {
    AnalysisFlag.RETRANSMISSION: (_REPEATED, "Its side has sent these bytes before."),
    AnalysisFlag.FAST_RETRANSMISSION: (
        AnalysisFlag.FAST_RETRANSMISSION,
        "A retransmission soon after two duplicate acknowledgements.",
    ),
    AnalysisFlag.SPURIOUS_RETRANSMISSION: (
        AnalysisFlag.SPURIOUS_RETRANSMISSION,
        "A retransmission of bytes that were acknowledged.",
    ),
    AnalysisFlag.OUT_OF_ORDER: (
        AnalysisFlag.OUT_OF_ORDER,
        "It comes after a later segment of its side, by less than a round trip.",
    ),
    AnalysisFlag.LOST_SEGMENT: (
        AnalysisFlag.LOST_SEGMENT,
        "A segment before it was lost, or was not captured.",
    ),
    AnalysisFlag.ACK_LOST_SEGMENT: (
        AnalysisFlag.ACK_LOST_SEGMENT,
        "It acknowledges bytes that were not captured.",
    ),
    AnalysisFlag.DUPLICATE_ACK: (AnalysisFlag.DUPLICATE_ACK, "It repeats an acknowledgement."),
    AnalysisFlag.KEEP_ALIVE: (AnalysisFlag.KEEP_ALIVE, "It is a keep-alive probe."),
    AnalysisFlag.KEEP_ALIVE_ACK: (AnalysisFlag.KEEP_ALIVE_ACK, "It answers a keep-alive probe."),
    AnalysisFlag.ZERO_WINDOW: (
        AnalysisFlag.ZERO_WINDOW,
        "Its window is zero: the program reads too slowly.",
    ),
    AnalysisFlag.ZERO_WINDOW_PROBE: (
        AnalysisFlag.ZERO_WINDOW_PROBE,
        "It asks whether the other side's window is still zero.",
    ),
    AnalysisFlag.ZERO_WINDOW_PROBE_ACK: (
        AnalysisFlag.ZERO_WINDOW_PROBE_ACK,
        "It answers such a probe: the window is still zero.",
    ),
    AnalysisFlag.WINDOW_UPDATE: (
        AnalysisFlag.WINDOW_UPDATE,
        "It changes the window, and nothing else.",
    ),
    AnalysisFlag.WINDOW_FULL: (AnalysisFlag.WINDOW_FULL, "It fills the other side's window."),
}
"""By the value that names a field, the values that it is true of, and what it means."""

_HEADERS: Final[dict[str, tuple[FieldType, Get, str]]] = {
    "frame": (kinds.PROTOCOL, lambda packet: (packet.data,), "The packet; its bytes."),
    "frame.number": (_U32, lambda packet: (packet.number,), "Number of the packet in its file."),
    "frame.len": (_U32, lambda packet: (packet.length,), "Length on the wire."),
    "frame.cap_len": (_U32, lambda packet: (len(packet.data),), "Length that was captured."),
    "frame.time": (kinds.TIME, lambda packet: (packet.time_ns,), "When it was captured."),
    "frame.time_epoch": (kinds.TIME, lambda packet: (packet.time_ns,), "When it was captured."),
    "frame.time_relative": (
        kinds.DURATION,
        lambda packet: (packet.time_ns - packet.started_ns,),
        "Time since the first packet.",
    ),
    "frame.time_delta": (
        kinds.DURATION,
        lambda packet: (
            () if packet.before_ns is None else (packet.time_ns - packet.before_ns,)
        ),
        "Time since the packet before it.",
    ),
    "ip": (kinds.PROTOCOL, _ip(4, "data"), "The IPv4 header."),
    "ip.src": (kinds.IPV4, _ip(4, "src"), "IPv4 address that sent it."),
    "ip.dst": (kinds.IPV4, _ip(4, "dst"), "IPv4 address that it was sent to."),
    "ip.addr": (kinds.IPV4, _ip(4, "src", "dst"), "Both IPv4 addresses."),
    "ip.host": (kinds.TEXT, hosts(4), "Both IPv4 addresses, as text."),
    "ipv6.host": (kinds.TEXT, hosts(6), "Both IPv6 addresses, as text."),
    "ip.version": (_U8, _shifted(_number(4, 0, 1), 4), "Version of IP."),
    "ip.hdr_len": (_U8, _number(4, 0, 1, 0x0F, 4), "Length of the IPv4 header."),
    "ip.dsfield": (_U8, _number(4, 1, 1), "Differentiated services."),
    "ip.dsfield.dscp": (_U8, _shifted(_number(4, 1, 1), 2), "Codepoint of the services."),
    "ip.len": (_U16, _number(4, 2, 2), "Length of the IPv4 packet."),
    "ip.id": (_U16, _number(4, 4, 2), "Identification, which fragments share."),
    "ip.flags.df": (kinds.BOOLEAN, _ip_flag(0x4000), "Whether it may not be fragmented."),
    "ip.flags.mf": (kinds.BOOLEAN, _ip_flag(0x2000), "Whether more fragments follow."),
    "ip.frag_offset": (_U16, _number(4, 6, 2, 0x1FFF, 8), "Offset of a fragment in bytes."),
    "ip.checksum": (_U16, _number(4, 10, 2), "Checksum of the header."),
    "ip.proto": (_U8, _ip(4, "protocol"), "Protocol in the IPv4 packet."),
    "ip.ttl": (_U8, _ip(4, "ttl"), "Time to live."),
    "ipv6": (kinds.PROTOCOL, _ip(6, "data"), "The IPv6 header."),
    "ipv6.src": (kinds.IPV6, _ip(6, "src"), "IPv6 address that sent it."),
    "ipv6.dst": (kinds.IPV6, _ip(6, "dst"), "IPv6 address that it was sent to."),
    "ipv6.addr": (kinds.IPV6, _ip(6, "src", "dst"), "Both IPv6 addresses."),
    "ipv6.hlim": (_U8, _ip(6, "ttl"), "Hop limit."),
    "ipv6.nxt": (_U8, _ip(6, "protocol"), "Next header."),
    "ipv6.version": (_U8, _shifted(_number(6, 0, 1), 4), "Version of IP."),
    "ipv6.plen": (_U16, _number(6, 4, 2), "Length of what the IPv6 header precedes."),
    "icmp": (kinds.NONE, _of_ip(_ICMP), "A message of ICMP."),
    "icmp.type": (_U8, _of_message(_ICMP, 0), "Type of the message."),
    "icmp.code": (_U8, _of_message(_ICMP, 1), "Code of the message, within its type."),
    "icmpv6": (kinds.NONE, _of_ip(_ICMPV6), "A message of ICMPv6."),
    "icmpv6.type": (_U8, _of_message(_ICMPV6, 0), "Type of the message."),
    "icmpv6.code": (_U8, _of_message(_ICMPV6, 1), "Code of the message, within its type."),
    "eth": (kinds.PROTOCOL, _ethernet(0, _ETHERNET_SIZE), "The Ethernet header."),
    "eth.src": (kinds.BYTES, _ethernet(6, 12), "Ethernet address that sent it."),
    "eth.dst": (kinds.BYTES, _ethernet(0, 6), "Ethernet address that it was sent to."),
    "eth.addr": (kinds.BYTES, _addresses, "Both Ethernet addresses."),
    "eth.type": (_U16, _ether_type, "What the Ethernet frame carries."),
    "arp": (kinds.NONE, lambda packet: [True for each in _ether_type(packet) if each == _ARP],
            "A message of ARP."),
    "udp": (kinds.PROTOCOL, lambda packet: packet.datagrams, "The UDP header."),
    "udp.srcport": (_U16, _udp_ports(0), "UDP port that sent it."),
    "udp.dstport": (_U16, _udp_ports(1), "UDP port that it was sent to."),
    "udp.port": (_U16, _udp_ports(0, 1), "Both UDP ports."),
    "udp.length": (_U16, _of_datagrams(4), "Length of the datagram, with its header."),
    "udp.checksum": (_U16, _of_datagrams(6), "Checksum of the datagram."),
    "udp.payload": (
        kinds.BYTES,
        lambda packet: [found for each in packet.datagrams if (found := each.payload)],
        "What the datagram carries.",
    ),
    "tcp": (kinds.PROTOCOL, _tcp(lambda tcp: tcp.header), "The TCP header."),
    "tcp.stream": (_U32, _tcp(lambda tcp: tcp.stream), "Number of the connection."),
    "tcp.srcport": (_U16, _tcp(lambda tcp: tcp.srcport), "Port that sent it."),
    "tcp.dstport": (_U16, _tcp(lambda tcp: tcp.dstport), "Port that it was sent to."),
    "tcp.port": (
        _U16,
        lambda packet: () if packet.tcp is None else (packet.tcp.srcport, packet.tcp.dstport),
        "Both ports.",
    ),
    "tcp.seq": (_U32, _tcp(lambda tcp: tcp.seq), "Sequence number, relative."),
    "tcp.nxtseq": (
        _U32,
        lambda packet: (
            () if packet.tcp is None else (_after(packet.tcp),)
        ),
        "Sequence number after it, relative.",
    ),
    "tcp.ack": (_U32, _tcp(lambda tcp: tcp.ack), "Acknowledgement number, relative."),
    "tcp.hdr_len": (_U8, _tcp(lambda tcp: len(tcp.header)), "Length of the TCP header."),
    "tcp.len": (_U32, _tcp(lambda tcp: tcp.length), "Length of the TCP payload."),
    "tcp.payload": (
        kinds.BYTES,
        lambda packet: [packet.tcp.payload] if packet.tcp and packet.tcp.payload else (),
        "The TCP payload.",
    ),
    "tcp.seq_raw": (_U32, _of_header(4, 8), "Sequence number, as it is on the wire."),
    "tcp.ack_raw": (_U32, _of_header(8, 12), "Acknowledgement number, as it is on the wire."),
    "tcp.checksum": (_U16, _of_header(16, 18), "Checksum of the segment."),
    "tcp.urgent_pointer": (_U16, _of_header(18, 20), "Offset of urgent data."),
    "tcp.options.mss_val": (_U16, _mss, "Largest segment that its side takes."),
    "tcp.time_relative": (
        kinds.DURATION,
        _tcp(lambda tcp: tcp.since_first_ns),
        "Time since the first packet of the connection.",
    ),
    "tcp.time_delta": (
        kinds.DURATION,
        _tcp(lambda tcp: tcp.since_last_ns),
        "Time since the packet before it of the connection.",
    ),
    "tcp.window_size": (_U32, _tcp(lambda tcp: tcp.window_size), "The window, scaled."),
    "tcp.window_size_value": (_U16, _tcp(lambda tcp: tcp.window), "The window, without scaling."),
    "tcp.flags": (integer("flags", 16), _tcp(lambda tcp: tcp.flags), "The flags of TCP."),
    "tcp.flags.str": (kinds.TEXT, _tcp(lambda tcp: tcp.flags_text), "The flags as letters."),
    **{
        f"tcp.flags.{name}": (kinds.BOOLEAN, _flag(mask), f"Flag {name.upper()}.")
        for name, mask in _FLAGS.items()
    },
    "tcp.analysis.flags": (
        kinds.NONE,
        _tcp_if(lambda tcp: tcp.analysed.flags),
        "Its sequence numbers or window are worth a look: any of the fields below.",
    ),
    **{
        f"tcp.analysis.{each.name.lower()}": (kinds.NONE, _analysed(flags), doc)
        for each, (flags, doc) in _ANALYSIS.items()
        if each.name
    },
    "tcp.analysis.duplicate_ack_num": (
        _U32,
        _of_duplicate(lambda found: found.duplicates),
        "How many duplicate acknowledgements there were, this one included.",
    ),
    "tcp.analysis.duplicate_ack_frame": (
        _FRAME,
        _of_duplicate(lambda found: found.duplicate_of),
        "The packet that a duplicate acknowledgement repeats.",
    ),
}  # fmt: skip
"""Type, getter and description of each header field."""
_PROTOCOLS: Final = {
    1: "ICMP", 2: "IGMP", 6: "TCP", 17: "UDP", 47: "GRE", 50: "ESP", 58: "ICMPv6", 89: "OSPF IGP",
    132: "SCTP",
}  # fmt: skip
_NAMES: Final = {"ip.proto": _PROTOCOLS, "ipv6.nxt": _PROTOCOLS}
"""Names of numbers."""
HEADERS: Final = {
    name: FieldInfo(name, "", kind, doc, True, FieldFacts(names=_NAMES.get(name)))  # noqa: FBT003 - as declared
    for name, (kind, _, doc) in _HEADERS.items()
}
"""The header fields of packets."""


def getter_of(name: str) -> Get:
    """Return what gets a header field from a packet."""
    return _HEADERS[name][1]


_NOT_COMPUTED: Final = frozenset(
    {
        "tcp.analysis",
        *(
            f"tcp.analysis.{each}"
            for each in (
                "acks_frame", "ack_rtt", "bytes_in_flight", "initial_rtt", "push_bytes_sent",
                "ambiguous_ack", "partial_ack", "reused_ports", "rto", "rto_frame", "scps_capable",
                "tfo_ack", "tfo_ignored", "tfo_syn",
            )
        ),
    }
)  # fmt: skip
"""Fields of Wireshark about the sequence of TCP that are not computed here."""
_BELOW: Final = frozenset(
    {
        "vlan",
        "sll",
        "dns",
        "tls",
        "ssl",
        "http",
        "http2",
        "websocket",
    }
)
"""Protocols that Wireshark has and filters here do not."""
_KNOWN: Final = ("frame", "eth", "arp", "ip", "ipv6", "icmp", "icmpv6", "tcp", "udp")


def missing(name: str, *, is_for_rows: bool) -> str:
    """Return a sentence about a name that Wireshark knows, or filters of packets; else ''."""
    protocol = name.partition(".")[0]
    if is_for_rows and name in HEADERS:
        return f'"{name}" is a field of packets, which --packets tests'
    if name in _NOT_COMPUTED:
        start = "tcp.analysis."
        known = ", ".join(each.removeprefix(start) for each in HEADERS if each.startswith(start))
        return f'"{name}" is known to Wireshark, but not computed here; {start}* has {known}'
    if protocol in _BELOW:
        return (
            f'"{name}" is known to Wireshark, but not here: '
            f"below the protocols of frames there are {', '.join(_KNOWN)}"
        )
    return ""


def without_bytes(name: str) -> str:
    """Return a sentence about a protocol whose bytes filters of rows cannot test; else ''."""
    field = HEADERS.get(name)
    if field is None or field.type is not kinds.PROTOCOL:
        return ""
    return f'"{name}" has bytes in filters of packets alone, which --packets tests'


def _after(tcp: TcpSegment) -> int:
    return tcp.seq + tcp.length + bool(tcp.flags & (SYN | FIN))
