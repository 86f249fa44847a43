"""Rules for segments that several writers or readers use: faults, and what looks like them."""

import struct
from uuid import UUID

from tests.failures import every
from tests.protocols.pravega.clients import (
    ALIVE,
    CLIENT,
    EVENT,
    SERVER,
    Talk,
    Talks,
    another,
    framed,
    names_the_fault_alone,
    numbers,
    ready,
    set_up,
    stored,
    text,
    update,
)

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.shared_use_rules import SHARED_USE_RULES

STATE = text("scope/_RGg/0.#epoch.0")


def writer_of(letter: str) -> bytes:
    """The id of a writer."""
    return UUID(int=ord(letter)).bytes


def turns(
    letters: str, *, data: bytes = b"part of a picture", segment: str = "scope/video/0.#epoch.0"
) -> Talk:
    """Appends of several writers to one segment."""
    talk = Talk()
    for number, letter in enumerate(letters):
        writer = writer_of(letter)
        if letter not in letters[:number]:
            talk.say(CLIENT, set_up(writer, ord(letter), text(segment)))
            talk.say(SERVER, ready(-1, writer, ord(letter), text(segment)))
        body = struct.pack(">iii", len(data), 0, 1) + numbers(number, ord(letter))
        talk.say(CLIENT, framed(Code.APPEND_BLOCK, writer + data))
        talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, writer + body))
    return talk.event("close")


def leaves(*steps: str, position: bytes = b"", gone: bool = False) -> Talk:
    """Updates of a group by several writers: `A2` adds a reader, `G3` removes it."""
    talk, seen = Talk(), ""
    for number, (letter, kind) in enumerate(steps):
        if gone and kind == "3":
            talk, seen = another(talk), ""
        writer = writer_of(letter)
        if letter not in seen:
            seen += letter
            talk.say(CLIENT, set_up(writer, segment=STATE))
            talk.say(SERVER, ready(writer=writer, segment=STATE))
        event = update(int(kind), "reader") + (position if kind == "3" else b"")
        body = writer + numbers(number, 100 * number) + struct.pack(">ii", 0, len(event)) + event
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body + numbers(7)))
        talk.say(SERVER, stored(number), 0)
    return talk.say(CLIENT, ALIVE).event("close")


def turned(*steps: str, frame: int = Code.CONDITIONAL_BLOCK_END) -> Talk:
    """Bytes that writers append on a condition: `as` of a are stored, `br` of b are refused."""
    talk, seen, segment = Talk(), "", "scope/video/0.#epoch.0"
    for number, (letter, outcome) in enumerate(steps):
        writer = writer_of(letter)
        if letter not in seen:
            seen += letter
            talk.say(CLIENT, set_up(writer, ord(letter), text(segment)))
            talk.say(SERVER, ready(-1, writer, ord(letter), text(segment)))
        data = struct.pack(">i", 9) + bytes(9) if frame == Code.CONDITIONAL_BLOCK_END else EVENT
        head = writer + numbers(number, 9 * number)
        talk.say(CLIENT, framed(frame, head + data + numbers(ord(letter))))
        if outcome == "r":
            more = writer + numbers(number, ord(letter))
            talk.say(SERVER, framed(Code.CONDITIONAL_CHECK_FAILED, more))
        else:
            more = writer + numbers(number, number - 1, ord(letter), 100)
            talk.say(SERVER, framed(Code.DATA_APPENDED, more))
    return another(talk)


CASES = [
    ("B200", lambda: (turns("abab"), turns("aabb"), turns("aba"), turns("aaaa"),
        turns("abab", data=EVENT), turns("abab", segment="scope/_RGg/0.#epoch.0"))),
    ("B200", lambda: (turns("abcabc"), turns("abcdef"))),
    ("B202", lambda: (turned("as", "br"), turned("as", "br", "bs"), turned("as", "bs"),
        turned("as", "ar"), turned("br"), turned("as", "br", frame=Code.CONDITIONAL_APPEND))),
    ("B201", lambda: (leaves("A2", "G3"), leaves("A2", "A3"), leaves("G3"),
        leaves("A2", "G3", position=text("scope/orders/0.#epoch.0")),
        leaves("A2", "G3", gone=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_rule_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in SHARED_USE_RULES} == {f"PRV-{rule}" for rule, _ in CASES}
