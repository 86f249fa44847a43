"""Rules for the parts of programs: faults in two forms, and near misses."""

import struct

from tests.failures import every
from tests.protocols.pravega.clients import (
    ALIVE,
    CLIENT,
    OTHER,
    SEGMENT,
    SERVER,
    Talk,
    Talks,
    another,
    append,
    bytes_read,
    framed,
    names_the_fault_alone,
    numbers,
    read,
    ready,
    set_up,
    stored,
    text,
    writing,
)

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.program_rules import PROGRAM_RULES

STATE = text("scope/_RGg/0.#epoch.0")


def beats(
    count: int, *, each: int = 2, wait: int = 20, appends: bool = False, writers: int = 1
) -> Talk:
    """KEEP_ALIVEs, so many at a time, on a connection of some writers."""
    talk = writing()
    if writers > 1:
        talk.say(CLIENT, set_up(OTHER)).say(SERVER, ready(writer=OTHER))
    for number in range(count):
        if appends:
            talk.say(CLIENT, append(number + 1))
        talk.say(CLIENT, ALIVE, wait)
        for _ in range(each - 1):
            talk.say(CLIENT, ALIVE, 0)
    return talk


def acknowledged(*seconds: int, at_once: bool = False) -> Talk:
    """Appends, each acknowledged after some seconds, perhaps all sent at once."""
    talk = writing()
    for number in range(len(seconds) if at_once else 0):
        talk.say(CLIENT, append(number + 1), 0)
    for number, wait in enumerate(seconds):
        if not at_once:
            talk.say(CLIENT, append(number + 1))
        talk.say(SERVER, stored(number + 1), wait)
    return talk


def lost(
    *, acked: bool = False, again: bool = False, goes_on: int = 30, segment: bytes = b""
) -> Talk:
    """A writer whose connection ends, while another one of its client goes on."""
    own = segment or text("scope/stream/0.#epoch.0")
    talk = writing(own)
    talk.say(CLIENT, append(1))
    if acked:
        talk.say(SERVER, stored(1))
    another(talk)
    talk.say(CLIENT, set_up(OTHER, segment=text("scope/other/0.#epoch.0")))
    talk.say(SERVER, ready(writer=OTHER, segment=text("scope/other/0.#epoch.0")))
    if again:
        talk.say(CLIENT, set_up(segment=own)).say(SERVER, ready(segment=own))
    return talk.say(CLIENT, set_up(OTHER, segment=text("scope/other/1.#epoch.0")), goes_on)


def several(count: int) -> Talk:
    """Writers of a connection that is lost, of which the first is set up again."""
    talk = Talk()
    for number in range(count):
        writer = bytes([*bytes(15), number + 1])
        talk.say(CLIENT, set_up(writer)).say(SERVER, ready(writer=writer))
        event = b"\0\0\0\0\0\0\0\5event"
        end = len(event).to_bytes(4, "big") + event + (1).to_bytes(4, "big")
        body = writer + b"\0\0\0\0" + end + (1).to_bytes(8, "big") + (7).to_bytes(8, "big")
        talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, body))
    another(talk)
    writer = bytes([*bytes(15), 1])
    for wait in (1, 30):
        talk.say(CLIENT, set_up(writer), wait).say(SERVER, ready(writer=writer))
    return talk


TOKENS = ("first.token.of.the.client", "next.token.of.the.client")


def shown(*tokens: int, refused: int = 1, wait: int = 1, new: bool = False, code: int = 1) -> Talk:
    """Requests with tokens, of which the store refuses the first ones."""
    talk = Talk()
    for number, each in enumerate(tokens):
        if number and new:
            another(talk)
        body = numbers(number) + SEGMENT + text(TOKENS[each])
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body), wait)
        if number < refused:
            answer = numbers(number) + text("") + struct.pack(">i", code)
            talk.say(SERVER, framed(Code.AUTH_TOKEN_CHECK_FAILED, answer), 0)
    return talk


def misled(
    count: int, *, wait: int = 7, host: str = "", segment: bytes = SEGMENT, served: bool = False
) -> Talk:
    """Writers that are set up at a store that does not have their segment."""
    talk = Talk()
    for number in range(count):
        talk.say(CLIENT, set_up(number=number, segment=segment), wait)
        if served and number == count - 2:
            talk.say(SERVER, ready(number=number, segment=segment), 0)
        else:
            answer = numbers(number) + segment + text(host) + text("")
            talk.say(SERVER, framed(Code.WRONG_HOST, answer), 0)
        another(talk)
    return talk


def sealed(
    wait: int, *, elsewhere: bool = False, acked: bool = False, segment: bytes = SEGMENT
) -> Talk:
    """An append that is refused, as its segment is sealed, and KEEP_ALIVE after it."""
    talk = writing(segment).say(CLIENT, append(1))
    if acked:
        talk.say(SERVER, stored(1))
    talk.say(SERVER, framed(Code.SEGMENT_IS_SEALED, numbers(7) + segment + text("") + numbers(0)))
    if elsewhere:
        other = text("scope/stream/1.#epoch.1")
        talk.say(CLIENT, set_up(OTHER, 8, other)).say(SERVER, ready(-1, OTHER, 8, other))
    talk.say(CLIENT, ALIVE, wait)
    return talk.event("close").event("close", SERVER)


def unread(
    *, tail: int = 0, offset: int = 5, wait: int = 9, answered: bool = False, refused: bool = False
) -> Talk:
    """A read that is answered, and another one that is not."""
    talk = Talk()
    talk.say(CLIENT, read(0, number=1)).say(SERVER, bytes_read(0, b"event", tail, 1))
    talk.say(CLIENT, read(offset, number=2))
    if answered:
        talk.say(SERVER, bytes_read(offset, b"event", 1, 2))
    if refused:
        talk.say(SERVER, framed(Code.WRONG_HOST, numbers(2) + SEGMENT + text("") + text("")))
    talk.say(CLIENT, ALIVE, wait)
    return talk.event("close").event("close", SERVER)


CASES: list[tuple[str, Talks]] = [
    ("B100", lambda: (beats(6), beats(3), beats(9, each=1), beats(9, wait=0),
        beats(9, writers=2))),
    ("B100", lambda: (beats(6, wait=5, appends=True), beats(6, each=1, wait=5, appends=True))),
    ("B101", lambda: (acknowledged(0, 1, 2, 3, 4, 5, 6, 8, 11, 12),
        acknowledged(*[3] * 12), acknowledged(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
        acknowledged(3, 4, 5, 6, 7, 8, 9, 10, 11))),
    ("B101", lambda: (acknowledged(*[1] * 12, at_once=True), acknowledged(*[1] * 6, at_once=True))),
    ("B102", lambda: (lost(),
        lost(acked=True), lost(again=True), lost(goes_on=3), lost(segment=STATE))),
    ("B102", lambda: (several(3), several(1))),
    ("B230", lambda: (shown(0, 0), shown(0, 1), shown(0, 0, wait=0), shown(0, 0, refused=0))),
    ("B230", lambda: (shown(0, 1, 0, new=True, code=0), shown(0, 1, 1, new=True, code=0))),
    ("B231", lambda: (misled(6), misled(5), misled(6, wait=3), misled(6, host="10.0.0.7:6000"),
        misled(6, segment=text("_system/x/0.#epoch.0")), misled(7, served=True),
    )),
    ("B232", lambda: (sealed(12), sealed(8), sealed(12, elsewhere=True), sealed(12, acked=True))),
    ("B232", lambda: (sealed(60, segment=text("scope/other/3.#epoch.2")), sealed(60, acked=True))),
    ("B234", lambda: (unread(), unread(tail=1), unread(offset=9), unread(wait=3),
        unread(answered=True), unread(refused=True),
    )),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in PROGRAM_RULES} == {f"PRV-{rule}" for rule, *_ in CASES}
