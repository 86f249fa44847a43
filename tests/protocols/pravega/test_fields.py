"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen

WRITER = bytes(range(1, 17))


def test_segment_and_writer() -> None:
    """Of commands that name them; the segment also of a writer's blocks and of replies."""
    capture, appends = "pravega/bug_event_number_goes_back", ("append_block", "append_block_end")

    segments = seen(capture, "pravega.segment")
    assert {segments[name].pop() for name in (*appends, "data_appended")} == {
        "hand/stream/0.#epoch.0"
    }
    writers = seen(capture, "pravega.writer_id")
    assert set(writers) == {"setup_append", "append_setup", *appends, "data_appended"}
    assert all(each == {WRITER} for each in writers.values())
    assert seen(capture, "pravega.request_id")["data_appended"] == {2}


def test_failures() -> None:
    """Replies that say why something was not done."""
    assert set(seen("pravega/segments_by_hand", "pravega.failed")) == {
        "no_such_segment", "segment_already_exists", "conditional_check_failed",
        "segment_is_truncated", "wrong_host",
    }  # fmt: skip


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("pravega") == {
        "body": {"data", "event"},
        "chance": {
            "connection_id",
            "connection_offset",
            "connection_offset_ack_level",
            "continuation_token",
            "current_segment_write_offset",
            "delegation_token",
            "expected_offset",
            "from_position",
            "high_bits",
            "key_version",
            "last_modified",
            "last_position",
            "low_bits",
            "new_target_write_offset",
            "offset",
            "reader_group_id",
            "request_id",
            "scale_timestamp",
            "start_offset",
            "table_segment_offset",
            "target_offset",
            "timestamp",
            "token",
            "transaction_id",
            "truncation_offset",
            "write_offset",
            "writer",
            "writer_id",
        },
        "correlates": {"request_id"},
        "host": {"correct_host", "endpoint"},
        "identifies": {"connection_id", "event_number", "last_event_number", "writer_id"},
        "keyword": {"operation_name"},
        "port": {"port"},
        "stream": {"chunk_name", "parent_segment", "segment", "source", "sources", "target"},
        "text": {"message", "server_stack_trace"},
        "time": {"last_modified", "scale_timestamp"},
    }
