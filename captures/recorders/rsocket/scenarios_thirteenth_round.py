"""Scenarios of the thirteenth round of the blind test: see docs/checking.md."""

import json
import time

from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts, Play
from captures.recorders.rsocket.threads import RAW, Do, Mark, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand, Passed, Peer

DRIVER = "thirteenth"


class Endpoint:
    """A server by hand that answers questions until it hangs, which it does not do when healthy."""

    def __init__(self, *, hangs: bool) -> None:
        self.hangs, self.answered = hangs, 0

    def serve(self, peer: Peer) -> None:
        """Serves a connection until it ends; from the fourth question on it may answer nothing."""
        while not peer.ended:
            one = peer.read(6)
            if one is None or (self.hangs and self.answered >= 3):
                continue
            if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                peer.send(w.keepalive(0, one.body[8:]))
            if one.key == w.REQUEST_RESPONSE:
                self.answered += 1
                peer.send(w.payload(one.stream, b"result of " + one.body, w.NEXT | w.COMPLETE))


def lives(*, hangs: bool) -> Play:
    """A play of rsocket-java 0.11 against that server."""

    def play() -> Facts:
        with Hand(wrong=True).server(Endpoint(hangs=hangs).serve, 4):
            return clients.drive("java_0_11", "lives", driver=DRIVER)

    return play


SHOWS = "Four lives of a client with five questions each, and KEEPALIVE each 0.6 s."
fault(
    "server_hangs_for_all",
    lives(hangs=True),
    "A server hangs, and answers no later connection either",
    peer="java_0_11",
    server=RAW,
    kind="stalls",
    thread="rsocket/rsocket-java#640",
    shows=SHOWS,
    says="After three answers the server answers nothing any more: no question and no KEEPALIVE, "
    "neither on this connection nor on three later ones, which it accepts. The client gives up "
    "each. A handler blocks the thread of all connections; it has to work elsewhere.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*of life [1-3]")),),
)
near_miss(
    "server_answers_all_lives",
    lives(hangs=False),
    "A server answers each of four connections",
    peer="java_0_11",
    server=RAW,
    thread="rsocket/rsocket-java#640",
    shows=SHOWS,
)


def pages(name: str) -> Play:
    """A play of rsocket-java 0.11 against rsocket-java."""
    return library("java_0_11", name, DRIVER, "plain", "7000", responder="eighth")


SHOWS = "26 pages of a catalogue, each with a question and a stream of rows."
fault(
    "connection_for_each_page",
    pages("connection_for_each"),
    "A connection is made for each page",
    peer="java_0_11",
    kind="connections",
    thread="rsocket/rsocket-java#911",
    shows=SHOWS,
    says="The client connects, asks one question, reads one stream and closes, 26 times in nine "
    "seconds. RSocket is not made for a connection per request: one has to be kept for all of "
    "them, and streams share it.",
    marks=(Mark(None, "client", frames(w.SETUP, 0), across=True, skip=1),),
)
near_miss(
    "connection_for_all_pages",
    pages("connection_for_all"),
    "One connection is kept for all pages",
    peer="java_0_11",
    thread="rsocket/rsocket-java#911",
    shows=SHOWS,
    faults={"RSK-K2": "rsocket-java 0.11.3 does not answer KEEPALIVE of a server"},
)


class Places:
    """A server by hand with streams of places, which end at CANCEL or go on."""

    def __init__(self, *, stops: bool) -> None:
        self.stops = stops

    def serve(self, peer: Peer) -> None:
        """Serves a connection until it ends."""
        open_streams: dict[int, int] = {}
        due = time.monotonic()
        while not peer.ended:
            if one := peer.read(0.03):
                self.take(peer, one, open_streams)
            if time.monotonic() < due:
                continue
            due = time.monotonic() + 0.09
            for stream, number in list(open_streams.items()):
                peer.send(w.payload(stream, b'{"car": %d, "place": [%d, 4]}' % (number, number)))
                open_streams[stream] += 1
                if open_streams[stream] == 40:
                    del open_streams[stream]
                    peer.send(w.payload(stream, b"", w.COMPLETE))

    def take(self, peer: Peer, one: Passed, open_streams: dict[int, int]) -> None:
        """Takes a frame of the client."""
        if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0, one.body[8:]))
        if one.key == w.REQUEST_RESPONSE:
            peer.send(w.payload(one.stream, b'{"plate": "M-AB 12"}', w.NEXT | w.COMPLETE))
        if one.key == w.REQUEST_STREAM:
            open_streams[one.stream] = 0
        if one.key == w.CANCEL and self.stops:
            open_streams.pop(one.stream, None)


def places(*, stops: bool) -> Play:
    """A play of rsocket-js with RxJS against that server."""

    def play() -> Facts:
        with Hand(wrong=True).server(Places(stops=stops).serve, 1):
            return clients.drive("js_rxjs", driver=DRIVER)

    return play


SHOWS = "Seven streams of places of cars, of which a page wants five each, and questions."
fault(
    "streams_go_on_after_cancel",
    places(stops=False),
    "A server goes on with streams that are cancelled",
    peer="js_rxjs",
    server=RAW,
    kind="cancellation",
    thread="spring-projects/spring-framework#26520",
    shows=SHOWS,
    says="The page takes five places and sends CANCEL; the server does not hand that on to the "
    "source of the stream, and sends all 40 places of each and COMPLETE, of which 35 are for "
    "nobody. CANCEL has to end the subscription.",
    marks=(
        Mark(
            0,
            "server",
            frames(w.PAYLOAD, more=rb'.*"car": ([1-3]\d)'),
        ),
    ),
)
near_miss(
    "streams_end_at_cancel",
    places(stops=True),
    "A server ends streams that are cancelled",
    peer="js_rxjs",
    server=RAW,
    thread="spring-projects/spring-framework#26520",
    shows=SHOWS,
)


def catalogue(do: Do) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", "plain", "7000", driver="eighth") as served:
            do(Hand(wrong=True))
        return served

    return play


def reports(hand: Hand, *, late: bool) -> None:
    """Streams of rows; REQUEST_N for each row that is handled, for the last ones too or not."""
    for session in range(2):
        peer = hand.client(w.setup(4000, 20000))
        for number in range(6):
            stream, rows = 1 + 4 * number, 4 + number
            asked = b"rows %d report-%d.%d" % (rows, session, number)
            peer.send(w.request(w.REQUEST_STREAM, stream, asked, n=2))
            got, over, granted = 0, False, 2
            while not over:
                one = peer.until(w.PAYLOAD, stream)
                got += bool(one.flags & w.NEXT)
                over = bool(one.flags & w.COMPLETE)
                if one.flags & w.NEXT and not over and (late or granted < rows + 1):
                    if not late:
                        peer.send(w.request_n(stream, 1))
                    elif got % 2 == 0:
                        peer.send(w.request_n(stream, 2))
                    granted += 1
            if late:
                for _ in range(2):
                    time.sleep(0.12)
                    peer.send(w.request_n(stream, 8))
            peer.send(w.request(w.REQUEST_RESPONSE, stream + 2, b"owner of report %d" % number))
            peer.until(w.PAYLOAD, stream + 2)
            time.sleep(0.2)
        peer.close()
        time.sleep(0.3)


SHOWS = "Two sessions of six reports, whose rows are asked for two by two, and their owners."
fault(
    "request_n_after_the_end",
    catalogue(lambda hand: reports(hand, late=True)),
    "A client asks for more of streams that are complete",
    peer=RAW,
    kind="late frames",
    thread="rsocket/rsocket-kotlin#27",
    shows=SHOWS,
    says="A while after COMPLETE the client sends REQUEST_N twice for each of twelve streams: its "
    "receiver does not notice the end and goes on to ask. The server has forgotten these streams "
    "and ignores it. After COMPLETE nothing may be asked for.",
    marks=(Mark(None, "client", frames(w.REQUEST_N, more=rb"\x00\x00\x00\x08")),),
)
near_miss(
    "request_n_before_the_end",
    catalogue(lambda hand: reports(hand, late=False)),
    "A client asks for more of streams that go on",
    peer=RAW,
    thread="rsocket/rsocket-kotlin#27",
    shows=SHOWS,
)


class Documents:
    """A server by hand that stores documents, each from all its fragments or from the last one."""

    def __init__(self, *, joins: bool) -> None:
        self.joins = joins

    def serve(self, peer: Peer) -> None:
        """Serves a connection until it ends."""
        parts: dict[int, bytes] = {}
        while not peer.ended:
            one = peer.read(4)
            if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                peer.send(w.keepalive(0, one.body[8:]))
            if one and one.key in {w.REQUEST_RESPONSE, w.PAYLOAD}:
                body = one.body
                if one.flags & w.METADATA:
                    body = body[3 + int.from_bytes(body[:3], "big") :]
                before = parts.pop(one.stream, b"") if self.joins else b""
                if one.flags & w.FOLLOWS:
                    parts[one.stream] = before + body
                else:
                    self.store(peer, one.stream, before + body)

    @staticmethod
    def store(peer: Peer, stream: int, data: bytes) -> None:
        """Answers a document, which has to be JSON."""
        try:
            number = json.loads(data)["document"]
        except (ValueError, TypeError, KeyError):
            peer.send(w.error(stream, 0x201, b"document is not valid JSON"))
        else:
            peer.send(w.payload(stream, b'{"stored": %d}' % number, w.NEXT | w.COMPLETE))


def documents(*, joins: bool) -> Play:
    """A play of rsocket-go against that server."""

    def play() -> Facts:
        with Hand(wrong=True).server(Documents(joins=joins).serve, 1):
            return clients.drive("go", driver=DRIVER)

    return play


SHOWS = "Twenty documents in JSON, of which ten are in fragments of 128 bytes."
fault(
    "last_fragment_for_all",
    documents(joins=False),
    "A server takes the last fragment of a request for all of it",
    peer="go",
    server=RAW,
    kind="fragments",
    thread="rsocket/rsocket-swift#37",
    shows=SHOWS,
    says="The server hands on only the last fragment of a request, which is no JSON, and refuses "
    "each of those requests with APPLICATION_ERROR, while documents in one frame are stored. It "
    "has to join the fragments first.",
    marks=(Mark(None, "server", frames(w.ERROR)),),
)
near_miss(
    "fragments_are_joined",
    documents(joins=True),
    "A server joins the fragments of requests",
    peer="go",
    server=RAW,
    thread="rsocket/rsocket-swift#37",
    shows=SHOWS,
)
