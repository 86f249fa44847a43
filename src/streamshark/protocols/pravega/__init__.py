"""Pravega: the wire protocol between clients, controllers and segment stores.

Document: the classes of `WireCommands` in pravega/pravega are the protocol's only exact
description; release 0.13.0 here, and what releases from 0.1 on had before it. Where the project's
page on the wire protocol differs (var-longs, a request id in AppendBlock) the bytes are followed.
Reference implementation: `io.pravega:pravega-shared-protocol`; also seen: pravega-client-rust
0.3.7, which the Python client has inside.
Versions: HELLO says 1 to 17. Frames are not numbered: later members are there while bytes remain,
and the two commands that changed their layout are distinguished by which fits. The layouts before
HELLO are dialect `0.0` (`-o pravega.dialect:0.0`). The proposal that is older than all of them is
dialect `draft`; it has no type codes, so those of 0.0-prerelease are taken or others given
(`-o pravega.dialect:draft:keep_alive=100,event=0`).
Transport: TCP, ports 12345 and 6000 by habit, or TLS from the first byte on.
"""

from streamshark.decoding.lazy import later
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.pravega.detect import FOREIGN, PORTS, detect
from streamshark.protocols.protocol import Protocol

PROTOCOL = Protocol(
    title="Pravega",
    card=__doc__,
    wire=WireFormat(
        id="pravega",
        short="pravega",
        heads=later(__name__, "framing.HEADS"),
        frames=later(__name__, "framing.all_frames"),
        detect=detect,
        ports=PORTS,
        agreements=later(__name__, "negotiated.AGREEMENTS"),
        fragments=later(__name__, "append_reassembly.BLOCKS"),
        run=later(__name__, "append_reassembly.READS"),
        alone=later(__name__, "framing.ALONE"),
        marks=later(__name__, "framing.MARKS"),
        chain=2,
        foreign=FOREIGN,
    ),
    embedded_records=later(__name__, "embedded_records.EMBEDDED_RECORDS"),
    embedded_slots=frozenset({"grpc.message", "grpc.reply"}),
    advertises=frozenset({"grpc.reply"}),
    fields=later(__name__, "fields.FIELDS"),
    conversations=later(__name__, "conversations.CONVERSATIONS"),
    rules=later(__name__, "findings.RULES"),
    fixes=later(__name__, "fixes.FIXES"),
    requirements=later(__name__, "requirements.REQUIREMENTS"),
    states=later(__name__, "states.STATES"),
    parts=later(__name__, "parts.PARTS"),
    sentences=later(__name__, "explain.SENTENCES"),
    housekeeping=frozenset({"hello", "keep_alive"}),
    messages=later(__name__, "message_sources.MESSAGES"),
    syntax=later(__name__, "syntax.SYNTAX"),
)
