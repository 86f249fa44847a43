"""Routing: tags as rsocket-core writes them, and the bare string that applications put there."""

import pytest
from tests.protocols.rsocket.traffic import layout_of_record, metadata_vectors, unnamed
from tests.schema.reader_agreement import Vector, broken, whole

from streamshark.protocols.rsocket.routing import ROUTING

LAYOUT = layout_of_record(ROUTING)


@pytest.mark.parametrize("vector", metadata_vectors("routing"), ids=lambda each: each.name)
def test_readers_agree_with_rsocket_core(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    whole(LAYOUT, vector.data, unnamed(vector.expect, "tags"))
    broken(LAYOUT, vector.data, most=40)


def test_a_bare_string_is_a_problem() -> None:
    """Its first letter is taken for a length."""
    decoded = ROUTING.decode(b"user.lookup")

    assert [each.code.word for each in decoded.problems] == ["short"]


def test_nobody_guesses_it() -> None:
    """Any text could be tags."""
    assert ROUTING.sure(b"\x02hi") == 0
    assert ROUTING.decode(b"\x02hi").value == ["hi"]
