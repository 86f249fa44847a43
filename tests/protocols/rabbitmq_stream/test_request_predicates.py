"""Values in requests: arguments of streams, SASL PLAIN, virtual hosts."""

import base64

from tests.failures import every

from streamshark.protocols.rabbitmq_stream.request_predicates import (
    has_bad_argument,
    is_below_a_segment,
    is_not_plain,
    is_percent_encoded,
)


def row(**given: str) -> dict[str, list[dict[str, str]]]:
    """Return Create with arguments; underscores are hyphens."""
    pairs = [{"key": key.replace("_", "-"), "value": value} for key, value in given.items()]
    return {"arguments": pairs}


ARGUMENTS = (
    ("max_age", ("7D", "3600s", "1Y", "2M", "5h", "10m"), ("3600", "7d", "60 s", "1W", "7D ")),
    ("stream_filter_size_bytes", ("16", "255"), ("15", "256", "-1", "a")),
    ("initial_cluster_size", ("1", "3", "x"), ("0",)),
    ("stream_max_segment_size_bytes", ("1", "500000000"), ("0",)),
    ("queue_leader_locator", ("balanced", "3600"), ()),
)
"""Argument, values that are right or that another rule judges, and wrong ones."""


@every(("name", "right", "wrong"), ARGUMENTS)
def test_values_of_arguments(name: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    """Each wrong value is named with its argument; values that are no number are of S4."""
    assert [each for each in right if has_bad_argument(row(**{name: each}))] == []
    for each in wrong:
        assert has_bad_argument(row(**{name: each})).startswith(name.replace("_", "-")), each
    assert has_bad_argument({"arguments": None}) == ""


def test_a_limit_below_a_segment() -> None:
    """With the segment that is given, or the default; not one that holds a segment."""
    assert is_below_a_segment(row(max_length_bytes="499999999")) != ""
    assert is_below_a_segment(row(max_length_bytes="500000000")) == ""
    small = {"stream_max_segment_size_bytes": "1000"}
    assert is_below_a_segment(row(max_length_bytes="1000", **small)) == ""
    assert "999" in is_below_a_segment(row(max_length_bytes="999", **small))
    for strange in ("", "0", "-1", "many", "9" * 30):
        assert is_below_a_segment(row(max_length_bytes=strange)) == ""


def test_the_layout_of_plain() -> None:
    """Three parts with a user; the reason never shows a part."""
    for right in (b"\0user\0secret", b"admin\0user\0secret", b"\0user\0"):
        assert is_not_plain({"sasl_opaque_data": right}) == ""
    wrong = {
        b"user\0secret": "1 zero byte",
        b"\0user\0secret\0": "3 zero bytes",
        b"user:secret": "0 zero bytes",
        b"\0\0secret": "no user",
        base64.b64encode(b"\0user\0secret"): "Base64",
        b"": "empty",
        None: "empty",
    }
    for data, reason in wrong.items():
        found = is_not_plain({"sasl_opaque_data": data})
        assert reason in found
        assert "secret" not in found


def test_a_virtual_host_from_a_uri() -> None:
    """With a byte in percents; a percent sign alone is a character."""
    assert is_percent_encoded({"virtual_host": "%2F"}) == "/"
    assert is_percent_encoded({"virtual_host": "%2fshop%20one"}) == "/shop one"
    assert is_percent_encoded({"virtual_host": "/"}) == ""
    assert is_percent_encoded({"virtual_host": "100%"}) == ""
