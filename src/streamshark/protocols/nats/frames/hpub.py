"""HPUB: a client publishes a message with headers.

Only where INFO and CONNECT both say `headers`. The first size is that of the header block, from
`NATS/1.0` to its blank line, the second that of block and payload.

Spec: docs.nats.io, Client Protocol, HPUB.
"""

from streamshark.protocols.nats.types import REPLY_TO, SUBJECT, headed
from streamshark.schema import FrameKind, FrameSchema, Sender

FRAMES = (
    FrameSchema(
        name="hpub",
        key="hpub",
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Publishes a message with headers.",
        spec="docs.nats.io, Client Protocol, HPUB",
        body=headed("HPUB", SUBJECT, REPLY_TO),
        shows=(
            "{subject} {payload:bytes} →~{reply_to} status={status} headers={headers.key} "
            "{payload:text}"
        ),
    ),
)
