"""Packets with their headers and rows."""

from tests.builders import Conversation, ethernet, ipv4, ipv6, udp, vxlan
from tests.filters.reading import CAPTURES, LOGIN, PUBLISH, read
from tests.reading import batch

from streamshark.dissection.row import FrameRow
from streamshark.filters.filter import compile_for_packets
from streamshark.filters.packets import UDP, Packet, PacketRows, Span


def test_every_packet_has_its_rows() -> None:
    """Those that it completed; packets without rows are there as well."""
    found = read(LOGIN)

    assert [each.number for each in found.packets] == list(range(1, len(found.packets) + 1))
    for row in found.rows:
        assert row in found.packets[row.packet - 1].rows
    frames = [row for each in found.packets for row in each.rows if isinstance(row, FrameRow)]
    assert [row.number for row in frames] == [1, 2, 3, 4, 5, 6]


def test_sequence_numbers_are_relative() -> None:
    """To the first of each side; repeated bytes are noticed, another connection gets a number."""
    talk = Conversation(("10.0.0.1", 1000), ("10.0.0.2", 2000)).handshake()
    talk.send(0, b"abc").send(1, b"de")
    packets = [*talk.packets, talk.packets[3]]
    taken: list[Packet] = []
    joined = PacketRows(taken.append)
    joined.batch(batch(packets), 0)
    assert not taken
    joined.finish()
    found = [each.tcp for each in taken if each.tcp is not None]

    assert [(each.seq, each.length, bool(each.analysed.flags)) for each in found[3:]] == [
        (1, 3, False), (1, 2, False), (1, 3, True),
    ]  # fmt: skip
    assert {each.stream for each in found} == {0}


def test_a_span_goes_on_to_what_it_carries() -> None:
    """For searches."""
    span = Span.of(b"ab", b"abcd")
    assert (span, span.whole) == (b"ab", b"abcd")


def test_tunnels_have_headers_at_every_layer() -> None:
    """Those of VXLAN: two of IP, one of UDP, one of TCP."""
    inner = Conversation(("10.0.0.1", 1000), ("10.0.0.2", 2000)).handshake().packets[0]
    outer = ethernet(ipv4(vxlan(inner.data), "172.16.0.1", "172.16.0.2", protocol=UDP))
    fields = read(LOGIN).fields
    taken: list[Packet] = []
    joined = PacketRows(taken.append)
    joined.batch(batch([inner._replace(data=outer)]), 0)
    joined.finish()
    selecting = {
        "ip.src == 10.0.0.1 and ip.src == 172.16.0.1": True,
        "ip.src#1 == 172.16.0.1 and ip.src#2 == 10.0.0.1": True,
        "ip.src#2 == 172.16.0.1 or ip#3": False,
        "udp.port == 4789 and tcp.port == 2000 and not tcp#2": True,
        "count(ip) == 2 and count(ip.addr) == 4 and count(ip.addr#2) == 2": True,
    }

    assert {each: compile_for_packets(each, fields)(taken[0]) for each in selecting} == selecting


def test_datagrams_and_messages() -> None:
    """Have their headers, and a payload without the padding of Ethernet, as in tshark."""
    around = Conversation(("10.0.0.1", 1000), ("10.0.0.2", 2000)).handshake().packets[0]
    contents = [
        ipv4(udp(b"abc", (1000, 2000)), protocol=UDP) + b"zz",
        ipv4(b"\3\1\0\0", protocol=1),
        ipv6(b"\x80\0\0\0", protocol=58),
        ipv4(udp(b"", (1, 2))[:5], protocol=UDP),
    ]
    links = [0x0800, 0x0800, 0x86DD, 0x0800]
    taken: list[Packet] = []
    joined = PacketRows(taken.append)
    frames = [ethernet(each, kind) for each, kind in zip(contents, links, strict=True)]
    joined.batch(batch([around._replace(data=each) for each in frames]), 0)
    joined.finish()
    selecting = {
        'udp.length == 11 and udp.payload == "abc" and udp.checksum == 0': [0],
        'udp contains "abc"': [0],
        'udp contains "z" or udp.payload contains "z"': [],
        "icmp.type == 3 and icmp.code == 1": [1],
        "icmpv6.type == 128 and icmpv6.code == 0": [2],
        "udp.dstport == 2": [3],
        "udp.length": [0],
    }
    fields = read(LOGIN).fields

    found = {each: compile_for_packets(each, fields) for each in selecting}
    assert {
        text: [at for at, packet in enumerate(taken) if chosen(packet)]
        for text, chosen in found.items()
    } == selecting


def test_messages_of_a_carrier_are_layers() -> None:
    """Of RSocket in WebSocket; frames that follow each other in TCP are one layer."""
    found = read(CAPTURES / "rsocket" / "interactions_websocket_go" / "traffic.pcapng")

    assert found.numbers("rsocket#2 and frame.number < 24") == [19, 21, 23]
    assert found.numbers("rsocket.key#2 == 10") != found.numbers("rsocket.key == 10")
    assert read(PUBLISH).numbers("rmqstream#2") == []
