"""The plugins do the same in every Lua that Wireshark has: whole numbers there are of two kinds.

Lua 5.2 has floats alone. In later ones `/` and `^` make floats of whole numbers, which are written
otherwise and refused as places in bytes, and whole numbers overflow at 64 bits.
"""

import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fuzz import mutants
from tests.judge import traffic

from streamshark.protocols.catalog import catalog, find
from streamshark.protocols.liftbridge.framing import MAGIC

WIRESHARK = Path("tests/judge/wireshark.lua")
"""Runs plugins outside of Wireshark."""
OTHERS = {
    "rabbitmq_stream": ["amqp1"], "rsocket": [], "pravega": [], "nats": [], "liftbridge": ["nats"],
}  # fmt: skip
"""Protocol to the plugins that are loaded before its own."""
FEW = 18 if traffic.THOROUGH else 5
"""Captures of each."""
PIECES = 60 if traffic.THOROUGH else 40
"""Most segments of a connection."""
SPOILT = 2 if traffic.THOROUGH else 1
"""Spoilt forms of each connection."""
EDGES = [bytes.fromhex(each) for each in (
    "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "0020000000000000", "7fffffff",
    "80000000", "ffffffff", "8000", "fff5", "f5ffffffffffffffff01", "feffffffffffffff7f", "80",
)]  # fmt: skip
"""Numbers at which a size ends, some of them as base-128 numbers."""
LARGE = [b"9007199254740993", b"9223372036854775807", b"-9223372036854775808", b"4294967296"]
"""The same as digits."""
POINTING_BACK = [
    traffic.Piece(1, b'INFO {"max_payload": 1024}\r\n'),
    traffic.Piece(0, b'CONNECT {"verbose": false}\r\n'),
    traffic.Piece(0, b"PUB subject inbox 19\r\n" + MAGIC + bytes.fromhex(
        "00080000 12 f5ffffffffffffffff01"
    ) + b"\r\n"),
]  # fmt: skip
"""An envelope with a length of 2^64 - 11 bytes, which is where it stands when it overflows."""


def talks(name: str) -> Iterator[traffic.Talk]:
    """What peers have said, and the same with numbers at the edges."""
    if name == "liftbridge":
        yield POINTING_BACK
    every = [path for path in traffic.usual(name) if traffic.is_whole(path)]
    small = [path for path in every if path.stat().st_size < traffic.SMALL]
    for path in small[:: max(1, len(small) // FEW)][:FEW]:
        for _, talk in traffic.talks(path):
            yield talk[:PIECES]
            for chance in map(random.Random, range(SPOILT)):
                yield [
                    each._replace(data=spoilt(each.data, chance)) if chance.random() < 0.5 else each
                    for each in talk[:PIECES]
                ]


def segments(name: str, port: int) -> Iterator[str]:
    """Lines of `wireshark.lua`."""
    time_ns = 0
    for stream, talk in enumerate(talks(name)):
        places, ends = [1, 1], (40_000 + stream, port)
        for side, data in talk:
            time_ns += 1_000_003
            begin, places[side] = places[side], places[side] + len(data)
            facts = (stream, ends[side], ends[1 - side], begin, places[side], places[1 - side])
            yield " ".join(map(str, (*facts, time_ns, data.hex())))


def spoilt(data: bytes, chance: random.Random) -> bytes:
    """A number becomes another one, or something else happens."""
    out = bytearray(data)
    if not data:
        return data
    if chance.random() < 0.3:
        chance.choice(mutants.SPOILS)(out, chance)
        return bytes(out)
    numbers = [each.span() for each in re.finditer(rb"(?<=[ :])\d+", data)]
    if numbers:
        start, end = chance.choice(numbers)
        out[start:end] = chance.choice(LARGE)
    else:
        edge, at = chance.choice(EDGES), chance.randrange(len(data))
        out[at : at + len(edge)] = edge
    return bytes(out)


@pytest.mark.parametrize("name", traffic.drawn(OTHERS, "versions of Lua"))
def test_every_lua_shows_the_same(name: str, tmp_path: Path) -> None:
    """Of recorded frames, and of spoilt ones with numbers at which a size ends."""
    wire = find("nats" if name == "liftbridge" else name, catalog()).wire
    file = tmp_path / "segments"
    file.write_text("".join(f"{each}\n" for each in segments(name, wire.ports[0])))
    plugins = [f"dissectors/{each}.lua" for each in (*OTHERS[name], name)]
    told = {}
    for version in ("5.2", "5.3", "5.4"):
        done = subprocess.run(
            [f"lua{version}", str(WIRESHARK), wire.short, str(file), *plugins],
            capture_output=True, check=False, timeout=1200 if traffic.THOROUGH else 300,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode(errors="replace")
        told[version] = done.stdout.splitlines()
    for version in ("5.3", "5.4"):
        differs = [
            each for each in zip(told["5.2"], told[version], strict=True) if len(set(each)) > 1
        ]
        assert differs == [], (version, differs[:5])
    assert sum(b"! " in each for each in told["5.2"]) > (30 if traffic.THOROUGH else 10)
