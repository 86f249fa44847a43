"""Conditions about the values of messages."""

from streamshark.protocols.liftbridge.value_predicates import is_not_announced


def test_headers_announce_in_any_case() -> None:
    """The type; nothing without headers, or with an empty one."""
    json = {"key": "CONTENT-TYPE", "value": b"application/json"}
    assert is_not_announced({"fields.headers": [json], "value": b"\x81"}) == "not JSON"
    assert is_not_announced({"fields.headers": [json], "value": b"{}"}) == ""
    assert is_not_announced({"fields.headers": [{"key": "a"}], "value": None}) == ""
    assert is_not_announced({}) == ""
