"""Faults and near misses of the fifth round of the blind test: see docs/checking.md."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts, Play
from captures.recorders.rsocket.threads import (
    RAW,
    Do,
    Mark,
    Shown,
    fault,
    frames,
    library,
    near_miss,
)
from captures.recorders.rsocket.wire import Hand

DRIVER = "fifth"
"""Of each library; that of rsocket-java serves too."""
LITTLE_ENDIAN = 0x0A000000
"""10 in the wrong byte order."""
CUTS = ((8, 0.5), (9, 1.5), (11, 0.2), (10, 3), (9, 0.8))
"""Seconds until a cut, and how long connections are refused after it."""


def driven(peer: str, name: str, *options: str) -> Play:
    """A play of a library against rsocket-java."""
    return library(peer, name, DRIVER, *options, responder=DRIVER)


def by_hand(do: Do, *options: str) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", *options, driver=DRIVER) as served:
            do(Hand(wrong=True))
        return served

    return play


def wrong_byte_order(hand: Hand) -> None:
    """Requests six streams of 250 rows, ten at a time by intention."""
    peer = hand.client()
    for number in range(6):
        stream, got, asked = 1 + 2 * number, 0, 0
        data = b"rows 0 customer%d 250" % number
        peer.send(w.request(w.REQUEST_STREAM, stream, data, n=LITTLE_ENDIAN))
        while True:
            one = peer.read()
            if one is None or one.stream != stream:
                continue
            got += bool(one.flags & w.NEXT)
            if one.flags & w.COMPLETE:
                break
            if got % 10 == 0 and asked < 8:
                asked += 1
                peer.send(w.request_n(stream, LITTLE_ENDIAN))
        time.sleep(0.3)
    peer.close()


fault(
    "demand_in_wrong_byte_order",
    by_hand(wrong_byte_order),
    "The request numbers are written in little-endian byte order",
    peer=RAW,
    kind="second layer",
    thread="rsocket/rsocket-net#6",
    shows="Six streams of 250 rows each.",
    says="REQUEST_STREAM and REQUEST_N carry 10 in little-endian order, which reads 167772160: the "
    "server sends all 250 rows at once where the client asked for ten at a time, and its "
    "back-pressure has no effect, on each of six streams.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_STREAM, more=rb"\x0a\x00\x00\x00")),
        Mark(None, "client", frames(w.REQUEST_N, more=rb"\x0a\x00\x00\x00")),
    ),
)

fault(
    "each_request_sent_twice",
    driven("java", "each_request_sent_twice"),
    "Each request is sent twice, as the program subscribes to it twice",
    peer="java",
    kind="storms and loops",
    thread="rsocket/rsocket-java#208 (each subscription is a request), "
    "spring-projects/spring-reactive#78 (duplicate requests by a second subscription)",
    shows="20 orders, each placed twice.",
    says="The program subscribes to each answer once for its log and once for its work: each of 20 "
    "orders is sent twice in a row with the same data, and the server places it twice.",
    marks=(
        Mark(
            None,
            "client",
            frames(w.REQUEST_RESPONSE, more=rb".*place order"),
            again=rb"place order .*$",
        ),
    ),
)

fault(
    "ticks_nobody_requested",
    driven("js", "ticks_nobody_requested"),
    "A responder that fails when the requester takes its time",
    peer="js",
    kind="storms and loops",
    thread="codecentric/spring-boot-admin#1339, reactor/reactor-kafka#34 (Could not emit tick due "
    "to lack of requests)",
    shows="Nine streams of ticks, each of which ends with ERROR.",
    says="The stream of ticks has no answer to back-pressure: when the client works on four items "
    "for 450 ms, and so has nothing requested, the server ends the stream with ERROR (Could not "
    "emit tick 4 due to lack of requests); the client requests it again, nine times with the same "
    "end.",
    marks=(
        Mark(None, "server", frames(w.ERROR, more=rb".*Could not emit tick")),
        Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".*ticks"), skip=1),
    ),
)

fault(
    "timeout_ends_the_connection",
    driven("js", "timeout_ends_the_connection"),
    "A request that takes too long ends the connection of all others",
    peer="js",
    kind="storms and loops",
    thread="rsocket/rsocket-kotlin#220, #202 (the connection is closed when one requester is "
    "cancelled)",
    shows="24 requests, and three streams beside them on each of seven connections.",
    says="A bulletin takes longer than 300 ms, and the client closes the connection instead of "
    "cancelling the one request: three streams of prices are ended with it and requested anew on "
    "the next connection, six times.",
    marks=(
        Shown("the client's FIN", "tcp.dstport == 7000 && tcp.flags.fin == 1", most=6),
        Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".*prices 70"), skip=3, across=True),
    ),
)

fault(
    "leases_every_moment",
    driven("java", "leases_every_moment", "lease_storm"),
    "A server that sends a lease of 30 seconds every 20 ms",
    peer="java",
    kind="waste",
    thread="rsocket/rsocket#25 (leases); the interval is a variant of this repository",
    shows="45 requests to a server whose leases grant 1,000 each.",
    says="Each LEASE grants 1000 requests for 30 s, and the next one comes 20 ms later: some 50 "
    "LEASE frames for nine requests in a second, where one every half minute would do.",
    marks=(Mark(None, "server", frames(w.LEASE), skip=1),),
)

near_miss(
    "leases_when_needed",
    driven("java", "leases_when_needed", "lease_calm"),
    "A lease of ten requests and one second is renewed before it ends",
    peer="java",
    thread="rsocket/rsocket#25",
    shows="45 requests to a server whose leases grant ten each.",
)

fault(
    "route_with_placeholder",
    driven("js", "route_with_placeholder", "routes"),
    "A route whose variable was never filled in",
    peer="js",
    kind="second layer",
    thread="a variant of this repository (Spring's RSocketRequester expands the variables of a "
    "route, rsocket-js takes it as it is)",
    shows="20 requests, 14 of which are refused.",
    says="The route of 14 requests is orders.{id} as it stands in the server's mapping, with no id "
    "in the place of {id}: each is refused (No handler for destination 'orders.{id}').",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*orders\.\{id\}")),),
)

near_miss(
    "route_with_number",
    driven("js", "route_with_number", "routes"),
    "Routes with a number in them",
    peer="js",
    thread="a variant of this repository (the same with the variables filled in)",
    shows="20 requests of three routes.",
)

fault(
    "mime_type_for_route",
    driven("go", "mime_type_for_route", "routes"),
    "The metadata of each request is the name of a MIME type",
    peer="go",
    kind="second layer",
    thread="rsocket/rsocket-go#115",
    shows="14 requests, each answered by ERROR.",
    says="The metadata of each of 14 requests is the text message/x.rsocket.routing.v0, the name "
    "of the type that a route would have, and no route: the server finds no destination and "
    "refuses each.",
    marks=(
        Mark(
            None,
            "client",
            frames(w.REQUEST_RESPONSE, more=rb".*message/x\.rsocket\.routing\.v0"),
        ),
    ),
)

near_miss(
    "same_ping_again",
    driven("go", "same_ping_again"),
    "A health check asks and says the same every 0.9 s",
    peer="go",
    thread="rsocket/rsocket-java#208",
    shows="13 requests and as many REQUEST_FNF, each with the same data.",
)

fault(
    "json_in_utf16",
    driven("js_0_0", "json_in_utf16", "json"),
    "The data is JSON in UTF-16",
    peer="js_0_0",
    kind="second layer",
    thread="rsocket/rsocket-net#24 (text in the encoding of the platform); the encoding is a "
    "variant of this repository",
    shows="16 requests, each answered by ERROR.",
    says="SETUP says application/json for data, and the data of each of 16 requests is JSON text "
    "in UTF-16 without a byte order mark, where JSON is UTF-8: the server can decode none.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*\{\x00")),),
)

near_miss(
    "json_of_many_scripts",
    driven("js_0_0", "json_of_many_scripts", "json"),
    "JSON in UTF-8 with letters of many scripts",
    peer="js_0_0",
    thread="rsocket/rsocket-net#24",
    shows="16 requests with names of cities.",
)

fault(
    "handler_blocks_keepalive",
    driven("js", "handler_blocks_keepalive"),
    "The handler of items blocks the thread that sends KEEPALIVE",
    peer="js",
    kind="limits about to be met",
    thread="scalecube/scalecube-services#614, #615",
    shows="A stream of 40 rows, begun on four connections.",
    says="After eight rows the handler computes for 1.9 s on the only thread; SETUP promised "
    "KEEPALIVE every 300 ms and a lifetime of 1000 ms, so the server ends the connection, and the "
    "client starts the stream anew from its first row, four times; it never gets further.",
    marks=(
        Shown(
            "the server's FIN",
            "tcp.srcport == 7000 && tcp.flags.fin == 1",
            sender="server",
        ),
        Mark(
            None,
            "client",
            frames(w.REQUEST_STREAM, more=rb".*rows 0 picture"),
            skip=1,
            across=True,
        ),
    ),
)


def goes_on(hand: Hand) -> None:
    """Sends requests and KEEPALIVE to a server that is stopped for some five seconds."""
    peer = hand.client(w.setup(300, 1000))
    for number in range(6):
        peer.send(w.request(w.REQUEST_RESPONSE, 1 + 2 * number, b"account %d" % number))
        peer.until(w.PAYLOAD, 1 + 2 * number)
        peer.send(w.keepalive())
        peer.until(w.KEEPALIVE)
        time.sleep(0.2)
    [server] = clients.SERVING
    server.send_signal(signal.SIGSTOP)
    try:
        for number in range(6, 23):
            peer.send(w.keepalive())
            peer.send(w.request(w.REQUEST_RESPONSE, 1 + 2 * number, b"account %d" % number))
            time.sleep(0.26)
    finally:
        server.send_signal(signal.SIGCONT)
    peer.drain(1)
    peer.close()


fault(
    "goes_on_after_the_lifetime",
    by_hand(goes_on),
    "A client that never gives a dead connection up",
    peer=RAW,
    kind="limits about to be met",
    thread="rsocket/rsocket#41, #16 (when a peer is dead)",
    shows="A server that is stopped for five seconds.",
    says="The server answers nothing for five seconds, neither requests nor KEEPALIVE; SETUP named "
    "a lifetime of 1000 ms, and the client goes on sending requests and KEEPALIVE into the dead "
    "connection instead of closing it and connecting anew.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*account (1\d|2\d)$")),),
)

fault(
    "second_request_is_empty",
    driven("js", "second_request_is_empty"),
    "A stream that is requested again has no data",
    peer="js",
    kind="second layer",
    thread="rsocket/rsocket-java#237",
    shows="Eight streams, each requested twice.",
    says="The buffer of the request was read to its end by the first subscription: when the same "
    "stream is requested again, REQUEST_STREAM has no data, and the server refuses it, eight "
    "times.",
    marks=(Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".{4}.{0,3}$")),),
)


def replicas(name: str) -> Play:
    """A play of two replicas of a scheduler, each on a connection of its own."""

    def play() -> Facts:
        begin = time.time() + 1.5
        facts: dict[str, object] = {"answers": 0}

        def drive(replica: str) -> None:
            counted = clients.drive("py", name, f"{replica}{begin}", driver=DRIVER)
            facts["answers"] = int(str(facts["answers"])) + int(str(counted["answers"]))

        with clients.serving("tcp", driver=DRIVER) as served:
            threads = [threading.Thread(target=drive, args=(each,)) for each in "ab"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        return facts | served

    return play


fault(
    "job_run_by_both_replicas",
    replicas("job_run_by_both_replicas"),
    "Two replicas of a scheduler both run each job",
    peer="py",
    kind="identity",
    thread="jaseci-labs/jac#7617 (scheduled jobs run on every replica); the play is a variant of "
    "this repository",
    shows="Two clients, and nine jobs.",
    says="Two replicas of the scheduler, each on a connection of its own, request the same job "
    "within milliseconds, nine times: every job is run twice.",
    marks=(
        Mark(
            None,
            "client",
            frames(w.REQUEST_RESPONSE, more=rb".*run \w+ of hour"),
            again=rb"run \w+ of hour \d+",
            across=True,
        ),
    ),
)

near_miss(
    "jobs_shared_by_replicas",
    replicas("jobs_shared_by_replicas"),
    "Two replicas of a scheduler share the jobs",
    peer="py",
    thread="jaseci-labs/jac#7617",
    shows="Two clients, and nine jobs.",
)

near_miss(
    "searches_as_you_type",
    driven("js", "searches_as_you_type"),
    "A search box cancels the request of the letter before",
    peer="js",
    thread="rsocket/rsocket-java#328 (requests that are cancelled at once)",
    shows="Three words, typed letter by letter.",
)


def restarted(name: str) -> Play:
    """A play of rsocket-java, whose server is started four times meanwhile."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        thread = threading.Thread(
            target=lambda: facts.update(clients.drive("java", name, driver=DRIVER))
        )
        for number, seconds in enumerate((14, 12, 15, 0)):
            with clients.serving("tcp", driver=DRIVER):
                if not number:
                    thread.start()
                time.sleep(seconds)
                if not seconds:
                    thread.join()
            time.sleep(1.1)
        return facts

    return play


near_miss(
    "reconnects_through_restarts",
    restarted("reconnects_through_restarts"),
    "A client connects again with a growing pause, whose server is restarted three times",
    peer="java",
    thread="rsocket/rsocket-java#540",
    shows="A minute of requests, channels and a stream, while the server restarts three times.",
)


class Forwarder:
    """Passes connections to port 7001 on to the server, and can cut all that are open."""

    def __init__(self) -> None:
        self.sockets: list[socket.socket] = []
        self.refuses_until = 0.0

    def accept(self, listening: socket.socket) -> None:
        """Connects whoever comes with the server."""
        with suppress(OSError):
            while True:
                taken, _ = listening.accept()
                if time.monotonic() < self.refuses_until:
                    taken.close()
                    continue
                other = socket.create_connection((lab.HOST, 7000))
                self.sockets += (taken, other)
                for pair in ((taken, other), (other, taken)):
                    threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source: socket.socket, target: socket.socket) -> None:
        """Passes bytes on until one side ends."""
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        self.end(source, target)

    def end(self, *sockets: socket.socket) -> None:
        """Ends connections."""
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Cuts what is open, at the times of `CUTS`."""
        for pause, away in CUTS:
            time.sleep(pause)
            self.refuses_until = time.monotonic() + away
            self.end(*self.sockets)
            self.sockets.clear()


@contextmanager
def forwarding() -> Iterator[None]:
    """A forwarder while the block runs."""
    forwarder = Forwarder()
    with socket.create_server((lab.HOST, 7001)) as listening:
        threading.Thread(target=forwarder.accept, args=(listening,), daemon=True).start()
        threading.Thread(target=forwarder.cut, daemon=True).start()
        yield


def resumes(name: str) -> Play:
    """A play of rsocket-java over a forwarder that cuts its connections."""

    def play() -> Facts:
        with clients.serving("tcp", "resume", driver=DRIVER) as served, forwarding():
            facts = clients.drive("java", name, driver=DRIVER)
        return facts | served

    return play


near_miss(
    "resumes_through_cuts",
    resumes("resumes_through_cuts"),
    "A session is cut five times in a minute and resumed each time",
    peer="java",
    thread="rsocket/rsocket-java#737",
    shows="A minute of requests and a stream, whose connection is cut five times.",
)
