"""Conditions about payloads of NATS."""

from streamshark.protocols.nats.payload_predicates import is_not_announced


def test_headers_announce_in_any_case() -> None:
    """The type, the encoding, and nothing."""
    json = {"key": "CONTENT-TYPE", "value": "application/json"}
    assert is_not_announced({"headers": [json], "payload": b"\x81"}) == "not JSON"
    assert is_not_announced({"headers": [json], "payload": b"{}"}) == ""
    assert is_not_announced({"headers": None, "payload": None}) == ""
