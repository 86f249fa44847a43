"""What a connection agrees: what INFO and CONNECT say that later lines are judged by."""

from typing import Final

from streamshark.frames.wire import Agreement

AGREEMENTS: Final = (
    Agreement("max_payload", "info", "max_payload", "Most bytes of a message."),
    Agreement("server_version", "info", "version", "Version of the server."),
    Agreement("verbose", "connect", "verbose", "Whether each line is answered by +OK."),
    Agreement("headers", "connect", "headers", "Whether the client knows headers."),
)
