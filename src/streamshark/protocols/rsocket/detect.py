"""How an RSocket connection is recognised: by whole frames that line up, on any port.

There is no magic number and no port of its own. A client begins with SETUP or RESUME on stream 0,
which chance does not bring about. A connection that is joined later is recognised by three frames
in a row; a head has some nine bits fixed, so less proves nothing without the port.

Source: Protocol.md, "Connection Establishment"; the ports are those of the samples of
rsocket-java, rsocket-js, Spring and rsocket-wireshark.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from streamshark.framing.wire_format import Evidence, Guess, Level

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
"""First bytes of what occurs on these ports by mistake."""

FIRST: Final = ("setup", "resume")
"""What a client sends first."""
OLDEST: Final = rb"\x00(?:\x01[\x00-\xff]{2}\x00{4}\x00{3}[\x00-\x02]|\x0e[\x00-\xff]{2}\x00{4})"
"""In 0.1: type, flags, stream 0, of SETUP the version."""
OPENING: Final = re.compile(
    rb"[\x00-\xff]{3}\x00{4}[\x04-\x07\x34-\x37]"  # a length, stream 0, type 0x01 or 0x0d
    rb"|\x00[\x00-\xff]{3}" + OLDEST
)
"""The head of a frame that opens a connection."""
BARE_OPENING: Final = re.compile(rb"\x00{4}[\x04-\x07\x34-\x37]|" + OLDEST)
"""The same without its length, as in WebSocket."""
WEAK: Final = 2
"""Frames below which nothing is proved without the port: a head has few bits fixed."""
TELLING: Final = 3
"""Frames in a row that chance does not bring about."""
ON_CONNECTION: Final = frozenset(
    {"setup", "lease", "keepalive", "metadata_push", "resume", "resume_ok"}
)
"""Frames of stream 0; others, but for ERROR, are of another stream."""
RARE: Final = frozenset({"error", "ext"})
"""Frames that count once: ERROR ends a stream, or all of them, and few peers send EXT."""
VERSIONS: Final = 2
"""Major versions there are."""
LAST_OF_CONNECTION: Final = 0x102
FIRST_OF_STREAM: Final = 0x201


def detect(evidence: Evidence) -> Guess:
    """How sure it is that these bytes are RSocket."""
    opening = BARE_OPENING if evidence.bare else OPENING
    begins = evidence.commands[:1] and evidence.commands[0] in FIRST
    if evidence.start and opening.match(evidence.data) and (begins or evidence.port):
        return Guess(Level.CERTAIN if begins else Level.LIKELY, "begins with SETUP or RESUME")
    count = sum(each not in RARE for each in evidence.commands)
    count += not RARE.isdisjoint(evidence.commands)
    if not count or not (evidence.lined_up or evidence.open_head):
        names = (name for first, name in FOREIGN.items() if evidence.data.startswith(first))
        name = next(names, None)
        return Guess(
            Level.NONE, f"the first bytes are {name}" if name else "no frame that lines up"
        )
    if evidence.start and evidence.client and not evidence.port:
        return Guess(Level.NONE, "begins without SETUP")
    if count < WEAK and not evidence.port:
        return Guess(Level.NONE, "one frame alone")
    return evidence.in_a_row(count, TELLING)


def credible(command: str, values: Mapping[str, Any]) -> bool:
    """Whether a peer sends these values."""
    stream = values["stream_id"]
    if command == "error":
        code = int(values["error_code"])
        of_connection = 1 <= code <= LAST_OF_CONNECTION
        # rsocket-java says APPLICATION_ERROR of the connection, too.
        return code >= FIRST_OF_STREAM if stream else of_connection or code == FIRST_OF_STREAM
    if command != "ext" and (not stream) != (command in ON_CONNECTION):
        return False
    if command in FIRST:
        return bool(values.get("major_version", 0) < VERSIONS)
    return command != "request_n" or bool(values["request_n"])
