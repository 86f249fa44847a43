"""Notes that are warnings where the capture proves harm: faults, and near misses."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.rsocket.findings.test_exchanges import given_up
from tests.protocols.rsocket.script import (
    CHANNEL,
    CLIENT,
    DONE,
    KEEPALIVE,
    MS,
    NEXT,
    PAYLOAD,
    RESPOND,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    number,
)
from tests.protocols.rsocket.traffic import framed, setup

from streamshark.protocols.rsocket.findings.harm import HARM


def cut(count: int, *, by: int = CLIENT, asks: bool = True, pause: int = MS) -> Script:
    """Connections that end while a stream runs, and a request may wait for its answer."""
    talk = Script()
    for at in range(count):
        if at:
            talk.connect()
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup(), pause)
        talk.say(CLIENT, framed(1, STREAM, 0, number(9) + b"prices"))
        talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"))
        if asks:
            talk.say(CLIENT, framed(3, RESPONSE, 0, b"bulletin"))
        talk.now += 300 * MS
        talk.event(by, "close")
        talk.event(1 - by, "close")
        talk.close()
    return talk


def channels(*items: int, ends: bool = True) -> Script:
    """Connections with a channel each, which brings some items, and then nothing."""
    talk = Script()
    for at, count in enumerate(items):
        if at:
            talk.connect()
        talk.connection.flow.handshake_ns = (1, 1)
        talk.event(SERVER, "open")
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(1, CHANNEL, NEXT, number(99) + b"sentence"))
        if ends:
            talk.say(CLIENT, framed(1, PAYLOAD, DONE ^ NEXT))
        for _ in range(count):
            talk.say(SERVER, framed(1, PAYLOAD, NEXT, b"a"), 20 * MS)
        talk.say(CLIENT, framed(0, KEEPALIVE, RESPOND, bytes(8)), 4 * SECOND)
        talk.event(CLIENT, "close")
        talk.close()
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("B54e", lambda: (given_up(4, SECOND, alike=True), given_up(9, SECOND),
        given_up(3, SECOND, alike=True))),
    ("B54f", lambda: (given_up(12, SECOND, answered=2, alike=True),
        given_up(12, SECOND, answered=2),
        given_up(12, SECOND, answered=2, alike=True, again=True))),
    ("B43b", lambda: (cut(4), cut(3), cut(5, asks=False), cut(5, by=SERVER),
        cut(5, pause=9 * SECOND))),
    ("B86b", lambda: (channels(8, 8, 8), channels(8, 8), channels(8, 9, 10, 8),
        channels(8, 8, 8, ends=False))),
]  # fmt: skip
"""Warning, a fault that it names, and near misses."""


@every(("rule", "talks"), CASES, ids=lambda case: case[0])
def test_harm_and_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """A warning names proved harm; the same behaviour without it stays a note."""
    wrong, *right = talks()

    assert wrong.ends(f"RSK-{rule}")
    assert [each.ends(f"RSK-{rule}") for each in right] == [[] for _ in right]


def test_every_warning_has_a_fault() -> None:
    """No proof is untested."""
    assert {f"RSK-{rule}" for rule, _ in CASES} == {
        warning for harm in HARM for warning in harm.rules.values()
    }
