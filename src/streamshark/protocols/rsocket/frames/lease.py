"""LEASE (0x02): a responder allows its peer some requests for some time.

Only where SETUP asked for leases; each one replaces the one before, and it is not answered. A lease
of 0 requests or 0 ms says stop, although the document wants both above 0.

Metadata has no length before it. It is all that is left, whatever the flag says: rsocket-js 0.0.27
writes metadata without the flag, and a rsocket-java 1.1.5 server sets the flag without metadata.

Dialect `0.1`: metadata with a length, as in all frames.

Spec: Protocol.md, "LEASE Frame (0x02)".
"""

from streamshark.protocols.rsocket.codes import FrameType, OldType
from streamshark.protocols.rsocket.types import (
    ALWAYS,
    LAST_METADATA,
    OLD,
    OLD_ALWAYS,
    OLD_METADATA,
    u31,
)
from streamshark.schema import U32, FrameKind, FrameSchema, Sender, field

_TIME = "Time for which the lease holds, counted from its receipt."
_NUMBER = "Requests that may be sent until then."

FRAMES = (
    FrameSchema(
        name="lease",
        key=FrameType.LEASE,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Allows the peer some requests for some time.",
        spec="Protocol.md, LEASE Frame (0x02)",
        flags=ALWAYS,
        body=(
            u31("time_to_live", _TIME, unit="ms"),
            u31("number_of_requests", _NUMBER),
            LAST_METADATA,
        ),
        shows="requests={number_of_requests} time_to_live={time_to_live}~ms",
    ),
    FrameSchema(
        name="lease",
        key=OldType.LEASE,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Allows the peer some requests for some time.",
        spec="Protocol.md of tag v0.1, LEASE",
        flags=OLD_ALWAYS,
        body=(
            field("time_to_live", U32, _TIME, unit="ms"),
            field("number_of_requests", U32, _NUMBER),
            OLD_METADATA,
        ),
        shows="requests={number_of_requests} time_to_live={time_to_live}~ms",
    ),
)
