"""Scenarios of the sixteenth round of the blind test: see docs/checking.md."""

import contextlib
import threading
import time

from captures.recorders import lab
from captures.recorders.marks import Mark, Shown
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts, Play, Scenario, add
from captures.recorders.rsocket.threads import RAW, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand

DRIVER = "sixteenth"


def ours(peer: str, name: str, carrier: str = "tcp") -> Play:
    """A play of this round's driver against this round's server."""
    return library(peer, name, DRIVER, carrier=carrier, responder=DRIVER)


def small(play: Play) -> Play:
    """A play with receive buffers of 8 kB."""

    def played() -> Facts:
        lab.run(
            "sysctl -q -w net.ipv4.tcp_rmem='4096 8192 8192' net.ipv4.tcp_wmem='4096 8192 8192'"
        )
        try:
            return play()
        finally:
            lab.run("sysctl -q -w net.ipv4.tcp_rmem='4096 131072 6291456'")
            lab.run("sysctl -q -w net.ipv4.tcp_wmem='4096 16384 4194304'")

    return played


fault(
    "items_held_until_all_requested_js",
    ours("js", "groups"),
    "A server holds items back until as many are there as were requested",
    peer="js",
    kind="latency",
    thread="rsocket/rsocket-java#1037",
    shows="Values of sensors, of which the client requests 24 and 24 again.",
    says="Nothing comes for almost three seconds, and then all 24 items that were requested come "
    "in one packet, again and again: the server collects items until the request is met, so each "
    "comes seconds late. It has to send an item as soon as it is there.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, stream=1)),),
)
near_miss(
    "items_as_they_come_js",
    ours("js", "slowly"),
    "Items come one by one, and some in small groups, as they are there",
    peer="js",
    thread="rsocket/rsocket-java#1037",
    shows="Values of sensors, of which many more are requested than come; reports of a few items.",
)
fault(
    "keepalive_of_server_after_its_answer_js",
    ours("js", "console"),
    "A server sends a KEEPALIVE of its own right after it has answered one",
    peer="js",
    kind="keepalive",
    thread="rsocket/rsocket-java#1128",
    shows="A console that asks now and then; its KEEPALIVE comes each second.",
    says="Right at the time of each KEEPALIVE of the client, which it answers, the server sends a "
    "KEEPALIVE with RESPOND of its own, which the client has to answer. The connection was shown "
    "to be alive at that moment: the server's frames are superfluous, and double the traffic.",
    marks=(Mark(0, "server", frames(w.KEEPALIVE)),),
)
fault(
    "requests_more_than_it_reads_js_0_0",
    small(ours("js_0_0", "all")),
    "A client requests a stream without a limit and reads it too slowly",
    peer="js_0_0",
    kind="flow control",
    thread="rsocket/rsocket-kotlin#51",
    shows="Samples of a signal, thousand a second, each of which takes 16 ms to draw.",
    says="The client requests 2147483647 items at once and reads them more slowly than they come: "
    "its receive window is closed nearly all the time, and the server has to keep all that it "
    "could not send. The client has to request in batches that it can work on.",
    marks=(Mark(0, "client", frames(w.REQUEST_STREAM)),),
)
fault(
    "requests_more_than_it_reads_py",
    small(ours("py", "unlimited")),
    "A client requests three streams without a limit and reads them too slowly",
    peer="py",
    kind="flow control",
    thread="rsocket/rsocket-java#514",
    shows="Three streams of samples, each of which takes 12 ms.",
    says="The client requests 2147483647 items of each of three streams and reads them too slowly: "
    "its receive window is closed, and the server's queue grows without a limit. Demand has to be "
    "what the client can take.",
    marks=(Mark(0, "client", frames(w.REQUEST_STREAM)),),
)


def after_the_end() -> Facts:
    """A client that goes on after the server has ended its side of the connection."""
    with clients.serving(peer="js", driver="sixteenth_serves") as served:
        hand = Hand(wrong=True)
        game = hand.client(w.setup(2000, 20000))
        for n in range(22):
            with contextlib.suppress(OSError):
                game.send(w.request(w.REQUEST_RESPONSE, 2 * n + 1, b"move %d" % n))
                if n % 4 == 3:
                    game.send(w.keepalive())
            if n < 6:
                game.drain(0.3)
            time.sleep(0.3)
        game.socket.close()
    return served


fault(
    "goes_on_after_the_end",
    after_the_end,
    "A client goes on after the server has ended its side of the connection",
    peer=RAW,
    server="js",
    kind="closing",
    thread="rsocket/rsocket-js#226",
    shows="Moves of a game; the server closes the connection after six of them.",
    says="The server closes the connection after the sixth answer; it only ends its side. The "
    "client does not notice and sends sixteen more requests, none of which is answered. It has to "
    "close and connect again; the server should not keep a connection that it has closed.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE), skip=6),),
)
SHOWS = "Changes of a document over WebSocket; the token of the first tries has expired."
fault(
    "failed_connections_left_open_websocket_js",
    ours("js", "leaves", "websocket"),
    "A client opens a WebSocket for each try and leaves the failed ones open",
    peer="js",
    kind="leaks",
    thread="powersync-ja/powersync-js#238",
    shows=SHOWS,
    says="Each stream is refused as the token has expired, and the client opens a new WebSocket "
    "for its next try without closing the one before: nine connections stay open, on which "
    "KEEPALIVE is all that is sent. A connection has to be closed when its stream has failed, or "
    "be used for the next try.",
    marks=(
        Shown(
            "the error of a stream",
            'tcp.srcport == 7000 and websocket and frame contains "token expired"',
            sender="server",
        ),
    ),
)
near_miss(
    "failed_connections_closed_websocket_js",
    ours("js", "renews", "websocket"),
    "A client closes a WebSocket on which its stream has failed, and waits before the next",
    peer="js",
    thread="powersync-ja/powersync-js#238",
    shows=SHOWS,
)


def restarted() -> Facts:
    """Three desks whose server is stopped and started again."""
    facts: dict[str, object] = {}
    drive = threading.Thread(
        target=lambda: facts.update(clients.drive("java", "desks", driver=DRIVER))
    )
    with clients.serving("tcp", driver=DRIVER) as first:
        drive.start()
        time.sleep(7)
    time.sleep(1.5)
    with clients.serving("tcp", driver=DRIVER) as served:
        drive.join()
    return facts | {"requests_before": first["requests"]} | served


add(
    Scenario(
        "desks_java",
        restarted,
        "Three desks whose server is restarted, by rsocket-java",
        "java",
        healthy=True,
        shows="Questions, prices in batches of sixteen, uploads; the server is away for a while.",
        server="java",
    )
)
add(
    Scenario(
        "careful_reader_py",
        small(ours("py", "careful")),
        "Two fast streams read slowly in batches, by rsocket-py",
        "py",
        healthy=True,
        shows="Samples in batches of eight, each of which takes 20 ms; questions, alarms, a rest.",
        server="java",
    )
)
fault(
    "items_held_until_all_requested_py",
    library("py", "groups", DRIVER, server="js", responder="sixteenth_serves"),
    "A server of rsocket-js holds items back until as many are there as were requested",
    peer="py",
    server="js",
    kind="latency",
    thread="rsocket/rsocket-java#1037",
    shows="Levels of tanks, of which the client requests ten and ten again.",
    says="Nothing comes for more than a second, and then all ten items that were requested come "
    "together, again and again.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, stream=1)),),
)
fault(
    "failed_connections_left_open_java",
    ours("java", "leaves"),
    "A client of rsocket-java opens a connection for each try and leaves the failed ones open",
    peer="java",
    kind="leaks",
    thread="powersync-ja/powersync-js#238",
    shows="Changes of a document; the token has expired.",
    says="Each stream is refused as the token has expired, and the client connects anew for its "
    "next try without closing the connection before: eight connections stay open.",
    marks=(Mark(None, "server", frames(w.ERROR)),),
)
