"""Rules for answers and items, and for what the next connection asks for; and near misses."""

from tests.failures import every
from tests.protocols.rsocket.script import (
    CHANNEL,
    CLIENT,
    DONE,
    ERROR,
    METADATA,
    MS,
    NEXT,
    PAYLOAD,
    REJECTED,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    Scripts,
    names_the_fault_alone,
    number,
)
from tests.protocols.rsocket.traffic import framed, setup

from streamshark.protocols.rsocket.findings.answers import ANSWERS

ASKS = '{"id": %s}'


def answered(
    *given: int, at_once: int = 3, form: str = ASKS, answer: str = ASKS, wait: int = MS
) -> Script:
    """Questions for 0, 1, 2 and so on, some at a time, and answers with these numbers."""
    talk = Script()
    talk.say(CLIENT, setup())
    for begin in range(0, len(given), at_once):
        group = range(begin, min(begin + at_once, len(given)))
        for each in group:
            asked = (form % each).encode()
            talk.say(CLIENT, framed(2 * each + 1, RESPONSE, 0, asked), wait)
        for each in group:
            told = (answer % given[each]).encode()
            talk.say(SERVER, framed(2 * each + 1, PAYLOAD, DONE, told))
    return talk


def come(*times: int, items: int = 5, model: int = STREAM, alike: bool = True) -> Script:
    """A stream on one connection after the other, whose items each come so many times."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    for session, each in enumerate(times):
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup())
        asked = b"board" if alike else b"board %d" % session
        talk.say(CLIENT, framed(1, model, 0, number(999) + asked))
        for item in range(items):
            for _ in range(each):
                data = b"departure number %d of today" % item
                talk.say(SERVER, framed(1, PAYLOAD, NEXT, data))
        talk.another()
    return talk


def reconnected(
    *wanted: str, before: tuple[str, ...] = ("news 0", "rain 0", "wind 0"), lasts: int = 3 * SECOND,
    closes: bool = False, model: int = STREAM, route: bytes = b"",
) -> Script:  # fmt: skip
    """A connection with open streams that is lost, and what is requested on the next one."""
    talk = Script()
    for session, names in enumerate((before, wanted)):
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup())
        for at, name in enumerate(names):
            stream, data = 2 * at + 1, name.encode()
            if route:
                tag = route + name.encode()
                body = number(9) + len(tag).to_bytes(3, "big") + tag
                talk.say(CLIENT, framed(stream, model, METADATA, body))
            else:
                talk.say(CLIENT, framed(stream, model, 0, number(9) + data))
            talk.say(SERVER, framed(stream, PAYLOAD, NEXT, b"first"))
        if session:
            talk.say(CLIENT, framed(99, RESPONSE, 0, b"how is it"), lasts)
            return talk
        for side in (CLIENT, SERVER) if closes else (SERVER, CLIENT):
            talk.event(side, "close")
        for row in talk.connection.finish():
            talk.engine.see(row)
        talk.connect()
    return talk


def denied(
    count: int, text: bytes = b"token has expired", *, served: int = 3, between: int = 0
) -> Script:
    """Requests that are answered, and then refused alike."""
    talk = Script()
    talk.say(CLIENT, setup())
    plan = [True] * served + [False] * count
    if between:
        plan[served + between : served + between] = [True]
    for at, accepted in enumerate(plan):
        talk.say(CLIENT, framed(2 * at + 1, RESPONSE, 0, b"q %d" % at), SECOND)
        end = (PAYLOAD, DONE, b"a") if accepted else (ERROR, 0, number(REJECTED) + text)
        talk.say(SERVER, framed(2 * at + 1, *end))
    return talk


CASES: list[tuple[str, Scripts]] = [
    ("B200", lambda: (answered(2, 2, 2, 5, 5, 5),
        answered(0, 1, 2, 3, 4, 5),
        answered(2, 2, 2),  # too few
        answered(2, 2, 2, 5, 5, 5, wait=3 * SECOND),
        answered(1, 2, 3, 4, 5, 6, 7, 8),  # the next one, each time
        answered(70, 71, 72, 73, 74, 75),
        answered(2, 2, 2, 5, 5, 5, form="account %s", answer="account %s"),
        answered(2, 2, 2, 5, 5, 5, answer='{"previous": %s}'),
    )),
    ("B200", lambda: (answered(3, 3, 3, 3, 7, 7, 7, 7, at_once=4, form='{"a": 1, "order": "o%s"}',
                               answer='{"order": "o%s", "state": "new"}'),)),
    ("B201", lambda: (come(1, 2), come(1, 1), come(2, 2), come(2, 1), come(1, 2, items=3),
        come(1, 2, alike=False))),
    ("B201", lambda: (come(2, 3, model=CHANNEL),)),
    ("B202", lambda: (reconnected("news 7", "wind 8"),
        reconnected("news 7", "rain 9", "wind 8"),
        reconnected(),
        reconnected("tide 0"),
        reconnected("news 7", "wind 8", lasts=SECOND),
        reconnected("news 7", "wind 8", closes=True),
    )),
    ("B202", lambda: (reconnected("b", route=b"\\1", before=("a", "b"), model=CHANNEL),
        reconnected("b", "a", route=b"\\1", before=("a", "b"), model=CHANNEL))),
    ("B203", lambda: (denied(6), denied(5), denied(9, b"the queue is full"), denied(9, served=0),
        denied(9, between=4))),
    ("B203", lambda: (denied(8, b"Access Denied", served=1),)),
]  # fmt: skip
"""Rule, a fault that it names, and near misses."""


@every(("at", "rule", "talks"), [(at, *each) for at, each in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: Scripts) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RSK-{rule}" for rule, *_ in CASES} == {each.id for each in ANSWERS}
