"""Faults, near misses and programs of the eighth round of the blind test: see docs/checking.md."""

import socket
import threading
from contextlib import suppress

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import PORT, Facts, Play
from captures.recorders.rsocket.threads import (
    RAW,
    Do,
    Mark,
    fault,
    frames,
    library,
    near_miss,
)
from captures.recorders.rsocket.wire import Hand

DRIVER = "eighth"
"""Of each library; that of rsocket-java serves too."""


def driven(peer: str, name: str, *options: str, server: str = "java") -> Play:
    """A play of a library against rsocket-java, or against rsocket-js."""
    responder = DRIVER if server == "java" else "serves"
    return library(peer, name, DRIVER, *options, server=server, responder=responder)


def program(peer: str, name: str = "plays", server: str = "java", driver: str = DRIVER) -> Play:
    """A play of a program against a server of Java."""

    def play() -> Facts:
        with clients.serving("tcp", peer=server, driver=DRIVER) as served:
            driven = clients.drive(peer, name, driver=driver)
        return driven | served

    return play


def pumped(source: socket.socket, target: socket.socket, seconds: float = 0) -> None:
    """Passes on what comes until either side ends, or so long after the first bytes."""
    timer = threading.Timer(seconds, cut, (source, target))
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
            if seconds and timer.ident is None:
                timer.start()
    timer.cancel()
    cut(source, target)


def cut(*sockets: socket.socket) -> None:
    """Ends connections."""
    for each in sockets:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def balancer(targets: tuple[int, ...], ended: threading.Event) -> None:
    """Takes connections, gives them to the servers in turn, and cuts each after a while."""
    with socket.create_server((lab.HOST, PORT)) as listening:
        listening.settimeout(0.2)
        number = 0
        while not ended.is_set():
            try:
                client, _ = listening.accept()
            except TimeoutError:
                continue
            server = socket.create_connection((lab.HOST, targets[number % len(targets)]))
            number += 1
            seconds = 2.8 if number % 2 or len(targets) == 1 else 0
            for pair in ((client, server, seconds), (server, client, 0)):
                threading.Thread(target=pumped, args=pair, daemon=True).start()


def behind_balancer(*targets: int) -> Play:
    """A play of a client that resumes, whose connections a load balancer gives to servers."""

    def play() -> Facts:
        ended = threading.Event()
        thread = threading.Thread(target=balancer, args=(targets, ended), daemon=True)
        with (
            clients.serving("tcp", "resume", "7001", driver=DRIVER),
            clients.serving("tcp", "resume", "7002", driver=DRIVER),
        ):
            thread.start()
            facts = clients.drive("java", "display", driver=DRIVER)
            ended.set()
            thread.join()
        return facts

    return play


fault(
    "resume_at_another_server",
    behind_balancer(7001, 7002),
    "A load balancer gives the connection that resumes to another server",
    peer="java",
    kind="identity",
    thread="rsocket/rsocket-java#1116",
    shows="A stream and requests of a client whose connections are cut, with two servers.",
    says="The sessions are in the memory of one server, and the load balancer gives each new "
    "connection to the next one: RESUME meets a server that does not know its token and is refused "
    "(REJECTED_RESUME), and the stream begins anew each time.",
    marks=(
        Mark(None, "client", frames(w.RESUME)),
        Mark(None, "server", frames(w.ERROR, stream=0)),
    ),
)

near_miss(
    "resume_at_the_same_server",
    behind_balancer(7001),
    "A load balancer gives the connection that resumes to the same server",
    peer="java",
    thread="rsocket/rsocket-java#1116",
    shows="A stream and requests of a client whose connections are cut.",
)

fault(
    "keepalive_after_lifetime",
    driven("js", "keepalive_after_lifetime", server="js"),
    "SETUP has a longer pause between KEEPALIVE than the lifetime",
    peer="js",
    server="js",
    kind="limits about to be met",
    thread="rsocket/rsocket-kotlin#228",
    shows="Streams of ticks on connections that end after a moment.",
    says="SETUP names 4000 ms between KEEPALIVE and a lifetime of 1300 ms: the lifetime is over "
    "before the first KEEPALIVE is due, and each connection is ended in the midst of its stream.",
    marks=(Mark(None, "client", frames(w.SETUP), across=True),),
)

near_miss(
    "keepalive_within_lifetime",
    driven("js", "keepalive_within_lifetime", server="js"),
    "SETUP has a pause between KEEPALIVE of less than half the lifetime",
    peer="js",
    server="js",
    thread="rsocket/rsocket-kotlin#228",
    shows="A stream of ticks for seven seconds.",
)

fault(
    "authentication_not_in_setup",
    driven("py", "authenticates_late", "auth"),
    "The user's name stands in each request and not in SETUP",
    peer="py",
    kind="storms and loops",
    thread="rsocket/rsocket-py#33",
    shows="Seven starts of a program, each of which is refused.",
    says="The server wants message/x.rsocket.authentication.v0 in SETUP, and the client puts it "
    "into its requests alone: each of seven connections is refused (REJECTED_SETUP, Access "
    "Denied), and the program starts again with the same SETUP.",
    marks=(Mark(None, "client", frames(w.SETUP), across=True),),
)

near_miss(
    "authentication_in_setup",
    driven("py", "authenticates", "auth"),
    "The user's name stands in SETUP",
    peer="py",
    thread="rsocket/rsocket-py#33",
    shows="Seven starts of a program with four requests each.",
)

fault(
    "metadata_of_no_bytes",
    driven("js", "empty_metadata", "routes"),
    "Requests whose metadata has no bytes",
    peer="js",
    kind="second layer",
    thread="rsocket/rsocket-kotlin#217",
    shows="14 requests, twelve of which are refused.",
    says="The route is built and not put into the metadata, which is there with a length of 0: the "
    "server finds no route in twelve of 14 requests (Destination '' does not support "
    "REQUEST_STREAM).",
    marks=(
        Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb"\x00\x00\x00rows")),
        Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".{4}\x00\x00\x00rows")),
    ),
)

near_miss(
    "route_in_metadata",
    driven("js", "route_in_metadata", "routes"),
    "Requests whose metadata has a route",
    peer="js",
    thread="rsocket/rsocket-kotlin#217",
    shows="14 requests with composite metadata.",
)


def by_hand(do: Do, *options: str) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", *options, driver=DRIVER) as served:
            do(Hand(wrong=True))
        return served

    return play


def cancelled(hand: Hand, *, first: bool) -> None:
    """Takes part of ten streams; some of them are cancelled before, or after they are requested."""
    peer = hand.client()
    for number in range(10):
        stream = 1 + 4 * number
        off = number % 3 == 1
        if off and first:
            peer.send(w.frame(w.CANCEL, stream))
        else:
            asked = w.request(w.REQUEST_STREAM, stream, b"ticks 30 T%d" % number, n=12)
            peer.send(asked)
            peer.drain(0.25)
            if off:
                peer.send(w.frame(w.CANCEL, stream))
        peer.send(w.request(w.REQUEST_RESPONSE, stream + 2, b"total %d" % number))
        peer.drain(0.45)
    for number in range(10):
        peer.send(w.frame(w.CANCEL, 1 + 4 * number)) if number % 3 != 1 else None
    peer.close()


fault(
    "cancel_before_request",
    by_hand(lambda hand: cancelled(hand, first=True)),
    "CANCEL of a stream that was never requested",
    peer=RAW,
    kind="sequences",
    thread="rsocket/rsocket-java#132",
    shows="Ten subscriptions, three of which are cancelled before they ask for anything.",
    says="A subscriber cancels before it asks for the first item, so REQUEST_STREAM is not sent, "
    "and the client sends CANCEL for it nevertheless: there is no such stream, and the server "
    "ignores each of three.",
    marks=(
        Mark(None, "client", frames(w.CANCEL, 5)),
        Mark(None, "client", frames(w.CANCEL, 17)),
        Mark(None, "client", frames(w.CANCEL, 29)),
    ),
)

near_miss(
    "cancel_after_request",
    by_hand(lambda hand: cancelled(hand, first=False)),
    "CANCEL of streams that run, three of them early",
    peer=RAW,
    thread="rsocket/rsocket-java#132",
    shows="Ten streams that are cancelled, and requests between them.",
)

near_miss(
    "balanced_by_library",
    program("java", "balanced"),
    "The library balances requests over three connections",
    peer="java",
    thread="a program: LoadbalanceRSocketClient with targets that come and go",
    shows="60 requests of three kinds, on connections that come and go.",
)

near_miss(
    "shop_of_spring",
    program("spring", server="spring"),
    "A server and a client of Spring Boot",
    peer="spring",
    server="spring",
    thread="a program: @MessageMapping, @ConnectMapping and RSocketRequester",
    shows="Every interaction model with routes and CBOR, requests of the server too, some errors.",
)

near_miss(
    "shop_by_rxjs",
    program("js_rxjs", server="spring"),
    "A client with routes and RxJS, of a server of Spring Boot",
    peer="js_rxjs",
    server="spring",
    thread="a program: rsocket-messaging and rsocket-adapter-rxjs",
    shows="Every interaction model with routes and JSON, some errors.",
)

near_miss(
    "command_line_py",
    program("py_cli", driver="cli_eighth"),
    "The command line of rsocket-py, called ten times",
    peer="py_cli",
    thread="a program: rsocket.cli.command",
    shows="Ten calls with metadata, a route, a user's name, data in SETUP and limits.",
)


def channels() -> Facts:
    """Plays channels of rsocket-js against rsocket-py."""
    with clients.serving(peer="py", driver="eighth_serves") as served:
        driven = clients.drive("js", "channels_of_samples", driver=DRIVER)
    return driven | served


near_miss(
    "channel_requested_one_by_one",
    channels,
    "A server requests the items of a channel one by one, and one more after the last",
    peer="js",
    server="py",
    thread="rsocket/rsocket-py#290",
    shows="Six channels of samples, and requests between them.",
)


def probed() -> Facts:
    """Plays channels of rsocket-js against rsocket-java, whose port is probed meanwhile."""
    over = threading.Event()

    def probe() -> None:
        while not over.wait(0.45):
            socket.create_connection((lab.HOST, PORT)).close()

    thread = threading.Thread(target=probe)
    with clients.serving("tcp", driver=DRIVER) as served:
        thread.start()
        driven = clients.drive("js", "channels_of_samples", driver=DRIVER)
        over.set()
        thread.join()
    return driven | served


near_miss(
    "port_probed",
    probed,
    "An orchestrator probes the port of a server by connections without a byte",
    peer="js",
    server="java",
    thread="a program: the probe tcpSocket of Kubernetes",
    shows="Six channels of samples, and a connection every half a second that ends at once.",
)
