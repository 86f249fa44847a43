"""Rules about what requests, errors and SETUP contain: faults and near misses."""

import base64
import json
from collections.abc import Callable

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, entry, framed, payload, setup

from streamshark.protocols.rsocket.findings.contents import CONTENTS
from streamshark.protocols.rsocket.types import COMPOSITE

NAMES = {each.id for each in CONTENTS}
CLIENT, SERVER = 0, 1
RESPONSE, STREAM, PAYLOAD, ERROR, PUSH, METADATA = 4, 6, 0x0A, 0x0B, 0x0C, 0x100
DONE, FAILED = 0x60, (0x201).to_bytes(4, "big")
ROUTE, AUTHENTICATION, TRACING, MIME_TYPE = 0x7E, 0x7C, 0x7D, 0x7A
ROUTING = "message/x.rsocket.routing.v0"
START = 1_700_000_000
JAVA = b"java.lang.IllegalStateException: no\n\tat com.shop.Orders.find(Orders.java:17)\n"


def route(name: str) -> bytes:
    """An entry with a route."""
    return entry(ROUTE, bytes([len(name)]) + name.encode())


def token(expires: int) -> bytes:
    """An entry with a token of a bearer."""
    parts = ({"alg": "RS256"}, {"exp": expires})
    made = (base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in parts)
    return entry(AUTHENTICATION, b"\x81" + b".".join((*made, b"c2ln")))


def traced(span: int) -> bytes:
    """An entry with tracing metadata."""
    return entry(TRACING, b"\x80" + b"\1" * 8 + span.to_bytes(8, "big"))


USER = entry(AUTHENTICATION, b"\x80\0\4userpass")


def begun(
    metadata: bytes = b"", *, kind: str = COMPOSITE, data: str = "text/plain", resume: bytes = b""
) -> Talk:
    """SETUP, with metadata."""
    talk = Talk()
    talk.now = START * 1_000_000_000
    made = setup(kind, data, resume)[3:]
    if metadata:
        flags = (int.from_bytes(made[4:6], "big") | METADATA).to_bytes(2, "big")
        made = made[:4] + flags + made[6:] + payload(metadata, b"")
    talk.say(CLIENT, len(made).to_bytes(3, "big") + made)
    return talk


def requested(*all_metadata: bytes, begin: Talk | None = None, error: bytes | None = None) -> Talk:
    """Requests with metadata, each answered."""
    talk = begin or begun()
    for at, metadata in enumerate(all_metadata):
        body = payload(metadata or None, b"d%d" % at)
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, METADATA if metadata else 0, body))
        failed = error is not None and at == len(all_metadata) - 1
        if failed and error is not None:
            talk.say(SERVER, framed(2 * at + 1, ERROR, 0, FAILED + error))
        else:
            talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
    return talk


def said(data: bytes, *, answer: bytes = b"a") -> Talk:
    """A request with data, and its answer."""
    talk = begun()
    talk.say(CLIENT, framed(1, RESPONSE, 0, data))
    talk.say(SERVER, framed(1, PAYLOAD, DONE, answer))
    return talk


def subscribed(*counts: int) -> Talk:
    """Connections with so many equal streams each."""
    talk = begun()
    for at, count in enumerate(counts):
        if at:
            talk.close()
            for row in talk.connection.finish():
                talk.engine.see(row)
            talk.connect()
            talk.say(CLIENT, setup())
        for each in range(count):
            talk.say(CLIENT, framed(2 * each + 1, STREAM, 0, (9).to_bytes(4, "big") + b"prices"))
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, 0x20, b"a"))
    return talk


CASES: list[tuple[str, Callable[[], Talk]]] = [
    ("RSK-M11 RSK-M18", lambda: requested(token(START - 3600))),
    ("RSK-M11 RSK-M18", lambda: begun(token(START - 3600))),
    ("RSK-M18", lambda: requested(token(START + 3600))),
    ("RSK-M18", lambda: begun(USER)),
    ("", lambda: requested(route("orders"))),
    ("RSK-M13", lambda: requested(route("orders") + route("orders"))),
    ("", lambda: requested(route("orders") + entry(0x05, b"{}") * 2)),
    ("RSK-M14", lambda: requested(route("orders.{id}"))),
    ("RSK-M14", lambda: requested(route("undefined"))),
    ("", lambda: requested(route("orders.7"))),
    ("RSK-M15", lambda: said(b"[object Object]")),
    ("RSK-M15", lambda: said(b"q", answer=b'"{\\"id\\": 7}"')),
    ("", lambda: said(b"q", answer=b'{"id": 7}')),
    ("RSK-C35", lambda: begun(kind="application/json", data=COMPOSITE)),
    ("", lambda: begun(data="application/json")),
    (
        "RSK-M25",
        lambda: requested(
            *(route("orders") + traced(each) for each in range(1, 6)), route("orders.of.today")
        ),
    ),
    (
        "RSK-M18 RSK-M25",
        lambda: requested(
            *(route(f"orders.{each}") + USER for each in range(6)), entry(0x05, b'{"orders": 17}')
        ),
    ),
    (
        "",
        lambda: requested(
            *(route("orders") + traced(each) for each in range(1, 4)), route("orders.all")
        ),
    ),
    (
        "",
        lambda: requested(
            *(route(f"all.the.orders.{each}") for each in range(4)), route("a") + traced(1)
        ),
    ),
    ("RSK-C37", lambda: begun(kind="message/x.rsocket.authentication.v0")),
    ("", lambda: begun(kind="message/x.rsocket.routing.v0")),
    ("RSK-C33b", lambda: begun(data="application/jason")),
    ("", lambda: begun(data="application/x-shop")),
    ("RSK-R14", lambda: begun(resume=b"token")),
    ("RSK-R14", lambda: begun(resume=bytes(16))),
    ("RSK-R14", lambda: begun(resume=b"0000000042")),
    ("", lambda: begun(resume=bytes(range(16)))),
    ("RSK-B49", lambda: requested(*[route("orders") + traced(7)] * 5)),
    (
        "RSK-B49",
        lambda: requested(*[entry(0x05, b"00-" + b"1f" * 16 + b"-" + b"2e" * 8 + b"-01")] * 5),
    ),
    ("", lambda: requested(*(route("orders") + traced(each) for each in range(1, 9)))),
    ("", lambda: requested(*[route("orders") + traced(7)] * 4)),
    (
        "RSK-M18 RSK-M24 RSK-S27",
        lambda: requested(route("orders") + USER, route("orders"), error=b"Access Denied"),
    ),
    (
        "RSK-M24",
        lambda: requested(
            route("a") + traced(1), route("b") + traced(2), entry(0x05, b"{}"), error=b"no"
        ),
    ),
    ("", lambda: requested(route("orders"), route("orders"), error=b"no room")),
    (
        "RSK-M18",
        lambda: requested(route("orders") + USER, entry(0x05, b"{}"), route("b"), error=b"no room"),
    ),
    ("RSK-S25", lambda: requested(route("orders"), error=b"null")),
    ("RSK-S25", lambda: requested(route("orders"), error=b"java.lang.NullPointerException: null")),
    ("", lambda: requested(route("orders"), error=b"IllegalStateException: the till is closed")),
    *(
        ("RSK-S27", lambda each=each: requested(route("orders"), error=each))
        for each in (
            b"No handler for destination ''",
            b"Destination '' does not support REQUEST_STREAM",
            b"Failed to decode data: unexpected token at 1",
            b"The payload is too big to be sent as a single frame. Consider fragmentation.",
            b"route orders.all is not registered",
            b"invalid credentials",
            b"Did not observe any item or terminal signal within 2000ms",
            b"Could not emit tick 4 due to lack of requests",
        )
    ),
    ("", lambda: requested(route("orders"), error=b"the decoder ring is sold out")),
    ("", lambda: requested(route("orders"), error=b"balance is too low")),
    ("RSK-B51 RSK-M18", lambda: requested(route("orders") + USER, begin=begun(USER))),
    (
        "RSK-M18",
        lambda: requested(
            route("orders") + entry(AUTHENTICATION, b"\x80\0\4usedpass"), begin=begun(USER)
        ),
    ),
    ("RSK-M17 RSK-S27", lambda: requested(route("orders"), b"", error=b"no handler")),
    ("RSK-S27", lambda: requested(b"", b"", error=b"no handler")),
    ("RSK-M17b RSK-S27", lambda: requested(b"", error=b"no handler")),
    ("RSK-M17b", lambda: requested(b"", begin=begun(kind=ROUTING), error=b"no")),
    ("", lambda: requested(b"", begin=begun(kind="text/plain"), error=b"no")),
    (
        "RSK-S27",
        lambda: requested(
            route("orders"), b"", begin=begun(kind="text/plain"), error=b"no handler"
        ),
    ),
    (
        "RSK-B52 RSK-S27",
        lambda: requested(route("orders.find"), route("orders.fnid"), error=b"no handler"),
    ),
    (
        "RSK-B52 RSK-S27",
        lambda: requested(route("orders.find"), route("Orders/Find"), error=b"no handler"),
    ),
    ("RSK-S27", lambda: requested(route("orders.find"), route("bills.list"), error=b"no handler")),
    ("", lambda: requested(route("orders.find"), route("orders.find"), error=b"no order")),
    ("RSK-S24", lambda: requested(route("orders"), error=JAVA)),
    ("RSK-S24", lambda: requested(route("orders"), error=b"cannot reach amqp://app:secret@broker")),
    ("RSK-S24b", lambda: requested(route("orders"), error=b"SQLSTATE[42P01]: no table orders")),
    ("", lambda: requested(route("orders"), error=b"java.lang.IllegalStateException: no order")),
    ("RSK-S25", lambda: requested(route("orders"), error=b"")),
    *(
        ("RSK-B221", lambda each=each: requested(route("orders"), error=each))
        for each in (b"Not implemented", b"Request-Stream not implemented.", b"UNIMPLEMENT")
    ),
    ("", lambda: requested(route("orders"), error=b"discounts are not implemented")),
    ("RSK-B50", lambda: subscribed(1, 2, 4)),
    ("", lambda: subscribed(1, 2)),
    ("", lambda: subscribed(2, 2, 2, 2)),
    ("", lambda: subscribed(1, 2, 1, 2, 1)),
]
"""The rules that find a fault, or none, and the connections."""


@every(("at", "rules", "talk"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2])
def test_faults_and_near_misses(at: int, rules: str, talk: Callable[[], Talk]) -> None:
    """Each rule names its fault, alone among the rules about contents."""
    del at
    found = {
        each.rule.id
        for draft in talk().judge.open()
        for each in (draft, *getattr(draft, "echoes", ()))
    }

    assert found & NAMES == set(rules.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES


def test_a_token_that_is_pushed() -> None:
    """M11 and M18: in METADATA_PUSH as well."""
    talk = begun()
    talk.say(CLIENT, framed(0, PUSH, METADATA, token(START - 3600)))
    assert talk.found("RSK-M11") == talk.found("RSK-M18") == [(2,)]
