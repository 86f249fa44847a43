"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen


def test_stream() -> None:
    """Of commands that name it, of those with an id of it alone, and of responses."""
    streams = seen("rabbitmq_stream/offset_tracking", "rmqstream.stream")

    assert set(streams) == {
        "query_offset", "query_offset_response", "subscribe", "subscribe_response", "deliver",
        "credit", "store_offset", "unsubscribe", "unsubscribe_response",
    }  # fmt: skip
    assert all(each == {"orders-offset"} for each in streams.values())


def test_offset() -> None:
    """Stored, asked for, answered; of a chunk that of its first message."""
    assert seen("rabbitmq_stream/offset_tracking", "rmqstream.offset") == {
        "query_offset_response": {0, 9},
        "subscribe": {10},
        "deliver": {0, 5, 10},
        "store_offset": {9},
    }


def test_ids() -> None:
    """Of commands that carry them."""
    found = seen("rabbitmq_stream/offset_tracking", "rmqstream.subscription_id")
    assert found == {name: {0} for name in ("subscribe", "deliver", "credit", "unsubscribe")}
    found = seen("rabbitmq_stream/sub_batches_java_3_10", "rmqstream.publisher_id")
    assert set(found) >= {"declare_publisher", "publish", "publish_confirm"}


def test_failures() -> None:
    """Codes of responses, of streams in Metadata, and of a Close; failed where one is not ok."""
    codes = seen("rabbitmq_stream/missing_stream_go", "rmqstream.response_code")
    failed = seen("rabbitmq_stream/missing_stream_go", "rmqstream.failed")

    assert codes["close"] == {1, 13}
    assert codes["metadata_response"] == {2}
    assert failed == {name: {True} for name, values in codes.items() if values - {1}}


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("rmqstream") == {
        "body": {"data", "message"},
        "chance": {
            "chunk_id",
            "committed_chunk_id",
            "correlation_id",
            "epoch",
            "offset",
            "timestamp",
        },
        "correlates": {"correlation_id"},
        "counts": {"num_entries", "num_records", "record_count"},
        "host": {"host"},
        "identifies": {"publisher_id", "publishing_id", "subscription_id"},
        "keyword": {"mechanism", "mechanisms"},
        "port": {"port"},
        "reference": {"publisher_reference", "reference"},
        "response_code": {"response_code"},
        "server_host": {"connection_properties"},
        "sizes": {"data_length"},
        "stream": {"partitions", "stream", "stream_name", "streams", "super_stream"},
        "text": {"closing_reason"},
        "time": {"timestamp"},
    }
