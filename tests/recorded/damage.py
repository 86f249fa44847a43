"""Captures as they come when capturing goes wrong: packets lost, cut, twice, late, on one side.

Every kind of damage is a function of packets and a source of chance. It includes faults of links
and clocks that are not faults of the peers.
"""

import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from streamshark.capture import open_capture

SECOND: Final = 1_000_000_000
MILLISECOND: Final = 1_000_000
ETHERNET: Final = 1
RAW: Final = 101
_TCP: Final = 6
_HEAD: Final = bytes(12)
"""Addresses of Ethernet for packets of links that have none."""


class Packet(NamedTuple):
    """One packet of a capture."""

    time_ns: int
    data: bytes
    original: int
    """Bytes on the wire."""
    way: tuple[bytes, bytes] = (b"", b"")
    """Sender and receiver, address and port; empty for what is no TCP."""
    payload: int = 0
    """Bytes of TCP payload."""
    from_server: bool = False


Packets = list[Packet]
Damage = Callable[[Packets, Random], Packets]


def read(path: Path, server_ports: list[int]) -> Packets:
    """Return the packets of a capture, as on Ethernet and without TLS secrets."""
    out = []
    with open_capture(str(path)) as capture:
        for batch in capture.batches():
            for at in range(len(batch)):
                start = batch.starts[at]
                data = batch.data[start : start + batch.captured[at]]
                original = batch.original[at]
                if batch.links[at] == RAW:
                    kind = b"\x86\xdd" if data[0] >> 4 == 6 else b"\x08\0"
                    data, original = _HEAD + kind + data, original + len(_HEAD + kind)
                else:
                    assert batch.links[at] == ETHERNET
                out.append(_packet(batch.times[at], data, original, server_ports))
    return out


def written(packets: Packets) -> bytes:
    """A pcap file with times in ns."""
    out = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262_144, ETHERNET)]
    for each in packets:
        seconds, fraction = divmod(each.time_ns, SECOND)
        out += [struct.pack("<IIII", seconds, fraction, len(each.data), each.original), each.data]
    return b"".join(out)


def _packet(time_ns: int, data: bytes, original: int, server_ports: list[int]) -> Packet:
    plain = Packet(time_ns, data, original)
    kind = int.from_bytes(data[12:14], "big")
    if kind == 0x0800 and data[23] == _TCP:
        start = 14 + (data[14] & 15) * 4
        end = 14 + int.from_bytes(data[16:18], "big")
        addresses = data[26:30], data[30:34]
    elif kind == 0x86DD and data[20] == _TCP:
        start, end = 54, 54 + int.from_bytes(data[18:20], "big")
        addresses = data[22:38], data[38:54]
    else:
        return plain
    way = addresses[0] + data[start : start + 2], addresses[1] + data[start + 2 : start + 4]
    payload = end - start - (data[start + 12] >> 4) * 4
    port = int.from_bytes(data[start : start + 2], "big")
    return Packet(time_ns, data, original, way, payload, port in server_ports)


# What is not captured


def late(packets: Packets, chance: Random) -> Packets:
    """Start the capture late, in the middle of the connections."""
    return packets[chance.randrange(1, len(packets)) :]


def early(packets: Packets, chance: Random) -> Packets:
    """It ends before the traffic does."""
    return packets[: chance.randrange(1, len(packets))]


def between(packets: Packets, chance: Random) -> Packets:
    """A piece out of the middle."""
    start, end = sorted(chance.sample(range(len(packets) + 1), 2))
    return packets[start:end]


def behind_handshake(packets: Packets, chance: Random) -> Packets:
    """Drop the first packets with payload, but now and then keep those of the TLS handshake."""
    first = chance.randrange(2, 16)
    keeps_syn = chance.random() < 0.5
    out, seen = [], 0
    for each in packets:
        seen += each.payload > 0
        if seen > first or (keeps_syn and seen == 0):
            out.append(each)
    return out


def one_side(packets: Packets, chance: Random) -> Packets:
    """All that one side sends is missing."""
    server = chance.random() < 0.5
    return [each for each in packets if each.from_server != server]


def one_side_acknowledges(packets: Packets, chance: Random) -> Packets:
    """All payload that one side sends is missing; its other packets are there."""
    server = chance.random() < 0.5
    return [each for each in packets if each.from_server != server or not each.payload]


def one_side_from(packets: Packets, chance: Random) -> Packets:
    """One side is missing from some packet on, or up to it."""
    cut = chance.randrange(len(packets))
    head, tail = packets[:cut], packets[cut:]
    part = chance.choice((one_side, one_side_acknowledges))
    return part(head, chance) + tail if chance.random() < 0.5 else head + part(tail, chance)


def lost(packets: Packets, chance: Random) -> Packets:
    """Some packets here and there."""
    share = chance.choice((0.02, 0.1, 0.3))
    gone = {chance.randrange(len(packets))}
    return [p for at, p in enumerate(packets) if at not in gone and chance.random() > share]


def burst(packets: Packets, chance: Random) -> Packets:
    """Some packets in a row."""
    start = chance.randrange(len(packets))
    return packets[:start] + packets[start + chance.randrange(1, 20) :]


def one_lost(packets: Packets, chance: Random) -> Packets:
    """A packet with payload."""
    gone = chance.choice([at for at, each in enumerate(packets) if each.payload] or [0])
    return packets[:gone] + packets[gone + 1 :]


def one_lost_and_the_end(packets: Packets, chance: Random) -> Packets:
    """Drop a packet with payload, and those that follow it soon."""
    gone = chance.randrange(len(packets))
    rest = packets[gone + 1 :]
    return packets[:gone] + rest[: chance.randrange(1, 8)]


def snapped(packets: Packets, chance: Random) -> Packets:
    """With a snap length."""
    length = chance.choice((68, 96, 128, 200, 400))
    return [each._replace(data=each.data[:length]) for each in packets]


# What is captured otherwise


def twice(packets: Packets, chance: Random) -> Packets:
    """On two interfaces, or some packets sent again."""
    share = chance.choice((0.1, 1.0))
    out = []
    for each in packets:
        out.append(each)
        if chance.random() < share:
            out.append(each)
    return out


def out_of_order(packets: Packets, chance: Random) -> Packets:
    """Packets overtake each other on one side."""
    out = list(packets)
    for at in range(len(out) - 1):
        one, other = out[at : at + 2]
        if one.way == other.way and one.way[0] and chance.random() < 0.3:
            out[at] = other._replace(time_ns=one.time_ns)
            out[at + 1] = one._replace(time_ns=other.time_ns)
    return out


def disordered(packets: Packets, chance: Random) -> Packets:
    """Two queues of a card write into one file: each packet has its time, and not its place."""
    out = list(packets)
    for at in range(len(out) - 1):
        near = out[at + 1].time_ns - out[at].time_ns < MILLISECOND
        if near and chance.random() < 0.2:
            out[at], out[at + 1] = out[at + 1], out[at]
    return out


def other_clock(packets: Packets, chance: Random) -> Packets:
    """The clock of the machine that captures is wrong, by a minute or by years."""
    start = packets[0].time_ns
    ahead = chance.choice((-start, -86_400 * SECOND, -61 * SECOND, 61 * SECOND, 10**9 * SECOND))
    return [each._replace(time_ns=each.time_ns + ahead) for each in packets]


def drifting(packets: Packets, chance: Random) -> Packets:
    """The clock is a little fast or slow."""
    factor = chance.randrange(990, 1010)
    start = packets[0].time_ns
    return [p._replace(time_ns=start + (p.time_ns - start) * factor // 1000) for p in packets]


def far(packets: Packets, chance: Random) -> Packets:
    """Where sides take turns time passes, as on a long way; captured near one of them, or between.

    All that follows comes later by as much.
    """
    trip = chance.choice((5, 20, 80, 300)) * MILLISECOND
    at_client, at_server = chance.choice(((0, trip), (trip, 0), (trip // 2, trip - trip // 2)))
    delay = 0
    last: dict[frozenset[bytes], bool] = {}
    out = []
    for each in packets:
        flow = frozenset(each.way)
        if each.payload:
            if last.get(flow, each.from_server) != each.from_server:
                delay += at_client if each.from_server else at_server
            last[flow] = each.from_server
        out.append(each._replace(time_ns=each.time_ns + delay))
    return out


DAMAGES: Final[tuple[Damage, ...]] = (
    late, early, between, behind_handshake, one_side, one_side_acknowledges, one_side_from, lost,
    burst, one_lost, one_lost_and_the_end, snapped, twice, out_of_order, disordered, other_clock,
    drifting, far,
)  # fmt: skip


def several(packets: Packets, chance: Random) -> Packets:
    """Two kinds of damage, one on top of the other; not what takes time."""
    for damage in chance.sample([each for each in DAMAGES if each is not far], 2):
        if len(packets) > 2:
            packets = damage(packets, chance)
    return packets


def joined(one: Packets, other: Packets, pause_ns: int) -> Packets:
    """Two captures, one after the other."""
    shift = one[-1].time_ns + pause_ns - other[0].time_ns
    return one + [each._replace(time_ns=each.time_ns + shift) for each in other]
