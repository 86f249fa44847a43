"""Publish (0x02): a client sends messages to a publisher's stream.

No response: PublishConfirm or PublishError name the messages later, by publisher and publishing
id. An entry is one message, or a sub-batch of several with one publishing id; as the
top bit after the id shows. The document writes `Message => bytes` and does not mention sub-batches.

Version 2 (3.13.0 on) adds a filter value to each entry, null where a message has none, and has no
sub-batches: the broker's parser crashes on one. The document's production lacks the value and
does not say that it may be null. Clients use version 2 only when they have filter values; no
agreement is needed for it.

Spec: PROTOCOL.adoc, "Publish".
"""

from streamshark.protocols.rabbitmq_stream.codes import Key
from streamshark.protocols.rabbitmq_stream.types import (
    MESSAGE,
    NULLABLE_STRING,
    PUBLISHER_ID,
    PUBLISHING_ID,
    SUB_BATCH,
    last_array,
)
from streamshark.schema import Either, FrameKind, FrameSchema, Numbering, Record, Sender, field

_MESSAGE = field(
    "message", MESSAGE, "Message as the client encoded it, usually AMQP 1.0.", role="body"
)

FRAMES = (
    FrameSchema(
        name="publish",
        key=Key.PUBLISH,
        version=1,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Sends messages to a stream.",
        spec="PROTOCOL.adoc, Publish",
        since="3.9.0",
        body=(
            PUBLISHER_ID,
            field(
                "published_messages",
                last_array(Record(PUBLISHING_ID, Either(clear=(_MESSAGE,), set=SUB_BATCH))),
                "Messages and sub-batches, in the order of publishing.",
            ),
        ),
        shows="{@stream} ids={published_messages.publishing_id:ranges} pub={publisher_id}",
        numbers=(
            Numbering(
                items="published_messages",
                name="publishing_id",
                doc="Publishing id of the sub-batch, which all its messages share.",
                inside="records",
            ),
        ),
    ),
    FrameSchema(
        name="publish",
        key=Key.PUBLISH,
        version=2,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Sends messages with filter values to a stream.",
        spec="PROTOCOL.adoc, Publish",
        since="3.13.0",
        body=(
            PUBLISHER_ID,
            field(
                "published_messages",
                last_array(
                    Record(
                        PUBLISHING_ID,
                        field(
                            "filter_value",
                            NULLABLE_STRING,
                            "What subscriptions may filter on; null for a message without one.",
                        ),
                        _MESSAGE,
                    )
                ),
                "Messages, in the order of publishing.",
            ),
        ),
        shows="{@stream} ids={published_messages.publishing_id:ranges} pub={publisher_id}",
    ),
)
