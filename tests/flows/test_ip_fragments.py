"""Fragments in any order give the datagram; what is held is bounded in bytes, time and work."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from streamshark.flows.ip_fragments import (
    FRAGMENTS_NS,
    HELD_FRAGMENTS,
    LARGEST_DATAGRAM,
    Datagram,
    Fragment,
    IncompleteDatagrams,
)

TEXT = bytes(range(256)) * 8


def part(
    start: int, data: bytes, *, last: bool = False, key: bytes = b"k", cut: int = 0
) -> Fragment:
    """Make a fragment; `cut` of its bytes were not captured."""
    captured = data[: len(data) - cut]
    return Fragment(key, 6 if not start else 0, start, len(data), last, captured, b"a", 0)


def added(*parts: Fragment) -> list[Datagram]:
    """Return the datagrams that fragments complete."""
    store = IncompleteDatagrams()
    whole = [store.add(each, 0) for each in parts]
    return [each for each in whole if each is not None]


@given(
    places=st.sets(st.integers(1, 250), max_size=20),
    choice=st.randoms(use_true_random=False),
    repeats=st.integers(0, 6),
)
def test_order_and_repeats_do_not_matter(
    places: set[int], choice: random.Random, repeats: int
) -> None:
    """Any order, some of them twice or over other borders: the datagram, once."""
    edges = [0, *(place * 8 for place in sorted(places)), len(TEXT)]
    parts = [part(a, TEXT[a:b], last=b == len(TEXT)) for a, b in pairwise(edges)]
    for _ in range(repeats):
        low, high = sorted(choice.sample(range(len(TEXT) // 8), 2))
        parts.append(part(low * 8, TEXT[low * 8 : high * 8]))
    choice.shuffle(parts)

    assert [each.data for each in added(*parts)] == [TEXT]


def test_the_first_copy_of_a_byte_stays() -> None:
    """Overlaps bring only what is new."""
    (whole,) = added(part(0, b"abcdefgh"), part(0, b"XXXXXXXXijklmnop"), part(16, b"qr", last=True))

    assert whole.data == b"abcdefghijklmnopqr"
    assert (whole.protocol, whole.length, whole.parts) == (6, 18, 3)


def test_overlaps_with_other_bytes_are_counted() -> None:
    """Once for each datagram; bytes that were not captured contradict nothing."""
    store = IncompleteDatagrams()
    for key in (b"k", b"other"):
        for each in (b"abcdefgh", b"abcdefgX", b"abcdefgY"):
            store.add(part(0, each, key=key), 0)
    store.add(part(0, b"abcdefgh", key=b"same"), 0)
    store.add(part(0, b"abcdefghijklmnop", key=b"same"), 0)
    store.add(part(0, b"abcdefgh", key=b"cut", cut=4), 0)
    store.add(part(0, b"abcdefgh", key=b"cut"), 0)

    assert store.differing == 2


def test_bytes_cut_off_end_the_data() -> None:
    """What the snap length cut keeps its place, and the length is that on the wire."""
    (whole,) = added(part(0, bytes(16), cut=6), part(16, b"qr", last=True))

    assert (whole.data, whole.length) == (bytes(10), 18)


def test_contradictions_are_given_up() -> None:
    """Two ends, or bytes beyond the end: nothing is believed of that datagram."""
    assert added(part(8, b"abc", last=True), part(16, bytes(8)), part(0, bytes(8))) == []
    assert added(part(16, bytes(8)), part(8, b"abc", last=True), part(0, bytes(8))) == []


def test_old_ones_are_forgotten() -> None:
    """After a minute of capture time an identification may mean another datagram."""
    store = IncompleteDatagrams()
    store.add(part(0, bytes(8)), 5)
    store.add(part(0, bytes(8), key=b"other"), 5 + FRAGMENTS_NS)

    assert store.add(part(8, b"z", last=True), 6 + FRAGMENTS_NS) is None
    assert store.add(part(8, b"z", last=True, key=b"other"), 6 + FRAGMENTS_NS) is not None


def test_what_is_held_is_bounded() -> None:
    """Starts without ends take no more than the cap, and the newest stay."""
    store = IncompleteDatagrams()
    for number in range(3 * HELD_FRAGMENTS // 1_000):
        store.add(part(0, bytes(1_000), key=number.to_bytes(4, "big")), number)

        assert store.held < HELD_FRAGMENTS + 2_000

    assert store.add(part(1_000, b"z", last=True, key=number.to_bytes(4, "big")), number)


def test_many_small_parts_take_linear_time() -> None:
    """The last fragment first, then eight bytes at a time backwards, takes little time."""
    store = IncompleteDatagrams()
    end = LARGEST_DATAGRAM & ~7
    store.add(part(end - 8, bytes(8), last=True), 0)
    whole = [store.add(part(at, bytes(8)), 0) for at in range(end - 16, -8, -8)]

    assert [each is not None for each in whole].count(True) == 1
    assert whole[-1] is not None
    assert store.held == 0
