"""Rules for what clients do over time: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    NOTHING,
    TOKEN,
    Talks,
    asked,
    at_full_speed,
    attribute_asked,
    attributes,
    by_controller,
    changes,
    changes_from,
    conditional,
    existing,
    flushed,
    kept_alive,
    key_asked,
    lengths,
    measured,
    misdirected,
    moved_on,
    names_the_fault_alone,
    noted,
    of_length,
    outdated,
    page,
    pages,
    reads,
    replied,
    same_pages,
    scanned,
    skipping,
    stream_cut,
    truncated,
    unanswered,
    updated,
    updates,
)
from tests.protocols.pravega.traffic import text

from streamshark.findings.finding import Severity
from streamshark.protocols.pravega.behaviour_rules import LOOPS, SCANS, STREAMS, TABLES, UNANSWERED
from streamshark.protocols.pravega.codes import TypeCode as Code

CASES: list[tuple[str, Talks]] = [
    ("B1", lambda: (truncated(3),
        truncated(2), truncated(6, moves=True), truncated(6, wait=3))),
    ("B1", lambda: (updated(0, 0, 0), updated(0, 1, 2, 3, 4, 5))),
    ("B1", lambda: (truncated(3), moved_on(4))),
    ("B1c", lambda: (existing(3),
        existing(2), existing(3, code=Code.NO_SUCH_SEGMENT), truncated(3))),
    ("B1c", lambda: (updated(-1, -1, -1), updated(0, 0, 0))),
    ("B2", lambda: (conditional(8, 8, 8), conditional(8, 8), conditional(8, 16, 24, 32, 40))),
    ("B2b", lambda: (outdated(0, 0, 0),
        outdated(0, 0), outdated(0, 8, 16), outdated(0, 0, 0, acked=True),
        outdated(0, 0, 0, segment=text("scope/_RGg/0.#epoch.0")))),
    ("B3", lambda: (kept_alive(5),
        kept_alive(4), kept_alive(20, appends=True), kept_alive(20, wait=1))),
    ("B4", lambda: (attributes(3), attributes(2), attributes(3, last=1))),
    ("B5", lambda: (changes(5), changes(4), changes(15, found=1), changes(15, wait=1))),
    ("B6", lambda: (lengths(5), lengths(4), lengths(15, grows=1), lengths(15, wait=1))),
    ("B7", lambda: (reads(5, b"", tail=1),
        reads(4, b"", tail=1), reads(15, b"", tail=1, wait=1), reads(15, b"x", tail=1))),
    ("B8", lambda: (pages(*[NOTHING] * 3),
        pages(*[NOTHING] * 2), pages(*[NOTHING, TOKEN] * 5), pages(*[NOTHING] * 5, found=1))),
    ("B8b", lambda: (same_pages(*[page(1)] * 3),
        same_pages(*[page(1)] * 2), same_pages(*map(page, range(5))))),
    ("B9", lambda: (reads(3, b"x"),
        reads(2, b"x"), reads(5, b"x", step=1), reads(5, b"x", wait=3))),
    ("B21", lambda: (unanswered(3), unanswered(2), unanswered(20, answered=True))),
    ("B180", lambda: (replied(11), replied(9))),
    ("B180", lambda: (replied(60, refused=True), replied(9, refused=True))),
    ("B22", lambda: (misdirected(3),
        misdirected(2), misdirected(6, ""), misdirected(6, wait=6))),
    ("B22b", lambda: (misdirected(8, ""), misdirected(7, ""), misdirected(9, "", wait=3))),
    ("B1b", lambda: (by_controller(6), by_controller(2), truncated(6))),
    ("B6b", lambda: (attribute_asked(5),
        attribute_asked(4), attribute_asked(9, values=2), attribute_asked(9, wait=1))),
    ("B6c", lambda: (key_asked(5), key_asked(4), key_asked(9, versions=2), key_asked(9, wait=1))),
    ("B46", lambda: (flushed(6), flushed(4), flushed(6, appends_each=4), at_full_speed(9))),
    ("B47", lambda: (measured(9), measured(7), measured(9, reads_each=4))),
    ("B20c", lambda: (stream_cut(5),
        stream_cut(4), stream_cut(9, wait=4), stream_cut(9, method="isStreamCutValid"))),
    ("B49", lambda: (noted(0, 1), noted(0, 0, 0))),
    ("B49", lambda: (noted(2),)),
    ("B49b", lambda: (noted(0, 1, 0, 1, 0, 1),
        noted(0, 1, 0, 1), noted(1, 1, 1, wait=90), noted(2, 2, 2))),
    ("B50", lambda: (updates("r0", "r1", "w0", "w1"),
        updates("r0", "r1", "w0", "w1", version=0), updates("r0", "w0", "r1", "w1"),
        updates("w0", "w1", "w0"), updates("r0", "w0", "w0"), updates("r0", "r1", "w0", "r1", "w1"),
    )),
    ("B50", lambda: (updates("r0", "r1", "w2", "w3"), updates("r0", "w1", "r2", "w3", "r0", "w1"))),
    ("B50", lambda: (updates("r0", "w1", "w0"), updates("r0", "w1", "r0", "w0"))),
    ("B59", lambda: (changes_from(0, 0, 0),
        changes_from(0, 0), changes_from(0, 9, 18, 27), changes_from(0, 0, 0, found=0))),
    ("B60", lambda: (skipping(4),
        skipping(3), skipping(9, by=0), skipping(9, answered=False), skipping(9, wait=11))),
    ("B62", lambda: (of_length(4, b"four", b"three"),
        of_length(4, b"four"), of_length(0, b"a", b"bc"))),
    ("B62", lambda: (of_length(4, b"x", code=Code.REMOVE_TABLE_KEYS),
        of_length(4, b"four", code=Code.REMOVE_TABLE_KEYS))),
    ("B62", lambda: (of_length(4, b"x", code=Code.READ_TABLE),)),
    ("B70", lambda: (scanned(5),
        scanned(4), scanned(9, found=1), scanned(9, wait=6), scanned(9, begins=1),
        scanned(9, segment="_system/x"))),
    ("B70", lambda: (scanned(5, entries=False),)),
    ("B31", lambda: (asked(1, 1), asked(1, 2), asked(1, 1, answered=True))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_what_worked_in_the_end_is_a_note() -> None:
    """Refusals of an attribute's update count less if one is taken."""
    talk = attributes(6, last=1)
    talk.engine.finish()
    talk.judge.finish()
    found = [each.severity for each in talk.judge.findings() if each.rule == "PRV-B4"]

    assert found == [Severity.NOTE.value]


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    rules = (*LOOPS, *STREAMS, *TABLES, *SCANS, *UNANSWERED)
    assert {each.id for each in rules} == {f"PRV-{rule}" for rule, *_ in CASES}
