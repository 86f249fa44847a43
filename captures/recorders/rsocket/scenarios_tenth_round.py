"""Faults, near misses and programs of the tenth round of the blind test: see docs/checking.md."""

import signal
import socket
import threading
import time
from contextlib import suppress

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.scenarios_eighth_round import by_hand, cut
from captures.recorders.rsocket.setup import PORT, Facts, Play
from captures.recorders.rsocket.threads import RAW, Mark, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand, Peer

DRIVER = "tenth"
SERVER = "eighth"
"""Driver of rsocket-java that serves the plays by hand."""


def demanded(hand: Hand, *, more: int, each: int) -> None:
    """Five streams whose demand is renewed after so many items, beside requests."""
    peer = hand.client()
    for number in range(5):
        stream = 1 + 4 * number
        first = w.ALL if each == 1 else more * 2
        peer.send(w.request(w.REQUEST_STREAM, stream, b"rows 36 page-%d" % number, n=first))
        got, over = 0, False
        while not over and (one := peer.read(1.5)):
            if one.key != w.PAYLOAD or one.stream != stream:
                continue
            got += 1
            over = bool(one.flags & w.COMPLETE)
            if got % each == 0 and not over:
                peer.send(w.request_n(stream, more))
        peer.send(w.request(w.REQUEST_RESPONSE, stream + 2, b"total of page %d" % number))
        peer.drain(0.4)
    peer.close()


SHOWS = "Five streams of 36 items and a request after each."
fault(
    "demand_for_all_again",
    by_hand(lambda hand: demanded(hand, more=w.ALL, each=1)),
    "All items are requested again after each item",
    peer=RAW,
    kind="flow control",
    thread="rsocket/rsocket-cpp#840",
    shows=SHOWS,
    says="REQUEST_STREAM asks for 2147483647 items, which is all, and the client sends REQUEST_N "
    "with 2147483647 after each of them: 35 frames a stream that add nothing.",
    marks=(Mark(None, "client", frames(w.REQUEST_N, more=rb"\x7f\xff\xff\xff")),),
)
near_miss(
    "demand_renewed_by_eight",
    by_hand(lambda hand: demanded(hand, more=8, each=8)),
    "Eight more items are requested after eight items",
    peer=RAW,
    thread="rsocket/rsocket-cpp#840",
    shows=SHOWS,
)

LISTS = [",".join(f"share-{place}" for place in range(size)) for size in range(1, 11)]
"""What a watch list grows to."""


def watch_list(hand: Hand, *, channel: bool) -> None:
    """A watch list grows: by a new stream for each change, or on a channel that stays."""
    peer = hand.client()
    asked = w.REQUEST_CHANNEL if channel else w.REQUEST_STREAM
    for place, wanted in enumerate(LISTS):
        stream = 1 if channel else 1 + 4 * place
        data = b"ticks 45 " + wanted.encode()
        if channel and place:
            peer.send(w.payload(1, data))
        else:
            peer.send(w.request(asked, stream, data, n=w.ALL))
        peer.drain(0.7)
        peer.send(w.request(w.REQUEST_RESPONSE, 3 + 4 * place, b"name of share-%d" % place))
        peer.drain(0.2)
        if not channel:
            peer.send(w.frame(w.CANCEL, stream))
    if channel:
        peer.send(w.frame(w.PAYLOAD, 1, w.COMPLETE))
    peer.drain(0.3)
    peer.close()


SHOWS = "A watch list that grows ten times."
fault(
    "stream_anew_for_each_change",
    by_hand(lambda hand: watch_list(hand, channel=False)),
    "A stream is cancelled and requested anew for each change of what it is to have",
    peer=RAW,
    kind="waste",
    thread="rsocket/rsocket#30",
    shows=SHOWS,
    says="For each share that is added the client cancels its stream and requests another one with "
    "the whole list, which begins anew: ten streams one after the other for one subscription. A "
    "channel carries the changes of a subscription.",
    marks=(Mark(None, "client", frames(w.REQUEST_STREAM), skip=1),),
)
near_miss(
    "changes_on_a_channel",
    by_hand(lambda hand: watch_list(hand, channel=True)),
    "A channel carries the changes of what it is to have",
    peer=RAW,
    thread="rsocket/rsocket#30",
    shows=SHOWS,
)

SHOWS = "Three instances of services that register themselves at a gateway."
fault(
    "route_id_of_another",
    library("js", "one_id", DRIVER, responder=DRIVER),
    "Two instances register themselves under one id",
    peer="js",
    kind="identity",
    thread="spring-attic/spring-cloud-rsocket#2",
    shows=SHOWS,
    says="stock-b has the route id 500 of stock-a, which is connected: the gateway refuses each of "
    "its connections (REJECTED_SETUP, already registered), and it comes again each 0.7 s with the "
    "same id. Each instance needs an id of its own.",
    marks=(Mark(None, "client", frames(w.SETUP, more=rb".*500$"), skip=1, across=True),),
)
near_miss(
    "route_ids_of_their_own",
    library("js", "own_ids", DRIVER, responder=DRIVER),
    "Each instance registers itself under an id of its own",
    peer="js",
    thread="spring-attic/spring-cloud-rsocket#2",
    shows=SHOWS,
)


def watched(hand: Hand, patience: float) -> None:
    """Keeps a connection with requests alive, and gives it up after a silence of the server."""
    end = time.monotonic() + 13
    while time.monotonic() < end:
        peer = hand.client(w.setup(500, 30000))
        number, heard = 0, time.monotonic()
        while time.monotonic() < end and time.monotonic() - heard < patience:
            peer.send(w.keepalive())
            if number % 2 == 0:
                peer.send(w.request(w.REQUEST_RESPONSE, 1 + number, b"level %d" % number))
            number += 2
            if taken(peer, 0.5):
                heard = time.monotonic()
        if time.monotonic() < end:
            said = b"No keep-alive acks for %d ms" % (patience * 1000)
            peer.send(w.error(0, 0x101, said))
        peer.close()


def taken(peer: Peer, seconds: float) -> bool:
    """Reads for some time, and answers KEEPALIVE; says whether one came."""
    beats = [one for one in peer.drain(seconds) if one.key == w.KEEPALIVE]
    for one in beats:
        if one.flags & w.RESPOND:
            peer.send(w.keepalive(0, one.body[8:]))
    return bool(beats)


def pausing(patience: float) -> Play:
    """A play by hand against a server whose process is stopped for two seconds, three times."""

    def play() -> Facts:
        with clients.serving("tcp", driver=SERVER) as served:
            server = clients.SERVING[-1]

            def pause() -> None:
                for _ in range(3):
                    time.sleep(2.2)
                    server.send_signal(signal.SIGSTOP)
                    time.sleep(2.0)
                    server.send_signal(signal.SIGCONT)

            thread = threading.Thread(target=pause)
            thread.start()
            watched(Hand(wrong=True), patience)
            thread.join()
        return served

    return play


SHOWS = "Requests and KEEPALIVE each half a second, of a server that pauses for 2 s three times."
fault(
    "patience_below_the_lifetime",
    pausing(1.2),
    "A client ends its connection long before the lifetime that it has named",
    peer=RAW,
    kind="limits about to be met",
    thread="rsocket/rsocket-java#617",
    shows=SHOWS,
    says="SETUP names a lifetime of 30 s, and the client ends the connection after 1.2 s without "
    "an answer to KEEPALIVE (No keep-alive acks for 1200 ms): it does not honour what it has told "
    "the server, and each pause of the server ends a connection.",
    marks=(Mark(None, "client", frames(w.ERROR, stream=0)),),
)
near_miss(
    "patience_of_the_lifetime",
    pausing(30),
    "A client waits for a server that pauses",
    peer=RAW,
    thread="rsocket/rsocket-java#617",
    shows=SHOWS,
)


def slowed(source: socket.socket, target: socket.socket) -> None:
    """Passes on what comes, 700 bytes each 40 ms."""
    with suppress(OSError):
        while data := source.recv(700):
            time.sleep(0.04)
            target.sendall(data)
    cut(source, target)


def slow_line() -> Facts:
    """Plays a client whose connection to the server is slow."""

    def relay() -> None:
        with socket.create_server((lab.HOST, PORT)) as listening:
            client, _ = listening.accept()
            server = socket.create_connection((lab.HOST, 7001))
            for pair in ((client, server), (server, client)):
                threading.Thread(target=slowed, args=pair, daemon=True).start()

    with clients.serving("tcp", "plain", "7001", driver=SERVER) as served:
        threading.Thread(target=relay, daemon=True).start()
        time.sleep(0.3)
        driven = clients.drive("go", "plays", driver=DRIVER)
    return driven | served


near_miss(
    "slow_line_go",
    slow_line,
    "Streams, requests and fragments over a slow line, by rsocket-go",
    peer="go",
    thread="a program: a client on a line of 17 kB/s",
    shows="Nine streams whose demand is renewed, nine requests in fragments, nine reports.",
)
