"""Conditions about the values of messages."""

from streamshark.protocols.liftbridge.value_predicates import (
    is_nearly_published,
    is_nearly_subscribed,
    is_not_announced,
)


def test_headers_announce_in_any_case() -> None:
    """The type; nothing without headers, or with an empty one."""
    json = {"key": "CONTENT-TYPE", "value": b"application/json"}
    assert is_not_announced({"fields.headers": [json], "value": b"\x81"}) == "not JSON"
    assert is_not_announced({"fields.headers": [json], "value": b"{}"}) == ""
    assert is_not_announced({"fields.headers": [{"key": "a"}], "value": None}) == ""
    assert is_not_announced({}) == ""


def test_a_stream_with_nearly_the_name() -> None:
    """One letter, case or separators; not without names, nor the name itself."""
    names = {"payments", "order-events"}
    assert is_nearly_subscribed({"sub.stream": "payment", "catalogue.names": names}) == "payments"
    assert is_nearly_published({"stream": "Order_Events", "catalogue.names": names}) == (
        "order-events"
    )
    assert is_nearly_published({"stream": "payments", "catalogue.names": names}) == ""
    assert is_nearly_published({"stream": None, "catalogue.names": None}) == ""
