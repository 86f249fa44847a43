"""The header fields of packets."""

from tests.failures import every
from tests.filters.reading import PUBLISH, read

from streamshark.filters.packet_headers import HEADERS, getter_of, missing

ALL = list(range(1, 37))


@every(
    ("text", "expected"),
    [
        ("tcp.flags.syn == 1", [1, 2]),
        ("tcp.flags & 0x12 == 0x12", [2]),
        ("tcp.flags.fin == 1", [34, 35]),
        ('tcp.flags.str == "·······A··S·"', [2]),
        ("tcp.len == 83", [4]),
        ("len(tcp) == 40", [1, 2]),
        ("len(ip) == 20 && frame.len == 149", [4]),
        ("tcp.seq == 84 and tcp.ack == 253 and tcp.len == 0", [7]),
        ("tcp.nxtseq == 84", [4, 7]),
        ("not tcp.payload and frame.number > 28", [29, 34, 35, 36]),
        ("frame.time_delta > 0.002", [6]),
        ("frame.time_relative == 0", [1]),
        ("tcp.window_size_value == 64240", [1]),
        ('ip.ttl == 64 && ip.proto == TCP && ip.host == "127.0.0.1" && tcp.stream == 0', ALL),
        ("udp or ipv6 or tcp.analysis.retransmission or tcp.analysis.zero_window", []),
        ("frame[0:6] == 00:00:00:00:00:00", ALL),
        ("not rmqstream and tcp.len > 0", []),
        ("tcp.window_size == 64240 or tcp.options.mss_val > 1460", [1]),
        ("ip.id == 0 && ip.len == 60 && ip.version == 4 && ip.hdr_len == 20", [2]),
        ("tcp.time_delta > 0.002 or tcp.time_relative == 0", [1, 6]),
        ("!(arp or icmp or icmpv6) && eth.type == 0x800", ALL),
        ("ip.flags.df == 1 && ip.flags.mf == 0", ALL),
        ("eth.addr[0:3] == 00:00:00 && tcp.seq_raw > 0 && not ip.frag_offset > 0", ALL),
    ],
)  # fmt: skip
def test_headers(text: str, expected: list[int]) -> None:
    """The packets that tshark selects."""
    assert read(PUBLISH).numbers(text) == expected


def test_every_header_has_a_getter() -> None:
    """Which takes any packet."""
    for packet in read(PUBLISH).packets[:2]:
        for name in HEADERS:
            assert all(each is not None for each in getter_of(name)(packet)), name


def test_what_is_not_a_field_here() -> None:
    """Packet fields are refused in filters of rows, as are fields that Wireshark alone computes."""
    assert "--packets tests" in missing("tcp.flags.syn", is_for_rows=True)
    assert "tcp.analysis.* has flags, retransmission," in missing(
        "tcp.analysis.rto", is_for_rows=False
    )
    assert "frame, eth, arp, ip, ipv6, icmp, icmpv6, tcp, udp" in missing("dns", is_for_rows=True)
    assert [missing(each, is_for_rows=False) for each in ("tcp.prt", "x")] == ["", ""]
