"""Messages of Liftbridge: in its envelope on NATS, and in the calls of its gRPC API."""

from streamshark.conversations.messages import DELIVERED, PUBLISHED, MessageSource

_API = "/proto.API/"

MESSAGES = (
    MessageSource(
        command="publish",  # a delivery has the same layout
        stream=("stream", "subject"),
        partition="partition",
        key="key",
        headers="headers",
        body=("value",),
    ),
    *(
        MessageSource(
            protocol="grpc",
            command=command,
            way=way,
            only=(("path", f"{_API}{method}"),),
            stream=("message.stream",),
            partition="message.partition",
            number="message.offset" if way == DELIVERED else "",
            absent_number=0 if way == DELIVERED else None,
            key="message.key",
            headers="message.headers",
            body=("message.value",),
        )
        for command, way, method in (
            ("message", PUBLISHED, "Publish"),
            ("message", PUBLISHED, "PublishAsync"),
            ("reply", DELIVERED, "Subscribe"),
        )
    ),
    MessageSource(
        protocol="grpc",
        command="message",
        way=PUBLISHED,
        only=(("path", f"{_API}PublishToSubject"),),
        stream=("message.subject",),
        key="message.key",
        headers="message.headers",
        body=("message.value",),
    ),
)
