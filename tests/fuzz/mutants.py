"""Recorded captures, spoilt: what either side sent, or the packets of the file.

A mutant is known by its number alone. What TCP carried is spoilt with the right sequence numbers,
so that every spoilt byte reaches the frames. A marker stands for the secrets of frames that a
packet holds whole.
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tests import marker
from tests.marker import MARKER
from tests.recorded import damage
from tests.recorded.damage import Packet, Packets

from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.session import Session

CAPTURES: Final = Path(__file__).parents[2] / "captures"
MOST_PACKETS: Final = 120
"""Packets of a capture that are spoilt; a piece of a longer one."""
MOST_BYTES: Final = 1 << 16
"""Bytes of the payload of them, about."""
LARGEST: Final = 1 << 17
"""Bytes of the largest file that is spoilt."""
TELLING: Final = (0, 1, 0x0A, 0x0D, 0x20, 0x22, 0x7B, 0x7F, 0x80, 0xC1, 0xFE, 0xFF)
"""Bytes at which something changes."""
LENGTHS: Final = (0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
_FIN, _SYN, _ACK = 1, 2, 16


class Part(NamedTuple):
    """What one packet of TCP brought, in order; the head but for the payload."""

    packet: Packet
    head: bytes
    payload: bytes


class Mutant(NamedTuple):
    """A spoilt capture, and what was done to it."""

    data: bytes
    plain: bytes
    """The same packets as they were."""
    told: str
    protocol: str
    """The folder of the capture."""
    said: bytes
    """What one side sent, spoilt in another way."""
    marked: frozenset[bytes]
    """The frames with a marker as they were."""

    def hides(self, data: bytes) -> bool:
        """Whether the marker stands only in frames as they were: others may be no secrets now."""
        for frame in self.marked:
            data = data.replace(frame, b"")
        return marker.found(data.decode("latin-1")) is None


Spoil = Callable[[bytearray, Random], None]


@cache
def folders() -> tuple[Path, ...]:
    """The captures that are small enough to be read very often."""
    found = sorted(path.parent for path in CAPTURES.glob("*/*/provenance.toml"))
    return tuple(each for each in found if file_of(each).stat().st_size <= LARGEST)


@cache
def protocols() -> dict[str, list[Path]]:
    """The same by protocol."""
    out: dict[str, list[Path]] = {}
    for each in folders():
        out.setdefault(each.parent.name, []).append(each)
    return out


def file_of(folder: Path) -> Path:
    """The file of a capture."""
    return next(each for each in folder.iterdir() if each.name.startswith("traffic."))


@cache
def packets_of(folder: Path) -> Packets:
    """Packets of a capture, as on Ethernet, with the marker for its secrets."""
    ports = tomllib.loads((folder / "provenance.toml").read_text())["server_ports"]
    secrets = secrets_of(folder)
    return [planted(each, secrets) for each in damage.read(file_of(folder), ports)]


@cache
def veil() -> SecretMask:
    """What finds secrets."""
    return SecretMask(layers(catalog(), formats()))


@cache
def secrets_of(folder: Path) -> dict[bytes, bytes]:
    """Frames with secrets, and the same with the marker in their place."""
    out = {}
    for row in Session([str(file_of(folder))]).rows():
        if isinstance(row, FrameRow) and (spans := veil().spans(row)):
            data = bytearray(row.data)
            for start, end, _ in spans:
                repeated = MARKER.encode() * (1 + (end - start) // len(MARKER))
                data[start:end] = repeated[: end - start]
            out[row.data] = bytes(data)
    return out


def planted(packet: Packet, secrets: dict[bytes, bytes]) -> Packet:
    """The packet with the marker for the secrets of frames that it holds whole."""
    data = packet.data
    for frame, marked in secrets.items():
        data = data.replace(frame, marked)
    return packet._replace(data=data)


def piece(folder: Path, chance: Random) -> Packets:
    """The first packets of a capture, now and then others."""
    packets = packets_of(folder)
    start = 0 if chance.random() < 0.8 else chance.randrange(len(packets))
    out, size = [], 0
    for each in packets[start : start + MOST_PACKETS]:
        size += each.payload
        if size > MOST_BYTES and out:
            break
        out.append(each)
    return out


def mutant(number: int) -> Mutant:
    """The mutant of a number."""
    chance = Random(f"mutant {number}")  # noqa: S311 - a seed
    protocol = sorted(protocols())[number % len(protocols())]
    folder = chance.choice(protocols()[protocol])
    packets = piece(folder, chance)
    plain = damage.written(packets)
    kind = chance.choice((payloads,) * 6 + (records,) * 2 + (file_bytes,))
    data, done = kind(packets, chance)
    told = f"mutant {number} of {protocol}/{folder.name}: {done}"
    marked = frozenset(secrets_of(folder).values())
    return Mutant(data, plain, told, protocol, said(packets, chance), marked)


# What either side sent


def payloads(packets: Packets, chance: Random) -> tuple[bytes, str]:
    """Spoil bytes of the payload, one to four times."""
    parts = in_order(packets)
    done = []
    for _ in range(chance.randrange(1, 5)):
        full = [at for at, each in enumerate(parts) if each.payload]
        if not full:
            break
        at = chance.choice(full)
        part, payload = parts[at], bytearray(parts[at].payload)
        spoil = chance.choice(SPOILS)
        spoil(payload, chance)
        parts[at] = part._replace(payload=bytes(payload)[:32_768])
        done.append(f"{spoil.__name__} at packet {at + 1}")
    return damage.written(joined(parts)), ", ".join(done)


def said(packets: Packets, chance: Random) -> bytes:
    """What one side sent, spoilt once."""
    parts = in_order(packets)
    ways = sorted({each.packet.way for each in parts if each.payload})
    if not ways:
        return b"\0"
    way = chance.choice(ways)
    data = bytearray(b"".join(each.payload for each in parts if each.packet.way == way))
    chance.choice(SPOILS)(data, chance)
    return bytes(data[:MOST_BYTES])


def flipped(data: bytearray, chance: Random) -> None:
    """One bit is another."""
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def replaced(data: bytearray, chance: Random) -> None:
    """Some bytes are others."""
    for _ in range(chance.randrange(1, 4)):
        data[chance.randrange(len(data))] = chance.choice((*TELLING, chance.randrange(256)))


def lengthened(data: bytearray, chance: Random) -> None:
    """A number of one to four bytes is far too great, or another one."""
    size = chance.choice((1, 2, 3, 4))
    at = chance.randrange(max(1, len(data) - size + 1))
    number = chance.choice(LENGTHS) & ((1 << 8 * size) - 1)
    data[at : at + size] = number.to_bytes(size)


def near(data: bytearray, chance: Random) -> None:
    """A byte is a few more or less: a length that is short or long by a little."""
    at = chance.randrange(len(data))
    data[at] = (data[at] + chance.choice((-4, -3, -2, -1, 1, 2, 3, 4, 8))) % 256


def misjudged(data: bytearray, chance: Random) -> None:
    """What looks like a length of two to four bytes is a few bytes short or long."""
    found = [(at, size) for size in (2, 3, 4) for at in range(len(data) - size)
             if 0 < int.from_bytes(data[at : at + size]) <= len(data) - at - size]  # fmt: skip
    if found:
        at, size = chance.choice(found)
        number = int.from_bytes(data[at : at + size]) + chance.choice((-9, -5, -3, -2, -1, 1, 2, 5))
        data[at : at + size] = max(0, number).to_bytes(size)


def inserted(data: bytearray, chance: Random) -> None:
    """There are some bytes more."""
    at = chance.randrange(len(data) + 1)
    data[at:at] = chance.randbytes(chance.choice((1, 2, 3, 4, 8, 60)))


def deleted(data: bytearray, chance: Random) -> None:
    """Some bytes are missing."""
    at = chance.randrange(len(data))
    del data[at : at + chance.choice((1, 2, 3, 4, 8, 60))]


def shortened(data: bytearray, chance: Random) -> None:
    """The end is missing, and the length before it says so."""
    gone = min(len(data) - 1, chance.randrange(1, 24))
    del data[len(data) - gone :]
    for at in (0, 1, 2, 3, 4):
        for size in (2, 3, 4):
            if int.from_bytes(data[at : at + size]) == len(data) + gone - at - size > 0:
                data[at : at + size] = max(0, len(data) - at - size).to_bytes(size)
                return


def doubled(data: bytearray, chance: Random) -> None:
    """A piece comes again, or more often."""
    at = chance.randrange(len(data))
    data[at:at] = data[at : at + chance.randrange(1, 200)] * chance.randrange(1, 4)


def spliced(data: bytearray, chance: Random) -> None:
    """What a side of another capture sent comes between, or instead."""
    protocol = chance.choice(sorted(protocols()))
    others = [each for each in in_order(piece(chance.choice(protocols()[protocol]), chance))
              if each.payload]  # fmt: skip
    if others:
        at = chance.choice((0, len(data), chance.randrange(len(data) + 1)))
        end = chance.choice((at, len(data)))
        data[at:end] = chance.choice(others).payload


SPOILS: Final[tuple[Spoil, ...]] = (
    flipped, replaced, lengthened, near, misjudged, misjudged, misjudged, inserted, deleted,
    shortened, shortened, doubled, spliced,
)  # fmt: skip


def in_order(packets: Iterable[Packet]) -> list[Part]:
    """What each packet brought that was not there yet."""
    out = []
    for each in packets:
        start = head_of(each)
        if start is None or len(each.data) < start + each.payload:
            continue
        out.append(Part(each, each.data[:start], each.data[start : start + each.payload]))
    following: dict[tuple[bytes, bytes], int] = {}
    kept = []
    for part in out:
        tcp = tcp_of(part.head)
        number, flags = int.from_bytes(part.head[tcp + 4 : tcp + 8]), part.head[tcp + 13]
        wanted = following.get(part.packet.way, number)
        if number == wanted or flags & _SYN:
            kept.append(part)
            taken = len(part.payload) + bool(flags & (_SYN | _FIN))
            following[part.packet.way] = (number + taken) % (1 << 32)
    return kept


def head_of(packet: Packet) -> int | None:
    """Where the payload of a packet of TCP begins; None for others."""
    if not packet.way[0]:
        return None
    tcp = tcp_of(packet.data)
    return tcp + (packet.data[tcp + 12] >> 4) * 4


def tcp_of(data: bytes) -> int:
    """Where the head of TCP begins."""
    return 54 if data[12:14] == b"\x86\xdd" else 14 + (data[14] & 15) * 4


def joined(parts: Sequence[Part]) -> Packets:
    """Packets of these parts, numbered as TCP numbers what they carry now."""
    following: dict[tuple[bytes, bytes], int] = {}
    out = []
    for packet, head, payload in parts:
        tcp, way = tcp_of(head), packet.way
        data = bytearray(head + payload)
        flags = data[tcp + 13]
        number = following.get(way, int.from_bytes(data[tcp + 4 : tcp + 8]))
        if flags & _SYN:
            number = int.from_bytes(data[tcp + 4 : tcp + 8])
        data[tcp + 4 : tcp + 8] = number.to_bytes(4)
        following[way] = (number + len(payload) + bool(flags & (_SYN | _FIN))) % (1 << 32)
        if flags & _ACK and way[::-1] in following:
            data[tcp + 8 : tcp + 12] = following[way[::-1]].to_bytes(4)
        if tcp == 54:
            data[18:20] = (len(data) - 54).to_bytes(2)
        else:
            data[16:18] = (len(data) - 14).to_bytes(2)
        out.append(packet._replace(data=bytes(data), original=len(data), payload=len(payload)))
    return out


# The packets of the file


def records(packets: Packets, chance: Random) -> tuple[bytes, str]:
    """Packets are missing, in another order, or spoilt as a link spoils them."""
    done = []
    out = list(packets)
    for _ in range(chance.randrange(1, 3)):
        if len(out) < 3:
            break
        what = chance.choice((*damage.DAMAGES, swapped, noisy))
        out = what(out, chance)
        done.append(what.__name__)
    return damage.written(out), ", ".join(done)


def swapped(packets: Packets, chance: Random) -> Packets:
    """Some packets have changed places, with their times."""
    out = list(packets)
    for _ in range(chance.randrange(1, 6)):
        one, other = chance.randrange(len(out)), chance.randrange(len(out))
        a, b = out[one], out[other]
        out[one], out[other] = b._replace(time_ns=a.time_ns), a._replace(time_ns=b.time_ns)
    return out


def noisy(packets: Packets, chance: Random) -> Packets:
    """Bytes of some packets are others, heads included."""
    out = list(packets)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(out))
        data = bytearray(out[at].data)
        if data:
            chance.choice((flipped, replaced, lengthened, near))(data, chance)
        out[at] = out[at]._replace(data=bytes(data))
    return out


def file_bytes(packets: Packets, chance: Random) -> tuple[bytes, str]:
    """Bytes after the file's header are changed, or its end is missing."""
    data = bytearray(damage.written(packets))
    done = []
    for _ in range(chance.randrange(1, 4)):
        rest = data[24:]
        if not rest:
            break
        spoil = chance.choice((flipped, replaced, lengthened, near, inserted, deleted, doubled))
        spoil(rest, chance)
        data[24:] = rest
        done.append(spoil.__name__)
    if chance.random() < 0.2:
        del data[chance.randrange(24, len(data) + 1) :]
        done.append("cut")
    return bytes(data), "file: " + ", ".join(done)
