"""Spoilt traffic: whatever the bytes, no plugin fails, and the problems are ours."""

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.builders import Packet, pcap
from tests.judge import traffic
from tests.judge.judging import tshark
from tests.judge.test_captures import OUTER_PORTS, PLUGINS, PROTOCOLS, plugin
from tests.judge.traffic import packets_of

ROUNDS = 8 if traffic.THOROUGH else 3
"""Spoilt forms of each connection."""
FEW = 8
"""Captures that are spoilt where few are small: the smallest ones that have a connection which the
plugin reads, and of those the beginnings."""
MOST = 6
"""About so many are spoilt by `make test`."""
PIECES = 100
"""Most segments of a connection that are spoilt."""


def spoilt(name: str, paths: Iterable[Path], rounds: int) -> tuple[int, list[Packet]]:
    """Return the number of spoilt forms of the connections of some captures, and their packets."""
    chance = random.Random(name)  # noqa: S311 - not for secrets
    packets: list[Packet] = []
    index = 0
    for path in paths:
        for _, talk in traffic.talks(path):
            for _ in range(rounds):
                index += 1
                pieces = [each._replace(data=spoil(each.data, chance)) for each in talk[:PIECES]]
                packets += packets_of(pieces, index, (PROTOCOLS[name].wire.ports or OUTER_PORTS)[0])
    return index, packets


def problems_in(name: str, packets: list[Packet], file: Path) -> int:
    """Return how many problems tshark shows of packets; an error in Lua is an AssertionError."""
    file.write_bytes(pcap(packets))
    plugins = [*plugin(name), PLUGINS / "amqp1.lua"]
    output = tshark(file, plugins, "-V", "-o", "tcp.desegment_tcp_streams:FALSE")
    output += tshark(file, plugins, "-V")
    return output.count("Problem: ")


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "mutations"))
def test_no_lua_error_on_spoilt_frames(name: str, tmp_path: Path) -> None:
    """No lua error on spoilt frames."""
    whole = [
        path for path in traffic.usual(name) if traffic.is_whole(path) and not traffic.is_tls(path)
    ]
    small = [path for path in whole if traffic.size(path) <= traffic.SMALL]
    step = 4 if traffic.THOROUGH else max(4, len(small) // MOST)
    read = (path for path in sorted(whole, key=traffic.size) if traffic.talks(path))
    few = small[::step] if len(small) > 4 * FEW else itertools.islice(read, FEW)
    _, packets = spoilt(name, few, ROUNDS)
    assert problems_in(name, packets, tmp_path / "spoilt.pcap") > (100 if traffic.THOROUGH else 30)


def spoil(data: bytes, chance: random.Random) -> bytes:
    """Change a byte, cut some out, or put some in."""
    if not data or chance.random() < 0.5:
        return data
    at = chance.randrange(len(data))
    match chance.randrange(3):
        case 0:
            return data[:at] + bytes([chance.choice((0, 1, 0x7F, 0x80, 0xFF))]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + chance.randrange(1, 9) :]
        case _:
            return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]
