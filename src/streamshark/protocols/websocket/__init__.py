"""WebSocket: messages in both directions over one connection, after a handshake in HTTP/1.1.

Documents: RFC 6455 (version 13), RFC 7692 (permessage-deflate). The handshake as in RFC 6455,
section 4, HTTP/1.1 alone.
Carries: protocols that take messages (slot `websocket.message`, one message is one frame)
or bytes (slot `websocket.bytes`, messages one after the other are a stream).
Events: the handshake, a refused one, ping, pong and close, with code and reason.
Seen: rsocket-java 1.1.5 (Netty), rsocket-js 1.0.0-alpha.3 (ws 8).
Left out: WebSocket over HTTP/2 (RFC 8441) and drafts before version 13; extensions other than
permessage-deflate: their messages are skipped, and the extension is named. After a refusal the
client may ask again on the same connection; other HTTP there is skipped.
"""

from streamshark.decoding.lazy import function, later
from streamshark.framing.carrier import Carriage, Carrier

CARRIER = Carrier(
    id="websocket",
    title="WebSocket",
    card=__doc__,
    slots={"websocket.message": Carriage.MESSAGES, "websocket.bytes": Carriage.BYTES},
    link=function(__name__, "connection.WebSocketConnection"),
    events=later(__name__, "codes.EVENTS"),
    opens=later(__name__, "upgrade.OPENS"),
    marks=later(__name__, "framing.MARKS"),
)
