"""The fields of CBOR, named as those of JSON."""

from streamshark.decoding import value_fields
from streamshark.decoding.payloads import FormatField


def fields() -> tuple[FormatField, ...]:
    """Return all fields."""
    return value_fields.fields_of_pairs()
