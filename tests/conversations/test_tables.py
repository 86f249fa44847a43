"""The shapes of the tables."""

from dataclasses import FrozenInstanceError, fields

import pytest

from streamshark.conversations.tables import Pair, Watch


def test_tables_are_values() -> None:
    """They do not change, and what a rule needs is said."""
    pair = Pair(name="p", request="a", answers="b")
    with pytest.raises(FrozenInstanceError):
        pair.name = "q"  # type: ignore[misc]
    with pytest.raises(TypeError):
        Watch(on="a")  # type: ignore[call-arg]
    assert [each.name for each in fields(Watch)][:2] == ["on", "needs"]
