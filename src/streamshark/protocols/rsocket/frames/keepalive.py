"""KEEPALIVE (0x03): a side shows that it is there, and asks whether the other one is.

The client sends it at the interval that SETUP says, with the flag respond; the answer has the flag
clear and the same data. Against the document, rsocket-java 1.1.5 servers ask, too; rsocket-py
0.4.20 answers with the position that it was sent. Where no answer comes in time the document has
ERROR CONNECTION_ERROR sent; rsocket-java 1.1.5 closes the connection without a frame.

Dialect `0.1`: the position is rsocket-cpp's alone, where it resumes; 8 bytes are taken for it.

Spec: Protocol.md, "KEEPALIVE Frame (0x03)".
"""

from streamshark.protocols.rsocket.codes import OLD_RESPOND, RESPOND, FrameType, OldType
from streamshark.protocols.rsocket.types import BARE, OLD, OLD_BARE, u63
from streamshark.schema import REST, U64, FrameKind, FrameSchema, Sender, Tail, field, raw

_POSITION = "Resume position up to which the sender has received; 0 where resuming is off."
_DATA = field("data", raw(REST), "Repeated by the answer; in no MIME type.")

FRAMES = (
    FrameSchema(
        name="keepalive",
        key=FrameType.KEEPALIVE,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Shows that a side is there, and asks whether the other one is.",
        spec="Protocol.md, KEEPALIVE Frame (0x03)",
        flags={**BARE, RESPOND: "respond"},
        body=(u63("last_received_position", _POSITION), _DATA),
        shows="{flags?} position={last_received_position?} {data?}",
    ),
    FrameSchema(
        name="keepalive",
        key=OldType.KEEPALIVE,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Shows that a side is there, and asks whether the other one is.",
        spec="Protocol.md of tag v0.1, KEEPALIVE",
        flags={**OLD_BARE, OLD_RESPOND: "respond"},
        body=(
            Tail(
                field("last_received_position", U64, _POSITION, unit="bytes", role="chance"), need=8
            ),
            _DATA,
        ),
        shows="{flags?} position={last_received_position?} {data?}",
    ),
)
