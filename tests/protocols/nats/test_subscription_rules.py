"""Rules about subscriptions, PONG and echo: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SECOND, SERVER, Script

from streamshark.protocols.nats.subscription_rules import QUEUE_GROUPS, SUBSCRIPTION_RULES

DEAF = CLIENT_CONNECT.replace(b'"go"', b'"go","echo":false')


def lines(*said: str, connect: bytes = CLIENT_CONNECT) -> Script:
    """Lines of a client."""
    talk = Script(connect=connect)
    for each in said:
        talk.line(CLIENT, each)
    return talk


def alone(subject: str = "tax", connect: bytes = DEAF, status: str = "503") -> Script:
    """A request that nobody answers."""
    talk = lines("SUB _INBOX.a.* 1", "SUB tax 2", connect=connect)
    talk.pub(subject, "x", "_INBOX.a.1")
    talk.status("_INBOX.a.1", status)
    return talk


def ponged(*said: tuple[int, str]) -> Script:
    """PING and PONG."""
    talk = Script()
    for side, line in said:
        talk.line(side, line)
    return talk


def grown(*counts: int, subject: str = "orders") -> Script:
    """Connections of a program, each with so many equal subscriptions."""
    talk = Script(connect=CLIENT_CONNECT)
    for number, count in enumerate(counts):
        if number:
            talk.another()
        for each in range(count):
            talk.line(CLIENT, f"SUB {subject} {each + 1}")
    talk.close()
    return talk


def restored(*now: str, before: tuple[str, ...] = ("orders",), side: int = SERVER) -> Script:
    """A connection that is lost, and the subscriptions of the next one."""
    talk = lines(*(f"SUB {each} {sid + 1}" for sid, each in enumerate(before)))
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    talk.connect()
    for sid, each in enumerate(now):
        talk.line(CLIENT, f"SUB {each} {sid + 1}")
    return talk


def resubscribed(
    times: int, subject: str = "orders", messages: int = 1, wait: int = 0, limit: str = ""
) -> Script:
    """Subscriptions that are given up after some messages."""
    talk = Script()
    for each in range(1, times + 1):
        talk.now += wait
        talk.line(CLIENT, f"SUB {subject} {each}")
        if limit:
            talk.line(CLIENT, f"UNSUB {each}{limit}")
        for _ in range(messages):
            talk.msg(subject, "x", sid=each)
        if not limit:
            talk.line(CLIENT, f"UNSUB {each}")
    return talk


def joined(*members: tuple[str, str], leaves: bool = False) -> Script:
    """Programs in queue groups of a subject."""
    talk = Script(connect=b"")
    for name, group in members:
        said = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode())
        talk.connect(connect=said if name else CLIENT_CONNECT)
        talk.line(CLIENT, f"SUB tax {group} 1")
        if leaves:
            talk.line(CLIENT, "UNSUB 1")
    return talk


def numbered(number: int, *heard: str, wide: str = "") -> Script:
    """A message to a number, of which others are subscribed to."""
    talk = lines(*(f"SUB {each} {sid}" for sid, each in enumerate((*heard, wide)) if each))
    talk.pub(f"trips.{number}", "x")
    return talk


def given_up(
    *before: str, number: int = 3, prefix: str = "_INBOX.a", after: str = "", used: bool = True
) -> Script:
    """Requests after the lines `before`, and once more after the line `after`."""
    talk = lines("SUB _INBOX.a.* 7")
    for each in (1, 2):
        talk.pub("prices", "x", f"_INBOX.a.{each}")
        if used:
            talk.msg(f"_INBOX.a.{each}", "9", sid=7)
    for each in (*before, after):
        if each:
            talk.line(CLIENT, each)
    for each in range(number):
        talk.pub("prices", "x", f"{prefix}.{each + 3}")
    return talk


def overheard(*subscriptions: str, inbox: str = "user.anna.k3", number: int = 3) -> Script:
    """Requests with an inbox among these subscriptions."""
    talk = lines(*(f"SUB {each} {sid + 1}" for sid, each in enumerate(subscriptions)))
    for each in range(number):
        talk.pub("rooms", "x", f"{inbox}.{each}")
        talk.msg(f"{inbox}.{each}", "9")
    return talk


def queues(*groups: str, subject: str = "orders", name: bytes = b"worker") -> Script:
    """Subscriptions of one program, each on a connection of its own, all open at once."""
    talk = Script()
    for number, each in enumerate(groups):
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name))
        talk.line(CLIENT, f"SUB {subject if number else 'orders'} {each} 1".replace("  ", " "))
        name = b"worker"
    return talk


def replicas(*groups: str, deliveries: int = 3, names: tuple[bytes, ...] = ()) -> Script:
    """Connections with a subscription each, and what each of them receives."""
    talk = Script()
    for number, group in enumerate(groups):
        more = b',"name":"%s"' % names[number] if names else b""
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go"' + more))
        talk.line(CLIENT, f"SUB orders {group} 1".replace("  ", " "))
        for _ in range(deliveries):
            talk.msg("orders", "m")
    return talk


def polled(*counts: int, most: int = 3, inbox: str = "_INBOX.p", gives_up: bool = True) -> Script:
    """Requests that wait for some replies, get so many, and are given up."""
    talk = Script(connect=CLIENT_CONNECT)
    for number, count in enumerate(counts):
        own = f"{inbox}{number}"
        talk.line(CLIENT, f"SUB {own} {number + 1}")
        talk.line(CLIENT, f"UNSUB {number + 1} {most}")
        talk.pub("servers.ping", "", own)
        for _ in range(count):
            talk.msg(own, "here", sid=number + 1)
        if gives_up and count < most:
            talk.line(CLIENT, f"UNSUB {number + 1}", wait=SECOND)
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B201", lambda: (polled(2, 2, 2),
        polled(2, 2), polled(3, 3, 3), polled(0, 0, 0), polled(2, 2, 3, 2),
        polled(2, 2, 2, inbox="news."), polled(2, 2, 2, gives_up=False))),
    ("B201", lambda: (polled(1, 4, 2, 1, 3, most=4),)),
    ("N58", lambda: (alone(),
        alone("bills"), alone(connect=CLIENT_CONNECT), alone(status="408"))),
    ("N59", lambda: (ponged((CLIENT, "PONG")),
        ponged((SERVER, "PING"), (CLIENT, "PONG"), (CLIENT, "PING"), (SERVER, "PONG")))),
    ("N59", lambda: (ponged((SERVER, "PING"), (CLIENT, "PONG"), (CLIENT, "PONG")),)),
    ("B101", lambda: (grown(1, 2, 3),
        grown(1, 2, 2), grown(2, 2, 2), grown(1, 2), grown(3, 2, 1),
        grown(1, 2, 3, subject="orders q"))),
    ("B101", lambda: (grown(1, 2, 4, 8),)),
    ("B101b", lambda: (restored("orders", "orders"),
        restored("orders"), restored("orders", "bills", "bills"),
        restored("orders", "orders", before=("orders", "orders")),
        restored("orders", "orders", side=CLIENT), restored("orders q", "orders q"))),
    ("B101b", lambda: (restored("bills", "orders", "bills", before=("orders", "bills")),)),
    ("B117b", lambda: (lines(*(f"SUB user.{each}.mail {each}" for each in range(16))),
        lines(*(f"SUB user.{each}.mail {each}" for each in range(15))),
        lines(*(f"SUB user.mail.{each} {each}" for each in range(16))),
        lines(*(f"SUB user.{each}.* {each}" for each in range(16))))),
    ("B117b", lambda: (lines(*(f"SUB a.b{each}.c{each}.mail {each}" for each in range(20))),)),
    ("B102", lambda: (lines("SUB orders.* 1", "SUB orders.new 2"),
        lines("SUB orders.* 1", "SUB bills.new 2"), lines("SUB orders.* q 1", "SUB orders.new 2"),
        lines("SUB orders.new 1", "SUB orders.old 2"),
        lines("SUB orders.* 1", "SUB orders.* 2"), lines("SUB _INBOX.* 1", "SUB _INBOX.a 2"))),
    ("B102", lambda: (lines("SUB orders.new 1", "SUB > 2"),)),
    ("B134", lambda: (given_up("UNSUB 7"),
        given_up(), given_up("UNSUB 7", number=2), given_up("UNSUB 7 9"),
        given_up("UNSUB 7", prefix="_INBOX.b"), given_up("UNSUB 7", after="SUB _INBOX.a.* 8"),
        given_up("UNSUB 7", after="SUB _INBOX.> 8"), given_up("UNSUB 7", used=False))),
    ("B134", lambda: (given_up("UNSUB 7", number=9, after="SUB orders 8"),)),
    ("B135", lambda: (overheard("user.anna.>", "user.anna.k3.*"),
        overheard("user.anna.>", "user.anna.k3.*", number=2), overheard("user.anna.k3.*"),
        overheard("user.bob.>", "user.anna.k3.*"), overheard("user.anna.> q", "user.anna.k3.*"),
        overheard("_INBOX.>", "_INBOX.k3.*", inbox="_INBOX.k3"))),
    ("B135", lambda: (overheard("user.anna.k3.*", "a", "user.>"),)),
    ("B103", lambda: (joined(("tax", "q"), ("audit", "q")),
        joined(("tax-1", "q"), ("tax-2", "q")), joined(("tax", "q"), ("audit", "p")),
        joined(("tax", "q"), ("", "q")), joined(("tax", "q"), ("audit", "q"), leaves=True))),
    ("B108", lambda: (numbered(4, "trips", "trips.1", "trips.2", "trips.3"),
        numbered(3, "trips.1", "trips.2", "trips.3"), numbered(4, "trips.1"),
        numbered(4, "trips.1", "trips.9"), numbered(4, "trips.1", "trips.2", wide="trips.*"),
        numbered(4, "taxis.1", "taxis.2", "taxis.3"))),
    ("B108", lambda: (numbered(2, "trips.0", "trips.1"),)),
    ("B104", lambda: (resubscribed(4),
        resubscribed(3), resubscribed(9, messages=2), resubscribed(9, "_INBOX.a"),
        resubscribed(9, wait=5 * SECOND))),
    ("B104", lambda: (resubscribed(4, limit=" 1"),)),
    ("B43", lambda: (queues("workers-1", "workers-2"),
        queues("workers", "workers"), queues("workers-1", "workers-2", subject="bills"),
        queues("workers-1", "workers-2", name=b"other"))),
    ("B43b", lambda: (queues("audit", "billing"),
        queues("workers", "workers"), queues("audit", "billing", subject="bills"))),
    ("B44", lambda: (queues("workers", ""),
        queues("workers", "workers"), queues("", ""), queues("workers", "", name=b"other"))),
    ("B55", lambda: (replicas("", ""),
        replicas("", "", deliveries=2), replicas("a", "b"), replicas(""),
        replicas("", "", names=(b"shop", b"audit")), replicas("a", "a", names=(b"app", b"app")))),
    ("B55", lambda: (replicas("", "", names=(b"app", b"app")),)),
    ("B55", lambda: (replicas("", "", names=(b"app-7d9f-x2x4k", b"app-7d9f-k9q7z")),)),
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
    assert {each.id for each in (*SUBSCRIPTION_RULES, *QUEUE_GROUPS)} == {
        f"NATS-{rule}" for rule, *_ in CASES
    }
