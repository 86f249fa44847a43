"""Members and values of the requests of JetStream."""

import json
from typing import Any

from tests.failures import every

from streamshark.protocols.nats.jetstream_members import (
    LONGEST_READ,
    has_odd_member,
    lacks_what_stores_need,
)

STREAM, CONSUMER = "STREAM.CREATE.S", "CONSUMER.CREATE.S.c"


def config(**members: Any) -> dict[str, Any]:  # noqa: ANN401 - any member
    """A request for a consumer."""
    return {"stream_name": "S", "config": members}


@every(
    ("request", "body", "odd"),
    [
        (STREAM, {"name": "S", "maxAge": 1}, "maxAge is not a member of it; max_age is"),
        (STREAM, {"Name": "S", "max_age": 1}, ""),
        (STREAM, {"name": "S", "replicas": 3}, "replicas is not a member of it; num_replicas is"),
        (STREAM, {"name": "S", "some_new_option": 3}, ""),
        (STREAM, {"name": "S", "ack_wait": 3}, "ack_wait is a member of another request"),
        (STREAM, {"storage": "disk"}, 'storage is "disk", which is none of file, memory'),
        (STREAM, {"storage": "file", "retention": "workqueue", "discard": None}, ""),
        (STREAM, {"retention": 1}, "retention is 1, which is none of limits, interest, workqueue"),
        (STREAM, {"max_msgs": "100"}, 'max_msgs is "100", not number'),
        (STREAM, {"max_msgs": True}, "max_msgs is true, not number"),
        (STREAM, {"no_ack": "false"}, 'no_ack is "false", not true or false'),
        ("STREAM.PURGE.S", {"filter_subject": "a"},
         "filter_subject is not a member of it; filter is"),
        (CONSUMER, config(durable_name="c", ack_policy="explicit"), ""),
        (CONSUMER, config(ack_policy="Explicit"),
         'ack_policy is "Explicit", which is none of none, all, explicit, flow_control'),
        (CONSUMER, {"stream_name": "S", "durable_name": "c"},
         "durable_name is a member of another request"),
        ("CONSUMER.DURABLE.CREATE.S.c", config(deliver_subjects="a"),
         "deliver_subjects is not a member of it; deliver_subject is"),
        ("NEW.REQUEST", {"maxAge": 1}, ""),
    ],
)  # fmt: skip
def test_an_odd_member(request: str, body: dict[str, Any], odd: str) -> None:
    """Misspelt, of another request, or with another value; what is new is left alone."""
    for prefix in ("$JS.API.", "$JS.hub.API."):
        row = {"subject": prefix + request, "payload": json.dumps(body).encode()}
        assert has_odd_member(row) == odd


@every("payload", [b"", b"[1]", b"{", b"{" * 9999, b" " * (LONGEST_READ + 1), b"\xff{}"])
def test_what_is_no_object_has_no_member(payload: bytes) -> None:
    """Bodies that are broken, too long or of another kind."""
    assert has_odd_member({"subject": f"$JS.API.{STREAM}", "payload": payload}) == ""
    assert lacks_what_stores_need({"payload": payload}) == ""


@every(
    ("body", "lacks"),
    [
        ({"name": "KV_a", "allow_rollup_hdrs": True, "max_msgs_per_subject": 5}, ""),
        ({"name": "KV_a", "max_msgs_per_subject": 5}, "allow_rollup_hdrs is not true"),
        ({"name": "KV_a", "allow_rollup_hdrs": True, "max_msgs_per_subject": -1},
         "max_msgs_per_subject is not from 1 to 64"),
        ({"name": "KV_a", "mirror": {"name": "KV_b"}}, ""),
        ({"name": "OBJ_a", "allow_rollup_hdrs": True}, ""),
        ({"name": 5}, ""),
    ],
)  # fmt: skip
def test_a_store(body: dict[str, Any], lacks: str) -> None:
    """What the stream of a store needs."""
    assert lacks_what_stores_need({"payload": json.dumps(body).encode()}) == lacks
