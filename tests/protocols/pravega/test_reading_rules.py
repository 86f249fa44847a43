"""Rules for readers: each names its fault and leaves near misses alone."""

from tests.failures import every
from tests.protocols.pravega.clients import (
    Talks,
    broad,
    checkpoints,
    continued,
    crew,
    crewed,
    fallen_behind,
    held,
    left_behind,
    looks,
    made_again,
    membership,
    names_the_fault_alone,
    read_twice,
    resumed,
    shelved,
    shifts,
    stated,
    truncated,
)
from tests.protocols.pravega.traffic import text

from streamshark.protocols.pravega.reading_rules import (
    CHECKPOINTS,
    READERS,
    READING,
    SHELVES,
    STATES,
    STREAMS_BEFORE,
)

CASES: list[tuple[str, Talks]] = [
    ("B81", lambda: (shelved(0, 1, read_from=[0]),
        shelved(0, 1, read_from=[0, 1]), shelved(0, 1), shelved(0, read_from=[0, 1]),
        shelved(0, 1, read_from=[0], wait=1), shelved(0, 1, read_from=[0], stream="_RGg"),
        shelved(0, 1, read_from=[0]).event("gap"))),
    ("B81", lambda: (shelved(1, 2, read_from=[0], ends=1),
        shelved(1, read_from=[0], ends=1, wait=1))),
    ("B81b", lambda: (left_behind(),
        left_behind(takes_over=True), left_behind(wait=1), left_behind(onward=False),
        left_behind(appends=False))),
    ("B27b", lambda: (resumed(300),
        resumed(100), resumed(300, wait=90), resumed(300, cut_at=300), resumed(40),
        resumed(300, name=text("scope/_RGg/0.#epoch.0")))),
    ("B78", lambda: (made_again("createStream", "deleteStream", "createStream"),
        made_again("createStream", "deleteStream"), made_again("createStream", "createStream"),
        made_again("deleteStream", "createStream", segment=text("scope/other/0.#epoch.0")))),
    ("B80", lambda: (broad(24),
        broad(23), broad(24, bytes(2000)), broad(30, stream="_system/stream"))),
    ("B79", lambda: (membership(*[2, 3] * 5, wait=1),
        membership(*[2, 3] * 4, wait=1), membership(2, 2, 2, 2, 2, 3, 3, 3, 3, 3),
        membership(*[2, 3] * 6, wait=8))),
    ("B79", lambda: (crew(*["join", "leave"] * 5),
        crew(*["join", "leave"] * 4), crew(*["join"] * 6))),
    ("B27", lambda: (read_twice(),
        read_twice(2), read_twice(wait=90), read_twice(name="scope/_RGgroup/0"),
        read_twice(closes=False))),
    ("B48", lambda: (checkpoints("a", "b", "c"),
        checkpoints("a", "b", "b", "b"), checkpoints("a", "b", "!a", "c", "d", "!b"),
        checkpoints("a", "~a", "b", "c", "~b", "d", "e"), checkpoints("a", "b", "c", kind=5),
        checkpoints("a", "b", "c", segment="scope/s/0.#epoch.0"))),
    ("B48", lambda: (crewed("A2", "B2", "G9a", "A8a", "G9b", "A8b", "G9c"),
        crewed("A2", "B2", "G9a", "A8a", "B8a", "G9b", "A8b", "B8b", "G9c"),
        crewed("A2", "G9a", "A8a", "G9b", "A8b", "G9c"),
        crewed("A2", "B2", "B3", "G9a", "A8a", "G9b", "A8b", "G9c"),
        crewed("A2", "B2", "G3B", "G9a", "A8a", "G9b", "A8b", "G9c"),
        crewed("G9a", "A8a", "G9b", "A8b", "G9c", "A8c"))),
    ("B48", lambda: (crewed("A5", "B8", "B5", "G9a", "B8a", "G9b", "G9c"),)),
    ("B141", lambda: (shifts(0, 0, 0, others=True),
        shifts(0, 0, others=True), shifts(0, 0, 0), shifts(0, 0, 0, others=True, stays=True),
        shifts(0, 20, 40, others=True))),
    ("B141", lambda: (shifts(7, 7, 3, 0, others=True, reads=4),)),
    ("B140", lambda: (truncated(3),
        truncated(2), truncated(6, moves=True), truncated(6, wait=11))),
    ("B140", lambda: (truncated(4, wait=4),)),
    ("B61", lambda: (fallen_behind(32), fallen_behind(32, reads=0), fallen_behind(10))),
    ("B64", lambda: (membership(2),
        membership(2, 3), membership(2, closes=False), membership(5, 6), membership(2, 2, 3, 3),
        membership(2, 2, 3, refused=1), membership(2, segment="_system/_RGg/0.#epoch.0"))),
    ("B64", lambda: (membership(2, 2, 3),)),
    ("B64", lambda: (crew("join"),
        crew("join", "leave"), crew("join", closes=False), crew("move"),
        crew("join", "join", "refused", "leave"), crew("join", table="_system/g_kvtable/0"),
        crew("join", "unanswered"))),
    ("B64", lambda: (crew("join", "move"),)),
    ("B222", lambda: (looks(crew("join")),
        crew("join"), looks(crew("join", "leave")), looks(crew("join"), "join"),
        looks(crew("join", closes=False)))),
    ("B222", lambda: (looks(membership(2), segment=True), looks(membership(2, 3), segment=True))),
    ("B61b", lambda: (continued(162, 360), continued(0, 360), continued(360, 360))),
    ("B61b", lambda: (continued(162, 360, asks=False),)),
    ("B69", lambda: (stated(3),
        stated(2), stated(4, updates_each=0), stated(4, truncates=True), stated(4, grows=0))),
    ("B89", lambda: (held(2),
        held(2, every=30_000), held(2, every=0), held(2, segments=1), held(2, wait=1),
        held(2, 4, 5), held(2, 9), held())),
    ("B89", lambda: (held(2, 2, 3, wait=0, closes=True),)),
    ("B90", lambda: (shifts(0, 0),
        shifts(0, 20), shifts(0, 10), shifts(0, 0, reads=1), shifts(0, 0, number=1 << 40),
        shifts(0, 0, table="_system/g_kvtable/0.#epoch.0"), shifts(0, 0, others=True))),
    ("B90", lambda: (shifts(0, 20, 15),)),
    ("B90b", lambda: (shifts(0, 0, 0), shifts(0, 0), shifts(0, 20, 20, 20))),
    ("B90b", lambda: (shifts(30, 30, 30),)),
    ("B65", lambda: (membership(*[4] * 5), membership(*[4] * 4), membership(*[4] * 6, wait=11))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {
        each.id for each in (*CHECKPOINTS, *READERS, *READING, *SHELVES, *STATES, *STREAMS_BEFORE)
    } == {f"PRV-{rule}" for rule, *_ in CASES}
