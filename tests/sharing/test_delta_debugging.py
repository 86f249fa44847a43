"""The fewest items for which something holds."""

from itertools import combinations

from streamshark.sharing.delta_debugging import EffortSpentError, fewest


def test_no_item_of_the_result_can_be_left_out() -> None:
    """Of every set of needed items that make alternatives, exactly one alternative is kept."""
    for needed in (*combinations(range(7), 2), (), tuple(range(7))):
        for other in combinations(range(7), 3):
            alternatives = {*needed}, {*other}

            def holds(some: list[int], alternatives: tuple[set[int], ...] = alternatives) -> bool:
                return any(each <= set(some) for each in alternatives)

            kept = fewest(range(7), holds)
            assert set(kept) in alternatives, (needed, other)
            assert kept == sorted(kept)
            for each in kept:
                assert not holds([one for one in kept if one != each]), (needed, other)


def test_few_of_many_take_few_tests() -> None:
    """Three items of ten thousand need some hundred tests, and not ten thousand."""
    tests = 0

    def holds(some: list[int]) -> bool:
        nonlocal tests
        tests += 1
        return {17, 4_000, 9_999} <= set(some)

    assert fewest(range(10_000), holds) == [17, 4_000, 9_999]
    assert tests < 200


def test_the_shortest_so_far_is_the_result_when_effort_is_spent() -> None:
    """What an earlier test has left out stays out."""
    tests = 0

    def holds(some: list[int]) -> bool:
        nonlocal tests
        tests += 1
        if tests > 4:
            raise EffortSpentError
        return 3 in some

    kept = fewest(range(16), holds)
    assert 3 in kept
    assert len(kept) < 16


def test_one_by_one() -> None:
    """Where few can be left out, none are tried together."""
    sizes = []

    def holds(some: list[int]) -> bool:
        sizes.append(len(some))
        return {0, 2, 3} <= set(some)

    assert fewest(range(4), holds, singly=True) == [0, 2, 3]
    assert min(sizes) == 2
