"""How gRPC is recognised: by what the headers of a call say, or by messages of calls in a row.

A call's content type begins with `application/grpc`. Where the headers were sent before the capture
begins, DATA whose bytes are whole messages with their length says as much.
"""

from typing import Final

from streamshark.frames.wire import Evidence, Guess

PORTS: Final = (50051, 9090, 9292)
"""The examples' own, the controller of Pravega, Liftbridge."""
CONTENT_TYPE: Final = b"application/grpc"
TELLING: Final = 2
"""Frames in a row without such headers that chance does not bring about."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these messages are of calls."""
    if not evidence.commands or not evidence.bare:
        return Guess(0, "no call")
    where = " on its port" if evidence.port else ""
    if CONTENT_TYPE in evidence.data:
        return Guess(99 if evidence.start else 95, f"headers of a call{where}")
    messages = sum(each in ("message", "reply", "status") for each in evidence.commands)
    if messages >= TELLING or (messages and evidence.port):
        return Guess(70, f"messages of calls{where}")
    return Guess(10 * messages, f"a message that may be of a call{where}")
