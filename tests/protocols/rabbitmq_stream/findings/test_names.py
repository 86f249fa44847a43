"""Rules about names, keys and credentials: each names its fault and leaves near misses alone."""

import base64
import json
from pathlib import Path

from tests.failures import every
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, findings, number, text

from streamshark.protocols.rabbitmq_stream.findings.names import NAMES as RULES

NAMES = {each.id for each in RULES}
SUBSCRIBE, CREATE, DELETE, METADATA, ROUTE, SUPER = 7, 0x0D, 0x0E, 0x0F, 0x18, 0x1D
NONE, REFUSED, NO_HOST = number(2, 2), number(8, 2), number(12, 2)


def pairs(*given: tuple[str, str]) -> bytes:
    """A map."""
    return number(len(given)) + b"".join(text(key) + text(value) for key, value in given)


def asked(key: int, body: bytes, answer: bytes = b"\0\1") -> Talk:
    """One request on an open connection."""
    talk = Talk()
    talk.ask(key, body, answer)
    return talk.leave()


def subscribed(*properties: tuple[str, str], stream: str = "orders") -> Talk:
    """A subscription with properties."""
    place = number(1, 2) + number(10, 2)
    return asked(SUBSCRIBE, b"\1" + text(stream) + place + pairs(*properties))


def created(*arguments: tuple[str, str], stream: str = "orders") -> Talk:
    """A stream with arguments."""
    return asked(CREATE, text(stream) + pairs(*arguments))


def super_stream(partitions: tuple[str, ...], keys: tuple[str, ...]) -> Talk:
    """A super stream."""
    lists = (number(len(each)) + b"".join(map(text, each)) for each in (partitions, keys))
    return asked(SUPER, text("all") + b"".join(lists) + number(0))


def known(name: str, *, by_metadata: bool = False) -> Talk:
    """A stream in use, and a request for another one that does not exist."""
    talk = Talk()
    talk.declare("order-events")
    if by_metadata:
        answer = number(0) + number(1) + text(name) + NONE + number(0xFFFF, 2) + number(0)
        talk.ask(METADATA, number(1) + text(name), answer)
    else:
        place = number(1, 2) + number(10, 2)
        talk.ask(SUBSCRIBE, b"\1" + text(name) + place, NONE)
    return talk.leave()


def told(*properties: tuple[str, str]) -> Talk:
    """A connection whose client says something of itself."""
    return asked(0x11, pairs(*properties), number(1, 2) + number(0))


def login(user: bytes, password: bytes, answer: bytes = REFUSED) -> Talk:
    """Credentials given once more."""
    data = b"\0" + user + b"\0" + password
    return asked(0x13, text("PLAIN") + number(len(data)) + data, answer)


def token(**claims: int) -> bytes:
    """A JSON Web Token."""
    parts = ({"alg": "RS256"}, claims)
    made = (base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in parts)
    return b".".join((*made, b"c2ln"))


def running_out(seconds: int, *, close: bool = True, renewed: bool = False) -> Talk:
    """A client with a token of ten seconds, whose connection the broker ends."""
    start = 1_700_000_000
    talk = Talk(password=token(exp=start + 10)).wait(5)
    if renewed:
        data = b"\0a\0" + token(exp=start + 3600)
        talk.ask(0x13, text("PLAIN") + number(len(data)) + data, number(1, 2))
    talk.wait(seconds - 5)
    if close:
        talk.say(SERVER, 0x16, number(1) + number(1, 2) + text("token expired"))
    talk.made.finish(SERVER).finish(CLIENT)
    return talk


def hosted(name: str, answer: bytes = NO_HOST) -> Talk:
    """Open once more, for another virtual host."""
    return asked(0x15, text(name), answer)


def versions(least: int, most: int) -> Talk:
    """What the client knows of Publish."""
    body = number(1) + number(2, 2) + number(least, 2) + number(most, 2)
    return asked(0x1B, body, number(1, 2) + body)


CASES = [
    ("RMQ-N15", running_out(10)),
    ("RMQ-N15", running_out(11, close=False)),
    ("", running_out(7)),
    ("", running_out(11, renewed=True)),
    ("RMQ-S9", created(stream="undefined")),
    ("RMQ-S9", created(stream="orders\n")),
    ("RMQ-S9", created(stream="${STREAM}")),
    ("RMQ-S9", asked(ROUTE, text("[object Object]") + text("all"), number(1, 2) + number(0))),
    ("", created(stream="nullable orders")),
    ("RMQ-S9b", subscribed(("name", "None"))),
    ("RMQ-S9b", subscribed(("filter.0", "{region}"))),
    ("", subscribed(("name", "none-of-these"), ("filter.0", "eu"))),
    ("RMQ-S10", subscribed(("x-single-active-consumer", "true"), ("name", "a"))),
    ("RMQ-S10", subscribed(("x-singleActiveConsumer", "true"), ("name", "a"))),
    ("", subscribed(("x-own-property", "true"))),
    ("RMQ-S10", created(("x-max-age", "7D"))),
    ("", created(("max-age", "7D"), ("x-queue-type", "stream"))),
    ("RMQ-S11", subscribed(("filter.0", "eu"), ("filter.0", "us"))),
    ("RMQ-S11", created(("max-age", "7D"), ("max-age", "1D"))),
    ("", subscribed(("filter.0", "eu"), ("filter.1", "us"))),
    ("RMQ-S12", subscribed(("match-unfiltered", "true"))),
    ("RMQ-S12", subscribed(("filter.0", "eu"), ("filter.1", "eu"))),
    ("", subscribed(("match-unfiltered", "true"), ("filter.0", "eu"))),
    ("RMQ-S13", created(("initial-cluster-size", "2"))),
    ("", created(("initial-cluster-size", "3"))),
    ("RMQ-S6b", created(("max-age", "86400000s"), ("max-length-bytes", "5"))),
    ("RMQ-S6b", created(("max-age", "1000Y"))),
    ("RMQ-S6b", created(("max-age", "604800000s"))),
    ("", created(("max-age", "604800s"))),
    ("", created(("max-age", "10Y"), ("stream-max-segment-size-bytes", "1000000"))),
    ("RMQ-S14", super_stream(("all-0", "all-0"), ("0", "1"))),
    ("RMQ-S14", super_stream(("all-0", "all-1"), ("0", "0"))),
    ("RMQ-S14", super_stream(("all", "all-1"), ("0", "1"))),
    ("", super_stream(("all-0", "all-1"), ("0", "1"))),
    ("RMQ-V7", versions(2, 1)),
    ("", versions(1, 2)),
    ("RMQ-N11", told(("connection-name", "a"))),
    ("", told(("connection_name", "a"), ("connectionName", "a"))),
    ("RMQ-P3", told(("uri", "rabbitmq-stream://a:b@h:5552"))),
    ("RMQ-P3", told(("password", "b"))),
    ("", told(("uri", "rabbitmq-stream://h:5552"))),
    ("RMQ-N12", login(b"", token(exp=1_600_000_000))),
    ("RMQ-N12", login(b"", token(exp=1_800_000_000_000))),
    ("", login(b"", token(exp=1_800_000_000))),
    ("", login(b"", token(exp=1_600_000_000), number(1, 2))),
    ("RMQ-N13", login(b"a", b"b\n")),
    ("RMQ-N13", login(b"a%40b", b"c")),
    ("RMQ-N13", login(b"a", b"'b'")),
    ("", login(b"a", b"b%")),
    ("", login(b"a", b"b\n", number(1, 2))),
    ("RMQ-N14", hosted("/dev")),
    ("RMQ-N14", hosted("")),
    ("", hosted("dev")),
    ("", hosted("/dev", number(1, 2) + number(0))),
    ("RMQ-X9", known("order_events")),
    ("RMQ-X9", known("order-evnets")),
    ("RMQ-X9", known("order-event", by_metadata=True)),
    ("", known("bills")),
    ("", known("bills", by_metadata=True)),
]
"""The rule that finds a fault, or none, and the connection."""


@every(("at", "rule", "talk"), [(at, *each) for at, each in enumerate(CASES)], ids=lambda e: e[:2])
def test_faults_and_near_misses(at: int, rule: str, talk: Talk, tmp_path: Path) -> None:
    """Each rule names its fault, alone among the rules about names."""
    del at
    found = {
        each.rule for finding in findings(tmp_path, talk) for each in (finding, *finding.echoes)
    } & NAMES

    assert found == set(rule.split())


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {each for rules, _ in CASES for each in rules.split()} == NAMES


def test_secrets_are_not_repeated(tmp_path: Path) -> None:
    """No finding shows a password or a part of a token."""
    secret = token(exp=1_600_000_000)
    for talk in (login(b"a", b"hunter2\n"), login(b"", secret), told(("password", "hunter2"))):
        shown = " ".join(each.message for each in findings(tmp_path, talk))
        assert "hunter2" not in shown
        assert secret.decode()[:12] not in shown
