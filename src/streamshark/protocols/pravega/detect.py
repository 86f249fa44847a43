"""How a Pravega connection is recognised: by HELLO, or by whole frames that line up, on any port.

Both sides begin with HELLO, 16 bytes of which 12 are fixed. A connection that is joined later is
recognised by frames in a row; a head has 40 bits fixed, and a body that decodes says more.
"""

from typing import Final

from streamshark.frames.wire import Evidence, Guess

PORTS: Final = (12345, 6000, 9999)
"""Segment store, the store of the standalone server, and its admin gateway."""

FOREIGN: Final = {
    b"\x16\x03": "TLS",
    b"PRI * HTTP/2": "HTTP/2",
    b"GET ": "HTTP",
    b"POST ": "HTTP",
    b"PUT ": "HTTP",
    b"HTTP/": "HTTP",
}
"""First bytes of what is met on these ports by mistake."""

FIRST: Final = "hello"
"""What both sides send first."""
INSIDE: Final = frozenset({"event", "padding", "partial_event"})
"""What stands inside append blocks; eight zeros would be one, so they prove nothing."""
LOOSE: Final = INSIDE | {"append_block", "auth_token_check_failed"}
"""What nearly any bytes fit: the end of a RabbitMQ frame and the length of the next one look like
such a head, and then it even ends where that one does."""
TELLING: Final = 2
"""Frames in a row that chance does not bring about."""
ALONE: Final = 40
"""Confidence of one frame on a foreign port: not enough."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are Pravega's."""
    count = sum(each not in LOOSE for each in evidence.commands)
    where = " on its port" if evidence.port else ""
    if not count or not (evidence.lined_up or evidence.open_head):
        for prefix, name in FOREIGN.items():
            if evidence.data.startswith(prefix):
                return Guess(0, f"the first bytes are {name}")
        if evidence.port and evidence.open_head:
            return Guess(ALONE, "the head of a known frame on its port")
        return Guess(0, "no frame that lines up")
    if evidence.commands[0] == FIRST:
        return Guess(99 if evidence.start else 95, f"begins with HELLO{where}")
    frames = f"{count} frame{'s' if count > 1 else ''} in a row{where}"
    if count >= TELLING:
        return Guess(90, frames)
    return Guess(80 if evidence.port else ALONE * count, frames)
