"""The fields of message bodies."""

from tests.failures import every
from tests.filters.reading import CAPTURES, error_of, read

from streamshark.filters.body_fields import BodyFields
from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields

PROPERTIES = CAPTURES / "rabbitmq_stream" / "message_properties_java" / "traffic.pcapng.gz"
SUB_BATCHES = CAPTURES / "rabbitmq_stream" / "sub_batches_go" / "traffic.pcapng.gz"
SEVERAL_WINDOWS = CAPTURES / "rabbitmq_stream" / "perf_test_go" / "traffic.pcapng.gz"
CARRIED = CAPTURES / "liftbridge" / "failover_go" / "traffic.pcapng.gz"
JSON = CAPTURES / "nats" / "jetstream_go" / "traffic.pcapng"
FRAMES = {
    "amqp1 && rmqstream.publish": [31, 33],
    'amqp1.properties.message_id == "order-1"': [31, 51],
    'amqp1.properties.subject contains "\u00df" && rmqstream.publish': [31, 33],
    "amqp1.properties.group_sequence == 4294967295 && rmqstream.publish": [31, 33],
    'amqp1.application_properties.key == "yes"': [33, 52],
    "request.amqp1": [32, 34],
    "json": [],
}


@every("text", FRAMES)
def test_fields_of_messages(text: str) -> None:
    """In requests as in deliveries, of several messages in one frame."""
    assert read(PROPERTIES).frames(text) == FRAMES[text]


def test_packed_and_nested_bodies() -> None:
    """Compressed batches are unpacked; packets of all windows have their rows."""
    assert read(SUB_BATCHES).numbers("amqp1.data.text")[:3] == [69, 101, 132]
    assert read(SEVERAL_WINDOWS).numbers("amqp1 && frame.number == 227") == [227]
    assert read(JSON).frames('json.key == "stream" && json.value.number == 1')[:1] == [10]
    assert read(JSON).frames('json.path_with_value == "/config/retention:limits"')[:1] == [8]
    assert read(JSON).frames('nats.text contains "retention" && json')[:1] == [7]


def test_a_body_that_is_a_frame_is_a_body_of_that_frame_alone() -> None:
    """As in plugins: `nats.text` is not what Liftbridge reads."""
    assert read(CARRIED).numbers('liftbridge.text contains "lift-1"')[:2] == [146, 147]
    assert read(CARRIED).numbers('nats.text contains "lift-1"') == []
    assert read(CARRIED).numbers('nats && json.value.string == "lift-1"')[:2] == [146, 147]


def test_bodies_are_read_only_if_a_filter_names_them() -> None:
    """And only of frames that have some."""
    fields = RowFields(read(PROPERTIES).fields)
    rows = [row for row in read(PROPERTIES).rows if getattr(row, "decoder", None)]
    for text in ("rmqstream.publish", "amqp1"):
        chosen = Filter(text, fields)
        assert ("bodies" in chosen.needs) == (text == "amqp1")
    bodies = BodyFields(read(PROPERTIES).fields)
    carrying = {row.decoder.schema.name for row in rows if bodies.values("amqp1", row.decoder)}
    assert {"publish", "deliver"} <= carrying
    assert "open" not in carrying


def test_near_misses() -> None:
    """Name a field of the format."""
    for text, near in (
        ("amqp1.properties.subjct", "amqp1.properties.subject"),
        ("json.keys", "json.key"),
        ("amqp == 1", "amqp1"),
    ):
        assert f'did you mean "{near}"?' in str(error_of(text))
