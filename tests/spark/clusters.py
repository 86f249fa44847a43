"""Captures of several clusters at one tap, for tests of what has to do with what."""

import itertools
import random
import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.packets import Packet

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from generator import (
    ACK,
    FIN,
    RESPONSE,
    Connection,
    bodies,
    confirm,
    credit,
    deliver,
    frame,
    handshake,
    publish,
    text,
)

NOISE = b"\x88\xb5"
"""An EtherType that nobody reads."""
BROKER = 5552
"""Port of the brokers."""


def cluster(
    number: int,
    connections: int,
    bursts: int,
    *,
    broker: int = 0,
    clients: int = 1,
    names: str | None = None,
) -> list[list[bytes]]:
    """What the clients of one broker say, in bursts; all write and read the same stream.

    The broker is 10.`number`.`broker`.1, its clients are in 10.`number`.`clients`.0/24; in an
    answer about metadata it `names` a host.
    """
    made = random.Random(f"{number} {broker} {clients}")  # noqa: S311 - the same each time
    pool, out = bodies(50, made), []
    for each in range(connections):
        client = bytes([10, number, clients, each % 250 + 1]), 40_000 + each
        connection = Connection(each)
        connection.ends = client, (bytes([10, number, broker, 1]), BROKER)
        sent = connection.open()
        for side, data in handshake(f"client-{each}"):
            sent += connection.send(side, data)
        if names is not None:
            sent += connection.send(0, frame(0x0F, struct.pack(">II", 6, 1) + text("orders")))
            told = struct.pack(">IIH", 6, 1, 0) + text(names) + struct.pack(">II", BROKER, 0)
            sent += connection.send(1, frame(0x0F | RESPONSE, told))
        out.append(sent)
        for at in range(bursts):
            chosen = made.sample(pool, made.randint(1, 30))
            sent = connection.send(0, publish(chosen, at * 30), 700)
            sent += connection.send(1, confirm(at * 30, 3) + deliver(chosen, at * 30))
            out.append([*sent, *connection.send(0, credit())])
        if each % 2:
            out.append([connection.packet(*end) for end in ((0, FIN | ACK), (1, FIN | ACK))])
    return out


def mixed(*parts: Sequence[list[bytes]], start: int = 0) -> list[Packet]:
    """The packets of all of them, each at its own pace, a millisecond apart from `start` on."""
    turns = [(at / len(part), sent) for part in parts for at, sent in enumerate(part)]
    sent = itertools.chain.from_iterable(
        each for _, each in sorted(turns, key=lambda turn: turn[0])
    )
    return [Packet((start + at) * 1_000_000, each, 1, len(each)) for at, each in enumerate(sent)]


def archive() -> list[Packet]:
    """Four clusters at one tap: one giant flow, and many small ones with the same names."""
    return mixed(cluster(1, 1, 150), cluster(2, 6, 3), cluster(3, 5, 4), cluster(4, 3, 5))


def alone(found: Sequence[Packet], meant: Callable[[bytes], bool]) -> list[Packet]:
    """Packets, but noise where other clusters talk; `meant` is asked for both addresses."""
    return [
        each if meant(each.data[26:34]) else each._replace(
            data=each.data[:12] + NOISE + each.data[14:]
        )
        for each in found
    ]  # fmt: skip
