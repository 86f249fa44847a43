"""Fields that span commands, in recorded traffic."""

from tests.fields.known import seen


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
