"""What the document requires, broken and kept: rules that have no page of their own."""

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, entry, framed, payload, resume, setup

Step = tuple[int, bytes] | str | float
C, S = 0, 1
N = (9).to_bytes(4, "big")
LEASE = (S, framed(0, 0x02, 0, b"\0\0\x27\x10\0\0\0\1"))
OWN_LEASE = (C, LEASE[1])
ASK = (C, framed(1, 0x04, 0, b"ping"))
SECOND = (C, framed(3, 0x04, 0, b"ping"))
ANSWER = (S, framed(1, 0x0A, 0x60, b"pong"))
PING = (S, framed(0, 0x03, 0x80, bytes(8)))
JSON = (C, setup(data="application/json"))
JSON_ASK = (C, framed(1, 0x04, 0, b'{"ping":1}'))
PIECES = (C, framed(1, 0x04, 0x80, b'{"a":')), (C, framed(1, 0x0A, 0x20, b"1}"))
SETUP, RESUMABLE = (C, setup()), (C, setup(token=b"token"))


def leased() -> tuple[int, bytes]:
    """SETUP that asks for leases."""
    data = bytearray(setup())
    data[8] |= 0x40
    return C, bytes(data)


def asks(authentication: bytes, stream: int = 1) -> tuple[int, bytes]:
    """Return a request with authentication metadata."""
    metadata = entry(0x7C, authentication)
    return C, framed(stream, 0x04, 0x100, payload(metadata, b"ping"))


def error(code: int, stream: int = 0, text: bytes = b"no") -> bytes:
    """ERROR."""
    return framed(stream, 0x0B, 0, code.to_bytes(4, "big") + text)


def position(value: int) -> bytes:
    """KEEPALIVE with a position."""
    return framed(0, 0x03, 0, value.to_bytes(8, "big"))


def ext(kind: int) -> tuple[int, bytes]:
    """EXT."""
    return C, framed(0, 0x3F, 0x200, kind.to_bytes(4, "big"))


def found(rule: str, *steps: Step) -> list[tuple[int, ...]]:
    """Return the frames of a rule's findings; a number waits, words close or connect."""
    talk = Talk()
    for step in steps:
        match step:
            case (side, data):
                talk.say(side, data)
            case "close":
                talk.close()
            case "connect":
                talk.connect()
            case "drop":
                talk.event(S, "close")
            case "leave":
                talk.event(C, "close")
            case float():
                talk.now += int(step * 1_000_000_000)
    talk.engine.finish()
    talk.judge.finish()
    findings = talk.judge.findings()
    every_one = [*findings, *(each for one in findings for each in one.echoes)]
    return [each.frames for each in every_one if each.rule == rule]


REFUSED = (SETUP, (S, error(3)))
CLOSING = (C, error(0x102))
SIZE = len(framed(1, 0x0A, 0x20, b"item"))
ITEM = (S, framed(1, 0x0A, 0x20, b"item"))
STREAM = (C, framed(1, 0x06, 0, N + b"list"))
PUSH = 0x0C
CASES: tuple[tuple[str, tuple[Step, ...], list[tuple[int, ...]], tuple[Step, ...]], ...] = (
    ("RSK-C26", (leased(), ASK, ANSWER, "close"), [(3, 1)], (leased(), LEASE, ASK, "close")),
    ("RSK-C26", (leased(), PING, 1.0, "close"), [(1,)], (leased(), (S, error(3)), 3.0, "close")),
    ("RSK-C26", (leased(), PING, 1.0, "close"), [(1,)], (SETUP, PING, ASK, ANSWER, "close")),
    ("RSK-C26b", (leased(), LEASE, 1.0, "close"), [(1,)], (leased(), LEASE, OWN_LEASE, "close")),
    ("RSK-C27", (SETUP, ext(0)), [(2,)], (SETUP, ext(1))),
    ("RSK-C28", (SETUP, ASK, (S, error(0x300, 1))), [(3,)], (SETUP, ASK, (S, error(0x301, 1)))),
    ("RSK-C28", (SETUP, (S, error(0))), [(2,)], (SETUP, (S, error(0x101)))),
    ("RSK-C28", (SETUP, ASK, (S, error(0xFFFFFFFF, 1))), [(3,)],
     (SETUP, ASK, (S, error(0xFFFFFFFE, 1)))),
    ("RSK-C29", ((C, setup(data="text/plain\0")),), [(1,)], (SETUP,)),
    ("RSK-C29", (SETUP, ASK, (S, error(0x201, 1, b"no\0"))), [(3,)],
     (SETUP, ASK, (S, error(0x201, 1, b"n\0o")))),
    ("RSK-C30", (SETUP, STREAM, ITEM, CLOSING, "close"), [(4, 2)],
     (SETUP, ASK, CLOSING, ANSWER, "close")),
    ("RSK-C31", (*REFUSED, 2.0, "leave"), [(2,)], (*REFUSED, "leave")),
    ("RSK-C31", (*REFUSED, 2.0, "leave"), [(2,)], (*REFUSED, "close")),
    ("RSK-C32", (SETUP, PING, "drop", 1.0, ASK), [(3,)], (SETUP, PING, "drop", ASK)),
    ("RSK-L3", (leased(), LEASE, ASK, SECOND, (S, error(0x201, 3))), [(5, 4)],
     (leased(), LEASE, ASK, SECOND, (S, error(0x202, 3)))),
    ("RSK-L3", (leased(), LEASE, ASK, SECOND, (S, error(0x201, 3))), [(5, 4)],
     (leased(), LEASE, ASK, (S, error(0x201, 1)))),
    ("RSK-M5", (SETUP, (C, framed(0, PUSH, 0x100, payload(b"news", b"")))), [(2,)],
     (SETUP, (C, framed(0, PUSH, 0x100, b"news")))),
    ("RSK-M6", (SETUP, (C, framed(0, PUSH, 0, b"news"))), [(2,)],
     (SETUP, (C, framed(0, PUSH, 0x100, b"news")))),
    ("RSK-M7", (JSON, (C, framed(1, 0x04, 0, b"\xa1\x61a\x01"))), [(2, 1)],
     (JSON, (C, framed(1, 0x04, 0, b'{"ping":1}')))),
    ("RSK-M7", (JSON, (C, framed(1, 0x04, 0, b"[ping"))), [(2, 1)],
     (JSON, (C, framed(1, 0x04, 0, b"ping")))),
    ("RSK-M7c", (JSON, (C, framed(1, 0x04, 0, b"ping"))), [(2, 1)],
     (JSON, (C, framed(1, 0x04, 0, b'"ping"')))),
    ("RSK-M7", (SETUP, (C, framed(1, 0x04, 0, b"\xff\xfe"))), [(2, 1)], (SETUP, ASK)),
    ("RSK-M7c", (JSON, *PIECES, SECOND), [(4, 1)], (JSON, *PIECES)),
    ("RSK-M7b", (JSON, JSON_ASK, ANSWER), [(3, 1)], (SETUP, ASK, ANSWER)),
    ("RSK-M8", (SETUP, asks(b"\x80\0\x50user" + b"pw")), [(2,)],
     (SETUP, asks(b"\x80\0\4userpw"))),
    ("RSK-M8", (SETUP, asks(b"\x85user")), [(2,)], (SETUP, asks(b"\x81token"))),
    ("RSK-M8", (SETUP, asks(b"\x81")), [(2,)], (SETUP, ASK)),
    ("RSK-M8", (SETUP, asks(b"")), [(2,)], (SETUP, ASK)),
    ("RSK-R11", (RESUMABLE, PING, "close", "connect", RESUMABLE), [(3, 1)],
     (RESUMABLE, PING, "close", "connect", (C, setup(token=b"other")))),
    ("RSK-R11b", (RESUMABLE, PING, "connect", RESUMABLE), [(3, 1)],
     (RESUMABLE, PING, "close", "connect", RESUMABLE)),
    ("RSK-R11b", (RESUMABLE, PING, "connect", RESUMABLE), [(3, 1)],
     (RESUMABLE, PING, "close", "connect", (C, resume(b"token")))),
    ("RSK-R12", (RESUMABLE, STREAM, ITEM, (C, position(SIZE + 1))), [(4, 1)],
     (RESUMABLE, STREAM, ITEM, (C, position(SIZE - 3)))),
    ("RSK-R12", (RESUMABLE, STREAM, (S, position(99))), [(3, 1)],
     (RESUMABLE, STREAM, (S, position(len(STREAM[1]) - 3)))),
    ("RSK-S11c", (SETUP, STREAM, (S, framed(1, 0x0A, 0x60, b"last")), (S, error(0x201, 1))),
     [(4, 2)], (SETUP, STREAM, ITEM, (S, error(0x201, 1)))),
    ("RSK-S23", (SETUP, SECOND), [(2,)], (SETUP, ASK, SECOND)),
)  # fmt: skip
"""Rule, traffic that breaks it, frames of the findings, and a near miss."""


@every(("rule", "broken", "frames", "kept"), CASES)
def test_a_requirement(
    rule: str, broken: tuple[Step, ...], frames: list[tuple[int, ...]], kept: tuple[Step, ...]
) -> None:
    """Its breach is named at the guilty frame; the near miss is silent."""
    assert found(rule, *broken) == frames
    assert found(rule, *kept) == []
