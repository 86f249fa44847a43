"""Rules for clients of the controller: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    ABORT,
    COMMIT,
    LAPSED,
    PING,
    STATE,
    Talks,
    changed,
    created,
    groups,
    names_the_fault_alone,
    new_streams,
    reads,
    streams,
    transacted,
    transactions,
)

from streamshark.protocols.pravega.controller_behaviour_rules import CONTROLLER, LEASES

CASES: list[tuple[str, Talks]] = [
    ("B32", lambda: (created(3), created(2), created(5, status=0), created(8, scopes=4))),
    ("B32", lambda: (streams(3), streams(2), streams(3, wait=3), streams(3, status=1))),
    ("B36", lambda: (created(3, wait=9), created(2, wait=9), created(3, wait=90))),
    ("B33", lambda: (groups("a", "b", "c", "d"),
        groups("a", "b"), groups("a", "b", "a", "b"),
        groups("a", "b", "c", "d", deletes=True))),
    ("B33", lambda: (groups("a", "b", "c", "d", method="store"), groups("a", "b", method="store"))),
    ("B33", lambda: (groups(*(f"{e}_kvtable" for e in "abcd"), method="createKeyValueTable"),
        groups(*"abcde", method="createKeyValueTable"))),
    ("B34", lambda: (transactions(1, 1, 1),
        transactions(1, 1), transactions(5, 5, 5, 5), transactions(1, 2, 1, 2, 1))),
    ("B35", lambda: (reads(5, bytes(100), step=20),
        reads(5, bytes(100), step=100), reads(5, bytes(100), step=90),
        reads(3, bytes(100), step=20),
        reads(5, bytes(100)))),
    ("B38", lambda: (transacted(("commitTransaction", 3)), transacted(COMMIT), transacted(ABORT))),
    ("B38", lambda: (transacted(("abortTransaction", 2)), transacted(PING, STATE))),
    ("B38b", lambda: (transacted(LAPSED, wait=1),
        transacted(LAPSED, wait=0.05), transacted(ABORT, LAPSED, wait=1),
        transacted(STATE, wait=1), transacted(*[PING, PING] * 3, LAPSED, wait=0.05))),
    ("B38b", lambda: (transacted(PING, ("checkTransactionState", 4), wait=1),)),
    ("B235", lambda: (transacted(COMMIT, LAPSED), transacted(COMMIT, STATE),
        transacted(("commitTransaction", 3), LAPSED), transacted(ABORT, LAPSED),
        transacted(LAPSED))),
    ("B235", lambda: (transacted(PING, COMMIT, ("checkTransactionState", 4), high=0),
        transacted(PING, ("checkTransactionState", 4), high=0))),
    ("B235b", lambda: (transacted(PING, LAPSED, wait=0.05), transacted(PING, LAPSED, wait=1),
        transacted(ABORT, LAPSED, wait=0.05), transacted(PING, STATE, wait=0.05))),
    ("B39", lambda: (transacted(("pingTransaction", 1)),
        transacted(PING), transacted(("pingTransaction", 5)))),
    ("B39", lambda: (transacted(("pingTransaction", 4)),)),
    ("B40", lambda: (transacted(COMMIT, PING, wait=3),
        transacted(COMMIT, PING), transacted(STATE, PING, wait=3))),
    ("B40", lambda: (transacted(ABORT, PING, wait=3, high=0),
        transacted(PING, ABORT, wait=3, high=0))),
    ("B41", lambda: (transacted(), transacted(COMMIT), transacted(ABORT, high=0))),
    ("B43", lambda: (transacted(*[PING] * 5, wait=0.001),
        transacted(*[PING] * 4, wait=0.001), transacted(*[PING] * 9))),
    ("B42", lambda: (new_streams(4), new_streams(3), new_streams(6, wait=11), streams(6))),
    ("B44", lambda: (created(1, status=3), created(1, status=0), created(1), streams(9, status=3))),
    ("B44", lambda: (streams(1, status=1),)),
    ("B44b", lambda: (changed("deleteStream", 3), changed("deleteStream", 0))),
    ("B44b", lambda: (changed("deleteScope", 3), changed("checkScopeExists", 1))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    rules = (*CONTROLLER, *LEASES)
    assert {each.id for each in rules} == {f"PRV-{rule}" for rule, *_ in CASES}
