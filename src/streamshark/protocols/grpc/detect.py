"""How gRPC is recognised: by what the headers of a call say, or by messages of calls in a row.

A call's content type begins with `application/grpc`. Where the headers were sent before the capture
begins, DATA whose bytes are whole messages with their length says as much.
"""

from collections.abc import Mapping
from typing import Any, Final

from streamshark.frames.wire import Evidence, Guess, Level

PORTS: Final = (50051, 9090, 9292)
"""The examples' own, the controller of Pravega, Liftbridge."""
CONTENT_TYPE: Final = b"application/grpc"
MESSAGES: Final = frozenset({"message", "reply"})
TELLING: Final = 2
"""Frames in a row without such headers that chance does not bring about."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these messages are of calls."""
    if not evidence.commands or not evidence.bare:
        return Guess(Level.NONE, "no call")
    if CONTENT_TYPE in evidence.data:
        return Guess(Level.CERTAIN, f"headers of a call{evidence.where}")
    if MESSAGES.isdisjoint(evidence.commands):
        return Guess(Level.NONE, "no message of a call")
    guess = evidence.in_a_row(len(evidence.commands), TELLING)
    return guess._replace(reason=f"messages of calls: {guess.reason}")


def credible(command: str, values: Mapping[str, Any]) -> bool:
    """Whether a peer sends this message: one of no bytes is what zeros look like."""
    return command not in MESSAGES or bool(values.get("message"))
