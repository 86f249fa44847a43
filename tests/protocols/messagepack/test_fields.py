"""The fields of MessagePack."""

from streamshark.protocols.messagepack.fields import fields
from streamshark.protocols.messagepack.value import decode


def test_values() -> None:
    """Of `{"k": {"a": 1, "b": h'ff'}}`."""
    value = decode(bytes.fromhex("81a16b82a16101a162c401ff")).value
    found = {each.name: list(each.values(value)) for each in fields()}

    assert found["path"] == ["/k", "/k/a", "/k/b"]
    assert (found["value.number"], found["value.bytes"]) == ([1.0], [b"\xff"])
