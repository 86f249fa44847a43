"""-ERR: something is wrong.

Most of them close the connection; permission violations and invalid subjects do not. A server
that gets one closes the connection. Where the page of the protocol has an error sent, nats-server
2.9.10 closes without one: at a size that is missing or no number, a header block longer than the
message, HPUB from a client that announced no headers, JSON of CONNECT that is broken, and -ERR.
Letter case differs from that page, too.

Spec: docs.nats.io, Client Protocol, +OK/ERR.
"""

from streamshark.schema import FrameKind, FrameSchema, Sender, TextLine, quoted

FRAMES = (
    FrameSchema(
        name="err",
        key="err",
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Says what is wrong.",
        spec="docs.nats.io, Client Protocol, +OK/ERR",
        body=(
            TextLine("-ERR", quoted("message", "What is wrong, without its quotes.", role="text")),
        ),
        shows="! {message}",
    ),
)
