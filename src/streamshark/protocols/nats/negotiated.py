"""What a connection agrees: what INFO and CONNECT say that later lines are judged by."""

from typing import Final

from streamshark.framing.wire_format import NegotiatedValue

AGREEMENTS: Final = (
    NegotiatedValue("max_payload", "info", "max_payload", "Most bytes of a message."),
    NegotiatedValue("server_version", "info", "version", "Version of the server."),
    NegotiatedValue("verbose", "connect", "verbose", "Whether each line is answered by +OK."),
    NegotiatedValue("headers", "connect", "headers", "Whether the client knows headers."),
)
