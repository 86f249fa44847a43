"""Packets: addresses in all headers, payload, padding and sums."""

import struct
import zlib

from tests import builders
from tests.failures import every

from streamshark.capture.synthetic_tcp import checksum
from streamshark.sharing.redaction_addresses import Addresses
from streamshark.sharing.redaction_ciphers import Permutations
from streamshark.sharing.redaction_packets import PacketRedaction
from streamshark.sharing.redaction_streams import StreamPieces

ADDRESSES = Addresses(Permutations(b"key"))
SECRET = b"a secret payload"


def segment(source: str, destination: str) -> bytes:
    """Return an IP packet with right sums."""
    talk = builders.Conversation((source, 40_000), (destination, 5552), link=builders.raw_ip)
    talk.send(0, SECRET)
    return talk.packets[0].data


PLAIN = segment("10.0.0.1", "10.0.0.2")
WIDE = segment("fd00::1", "fd00::2")
CASES = {
    "ethernet": (1, builders.ethernet(PLAIN)),
    "ipv6": (1, builders.ethernet(WIDE, builders.IPV6)),
    "raw": (101, PLAIN),
    "vlan": (1, builders.ethernet(PLAIN, tags=(0x8100,))),
    "padding": (1, builders.ethernet(PLAIN) + b"left over"),
    "gre": (
        1,
        builders.ethernet(
            builders.ipv4(builders.gre(PLAIN, 0x800), "1.2.3.4", "4.3.2.1", protocol=47)
        ),
    ),
}


@every("name", CASES)
def test_a_packet_says_nothing_of_where_it_was(name: str) -> None:
    """Its size and its other headers stay."""
    link, data = CASES[name]
    with StreamPieces() as pieces:
        pieces.add(0, 0, b"A" * len(SECRET))
        redaction = PacketRedaction(pieces, {0: 1_000}, ADDRESSES, lambda data: b"X" * len(data))
        made = redaction.packet(link, data, len(data), 0)
    assert len(made) == len(data)
    for gone in (SECRET, b"\x0a\0\0\1", b"\xfd" + bytes(14) + b"\1", b"\1\2\3\4", b"left"):
        assert gone not in made
    assert b"A" * len(SECRET) in made


def test_sums_that_were_right_are_right() -> None:
    """And those that were wrong stay as they were."""
    with StreamPieces() as pieces:
        redaction = PacketRedaction(pieces, {}, ADDRESSES, lambda data: b"X" * len(data))
        made = redaction.packet(101, PLAIN, len(PLAIN), 0)
        wrong = PLAIN[:10] + b"\1\1" + PLAIN[12:36] + b"\2\2" + PLAIN[38:]
        kept = redaction.packet(101, wrong, len(wrong), 0)
    assert checksum(made[:20]) in (0, 0xFFFF)
    pseudo = made[12:20] + bytes([0, 6]) + (len(made) - 20).to_bytes(2, "big")
    assert (checksum(pseudo + made[20:]) in (0, 0xFFFF)) == (
        checksum(PLAIN[12:20] + bytes([0, 6]) + (len(PLAIN) - 20).to_bytes(2, "big") + PLAIN[20:])
        in (0, 0xFFFF)
    )
    assert (kept[10:12], kept[36:38]) == (b"\1\1", b"\2\2")


def test_a_check_sequence_is_computed_again() -> None:
    """Where the frame ends with one."""
    data = builders.ethernet(PLAIN)
    data += zlib.crc32(data).to_bytes(4, "big")[::-1]
    data = data[:-4] + zlib.crc32(data[:-4]).to_bytes(4, "little")
    with StreamPieces() as pieces:
        redaction = PacketRedaction(pieces, {}, ADDRESSES, lambda data: b"X" * len(data))
        made = redaction.packet(1, data, len(data), -1)
    assert zlib.crc32(made[:-4]).to_bytes(4, "little") == made[-4:] or made[-4:] == bytes(4)


def whole_sum(network: bytes) -> int:
    """Return the checksum of a segment of TCP in IPv4; 0 if it is right."""
    segment = network[20:]
    return checksum(network[12:20] + struct.pack(">HH", 6, len(segment)) + segment) % 0xFFFF


def test_fragments_carry_what_the_datagram_does() -> None:
    """Wherever it is cut; later fragments have no header of TCP. Its sum is right if it was."""
    body = SECRET * 8
    talk = builders.Conversation(link=builders.raw_ip)
    talk.send(0, body)
    whole = bytearray(talk.packets[0].data)
    whole[36:38] = checksum(
        bytes(whole[12:20]) + struct.pack(">HH", 6, len(whole) - 20) + bytes(whole[20:])
    ).to_bytes(2, "big")
    assert not whole_sum(bytes(whole))
    for size in (24, 40, 64):
        parts = builders.ipv4_fragments(bytes(whole[20:]), size)
        for joined in (len(whole) - 20, -1):
            with StreamPieces() as pieces:
                pieces.add(0, 0, b"A" * (len(body) - 3))
                redaction = PacketRedaction(
                    pieces, {0: 1_000}, ADDRESSES, lambda data: b"X" * len(data)
                )
                made = [redaction.packet(101, each, len(each), 0, joined) for each in parts]
            payload = b"".join(each[20:] for each in made)
            assert payload[20:] == b"A" * (len(body) - 3) + b"XXX", size
            assert payload[:16] == whole[20:36]
            assert bool(whole_sum(made[0][:20] + payload)) == (joined < 0)


def test_sums_of_gre_are_computed_again() -> None:
    """They cover the packet inside."""
    inner = builders.gre(PLAIN + b"\0" * (len(PLAIN) % 2), 0x800, 0x8000)
    data = builders.ipv4(inner, "1.2.3.4", "4.3.2.1", protocol=47)
    with StreamPieces() as pieces:
        redaction = PacketRedaction(pieces, {0: 1_000}, ADDRESSES, lambda data: b"X" * len(data))
        made = redaction.packet(101, data, len(data), 0)
    assert checksum(data[20:]) in (0, 0xFFFF)
    assert made[20:] != data[20:]
    assert checksum(made[20:]) in (0, 0xFFFF)
