"""HTTP/2 in clear text: calls on many streams over one connection.

Documents: RFC 9113 (frames, streams), RFC 7541 (HPACK).
Carries: protocols of calls (slot `http2.call`). Each header block, each message with a length of
its own (`application/grpc`: a byte that marks compression, 32 bits of length) and each reset is a
message of the slot, in the layout of `protocols/http2/call.py`: HPACK changes the bytes of headers,
and messages span DATA frames.
Events: the preface, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, PRIORITY, PUSH_PROMISE, the end of a
stream without a frame of its own, frames of unknown types.
Seen: grpc-java (Netty), tonic, grpcio.
Left out: HTTP/2 by an upgrade from HTTP/1.1, and bodies that are not calls: they are skipped, with
the reason. If a capture begins late or lost bytes, headers that refer to unknown table entries are
left out, and the rest is read.
"""

from streamshark.decoding.lazy import function, later
from streamshark.framing.carrier import Carriage, Carrier

CARRIER = Carrier(
    id="http2",
    title="HTTP/2",
    card=__doc__,
    slots={"http2.call": Carriage.MESSAGES},
    link=function(__name__, "connection.Http2Connection"),
    events=later(__name__, "codes.EVENTS"),
    opens=later(__name__, "codes.OPENS"),
    marks=later(__name__, "framing.MARKS"),
)
