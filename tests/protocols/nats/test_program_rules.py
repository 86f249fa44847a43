"""Rules for the parts of programs: each names its failure, and leaves alone what looks like it."""

from collections.abc import Callable, Iterable

from tests.failures import every
from tests.protocols.nats.clients import NEXT, Talks, names_the_fault_alone
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.program_rules import PROGRAM_RULES

FULL = (
    '{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"},'
    '"stream":"S","seq":0}'
)
SECOND_WRITER = (
    '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 3"},'
    '"stream":"S","seq":0}'
)
STORED = '{"stream":"S","seq":1}'
UPDATED = (
    'INFO {"server_id":"N","version":"2.12.2","headers":true,"max_payload":1048576,'
    '"connect_urls":["10.0.0.2:4222"]}'
)


class Program(Script):
    """Connections of programs, of which one at a time speaks."""

    def __init__(self, name: str = "app") -> None:
        super().__init__(connect=_named(name))
        self.links = [(self.connection, self.offsets, self.flow)]

    def add(self, name: str = "app") -> int:
        """Open a connection, which speaks from now on; return its number."""
        self.connect(connect=_named(name))
        self.links.append((self.connection, self.offsets, self.flow))
        return len(self.links) - 1

    def on(self, link: int) -> None:
        """Let a connection speak."""
        self.connection, self.offsets, self.flow = self.links[link]

    def end(self, first: int = CLIENT) -> "Program":
        """End the connection, one side first."""
        self.event(first, "close")
        self.event(1 - first, "close")
        self._see(self.connection.finish())
        return self

    def pause(self, time: int) -> None:
        """Let time pass."""
        self.now += time

    def beat(self, seconds: int = 1) -> None:
        """PING of the server, answered at once, each second."""
        for _ in range(seconds):
            self.line(SERVER, "PING", wait=SECOND)
            self.line(CLIENT, "PONG")


def _named(name: str) -> bytes:
    return CLIENT_CONNECT.replace(b'"go"', f'"go","name":"{name}"'.encode())


def pinged(*, reply: bool, wait: int = 3 * SECOND, own: int = 0, before: bool = True) -> Program:
    """PING that comes while a handler works, or while the client sends messages of its own."""
    talk = Program()
    talk.line(CLIENT, "SUB svc 1")
    if before:
        talk.msg("svc", "q", "_INBOX.c.1" if reply else "")
    talk.line(SERVER, "PING", wait=100 * MS)
    for each in range(own):
        talk.pub(f"events.{each}", "x", wait=wait // own)
    if reply:
        talk.pub("_INBOX.c.1", "a", wait=wait)
        talk.line(CLIENT, "PONG")
    else:
        talk.line(CLIENT, "PONG", wait=MS if own else wait)
    return talk.end()


def served(  # noqa: PLR0913
    answered: int, silent: int, *, seconds: int = 6, longest: int = 5 * MS, other: str = "",
    but: str = "", beside: bool = False,
) -> Program:  # fmt: skip
    """Requests that are answered, then some that are not, while the client goes on.

    `but` it ends its subscription, or leaves the first request open. `beside` it another program
    gets the others too, and answers.
    """
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    talk.line(CLIENT, f"SUB {other or 'none'} 2")
    if beside:
        talk.add("svc")
        talk.line(CLIENT, "SUB svc 1")
        talk.on(0)
    for each in range(answered):
        talk.msg("svc", f"q{each}", f"_INBOX.c.{each}")
        if but != "first open" or each:
            talk.pub(f"_INBOX.c.{each}", "a", wait=longest)
    for each in range(silent):
        talk.msg(other or "svc", f"z{each}", f"_INBOX.c.z{each}", sid=2 if other else 1)
        if beside:
            talk.on(1)
            talk.msg("svc", f"z{each}", f"_INBOX.c.z{each}")
            talk.pub(f"_INBOX.c.z{each}", "a")
            talk.on(0)
    if but == "unsub":
        talk.line(CLIENT, "UNSUB 1")
    talk.pause(seconds * SECOND)
    return talk.end()


def queued(gaps: Iterable[int], *, apart: int = MS, rounds: int = 1) -> Program:
    """Requests that come together, or apart, and the times between their replies."""
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    gaps = tuple(gaps)
    for turn in range(rounds):
        for each in range(len(gaps)):
            talk.pause(apart - MS)
            talk.msg("svc", "q", f"_INBOX.c.{turn}{each}")
        for each, gap in enumerate(gaps):
            talk.pub(f"_INBOX.c.{turn}{each}", "a", wait=gap)
    return talk.end()


def at_once(count: int, work: int, every_: int) -> Program:
    """Requests that come one by one and are handled at the same time, each for `work`."""
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    start = talk.now
    events = [(start + each * every_, 0, each) for each in range(count)]
    events += [(start + each * every_ + work, 1, each) for each in range(count)]
    for at, what, each in sorted(events):
        talk.now = at - MS
        if what:
            talk.pub(f"_INBOX.c.{each}", "a")
        else:
            talk.msg("svc", "q", f"_INBOX.c.{each}")
    return talk.end()


def lagging(count: int, *, answers: int = 2, wait: int = 100 * MS) -> Program:
    """Requests of which one in so many is answered in time, in their order."""
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    waiting = []
    for each in range(count):
        talk.msg("svc", f"q{each}", f"_INBOX.c.{each}")
        waiting.append(each)
        if each % answers == 0:
            talk.pub(f"_INBOX.c.{waiting.pop(0)}", "a", wait=wait)
    return talk.end()


def ends_at(
    *payloads: str,
    side: int = CLIENT,
    others: int = 2,
    other: str = "job",
    sends: bool = False,
    reply: bool = False,
) -> Program:
    """Connections that end after a message, which came after others."""
    talk = Program("worker")
    for number, payload in enumerate(payloads):
        if number:
            talk.add("worker")
        talk.line(CLIENT, "SUB jobs 1")
        for each in range(others):
            talk.msg("jobs", other if other == "tick" else f"{other} {number} {each}")
        talk.msg("jobs", payload, f"_INBOX.c.{number}" if reply else "")
        if sends:
            talk.pub("done", "x")
        talk.end(side)
        talk.pause(SECOND)
    return talk


def ends_after(
    what: Callable[[Program, int], None],
    count: int = 3,
    *,
    side: int = CLIENT,
    goes_on: bool = False,
) -> Program:
    """Connections that end just after a line of the server, or after what follows it."""
    talk = Program("worker")
    for number in range(count):
        if number:
            talk.add("worker")
        talk.line(CLIENT, "SUB _INBOX.a.* 1")
        what(talk, number)
        if goes_on:
            talk.pub("events", "x")
        talk.end(side)
        talk.pause(SECOND)
    return talk


def ping(talk: Program, _number: int) -> None:
    """PING."""
    talk.line(SERVER, "PING")


def info(talk: Program, _number: int) -> None:
    """INFO with another server."""
    talk.line(SERVER, UPDATED)


def expired(talk: Program, number: int) -> None:
    """A pull request that expires."""
    talk.pub(NEXT, '{"batch":1,"expires":1000000000}', f"_INBOX.a.{number}")
    talk.pause(SECOND)
    talk.status(f"_INBOX.a.{number}", "408 Request Timeout")


def refused(talk: Program, number: int) -> None:
    """A publish that a stream refuses."""
    talk.pub("orders", "x", f"_INBOX.a.{number}")
    talk.msg(f"_INBOX.a.{number}", FULL)


def unheard(talk: Program, number: int) -> None:
    """A request without responders."""
    talk.pub("orders", "x", f"_INBOX.a.{number}")
    talk.status(f"_INBOX.a.{number}", "503")


def answered(talk: Program, number: int) -> None:
    """A request with its reply."""
    talk.pub("orders", "x", f"_INBOX.a.{number}")
    talk.msg(f"_INBOX.a.{number}", "ok")


def pulled(
    count: int, *, waiting: int = 9, status: str = "", seconds: int = 6, every_: int = 50 * MS,
    but: str = "",
) -> Program:  # fmt: skip
    """A loop of pull requests that ends, while the client goes on.

    `but` its subscription ends too, or its last message is open, or `stored` and a
    subject: a message is stored later.
    """
    talk = Program()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(NEXT, '{"batch":1,"expires":9000000000}', f"_INBOX.a.{each}", every_)
        reply = talk.delivery(each + 1, waiting=waiting)
        if but != "open" or each < count - 1:
            talk.pub(reply, "+ACK")
    if status:
        talk.pub(NEXT, '{"batch":1,"expires":9000000000}', "_INBOX.a.x")
        talk.status("_INBOX.a.x", status)
    if but == "unsub":
        talk.line(CLIENT, "UNSUB 1")
    talk.beat(seconds)
    if but.startswith("stored"):
        talk.pub(but.removeprefix("stored "), "x", "_INBOX.a.more")
        talk.msg("_INBOX.a.more", STORED)
    return talk.end()


def acked_while(
    answer: Callable[[Program, int], None] | None, *, word: str = "+ACK", retries: bool = False,
    open_: int = 1, count: int = 1,
) -> Program:  # fmt: skip
    """A message, what the client publishes meanwhile with its answer, and the ack."""
    talk = Program()
    talk.line(CLIENT, "SUB orders 1")
    for number in range(count):
        replies = [talk.delivery(number * open_ + each + 1) for each in range(open_)]
        if answer:
            answer(talk, number)
        if retries:
            talk.pub("orders", "x", "_INBOX.a.again")
            talk.msg("_INBOX.a.again", STORED)
        for reply in replies:
            talk.pub(reply, word)
    return talk.end()


def conflict(talk: Program, number: int) -> None:
    """A publish that another client was faster than."""
    talk.pub("orders", "x", f"_INBOX.a.{number}")
    talk.msg(f"_INBOX.a.{number}", SECOND_WRITER)


def stored(talk: Program, number: int) -> None:
    """A publish that is stored."""
    talk.pub("orders", "x", f"_INBOX.a.{number}")
    talk.msg(f"_INBOX.a.{number}", STORED)


def pushed(*waits: int, together: bool = True, order: Iterable[int] = ()) -> Program:
    """Messages that come together, or each after the ack of the one before, and are acked."""
    talk = Program()
    talk.line(CLIENT, "SUB orders 1")
    replies = [talk.delivery(each + 1) for each in range(len(waits))] if together else []
    for each, wait in zip(tuple(order) or range(len(waits)), waits, strict=True):
        reply = replies[each] if together else talk.delivery(each + 1)
        talk.pub(reply, "+ACK", wait=wait)
    return talk.end()


def taken(
    acks: int, silent: int, *, seconds: int = 6, wait: int = 5 * MS, beats: bool = False
) -> Program:
    """Messages of which the first ones are acknowledged."""
    talk = Program()
    talk.line(CLIENT, "SUB orders 1")
    for each in range(acks + silent):
        reply = talk.delivery(each + 1)
        if each < acks:
            talk.pub(reply, "+ACK", wait=wait)
    if beats:
        talk.beat(seconds)
    else:
        talk.pause(seconds * SECOND)
    return talk.end()


def nested(*waits: int, late: int = MS, acks: bool = False, polls: bool = False) -> Program:
    """A handler that asks another service, and the times after which it goes on."""
    talk = Program()
    talk.line(CLIENT, "SUB svc 1")
    talk.line(CLIENT, "SUB _INBOX.a.* 2")
    for each, wait in enumerate(waits):
        if acks:
            reply = talk.delivery(each + 1)
        else:
            reply = f"_INBOX.c.{each}"
            talk.msg("svc", "q", reply)
        talk.pub("rates", "x", f"_INBOX.a.{each}")
        talk.pause(late - MS)
        talk.msg(f"_INBOX.a.{each}", "r", sid=2)
        talk.pub("rates" if polls else reply, "-NAK" if acks else "timeout", wait=wait - late)
    return talk.end()


def shifted(count: int, *, next_: int = SECOND, wait: int = MS, first: bool = False) -> Program:
    """Requests whose replies come with the next request, or soon."""
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    talk.msg("svc", "q", "_INBOX.c.0")
    for each in range(1, count + 1):
        if first:
            talk.pub(f"_INBOX.c.{each - 1}", "a", wait=wait)
        talk.pause(next_)
        talk.msg("svc", "q", f"_INBOX.c.{each}")
        if not first:
            talk.pub(f"_INBOX.c.{each - 1}", "a", wait=wait)
    talk.beat()
    return talk.end()


def asked_by(
    *, ends: bool, wait: int = SECOND, back: bool = False, inbox: str = "_INBOX.c"
) -> Program:
    """A client that asks and perhaps ends its connection, and the replies of the service."""
    talk = Program("svc")
    talk.line(CLIENT, "SUB svc 1")
    link = talk.add("client")
    talk.line(CLIENT, f"SUB {inbox}.* 1")
    for each in range(2):
        talk.on(link)
        talk.pub("svc", "q", f"{inbox}.{each}")
        talk.on(0)
        talk.msg("svc", "q", f"{inbox}.{each}")
    talk.on(link)
    if ends:
        talk.end()
    if back:
        talk.add("client")
        talk.line(CLIENT, f"SUB {inbox}.* 1")
    talk.on(0)
    for each in range(2):
        talk.pub(f"{inbox}.{each}", "a", wait=wait)
    return talk.end()


def fed(
    before: int, after: int, *, wait: int = 100 * MS, back: bool = False, limit: str = ""
) -> Program:
    """A feed to an inbox, which its client unsubscribes."""
    talk = Program("feed")
    link = talk.add("client")
    talk.line(CLIENT, "SUB _INBOX.c.1 1")
    if limit:
        talk.line(CLIENT, f"UNSUB 1 {limit}")
    for each in range(before):
        talk.on(0)
        talk.pub("_INBOX.c.1", f"i{each}", wait=wait)
        talk.on(link)
        talk.msg("_INBOX.c.1", f"i{each}")
    if not limit:
        talk.line(CLIENT, "UNSUB 1")
    if back:
        talk.line(CLIENT, "SUB _INBOX.c.1 2")
    talk.on(0)
    for each in range(after):
        talk.pub("_INBOX.c.1", f"j{each}", wait=wait)
    return talk.end()


EVEN, SLOW = [500 * MS] * 5, [10 * MS] * 5

CASES: list[tuple[str, Talks]] = [
    ("B160", lambda: (pinged(reply=True), pinged(reply=True, wait=500 * MS))),
    ("B160", lambda: (pinged(reply=False), pinged(reply=False, wait=500 * MS))),
    ("B160", lambda: (pinged(reply=False, own=30, before=False),
        pinged(reply=False, own=30, wait=600 * MS))),
    ("B161", lambda: (served(5, 4),
        served(5, 2), served(2, 4), served(5, 4, seconds=0), served(5, 4, but="unsub"),
        served(5, 4, longest=SECOND), served(5, 0), served(5, 4, but="first open"))),
    ("B161", lambda: (served(3, 3, seconds=2),)),
    ("B346", lambda: (served(5, 5),
        served(5, 4), served(5, 5, seconds=4), served(2, 9), served(5, 9, but="unsub"),
        served(5, 9, beside=True))),
    ("B346", lambda: (served(40, 40, seconds=30),)),
    ("B161b", lambda: (served(3, 3, other="mail"),
        served(2, 3, other="mail"), served(3, 2, other="mail"), served(3, 3),
        served(3, 3, other="mail", seconds=0))),
    ("B161b", lambda: (served(9, 9, other="mail", seconds=2),)),
    ("B162", lambda: (queued(EVEN),
        queued(SLOW), queued(EVEN, apart=SECOND), queued([500 * MS, MS, MS, MS, MS]),
        queued(EVEN[:2]), at_once(20, 150 * MS, 100 * MS))),
    ("B162", lambda: (queued([60 * MS, 50 * MS, 80 * MS, 60 * MS, 70 * MS], rounds=3),)),
    ("B163", lambda: (lagging(60),
        lagging(60, answers=1), lagging(30), lagging(60, wait=5 * MS))),
    ("B163", lambda: (lagging(60, answers=3, wait=60 * MS),)),
    ("B164", lambda: (ends_at("{", "{"),
        ends_at("{", "["), ends_at("{"), ends_at("{", "{", side=SERVER),
        ends_at("{", "{", others=0), ends_at("{", "{", sends=True),
        ends_at("tick", "tick", other="tick"))),
    ("B164", lambda: (ends_at("bad", "bad", "bad", reply=True),)),
    ("B165", lambda: (pulled(8),
        pulled(4), pulled(8, waiting=0), pulled(8, seconds=1), pulled(8, but="unsub"),
        pulled(8, every_=SECOND))),
    ("B165", lambda: (pulled(8, status="409 Leadership Change"),)),
    ("B165", lambda: (pulled(8, waiting=0, status="408 Request Timeout", but="stored orders"),
        pulled(8, waiting=0, status="408 Request Timeout", but="stored bills"),
        pulled(8, waiting=0, seconds=1, but="stored orders"))),
    ("B165", lambda: (pulled(8, but="open"),)),
    ("B347", lambda: (pulled(8, seconds=11, but="stored orders"),
        pulled(8, seconds=11), pulled(8, seconds=9, but="stored orders"),
        pulled(8, waiting=0, seconds=11, but="stored bills"))),
    ("B347", lambda: (pulled(8, waiting=0, seconds=30, but="stored orders",
                             status="408 Request Timeout"),)),
    ("B166", lambda: (acked_while(refused),
        acked_while(stored), acked_while(conflict), acked_while(refused, word="-NAK"),
        acked_while(refused, retries=True), acked_while(refused, open_=2), acked_while(None))),
    ("B166", lambda: (acked_while(unheard, word="", count=3),)),
    ("B167", lambda: (ends_after(ping),
        ends_after(ping, 2), ends_after(ping, side=SERVER), ends_after(ping, goes_on=True),
        ends_after(answered), ends_after(stored))),
    ("B167", lambda: (ends_after(expired),)),
    ("B167", lambda: (ends_after(refused),)),
    ("B167", lambda: (ends_after(info, 5),)),
    ("B167", lambda: (ends_after(unheard, 4),)),
    ("B168", lambda: (pushed(MS, MS, MS, 5 * SECOND, MS, MS, MS, MS),
        pushed(MS, MS, MS, 500 * MS, MS, MS, MS, MS), pushed(MS, MS, MS, MS, MS, MS, 5 * SECOND),
        pushed(*[SECOND] * 8), pushed(MS, MS, MS, 5 * SECOND, MS, MS, MS, together=False))),
    ("B168", lambda: (pushed(*[90 * MS] * 5, 9 * SECOND, *[90 * MS] * 4),)),
    ("B169", lambda: (taken(5, 4),
        taken(5, 2), taken(2, 4), taken(0, 4), taken(5, 4, seconds=0), taken(5, 4, wait=SECOND))),
    ("B169", lambda: (taken(3, 9, seconds=2, beats=True),)),
    ("B170", lambda: (nested(*[2 * SECOND] * 3),
        nested(*[2 * SECOND] * 2), nested(2 * SECOND, SECOND, 3 * SECOND), nested(*[9 * MS] * 4),
        nested(*[2 * SECOND] * 3, late=1990 * MS), nested(*[2 * SECOND] * 5, polls=True))),
    ("B170", lambda: (nested(*[5 * SECOND] * 4, acks=True),)),
    ("B171", lambda: (shifted(4),
        shifted(2), shifted(4, wait=50 * MS), shifted(4, first=True), shifted(4, next_=10 * MS))),
    ("B171", lambda: (shifted(9, next_=200 * MS, wait=3 * MS),)),
    ("B172", lambda: (asked_by(ends=True),
        asked_by(ends=False), asked_by(ends=True, back=True))),
    ("B172", lambda: (asked_by(ends=True, wait=9 * SECOND, inbox="_INBOX.abc"),)),
    ("B173", lambda: (fed(3, 5),
        fed(3, 3), fed(3, 9, wait=5 * MS), fed(3, 5, back=True), fed(0, 5))),
    ("B173", lambda: (fed(2, 9, limit="2"),)),
]  # fmt: skip
"""Rule, the failure, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_failure_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The failure is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in PROGRAM_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
