"""The fields of JSON, named as Wireshark names them."""

from typing import Any

from streamshark.decoding import value_fields
from streamshark.decoding.payloads import FormatField


def fields() -> tuple[FormatField, ...]:
    """Return all fields."""
    return value_fields.fields(_members)


def _members(value: Any) -> value_fields.Members | None:  # noqa: ANN401 - a decoded value
    return value.items() if isinstance(value, dict) else None
