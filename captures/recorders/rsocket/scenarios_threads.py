"""Faults that people had, from issue threads and documents, and near misses beside them."""

from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.threads import (
    RAW,
    Mark,
    Shown,
    by_hand,
    fault,
    frames,
    library,
    near_miss,
)
from captures.recorders.rsocket.wire import Hand

fault(
    "resume_token_shared",
    library("js", "resume_token_shared", "threads", "bare", "resume"),
    "Two clients with one resume token",
    peer="js",
    kind="identity",
    thread="rsocket/rsocket-js#243",
    shows='tokenGenerator gives the same token, "1", in every browser: while the session of the '
    "first client lives, a second one connects with SETUP and the same token, and the server ends "
    "the first session; then a third does the same.",
    says='A second connection sets up a session with the resume token "1", which the first has: '
    "the server ends the first session. The token has to be unique to a session.",
    marks=(
        Mark(None, "client", frames(w.SETUP, 0)),
        Mark(None, "server", frames(w.ERROR, 0)),
    ),
)

fault(
    "refusal_repeated",
    library("py", "refusal_repeated", "threads", "bare"),
    "A rejected request is sent again at once, again and again",
    peer="py",
    kind="storms and loops",
    thread="rsocket/rsocket-java#987 (retry without backoff); Protocol.md Error Codes: REJECTED",
    shows="The same request is answered by ERROR REJECTED (not now) 40 times in a moment; the "
    "client retries without a pause.",
    says="The same request was rejected (not now) 40 times and sent again at once: back off before "
    "a retry.",
    marks=(
        Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=2),
        Mark(0, "server", frames(w.ERROR), skip=2),
    ),
)

fault(
    "setup_rejected_again",
    library("java", "setup_rejected_again", "threads", "rejects"),
    "A rejected SETUP is sent again at once, again and again",
    peer="java",
    kind="storms and loops",
    thread="rsocket/rsocket-kotlin#312",
    shows="The server answers SETUP with ERROR REJECTED_SETUP (no room); Retry.fixedDelay of 20 ms "
    "connects again with the same SETUP, 15 times.",
    says="SETUP was rejected (no room) 15 times in a second on new connections: the client "
    "reconnects with the same SETUP and no backoff.",
    marks=(
        Mark(None, "client", frames(w.SETUP, 0)),
        Mark(None, "server", frames(w.ERROR, 0)),
    ),
)

fault(
    "route_without_composite",
    library("go", "route_without_composite", "threads", server="py"),
    "The route is written as plain text where composite metadata was announced",
    peer="go",
    server="py",
    kind="second layer",
    thread="rsocket/rsocket-go#115, spring-projects/spring-framework#23157",
    shows="SETUP announces composite metadata; the program puts the route into the data and the "
    "name of the routing MIME type into the metadata. The server's router finds no route, 6 times.",
    says="The metadata is the text message/x.rsocket.routing.v0 and no composite metadata, which "
    "SETUP announced, so there is no route and every request fails.",
    marks=(
        Mark(0, "client", frames(w.REQUEST_RESPONSE)),
        Mark(0, "server", frames(w.ERROR)),
    ),
)

fault(
    "items_one_by_one",
    library("java", "items_one_by_one", "threads", "bare"),
    "A stream is requested item by item",
    peer="java",
    kind="waste",
    thread="rsocket/rsocket-java#399, rsocket/rsocket-kotlin#109",
    shows="The subscriber calls request(1) in onNext: a stream of 60 items costs 60 REQUEST_N, and "
    "each item waits for a round trip.",
    says="60 items of one stream were requested one by one: a round trip for each; request more at "
    "once (limitRate).",
    marks=(Mark(0, "client", frames(w.REQUEST_N)), Mark(0, "client", frames(w.REQUEST_STREAM))),
)

fault(
    "keepalive_in_seconds",
    library("js", "keepalive_in_seconds", "threads", "bare"),
    "Keepalive given in seconds",
    peer="js",
    kind="storms and loops",
    thread="rsocket/rsocket-js#75, rsocket/rsocket-java#1097",
    shows="keepAlive: 60 and lifetime: 180 are meant as seconds, and are milliseconds: a KEEPALIVE "
    "every 60 ms, and a lifetime shorter than a pause of any garbage collector.",
    says="SETUP promises a KEEPALIVE every 60 ms and a lifetime of 180 ms: seconds taken for "
    "milliseconds; an idle connection carries 16 of them a second.",
    marks=(
        Mark(0, "client", frames(w.SETUP, 0)),
        Mark(0, "client", frames(w.KEEPALIVE, 0)),
    ),
)

fault(
    "websocket_text",
    library("js", "websocket_text", "threads", "bare", carrier="websocket"),
    "Frames in text messages of WebSocket",
    peer="js",
    kind="frames not allowed now",
    thread="Protocol.md Transport: WebSocket (frames in binary messages)",
    shows="The client sends its frames as text (opcode 1), which encodes each byte above 0x7f as "
    "two: a request whose data has such a byte arrives longer than it was.",
    says="RSocket frames are sent in WebSocket text messages (opcode 1); they have to be binary "
    "(opcode 2), or bytes above 0x7f are changed.",
    marks=(Shown("a text message with a frame", "websocket.opcode == 1"),),
)


def server_request_ignored(hand: Hand) -> None:
    """Answers KEEPALIVE, and nothing that the server asks."""
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"ping"))
    peer.until(w.PAYLOAD, 1)
    peer.drain(2.5)
    peer.send(w.request(w.REQUEST_RESPONSE, 3, b"ping"))
    peer.until(w.PAYLOAD, 3)
    peer.drain(1)
    peer.close()


fault(
    "server_request_ignored",
    by_hand(server_request_ignored, "bare", "asks"),
    "The client never answers what the server asks",
    peer=RAW,
    kind="unanswered",
    thread="rsocket/rsocket-dart#30",
    shows="The server sends REQUEST_RESPONSE on stream 2. The client has no responder: it neither "
    "answers nor rejects, and goes on with requests of its own.",
    says="The server's REQUEST_RESPONSE on stream 2 gets neither an answer nor an ERROR from the "
    "client, which goes on with its own requests: it has no responder for it.",
    marks=(Mark(0, "server", frames(w.REQUEST_RESPONSE, 2)),),
)

fault(
    "connections_left_open",
    library("js", "connections_left_open", "threads", "bare"),
    "Every page opens a connection and closes none",
    peer="js",
    kind="leaks",
    thread="rsocket/rsocket-js#105",
    shows="Eight connections, one after the other, each for one request; none is closed, each is "
    "kept alive by KEEPALIVE until the program ends.",
    says="Eight connections of one client are open at once; seven are idle after one request and "
    "live on KEEPALIVE alone: close them, or share one.",
    marks=(
        Mark(None, "client", frames(w.KEEPALIVE, 0)),
        Mark(None, "client", frames(w.SETUP, 0)),
    ),
)

fault(
    "request_n_before_stream",
    library("py", "request_n_before_stream", "threads", "bare"),
    "REQUEST_N is sent before its stream",
    peer="py",
    kind="frames not allowed now",
    thread="a bug of rsocket-py 0.4.20: docs/found.md",
    shows="The subscriber calls request(4) in on_subscribe: the library sends REQUEST_N on the "
    "stream "
    "at once, and REQUEST_STREAM after it, three times. The server ignores the first.",
    says="REQUEST_N comes on streams 1, 3 and 5 before they are opened by REQUEST_STREAM: it has "
    "to "
    "wait, or be the initial request n.",
    marks=(Mark(0, "client", frames(w.REQUEST_N)),),
)

near_miss(
    "retry_with_backoff",
    library("py", "retry_with_backoff", "threads", "bare"),
    "A rejected request is tried again, ever later",
    peer="py",
    thread="Protocol.md Error Codes: REJECTED may be retried",
    shows="REJECTED three times, with pauses of 0.2, 0.4 and 0.8 s; the fourth try is answered.",
)

near_miss(
    "quiet_stream",
    library("js", "quiet_stream", "threads", server="js"),
    "A stream that is quiet for long",
    peer="js",
    server="js",
    thread="rsocket/rsocket-java#1097",
    shows="Four items, one each 1.5 s, of a stream that was granted 100; KEEPALIVE in between. The "
    "client cancels what it no longer needs and closes.",
)


def request_cancelled_midway(hand: Hand) -> None:
    """Two fragments, then CANCEL."""
    peer = hand.client()
    peer.send(w.request(w.REQUEST_RESPONSE, 1, b"a long upload " * 8, w.FOLLOWS))
    peer.send(w.payload(1, b"goes on " * 12, w.NEXT | w.FOLLOWS))
    peer.send(w.frame(w.CANCEL, 1))
    peer.send(w.request(w.REQUEST_RESPONSE, 3, b"ping"))
    peer.until(w.PAYLOAD, 3)
    peer.close()


near_miss(
    "request_cancelled_midway",
    by_hand(request_cancelled_midway, "bare"),
    "A request is cancelled before its last fragment",
    peer=RAW,
    thread="Protocol.md Fragmentation and Reassembly; Cancellation",
    shows="REQUEST_RESPONSE and a fragment, both with follows, then CANCEL, and the next request.",
)


def cancel_crosses_complete(hand: Hand) -> None:
    """CANCEL on streams that the server has completed."""
    peer = hand.client()
    for stream in (1, 3, 5):
        peer.send(w.request(w.REQUEST_STREAM, stream, b"3"))
        peer.send(w.frame(w.CANCEL, stream))
        peer.drain(0.2)
    peer.send(w.request(w.REQUEST_RESPONSE, 7, b"ping"))
    peer.until(w.PAYLOAD, 7)
    peer.close()


near_miss(
    "cancel_crosses_complete",
    by_hand(cancel_crosses_complete, "bare"),
    "CANCEL crosses the last item",
    peer=RAW,
    thread="Protocol.md Handling the Unexpected: frames for streams that have ended are ignored",
    shows="Three streams whose items and COMPLETE are sent while the client's CANCEL is on its "
    "way.",
)

near_miss(
    "many_fire_and_forget",
    library("go", "many_fire_and_forget", "threads", "bare"),
    "Many requests that nobody answers, as they are meant",
    peer="go",
    thread="Protocol.md Fire and Forget",
    shows="120 REQUEST_FNF in a moment, a request with an answer, and a proper end.",
)

near_miss(
    "two_sessions",
    library("js", "two_sessions", "threads", "bare", "resume"),
    "Two sessions of one client, each with a token of its own",
    peer="js",
    thread="Protocol.md Resuming Operation",
    shows="Two connections with resuming, tokens session-a and session-b, both at work at once; "
    "the "
    "library resumes each once more while it closes.",
    faults={"RSK-R7": "the version in RESUME is 0.1, its halves in the wrong order"},
)
