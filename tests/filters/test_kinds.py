"""Types that may be compared."""

from streamshark.fields.types import FieldType, integer
from streamshark.filters import kinds


def test_fields_of_one_kind_are_comparable() -> None:
    """All numbers with each other, bytes with UUIDs; nothing with what is only present."""
    assert kinds.comparable(integer("", 8), integer("", 64, signed=True))
    assert kinds.comparable(kinds.BYTES, FieldType("UUID", "uuid"))
    assert not kinds.comparable(kinds.TEXT, kinds.BYTES)
    assert not kinds.comparable(kinds.NONE, kinds.NONE)


def test_limits_of_numbers() -> None:
    """By width and sign."""
    assert kinds.limits(integer("", 16)) == (0, 65_535)
    assert kinds.limits(integer("", 8, signed=True)) == (-128, 127)


def test_types_have_names_for_messages() -> None:
    """Of numbers with the width."""
    assert kinds.named(integer("", 16)) == "an unsigned 16-bit number"
    assert kinds.named(kinds.IPV6) == "an IPv6 address"
