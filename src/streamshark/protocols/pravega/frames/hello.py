"""HELLO (-127): which versions a side speaks; the first frame of both sides.

Two peers understand each other where their ranges overlap; a server answers with its own range
also when they do not, and closes. Neither re-encodes anything for an older peer: writers send their
newest layout and readers skip what they do not know, which release 0.5 does not (issue 4211). There
was no HELLO before 0.1; a server of 0.13.0 answers a client that sends none, passes over bytes
after a known request, and closes the connection without a frame at a type that it does not know.

Releases and their numbers: 0.1 1, 0.2 4, 0.3 5, 0.4 6, 0.5 8, 0.6 and 0.7 9, 0.8 10, 0.9 11, 0.10
14, 0.11 and 0.12 15, 0.13 16; all from 0.3 on go back to 5. The Rust client says 15.

Spec: WireCommands.Hello.
"""

from streamshark.protocols.pravega.codes import TypeCode
from streamshark.schema import I32, FrameKind, FrameSchema, Sender, field

FRAMES = (
    FrameSchema(
        name="hello",
        key=TypeCode.HELLO,
        kind=FrameKind.COMMAND,
        sender=Sender.BOTH,
        doc="Says which versions of the protocol the sender speaks.",
        spec="WireCommands.Hello",
        since="0.1.0",
        negotiates=True,
        body=(
            field("high_version", I32, "Newest version that the sender speaks."),
            field("low_version", I32, "Oldest version that the sender speaks."),
        ),
        shows="version={high_version} low={low_version}",
    ),
)
