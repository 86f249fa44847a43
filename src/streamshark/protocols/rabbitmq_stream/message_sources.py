"""Messages of RabbitMQ Streams: entries of Publish and of the chunks of Deliver."""

from streamshark.conversations.messages import DELIVERED, PUBLISHED, MessageSource

MESSAGES = (
    MessageSource(
        command="publish",
        way=PUBLISHED,
        items=("published_messages", "records"),
        stream=("stream",),
        number="publishing_id",
        key="filter_value",
        body=("message",),
    ),
    MessageSource(
        command="deliver",
        way=DELIVERED,
        items=("chunk.entries", "records"),
        stream=("stream",),
        number="offset",
        body=("data", "message"),
    ),
)
