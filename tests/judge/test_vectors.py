"""Every vector of Pravega, as tshark reads it with the generated plugin, in every dialect.

Captures have few of the commands that no client sends, and nothing of the dialects.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.builders import Packet, pcap
from tests.judge import judging
from tests.judge.traffic import Piece, packets_of
from tests.protocols.pravega.traffic import (
    WIRE,
    encoders_vectors,
    framed,
    hello,
    own_vectors,
)
from tests.schema.reader_agreement import Vector

from streamshark.protocols.pravega import PROTOCOL
from streamshark.schema import Sender
from streamshark.session import Session

PLUGIN = Path("dissectors/pravega.lua")
LARGEST = 1 << 16
"""Bytes of the largest vector that is shown: larger ones only take longer."""
ALIVE = framed(100)


def talk_of(vector: Vector, dialect: str) -> list[Piece]:
    """The frame, and around it what proves the protocol."""
    schema = WIRE.table(dialect).named(vector.command).tree.schema
    side = int(schema.sender is Sender.SERVER)
    begin = [] if dialect else [Piece(0, hello()), Piece(1, hello())]
    return [*begin, Piece(0, ALIVE * 3), Piece(1, ALIVE * 3), Piece(side, vector.data + ALIVE)]


def shown(dialect: str) -> int:
    """How many vectors a dialect has."""
    return sum(1 for _ in chosen(dialect))


def chosen(dialect: str) -> Iterator[Vector]:
    """Vectors of a dialect, the large ones left out."""
    for vector in (*own_vectors(), *encoders_vectors()):
        if vector.facts.get("dialect", "") == dialect and len(vector.data) < LARGEST:
            yield vector


def packets(dialect: str) -> Iterator[Packet]:
    """A connection for each vector."""
    for index, vector in enumerate(chosen(dialect)):
        yield from packets_of(talk_of(vector, dialect), index, WIRE.ports[0])


def read_in(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have both sides read a dialect."""
    shown_by = judging.tshark

    def tshark(capture: Path, plugins: Iterable[Path], *arguments: str, **options: object) -> str:
        preference = ("-o", f"{WIRE.short}.dialect:{dialect}") if plugins else ()
        return shown_by(capture, plugins, *arguments, *preference, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "tshark", tshark)
    monkeypatch.setattr(judging, "Session", partial(Session, dialects={WIRE.id: dialect}))


@pytest.mark.parametrize("dialect", WIRE.dialects)
def test_every_vector_is_ours(
    dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fields, values and problems."""
    file = tmp_path / "vectors.pcap"
    file.write_bytes(pcap(list(packets(dialect))))
    if dialect:
        read_in(dialect, monkeypatch)
    count, told = judging.compare(file, PROTOCOL, [PLUGIN])

    assert told == []
    assert count > 7 * shown(dialect)
