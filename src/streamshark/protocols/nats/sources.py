"""Where the rules of NATS come from: its documentation, its server, its design records."""

from typing import Final

PROTOCOL: Final = "docs.nats.io, Client Protocol"
CLIENT: Final = "nats-server v2.12.2, server/client.go"
CONSUMER: Final = "nats-server v2.12.2, server/consumer.go"
STREAM: Final = "nats-server v2.12.2, server/stream.go"
ADR_8: Final = "ADR-8, Key Value Store"
ADR_13: Final = "ADR-13, Pull Subscribe"
