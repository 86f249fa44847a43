"""Groups have as even bytes as their buckets allow, and none has more than it may."""

import random

from tests.failures import every

from streamshark.splits.even_groups import even_groups


def filled(groups: list[tuple[int, ...]], sizes: list[int]) -> list[int]:
    """Bytes of groups."""
    return [sum(sizes[at] for at in each) for each in groups]


@every("times", [1, 10, 100])
def test_no_group_grows_with_the_archive(times: int) -> None:
    """Each bucket is in one group, and none has more than the most, but a bucket that has."""
    source = random.Random(times)  # noqa: S311 - the same each time
    sizes = [source.randint(0, 20) for _ in range(50 * times)]
    sizes[7] = 500
    groups = even_groups(sizes, 100)
    assert sorted(at for each in groups for at in each) == list(range(len(sizes)))
    assert max(filled(groups, sizes)) == sizes[7]
    assert sorted(filled(groups, sizes))[-2] <= 100
    assert len(groups) <= 1.2 * sum(sizes) / 100


def test_a_number_of_groups() -> None:
    """They are even; buckets without bytes are in the first."""
    sizes = [5, 0, 4, 3, 2, 0, 4]
    groups = even_groups(sizes, 0, count=3)
    assert sorted(filled(groups, sizes)) == [5, 6, 7]
    assert {1, 5} <= set(groups[0])


def test_groups_that_are_settled() -> None:
    """A bucket stays in its group, whatever that has; others fill the rest."""
    sizes = [90, 90, 30, 30, 0]
    groups = even_groups(sizes, 100, known={0: 2, 1: 2, 4: 1})
    assert groups[2] == (0, 1)
    assert 4 in groups[1]
    assert filled(groups[:3], sizes) == [30, 30, 180]
