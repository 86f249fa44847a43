"""Scenarios of classes of faults that many threads report: see docs/checking.md."""

import socket
import threading
import time

from captures.recorders.marks import Mark
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import PORT, Facts, Play
from captures.recorders.rsocket.threads import RAW, fault, frames, near_miss
from captures.recorders.rsocket.wire import Hand, Peer

DRIVER = "reading"
IDLE = 5
"""Seconds after which what is between ends a connection without traffic."""


def answers(peer: Peer, *, joins: bool = True) -> None:
    """Answers requests and KEEPALIVE until nothing comes for some seconds."""
    unfinished: dict[int, bytes] = {}
    while one := peer.read(IDLE):
        if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0, one.body[8:]))
        elif one.flags & w.FOLLOWS and one.key in (w.REQUEST_RESPONSE, w.PAYLOAD):
            unfinished[one.stream] = unfinished.get(one.stream, b"") + one.body
        elif one.key == w.REQUEST_RESPONSE or (one.key == w.PAYLOAD and joins):
            data = unfinished.pop(one.stream, b"") + one.body
            flags = w.NEXT | w.COMPLETE
            peer.send(w.payload(one.stream, b"answer to %d bytes" % len(data), flags))


def at_hand(peer: str, name: str, number: int, *, joins: bool = True) -> Play:
    """A play against a server by hand, through a relay that ends idle connections."""

    def play() -> Facts:
        hand = Hand(wrong=True)

        def serve(each: Peer) -> None:
            answers(each, joins=joins)
            each.finish()

        with hand.server(serve, number):
            return clients.drive(peer, name, driver=DRIVER)

    return play


for PEER in ("py", "java"):
    fault(
        f"idle_connections_cut_{PEER}",
        at_hand(PEER, "meters", 4),
        "Connections that are idle for five seconds are ended",
        peer=PEER,
        server=RAW,
        kind="recovery",
        thread="kubernetes/ingress-nginx#2917, nginx/kubernetes-ingress#715",
        shows="Readings of meters, and a rest, on one connection after another.",
        says="What is between ends each connection after five seconds without traffic, and the "
        "client sends KEEPALIVE every 20 s only: each connection is lost while it rests.",
        marks=(Mark(2, "client", frames(w.SETUP)),),
    )
near_miss(
    "idle_connections_kept_py",
    at_hand("py", "often", 3),
    "KEEPALIVE keeps connections that are idle",
    peer="py",
    server=RAW,
    thread="kubernetes/ingress-nginx#2917, nginx/kubernetes-ingress#715",
    shows="Readings of meters, and a rest, on one connection after another.",
)
near_miss(
    "last_stream_ids_py",
    at_hand("py", "last", 1),
    "A requester begins again with its first stream id",
    peer="py",
    server=RAW,
    thread="rsocket/rsocket-js#40, rsocket/rsocket-java#666",
    shows="Requests with the last stream ids of a connection, and those that follow.",
)
fault(
    "fragments_dropped_py",
    at_hand("py", "pictures", 1, joins=False),
    "A server drops requests in fragments",
    peer="py",
    server=RAW,
    kind="fragments",
    thread="rsocket/rsocket-go#110",
    shows="Six pictures in fragments, and six questions in one frame.",
    says="The server answers requests in one frame, and none of those in fragments: it keeps their "
    "fragments and never hands them on.",
    marks=(Mark(0, "client", rb"^.{7}[\x10-\x13][\x80-\xff]"),),
)


def restarted(peer: str, name: str, readings: int = 4) -> Play:
    """A client of two servers, one of which restarts; later it serves another client."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        with clients.serving("tcp", driver=DRIVER) as served:
            drive = threading.Thread(
                target=lambda: facts.update(clients.drive(peer, name, driver=DRIVER))
            )
            drive.start()
            time.sleep(9)
            hand = Hand(wrong=True)
            source = "127.0.0.9", 0
            connected = socket.create_connection(("127.0.0.2", PORT), source_address=source)
            visitor = hand._peer(connected, "client")  # noqa: SLF001
            visitor.together(w.setup(30000, 90000))
            for n in range(readings):
                visitor.send(w.request(w.REQUEST_RESPONSE, 2 * n + 1, b"level of gauge %d" % n))
                visitor.drain(0.8)
            visitor.close()
            drive.join()
        return facts | served

    return play


SHOWS = "Prices, balanced over two servers, one of which restarts; later it serves another client."
fault(
    "target_not_tried_again_java",
    restarted("java", "balances"),
    "A load balancer never tries a target again that restarted",
    peer="java",
    kind="recovery",
    thread="rsocket/rsocket-java#1095, #1123",
    shows=SHOWS,
    says="The second server restarts within two seconds and serves another client. The client goes "
    "on with the first one, and never connects to the second one again.",
    marks=(Mark(1, "client", frames(w.REQUEST_RESPONSE), skip=4),),
)
SHOWS = "Levels of a gauge from a server that restarts; later it serves another client."
THREAD = "rsocket/rsocket-kotlin#309, rsocket-broker/rsocket-broker#4"
fault(
    "stays_away_after_restart_py",
    restarted("py", "stays", 10),
    "A client does not come back to a server that restarted",
    peer="py",
    kind="recovery",
    thread=THREAD,
    shows=SHOWS,
    says="The server ends the connection and is back two seconds later: it serves another client. "
    "The program goes on asking over its lost connection, and never connects again.",
    marks=(Mark(0, "client", b"", skip=8),),
)
near_miss(
    "comes_back_after_restart_py",
    restarted("py", "returns", 10),
    "A client comes back to a server that restarted",
    peer="py",
    thread=THREAD,
    shows=SHOWS,
)
fault(
    "closes_before_its_request_java",
    at_hand("java", "command", 4),
    "A command that closes its connection before its message is sent",
    peer="java",
    server=RAW,
    kind="lifetime",
    thread="making/rsc#18, vlingo/xoom-wire#30",
    shows="Four runs of a command that sends one message each.",
    says="The command closes its connection at once: SETUP is sent, and its message never is.",
    marks=(Mark(0, "client", frames(w.SETUP)), Mark(2, "client", frames(w.SETUP))),
)
