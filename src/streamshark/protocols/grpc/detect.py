"""How gRPC is recognised: by what the headers of a call say, or by messages of calls in a row.

A call's content type begins with `application/grpc`, and its trailers have a status. Where the
headers were sent before the capture begins, DATA whose bytes are whole messages in protobuf, with
their length, says as much.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.decoding.protobuf import is_message
from streamshark.framing.wire_format import Evidence, Guess, Level

PORTS: Final = (50051, 9090, 9292)
"""The examples' own, the controller of Pravega, Liftbridge."""
CONTENT_TYPE: Final = "application/grpc"
MESSAGES: Final = frozenset({"message", "reply"})
TELLING: Final = 2
"""Frames in a row without such headers that chance does not bring about."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these messages are of calls."""
    if not evidence.commands or not evidence.bare:
        return Guess(Level.NONE, "no call")
    if evidence.certain:
        return Guess(Level.CERTAIN, f"headers of a call{evidence.where}")
    if MESSAGES.isdisjoint(evidence.commands):
        return Guess(Level.NONE, "no message of a call")
    guess = evidence.in_a_row(len(evidence.commands), TELLING)
    return guess._replace(reason=f"messages of calls: {guess.reason}")


def credible(command: str, values: Mapping[str, Any]) -> bool:
    """Whether a peer sends this: calls have odd streams, since the client opens them.

    A message of no bytes is what zeros look like. Where headers do not name another format, it is
    in protobuf.
    """
    if not values["stream_id"] % 2:
        return False
    message = values.get("message", b"")
    return command not in MESSAGES or bool(
        message and (values["content_type"] or is_message(message))
    )


def certain(command: str, values: Mapping[str, Any]) -> bool:
    """Whether only gRPC has this: the content type of a call, or the status in its trailers."""
    is_status = command == "status" and values["status"] >= 0
    return is_status or str(values["content_type"]).startswith(CONTENT_TYPE)
