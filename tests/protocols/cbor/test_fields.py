"""The fields of CBOR."""

from streamshark.protocols.cbor.fields import fields
from streamshark.protocols.cbor.value import decode


def test_values() -> None:
    """Of `{"k": {"a": 1, "b": h'ff'}}`."""
    value = decode(b"\xa1ak\xa2aa\1ab\x41\xff").value
    found = {each.name: list(each.values(value)) for each in fields()}

    assert found["path"] == ["/k", "/k/a", "/k/b"]
    assert (found["value.number"], found["value.bytes"]) == ([1.0], [b"\xff"])
