"""Rules for what clients leave: each names its fault, and leaves alone what looks like it."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    ALIVE,
    CLIENT,
    SEGMENT,
    SERVER,
    Talk,
    Talks,
    another,
    append,
    framed,
    names_the_fault_alone,
    numbers,
    ready,
    set_up,
    stored,
    text,
    writing,
)
from tests.protocols.pravega.traffic import WRITER

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.leftover_rules import LEFTOVER_RULES


def crowd(count: int, *, requests: int = 1, later: int = 2, apart: int = 0) -> Talk:
    """Connections that are opened one after another, and all closed at the end."""
    talk, opened = Talk(), []
    for each in range(count):
        if each:
            talk.again()
        for number in range(requests):
            body = numbers(number) + SEGMENT
            talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), 0)
            talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body + bytes(3) + numbers(0, 1, 0)))
        opened.append((talk.connection, talk.flow, talk.offsets))
    talk.now += later * 1_000_000_000
    for talk.connection, talk.flow, talk.offsets in opened:
        talk.event("close", CLIENT, apart).event("close", SERVER)
        for row in talk.connection.finish():
            talk.engine.see(row)
    return talk


def owes(
    *then: bytes, acked: int = 1, wait: int = 6, block: bool = False, answered: bool = False
) -> Talk:
    """A writer that has sent two events when its connection ends, and is set up again."""
    talk = writing().say(CLIENT, append(1)).say(SERVER, stored(1))
    if block:
        talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + b"event"))
    else:
        talk.say(CLIENT, append(2))
    if answered:
        talk.say(SERVER, stored(2))
    another(talk).say(CLIENT, set_up()).say(SERVER, ready(acked))
    for each in then:
        talk.say(CLIENT, each)
    return another(talk.say(CLIENT, ALIVE, wait))


CASES: list[tuple[str, Talks]] = [
    ("B220", lambda: (crowd(12),
        crowd(11), crowd(20, requests=2), crowd(20, apart=2))),
    ("B221", lambda: (owes(),
        owes(append(2)), owes(acked=2), owes(wait=2), owes(answered=True))),
    ("B221", lambda: (owes(block=True), owes(append(2), block=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in LEFTOVER_RULES} == {f"PRV-{rule}" for rule, _ in CASES}
