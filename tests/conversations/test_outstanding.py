"""Outstanding ids against a plain multiset of ids."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamshark.conversations import outstanding
from streamshark.conversations.outstanding import OutstandingIds, runs_of

IDS = st.lists(st.integers(0, 30), max_size=6)
STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "take"]), IDS)
    | st.tuples(st.just("upto"), st.integers(0, 30)),
    max_size=20,
)


@given(STEPS)
def test_it_counts_as_a_multiset(steps: list[tuple[str, object]]) -> None:
    """Whatever the order, and however often an id is added."""
    made, plain = OutstandingIds(whole=True), Counter[int]()
    for t, (verb, value) in enumerate(steps):
        if isinstance(value, int):
            made.take_upto(value)
            plain = Counter({each: n for each, n in plain.items() if each > value})
        elif isinstance(value, list):
            for each in value:
                if verb == "add":
                    made.add([each], t, t)
                    plain[each] += 1
                else:
                    assert made.missing([each]) == (0 if plain[each] else 1)
                    made.take([each])
                    plain[each] = max(0, plain[each] - 1)
        assert made.count == sum(plain.values())
        spans = [(first, last) for first, last, _, _ in made.runs]
        assert spans == sorted(spans)
        assert all(one[1] < other[0] for one, other in pairwise(spans))
        oldest = made.oldest()
        assert (oldest and oldest[2]) == min((run[2] for run in made.runs), default=None)
        assert {each for first, last in spans for each in range(first, last + 1)} == {
            each for each, n in plain.items() if n
        }


def test_what_is_taken_says_when_it_was_added() -> None:
    """Frame and time of the first id, of the head or from the middle."""
    made = OutstandingIds(whole=True)
    made.add(range(10), 100, 1)
    made.add([10, 11], 200, 2)

    assert made.take([10]) == (2, 200)
    assert made.take(range(10)) == (1, 100)
    assert made.take([99]) is None
    assert made.oldest() == [11, 11, 200, 2]


def test_the_oldest_first() -> None:
    """So many, whichever they are."""
    made = OutstandingIds(whole=True)
    made.add(range(5), 100, 1)
    made.add(range(5, 10), 200, 2)

    assert made.take_oldest(7) == (1, 100)
    assert made.take_oldest(1) == (2, 200)
    assert made.count == 2
    assert made.take_upto(3) is None


def test_what_is_left_after_the_oldest() -> None:
    """All other ids, each with its frame, whatever their number."""
    for taken in range(13):
        made = OutstandingIds(whole=True)
        for first, size in ((0, 1), (1, 3), (4, 4), (9, 2)):
            made.add(range(first, first + size), 100 + first, first)
        ids = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10]
        frames: dict[int, None] = {}
        found = made.take_oldest(taken, frames)
        brought = [next(each for each in (9, 4, 1, 0) if each <= one) for one in ids]

        assert (made.count, made.taken) == (max(10 - taken, 0), min(taken, 10))
        assert found == ((0, 100) if taken else None)
        assert set(frames) == set(brought[:taken])
        assert [made.missing([each]) for each in ids] == [1] * min(taken, 10) + [0] * made.count
        assert [(made.take([each]) or (-1,))[0] for each in ids[taken:]] == brought[taken:]


def test_too_many_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten, and then the missing ids are unknown."""
    monkeypatch.setattr(outstanding, "MOST_RUNS", 3)
    capped = Counter[str]()
    made = OutstandingIds(whole=True, capped=capped)
    for each in range(0, 10, 2):
        made.add([each], each, each)

    assert (len(made.runs), made.count, made.whole) == (3, 3, False)
    assert capped == {"runs of outstanding ids": 2}
    assert made.missing([0]) is None


def test_too_many_runs_in_disorder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten, whichever ids they are."""
    monkeypatch.setattr(outstanding, "MOST_RUNS", 3)
    made = OutstandingIds(whole=True)
    for each in range(40, 0, -2):
        made.add([each], 100 - each, each)

    assert [run[0] for run in made.runs] == [2, 4, 6]
    assert (made.oldest(), made.count) == ([6, 6, 94, 6], 3)
    assert made.take([6]) == (6, 94)
    assert made.oldest() == [4, 4, 96, 4]


def test_runs() -> None:
    """In their order, however they come."""
    assert runs_of([]) == []
    assert runs_of([5, 5, 7]) == [(5, 5), (5, 5), (7, 7)]
    assert runs_of([1, 3, 2]) == [(1, 1), (3, 3), (2, 2)]
