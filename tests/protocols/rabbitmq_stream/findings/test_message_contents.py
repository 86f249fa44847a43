"""Rules about what messages contain: each names its fault and leaves near misses alone."""

import gzip
from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.messages import (
    NOW_MS,
    NULL,
    data,
    properties,
    section,
    short,
    symbol,
    time,
)
from tests.protocols.rabbitmq_stream.talk import (
    CLIENT,
    SECOND,
    SERVER,
    Talk,
    findings,
    number,
    text,
)

from streamshark.protocols.rabbitmq_stream.findings.message_contents import (
    FORMATS,
    MESSAGE_CONTENTS,
)

NAMES = {each.id for each in (*MESSAGE_CONTENTS, *FORMATS)}
PLAIN = data(b"hi")


def sent(*messages: bytes, reference: str = "") -> Talk:
    """Messages of a publisher, a frame each."""
    talk = Talk()
    talk.declare("s", reference)
    for at, message in enumerate(messages):
        body = number(at, 8) + number(len(message)) + message
        talk.say(CLIENT, 2, b"\1" + number(1) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
    return talk.leave()


def received(*messages: bytes, broker: str = "4.1.0", published: bool = False) -> list[Talk]:
    """Messages of a stream whose publisher is not captured, in chunks of three, or is."""
    talk = Talk(broker=broker)
    talk.subscribe("s", 10)
    for at in range(0, len(messages), 3):
        talk.deliver(at, bodies=messages[at : at + 3])
    return [*([sent(messages[0])] if published else []), talk.leave()]


def both(*messages: bytes) -> list[Talk]:
    """Publishers with a message each."""
    made = []
    for at, message in enumerate(messages):
        talk = Talk(40_000 + at, at * SECOND)
        talk.declare("s")
        talk.message(message)
        made.append(talk.leave())
    return made


def property_of(value: bytes) -> bytes:
    """A message with an application property."""
    return section(0x74, [short("region"), value], is_map=True) + PLAIN


def batches(count: int, records: bytes, *, codec: int = 1, reference: str = "") -> Talk:
    """Sub-batches of two messages, compressed by gzip or not at all."""
    talk = Talk()
    talk.declare("s", reference)
    inner = (number(len(records)) + records) * 2
    packed = gzip.compress(inner) if codec else inner
    for at in range(count):
        entry = number(at, 8) + number(0x80 | codec << 4, 1) + number(2, 2) + number(len(inner))
        talk.say(CLIENT, 2, b"\1" + number(1) + entry + number(len(packed)) + packed)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
    return talk.leave()


def filtered(*values: str) -> Talk:
    """Messages with filter values, in Publish version 2."""
    talk = Talk()
    talk.declare("s")
    for at, value in enumerate(values):
        body = b"\1" + number(1) + number(at, 8) + text(value) + number(len(PLAIN)) + PLAIN
        talk.made.send(CLIENT, number(len(body) + 4) + number(2, 2) + number(2, 2) + body)
        talk.say(SERVER, 3, b"\1" + number(1) + number(at, 8))
    return talk.leave()


def traced(count: int, *, same: bool) -> list[bytes]:
    """Messages with trace contexts."""
    return [
        section(
            0x74,
            [short("traceparent"), short(f"00-{'1f' * 16}-{1 if same else at + 1:016x}-01")],
            is_map=True,
        )
        + data(b"m%d" % at)
        for at in range(count)
    ]


AMQP = b"\0Su\xa0\1m"
"""A message in AMQP 1.0."""


def encoded(*messages: bytes, stream: str = "s", made_again: bool = False) -> list[Talk]:
    """Publishers, each with a message, to one stream or to one that is made again for each."""
    made = []
    for at, each in enumerate(messages):
        talk = Talk(40_000 + at, at * SECOND)
        if made_again:
            talk.ask(0x0D, text("s") + number(0))
        talk.declare(stream if at else "s")
        talk.message(each)
        talk.message(each)
        made.append(talk.leave())
    return made


CASES: list[tuple[str, Talk | list[Talk]]] = [
    ("RMQ-U10", batches(3, b"ab")),
    ("", batches(3, b"a" * 200)),
    ("", batches(2, b"ab")),
    ("", batches(3, b"ab", codec=0)),
    ("RMQ-U11", sent(properties(created=time(NOW_MS // 1000)) + PLAIN)),
    ("", sent(properties(created=time(NOW_MS - 5)) + PLAIN)),
    ("RMQ-U11b", sent(properties(created=time(NOW_MS + 3_600_000)) + PLAIN)),
    ("RMQ-U12", sent(PLAIN, data(b"[object Object]"))),
    ("RMQ-U12", sent(data(PLAIN))),
    ("", sent(data(b'{"text": "[object Object]"}'))),
    ("RMQ-U13", sent(properties(kind=symbol("application/jason")) + PLAIN)),
    ("", sent(properties(kind=symbol("application/x-shop")) + PLAIN)),
    ("RMQ-U14", sent(*(properties(id=short("one")) + data(b"m%d" % e) for e in range(5)))),
    ("RMQ-U14", sent(*(properties(id=short(f"{e % 3}")) + data(b"m%d" % e) for e in range(6)))),
    ("", sent(*(properties(id=short(f"{e}")) + data(b"m%d" % e) for e in range(5)))),
    ("RMQ-U15", sent(*traced(5, same=True))),
    ("", sent(*traced(5, same=False))),
    ("", sent(*traced(4, same=True))),
    ("RMQ-U16", sent(properties(user=b"\xa0\3bob") + PLAIN)),
    ("", sent(properties(user=b"\xa0\1a") + PLAIN)),
    ("RMQ-U17", sent(section(0x70, [b"\x40", b"\x40", b"\x52\x3c"]) + PLAIN)),
    ("", sent(section(0x70, [b"\x41"]) + PLAIN)),
    ("RMQ-U18", batches(1, b"a" * 200, reference="app")),
    ("RMQ-U17b", sent(section(0x70, [b"\x40", b"\x50\x09"]) + PLAIN)),
    ("", sent(section(0x70, [b"\x40", b"\x50\x04"]) + PLAIN)),
    ("RMQ-U19", sent(section(0x72, [symbol("x-delay"), b"\x54\x07"], is_map=True) + PLAIN)),
    (
        "RMQ-U19",
        sent(section(0x74, [short("x-stream-filter-value"), short("eu")], is_map=True) + PLAIN),
    ),
    ("", sent(section(0x72, [symbol("x-shop"), short("eu")], is_map=True) + PLAIN)),
    ("RMQ-U20", sent(properties(id=short("one")))),
    ("", sent(properties(id=short("one")) + data(b""))),
    ("RMQ-U21", sent(data(b"eyJvcmRlciI6IDd9"))),
    ("RMQ-U21", sent(data(b'{"order": 7}'.hex().encode()))),
    ("", sent(data(b"eyJvcmRlciI6IDd9"), data(b"plain"))),
    ("", sent(data(b"aGVsbG8gd29ybGQh"))),
    ("RMQ-B52", both(PLAIN, b"\0\x53\x77" + short("hi"))),
    ("RMQ-B52", both(data(b'{"a": 1}'), data(b"<a>1</a>"))),
    ("RMQ-B52", sent(data(b'{"a": 1}'), data(b"\x08\x96\xff\x01"))),
    ("", both(data(b'{"a": 1}'), data(b"[1]"))),
    ("", both(PLAIN, PLAIN)),
    ("RMQ-B52b", both(property_of(short("1")), property_of(b"\x54\x01"))),
    ("RMQ-B52b", sent(property_of(short("1")), property_of(b"\x41"))),
    ("", both(property_of(short("1")), property_of(short("2")))),
    ("RMQ-U11", received(properties(created=time(NOW_MS // 1000)) + PLAIN)),
    ("RMQ-U11b", received(properties(created=time(NOW_MS + 3_600_000)) + PLAIN)),
    ("", received(properties(created=time(NOW_MS - 5)) + PLAIN)),
    ("RMQ-U12", received(data(b"[object Object]"))),
    ("RMQ-U12", received(data(PLAIN))),
    ("", received(data(PLAIN), broker="3.10.0")),
    ("RMQ-U12", received(data(b"[object Object]"), published=True)),
    ("RMQ-U13", received(properties(kind=symbol("application/jason")) + PLAIN)),
    ("RMQ-U14", received(*(properties(id=short("one")) + data(b"m%d" % e) for e in range(12)))),
    ("", received(*(properties(id=short(f"{e}")) + data(b"m%d" % e) for e in range(12)))),
    ("RMQ-U15", received(*traced(12, same=True))),
    ("", received(*traced(12, same=False))),
    ("RMQ-U17", received(section(0x70, [b"\x40", b"\x40", b"\x52\x3c"]) + PLAIN)),
    ("RMQ-U20", received(properties(id=short("one")))),
    ("RMQ-B88", sent(section(0x74, [short("a"), NULL, short("a"), NULL], is_map=True) + PLAIN)),
    ("RMQ-B88", received(section(0x72, [symbol("a"), NULL] * 2, is_map=True) + PLAIN)),
    ("", sent(section(0x74, [short("a"), NULL, short("b"), NULL], is_map=True) + PLAIN)),
    ("RMQ-U21", received(data(b"eyJvcmRlciI6IDd9"))),
    ("RMQ-S9c", filtered("eu", "undefined")),
    ("", filtered("eu", "us")),
    ("RMQ-B28", encoded(AMQP, b"m")),
    ("", encoded(AMQP, b"m", made_again=True)),
    ("", encoded(AMQP, AMQP)),
    ("", encoded(b"m", b"n")),
    ("", encoded(AMQP, b"m", stream="t")),
]
"""The rule that finds a fault, or none, and the connection."""


@every(("at", "rule", "talk"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2])
def test_faults_and_near_misses(
    at: int, rule: str, talk: Talk | list[Talk], tmp_path: Path
) -> None:
    """Each rule names its fault, alone among the rules about contents."""
    del at
    found = {
        each.rule for each in findings(tmp_path, *(talk if isinstance(talk, list) else [talk]))
    } & NAMES

    assert found == set(rule.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES
