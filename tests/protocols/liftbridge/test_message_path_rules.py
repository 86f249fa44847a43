"""Rules for messages on their way: each in two forms, and near misses."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.liftbridge.clients import AT_TIME, Script
from tests.protocols.liftbridge.traffic import (
    CALLS,
    CLIENT,
    Talk,
    call,
    envelope,
    framed,
    member,
    members,
    said,
)

from streamshark.protocols.liftbridge.message_path_rules import MESSAGE_PATH_RULES

LATEST, NEW_ONLY = 3, 0
BOX = "ns.ack.in"
"""An inbox that a server generates."""


def long(id: str) -> bytes:  # noqa: A002
    """Return a correlation id as clients generate it."""
    return id.rjust(16, "k").encode()


def message(
    value: bytes = b"v",
    id: str = "",  # noqa: A002
    inbox: str = BOX,
    policy: int = 0,
    stream: str = "",
) -> bytes:
    """PUBLISH."""
    body = member(3, value) + (member(5, stream) if stream else b"") + member(10, inbox)
    return envelope(0, body + (member(11, long(id)) if id else b"") + member(12, policy))


def ack(offset: int = 0, id: str = "", **other: str | int) -> bytes:  # noqa: A002
    """ACK: `subject`, `inbox`, `stream`, `policy` and `error` have defaults."""
    has = {"stream": "s", "subject": "a", "inbox": BOX, "policy": 0, "error": 0, "time": 5}
    has |= other
    body = members(_1=has["stream"], _2="a", _3=has["subject"], _4=offset, _5=has["inbox"])
    body += member(6, long(id)) if id else b""
    body += members(_7=has["policy"], _8=has["time"], _10=has["error"])
    return envelope(1, body)


def heard(*inboxes: str) -> Talk:
    """A connection that subscribes to inboxes."""
    talk = Talk()
    for each in inboxes:
        talk.say(0, CLIENT, framed(2, said(each)))
    return talk


def lane(*steps: str, error: int = 0, subject: str = "a", listens: bool = True) -> Talk:
    """Messages (`1`) to a subject by one connection, and acks (`-1`) with their number as id."""
    talk = heard(BOX) if listens else Talk()
    for each in steps:
        if each.startswith("-"):
            talk.msg(0, BOX, ack(int(each[1:]), each[1:], error=error, subject=subject))
        else:
            talk.pub(0, subject if each != "2" else "a", message(b"v" + each.encode(), each))
    return talk


def inboxes(*steps: str) -> Talk:
    """The same with an inbox for each message, and no ids."""
    talk = heard(*steps)
    for each in steps:
        if each.startswith("-"):
            talk.msg(0, each[1:], ack(inbox=each[1:]))
        else:
            talk.pub(0, "a", message(b"value", inbox=each))
    return talk


def posted(*steps: str, partitions: int = 1, error: bool = False) -> Script:
    """Messages of one call of PublishAsync, and answers to them."""
    talk = Script()
    for each in steps:
        id_ = each.lstrip("-")
        if each.startswith("-"):
            kept = member(1, "s") + member(6, id_)
            failed = member(2, members(_1=1, _2="no")) + member(3, id_)
            talk.stream = 1
            answer = failed if error and id_ == "1" else member(1, kept) + member(3, id_)
            talk.answer("PublishAsync", answer)
        else:
            body = member(2, b"v") + member(3, "s") + member(4, int(id_) % partitions)
            body += member(7, id_)
            talk.say(0, CLIENT, call("PublishAsync", body, 1), 0.01, CALLS)
    return talk


def stored(*acks: bytes, sent: bytes = b"", subject: str = "a") -> Talk:
    """A message, and acks for it that a server publishes."""
    talk = Talk().pub(0, subject, sent or message())
    for each in acks:
        talk.pub(1, BOX, each)
    return talk


def told(offset: int, *, id: str = "7", error: int = 0, method: str = "Publish") -> Script:  # noqa: A002
    """A call of Publish, its message and ack on NATS with offset 3, and its answer."""
    talk = Script()
    asked = member(2, b"v") + member(3, "s") + member(7, long("7"))
    talk.ask(method, asked if method == "Publish" else member(2, b"v") + member(3, "a"))
    talk.pub(5, "a", message(id="7", stream="s")).pub(6, BOX, ack(3, "7"))
    body = members(_1="s", _2="a", _3="a", _4=offset, _5=BOX, _6=long(id), _10=error)
    talk.answer(method, member(1, body))
    return talk


def delivered(value: bytes = b"v", offset: int = 3, *, again: bytes = b"", time: int = 5) -> Script:
    """A message with ack at offset 3, and one that a subscription delivers."""
    talk = Script()
    talk.pub(5, "a", message(id="7")).pub(6, BOX, ack(3, "7"))
    if again:
        talk.pub(5, "a", message(again, id="8")).pub(6, BOX, ack(3, "8"))
    talk.subscribe()
    body = members(_1=offset, _3=value, _4=time, _5="s", _7="a")
    talk.answer("Subscribe", body)
    return talk


def requested(sent: bytes, *, twice: bool = False, id: str = "7") -> Script:  # noqa: A002
    """A call of PublishAsync with value v for s, and what the server publishes."""
    talk = Script()
    for _ in range(1 + twice):
        talk.publish(method="PublishAsync", correlation=long(id).decode())
    talk.pub(5, "a", sent)
    return talk


def read(*bodies: bytes, position: int = 2, more: bytes = b"", first: bool = True) -> Script:
    """A subscription whose messages these are; offsets 0 to 2 were acknowledged before."""
    talk = Script()
    for each in range(3):
        talk.pub(5, "a", message(b"%d" % each, id=f"k{each}"))
        talk.pub(6, BOX, ack(each, f"k{each}", time=100 + each))
    talk.ask("Subscribe", member(1, "s") + member(3, position) + more)
    if first:
        talk.answer("Subscribe")
    for each in bodies:
        talk.answer("Subscribe", each)
    return talk


def at(offset: int, time: int = 0) -> bytes:
    """A message of s."""
    return members(_1=offset, _3=b"%d" % offset, _4=time or 100 + offset, _5="s", _7="a")


Forms = Callable[[], tuple[Talk, ...]]
ONE, TWO = ack(id="1"), ack(id="1", offset=4)
SENT, OWN = message(stream="__s"), ack(stream="__s")
CASES: list[tuple[str, Forms]] = [
    ("B220", lambda: (lane("1", "2", "-2"), lane("1", "2", "-1", "-2"), lane("1", "1", "2", "-2"),
        lane("1", "2", "3", "-1", "-2", "-3"), lane("1", "2", "-2", error=2),
        lane("1", "2", "-2", subject="b"), lane("1", "2", "-2", listens=False))),
    ("B220", lambda: (inboxes("i", "k", "l", "-i", "-l"), inboxes("i", "k", "-i", "-k"))),
    ("B220b", lambda: (posted("1", "2", "-2"), posted("1", "2", "-1", "-2"),
        posted("1", "2", "-2", partitions=2), posted("1", "2", "3", "-1", "-3", "-2",
        error=True))),
    ("B220b", lambda: (posted("1", "2", "3", "-1", "-3", "-2"), posted("2", "2", "3", "-3"))),
    ("B221", lambda: (lane("1", "-1", "2").wait(1).close(0),
        lane("1", "-1").wait(1).close(0), lane("1", "2").wait(1).close(0),
        lane("1", "-1", "2").close(0),
        lane("1", "-1", "2", listens=False).wait(1).close(0))),
    ("B221", lambda: (inboxes("i", "-i", "k", "l").wait(3).close(0),)),
    ("B222", lambda: (read(at(0), b""), read(at(0), at(1)), read())),
    ("B222", lambda: (read(b"", at(0)),)),
    ("B222b", lambda: (read(at(0), first=False), read(at(0)), read(b"", first=False))),
    ("B222b", lambda: (read(at(2), at(3), position=LATEST, first=False),)),
    ("B223", lambda: (lane("1", "1"), lane("1", "-1", "1"), lane("1", "3"))),
    ("B223", lambda: (inboxes("i", "i", "-i"), inboxes("i", "k"))),
    ("B224", lambda: (inboxes("i", "-i", "-k"), inboxes("i", "-i"), inboxes("-k"))),
    ("B224", lambda: (inboxes("i", "k", "-l", "-k"),)),
    ("B225", lambda: (stored(ONE, TWO, sent=message(id="1")),
        stored(ONE, ONE, sent=message(id="1")),
        stored(ONE, ack(id="1", offset=4, error=2), sent=message(id="1")),
        stored(ONE, ack(id="1", offset=4, stream="t"), sent=message(id="1")),
        stored(ONE, TWO).pub(0, "a", message()))),
    ("B225", lambda: (stored(OWN, ack(9, stream="__s"), sent=SENT),
        stored(OWN, OWN, sent=SENT), stored(ack(), ack(9)))),
    ("B225b", lambda: (told(4), told(3), told(4, error=2), told(4, id="8"))),
    ("B225b", lambda: (told(0, method="PublishToSubject"),)),
    ("B226", lambda: (delivered(b"w"), delivered(), delivered(b"w", time=6),
        delivered(b"w", again=b"x"))),
    ("B226", lambda: (delivered(offset=4),)),
    ("B227", lambda: (requested(message(b"w", "7", stream="s")),
        requested(message(b"v", "7", stream="s")), requested(message(b"w", "8", stream="s")),
        requested(message(b"w", "7", stream="s"), twice=True))),
    ("B227", lambda: (requested(message(b"v", "7", stream="t")),)),
    ("B227", lambda: (requested(message(b"v", "7", policy=1, stream="s")),)),
    ("B228", lambda: (read(at(2), position=NEW_ONLY), read(at(3), position=NEW_ONLY),
        read(at(2)), read(at(2), position=NEW_ONLY, more=member(11, members(_1="g", _3="c"))))),
    ("B228", lambda: (read(at(0), at(1), position=NEW_ONLY),)),
    ("B228b", lambda: (read(at(1), at(2), position=LATEST), read(at(2), at(3), position=LATEST),
        read(at(0), at(1)), read(at(1), at(2), position=LATEST, more=member(6, 1)))),
    ("B228b", lambda: (read(at(0), at(1), at(2), position=LATEST),)),
    ("B228c", lambda: (read(at(0, 4), position=AT_TIME, more=member(5, 5)),
        read(at(0, 5), position=AT_TIME, more=member(5, 5)), read(at(0, 4), more=member(5, 5)))),
    ("B228c", lambda: (read(at(1, 9), at(2, 1), position=AT_TIME, more=member(5, 5)),)),
    ("B228d", lambda: (read(at(0, 9), more=members(_8=3, _10=8)),
        read(at(0, 8), more=members(_8=3, _10=8)), read(at(0, 9), more=member(10, 8)))),
    ("B228d", lambda: (read(at(0, 7), at(1, 1 << 60), more=members(_8=3, _10=8)),)),
    ("B232", lambda: (stored(ack(subject="b", stream="__s"), sent=SENT), stored(OWN, sent=SENT),
        stored(ack(subject="b")), stored(ack(subject="b", id="1"), sent=message(id="1")),
        stored(sent=SENT).pub(0, "b", SENT).pub(1, BOX, ack(subject="b", stream="__s")))),
    ("B232", lambda: (stored(ack(subject="a.1", stream="__s"), sent=SENT),)),
    ("B232b", lambda: (stored(ack(policy=1, stream="__s"), sent=SENT),
        stored(ack(policy=1, stream="__s"), sent=message(policy=1, stream="__s")),
        stored(ack(policy=1)))),
    ("B232b", lambda: (stored(OWN, sent=message(policy=1, stream="__s")),)),
    ("B232c", lambda: (stored(ack(stream="t"), sent=SENT), stored(OWN, sent=SENT),
        stored(ack(stream="t"), sent=message(stream="s")))),
    ("B232c", lambda: (stored(ack(stream="__t"), sent=SENT),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "forms"), CASES)
def test_a_fault_and_its_near_misses(rule: str, forms: Forms) -> None:
    """The fault is found, and nothing that looks like it."""
    found = [f"LFB-{rule}" in each.rules() for each in forms()]
    assert found == [True] + [False] * (len(found) - 1)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above, and each has two faults."""
    named = [rule for rule, _ in CASES]
    assert {each.id for each in MESSAGE_PATH_RULES} == {f"LFB-{rule}" for rule in named}
    assert all(named.count(rule) > 1 for rule in named)
