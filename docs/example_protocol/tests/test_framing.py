"""Frames: each key has its frame; `tests/protocols/test_vectors.py` holds the bytes."""

from tally.codes import Key
from tally.framing import all_frames


def test_every_key_has_its_frame() -> None:
    """Each key names its command."""
    assert {each.name: int(each.key) for each in all_frames()} == {
        each.name.lower(): int(each) for each in Key
    }
