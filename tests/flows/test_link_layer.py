"""Every link type finds the same connection; tshark agrees where it begins."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import (
    IPV4,
    IPV6,
    QINQ,
    VLAN,
    Conversation,
    Packet,
    enhanced,
    ethernet,
    interface,
    mpls,
    pppoe,
    raw_ip,
    section,
)
from tests.failures import Failures, every
from tests.reading import follow, stream, tshark

from streamshark.flows.link_layer import link_name

Link = Callable[[bytes, int], bytes]


def null(order: str, ipv6_family: int) -> Link:
    """BSD loopback of a host of a byte order."""
    return lambda network, kind: (
        struct.pack(f"{order}I", 2 if kind == IPV4 else ipv6_family) + network
    )


def cooked(network: bytes, kind: int) -> bytes:
    """Linux cooked capture, version 1."""
    return struct.pack(">HHH8sH", 0, 1, 6, bytes(8), kind) + network


def cooked_2(network: bytes, kind: int) -> bytes:
    """Linux cooked capture, version 2."""
    return struct.pack(">HHIHBB8s", kind, 0, 2, 1, 0, 6, bytes(8)) + network


def tagged(*tags: int) -> Link:
    """Ethernet with VLAN tags."""
    return lambda network, kind: ethernet(network, kind, tags)


def snap(network: bytes, kind: int) -> bytes:
    """802.3 with LLC and SNAP."""
    llc = b"\xaa\xaa\x03\0\0\0" + struct.pack(">H", kind)
    return ethernet(llc + network, len(llc + network))


def cooked_tagged(network: bytes, kind: int) -> bytes:
    """Linux cooked capture with a VLAN tag left in."""
    return cooked(struct.pack(">HH", 7, kind) + network, VLAN)


def cooked_2_tagged(network: bytes, kind: int) -> bytes:
    """Linux cooked capture, version 2, with a VLAN tag left in."""
    return cooked_2(struct.pack(">HH", 7, kind) + network, VLAN)


PPP_TYPES = {IPV4: 0x0021, IPV6: 0x0057}


def session(network: bytes, kind: int) -> bytes:
    """PPPoE session over Ethernet."""
    return ethernet(pppoe(network, PPP_TYPES[kind]), 0x8864)


def session_tagged(network: bytes, kind: int) -> bytes:
    """PPPoE session over Ethernet with a VLAN tag."""
    return ethernet(pppoe(network, PPP_TYPES[kind]), 0x8864, [VLAN])


def session_alone(network: bytes, kind: int) -> bytes:
    """PPPoE session without its Ethernet header."""
    return pppoe(network, PPP_TYPES[kind])


def point_to_point(network: bytes, kind: int) -> bytes:
    """PPP without address and control."""
    return struct.pack(">H", PPP_TYPES[kind]) + network


def point_to_point_whole(network: bytes, kind: int) -> bytes:
    """PPP with address and control, as in HDLC."""
    return b"\xff\x03" + point_to_point(network, kind)


def point_to_point_short(network: bytes, kind: int) -> bytes:
    """PPP with all that can be left out left out."""
    return bytes([PPP_TYPES[kind]]) + network


def cisco(network: bytes, kind: int) -> bytes:
    """Cisco HDLC."""
    return struct.pack(">HH", 0x0F00, kind) + network


def labelled(network: bytes, _kind: int) -> bytes:
    """MPLS over Ethernet."""
    return ethernet(mpls(network), 0x8847)


def labelled_point_to_point(network: bytes, _kind: int) -> bytes:
    """MPLS over PPP."""
    return struct.pack(">H", 0x0281) + mpls(network, 1)


SNAP = b"\xaa\xaa\x03\0\0\0"


def wireless(*, flags: int = 1, quality: bytes | None = None, pad: int = 0) -> Link:
    """A data frame of Wi-Fi, one of four addresses where the flags say so."""

    def wrap(network: bytes, kind: int) -> bytes:
        head = bytes([0x08 if quality is None else 0x88, flags]) + bytes(22)
        head += bytes(6) * (flags & 3 == 3) + (quality or b"")
        if quality and quality[0] & 0x80:
            inner = SNAP + struct.pack(">H", kind) + network
            return head + bytes(pad) + bytes(12) + struct.pack(">H", len(inner)) + inner
        return head + bytes(pad) + SNAP + struct.pack(">H", kind) + network

    return wrap


def radiotap(fields: bytes, wrap: Link) -> Link:
    """A radiotap header of some fields, which begin with their masks, before Wi-Fi."""
    return lambda network, kind: (
        struct.pack("<BBH", 0, 0, 4 + len(fields)) + fields + wrap(network, kind)
    )


def logged(order: str) -> Link:
    """A packet that netfilter logged on a host of a byte order."""

    def attribute(kind: int, data: bytes) -> bytes:
        head = struct.pack(f"{order}HH", 4 + len(data), kind)
        return head + data + bytes(-len(data) % 4)

    def wrap(network: bytes, kind: int) -> bytes:
        about = attribute(1, struct.pack(">HBB", kind, 1, 0)) + attribute(10, b"a rule\0")
        family = 2 if kind == IPV4 else 10
        return bytes([family, 0, 0, 5]) + about + attribute(9, network)

    return wrap


def juniper(network: bytes, kind: int) -> bytes:
    """Ethernet after Juniper's header with an extension."""
    return b"MGC\x81\0\x04\x01\x02\0\0" + ethernet(network, kind)


def juniper_bare(network: bytes, kind: int) -> bytes:
    """IP after Juniper's header, without Ethernet."""
    return b"MGC\x03" + struct.pack("<I", 2 if kind == IPV4 else 6) + network


def infiniband(network: bytes, kind: int) -> bytes:
    """IP over InfiniBand with its route header."""
    return bytes(40) + struct.pack(">HH", kind, 0) + network


BIG_LOGGED = logged(">")
TWO_MASKS = struct.pack("<II4xQB", 0x8000_0003, 0, 77, 0x20)
"""Radiotap: two masks, a time, flags that say that the header of Wi-Fi is padded."""
LINKS: list[tuple[str, int, Link]] = [
    ("ethernet", 1, ethernet),
    ("vlan", 1, tagged(VLAN)),
    ("qinq", 1, tagged(QINQ, VLAN)),
    ("old qinq", 1, tagged(0x9100, VLAN)),
    ("snap", 1, snap),
    ("null, little", 0, null("<", 30)),
    ("null, big", 0, null(">", 24)),
    ("loop", 108, null(">", 28)),
    ("raw", 101, raw_ip),
    ("cooked", 113, cooked),
    ("cooked vlan", 113, cooked_tagged),
    ("cooked 2", 276, cooked_2),
    ("cooked 2 vlan", 276, cooked_2_tagged),
    ("ppp", 9, point_to_point),
    ("ppp with address", 9, point_to_point_whole),
    ("ppp compressed", 9, point_to_point_short),
    ("ppp hdlc", 50, point_to_point_whole),
    ("ppp ether", 51, session_alone),
    ("pppoe", 1, session),
    ("pppoe vlan", 1, session_tagged),
    ("cisco hdlc", 104, cisco),
    ("mpls", 1, labelled),
    ("mpls ppp", 9, labelled_point_to_point),
    ("wi-fi", 105, wireless()),
    ("wi-fi relayed", 105, wireless(flags=3)),
    ("radiotap", 127, radiotap(struct.pack("<I", 0), wireless(flags=2, quality=b"\0\0"))),
    ("radiotap htc", 127, radiotap(bytes(4), wireless(flags=0x82, quality=bytes(6)))),
    ("radiotap padded", 127, radiotap(TWO_MASKS, wireless(quality=b"\0\0", pad=2))),
    ("radiotap a-msdu", 127, radiotap(bytes(4), wireless(quality=b"\x80\0"))),
    ("nflog, little", 239, logged("<")),
    ("nflog, big", 239, BIG_LOGGED),
    ("juniper ethernet", 178, juniper),
    ("juniper bare", 178, juniper_bare),
    ("ipoib", 242, infiniband),
]
ENDS = {
    IPV4: (("10.0.0.1", 40_000), ("10.0.0.2", 5552)),
    IPV6: (("fd00::1", 40_000), ("fd00::2", 5552)),
}


@pytest.mark.process
@pytest.mark.parametrize("order", ["<", ">"])
def test_each_link_type_carries_a_connection(order: str, tmp_path: Path) -> None:
    """The bytes arrive, and tshark sees the same lengths; all in one file for tshark.

    It takes the numbers of NFLOG in the byte order of the file.
    """
    chosen = [row for row in LINKS if (row[2] is BIG_LOGGED) is (order == ">")]
    cases = [(*row, kind) for row in chosen for kind in (IPV4, IPV6)]
    blocks = [section(order), *(interface(link, order=order) for _, link, _, _ in cases)]
    with Failures() as failures:
        for number, (name, link, wrap, kind) in enumerate(cases):
            (client, port), server = ENDS[kind]
            talk = Conversation((client, port + number), server, link=wrap).handshake()
            talk.send(0, b"question").send(1, b"answer")
            blocks += (enhanced(packet, number, order=order) for packet in talk.packets)
            with failures.of((name, kind)):
                tracker, records = follow(talk.packets, link)
                assert stream(records, 0) == b"question"
                assert stream(records, 1) == b"answer"
                assert tracker.flows[0].packets == 5
        judged = tshark(b"".join(blocks), tmp_path, "tcp.stream", "tcp.len")
        for number, case in enumerate(cases):
            with failures.of((*case, "in tshark")):
                lengths = [[str(number), size] for size in ("0", "0", "0", "8", "6")]
                assert judged[number * 5 :][:5] == lengths


@pytest.mark.parametrize(("link", "kind"), [(12, IPV4), (14, IPV6), (228, IPV4), (229, IPV6)])
def test_other_numbers_of_raw_ip(link: int, kind: int) -> None:
    """BSD's and OpenBSD's numbers for raw IP, and those of one version alone."""
    conversation = Conversation(*ENDS[kind], link=raw_ip).handshake().send(0, b"question")

    assert stream(follow(conversation.packets, link)[1], 0) == b"question"


@every(("link", "wrap"), [row[1:] for row in LINKS], ids=[r[0] for r in LINKS])
def test_packets_cut_anywhere_are_counted(link: int, wrap: Link) -> None:
    """A header that is not all there is counted; nothing raises."""
    packet = Conversation(link=wrap).raw(0, 1, b"x")

    for size in range(len(packet.data)):
        tracker, _ = follow([packet.cut(size)], link)
        counters = tracker.counters

        assert counters.truncated + counters.not_ip + len(tracker.flows) == 1


def test_attributes_may_end_with_their_header() -> None:
    """NFLOG: one whose size is below its own header is no attribute, also as the last one."""
    head, packet = bytes([2, 0, 0, 0]), Conversation(link=raw_ip).raw(0, 1, b"x").data
    sound, wrong = struct.pack(">HHI", 8, 3, 0), struct.pack(">HH", 3, 3)
    for attributes, counted in (
        (sound, (1, 0)),
        (sound + wrong, (0, 1)),
        (wrong + sound, (0, 1)),
        (sound + struct.pack(">HH", 4, 9), (1, 0)),
        (sound + struct.pack(">HH", 5, 9) + b"\0", (0, 1)),
        (sound + struct.pack(">HH", 4 + len(packet), 9) + packet, (0, 0)),
    ):
        data = head + attributes
        counters = follow([Packet(0, data, len(data))], 239)[0].counters
        assert (counters.truncated, counters.not_ip) == counted, attributes


def test_discovery_is_no_session() -> None:
    """PPPoE packets of other codes, PPP of other protocols."""
    for packet in (pppoe(bytes(60))[:1] + b"\xa7" + pppoe(bytes(60))[2:], pppoe(bytes(60), 0xC021)):
        tracker, _ = follow([Packet(0, ethernet(packet, 0x8864), 99)])

        assert tracker.counters.not_ip == 1


def test_frames_of_wifi_without_readable_data_are_not_ip() -> None:
    """Beacons, null data, encrypted data and fragments are counted, never read."""
    frame = wireless()(Conversation(link=raw_ip).raw(0, 1, b"x").data, IPV4)
    for head in (b"\x80\0", b"\x48\1", b"\x08\x41", b"\x08\5", b"\xb4\0"):
        tracker, _ = follow([Packet(0, head + frame[2:], len(frame))], 105)

        assert (tracker.counters.not_ip, len(tracker.flows)) == (1, 0), head


def test_link_types_have_names() -> None:
    """A message names the number and, where it is known, the registry's name."""
    assert link_name(127) == "127 (IEEE802_11_RADIOTAP)"
    assert link_name(178) == "178 (JUNIPER_ETHER)"
    assert link_name(4711) == "4711"
