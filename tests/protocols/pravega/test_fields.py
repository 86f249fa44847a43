"""Fields that span commands, in recorded traffic."""

from tests.fields.known import seen

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
