"""Permutations: different numbers stay different, small ranges have no fixed point."""

from streamshark.sharing.redaction_ciphers import SHUFFLED, Permutations


def test_every_number_has_a_replacement_of_its_own() -> None:
    """In tables and in the Feistel network."""
    one = Permutations(b"one")
    for size in (1, 2, 10, 26, 1_000, SHUFFLED, SHUFFLED + 1):
        made = [one.of(number, size, b"test") for number in range(size)]
        assert sorted(made) == list(range(size)), size
        if 1 < size <= SHUFFLED:
            assert all(number != new for number, new in enumerate(made)), size


def test_replacements_follow_from_key_and_purpose() -> None:
    """And from nothing else."""
    made = [
        [Permutations(key).of(number, 10**9, purpose) for number in range(5)]
        for key, purpose in ((b"one", b"a"), (b"two", b"a"), (b"one", b"b"), (b"one", b"a"))
    ]
    assert made[0] == made[3]
    assert len({tuple(each) for each in made}) == 3
