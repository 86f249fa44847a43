"""Rules for NATS clients that repeat: refused requests, queries, pings, connections."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, created, names_the_fault_alone, pulls, redelivered
from tests.protocols.nats.traffic import (
    CLIENT,
    CLIENT_CONNECT,
    MS,
    SECOND,
    SERVER,
    SERVER_INFO,
    Script,
)

from streamshark.protocols.nats.loop_rules import LOOPS

REFUSED = '{"type":"io.nats.jetstream.api.v1.x_response","error":{"code":404,"description":"no"}}'


DONE = '{"type":"io.nats.jetstream.api.v1.x_response"}'


def asked(count: int, answer: str, wait: int = 10 * MS, last: str = "") -> Script:
    """Requests to JetStream that are answered."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("$JS.API.STREAM.CREATE.S", "{}", f"_INBOX.a.{each}", wait)
        talk.msg(f"_INBOX.a.{each}", last if last and each == count - 1 else answer)
    return talk


def unheard(count: int, code: str = "503", name: str = "") -> Script:
    """Messages that are answered with a status."""
    talk = Script(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("events", "x", f"_INBOX.a.{each}")
        talk.status(f"_INBOX.a.{each}", code)
    return talk


def errors(count: int, wait: int = SECOND) -> Script:
    """The same -ERR."""
    talk = Script()
    for _ in range(count):
        talk.pub("secret", "x", wait=wait)
        talk.line(SERVER, "-ERR 'Permissions Violation for Publish to \"secret\"'")
    return talk


def queries(count: int, wait: int = 10 * MS) -> Script:
    """The state of a consumer asked for."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("$JS.API.CONSUMER.INFO.S.C", "", f"_INBOX.a.{each}", wait)
        talk.msg(f"_INBOX.a.{each}", DONE)
    return talk


def echoed(count: int, *, own: bool = True, asked: bool = False) -> Script:
    """Messages that the client publishes after each that it receives, its own or another's."""
    talk = Script()
    talk.line(CLIENT, "SUB events.> 1")
    for _ in range(count):
        if asked:
            talk.msg("events.new", "question")
        talk.pub("events.new", "x")
        talk.msg("events.new" if own else "events.other", "x")
    return talk


def connections(count: int, messages: int) -> Script:
    """Connections one after the other."""
    talk = Script()
    for _ in range(count):
        for _ in range(messages):
            talk.pub("orders", "x")
        talk.another()
    return talk


def streams(*names: str, wait: int = 10 * MS, payload: str = "{}") -> Script:
    """Streams that are created."""
    talk = Script()
    for number, each in enumerate(names):
        talk.pub(f"$JS.API.STREAM.CREATE.{each}", payload * (number + 1), "_INBOX.a", wait)
    return talk


def idle_pings(count: int, *, answers: bool = True, busy: bool = False) -> Script:
    """PINGs every half second."""
    talk = Script()
    for _ in range(count):
        talk.line(CLIENT, "PING", wait=SECOND // 2)
        if answers:
            talk.line(SERVER, "PONG")
        if busy:
            talk.pub("orders", "x")
    return talk


def put_off(count: int, word: str = '-NAK {"delay":250000000}') -> Script:
    """A message that the client rejects each time, and takes in the end."""
    talk = Script()
    for number in range(1, count):
        talk.pub(talk.delivery(7, number, consumed=number), word)
    talk.pub(talk.delivery(7, count, consumed=count), "+ACK")
    return talk


def veiled(count: int, wait: int = 9 * MS) -> Script:
    """Connections on which the client begins TLS, and that it closes."""
    info = SERVER_INFO.replace(b'"headers"', b'"tls_required":true,"headers"').decode().strip()
    hello = b"\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03" + bytes(242)
    talk = Script(info=b"", connect=b"")
    for each in range(count):
        if each:
            talk.connect(info=b"", connect=b"")
        talk.line(SERVER, info)
        talk.part(CLIENT, hello, packet=9)
        talk.now += wait
        talk.close()
        talk._see(talk.connection.finish())
    return talk


def slowly_unheard(count: int, wait: int) -> Script:
    """Messages with a pause after each, which no stream has."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("events", "x", f"_INBOX.a.{each}", wait=wait)
        talk.status(f"_INBOX.a.{each}", "503")
    return talk


def missing(*keys: str) -> Script:
    """Keys that a bucket does not have."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for number, key in enumerate(keys):
        reply = f"_INBOX.a.{number}"
        talk.pub("$JS.API.STREAM.MSG.GET.KV_b", f'{{"last_by_subj":"$KV.b.{key}"}}', reply)
        talk.msg(reply, REFUSED)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B1", lambda: (asked(3, REFUSED),
        asked(2, REFUSED), asked(4, REFUSED, 3 * SECOND), asked(6, DONE), missing(*"abcd"))),
    ("B1", lambda: (missing(*"aaa"),)),
    ("B2", lambda: (unheard(3), unheard(2), unheard(8, "100"), unheard(8, name="LIFT.a.raft"))),
    ("B3", lambda: (errors(3), errors(2), errors(3, 11 * SECOND))),
    ("B4", lambda: (pulls(5, "404 No Messages"),
        pulls(4, "404 No Messages"), pulls(10, "404 No Messages", SECOND))),
    ("B5", lambda: (queries(5), queries(4), queries(10, 3 * SECOND))),
    ("B6", lambda: (redelivered(range(1, 5)), redelivered(range(1, 4)), redelivered([1]))),
    ("B7", lambda: (created(4), created(3), created(5, deleted=True), created(5, wait=90 * SECOND),
        created(5, stream="OBJ_files"))),
    ("B7", lambda: (created(4, wait=20 * SECOND),)),
    ("B8", lambda: (echoed(7), echoed(4), echoed(12, own=False), echoed(12, asked=True))),
    ("B9", lambda: (connections(3, 1), connections(2, 1), connections(5, 9))),
    ("B9b", lambda: (connections(3, 6), connections(2, 1), connections(5, 9))),
    ("B7b", lambda: (created(6, deleted=True),
        created(5, deleted=True), created(9, wait=3 * SECOND))),
    ("B62", lambda: (streams(*"abc"),
        streams(*"ab"), streams(*"aaaa"), streams(*"abcd", wait=3 * SECOND))),
    ("B62b", lambda: (streams(*"aaaa", payload=""), streams(*"aaa", payload=""), streams(*"aaaa"))),
    ("B63", lambda: (idle_pings(7),
        idle_pings(5), idle_pings(12, answers=False), idle_pings(12, busy=True))),
    ("B9c", lambda: (veiled(3), veiled(2), veiled(9, wait=2 * SECOND))),
    ("B2", lambda: (slowly_unheard(3, 5 * SECOND), slowly_unheard(9, 20 * SECOND))),
    ("B6", lambda: (put_off(4, "-NAK"), put_off(4), put_off(6))),
    ("B6", lambda: (put_off(14),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in LOOPS} == {f"NATS-{rule}" for rule, *_ in CASES}
