"""How long the next frame is and which frame it is, and all frames of the protocol.

A frame is a line, verb first, and after the line of a message as many bytes as its last argument
says, then CRLF: payloads may hold anything, also CRLF and verbs. Verbs and where their size is
are the same on all links.
"""

import re
from functools import cache
from typing import Final

from streamshark.protocols.nats import frames
from streamshark.protocols.nats.codes import SIZED, VERBS
from streamshark.protocols.nats.types import PEERS
from streamshark.protocols.protocol import declared
from streamshark.schema import FrameSchema, LineHead

LONGEST_LINE: Final = 64 * 1024
"""Bytes of a line at most: sixteen times the limit for clients (`MAX_CONTROL_LINE_SIZE`), as
between servers; what clients may not is a rule's to say."""
LARGEST: Final = 64 * 1024 * 1024 + LONGEST_LINE
"""Most bytes of a frame; nats-server wants `max_payload` to be `max_pending` at most, 64 MiB."""

HEAD: Final = LineHead(
    verbs=VERBS,
    sized=SIZED,
    most_line=LONGEST_LINE,
    most=LARGEST,
    hidden=("size", "header_size", "total_size"),
    source="nats-server v2.12.2, server/parser.go and server/const.go",
)
HEADS: Final = {"": HEAD, **dict.fromkeys(PEERS, HEAD)}
"""Dialect to head: only arguments differ."""

MARKS: Final = re.compile(
    rb"(?<![^\n])(?:(?:INFO|CONNECT|H?PUB|(?:UN)?SUB|[HRL]?MSG|P[IO]NG|[RL]S[+-]|A[+-]|-ERR)[ \t]"
    rb"|(?:P[IO]NG|\+OK)\r?\n)",
    re.IGNORECASE,
)
"""Matches at every verb that is at the start of a line."""

UPGRADES: Final = {
    b"\x16\x03": "TLS",
    b"\xff\x06\x00\x00S2sTwO": "a stream compressed by S2, which is not unpacked",
}
"""What may follow INFO: first bytes to the protocol that they begin."""


@cache
def all_frames() -> tuple[FrameSchema, ...]:
    """Every frame: those of clients and all links, then what else links between servers have."""
    order = list(VERBS.values())
    dialects = ("", *PEERS)
    return tuple(
        sorted(
            declared(frames),
            key=lambda each: (dialects.index(each.dialect), order.index(str(each.key))),
        )
    )
