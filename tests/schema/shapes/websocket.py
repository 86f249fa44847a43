"""WebSocket: a length of 7 bits that two values make longer; masked and deflated payloads.

A carrier: `decoding.codecs` takes off the mask and inflates with the window of one side.
"""

from streamshark.schema import (
    REST,
    U16,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    Sender,
    When,
    field,
    part,
    raw,
    this,
)

_SPEC = "RFC 6455, 5.2"
LENGTH_16, LENGTH_64 = 126, 127
_SHORT = (
    this.length_7 - (this.length_7 == LENGTH_16) * LENGTH_16 - (this.length_7 == LENGTH_64) * 127
)
_EXTRA = (this.length_7 == LENGTH_16) * 2 + (this.length_7 == LENGTH_64) * 8

HEAD = Head(
    members=(
        Bits(
            2,
            part("fin", 1, "The last frame of its message.", boolean=True),
            part("rsv1", 1, "Of the first frame: the message is deflated.", boolean=True),
            part("rsv", 2, "Of extensions that are not known."),
            part("opcode", 4, "What it is."),
            part("masked", 1, "Whether a mask is on the payload.", boolean=True),
            part("length_7", 7, "Bytes of the payload; 126 and 127 say that more follows."),
        ),
        When(this.length_7 == LENGTH_16, field("length_16", U16, "Bytes of the payload.")),
        When(
            this.length_7 == LENGTH_64,
            Bits(8, part("length_high", 11, "Always 0."), part("length_64", 53, "Bytes.")),
        ),
    ),
    total=_SHORT + _EXTRA + this.length_16 + this.length_64 + this.masked * 4 + 2,
    key="opcode",
    least=2,
    source=_SPEC,
)
_NAMES = {0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}
FRAMES = tuple(
    FrameSchema(
        name, key, FrameKind.COMMAND, Sender.BOTH, f"{name}.", _SPEC,
        (
            When(this.masked, field("masking_key", raw(4), "What is on the payload.")),
            field("payload", raw(REST, slot="websocket.payload"), "As on the wire."),
        ),
    )
    for key, name in _NAMES.items()
)  # fmt: skip
EMBEDDED_RECORDS: dict[str, object] = {}


def adapted(expect: object) -> object:
    """Leave out what a carrier makes of a payload: here it is as on the wire."""
    made = ("payload", "message", "code", "reason")
    assert isinstance(expect, dict)
    return {name: value for name, value in expect.items() if name not in made}
