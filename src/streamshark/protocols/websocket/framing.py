"""How long the next frame is and what it is: RFC 6455, section 5.2.

Two bytes, then the length where seven bits do not hold it, the mask that clients put on, and the
payload. The payload is as on the wire here: `link` takes off the mask, joins what was fragmented
and inflates.
"""

import re
from typing import Final

from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.websocket.codes import ID, Opcode
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

_SPEC: Final = "RFC 6455, 5.2"
LENGTH_16, LENGTH_64 = 126, 127
"""Lengths of seven bits that say that a longer one follows."""
SMALLEST: Final = 2
MASK: Final = 4
"""Bytes of the mask."""
MOST_MESSAGE: Final = 0xFFFFFF
"""Most bytes of a message, before and after it is inflated: RSocket's largest frame; the documents
set no limit."""
LONGEST_HEAD: Final = 14

_SHORT: Final = (
    this.length_7
    - (this.length_7 == LENGTH_16) * LENGTH_16
    - (this.length_7 == LENGTH_64) * LENGTH_64
)
_EXTRA: Final = (this.length_7 == LENGTH_16) * 2 + (this.length_7 == LENGTH_64) * 8

HEAD: Final = Head(
    members=(
        Bits(
            2,
            part("fin", 1, "The last frame of its message.", boolean=True),
            part("rsv1", 1, "In the first frame: the message is deflated.", boolean=True),
            part("rsv", 2, "Bits of unknown extensions; 0."),
            part("opcode", 4, "What the frame is.", names=Opcode),
            part("masked", 1, "Whether a mask is on the payload: a client's.", boolean=True),
            part("length_7", 7, "Bytes of the payload; 126 and 127 say that more bits follow."),
        ),
        When(
            this.length_7 == LENGTH_16,
            field("length_16", U16, "Bytes of the payload, 126 or more.", unit="bytes"),
        ),
        When(
            this.length_7 == LENGTH_64,
            Bits(
                8,
                part("length_high", 11, "Upper bits of the length: 0, no payload is that long."),
                part("length_64", 53, "Bytes of the payload, 65536 or more.", unit="bytes"),
            ),
        ),
    ),
    total=_SHORT + _EXTRA + this.length_16 + this.length_64 + this.masked * MASK + SMALLEST,
    key="opcode",
    least=SMALLEST,
    most=MOST_MESSAGE + LONGEST_HEAD,
    source="RFC 6455, 5.2; the most is ours",
)

_DOCS: Final = {
    Opcode.CONTINUATION: "The next part of a message.",
    Opcode.TEXT: "A message of text, or its first part.",
    Opcode.BINARY: "A message of bytes, or its first part.",
    Opcode.CLOSE: "Closes the connection; it may contain a code and a reason.",
    Opcode.PING: "Asks whether the other side is there.",
    Opcode.PONG: "Answers a ping with its payload.",
}
FRAMES: Final = tuple(
    FrameSchema(
        name=opcode.name.lower(),
        key=opcode,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc=sentence,
        spec=f"{_SPEC}, 5.4 to 5.6",
        body=(
            When(this.masked, field("masking_key", raw(MASK), "Repeated over the payload by XOR.")),
            field("payload", raw(REST), "As on the wire."),
        ),
    )
    for opcode, sentence in _DOCS.items()
)

MARKS: Final = re.compile(
    rb"(?=[\x01\x02\x41\x42\x81\x82\xc1\xc2]"  # text, binary: any FIN, RSV1; RSV2, RSV3 are 0
    rb"(?:[\x00-\x7e\x80-\xfe]|[\x7f\xff]\x00{4})"
    rb"|[\x88-\x8a][\x00-\x7d\x80-\xfd])"  # control: FIN, no RSV, 125 bytes at most
)
"""Matches at the first byte of every plausible head from which messages can be read."""


WIRE: Final = WireFormat(
    id=ID,
    short=ID,
    heads={"": HEAD},
    frames=FRAMES,
    marks=MARKS,
    chain=4,
    lengths_hold=True,
)
"""The frames, for the splitter and the decoders."""
TABLE: Final = WIRE.table()
