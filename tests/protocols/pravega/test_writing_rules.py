"""Rules for writers: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    ANY,
    JAVAS,
    OTHER,
    SEGMENT,
    TRANSACTION,
    Talks,
    appended_again,
    circled,
    copied,
    cut,
    doubled,
    events,
    goes_on,
    in_turn,
    merged,
    names_the_fault_alone,
    read_again,
    returned,
    sealed_again,
    sent_again,
    stalled,
    stored_late,
    trimmed,
    under_way,
    waiting,
)
from tests.protocols.pravega.traffic import WRITER, text

from streamshark.protocols.pravega.codes import TypeCode as Code
from streamshark.protocols.pravega.writing_rules import EVENTS, IDENTITY, WRITING

CASES: list[tuple[str, Talks]] = [
    ("B82", lambda: (doubled(b"aaaaa"),
        doubled(b"aaaa"), doubled(b"abababab"), doubled(b"aaaaaa", length=4),
        events(*[(bytes(20),)] * 6, segment=text("_system/x/0")))),
    ("B82", lambda: (events(*[(b"status is fine",)] * 6, block=False),)),
    ("B83", lambda: (copied(range(8), range(4, 10)),
        copied(range(8), range(8, 16)), copied(range(8), (5, 4, 3, 2)), copied(range(8), (5, 6)),
        copied(range(8), (4, 4, 4, 4)), copied(range(8), range(4, 10), same=True),
        copied(range(8), range(8), segment=TRANSACTION), copied((1, 2, 3, 1, 2, 3, 1, 2, 3)))),
    ("B83", lambda: (copied(range(8), range(8), block=False),)),
    ("B84", lambda: (circled(3),
        circled(2), circled(9, wait=3), circled(9, same=False), circled(9, twice=True),
        circled(9, reads=text("scope/other/0.#epoch.0")))),
    ("B84", lambda: (circled(5, reads=text("scope/stream/1.#epoch.0")),)),
    ("B85", lambda: (events((b'{"order": 7, "paid": true}',), (JAVAS,)),
        events((b'{"order": 7, "paid": true}',), (b'[{"order": 8}, {"order": 9}]',)),
        events((b"order 7 is paid",), (bytes(range(40)),)),
        events((JAVAS,), (JAVAS + b" again",)))),
    ("B85", lambda: (events((b"<order><paid/></order>",), (b"order 7 is paid",), block=False),)),
    ("B86", lambda: (waiting(1002), waiting(999), waiting(1200, acked=True))),
    ("B28c", lambda: (returned(2),
        returned(1), returned(4, sealed=False), returned(2, writer=OTHER))),
    ("B75", lambda: (doubled(b"aabbcc"),
        doubled(b"aabb"), doubled(b"abcabc"), doubled(b"aaaaaa"), doubled(b"aabbcc", length=4))),
    ("B75", lambda: (doubled(b"aabbcc", at_once=True),
        doubled(b"aabbccd", at_once=True), doubled(b"aabb", at_once=True),
        doubled(b"aaaaaa", at_once=True), doubled(b"aabbbc", at_once=True))),
    ("B181", lambda: (stored_late(11), stored_late(9))),
    ("B181", lambda: (stored_late(60, block=False), stored_late(9, block=False))),
    ("B76", lambda: (events((b"event",), acks=False), events((b"event",)))),
    ("P81", lambda: (events((b"one", b"[object Object]")),
        events((b"one", b"object")), events((b"[object Object]",), segment=text("_system/x/0")))),
    ("P81", lambda: (events((b"[object Object]",), block=False),)),
    ("P82", lambda: (events((b"eyJvcmRlciI6IDd9",)), events((b"0123456789abcdef",)))),
    ("B17", lambda: (in_turn(0, 1, 0, 1, appends=True),
        in_turn(0, 1, 1, appends=True), in_turn(0, 1, appends=True, ends=True))),
    ("B18", lambda: (in_turn(0, 1, 0, 1), in_turn(0, 1), in_turn(0, 1, 2, 3, ends=True))),
    ("B19", lambda: (under_way(7, 7, 7),
        under_way(7, 7), under_way(7, 8, 9), under_way(7, 7, 7, answered=True),
        under_way(7, 7, 7, refused=True))),
    ("B20", lambda: (cut(10, 5), cut(5, 10), cut(10, 10))),
    ("B28", lambda: (returned(3),
        returned(2), returned(5, sealed=False), returned(3, writer=OTHER))),
    ("B29", lambda: (goes_on(4), goes_on(2), goes_on(4, acked=3), goes_on(1, acked=ANY))),
    ("B29", lambda: (goes_on(4, acked=ANY),)),
    ("B30", lambda: (merged(text("scope/other/0.#epoch.0")), merged(SEGMENT))),
    ("B20b", lambda: (trimmed(5), trimmed(4), trimmed(9, wait=3))),
    ("B28b", lambda: (sealed_again(),
        sealed_again(sealed=False), sealed_again(segment=text("scope/stream/1.#epoch.1")))),
    ("B190", lambda: (stalled(),
        stalled(seconds=1), stalled(made=""), stalled(made="scope/other/1.#epoch.1"),
        stalled(then="scope/stream/1.#epoch.1"), stalled(acked=True))),
    ("B190", lambda: (stalled(sent=3, then="scope/other/0.#epoch.0"),
        stalled(sent=3, then="scope/stream/1.#epoch.1"))),
    ("B66", lambda: (sent_again(),
        sent_again(acked=True), sent_again(again=bytes(21)), sent_again(wait=70),
        sent_again(b"", again=b""), sent_again(writer=WRITER),
        sent_again(bytes(5000), again=bytes(5000)))),
    ("B66", lambda: (sent_again(block=False),)),
    ("B66b", lambda: (appended_again(bytes(20)),
        appended_again(bytes(20), told=False), appended_again(bytes(20), again=bytes(21)),
        appended_again(bytes(20), wait=70), appended_again(b""),
        appended_again(bytes(20), writer=OTHER))),
    ("B66b", lambda: (appended_again(bytes(20), frame=Code.CONDITIONAL_APPEND),)),
    ("B66c", lambda: (appended_again(bytes(20), bytes(21)),
        appended_again(bytes(20), bytes(20), bytes(20)),
        appended_again(bytes(20)))),
    ("B66c", lambda: (appended_again(bytes(20), bytes(21), frame=Code.CONDITIONAL_BLOCK_END),)),
    ("B45", lambda: (read_again(3),
        read_again(2), read_again(4, step=10), read_again(4, answered=True),
                            read_again(4, parts=4))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*EVENTS, *IDENTITY, *WRITING)} == {
        f"PRV-{rule}" for rule, *_ in CASES
    }
