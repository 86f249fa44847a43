"""Detection: how sure it is of what, and that it is taken for no other protocol."""

from contextlib import suppress
from dataclasses import replace

import pytest
from tests.failures import every
from tests.protocols.pravega.traffic import encoders_vectors, framed, hello, text
from tests.schema.reader_agreement import Vector, vectors

from streamshark.cli.raw_bytes import surest
from streamshark.dissection.detection import Undecided
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow, Segment
from streamshark.framing.carried import Route
from streamshark.framing.wire_format import Evidence, Level
from streamshark.protocols.catalog import catalog, find
from streamshark.protocols.pravega.detect import FOREIGN, LOOSE, PORTS, detect

PROTOCOLS = catalog()
ROUTES = [Route(each.wire.table()) for each in PROTOCOLS]
THEIRS = [
    each
    for other in ("rabbitmq_stream", "rsocket")
    for each in vectors(other)
    if not each.facts.get("bare")
]


def evidence(
    *commands: str, start: bool = True, port: bool = False, data: bytes = b"\0\0\0\x64\0\0\0\0"
) -> Evidence:
    """What first bytes look like when these frames line up."""
    return Evidence(data, start, commands, bool(commands), open_head=False, port=port, framed=99)


@every(
    ("seen", "level"),
    [
        (evidence("hello"), Level.CERTAIN),
        (evidence("hello", start=False), Level.CERTAIN),
        (evidence("setup_append", "append_block", "append_block_end"), Level.NONE),
        (evidence("setup_append", "append_block", "append_block_end", start=False), Level.LIKELY),
        (evidence("auth_token_check_failed", "append_block"), Level.NONE),
        (evidence("keep_alive", "keep_alive", start=False), Level.NONE),
        (evidence("keep_alive", port=True), Level.LIKELY),
        (evidence("keep_alive", "keep_alive", port=True), Level.SURE),
        (evidence("padding", "event", "partial_event"), Level.NONE),
        (replace(evidence(port=True), open_head=True), Level.WEAK),
        (evidence(), Level.NONE),
        (evidence(port=True), Level.NONE),
    ],
)  # fmt: skip
def test_levels(seen: Evidence, level: Level) -> None:
    """HELLO or two frames are sure on any port; one frame alone needs the port."""
    guess = detect(seen)

    assert guess.level is level
    assert guess.reason


@pytest.mark.parametrize("prefix", FOREIGN, ids=FOREIGN.get)
def test_other_protocols_are_named(prefix: bytes) -> None:
    """First bytes of others are refused by name."""
    guess = detect(evidence(port=True, data=prefix + b"..."))

    assert guess.level is Level.NONE
    assert FOREIGN[prefix] in guess.reason


@every("vector", encoders_vectors(), ids=lambda each: each.name)
def test_no_frame_is_taken_for_another_protocol_s(vector: Vector) -> None:
    """Of all protocols, this one is the surest of its frames, twice in a row."""
    if vector.command not in LOOSE:
        assert surest(vector.data * 2, ROUTES).table.wire.id == "pravega"


@every("vector", THEIRS, ids=lambda each: each.name)
def test_no_frame_of_others_is_ours(vector: Vector) -> None:
    """Its own protocol is surer of it."""
    with suppress(StreamsharkError):  # nobody is sure of a broken frame
        assert surest(vector.data, ROUTES).table.wire.id != "pravega"


@pytest.mark.parametrize("cut", [0, 1, 8, 13])
@pytest.mark.parametrize("port", [1234, PORTS[0]])
def test_a_connection_that_is_joined_later(cut: int, port: int) -> None:
    """It is found after the rest of a frame, on any port."""
    read = framed(9, text("scope/stream/0") + bytes(12) + text("") + bytes(8))
    frames = [hello(), read, read, framed(100), read]
    undecided = Undecided(Flow(0, ("", ""), (1000, port)), ROUTES)

    verdict = undecided.feed(
        Segment(0, 0, 7, b"".join(frames)[cut:], 1, 1, 1, 0, 0, 100, 16, False)  # noqa: FBT003
    )

    verdict = verdict or undecided.finish()
    assert verdict.connection is not None
    assert verdict.connection.wire.id == "pravega"
    rows = [row for each in verdict.held for row in verdict.connection.feed(each)]
    assert len([row for row in rows if isinstance(row, FrameRow)]) >= len(frames) - 1


def test_the_wire_is_known() -> None:
    """By its id."""
    assert find("pravega", PROTOCOLS).wire.short == "pravega"


def test_what_is_given_back() -> None:
    """KEEP_ALIVE on either side, and frames among other bytes, on a port that is not ours."""
    read = framed(9, text("scope/stream/0") + bytes(12) + text("") + bytes(8))
    other = b"\xaa\x55" * 200
    for sides, port in (
        ((framed(100), framed(100)), 1234),
        ((other + read * 3 + other, b""), 1234),
        ((read * 3, other), 1234),
        ((b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n" + read), PORTS[0]),
    ):
        undecided = Undecided(Flow(0, ("", ""), (1000, port)), ROUTES)
        for side, data in enumerate(sides):
            if data:
                undecided.feed(Segment(0, side, 7, data, 1, 1, 1, 0, 0, 100, 16, is_payload=True))
        assert undecided.finish().connection is None, (sides, port)
