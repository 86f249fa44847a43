"""The shapes of the tables."""

from dataclasses import fields

import pytest

from streamshark.conversations.tables import Pair, Watch


def test_tables_are_values() -> None:
    """Equal ones are one, and what a rule needs is said."""
    pair = Pair(name="p", request="a", answers="b")
    assert {pair, Pair(name="p", request="a", answers="b")} == {pair}
    with pytest.raises(TypeError):
        Watch(on="a")  # type: ignore[call-arg]
    assert [each.name for each in fields(Watch)][:2] == ["on", "needs"]
