"""Rules for clients that waste: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    BATCH,
    CLIENT,
    DELETE,
    MERGE,
    Talks,
    at_full_speed,
    bytes_appended,
    connections,
    dropped,
    entered,
    flushed_singly,
    forgotten,
    looked_up,
    names_the_fault_alone,
    paged,
    reads,
    removed,
    spread,
    stored_singly,
    transaction,
    transient,
    writers,
    written,
)

from streamshark.protocols.pravega.waste_rules import LARGE, LEAKS, SPREAD, WASTE

CASES: list[tuple[str, Talks]] = [
    ("B14b", lambda: (connections(9, requests=4, closed=False),
        connections(6, requests=4, closed=False), connections(12, requests=4),
        connections(12, requests=9, closed=False))),
    ("B10", lambda: (reads(6, b"x", step=1, length=20),
        reads(4, b"x", step=1, length=20), reads(25, b"x", step=1),
        reads(25, b"x", step=1, length=20, wait=1))),
    ("B11", lambda: (stored_singly(6),
        stored_singly(4), stored_singly(51, events=2), stored_singly(51, wait=1))),
    ("B11b", lambda: (flushed_singly(5),
        flushed_singly(4), flushed_singly(9, size=2000), flushed_singly(9, wait=1))),
    ("B11b", lambda: (flushed_singly(5, frame="end"), flushed_singly(4, frame="end"))),
    ("B12", lambda: (at_full_speed(12),
        at_full_speed(5), at_full_speed(60, events=2), at_full_speed(60, acked=True))),
    ("B13", lambda: (connections(5), connections(3), connections(11, requests=2))),
    ("B77", lambda: (connections(5, requests=5),
        connections(3, requests=5), connections(9, requests=9))),
    ("B14", lambda: (connections(5, closed=False),
        connections(3, closed=False), connections(11), connections(11, requests=2, closed=False))),
    ("B15", lambda: (writers(4, 1),
        writers(3, 0), writers(12, 2), writers(12, 0, name="_system"), writers(12, 1, segments=6))),
    ("B16", lambda: (transaction(), transaction(events=0), transaction(merged=True))),
    ("B23", lambda: (entered(6), entered(4), entered(12, entries=2), entered(12, wait=1))),
    ("B24", lambda: (looked_up(6), looked_up(4), looked_up(12, wait=1))),
    ("B25", lambda: (dropped(4), dropped(3), dropped(6, by=CLIENT), dropped(6, wait=6))),
    ("B26", lambda: (forgotten(),
        forgotten(wait=1), forgotten(ends=MERGE), forgotten(ends=BATCH), forgotten(ends=DELETE))),
    ("B73", lambda: (spread(60, 0),
        spread(60), spread(60, 10), spread(10, 0), spread(60, 0, stream="_RGg"))),
    ("B73", lambda: (spread(0, 0, 90, 0),)),
    ("B73", lambda: (spread(60, 10, 0, 0, 0, 0), spread(60, 10, 10, 0, 0, 0))),
    ("B24b", lambda: (paged(6), paged(4), paged(9, 2), paged(9, wait=1))),
    ("B24b", lambda: (paged(6, entries=True), paged(9, 2, entries=True))),
    ("B37", lambda: (written(6, parts=2),
        written(4, parts=2), written(9, parts=1), written(6, parts=3, whole=20))),
    ("B57", lambda: (bytes_appended(5), bytes_appended(4), bytes_appended(9, size=20))),
    ("B57", lambda: (bytes_appended(5, size=4, block=False),
        bytes_appended(9, size=8, block=False), stored_singly(9))),
    ("B58", lambda: (removed(6),
        removed(4), removed(9, keys=2), removed(9, wait=1), removed(9, segment="_system/x"))),
    ("B58b", lambda: (removed(3, names=1),
        removed(2, names=1), removed(9), removed(5, names=1, wait=3),
        removed(4, names=1, written=True))),
    ("B68", lambda: (transient(),
        transient(merges=True), transient(batch=True), transient(wait=2),
        transient(part="#transaction.1"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in (*LARGE, *LEAKS, *SPREAD, *WASTE)} == {
        f"PRV-{rule}" for rule, *_ in CASES
    }
