"""Connections, handlers and reads that come to a stop while others go on."""

from tests.failures import every
from tests.protocols.nats.clients import Talks, names_the_fault_alone
from tests.protocols.nats.test_program_rules import Program
from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, SERVER

from streamshark.protocols.nats.liveness_rules import LIVENESS_RULES


def heard(  # noqa: PLR0913
    before: int, after: int, *, own: str = "SUB news.> 1", other: str = "SUB news.> 1",
    pong: bool = False, left: str = "", user: str = "", apart: int = SECOND
) -> Program:  # fmt: skip
    """Two subscribers of a subject; the first one gets nothing any more from some message on."""
    talk = Program("hall")
    talk.line(CLIENT, own)
    if user:
        talk.connect(connect=CLIENT_CONNECT.replace(b'"go"', f'"go","user":"{user}"'.encode()))
        talk.links.append((talk.connection, talk.offsets, talk.flow))
    else:
        talk.add("office")
    talk.line(CLIENT, other)
    for number in range(before + after):
        for link in (0, 1):
            talk.on(link)
            if link or number < before:
                talk.msg("news.x", f"message {number}", sid=1)
        talk.pause(apart)
    talk.on(0)
    if left:
        talk.line(CLIENT, left)
    if pong:
        talk.line(SERVER, "PONG")
    return talk.end()


def reacts(  # noqa: PLR0913
    reacted: int, still: int, *, apart: int = SECOND, reply: str = "", missed: int = 0,
    subject: str = "pump.data", more: bool = False,
) -> Program:  # fmt: skip
    """Messages after each of which the client publishes, but for `missed`, and then after none."""
    talk = Program()
    talk.line(CLIENT, f"SUB {subject} 1")
    for number in range(reacted):
        talk.msg(subject, f"{number} bar", reply)
        if number != missed or not missed:
            talk.pub("pump.state", f"state {number}")
    for number in range(still):
        talk.pause(apart)
        talk.msg(subject, f"{number} bar of {still}", reply)
        if more and number == still - 1:
            talk.pub("pump.state", "back")
            talk.msg(subject, "more")
    return talk.end()


def cut(
    *, wait: int = 4 * SECOND, size: int = 9000, came: int = 5000, side: int = CLIENT
) -> Program:
    """A message that has not come to its end when the connection does."""
    talk = Program()
    talk.line(CLIENT, "SUB d 2")
    talk.msg("d", "whole", sid=2)
    talk.now += MS
    talk.say(SERVER, f"MSG d 2 {size}\r\n".encode() + b"x" * came + b"\n", after=MS)
    talk.pause(wait)
    return talk.end(side)


CASES: list[tuple[str, Talks]] = [
    ("B339", lambda: (heard(6, 14),
        heard(6, 6), heard(3, 14), heard(6, 14, own="SUB news.> q 1"),
        heard(6, 14, other="SUB news.x 1"), heard(6, 14, left="UNSUB 1"),
        heard(6, 14, pong=True), heard(6, 14, user="app"), heard(20, 0))),
    ("B339", lambda: (heard(5, 5, apart=9 * SECOND),)),
    ("B340", lambda: (reacts(11, 21),
        reacts(11, 20), reacts(9, 30), reacts(11, 25, apart=100 * MS), reacts(40, 0),
        reacts(15, 25, reply="_INBOX.q"), reacts(15, 25, missed=6), reacts(15, 25, more=True),
        reacts(15, 25, subject="_INBOX.a.1"))),
    ("B340", lambda: (reacts(90, 40, apart=300 * MS), reacts(0, 60))),
    ("B341", lambda: (cut(),
        cut(wait=SECOND), cut(size=2000, came=900), cut(side=SERVER))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in LIVENESS_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}


def test_a_request_whose_reply_may_be_in_a_cut_message_has_none() -> None:
    """N14b leaves it alone: what the client asked for came with, or after, that message."""
    for came, expected in ((5000, False), (0, True)):
        talk = Program()
        talk.line(CLIENT, "SUB _INBOX.a.* 1")
        talk.pub("svc", "q", "_INBOX.a.1")
        if came:
            talk.say(SERVER, b"MSG _INBOX.a.1 1 9000\r\n" + b"x" * came + b"\n", after=MS)
        assert bool(talk.end().found("NATS-N14b")) == expected
