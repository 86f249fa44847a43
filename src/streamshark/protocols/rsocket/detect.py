"""How an RSocket connection is recognised: by whole frames that line up, on any port.

There is no magic number and no port of its own. A client begins with SETUP or RESUME on stream 0,
which chance does not bring about. A connection that is joined later is recognised by three frames
in a row; a head has some nine bits fixed, so less proves nothing without the port.

Source: Protocol.md, "Connection Establishment"; the ports are those of the samples of
rsocket-java, rsocket-js, Spring and rsocket-wireshark.
"""

import re
from collections.abc import Mapping
from typing import Final

from streamshark.frames.wire import Evidence, Guess

PORTS: Final = (7000, 7878, 6565, 9898)

FOREIGN: Final[Mapping[bytes, str]] = {
    b"\x16\x03": "TLS",
    b"GET ": "HTTP",
    b"POST ": "HTTP",
    b"PUT ": "HTTP",
    b"HEAD ": "HTTP",
    b"OPTIONS ": "HTTP",
    b"DELETE ": "HTTP",
    b"CONNECT ": "HTTP",
    b"HTTP/": "HTTP",
    b"PRI * HTTP/2": "HTTP/2",
}
"""First bytes of what is met on these ports by mistake."""

FIRST: Final = ("setup", "resume")
"""What a client sends first."""
OPENING: Final = re.compile(
    rb"[\x00-\xff]{3}\x00{4}[\x04-\x07\x34-\x37]"  # a length, stream 0, type 0x01 or 0x0d
    rb"|\x00[\x00-\xff]{3}\x00[\x01\x0e][\x00-\xff]{2}\x00{4}"  # 0.1: length, type, flags, stream 0
)
"""The head of a frame that opens a connection."""
BARE_OPENING: Final = re.compile(
    rb"\x00{4}[\x04-\x07\x34-\x37]|\x00[\x01\x0e][\x00-\xff]{2}\x00{4}"  # 1.0; 0.1
)
"""The same without its length, as in WebSocket."""
TELLING: Final = 3
"""Frames in a row that chance does not bring about."""
ALONE: Final = 16
"""Confidence of each frame on a foreign port: two are not enough."""


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are RSocket."""
    count = len(evidence.commands)
    where = " on a port of its samples" if evidence.port else ""
    if not count or not (evidence.lined_up or evidence.open_head):
        for prefix, name in FOREIGN.items():
            if evidence.data.startswith(prefix):
                return Guess(0, f"the first bytes are {name}")
        return Guess(0, "no frame that lines up")
    opening = BARE_OPENING if evidence.bare else OPENING
    if evidence.commands[0] in FIRST and opening.match(evidence.data):
        return Guess(99 if evidence.start else 90, f"begins with {evidence.commands[0].upper()}")
    frames = f"{count} frame{'s' if count > 1 else ''} in a row{where}"
    if count >= TELLING:
        return Guess(95, frames)
    return Guess(80 if evidence.port else ALONE * count, frames)
