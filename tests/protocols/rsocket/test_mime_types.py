"""MIME types of one stream: one, or a list in order of preference."""

import pytest
from tests.protocols.rsocket.traffic import layout_of_record, metadata_vectors, unnamed
from tests.schema.reader_agreement import Vector, broken, whole

from streamshark.protocols.rsocket.mime_types import ACCEPT_MIME_TYPES, DATA_MIME_TYPE

VECTORS = metadata_vectors("mime_type")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each.name)
def test_readers_agree_with_rsocket_core(vector: Vector) -> None:
    """Values are those that the encoder was given."""
    layout = layout_of_record(ACCEPT_MIME_TYPES)

    whole(layout, vector.data, unnamed(vector.expect, "mime_types"))
    broken(layout, vector.data)


def test_data_have_one_type() -> None:
    """More is a problem."""
    layout = layout_of_record(DATA_MIME_TYPE)
    one, _, several = VECTORS

    assert whole(layout, one.data) == {"mime_id": 5}
    assert [each.code.word for each in DATA_MIME_TYPE.decode(several.data).problems] == ["trailing"]


def test_each_is_named_by_its_own_type() -> None:
    """Data's type and accepted types are not confused."""
    assert not DATA_MIME_TYPE.types & ACCEPT_MIME_TYPES.types
