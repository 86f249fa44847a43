"""Rules about the bodies of JetStream: each is broken once, and once nearly."""

from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, SERVER, Talk

Lines = list[tuple[int, bytes]]
ACK = b"$JS.ACK.S.C.1.1.1.1.0"
CREATE = b"$JS.API.CONSUMER.DURABLE.CREATE.S.C"
MAKE = b"$JS.API.STREAM.CREATE.KV_a"
NEXT = b"$JS.API.CONSUMER.MSG.NEXT.S.C"


def pub(subject: bytes, payload: bytes, reply: bytes = b"") -> tuple[int, bytes]:
    """Return a publish of the client."""
    return CLIENT, b"PUB %s %s%d\r\n%s" % (subject, reply and reply + b" ", len(payload), payload)


def hpub(number: bytes, payload: bytes, subject: bytes = b"orders") -> tuple[int, bytes]:
    """Return a publish with a Nats-Msg-Id, which asks for its ack on r."""
    block = b"NATS/1.0\r\nNats-Msg-Id: %s\r\n\r\n" % number
    sizes = len(block), len(block) + len(payload)
    return CLIENT, b"HPUB %s r %d %d\r\n%s%s" % (subject, *sizes, block, payload)


def header(line: bytes) -> tuple[int, bytes]:
    """Return a publish with a header."""
    block = b"NATS/1.0\r\n%s\r\n\r\n" % line
    return CLIENT, b"HPUB a %d %d\r\n%sx" % (len(block), len(block) + 1, block)


def stored(more: bytes = b"") -> tuple[int, bytes]:
    """Return the ack of a publish."""
    payload = b'{"stream":"S","seq":1%s}' % more
    return SERVER, b"MSG r 1 %d\r\n%s" % (len(payload), payload)


SUB = (CLIENT, b"SUB r 1")
DUPLICATE = stored(b',"duplicate":true')
CASES: list[tuple[str, Lines, list[tuple[int, ...]], Lines]] = [
    ("N27", [pub(CREATE, b'{"config":{"ack_wait":30}}', b"r")], [(3,)],
     [pub(CREATE, b'{"config":{"ack_wait":30000000000}}', b"r")]),
    ("N27", [pub(CREATE, b'{"config":{"backoff":[1,5,60]}}', b"r")], [(3,)],
     [pub(CREATE, b'{"config":{"backoff":[1000000,5000000]}}', b"r")]),
    ("N27", [pub(CREATE, b'{"config":{"max_age":"30s"}}', b"r")], [(3,)],
     [pub(CREATE, b'{"config":{"max_age":0,"name":"max_age"}}', b"r")]),
    ("N27", [pub(b"$JS.hub.API.CONSUMER.MSG.NEXT.S.C", b'{"batch":1,"expires":5000}', b"r")],
     [(3,)], [pub(NEXT, b'{"batch":1,"expires":5000000000}', b"r")]),
    ("N27", [pub(ACK, b'-NAK {"delay": 30}')], [(3,)], [pub(b"a", b'{"ack_wait":30}', b"r")]),
    ("N28", [pub(ACK, b"ACK")], [(3,)], [pub(ACK, b"+ACK"), pub(ACK, b""), pub(ACK, b"+WPI")]),
    ("N28", [pub(ACK, b"+ACKED")], [(3,)],
     [pub(ACK, b"-NAK"), pub(ACK, b'-NAK {"delay":5000000000}'), pub(ACK, b"+NXT 5")]),
    ("N28", [pub(ACK, b"-nak")], [(3,)],
     [pub(ACK, b"+TERM bad order"), pub(ACK, b'{"batch":2}'), pub(b"a", b"ACK")]),
    ("N29", [SUB, hpub(b"7", b"one"), DUPLICATE], [(4, 5)],
     [SUB, hpub(b"7", b"one"), stored(b',"duplicate":false')]),
    ("N29", [SUB, hpub(b"7", b"one"), DUPLICATE], [(4, 5)], [SUB, pub(b"a", b"b"), DUPLICATE]),
    ("N27", [pub(CREATE, b'{"config":{"ack_wait":30000000000000000}}', b"r")], [(3,)],
     [pub(CREATE, b'{"config":{"inactive_threshold":31536000000000000}}', b"r")]),
    ("N38", [pub(CREATE, b'{"stream_name":"S","config":{"ackWait":30000000000}}', b"r")], [(3,)],
     [pub(CREATE, b'{"stream_name":"S","config":{"ack_wait":30000000000}}', b"r")]),
    ("N38", [pub(NEXT, b'{"batch":"10"}', b"r")], [(3,)], [pub(NEXT, b'{"batch":10}', b"r")]),
    ("N39", [header(b"nats-msg-id: 7")], [(3,)], [header(b"Nats-Msg-Id: 7")]),
    ("N39", [header(b"Nats-Rollup: SUB")], [(3,)], [header(b"Nats-Rollup: sub")]),
    ("N46", [pub(MAKE, b'{"name":"KV_a"}', b"r")], [(3,)],
     [pub(MAKE, b'{"name":"KV_a","allow_rollup_hdrs":true,"max_msgs_per_subject":1}', b"r")]),
    ("N30", [hpub(b"7", b"one"), hpub(b"7", b"two")], [(4, 3)],
     [hpub(b"7", b"one"), hpub(b"7", b"one"), hpub(b"8", b"two"), hpub(b"7", b"x", b"b")]),
]  # fmt: skip
"""Rule, lines that break it, frames of the findings, and a near miss."""


@every(("rule", "broken", "frames", "kept"), CASES)
def test_a_body_and_its_near_miss(
    rule: str, broken: Lines, frames: list[tuple[int, ...]], kept: Lines
) -> None:
    """The guilty frame comes first; what is nearly the same is not accused."""
    for lines, expected in ((broken, frames), (kept, [])):
        talk = Talk()
        for side, line in lines:
            talk.say(side, line + b"\r\n")
        assert talk.found(f"NATS-{rule}") == expected


def test_an_id_is_forgotten() -> None:
    """N30: not after the time in which streams recognise ids; within it from then on."""
    talk = Talk()
    for seconds, payload in ((0, b"one"), (121, b"two"), (60, b"three")):
        talk.now += seconds * 1_000_000_000
        talk.say(CLIENT, hpub(b"7", payload)[1] + b"\r\n")
    assert talk.found("NATS-N30") == [(5, 4)]
