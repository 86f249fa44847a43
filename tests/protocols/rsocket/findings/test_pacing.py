"""Rules for when items and KEEPALIVEs come, and for failed connections: faults, and near misses."""

from tests.failures import every
from tests.protocols.rsocket.script import (
    CLIENT,
    DONE,
    ERROR,
    FAILED,
    KEEPALIVE,
    MS,
    NEXT,
    PAYLOAD,
    REQUEST_N,
    RESPOND,
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

from streamshark.protocols.rsocket.findings.pacing import PACING

BEAT, ANSWER = framed(0, KEEPALIVE, RESPOND, bytes(8)), framed(0, KEEPALIVE, 0, bytes(8))
ITEM = framed(1, PAYLOAD, NEXT, b"a")
ALL = 0x7FFFFFFF


def begin() -> Script:
    """A connection of which everything is captured; the keepalive interval is 30 s."""
    talk = Script()
    talk.connection.flow.handshake_ns = (1, 1)
    talk.event(SERVER, "open")
    talk.say(CLIENT, setup())
    return talk


def full(
    seconds: float,
    *,
    demand: int = ALL,
    windows: int = 3,
    beat: bool = True,
    answered: bool = False,
) -> Script:
    """A stream whose requester has no room, and a KEEPALIVE that waits."""
    talk = begin()
    talk.say(CLIENT, framed(1, STREAM, 0, number(demand) + b"samples"))
    if beat:
        talk.say(CLIENT, BEAT)
    if answered:
        talk.say(SERVER, ANSWER)
    for packet in range(windows):
        talk.connection.flow.trouble[CLIENT].see_zero_window((0, 0, packet))
    talk.say(SERVER, ITEM)
    talk.say(SERVER, ITEM, int(seconds * SECOND))
    talk.close()
    return talk


def batches(
    count: int,
    *,
    n: int = 10,
    wait: int = 2 * SECOND,
    pace: int = MS,
    first: int = 0,
    early: bool = False,
) -> Script:
    """Demands that are met at once, after some time; the next one is requested early, or after."""
    talk = begin()
    talk.say(CLIENT, framed(1, STREAM, 0, number(n) + b"levels"))
    for _ in range(count):
        for at in range(n):
            talk.say(SERVER, ITEM, pace if at else wait)
            if early and at == n // 2:
                talk.say(CLIENT, framed(1, REQUEST_N, 0, number(n)))
        if not early:
            talk.say(CLIENT, framed(1, REQUEST_N, 0, number(n)))
    for _ in range(first):
        talk.say(SERVER, ITEM, wait // n)
    talk.close()
    return talk


def beats(count: int, *, after: int = 50 * MS, by: int = SERVER, respond: bool = True) -> Script:
    """KEEPALIVEs of the client each half a minute, and another one after each."""
    talk = begin()
    for _ in range(count):
        talk.say(CLIENT, BEAT, 30 * SECOND - after)
        talk.say(SERVER, ANSWER)
        talk.say(by, framed(0, KEEPALIVE, RESPOND if respond else 0, bytes(8)), after)
        talk.say(1 - by, ANSWER)
    talk.close()
    return talk


def tries(
    count: int, *, closes: bool = False, again: bool = False, fails: bool = True, what: str = "%d"
) -> Script:
    """Connections, each with a request that fails, which stay open, or are closed."""
    talk = Script()
    open_ones = []
    for at in range(count):
        if at:
            talk.connect()
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup(), SECOND)
        talk.say(CLIENT, framed(1, RESPONSE, 0, what.replace("%d", str(at)).encode()))
        code = number(FAILED) + b"token expired"
        talk.say(SERVER, framed(1, ERROR, 0, code) if fails else framed(1, PAYLOAD, DONE, b"a"))
        if again:
            talk.say(CLIENT, framed(3, RESPONSE, 0, b"changes"))
            talk.say(SERVER, framed(3, PAYLOAD, DONE, b"a"))
        if closes:
            talk.event(CLIENT, "close")
        open_ones.append(talk.connection)
    for each in open_ones[:-1]:
        for row in each.finish():
            talk.engine.see(row)
    return talk


CASES: list[tuple[str, Scripts]] = [
    ("B246", lambda: (full(4), full(2), full(4, demand=64), full(4, windows=2),
        full(4, beat=False), full(4, answered=True),
    )),
    ("B247", lambda: (tries(8), tries(6), tries(9, closes=True), tries(9, again=True),
        tries(9, fails=False),
    )),
    ("B250", lambda: (tries(8, fails=False), tries(6, fails=False),
        tries(9, closes=True, fails=False), tries(9, again=True, fails=False), tries(9),
        tries(19, fails=False, what="of all"),
    )),
    ("B248", lambda: (batches(3), batches(2), batches(4, n=3), batches(4, wait=SECOND // 2),
        batches(4, pace=100 * MS), batches(4, early=True),
    )),
    ("B248", lambda: (batches(3, wait=4 * SECOND, pace=30 * MS),)),
    ("B249", lambda: (beats(5), beats(4), beats(6, after=10 * SECOND), beats(6, by=CLIENT),
        beats(6, respond=False),
    )),
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
    assert {f"RSK-{rule}" for rule, _ in CASES} == {each.id for each in PACING}
