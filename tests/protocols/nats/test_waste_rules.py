"""Rules for NATS clients that waste: leaks, small packets, round trips, unchanged values."""

from collections.abc import Iterable

from tests.failures import every
from tests.protocols.nats.clients import (
    CREATE,
    NEXT,
    STORED,
    Talks,
    acked,
    configured_as,
    names_the_fault_alone,
    steps,
)
from tests.protocols.nats.traffic import CLIENT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.waste_rules import LEAKS, WASTE


def inboxes(count: int, *, ended: bool, answers: int = 1, requests: int = 1) -> Script:
    """An inbox for each request, or for some."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB _INBOX.{each} {each + 1}")
        for _ in range(requests):
            talk.pub("service", "x", f"_INBOX.{each}")
        for _ in range(answers):
            talk.msg(f"_INBOX.{each}", "y", sid=each + 1)
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


def subscribed(*, ended: bool, queue: str = "") -> Script:
    """One subject subscribed to twice."""
    talk = Script()
    talk.line(CLIENT, f"SUB orders {queue} 1".replace("  ", " "))
    talk.msg("orders", "x")
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    talk.line(CLIENT, f"SUB orders {queue} 2".replace("  ", " "))
    for sid in (1, 2):
        if not (ended and sid == 1):
            talk.msg("orders", "x", sid=sid)
    talk.close()
    return talk


def durables(names: Iterable[str], *, apart: bool = True) -> Script:
    """Durable consumers, each of a connection of its own."""
    talk = Script()
    for name in names:
        talk.pub(CREATE + name, f'{{"config": {{"durable_name": "{name}"}}}}', "_INBOX.a")
        if apart:
            talk.another()
    return talk


def pings(count: int, wait: int = MS) -> Script:
    """PINGs, each after the PONG before."""
    talk = Script()
    for _ in range(count):
        talk.line(CLIENT, "PING", wait=wait)
        talk.line(SERVER, "PONG")
    return talk


def key_read(count: int, *, keys: int = 1, wait: int = MS) -> Script:
    """Reads of keys."""
    talk = Script()
    for each in range(count):
        talk.pub(f"$JS.API.DIRECT.GET.KV_b.$KV.b.{each % keys}", "", f"_INBOX.a.{each}", wait)
    return talk


def key_written(count: int, *, values: int = 1, wait: int = MS) -> Script:
    """Writes of a key."""
    talk = Script()
    for each in range(count):
        talk.pub("$KV.b.k", str(each % values), f"_INBOX.a.{each}", wait)
    return talk


def batch(wanted: int, policy: str = "explicit") -> Script:
    """A pull from a consumer with two messages without acks at most."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("$JS.API.CONSUMER.INFO.S.C", "", "_INBOX.a.0")
    talk.msg("_INBOX.a.0", configured_as(policy))
    talk.pub(NEXT, f'{{"batch":{wanted},"expires":5}}', "_INBOX.a.1")
    return talk


def subscriptions(count: int, *, ended: bool = False, queue: str = "") -> Script:
    """One subject subscribed to many times on a connection."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB orders {queue} {each + 1}".replace("  ", " "))
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


def named_replies(count: int, *, ended: bool) -> Script:
    """A reply subject for each request whose name is not that of an inbox."""
    talk = Script()
    for each in range(count):
        talk.line(CLIENT, f"SUB replies.{each} {each + 1}")
        talk.pub("service", "x", f"replies.{each}")
        talk.msg(f"replies.{each}", "y", sid=each + 1)
        if ended:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    talk.close()
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B10", lambda: (inboxes(4, ended=True),
        inboxes(3, ended=True), inboxes(6, ended=True, answers=2))),
    ("B11", lambda: (inboxes(5, ended=False), inboxes(4, ended=False), inboxes(10, ended=True))),
    ("B12", lambda: (subscribed(ended=False),
        subscribed(ended=True), subscribed(ended=False, queue="q"))),
    ("B13", lambda: (durables("abc"),
        durables("ab"), durables("aaaaa"), durables("abcde", apart=False),
        durables(("audit", "billing", "archive", "mails")))),
    ("B13", lambda: (durables(("app-17f3", "app-92ab", "app-c001")),)),
    ("B22", lambda: (steps(7, NEXT, '{"batch": 1}', ""),
        steps(5, NEXT, '{"batch":1}', ""), steps(25, NEXT, '{"batch":10}', ""),
        steps(25, NEXT, '{"batch":1}', "", SECOND))),
    ("B23", lambda: (pings(6), pings(5), pings(10, SECOND))),
    ("B24", lambda: (steps(6, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x"),
        steps(5, "$JS.API.DIRECT.GET.S", '{"seq":1}', "x"))),
    ("B25", lambda: (steps(8, "orders", "x", STORED),
        steps(7, "orders", "x", STORED), steps(20, "orders", "x", "yes"))),
    ("B26", lambda: (acked("+ACK", "+ACK"), acked("+ACK"), acked("+WPI", "+WPI", "+ACK"))),
    ("B46", lambda: (key_read(6), key_read(5), key_read(20, keys=9), key_read(9, wait=3 * SECOND))),
    ("B47", lambda: (key_written(3),
        key_written(2), key_written(9, values=2), key_written(6, wait=11 * SECOND))),
    ("B49", lambda: (batch(5), batch(2), batch(5, "none"))),
    ("B11", lambda: (named_replies(5, ended=False), named_replies(9, ended=True))),
    ("B12b", lambda: (subscriptions(4),
        subscriptions(3), subscriptions(9, ended=True), subscriptions(9, queue="q"))),
    ("B11", lambda: (inboxes(5, ended=False, answers=0), inboxes(5, ended=True, answers=0))),
    ("B11", lambda: (inboxes(5, ended=False, answers=6),
        inboxes(9, ended=False, answers=6, requests=6), inboxes(9, ended=True, answers=6))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*LEAKS, *WASTE)} == {f"NATS-{rule}" for rule, *_ in CASES}
