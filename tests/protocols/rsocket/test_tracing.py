"""Tracing: ids are there by their flags."""

import pytest
from tests.protocols.rsocket.traffic import layout_of_record, metadata_vectors, unnamed
from tests.schema.reader_agreement import Vector, broken, whole

from streamshark.protocols.rsocket.tracing import TRACING

LAYOUT = layout_of_record(TRACING)
VECTORS = metadata_vectors("tracing")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_with_rsocket_core(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    whole(LAYOUT, vector.data, unnamed(vector.expect))
    broken(LAYOUT, vector.data)


def test_four_lengths() -> None:
    """Flags alone, ids of 64 bits, with a parent or a long trace id, with both."""
    assert {len(each.data) for each in VECTORS} <= {1, 17, 25, 33}
    assert [each.code.word for each in TRACING.decode(b"\x80" + bytes(15)).problems] == ["short"]
