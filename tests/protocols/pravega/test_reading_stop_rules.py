"""Readers that stop at a cut, and readers that read what another one reads."""

import struct
from uuid import UUID

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
    bytes_read,
    framed,
    names_the_fault_alone,
    numbers,
    read,
    ready,
    refusal,
    set_up,
    stored,
    text,
    update,
    writing,
)

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.reading_stop_rules import READING_STOP_RULES


def cut(
    *, again: bool = False, appends: int = 7, start: int = 32, segment: bytes = SEGMENT
) -> Talk:
    """A read below the start of a segment to which events are appended afterwards."""
    talk = writing(segment)
    talk.say(CLIENT, append(0)).say(SERVER, stored(0))
    talk.say(CLIENT, read(10).replace(SEGMENT, segment))
    refused = refusal(Code.SEGMENT_IS_TRUNCATED, 9, 10, numbers(start))
    talk.say(SERVER, refused.replace(SEGMENT, segment))
    if again:
        talk.say(CLIENT, read(start), 3).say(SERVER, bytes_read(start))
    for number in range(1, appends):
        talk.say(CLIENT, append(number)).say(SERVER, stored(number), 0)
    return talk.say(CLIENT, ALIVE)


def pair(
    *groups: str, turns: int = 6, apart: int = 1, begins: int = 0, one_by_one: bool = False,
    segment: bytes = SEGMENT, late: bool = False
) -> Talk:  # fmt: skip
    """Readers that join groups, and two connections that read a segment in turns or in a row."""
    talk = Talk()
    for number, name in enumerate(groups):
        writer, state = UUID(int=number + 1).bytes, text(f"scope/_RG{name}/0.#epoch.0")
        talk.say(CLIENT, set_up(writer, number, state), 0)
        talk.say(SERVER, ready(writer=writer, number=number, segment=state), 0)
        event = update(2, f"reader-{number}")
        body = writer + numbers(0, 0) + struct.pack(">ii", 0, len(event)) + event + numbers(number)
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body), 0)
    places = [(talk.connection, talk.flow, talk.offsets)]
    talk.again()
    places.append((talk.connection, talk.flow, talk.offsets))
    order = [0, 1] * turns if not one_by_one else [0] * turns + [1] * turns
    done = [0, begins]
    for place in order:
        talk.connection, talk.flow, talk.offsets = places[place]
        talk.say(CLIENT, read(done[place]).replace(SEGMENT, segment), apart)
        talk.say(SERVER, bytes_read(done[place], bytes(20)).replace(SEGMENT, segment), 0)
        done[place] += 20
    if late:
        talk.connection, talk.flow, talk.offsets = places[0]
        talk.say(CLIENT, ALIVE, 0)
        talk.say(SERVER, bytes_read(done[0], bytes(20)), 9)
    return talk.say(CLIENT, ALIVE)


def read_to_the_end(count: int, *, goes_on: bool = False, closes: bool = False) -> Talk:
    """A connection for each segment, on which it is read to its end."""
    talk = Talk()
    for number in range(count):
        if closes and number:
            another(talk)
        elif number:
            talk.again()
        talk.say(CLIENT, read(0)).say(SERVER, bytes_read(0, b"x" * 20))
        body = SEGMENT + numbers(20) + bytes([0, 1]) + bytes(4)
        talk.say(CLIENT, read(20)).say(SERVER, framed(Code.SEGMENT_READ, body + numbers(9)))
        if goes_on:
            talk.say(CLIENT, read(0))
        talk.say(CLIENT, ALIVE)
    return talk.say(CLIENT, ALIVE, 3)


def written(*batches: int, merges: bool = True, count: int = 3) -> Talk:
    """Transactions with an event and then some more, which a number tells from those of others."""
    talk = Talk()
    for number, batch in enumerate(batches):
        segment = text(f"scope/stream/0.#epoch.0#transaction.{number}")
        writer = UUID(int=number + 1).bytes
        talk.say(CLIENT, set_up(writer, number, segment))
        talk.say(SERVER, ready(-1, writer, number, segment))
        for last, more in ((1, 1), (1 + count, count)):
            event = (struct.pack(">ii", 0, 8) + f"batch{batch:03}".encode()) * more
            body = writer + struct.pack(">iii", len(event), 0, more) + numbers(last, 7)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, writer + event))
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, body))
        if merges:
            body = numbers(1) + SEGMENT + segment + text("")
            talk.say(CLIENT, framed(Code.MERGE_SEGMENTS, body))
    return talk.say(CLIENT, ALIVE)


CASES: list[tuple[str, Talks]] = [
    ("B236", lambda: (cut(),
        cut(again=True), cut(appends=3), cut(segment=text("scope/_RGg/0.#epoch.0")),
        cut().event("gap"))),
    ("B236", lambda: (cut(appends=20, start=4000),)),
    ("B237", lambda: (pair("g", "g"),
        pair("g", "h"), pair("g"), pair("g", "g", turns=3), pair("g", "g", apart=0),
        pair("g", "g", begins=400), pair("g", "g", one_by_one=True),
        pair("g", "g", one_by_one=True, begins=100, late=True),
        pair("g", "g", segment=text("scope/_RGg/0.#epoch.0")))),
    ("B237", lambda: (pair("g", "g", "g", turns=9, begins=60),)),
    ("B239", lambda: (read_to_the_end(5),
        read_to_the_end(3), read_to_the_end(5, goes_on=True), read_to_the_end(5, closes=True))),
    ("B239", lambda: (read_to_the_end(12),)),
    ("B240", lambda: (written(1, 2, 2, 3),
        written(1, 2, 3), written(1, 1, merges=False), written(1, 1, count=1))),
    ("B240", lambda: (written(7, 7),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in READING_STOP_RULES} == {f"PRV-{rule}" for rule, _ in CASES}
