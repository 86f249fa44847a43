"""Rules about names, payloads and tokens that were not meant: faults are named, near misses not."""

import base64
import json
from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.clients import JSON, PACKED
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, Script

from streamshark.protocols.nats.content_rules import CONTENT_RULES, FORMATS

YEAR = 365 * 24 * 3600


def said(subject: str = "orders", payload: str = "", *, sub: bool = False) -> Script:
    """A message, or a subscription."""
    talk = Script()
    if sub:
        talk.line(CLIENT, f"SUB {subject} 1")
    else:
        talk.pub(subject, payload)
    return talk


def signed(member: str = "jwt", **claims: float | str) -> Script:
    """CONNECT with a token of these claims, a year after 1970."""
    parts = ({"typ": "JWT", "alg": "ed25519-nkey"}, {"jti": "x", "name": "a"} | claims)
    texts = (base64.urlsafe_b64encode(json.dumps(each).encode()).decode() for each in parts)
    token = ".".join(each.rstrip("=") for each in texts) + ".c2ln"
    more = b'"go","sig":"c2ln","%s":"%s"' % (member.encode(), token.encode())
    talk = Script(connect=b"")
    talk.now += YEAR * 1_000_000_000
    talk.say(CLIENT, CLIENT_CONNECT.replace(b'"go"', more))
    return talk


def published(*payloads: tuple[int, bytes], subject: str = "orders") -> Script:
    """Messages of one subject, each from a client of a number; all clients stay connected."""
    talk, clients = Script(), 1
    for client, payload in payloads:
        while clients <= client:
            talk.connect()
            clients += 1
        talk.say(CLIENT, b"PUB %s %d\r\n%s" % (subject.encode(), len(payload), payload), after=MS)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("N62", lambda: (said("orders.undefined.new"),
        said("orders.new"), said("_INBOX.undefined"), said("orders.nullable"), said("a.null-b"))),
    ("N62", lambda: (said("orders.${region}"),)),
    ("N62", lambda: (said("orders.> null", sub=True), said("orders.> workers", sub=True))),
    ("N62", lambda: (said("$JS.API.CONSUMER.CREATE.S.None", "{}"),)),
    ("N63", lambda: (said(payload="[object Object]"),
        said(payload='{"a":1}'), said(payload="object"), said("$JS.ACK.S.C.1.1.1.1.0", "+ACK"))),
    ("N63", lambda: (said("_INBOX.a.1", '"{\\"a\\": 1}"'),)),
    ("N64", lambda: (said(payload="eyJvcmRlciI6IDd9"), said(payload="0123456789abcdef"))),
    ("N65", lambda: (signed(exp=YEAR - 3600),
        signed(exp=YEAR + 3600), signed(), signed("pass", exp=YEAR - 3600))),
    ("N65", lambda: (signed("auth_token", nbf=2 * YEAR),)),
    ("B58", lambda: (published((0, JSON), (1, PACKED), (1, PACKED)),
        published((0, JSON), (1, PACKED)), published((0, JSON), (1, b"[1]"), (1, b"[2]")),
        published((0, JSON), (0, PACKED), (1, PACKED), (1, PACKED)),
        published((0, JSON), (1, PACKED), (1, PACKED), subject="_INBOX.a"))),
    ("B58", lambda: (published((0, b"<a/>"), (1, JSON), (1, JSON)),)),
    ("B58", lambda: (published((0, b"\x1f\x8b\x08"), (1, b"text"), (1, b"text")),)),
    ("B58b", lambda: (published((0, JSON), (0, PACKED), (0, PACKED)),
        published((0, JSON), (0, PACKED), (0, JSON)),
        published((0, JSON), (0, b"[1]"), (0, b"[]")))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert f"NATS-{rule}" not in each.rules(), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*CONTENT_RULES, *FORMATS)} == {
        f"NATS-{rule}" for rule, *_ in CASES
    }
