"""Predicates of rules in Lua, against those in Python, of values that are drawn."""

import base64
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.lua.reader.test_parts import READER, said

from streamshark.conversations.expression_functions import f_digest
from streamshark.lua.conversations import known_predicates, predicate_tables, predicates_of
from streamshark.lua.text import value
from streamshark.protocols.catalog import catalog
from streamshark.protocols.rsocket.codes import MIME_TYPES

pytestmark = pytest.mark.process
WORDS = (
    "orders", "ordres", "Orders", "orders-1", "orders-2", "order_events", "order-events", "orers",
    "undefined", "null", " orders", "orders\t", "'orders'", "${NAME}", "{{name}}", "{name}",
    "%(a)s", "%s", "%d of", "100%do", "<no value>", "[object Object]", "shop.Order@1b2c3d",
    "shop.order@1b2c3d", "[B@1b2c3d", "[Lshop.Order;@1b2c3d", "<shop.Order object at 0x7f>",
    "b'orders'", "b'it\\'s'", "{'a': 1}", "#<Shop::Order>", "#<Order:0x01 @a=1>", "System.String[]",
    "System.List`1[x]", "%!d(MISSING)", "%!s(int=5)", "consumer-4f2a", "consumer-9b1c",
    "consumer-x", "%2Forders", "/orders", "it's", "", "7D", "7", "7d", "25Y", "1h", "10s", "15",
    "16", "256", "5000", "500000000", "1000000000", "x-max-age", "max-agee", "x-filter-size",
    "version", "vers1on", "api-key", "amqp://a:b@c", "a.b.c", "a.b", "a.*", "a.>", "A.b", "a.b*",
    ">.a", "q1", "q2", "workers", "worker", "localhost", "broker", "application/json",
    "application/jsn", "text", "message/x.rsocket.routing.v0", "x.rsocket/a", "a\0",
)  # fmt: skip
"""What names and values may be."""
KEYS = (
    "max-age", "max-length-bytes", "stream-max-segment-size-bytes", "stream-filter-size-bytes",
    "initial-cluster-size", "filter.1", "filter.2", "match-unfiltered", "name", "password",
    "vers1on", "version", "x-max-age", "x-single-act1ve-consumer", "connection_name", "token",
)  # fmt: skip
RAW = (
    b"", b"\0a\0b", b"\0\0b", b"abc", b"AGEAYg==", b"AGEAYWJj", b"\0a \0b", b"\0a\0'b'",
    b"\0a%20\0b", b"12345678", b"aaaaaaaaa", b"\0\0\3abc", b"\0\0\4abc", b"\0a\0null", b"\0a\0${B}",
    b"short", b"random bytes",
)  # fmt: skip
NOW = 1_795_262_160_000_000_000
"""The time of the frames, in ns."""


Draw = Callable[[random.Random], object]


def packed(text: str) -> str:
    """Return text as a part of a web token."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


TOKENS = tuple(
    f"{packed(header)}.{packed(claims)}.c2ln"
    for header in ('{"alg":"RS256"}', '{"alg":"none"}')
    for claims in ('{"exp":1700000000}', '{"exp":1700000000000}', '{"nbf":2000000000}', '{"a":[1]}',
                   '{"prn::/scope:shop/stream:orders":"READ"}', '{"shop/bills":"READ_UPDATE"}',
                   '{"scope:shop":"READ","exp":1e999}', "[1]")
)  # fmt: skip
"""Web tokens, some that are not valid at the time below."""
CONTENTS: tuple[bytes, ...] = (
    b"", b"orders", b"[object Object]", b"undefined", b"null", b"NaN", b'{"a": 1}', b'{"a": NaN}',
    b'["NaN", -Infinity]', b"[true,NaN]", b'\xef\xbb\xbf{"a":1}', b'"{\\"a\\": [1, 2.5e3]}"',
    b'"[1"', b' "{} "', b'"{\\ud83d\\ude00}"', b'{"a": 01}', b'{"a" 1}', b"<a/>",
    b"\xef\xbb\xbf <a/>",
    "order 7".encode("utf-16-le"), "order 7".encode("utf-16-be"), "order 7".encode("utf-16"),
    b"\0\1\0\2\0\3\0\4", "müller für".encode(), "mÃ¼ller fÃ¼r".encode(), "â€œaâ€\x9d".encode(),
    "Ãœ Ã„".encode(), b"eyJvcmRlciI6IDd9", b"7b226964223a377d", b"7B226964223A377D",
    b"1f8b0800000000000000", b"H4sIAAAAAAAA", b"0123456789abcdef", b"\x1f\x8b\x08abc",
    b"\x28\xb5\x2f\xfdabc", b"plain text", b"plain\0text", b"\xff\xfe", b"12", b"-1.5e3", b"true",
    b"java.lang.Object@1b2c3d", b'{"password" : "x"}', b"\0\0\0\3\x10\0\0\0\0\1", b"a" * 600,
    *(each.encode() for each in TOKENS),
)  # fmt: skip
"""What bodies may be."""


def entry(mark: bytes, content: bytes) -> bytes:
    """Return an entry of composite metadata."""
    return mark + len(content).to_bytes(3, "big") + content


ROUTES = (b"\6orders", b"\x09undefined", b"\x08orders.1", b"\x08orders.2", b"\6ordres", b"\5cut")
LOGINS = (
    b"", b"\x80\0\1ab", b"\x80\1ab", b"\x80\0\0b", b"\x80\xff\xff", b"\x81", b"\x81Bearer a",
    b"\x81'a'", b"\x80\0\1a${B}", b"\x83a", b"basic abc", b"\6simple", b"\6sim", b"\x80\0\1a b",
    b"\x80\0\1a%20", b"\x81\xff", *(each.encode() for each in TOKENS[:4]),
)  # fmt: skip
TRACES = (
    b"\0",
    b"\x80" + bytes(16),
    b"\x80" + b"abcdefgh" * 2,
    b"\x88" + b"a" * 24,
    b"\x80a",
    b"\0a",
)
ENTRIES = (
    *(entry(b"\xfe", each) for each in (*ROUTES, b"", b"\0")),
    *(entry(b"\xfc", each) for each in LOGINS),
    *(entry(b"\xfd", each) for each in TRACES),
    *(entry(b"\xfa", each) for each in (b"\x85", b"", b"\x05ab", b"\x85a")),
    entry(b"\xfb", b"\x85\x05ab"), entry(b"\xa9", b"x"), b"\xfe\0\0", b"\xfe\0\0\6abc",
    entry(b"\x16message/x.rsocket.rout.v0"[:24], b"x"), b"\x05abc",
    entry(b"\x1amessage/x.rsocket.routing.v0", ROUTES[0]), b"\x03a\xffbc\0\0\0",
)  # fmt: skip
"""Entries of composite metadata, whole ones and others."""


SPANS = (
    entry(b"\xfd", b"\x80" + b"abcdefgh" * 2),
    b'{"traceparent": "00-%b-%b-01"}' % (b"a" * 32, b"b" * 16),
    b"b3: %b-%b-1" % (b"a" * 16, b"b" * 16), b"b3: %b-%b" % (b"a" * 32, b"b" * 16),
)  # fmt: skip
"""Metadata with a trace context."""


def metadata(chance: random.Random) -> bytes:
    """Return metadata: several entries, a name of a type, or a web token."""
    if chance.random() < 0.1:
        return chance.choice(SPANS)
    if chance.random() < 0.2:
        return chance.choice((b"application/json", b"\x10application/json", *CONTENTS, *RAW))
    return b"".join(chance.choice(ENTRIES) for _ in range(chance.choice((1, 1, 2, 3))))


def traced(chance: random.Random) -> list[tuple[int, bytes, bytes]]:
    """Return the metadata of the last requests, often with one trace context."""
    draw = metadata if chance.random() < 0.5 else one_of(chance.choice(SPANS))
    return [(at, draw(chance), b"%d" % at) for at in range(chance.randrange(5))]


TYPES = ("application/json", "application/xml", "text/plain", "application/cbor")
MODELS = ("request_response", "request_stream")
ERRORS = (
    "TODO",
    "TODOS",
    "not implemented yet",
    "route does not support FNF",
    "Lorem Ipsum",
    "Null",
    " Error ",
    "java.lang.NullPointerException: null",
    "a.b..cError",
    "shop.Error()",
    "no handler for 'orders'",
    "route orders not found",
    "Destination '' unknown",
    "Token expired",
    "frame exceeds the maximum length",
    "cannot decode the value",
    "Access is denied",
    "timed out",
    "lack of requests",
    "no LEASE left",
    "please wait",
    "déjà vu: payload too large",
    "failed\n\tat shop.Orders.find(Orders.java:12)",
    "failed\n\tat shop.Orders(Native Method)",
    "failed\n  at Shop.Orders.Find() in C:\\a b.cs:line 7",
    "x\n    at async find (file:///a.js:1:2)",
    "Traceback (most recent call last):",
    'File "a.py", line 7',
    "goroutine 7 [running]",
    "a/b.rb:7:in `x'",
    "#0 /a.php(7)",
    "at a.rs:7",
    "amqp://a:b@c refused",
    "api_key = 'abc'",
    "Secret:ab",
    "PWD: abcd",
    "SQLSTATE 7",
    "ORA-00942",
    "SELECT a FROM b WHERE c",
    "update orders set x",
    "Insert  INTO a",
    "jdbc:oracle:thin",
    "select a from b",
)
ITEMS = (
    "item {}",
    '{{"id": {}, "of": 9}}',
    "{} of {}",
    "{} {}",
    "no number",
    "000000000000000000{}",
)
"""What items of streams are, with numbers in them."""


def item(chance: random.Random) -> bytes:
    """Return an item of a stream."""
    number = chance.randrange(9) if chance.random() < 0.9 else 1_795_262_160_000
    shape = chance.choice((ITEMS[0], ITEMS[0], *ITEMS))
    return shape.format(number, chance.randrange(3)).encode()


def items(chance: random.Random) -> list[tuple[int, bytes]]:
    """Return the first items of a stream: most count up."""
    shape, number = chance.choice(ITEMS), chance.randrange(3)
    found = [
        shape.format(number + at, chance.choice((0, at))) for at in range(chance.randrange(3, 9))
    ]
    if chance.random() < 0.3:
        chance.shuffle(found)
    return [(at, each.encode()) for at, each in enumerate(found)]


def event(data: bytes) -> bytes:
    """Return an event of Pravega."""
    return bytes(4) + len(data).to_bytes(4, "big") + data


def item_of(chance: random.Random) -> bytes:
    """Return a value of AMQP 1.0 with its constructor, mostly a sound one."""
    text = chance.choice((*WORDS[:8], "alice", "application/jsn", "json", "x/y; a=b", "7")).encode()
    times = (
        0,
        7,
        1_795_262_160,
        1_795_262_160_000,
        1_795_262_160_000_000,
        1_795_262_160_000_000_000,
        1_795_262_760_000,
        -62_135_596_800_000,
        -1,
    )
    return chance.choice(
        (
            b"\xa1" + bytes([len(text)]) + text,
            b"\xb1" + len(text).to_bytes(4, "big") + text,
            b"\x83" + chance.choice(times).to_bytes(8, "big", signed=True),
            b"\x40",
            b"\x41",
            b"\x56\1",
            b"\x50\4",
            b"\x70\0\1\0\0",
            b"\x80" + chance.randbytes(8),
            b"\x98" + bytes(range(16)),
            b"\x43",
            b"\x80\0\0\0\0\0\0\0" + bytes([chance.randrange(3)]),
            b"\xa0\2ab",
            b"\xb1\0\0\0\x63a",
            b"\x07",
            b"",
        )
    )


def compound(chance: random.Random, kind: int, items: list[bytes]) -> bytes:
    """Return a list (0xC0) or a map (0xC1) of items, in either width."""
    body = b"".join(items)
    if chance.random() < 0.8 and len(body) < 200:
        return bytes([kind, len(body) + 1, len(items)]) + body
    return (
        bytes([kind + 16])
        + (len(body) + 4).to_bytes(4, "big")
        + len(items).to_bytes(4, "big")
        + body
    )


NAMED = tuple(
    b"\xa1" + bytes([len(each)]) + each for each in (b"a", b"key", b"x-delay", b"k\xc3\xa9y")
)


def message(chance: random.Random) -> bytes:
    """Return a message of AMQP 1.0, or other bytes."""
    if chance.random() < 0.2:
        return chance.choice((*CONTENTS, b"order 1", b"order 2", b"\0\x53", b"\0\x53\x75\xa0\x63a"))
    sections = []
    for code in (0x70, 0x71, 0x72, 0x73, 0x74):
        if chance.random() < 0.5:
            count = chance.randrange(11) if code in (0x70, 0x73) else 2 * chance.randrange(3)
            items = [item_of(chance) for _ in range(count)]
            if code in (0x71, 0x72, 0x74):
                items[::2] = [chance.choice(NAMED) for _ in items[::2]]
            sections.append(
                b"\0\x53"
                + bytes([code])
                + compound(chance, 0xC0 + (len(items) > 0 and code in (0x71, 0x72, 0x74)), items)
            )
    body = chance.choice(CONTENTS)[:200]
    inner = b"\0\x53\x75\xa0\1a"
    sections += chance.choice(
        (
            [b"\0\x53\x75\xa0" + bytes([len(body)]) + body],
            [b"\0\x53\x77\xa1" + bytes([len(body)]) + body],
            [b"\0\x53\x75\xa0" + bytes([len(inner)]) + inner],
            [b"\0\x53\x76\x45"],
            [],
            [b"\0\x53\x77\xa1\x07order 7", b"\0\x53\x78\xc1\1\0"],
            [b"\0\x53\x75\xa0\1a", b"\0\x53\x70\x45"],
        )
    )
    return b"".join(sections)


def stated(chance: random.Random, body: bytes) -> bytes:
    """Return a message with the properties that rules judge."""
    kind, number = (
        chance.choice((b"application/json", b"text/plain")),
        chance.choice((b"id-1", b"id-2")),
    )
    ahead = NOW // 1_000_000 + chance.choice((0, 600_000, 90_000_000))
    items = [
        b"\xa1\4" + number,
        *[b"\x40"] * 5,
        b"\xa3" + bytes([len(kind)]) + kind,
        b"\x40",
        b"\x40",
        b"\x83" + ahead.to_bytes(8, "big"),
    ]
    return (
        b"\0\x53\x73"
        + compound(chance, 0xC0, items)
        + b"\0\x53\x75\xa0"
        + bytes([len(body)])
        + body
    )


KNOWN = (b"order 1", b"order 2", b"order 3", b"order 4", b"order 5, with a longer body", b"order 6")


def messages(chance: random.Random) -> list[bytes | None]:
    """Return messages, some of which come again."""
    few = [message(chance) for _ in range(chance.randrange(1, 5))]
    known = chance.choice(
        (
            [*few, *few, *few],
            [each for each in (*few, *few) for _ in range(2)],
            [few[0]] * 6,
            few,
            [keyed(chance) for _ in range(6)],
            [chance.choice((*few, None)) for _ in range(6)],
            [each + bytes([at]) for at, each in enumerate(chance.choices(few[:1], k=6))],
            [each for each in KNOWN for _ in range(2)],
            KNOWN,
            [stated(chance, each) for each in KNOWN],
            [keyed(chance, each) for each in KNOWN],
        )
    )
    return list(known)


def keyed(chance: random.Random, body: bytes = b"", value: bytes = b"") -> bytes:
    """Return a message with a few properties that may be keys, and a trace context."""
    value = value or chance.choice((b"one", b"two", b"three", b"7", b"8"))
    items = [b"\xa1" + bytes([len(value)]) + value]
    body = body or chance.choice((b"a", b"b", b"c", b"d", b"e")) * 10
    trace = SPANS[1] if chance.random() < 0.9 else SPANS[2]
    code = b"\x74\xc1" if chance.random() < 0.5 else b"\x73\xc0"
    section = chance.choice((NAMED[1], b"")) + items[0] if code[0] == 0x74 else items[0]
    count = 2 if section.startswith(NAMED[1]) else 1
    return (
        b"\0\x53"
        + code
        + bytes([len(section) + 1, count])
        + section
        + b"\0\x53\x75\xa0"
        + bytes([len(body + trace)])
        + body
        + trace
    )


def published(chance: random.Random) -> list[dict[str, object]]:
    """Return the entries of a Publish frame."""
    first = chance.randrange(5)
    if chance.random() < 0.3:
        return [
            {"publishing_id": first + 3 * at, "record_count": chance.choice((3, 4))}
            for at in range(2)
        ]
    found = messages(chance)
    if first == 1:
        own = random.Random(repr(found))  # noqa: S311
        found = [step(own) for _ in range(3)]
    return [{"publishing_id": first + at, "message": each} for at, each in enumerate(found)]


def samples(chance: random.Random) -> list[tuple[int, bytes | None]]:
    """Return the samples of a publisher or a subscription."""
    return list(enumerate(messages(chance)))


def sent(chance: random.Random, *, is_digested: bool = True) -> list[tuple[object, ...]]:
    """Return what a publisher has sent: ids, contents, frames."""
    found = [
        (at + chance.randrange(3), f_digest(each), at) for at, each in enumerate(messages(chance))
    ]
    return found if is_digested else [each[:2] for each in found]


PARTITIONS = ("orders-0", "orders-1")


def spread(chance: random.Random) -> list[tuple[object, ...]]:
    """Return the first messages of the publishers of a super stream."""
    if chance.random() < 0.6:
        values = chance.choice(((b"one", b"two"), (b"one", b"two", b"7"), (b"7", b"8")))
        return [
            (
                at,
                owner,
                ("one", "two")[owner],
                None,
                None,
                "p",
                PARTITIONS[(nth + owner) % 2],
                keyed(random.Random(owner), KNOWN[4], value),  # noqa: S311
            )
            for at in range(chance.choice((1, 2)))
            for owner in range(2)
            for nth, value in enumerate(values)
        ]
    return [
        (
            at,
            chance.randrange(2),
            chance.choice(("one", "two")),
            None,
            chance.choice((None, "a")),
            chance.choice((None, "", "p")),
            chance.choice(PARTITIONS),
            keyed(chance),
        )
        for at in range(chance.randrange(3, 12))
    ]


def with_properties(properties: dict[int, bytes]) -> bytes:
    """Return a message with texts and small numbers as properties, by their places."""
    items = [b"\x40"] * 12
    for place, text in properties.items():
        items[place] = b"\xa1" + bytes([len(text)]) + text
        if text.isdigit():
            items[place] = b"\x52" + bytes([int(text)])
    body = b"".join(items)
    section = b"\xc0" + bytes([len(body) + 1, len(items)]) + body
    return b"\0\x53\x73" + section + b"\0\x53\x75\xa0\1m"


def refers(chance: random.Random, at: int) -> bytes:
    """Return a message with an id, and the id of another one."""
    if chance.random() < 0.1:
        return message(chance)
    return with_properties({0: b"job%d" % at, 5: b"job%d" % at})


def step(chance: random.Random) -> bytes:
    """Return a message of a group with its place."""
    return with_properties({10: chance.choice((b"a", b"b")), 11: b"%d" % chance.randrange(5)})


def stepped(chance: random.Random) -> list[tuple[object, ...]]:
    """Return the first messages of a stream, most with their place in a group."""
    return [
        (at, NOW - 10_000_000 * (9 - at), at % 2, step(chance) if at % 5 else message(chance))
        for at in range(chance.randrange(9))
    ]


def requested(chance: random.Random) -> list[tuple[object, ...]]:
    """Return requests of streams."""
    names, topics = ("request_stream", "request_channel"), (b"news %d", b"rain %d", b"wind", b"\0")
    return [
        (names[at % 2], chance.choice((None, b"", b"route")), each.replace(b"%d", b"%d" % at))
        for at, each in enumerate(topics)
        if chance.random() < 0.6
    ]


def ranges(low: str, high: str) -> Draw:
    """Return what draws ranges of keys."""
    places = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
    return lambda chance: chance.choice(
        (
            [{low: 0.0, high: 0.5}, {low: 0.5, high: 1.0}],
            [{high: 0.5}, {low: chance.choice(places), high: 1.0}],
            [
                {low: chance.choice(places), high: chance.choice(places)}
                for _ in range(chance.randrange(3))
            ],
        )
    )


def archived(chance: random.Random) -> list[tuple[object, ...]]:
    """Return the events that writers have appended to a stream."""
    return [
        (
            at,
            NOW - 7_000_000_000 * (9 - at),
            chance.choice(("w1", "w1", "w2")),
            chance.choice((b"a", b"b", b"c")),
        )
        for at in range(9)
    ]


PARTIAL = (-2).to_bytes(4, "big", signed=True) + (1).to_bytes(4, "big") + b"a"
BLOCKS = (
    event(b"a"),
    event(b"a") * 2,
    event(b"a") + PARTIAL,
    bytes(9),
    event(b"[object Object]"),
    event(b"a") + (-1).to_bytes(4, "big", signed=True) + (1).to_bytes(4, "big") + b"\0",
    b"abc",
    (event(b"a") * 2 + event(b"b") * 2) * 2,
    bytes(4) + b"\0\0\0\x7fab",
    event(b"7b226964223a377d"),
)
"""Blocks of events and what ends them, and other bytes."""


def several(draw: Draw, most: int = 3) -> Draw:
    """Return what draws a list."""
    return lambda chance: [draw(chance) for _ in range(chance.randrange(most + 1))]


def one_of(*values: object) -> Draw:
    """Return what draws one of some values."""
    return lambda chance: chance.choice(values)


def record(**members: Draw) -> Draw:
    """Return what draws a record."""
    return lambda chance: {name: draw(chance) for name, draw in members.items()}


WORD, NUMBER = one_of(*WORDS), one_of(0, 1, 2, 0xFFFF)
MAP, NAMES = several(record(key=one_of(*KEYS), value=WORD)), several(WORD, 9)
KIND = one_of("content-type", "Content-Encoding")
HEADER = record(
    key=one_of(
        "Content-Type",
        "content-encoding",
        "traceparent",
        "Nats-Msg-id",
        "Nats-TTL",
        "Nats-Rollup",
        "Nats-Expected-Last-Sequence",
        "kv-operation",
        "other",
    ),
    value=one_of(
        "application/json",
        "text/xml; a=b",
        "a+json",
        "gzip",
        "zstd",
        "identity",
        "x",
        "00-" + "a" * 32 + "-" + "b" * 16 + "-01",
        "00-" + "0" * 32 + "-b-01",
        "7",
        "sub",
        "99999999999",
    ),
)
SUBJECT = one_of(
    "orders.new",
    "orders.New",
    "orders.enw",
    "orders",
    "orders.*",
    "orders.>",
    "orders.new.eu",
    "*.new",
    "order-s.new",
    "$JS.API.CONSUMER.INFO.ORDERS.one",
    "$JS.API.STREAM.INFO.ORDERS",
    "$JS.API.STREAM.INFO.ORDRES",
    "$JS.API.STREAM.CREATE.A",
    "$JS.API.CONSUMER.CREATE.A",
    "$JS.API.STREAM.CREATES.A",
    "$JS.API.STREAM.MSG.GET",
    "$JS.API.CONSUMER.DURABLE.CREATE.A.b",
    "$JS.API.consumer.info.A.b",
    "$JS.API.",
    "$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.ones",
    "$SRV.PING",
    "$SRV.INFO.a",
    "$O.files.M.YQ==",
    "$O.files.M.YQ",
    "undefined.new",
    "orders.{id}",
    " a",
)
BODY = one_of(
    *(each for each in CONTENTS if not each.startswith((b"\xef", b"\xc3\xa2"))),
    b"-NAK 5",
    b"-NAK 5s",
    b'-NAK {"delay": 5}',
    b"-NAK 1.5h2\xc2\xb5s",
    b"+ACK",
    b"+NXT",
    b"ack",
    b'{"ack_wait": 30}',
    b'{"ack_wait": 30000000000, "backoff": [ 5, 6]}',
    b'{"expires":99999999999999999}',
    b'{"max_age": "1h"}',
    b'{"backoff": ["1h"]}',
    b'{"name":"KV_a","allow_rollup_hdrs":true,"max_msgs_per_subject":65}',
    b'{"name":"OBJ_a"}',
    b'{"config":{"filter_subject":"bills.new","filter_subjects":["orders.*"]}}',
    b'{"config":{"ack_wait":1,"MAX_DELIVER":5}}',
    b'{"name":"a","id":"b","version":"1.0"}',
    b'{"config":{"subjects":["orders.*","bills"]}}',
    b'{"config":{"subjects":["bills"]}}',
    b'{"config":{"opt_start_time":"2027-11-29T00:00:00.5+01:00"}}',
    b'{"config":{"opt_start_time":"2026-11-21T11:58:00Z"}}',
    b'{"config":{"opt_start_time":"2027-02-29T00:00:00Z"}}',
    b'{"config":{"opt_start_time":"2028-02-29T23:59:59-23:00"}}',
    b'{"config":{"opt_start_time":"2027-11-29"}}',
    b'{"subject":"a","retention":"interests"}',
    b'{"max_msg":5,"subjects":[]}',
    b'{"max_deliver":5}',
    b'{"config":{"ack_wait":45000000000,"backoff":[1000000000]}}',
    b'{"config":{"ack_policy":"all","headers_only":1}}',
    b'{"config":{"ack_wait":45000000000,"inactive_threshold":5000000000,"ack_policy":"explicit"}}',
    b'{"discard":"new","max_msgs_per_subject":5}',
    b'{"discard":"new","max_msgs_per_subject":5,"max_msgs":9}',
    b'{"name":"KV_a","discard":"new","max_msgs_per_subject":5}',
    b'{"Storage":null,"num_replica":3,"xyz":1}',
    b'{"name":"a b","id":"b","version":"1.0.0","type":"io.nats.micro.v1.ping_response"}',
    b'{"name":"a","id":"b","version":"1.0.0-x+y","type":"io.nats.micro.v1.info_response"}',
    b'{"bucket":"files","name":"a","digest":"SHA-256=abc"}',
    b'{"bucket":"file"}',
    b'{"filter":"$O.files.M.a+b="}',
    b'{"name":"b"}',
)
BROKER = record(reference=NUMBER, host=one_of("broker"), port=one_of(5552, 5553))
VERSIONS = record(key=one_of(2), min_version=one_of(0, 1, 2), max_version=one_of(0, 1))
COLUMNS: dict[str, Draw] = {
    "arguments": MAP,
    "properties": MAP,
    "peer_properties": MAP,
    "there.streams": NAMES,
    "there.read": NAMES,
    "there.written": NAMES,
    "pub.filters": NAMES,
    "catalogue.names": NAMES,
    "asking.names": NAMES,
    "partitions": NAMES,
    "binding_keys": NAMES,
    "brokers.reference": several(NUMBER),
    "streams.leader": several(NUMBER),
    "streams.replicas": several(NUMBER),
    "placed.brokers": several(BROKER),
    "commands": several(VERSIONS),
    "streams": several(record(stream_name=WORD, response_code=one_of(1, 2))),
    "sasl_opaque_data": one_of(*RAW),
    "req.sasl_opaque_data": one_of(*RAW),
    "metadata": lambda chance: chance.choice((metadata(chance), chance.choice(SPANS))),
    "conn.setup_metadata": metadata,
    "stream.metadata": metadata,
    "conn.routed_singly_value": metadata,
    "served.metadata": several(metadata),
    "served.models": several(lambda chance: (chance.choice(MODELS), metadata(chance))),
    "stream.model": one_of(*MODELS),
    "resume_identification_token": one_of(*RAW),
    "conn.advertised_port": one_of(5552, 5553),
    "placed.leader": NUMBER,
    "conn.advertised_host": one_of("broker", "localhost", "127.0.0.1", "10.0.0.1", "broker.org"),
    "agreed.data_mime_type": one_of(*TYPES),
    "conn.metadata_mime_type": one_of(*TYPES),
    "data": lambda chance: chance.choice(CONTENTS) if chance.random() < 0.6 else item(chance),
    "value": one_of(*CONTENTS),
    "payload": BODY,
    "published_messages": published,
    "pub.samples": samples,
    "sub.samples": samples,
    "cut.samples": samples,
    "content.sample": lambda chance: chance.choice((None, (7, message(chance)))),
    "sub.heads": lambda chance: [
        (at, 1 if each and each[:1] == b"\0" else 0, each)
        for at, each in enumerate(messages(chance))
    ],
    "sub.granted": one_of(None, 1, 2, 3),
    "sub.initial": one_of(1),
    "sub.chunks": one_of(1, 2, 3, 4, 6),
    "sub.sample_t": one_of(NOW),
    "pub.sample_t": one_of(NOW),
    "conn.user": one_of("alice", "orders"),
    "conn.broker_version": one_of(None, "3.13.7", "4.0.1"),
    "n": one_of(20.5),
    "flow": one_of(0, 1),
    "client": one_of("one", "two"),
    "pub.stream": one_of(*PARTITIONS),
    "pub.reference": one_of(None, "", "p"),
    "conn.client_version": one_of(None),
    "conn.client_name": one_of(None, "a"),
    "spread.messages": spread,
    "router.key": one_of(None, "one", "two"),
    "router.sample": lambda chance: chance.choice((None, keyed(chance))),
    "series.sent": sent,
    "outbox.sent": lambda chance: sent(chance, is_digested=False),
    "series.lost_n": one_of(0, 1),
    "series.batches": several(
        lambda chance: (chance.choice((None, 0, 1, 3)), chance.choice((None, 3, 4)), 1), 3
    ),
    "pub.n": one_of(5),
    "pub.stored": one_of(None, 2, 9),
    "pub.top": one_of(None, 3, 9),
    "first(published_messages.publishing_id)": one_of(0, 1, 5, 9),
    "digest(first(published_messages.message))": lambda chance: f_digest(chance.choice(KNOWN)),
    "archive.sent": archived,
    "writer_id": one_of("w1", "w2"),
    "new_key_ranges": ranges("start", "end"),
    "digest(coalesce(C.block,data))": one_of(b"a", b"b", b"c"),
    "segment_ranges": ranges("min_key", "max_key"),
    "conn.bearer": one_of(None, *TOKENS, "e30." + packed('{"exp":1795262150}') + ".c2ln"),
    "archive.sample": lambda chance: chance.choice(
        (None, event(chance.choice((b"{}", b"text", b"<a/>", b"\0"))))
    ),
    "entries": several(
        lambda chance: {
            "key": {"data": bytes(chance.choice((1, 8192, 8193)))},
            "value": {"data": bytes(chance.choice((1, 2)))},
        }
    ),
    "me.traced": traced,
    "TRACE_LIMIT": one_of(2, 3),
    "stream.firsts": items,
    "IN_ORDER": one_of(2, 3),
    "fields.stream_id": one_of(0, 1, 2),
    "error_data": one_of(*WORDS, *ERRORS),
    "t": one_of(NOW),
    "conn.token_t": one_of(0),
    "conn.token": one_of(*(each.encode() for each in TOKENS)),
    "delegation_token": one_of(*TOKENS),
    "auth_token": one_of(None, *TOKENS),
    "jwt": one_of(None, *TOKENS),
    "segment": one_of("shop/orders/0", "shop/bills/1", "a/b/0"),
    "C.block": one_of(None, *BLOCKS),
    "size_of_whole_events": one_of(0, 9, 18),
    "num_events": NUMBER,
    "fields.headers": several(record(key=KIND, value=one_of(b"text/json", b"gzip"))),
    "headers": several(HEADER),
    "subject": SUBJECT,
    "queue_group": WORD,
    "sub.subject": SUBJECT,
    "conn.filter": SUBJECT,
    "network.subjects": several(SUBJECT),
    "listeners.wide": several(SUBJECT),
    "asked.subject": SUBJECT,
    "names.subjects": several(SUBJECT),
    "served.asked": one_of("$SRV.PING", "$SRV.INFO.a"),
    "origin.filters": several(one_of('"orders.new"', '"a.b", "orders.*"', "orders.>", ",")),
    "catalogue.subjects": one_of('"orders.>"', "", '"bills.*","a"'),
    "catalogue.config": one_of("", '"deny_delete":true', '"no_ack":false'),
    "described.config": one_of("", '"ack_wait":60000000000,', '"max_deliver":-1, "backoff":[1]'),
    "course.steps": stepped,
    "intake.before": lambda chance: [
        (at, 7, refers(chance, at)) for at in range(chance.randrange(8))
    ],
    "intake.before_stored": one_of(3, 5, 9),
    "plant.results": lambda chance: [
        refers(chance, at) for at in range(chance.choice((3, 4, 5, 8)))
    ],
    "stream.n": one_of(2),
    "stream.t": one_of(NOW),
    "stream.question": one_of(b'{"a": 2}', b'{"b": "x", "a": "7"}', b"{}", b'{"a": 1.0}'),
    "peer.asked_for": lambda chance: [
        (at, NOW + at * 900_000_000, b'{"a": %d}' % chance.randrange(4)) for at in range(5)
    ],
    "me.replied": lambda chance: [
        (at, NOW, b'{"a": %d}' % at, chance.choice((b'{"a": 1}', b'{"a":3, "c": "d"}', b"x")))
        for at in range(5)
    ],
    "OTHERS": one_of(2),
    "wanted.lost": requested,
    "wanted.again": requested,
    "server": one_of("127.0.0.1:5552", "10.0.0.1:5553", "[::1]:5552"),
}
"""What columns may have; others have words."""
FOUND = 3
BREAKS = re.compile("[\n-\r\x1c-\x1e\x85]")
"""What ends a line."""
JOINED = Path("src/streamshark/protocols/pravega/joined.lua")


def part(given: object) -> bytes:
    """Return a value of a member of a set as plugins have it."""
    if given is None:
        return b"-"
    data = given if isinstance(given, bytes) else str(given).encode()
    return b"#"[isinstance(given, (str, bytes)) :] + f"{len(data)}:".encode() + data


def as_in_lua(given: object) -> object:
    """Return a value as plugins have it: several values in one are joined."""
    match given:
        case tuple(values):
            return b"".join(map(part, values))
        case list():
            return [as_in_lua(each) for each in given]
        case dict():
            inner = {name: as_in_lua(each) for name, each in given.items()}
            return {
                f"{name}.{own}" if own else name: one
                for name, each in inner.items()
                for own, one in (each.items() if isinstance(each, dict) else (("", each),))
            }
    return given


"""How often the predicates of a protocol find something, at least."""


@pytest.mark.parametrize("name", ["rabbitmq_stream", "nats", "rsocket", "liftbridge", "pravega"])
def test_predicates_find_what_those_of_python_find(name: str) -> None:
    """Of columns that have values like those on the wire, and near them."""
    (protocol,) = (each for each in catalog() if each.wire.id == name)
    text, chance = predicates_of(protocol.rules), random.Random(name)  # noqa: S311
    tables = value(predicate_tables(protocol.rules))
    script = [
        (READER / "functions.lua").read_text(),
        (READER / "names.lua").read_text(),
        (READER / "contents.lua").read_text(),
        f"local joins = (function() {JOINED.read_text()} end)()",
        f"names = {{ mime_id = {value(MIME_TYPES)} }}",
        (READER / "patterns.lua").read_text(),
        f"local P = (function(near, contents, tables)\n{text}\nend)(f.near, f.contents, {tables})",
        "local DIGESTS = {}",
        "function f.digest(bytes) return DIGESTS[bytes] end",
        "local function show(found)",
        "  local text = found == true and 'True' or found or ''",
        "  print((text:gsub('[\\10-\\13\\28-\\30\\133]', ' ')))",
        "end",
    ]
    expected, shown, known = [], [], known_predicates(protocol.rules)
    for rule in protocol.rules:
        if rule.predicate is None or rule.predicate.__name__ not in known:
            continue
        for _ in range(100):
            row = {each: COLUMNS.get(each, WORD)(chance) for each in rule.reads.split()}
            found = rule.predicate(row)
            given = ", ".join(map(value, (rule.reads, *map(as_in_lua, row.values()))))
            for each in row.get("published_messages") or ():
                if each.get("message") is not None:
                    digest = f_digest(each["message"])
                    script.append(f"DIGESTS[{value(each['message'])}] = {value(digest)}")
            script.append(f"show(P.{rule.predicate.__name__}({given}))")
            expected.append(BREAKS.sub(" ", str(found or "").encode().decode("latin-1")))
            shown.append(f"{rule.id} {row}")
    told = said("primitives.lua", "\n".join(script))
    differs = [each for each in zip(shown, expected, told, strict=True) if each[1] != each[2]]
    assert differs == []
    assert sum(map(bool, expected)) > FOUND
