"""Detection: by INFO and CONNECT, else by lines that no other protocol has."""

import pytest
from tests.protocols.nats.traffic import CLIENT_CONNECT, SERVER_INFO

from streamshark.dissection.detection import Undecided
from streamshark.flows.segment import Flow, Segment
from streamshark.framing.carried import Route
from streamshark.framing.wire_format import Evidence, Level
from streamshark.protocols.catalog import catalog
from streamshark.protocols.nats.detect import FOREIGN, PORTS, VAGUE, detect

ROUTES = [Route(each.wire.table()) for each in catalog() if each.wire.table().cuts]


def evidence(*commands: str, start: bool = True, port: bool = False) -> Evidence:
    """What first bytes look like when these lines line up."""
    return Evidence(b"", start, commands, bool(commands), open_head=False, port=port, framed=99)


def taken(*sides: tuple[int, bytes], port: int = 50_000, client: int | None = 0) -> str | None:
    """The protocol that a connection is taken for; without a client it is joined later."""
    handshake = None if client is None else (1, 1)
    undecided = Undecided(
        Flow(0, ("a", "b"), (40_000, port), client=client, handshake_ns=handshake), ROUTES
    )
    offsets = [0, 0]
    for side, data in sides:
        segment = Segment(0, side, offsets[side], data, 0, 0, 0, 0, 0, 0, 0, False)  # noqa: FBT003
        offsets[side] += len(data)
        verdict = undecided.feed(segment)
        if verdict is not None:
            return verdict.connection.wire.id if verdict.connection else None
    connection = undecided.finish().connection
    return connection.wire.id if connection else None


@pytest.mark.parametrize(
    ("commands", "port", "sure"),
    [
        (("info",), False, True),
        (("connect",), False, True),
        (("pub", "pub"), False, True),
        (("pub",), False, False),
        (("pub",), True, True),
        (("ping", "pong", "ping", "ok", "err"), False, False),
        (("ping", "pong"), True, True),
        ((), True, False),
    ],
)
def test_how_sure_it_is(commands: tuple[str, ...], port: bool, sure: bool) -> None:  # noqa: FBT001
    """Verbs that others have too count on its ports alone."""
    assert (detect(evidence(*commands, port=port)).level >= Level.LIKELY) is sure


@pytest.mark.parametrize(
    "sides",
    [
        [(1, SERVER_INFO)],
        [(0, CLIENT_CONNECT)],
        [(1, SERVER_INFO), (0, b"\x16\x03\x01\x02\x00\x01" + bytes(512))],
        [(0, b"SUB a 1\r\nPUB b 1\r\nx\r\nPING\r\n")],
        [(1, b"MSG a 1 2\r\nhi\r\nMSG a 1 3\r\nho!\r\n")],
        [(0, b"RS+ $G a\r\nRS- $G a\r\n")],
    ],
)
def test_connections_that_are_taken(sides: list[tuple[int, bytes]]) -> None:
    """On any port."""
    assert taken(*sides) == "nats"


def test_a_first_line_that_is_amiss_is_enough_on_its_port() -> None:
    """A client with a fault in CONNECT is one of NATS all the same."""
    first = (0, b'CONNECT {"verbose":"false"}\r\nPING\r\n')

    assert taken(first, port=4222) == "nats"
    assert taken(first) is None


@pytest.mark.parametrize(
    "sides",
    [
        [(0, b"PING\r\n"), (1, b"+PONG\r\n")],
        [(0, b"*1\r\n$4\r\nPING\r\n"), (1, b"-ERR unknown command\r\n")],
        [(0, b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n")],
        [(0, b"PING :a\r\nPONG :a\r\n")],
        [(1, b"+OK POP3 ready\r\n"), (0, b"USER a\r\n")],
    ],
)
def test_others_are_left_alone(sides: list[tuple[int, bytes]]) -> None:
    """Redis, HTTP, IRC, POP3."""
    assert taken(*sides) is None


def test_what_follows_info_is_known_where_the_start_is_not() -> None:
    """INFO alone proves little; TLS or S2 after it, as it announces, proves it on any port."""
    for after, is_taken in (
        (b"\x16\x03\x01\x02\x00" + bytes(90), True),
        (b"\xff\x06\x00\x00S2sTwO" + bytes(90), True),
        (b"\xff\x06\x00\x00sNaPpY" + bytes(90), False),
    ):
        found = taken((1, SERVER_INFO + after), (0, after), client=None)
        assert (found == "nats") is is_taken, after
    assert taken((1, b"PING\r\n\x16\x03\x01" + bytes(90)), client=None) is None


def test_others_on_its_ports_are_named() -> None:
    """By their first bytes."""
    assert taken((0, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" + b"x" * 5000), port=PORTS[0]) == "nats"
    assert all(len(each) >= len(b"\x10\0\0\0") for each in FOREIGN)
    assert "info" not in VAGUE
