"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen


def test_stream_partition_and_offset() -> None:
    """Of messages between servers, and of calls of the API."""
    streams = seen("liftbridge/cursors_go", "liftbridge.stream")

    assert set(streams) >= {"publish", "ack", "message", "reply"}
    assert streams["message"] == {"work"}
    assert seen("liftbridge/cursors_go", "liftbridge.offset")["ack"] == {1, 2}
    assert 1 in seen("liftbridge/groups_go", "liftbridge.partition")["message"]


def test_failures() -> None:
    """Errors that an ack or an answer reports."""
    assert seen("liftbridge/bug_stale_offset_go", "liftbridge.failed") == {
        "ack": {True},
        "reply": {True},
    }


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("liftbridge") == {
        "body": {"value"},
        "chance": {
            "ack_inbox",
            "commit_timestamp",
            "correlation_id",
            "creation_timestamp",
            "end_offset",
            "epoch",
            "expected_offset",
            "first_timestamp",
            "group_epoch",
            "high_watermark",
            "latest_timestamp",
            "leader_epoch",
            "newest_offset",
            "offset",
            "reception_timestamp",
            "reply_subject",
            "start_offset",
            "start_timestamp",
            "stop_offset",
            "stop_timestamp",
            "timestamp",
        },
        "correlates": {"correlation_id"},
        "host": {"host"},
        "port": {"port"},
        "response_code": {"ack_error", "code"},
        "stream": {"name", "stream", "subject"},
        "text": {"error", "message", "msg"},
        "time": {
            "commit_timestamp",
            "creation_timestamp",
            "first_timestamp",
            "latest_timestamp",
            "reception_timestamp",
            "start_timestamp",
            "stop_timestamp",
            "timestamp",
        },
    }
