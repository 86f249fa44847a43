"""Messages of RSocket: the data of requests and of payloads."""

from streamshark.conversations.messages import MessageSource

_REQUESTS = ("request_response", "request_fnf", "request_stream", "request_channel")
_WHOLE = ("flags.follows", False)
"""A fragment is not a message; the last one has the whole."""
_ROUTE = "metadata[mime_id=message/x.rsocket.routing.v0].content"


def _source(command: str, *only: tuple[str, bool]) -> MessageSource:
    return MessageSource(
        command=command,
        only=(_WHOLE, *only),
        stream=(_ROUTE,),
        number="stream_id",
        body=("data",),
        is_joined=False,
    )


MESSAGES = (*map(_source, _REQUESTS), _source("payload", ("flags.next", True)))
