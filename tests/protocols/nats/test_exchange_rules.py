"""Rules for what is sent twice, and for what nobody sends: faults are named, near misses not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.test_jetstream_behaviour_rules import API, NEXT, asks, begun, hpub
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, Script

from streamshark.protocols.nats.exchange_rules import EXCHANGE_RULES

NODE = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"LIFT.a.b.c"')


def user(name: str, echo: str = "true") -> bytes:
    """CONNECT of a user."""
    return CLIENT_CONNECT.replace(b'"go"', b'"go","echo":%s,"user":"%s"' % (
        echo.encode(), name.encode()))  # fmt: skip


def published(letters: str, subject: str = "orders", connect: bytes = CLIENT_CONNECT) -> Script:
    """Messages with these letters."""
    talk = Script(connect=connect)
    for each in letters:
        talk.pub(subject, each * 9)
    return talk


def switch(talk: Script, links: dict[int, tuple], at: int) -> None:
    """Go on with one of several connections."""
    if at not in links:
        talk.connect()
        links[at] = (talk.connection, talk.offsets, talk.flow)
    talk.connection, talk.offsets, talk.flow = links[at]


def at_both(*rounds: str, wait: float = 0.01, name: str = "a", ids: bool = False) -> Script:
    """Messages that two connections publish in turn."""
    talk, links = Script(connect=b""), dict[int, tuple]()
    for at in range(3):
        said = f'"go","name":"{name if at else "a"}"'.encode()
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', said))
        links[at] = (talk.connection, talk.offsets, talk.flow)
    for each in rounds:
        for at, letter in enumerate(each):
            switch(talk, links, at)
            talk.now += int(wait * SECOND)
            if ids:
                hpub(talk, "report", f"Nats-Msg-Id: {letter}", letter * 9)
            else:
                talk.pub("report", letter * 9)
        talk.now += 5 * SECOND
    return talk


def at_once(count: int, *, differs: bool = False, answered: bool = False) -> Script:
    """Requests with one payload."""
    talk = begun()
    for each in range(count):
        talk.pub("tax.rate", f"country{each if differs else ''}", f"_INBOX.a.{each}")
        if answered:
            talk.msg(f"_INBOX.a.{each}", "yes")
    return talk


def again(*waits: int, answered: bool = False, differs: bool = False) -> Script:
    """Requests, each some milliseconds after the one before."""
    talk = begun()
    for each, wait in enumerate(waits):
        talk.pub("tax.rate", f"country{each if differs else ''}", f"_INBOX.a.{each}", wait * MS)
        if answered:
            talk.msg(f"_INBOX.a.{each}", "yes")
    return talk


def requeued(*bodies: str, subject: str = "orders", takes: str = "job number 1") -> Script:
    """A message of a stream, and what its receiver publishes to a subject."""
    talk = Script()
    for each in range(len(bodies)):
        talk.msg("orders", f"{takes}", f"$JS.ACK.S.C.1.{each}.{each}.17.0")
    for each in bodies:
        talk.pub(subject, each)
    return talk


def replied(count: int, *, times: int = 2, sizes: bool = True, asked: str = "tax") -> Script:
    """Requests that are answered several times."""
    talk = Script()
    talk.line(CLIENT, f"SUB {asked} 1")
    for each in range(count):
        talk.msg(asked, "question", f"_INBOX.b.{each}")
        for number in range(times):
            talk.pub(f"_INBOX.b.{each}", "answer" + "x" * (0 if sizes else number))
    return talk


def subscribed(
    count: int, subject: str = "user.{}", connect: bytes = CLIENT_CONNECT, *, ends: bool = False
) -> Script:
    """Subscriptions for items."""
    talk = Script(connect=connect)
    for each in range(count):
        talk.line(CLIENT, f"SUB {subject.format(each)} {each + 1}")
        if ends:
            talk.line(CLIENT, f"UNSUB {each + 1}")
    return talk


def pulled(
    wait: int = 9, *, expires: str = ',"expires":5000000000', brings: int = 0, status: str = "",
    ended: bool = False,
) -> Script:  # fmt: skip
    """A pull request, and what comes for it."""
    talk = begun()
    talk.pub(NEXT, f'{{"batch":2{expires}}}', "_INBOX.a.1")
    for each in range(brings):
        talk.delivery(each + 1)
    if status:
        talk.status("_INBOX.a.1", status)
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    talk.now += wait * SECOND
    talk.pub("orders", "x")
    return talk


def unheard(
    wait: int = 5, *, subject: str = "orders", group: str = "", arrives: bool = False,
    connect: bytes = CLIENT_CONNECT, own: bool = False,
) -> Script:  # fmt: skip
    """A subscription, and a message of another client."""
    talk = Script(connect=b"")
    links: dict[int, tuple] = {}
    for at in range(2):
        talk.connect(connect=connect if at == 0 else user("b"))
        links[at] = (talk.connection, talk.offsets, talk.flow)
    switch(talk, links, 0)
    talk.line(CLIENT, f"SUB orders {group} 1")
    switch(talk, links, 0 if own else 1)
    talk.now += wait * SECOND
    talk.pub(subject, "message")
    switch(talk, links, 0)
    if arrives:
        talk.msg("orders", "message")
    talk.close()
    talk._see(talk.connection.finish())
    return talk


def waiting(seconds: int, subject: str = "tax", answer: str = "", name: str = "") -> Script:
    """A request, and what comes later."""
    talk = begun(name)
    talk.pub(subject, "question", "_INBOX.a.1")
    if answer:
        talk.msg("_INBOX.a.1", answer)
    talk.now += seconds * SECOND
    talk.pub("elsewhere", "x")
    return talk


def removed(request: str, payload: str = "", *, own: bool = False, left: bool = False) -> Script:
    """A request about a stream or consumer that another connection reads."""
    talk = Script(connect=b"")
    links: dict[int, tuple] = {}
    switch(talk, links, 0)
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.delivery(1)
    if left:
        talk.close()
        talk._see(talk.connection.finish())
    switch(talk, links, 0 if own else 1)
    asks(talk, API + request, "{}", 1, payload)
    return talk


def with_ids(count: int) -> Script:
    """Messages that are published twice with the same id."""
    talk = begun()
    for each in range(count):
        for number in range(2):
            hpub(talk, "orders", f"Nats-Msg-Id: {each}", f"message-{each}", f"_INBOX.a.{number}")
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B126", lambda: (requeued(*["job number 1"] * 3),
        requeued(*["job number 1"] * 2), requeued(*["job number 2"] * 9),
        requeued(*["job number 1"] * 9, subject="dead"), requeued(*["job"] * 9, takes="job"))),
    ("B126", lambda: (requeued("job number 1", "other", "job number 1", "x", "job number 1"),)),
    ("B124", lambda: (again(0, 900, 900, 900),
        again(0, 900, 900), again(0, 9, 9, 9, 9), again(0, 900, 900, 900, answered=True),
        again(0, 900, 900, 900, differs=True), again(0, 11_000, 11_000, 11_000))),
    ("B124", lambda: (again(0, 200, 200, 200, 200, 200),)),
    ("B112", lambda: (published("aabbcc"),
        published("aabb"), published("aabcc"), published("abcabc"), published("aaaaaaaa"),
        published("aabbcc", "_INBOX.x"), published("aabbcc", connect=NODE))),
    ("B112", lambda: (published("xaabbccd"),)),
    ("B112", lambda: (with_ids(3), with_ids(2))),
    ("B113", lambda: (at_both("aa", "bb", "cc"),
        at_both("aa", "bb"), at_both("ab", "cd", "ef"), at_both("aa", "bb", "cc", wait=3),
        at_both("a", "a", "a", "a"), at_both("aa", "bb", "cc", ids=True))),
    ("B113b", lambda: (at_both("aa", "bb", "cc", name="b"), at_both("aa", "bb", name="b"))),
    ("B113", lambda: (at_both("aaa", "bb", "xy", "cc"),)),
    ("B114", lambda: (at_once(3), at_once(2), at_once(9, differs=True), at_once(9, answered=True))),
    ("B118", lambda: (replied(3),
        replied(2), replied(9, times=1), replied(9, sizes=False), replied(9, asked="$SRV.PING"))),
    ("B118", lambda: (replied(3, times=3),)),
    ("B117", lambda: (subscribed(16),
        subscribed(15), subscribed(30, "{}.user"), subscribed(30, "_INBOX.{}"),
        subscribed(30, "user{}"), subscribed(30, connect=NODE), subscribed(30, ends=True))),
    ("B115", lambda: (pulled(),
        pulled(6), pulled(expires=""), pulled(brings=2), pulled(status="408"),
        pulled(ended=True))),
    ("B115", lambda: (pulled(brings=1),)),
    ("B115b", lambda: (pulled(expires=',"no_wait":true'),
        pulled(1, expires=',"no_wait":true'), pulled(expires=',"no_wait":true', status="404"),
        pulled(expires=',"no_wait":true', brings=2), pulled(expires=',"no_wait":false'))),
    ("B116", lambda: (unheard(),
        unheard(0), unheard(subject="bills"), unheard(group="q"), unheard(arrives=True),
        unheard(own=True, connect=user("a", "false")))),
    ("B116", lambda: (unheard(connect=user("a")),)),
    ("N14c", lambda: (waiting(20),
        waiting(5), waiting(20, answer="yes"), waiting(20, NEXT))),
    ("B119", lambda: (removed("STREAM.DELETE.S"),
        removed("STREAM.DELETE.T"), removed("STREAM.DELETE.S", own=True),
        removed("STREAM.DELETE.S", left=True), removed("STREAM.PURGE.S", '{"filter":"a"}'))),
    ("B119", lambda: (removed("STREAM.PURGE.S"),)),
    ("B119b", lambda: (removed("CONSUMER.DELETE.S.C"),
        removed("CONSUMER.DELETE.S.D"), removed("CONSUMER.DELETE.S.C", own=True),
        removed("CONSUMER.DELETE.S.C", left=True), removed("CONSUMER.INFO.S.C"))),
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
    assert {each.id for each in EXCHANGE_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
