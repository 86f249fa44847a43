"""Scenarios of rsocket-java and rsocket-js over WebSocket."""

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import TLS, Facts, scenario


@scenario(
    "Every interaction model over WebSocket, by rsocket-java",
    peer="java",
    healthy=True,
    shows="The upgrade to WebSocket, and each frame as a binary message of its own without the "
    "length of TCP: the same as interactions_java.",
)
def interactions_websocket_java() -> Facts:
    return clients.drive("java", "interactions", "websocket")


@scenario(
    "Fragmented requests and payloads over WebSocket, by rsocket-java",
    peer="java",
    healthy=True,
    shows="Fragments of RSocket, each a message of WebSocket: the same as fragments_java.",
)
def fragments_websocket_java() -> Facts:
    return clients.drive("java", "fragments", "websocket")


@scenario(
    "Every interaction model over WebSocket, by rsocket-js",
    peer="js",
    healthy=True,
    shows="The same as interactions_js over WebSocket (ws), whose close frame ends it.",
)
def interactions_websocket_js() -> Facts:
    return clients.drive("js", "interactions", "websocket")


@scenario(
    "Ping, a large message and a close with a reason, by rsocket-js",
    peer="js",
    healthy=True,
    shows="WebSocket's own ping and pong, a message of 70 kB whose length takes 64 bits, and a "
    "close frame of the client with code 4001 and a reason, which the server repeats.",
)
def pings_websocket_js() -> Facts:
    return clients.drive("js", "pings", "websocket")


@scenario(
    "Messages in several frames of WebSocket, by rsocket-js",
    peer="js",
    healthy=True,
    shows="The client's socket (ws) sends each message in three frames, with a ping between the "
    "first two; the server puts them together.",
)
def message_in_frames_websocket_js() -> Facts:
    return clients.drive("js", "asks", "websocket", "fragments")


@scenario(
    "permessage-deflate with one window, by rsocket-js",
    peer="js",
    healthy=True,
    shows="Both sides agree permessage-deflate: each message refers to those before it.",
)
def asks_websocket_deflate_js() -> Facts:
    return clients.drive("js", "asks", "websocket", "deflate")


@scenario(
    "permessage-deflate with a window for each message, by rsocket-js",
    peer="js",
    healthy=True,
    shows="Both sides agree that no context is taken over, and on smaller windows (9 and 10 bits).",
)
def asks_websocket_deflate_alone_js() -> Facts:
    return clients.drive("js", "asks", "websocket", "deflate_alone")


@scenario(
    "WebSocket in TLS, by rsocket-js",
    peer="js",
    healthy=True,
    shows="The upgrade and all messages inside TLS; the capture holds its secrets.",
    port=TLS,
)
def asks_websocket_tls_js() -> Facts:
    lab.run(
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=broker "
        "-keyout key.pem -out cert.pem"
    )
    return clients.drive("js", "asks", "websocket", "tls")


@scenario(
    "The length of TCP before frames in WebSocket, by rsocket-js",
    peer="js",
    server="java",
    healthy=False,
    shows="A client's socket that puts a length of 24 bits before each frame, as on TCP: the "
    "server (rsocket-java) does not understand its SETUP.",
    faults={"RSK-W1": "a length before the frame in a message"},
)
def length_websocket_js() -> Facts:
    with clients.serving("websocket") as served:
        facts = clients.drive("js", "misunderstood", "websocket", "length")
    return dict(facts) | served


@scenario(
    "A server that refuses WebSocket, by rsocket-js",
    peer="js",
    healthy=False,
    shows="The upgrade is answered with 404; no frame of RSocket is ever sent.",
)
def upgrade_refused_websocket_js() -> Facts:
    return clients.drive("js", "refused", "websocket")
