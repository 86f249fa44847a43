"""Messages of RabbitMQ Streams."""

from collections import Counter

from tests.protocols.found_messages import messages_in


def test_entries_and_sub_batches() -> None:
    """Published ones have their publishing id, delivered ones offsets without a gap."""
    found = messages_in("rabbitmq_stream/sub_batches_java")
    published = [each for each in found if each.is_published]
    delivered = [each for each in found if not each.is_published]

    offsets = Counter(each.number for each in delivered)
    assert len(published) == 205  # as the client counted
    assert set(offsets) == set(range(205))
    assert offsets[204] == 2  # a second reader begins in the middle
    assert {each.stream for each in found} == {"sub_batches_java"}
    assert {each.text for each in published} == {each.text for each in delivered}
    assert all(each.data in {one.data for one in published} for each in delivered)


def test_a_delivered_message_names_its_publish() -> None:
    """If exactly one published message has its bytes; AMQP 1.0 has headers."""
    found = messages_in("rabbitmq_stream/publish_and_consume_java")
    by_frame = {(each.row.number, each.index): each for each in found}
    joined = [each for each in found if each.published_frame is not None]

    assert joined
    for each in joined:
        origin = by_frame[each.published_frame, 0].row
        assert each.latency_ns == each.row.time_ns - origin.time_ns > 0
    assert {name for each in found for name, _ in each.headers} == {"region", "attempt"}
