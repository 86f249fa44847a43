"""Rules for requests and replies of NATS: unanswered, late, answered twice, shared inboxes."""

from collections.abc import Iterable

from tests.failures import every
from tests.protocols.nats.clients import NEXT, STORED, Talks, names_the_fault_alone, pulled_to
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, SECOND, Script

from streamshark.protocols.nats.reply_rules import (
    LATE_REPLIES,
    REPLIES,
    SHARED_REPLIES,
    UNSUBSCRIBED_REPLIES,
)


def answered_late(*, ended: bool) -> Script:
    """A reply to an inbox that was given up, or not."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.r 1")
    talk.pub("service", "x", "_INBOX.r")
    if ended:
        talk.line(CLIENT, "UNSUB 1")
    talk.pub("_INBOX.r", "late", wait=SECOND)
    talk.close()
    return talk


def replied(after: int, inbox: str = "_INBOX.a.1", *, status: bool = False) -> Script:
    """A request whose reply comes later."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.> 1")
    talk.pub("service", "x", inbox)
    talk.line(CLIENT, "PING", wait=after)
    if status:
        talk.status(inbox, "503")
    else:
        talk.msg(inbox, "done")
    return talk


def subscribed_late(*, late: bool) -> Script:
    """A reply subject subscribed to before or after its request."""
    talk = Script()
    if not late:
        talk.line(CLIENT, "SUB _INBOX.r 1")
    talk.pub("service", "x", "_INBOX.r")
    if late:
        talk.line(CLIENT, "SUB _INBOX.r 1")
    return talk


def closed_at_work(*, acks: int, inbox: str = "_INBOX.a.*") -> Script:
    """A client that ends its subscription, handles what it had received, and pulls again."""
    talk = Script()
    talk.line(CLIENT, f"SUB {inbox} 1")
    replies = [talk.delivery(each + 1) for each in range(3)]
    talk.line(CLIENT, "UNSUB 1")
    for each in range(2):
        if each < acks:
            talk.pub(replies[each], "+ACK")
        talk.pub(NEXT, '{"batch":1}', "_INBOX.a.1")
    talk.close()
    return talk


def unanswered(count: int, *, answers: bool = False) -> Script:
    """Requests to a service."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub("service", "x", f"_INBOX.a.{each}", SECOND)
        if answers:
            talk.msg(f"_INBOX.a.{each}", "y")
    talk.line(CLIENT, "PING", wait=2 * SECOND)
    talk.close()
    return talk


def answered_by(names: Iterable[str], *, listened: bool = False) -> Script:
    """Three requests, each answered by connections of some names."""
    talk = Script()
    if listened:
        for each in range(3):
            talk.line(CLIENT, f"SUB _INBOX.r.{each} {each + 1}")
    for name in names:
        talk.another()
        talk._see(talk.connection.finish())
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', b'"go","name":"%s"' % name.encode()))
        for each in range(3):
            talk.pub(f"_INBOX.r.{each}", "answer")
    return talk


def sharing(*replies: str, subjects: str = "ab", answers: bool = False) -> Script:
    """Two requests for each reply subject."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.> 1")
    for reply in replies:
        for each in subjects:
            talk.pub(each, "x", f"_INBOX.{reply}")
            if answers:
                talk.msg(f"_INBOX.{reply}", "y")
    return talk


def stored_by(*answers: str) -> Script:
    """A publish, and what comes on its reply subject."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("orders", "x", "_INBOX.a.1")
    for each in answers:
        talk.msg("_INBOX.a.1", each)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B20", lambda: (answered_late(ended=True), answered_late(ended=False))),
    ("B260", lambda: (replied(11 * SECOND), replied(9 * SECOND))),
    ("B260", lambda: (replied(60 * SECOND, "_INBOX.b", status=True),
        replied(9 * SECOND, "_INBOX.b", status=True))),
    ("B21", lambda: (subscribed_late(late=True), subscribed_late(late=False))),
    ("B27", lambda: (pulled_to("_OTHER.a"), pulled_to("_INBOX.a"))),
    ("B27", lambda: (closed_at_work(acks=0),)),
    ("B27b", lambda: (closed_at_work(acks=2), closed_at_work(acks=0))),
    ("B27b", lambda: (closed_at_work(acks=1, inbox="_INBOX.a.1"),
        closed_at_work(acks=1, inbox="_INBOX.b.1"))),
    ("B38", lambda: (answered_by(("", "")),)),
    ("B37", lambda: (unanswered(3), unanswered(2), unanswered(5, answers=True))),
    ("B38", lambda: (answered_by("ss"), answered_by("st"), answered_by("ss", listened=True))),
    ("B125", lambda: (answered_by("st"), answered_by("ss"), answered_by("st", listened=True))),
    ("B125", lambda: (answered_by("sts"),)),
    ("B67", lambda: (stored_by(STORED, STORED.replace("1", "2")),
        stored_by(STORED), stored_by("yes", "no"), stored_by(STORED, "{}"))),
    ("B66", lambda: (sharing("a", "b"),
        sharing("a", "b", answers=True), sharing("a", "b", subjects="aa"))),
    ("B66b", lambda: (sharing("a"), sharing("a", answers=True), sharing("a", subjects="aa"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {
        each.id for each in (*REPLIES, *LATE_REPLIES, *SHARED_REPLIES, *UNSUBSCRIBED_REPLIES)
    } == {f"NATS-{rule}" for rule, *_ in CASES}
