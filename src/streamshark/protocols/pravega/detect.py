"""How a Pravega connection is recognised: by HELLO, or by whole frames that line up, on any port.

Both sides begin with HELLO, 16 bytes of which 12 are fixed. A connection that is joined later is
recognised by frames in a row; a head has 40 bits fixed, and a body that decodes says more.
"""

from typing import Final

from streamshark.framing.wire_format import Evidence, Guess, Level

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
"""First bytes of what occurs on these ports by mistake."""

FIRST: Final = "hello"
"""What both sides send first."""
INSIDE: Final = frozenset({"event", "padding", "partial_event"})
"""What is inside append blocks; eight zeros would be one, so they prove nothing."""
LOOSE: Final = INSIDE | {"append_block", "auth_token_check_failed"}
"""What nearly any bytes fit: the end of a RabbitMQ frame and the length of the next one look like
such a head, and then it even ends where that one does."""
VAGUE: Final = LOOSE | {"keep_alive"}
"""What proves nothing on other ports: a number 100 and zeros."""
TELLING: Final = 2
"""Frames in a row that chance does not bring about."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are Pravega's."""
    count = sum(each not in LOOSE for each in evidence.commands)
    if not count or not (evidence.lined_up or evidence.open_head):
        for prefix, name in FOREIGN.items():
            if evidence.data.startswith(prefix):
                return Guess(Level.NONE, f"the first bytes are {name}")
        count = 0
    elif evidence.commands[0] == FIRST:
        return Guess(Level.CERTAIN, f"begins with HELLO{evidence.where}")
    if evidence.port:
        return evidence.in_a_row(count, TELLING)
    if count and evidence.start:
        return Guess(Level.NONE, "begins without HELLO")
    return evidence.in_a_row(sum(each not in VAGUE for each in evidence.commands), TELLING)
