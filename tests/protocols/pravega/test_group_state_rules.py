"""Rules about reader groups and keys of tables: each names its fault, near misses are silent."""

import struct
from uuid import UUID

from tests.failures import every
from tests.protocols.pravega.clients import (
    ALIVE,
    CLIENT,
    OTHER,
    SERVER,
    WRITER,
    Talk,
    Talks,
    another,
    framed,
    key,
    names_the_fault_alone,
    numbers,
    ready,
    set_up,
    stored,
    text,
    update,
    writing,
)

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.group_state_rules import GROUP_STATE_RULES

GROUP = "scope/_RGg/0.#epoch.0"
STATE = struct.pack(">ii", 2, 9) + bytes([0, 0, 0, 3, 0, 0, 0, 0, 7])
TABLE = "scope/keys_kvtable/0.#epoch.0"


def changes(talk: Talk, *kinds: int, writer: bytes = WRITER, first: int = 0) -> Talk:
    """Changes of a group's state: 2 adds a reader, 3 removes it, 12 and 0 reset the group."""
    for number, kind in enumerate(kinds, first):
        event = update(kind, "reader") if kind else STATE
        body = writer + numbers(number, 100 * number) + struct.pack(">ii", 0, len(event)) + event
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body + numbers(7)))
        talk.say(SERVER, stored(number), 0)
    return talk


def reset(*kinds: int, wait: int = 9, group: str = GROUP) -> Talk:
    """Changes of a group's state on a connection that goes on for some time."""
    talk = changes(writing(text(group)), *kinds)
    return another(talk.say(CLIENT, ALIVE, wait))


def opened(times: int, *kinds: int, closes: bool = True, changed: int = 0, offset: int = 0) -> Talk:
    """A group whose state is read by the next connection, which may change it meanwhile."""
    talk = changes(writing(text(GROUP)), *kinds)
    talk = another(talk) if closes else talk
    talk.say(CLIENT, set_up(OTHER, segment=text(GROUP)))
    talk.say(SERVER, ready(writer=OTHER, segment=text(GROUP)))
    for number in range(times):
        body = text(GROUP) + numbers(offset) + struct.pack(">i", 65536) + text("")
        talk.say(CLIENT, framed(Code.READ_SEGMENT, body + numbers(number + 20)))
        if changed and number == changed:
            changes(talk, 3, writer=OTHER, first=1)
    return talk


def removals(*versions: int, table: str = TABLE, wait: int = 1) -> Talk:
    """Keys that are removed, each by a request of its own."""
    talk = Talk()
    for number, version in enumerate(versions):
        one = struct.pack(">i", 1) + key(b"k%d" % number, version)
        body = numbers(number) + text(table) + text("") + one + numbers(-1)
        talk.say(CLIENT, framed(Code.REMOVE_TABLE_KEYS, body), wait)
        talk.say(SERVER, framed(Code.TABLE_KEYS_REMOVED, numbers(number) + text(table)), 0)
    return talk


def conflicts(outcomes: str, *, table: str = TABLE, wait: int = 1) -> Talk:
    """Removals that are refused (`!`) or done (`.`)."""
    talk = Talk()
    for number, outcome in enumerate(outcomes):
        one = struct.pack(">i", 1) + key(b"k%d" % number, 7)
        body = numbers(number) + text(table) + text("") + one + numbers(-1)
        talk.say(CLIENT, framed(Code.REMOVE_TABLE_KEYS, body), wait)
        answer = numbers(number) + text(table)
        if outcome == "!":
            talk.say(SERVER, framed(Code.TABLE_KEY_BAD_VERSION, answer + text("")), 0)
        else:
            talk.say(SERVER, framed(Code.TABLE_KEYS_REMOVED, answer), 0)
    return talk


def raced(
    refusals: int, agreed: int, *, writers: int = 3, segment: str = "scope/stream/0.#epoch.0"
) -> Talk:
    """Conditional appends of several writers to a segment, most of which are refused."""
    talk = Talk()
    ids = [UUID(int=each + 1).bytes for each in range(writers)]
    for writer in ids:
        talk.say(CLIENT, set_up(writer, segment=text(segment)))
        talk.say(SERVER, ready(-(1 << 63), writer, segment=text(segment)))
    event = struct.pack(">ii", 0, 4) + b"abcd"
    for number in range(agreed + refusals):
        writer = ids[number % writers]
        body = writer + numbers(number, 100 * number) + event + numbers(7)
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body), 0)
        failed = framed(Code.CONDITIONAL_CHECK_FAILED, writer + numbers(number, 7))
        done = framed(Code.DATA_APPENDED, writer + numbers(number, number - 1, 7, 100))
        talk.say(SERVER, done if number < agreed else failed, 0)
    return talk


CASES: list[tuple[str, Talks]] = [
    ("B93", lambda: (reset(2, 12, 0),
        reset(2, 12, 0, 2), reset(2, 3, 12, 0), reset(2, 12), reset(12, 0), reset(2, 0),
        reset(2, 12, 0, wait=2), reset(2, 12, 0, group="_system/_RGg/0.#epoch.0"))),
    ("B93", lambda: (reset(2, 2, 12, 0, wait=60),)),
    ("B94", lambda: (opened(6, 2),
        opened(5, 2), opened(9, 2, 3), opened(9, 2, closes=False), opened(9, 2, changed=3),
        opened(9, 2, offset=100), opened(9), opened(9, 2, 12, 0))),
    ("B94", lambda: (opened(7, 2, 2, 3),)),
    ("B95", lambda: (removals(-1, -1, -1),
        removals(-1, -1), removals(7, 8, 9), removals(-1, -1, -1, wait=30),
        removals(-1, -1, -1, table="_system/_tables/x"))),
    ("B95", lambda: (removals(-1, -1, 7, -1, -1),)),
    ("B96", lambda: (conflicts("!!!!!"),
        conflicts("!!!!"), conflicts("!!!.!!!"), conflicts("!!!!!", wait=60),
        conflicts("!!!!!", table="_system/_tables/x"))),
    ("B96", lambda: (conflicts("..!!!!!!"),)),
    ("B97", lambda: (raced(12, 3),
        raced(11, 3), raced(12, 9), raced(14, 0, writers=2), raced(12, 3, segment=GROUP))),
    ("B97", lambda: (raced(20, 1, writers=5),)),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in GROUP_STATE_RULES} == {f"PRV-{rule}" for rule, *_ in CASES}
