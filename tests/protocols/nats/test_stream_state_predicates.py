"""Which messages consumers want, and which configurations contradict themselves."""

import json

from tests.failures import every

from streamshark.protocols.nats.stream_state_predicates import contradicts_itself, is_unwanted

UNWANTED = (
    ("orders.new", ["orders.*"], ""),
    ("orders.new", ["bills.>", "orders.*"], ""),
    ("orders.new", [">"], ""),
    ("orders.new", ["bills.>"], "bills.>"),
    ("orders.new", ['"a.*","b"', "c"], "a.*, b, c"),
    ("orders.new", ['"a.*", "orders.new"'], ""),
)


@every(("subject", "filters", "found"), UNWANTED)
def test_a_message_is_unwanted_if_no_filter_matches(
    subject: str, filters: list[str], found: str
) -> None:
    """Filters are single ones, or the lists of JSON."""
    row = {"asked.subject": subject, "origin.filters": dict.fromkeys(filters)}
    assert is_unwanted(row) == found


NEW = {"discard": "new", "max_msgs_per_subject": 1}
SLOW = {"ack_wait": 10 * 10**9, "ack_policy": "explicit"}
CONFIGURED: tuple[tuple[dict[str, object], str], ...] = (
    (NEW, "discard is new"),
    ({**NEW, "discard_new_per_subject": True}, ""),
    ({**NEW, "max_msgs": 100}, ""),
    ({**NEW, "max_bytes": 100, "max_msgs": -1}, ""),
    ({**NEW, "discard": "old"}, ""),
    ({**NEW, "name": "KV_a"}, ""),
    ({"discard": "new"}, ""),
    ({"config": {**SLOW, "backoff": [300_000_000, 10**9]}}, "backoff replaces ack_wait: 0.3 s"),
    ({"config": {**SLOW, "backoff": [20 * 10**9]}}, ""),
    ({"config": {"ack_wait": 30 * 10**9, "backoff": [10**9]}}, ""),
    ({"config": {**SLOW, "inactive_threshold": 10**9}}, "inactive_threshold is 1 s"),
    ({"config": {**SLOW, "inactive_threshold": 60 * 10**9}}, ""),
    ({"config": {**SLOW, "inactive_threshold": 10**9, "ack_policy": "none"}}, ""),
    ({"config": {"ack_policy": "none", "max_deliver": 5}}, "max_deliver is 5"),
    ({"config": {"ack_policy": "none", "max_deliver": -1}}, ""),
    ({"config": {"ack_policy": "explicit", "max_deliver": 5}}, ""),
)


@every(("body", "found"), CONFIGURED)
def test_a_configuration_contradicts_itself(body: dict[str, object], found: str) -> None:
    """One of two members has no effect."""
    row = {"subject": "$JS.API.STREAM.CREATE.S", "payload": json.dumps(body).encode()}
    said = contradicts_itself(row)
    assert said.startswith(found)
    assert bool(said) == bool(found)
