"""Messages of NATS: what clients publish, and what the server delivers to them."""

from streamshark.conversations.messages import DELIVERED, PUBLISHED, MessageSource

MESSAGES = tuple(
    MessageSource(
        command=command, way=way, stream=("subject",), headers="headers", body=("payload",)
    )
    for command, way in (
        ("pub", PUBLISHED),
        ("hpub", PUBLISHED),
        ("msg", DELIVERED),
        ("hmsg", DELIVERED),
    )
)
