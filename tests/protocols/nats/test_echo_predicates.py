"""Configurations that differ in the answer."""

import json

from tests.failures import every

from streamshark.protocols.nats.echo_predicates import is_configured_otherwise

FILE = {"name": "S", "storage": "file", "max_msgs": 7, "allow_direct": True}
ANSWERS: tuple[tuple[dict[str, object], dict[str, object], str], ...] = (
    (FILE, {"config": FILE}, ""),
    (FILE, {"config": {**FILE, "num_replicas": 1}}, ""),
    (FILE, {"config": {**FILE, "storage": "memory"}}, "storage"),
    (FILE, {"config": {**FILE, "max_msgs": 8}}, "max_msgs"),
    (FILE, {"config": {**FILE, "max_msgs": True}}, "max_msgs"),
    (FILE, {"config": {"name": "S", "storage": "file", "max_msgs": 7}}, "allow_direct"),
    ({**FILE, "max_msgs": 0}, {"config": {**FILE, "max_msgs": -1}}, ""),
    ({**FILE, "max_msgs": -1}, {"config": {**FILE, "max_msgs": 5}}, ""),
    ({"allow_direct": False}, {"config": {"allow_direct": True}}, ""),
    ({"config": {"ack_policy": "none"}}, {"config": {"ack_policy": "all"}}, "ack_policy"),
    ({"config": {"ack_wait": 5}}, {"config": {"ack_wait": 6}}, ""),
    ({"config": 7}, {"config": FILE}, ""),
    (FILE, {"config": []}, ""),
)


@every(("asked", "answer", "found"), ANSWERS)
def test_members_that_differ(
    asked: dict[str, object], answer: dict[str, object], found: str
) -> None:
    """What was asked for is repeated as it is; defaults and what is not stated may differ."""
    row = {
        "asked.configuration": json.dumps(asked).encode(), "payload": json.dumps(answer).encode()
    }  # fmt: skip
    assert is_configured_otherwise(row) == found


def test_what_is_no_json_differs_in_nothing() -> None:
    """A payload of another format is not read."""
    assert not is_configured_otherwise({"asked.configuration": b"{}", "payload": b"x"})
    assert not is_configured_otherwise({"asked.configuration": None, "payload": b"{}"})
