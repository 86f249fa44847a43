"""Detection: how sure it is of what, and that RabbitMQ Streams and RSocket are not confused."""

import io
import random
import struct
from dataclasses import replace

import pytest
from tests.builders import START_NS, Conversation, Packet, pcap
from tests.failures import every
from tests.protocols.rsocket.traffic import encoders_vectors, framed, own_vectors, setup
from tests.schema.reader_agreement import Vector, vectors

from streamshark.cli.raw_bytes import surest
from streamshark.dissection.detection import Undecided
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow, Segment
from streamshark.framing.carried import Route
from streamshark.framing.wire_format import Evidence, Level, WireFormat
from streamshark.protocols.catalog import catalog, find
from streamshark.protocols.rsocket.detect import (
    BARE_OPENING,
    FIRST,
    FOREIGN,
    OPENING,
    PORTS,
    detect,
)
from streamshark.protocols.rsocket.framing import OLD_PREFIX, PREFIX
from streamshark.session import Session

PROTOCOLS = catalog()
OTHER = "rabbitmq_stream"
ROUTES = [Route(each.wire.table()) for each in PROTOCOLS if each.wire.id in ("rsocket", OTHER)]
THEIRS = [each for each in vectors(OTHER) if not each.facts.get("bare")]
SETUP = b"\0\0\x28\0\0\0\0\4\0"
CANCEL = b"\0\0\6\0\0\0\1\x24\0"


def evidence(
    *commands: str, start: bool = True, port: bool = False, data: bytes = CANCEL
) -> Evidence:
    """What first bytes look like when these frames line up."""
    return Evidence(data, start, commands, bool(commands), open_head=False, port=port, framed=99)


def bare(data: bytes) -> Evidence:
    """What a SETUP looks like that came as a message."""
    return replace(evidence("setup", data=data), bare=True)


@every(
    ("seen", "level"),
    [
        (evidence("setup", data=SETUP), Level.CERTAIN),
        (evidence("setup", data=SETUP, start=False), Level.NONE),
        (evidence("payload", "cancel", "payload", start=False), Level.LIKELY),
        (evidence("error", "error", "error", "error", start=False), Level.NONE),
        (replace(evidence("payload", "cancel", "payload"), client=True), Level.NONE),
        (replace(evidence("payload", "cancel", "payload", port=True), client=True), Level.SURE),
        (evidence("payload", "cancel", start=False), Level.WEAK),
        (evidence("keepalive", start=False, port=True), Level.LIKELY),
        (evidence("setup", data=CANCEL), Level.NONE),
        (bare(SETUP[3:]), Level.CERTAIN),
        (bare(SETUP), Level.NONE),
        (evidence(), Level.NONE),
        (evidence(port=True), Level.NONE),
    ],
)
def test_levels(seen: Evidence, level: Level) -> None:
    """A beginning or three frames are sure on any port; less needs the port."""
    guess = detect(seen)

    assert guess.level is level
    assert guess.reason


@pytest.mark.parametrize("prefix", FOREIGN, ids=FOREIGN.get)
def test_other_protocols_are_named(prefix: bytes) -> None:
    """First bytes of others are refused by name."""
    guess = detect(evidence(port=True, data=prefix + b"..."))

    assert guess.level is Level.NONE
    assert FOREIGN[prefix] in guess.reason


@every("vector", [*own_vectors(), *encoders_vectors(bare=False)],
                         ids=lambda each: each.name)  # fmt: skip
def test_opening_frames_open(vector: Vector) -> None:
    """SETUP and RESUME of both layouts, and no other frame, with a length before it or without."""
    length = OLD_PREFIX if vector.facts.get("dialect") else PREFIX

    assert bool(OPENING.match(vector.data)) == (vector.command in FIRST)
    assert bool(BARE_OPENING.match(vector.data[length:])) == (vector.command in FIRST)


@every("vector", encoders_vectors(bare=False), ids=lambda each: each.name)
def test_no_frame_is_taken_for_another_protocol_s(vector: Vector) -> None:
    """Of all protocols, this one is the surest of its frames."""
    assert surest(vector.data, ROUTES).table.wire.id == "rsocket"


@every("vector", THEIRS, ids=lambda each: each.name)
def test_no_frame_of_rabbitmq_streams_is_ours(vector: Vector) -> None:
    """The frames match no RSocket, also on a port without another protocol."""
    with pytest.raises(StreamsharkError, match="no protocol recognises"):
        surest(vector.data, [each for each in ROUTES if each.table.wire.id != OTHER])


@pytest.mark.parametrize("cut", [0, 1, 8, 13])
@pytest.mark.parametrize("port", [1234, PORTS[0]])
def test_a_connection_that_is_joined_later(cut: int, port: int) -> None:
    """It is found after the rest of a frame, on any port."""
    said = {each.name: each.data for each in encoders_vectors(bare=False)}
    frames = [
        data for name, data in said.items()
        if name.split("/")[0] in ("keepalive", "request_n", "cancel", "error", "request_stream")
    ]  # fmt: skip
    data = b"".join(frames)[cut:]
    undecided = Undecided(Flow(0, ("", ""), (1000, port)), ROUTES)

    verdict = undecided.feed(Segment(0, 0, 7, data, 1, 1, 1, 0, 0, 100, 16, False))  # noqa: FBT003

    verdict = verdict or undecided.finish()
    assert verdict.connection is not None
    assert verdict.connection.wire.id == "rsocket"
    rows = [row for each in verdict.held for row in verdict.connection.feed(each)]
    assert len([row for row in rows if isinstance(row, FrameRow)]) >= len(frames) - 2


def test_wires_are_known() -> None:
    """Both are in the catalog, by id and by hyphens."""
    wire: WireFormat = find("rsocket", PROTOCOLS).wire

    assert wire.short == "rsocket"
    assert find("rabbitmq-stream", PROTOCOLS).wire.id == OTHER


def spoken(*flows: tuple[int, tuple[tuple[int, bytes], ...]]) -> list[int]:
    """The clients, by their ports, whose connections to one server are recognised.

    The server's port is no protocol's.
    """
    packets: list[Packet] = []
    for port, said in flows:
        time_ns = packets[-1].time_ns + 1000 if packets else START_NS
        talk = Conversation(("10.0.0.1", port), ("10.0.0.2", 8123), start_ns=time_ns).handshake()
        for side, data in said:
            talk.send(side, data)
        packets += talk.finish(0).finish(1).packets
    session = Session([io.BytesIO(pcap(packets))])
    return sorted({row.connection.flow.ports[0] for row in session.rows()})


def test_a_client_that_forgets_setup_is_shown_where_others_speak_rsocket() -> None:
    """On an unknown port, without other RSocket, it is not, nor are malformed frames."""
    asks, answers = framed(1, 0x04, 0, b"hi"), framed(1, 0x0A, 0x60, b"ho")
    good = (1, ((0, setup() + asks), (1, answers)))
    forgets = (2, ((0, asks), (1, framed(0, 0x0B, 0, b"\0\0\0\1no setup"))))
    foreign = (3, ((0, b"GET / HTTP/1.1\r\n\r\n"), (1, b"HTTP/1.1 200 OK\r\n\r\n")))

    assert spoken(good, forgets, foreign) == [1, 2]
    assert spoken(forgets, foreign) == []


def test_what_looks_like_frames_is_left_alone() -> None:
    """Binary protocols of small numbers and zeros, with or without their beginning."""
    made = random.Random(21)  # noqa: S311 - the same bytes in each run
    kinds = {
        "modbus": lambda n: struct.pack(">HHHBBHH", n, 0, 6, 1, 3, n % 9, 1),
        "tpkt": lambda n: b"\3\0" + struct.pack(">HBBB", 27, 2, 0xF0, 0x80) + bytes((n % 5,) * 20),
        "zeros": lambda n: bytes(n % 64),
        "random": lambda _: made.randbytes(64),
        "sizes of 32 bits": lambda n: struct.pack(">II", 12, n) + made.randbytes(8),
        "sizes of 24 bits": lambda n: b"\0\0\x0c" + struct.pack(">I", n) + made.randbytes(8),
        "TLS": lambda _: b"\x17\3\3\0\x40" + made.randbytes(64),
        "ASN.1": lambda n: b"\x30\x82\0\x0a\x02\2\0" + bytes((n % 256,)) + b"\x04\2" + bytes(4),
        "SMB": lambda n: b"\0\0\0\x24\xffSMB\x72" + bytes(23) + struct.pack("<HH", n, 0) + bytes(4),
    }  # fmt: skip
    failed = []
    for name, build in kinds.items():
        sides = tuple((n % 2, build(n)) for n in range(1, 300))
        for begins in (True, False):
            talk = Conversation(server=("10.0.0.2", 8123)).handshake()
            for side, data in sides:
                talk.send(side, data)
            session = Session([io.BytesIO(pcap(talk.packets if begins else talk.packets[8:]))])
            if list(session.rows()):
                failed.append((name, begins, session.dissector.spoken))
    assert not failed


def test_frames_that_no_peer_sends() -> None:
    """Streams out of order, and frames among other bytes, are not RSocket."""
    other = b"\xaa\x55" * 200
    asks = framed(1, 0x04, 0, b"hi")
    for data in (
        b"".join(framed(0, 0x0A, 0x60, b"hi") for _ in range(20)),
        b"".join(framed(each << 24 | 1, 0x0A, 0x60, b"hi") for each in range(1, 20)),
        other + asks * 4 + other,
        framed(1, 0x0B, 0, b"\0\0\2\1no") * 20,
    ):
        undecided = Undecided(Flow(0, ("", ""), (1000, 1234)), ROUTES)
        verdict = undecided.feed(Segment(0, 0, 7, data, 1, 1, 1, 0, 0, 100, 16, is_payload=True))
        assert (verdict or undecided.finish()).connection is None, data


def test_first_bytes_that_only_look_like_the_oldest_layout() -> None:
    """Kafka's first request has the type of SETUP in 0.1, without a version after it."""
    for after, level in ((b"\0\x08consumer", Level.NONE), (b"\0\0\0\1consumer", Level.LIKELY)):
        first = b"\0\0\0\x14\0\1\0\x0b\0\0\0\0" + after
        guess = detect(Evidence(first, True, (), False, open_head=False, port=True))  # noqa: FBT003

        assert guess.level is level, after
