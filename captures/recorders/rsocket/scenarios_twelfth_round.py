"""Scenarios of the twelfth round of the blind test: see docs/checking.md."""

import socket
import threading
import time
from contextlib import suppress

from captures.recorders import lab
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.scenarios_eighth_round import cut
from captures.recorders.rsocket.setup import PORT, Facts, Play
from captures.recorders.rsocket.threads import RAW, Do, Mark, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand, Passed, Peer

DRIVER = "twelfth"


def served(play: str, server: str, *options: str, client: str = "java", serves: str) -> Play:
    """A play of a driver of this round against the server of another one."""
    return library(client, play, DRIVER, *options, server=server, responder=serves)


def answered(peer: Peer, one: Passed) -> None:
    """Answers KEEPALIVE and questions, for a server by hand."""
    if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
        peer.send(w.keepalive(0, one.body[8:]))
    if one.key == w.REQUEST_RESPONSE:
        peer.send(w.payload(one.stream, b"answer to " + one.body, w.NEXT | w.COMPLETE))


def stalling(peer: Peer) -> None:
    """Serves a connection; a channel gets no answer to its last item, and is never completed."""
    counted: dict[int, int] = {}
    while one := peer.read(6):
        answered(peer, one)
        if one.key == w.REQUEST_CHANNEL:
            peer.send(w.request_n(one.stream, w.ALL))
        if one.key in {w.REQUEST_CHANNEL, w.PAYLOAD} and one.flags & w.NEXT:
            counted[one.stream] = counted.get(one.stream, 0) + 1
            if counted[one.stream] < 9:
                words = one.body.count(b" ") + 1
                peer.send(w.payload(one.stream, b"%d words" % words))


def uncompleted() -> Facts:
    """A play of rsocket-go against that server."""
    with Hand(wrong=True).server(stalling, 3):
        return clients.drive("go", "words", driver=DRIVER)


SHOWS = "Three authors, who send the sentences of two chapters on a channel each, and ask."
fault(
    "channel_never_completed",
    uncompleted,
    "A server loses the end of each channel",
    peer="go",
    server=RAW,
    kind="stalls",
    thread="rsocket/rsocket-go#106, rsocket/rsocket-java#613",
    shows=SHOWS,
    says="The requester sends nine sentences and completes its side; the server answers eight of "
    "them, and neither the ninth nor COMPLETE ever comes, on each of six channels, while questions "
    "on the same connection are answered. The requester waits until it gives up.",
    marks=tuple(
        Mark(None, "server", frames(w.PAYLOAD, more=rb".*words"), skip=skip, most=1)
        for skip in (7, 15)
    ),
)
near_miss(
    "channel_completes_java_serves",
    served("words", "java", client="go", serves="eleventh"),
    "The server answers all sentences of a channel",
    peer="go",
    thread="rsocket/rsocket-go#106",
    shows=SHOWS,
)


def distant(do: Do) -> Play:
    """A play by hand against rsocket-java, over a line on which what the client sends is slow."""

    def pass_on(source: socket.socket, target: socket.socket, delay: float) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                time.sleep(delay)
                target.sendall(data)
        cut(source, target)

    def relay(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection((lab.HOST, 7001))
                for way in ((client, server, 0.09), (server, client, 0.0)):
                    threading.Thread(target=pass_on, args=way, daemon=True).start()

    def play() -> Facts:
        serving = clients.serving("tcp", "plain", "7001", driver="eighth")
        with serving as counted, socket.create_server((lab.HOST, PORT)) as listening:
            threading.Thread(target=relay, args=(listening,), daemon=True).start()
            do(Hand(wrong=True))
            listening.shutdown(socket.SHUT_RDWR)  # wakes the thread, which else keeps the port
        return counted

    return play


def unknown(hand: Hand, *, fatal: bool) -> None:
    """Views of a stream that are cancelled, after which items of it still come."""
    for life in range(5 if fatal else 2):
        peer = hand.client(w.setup(3000, 15000))
        gone: set[int] = set()
        stream = 1
        for view in range(4):
            peer.send(w.request(w.REQUEST_RESPONSE, stream, b"name of view %d.%d" % (life, view)))
            peer.until(w.PAYLOAD, stream)
            peer.send(w.request(w.REQUEST_STREAM, stream + 2, b"ticks 25 VIEW-%d" % view, n=w.ALL))
            for _ in range(8):
                peer.until(w.PAYLOAD, stream + 2)
            peer.send(w.frame(w.CANCEL, stream + 2))
            gone.add(stream + 2)
            late = [each for each in peer.drain(0.5) if each.stream in gone]
            if late and fatal and view == 1:
                peer.send(w.error(0, 0x101, b"unknown stream %d" % late[0].stream))
                break
            stream += 4
        peer.close()
        time.sleep(0.4)


SHOWS = "Views of streams that are cancelled, on a line of 90 ms."
fault(
    "late_items_end_the_connection",
    distant(lambda hand: unknown(hand, fatal=True)),
    "A client takes items behind its CANCEL for an error of the connection",
    peer=RAW,
    kind="late frames",
    thread="rsocket/rsocket-py#31",
    shows=SHOWS,
    says="Items that the server sent before CANCEL reached it come for a stream that the client "
    "has forgotten: it sends ERROR CONNECTION_ERROR (unknown stream) and ends the connection with "
    "all that is on it, five times. Frames of streams that are not known have to be ignored.",
    marks=(Mark(None, "client", frames(w.ERROR, 0)),),
)
near_miss(
    "late_items_ignored",
    distant(lambda hand: unknown(hand, fatal=False)),
    "A client ignores items behind its CANCEL",
    peer=RAW,
    thread="rsocket/rsocket-py#31",
    shows=SHOWS,
)


def own_server(play: str) -> Play:
    """A play of rsocket_rust that is client and server."""

    def played() -> Facts:
        return clients.drive("rust", play, "tcp")

    return played


SHOWS = "A hospital whose server asks its client for free beds, beside the client's own questions."
fault(
    "client_without_responder_rust",
    own_server("server_asks_in_vain"),
    "The server asks a client that has no responder",
    peer="rust",
    server="rust",
    kind="no handler",
    thread="rsocket/rsocket-rust#32",
    shows=SHOWS,
    says="The server asks its client as soon as it has come, and again and again; the client was "
    "started without a responder and refuses each of twelve questions with APPLICATION_ERROR. A "
    "client that is to be asked needs an acceptor, and the server should stop asking.",
    marks=(Mark(None, "client", frames(w.ERROR)),),
)
near_miss(
    "client_with_responder_rust",
    own_server("server_asks_client"),
    "The server asks a client that answers",
    peer="rust",
    server="rust",
    thread="rsocket/rsocket-rust#32",
    shows=SHOWS,
    faults={"RSK-C6": "the library's own server counts its streams from 0"},
)

SHOWS = "Questions for orders and prices to a server of Spring, by a client without Spring."
fault(
    "no_route_for_spring_java",
    served("unrouted", "spring", serves=DRIVER),
    "Requests to a server of Spring have no route",
    peer="java",
    server="spring",
    kind="routes",
    thread="rsocket/rsocket#293, rsocket/rsocket-java#765",
    shows=SHOWS,
    says="The server finds its handlers by the route in the metadata, and the client sends none: "
    "each request is refused (No handler for destination ''). The client has to send its route as "
    "composite metadata, and SETUP has to announce that.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_RESPONSE)),
        Mark(None, "client", frames(w.REQUEST_STREAM)),
    ),
)
near_miss(
    "routes_for_spring_java",
    served("routed", "spring", serves=DRIVER),
    "Requests to a server of Spring have their route",
    peer="java",
    server="spring",
    thread="rsocket/rsocket#293, rsocket/rsocket-java#765",
    shows=SHOWS,
)

SHOWS = "Nine starts of an app whose session is to be resumed, at a server that resumes none."
fault(
    "resume_not_supported_java",
    served("insists", "java", serves="eleventh"),
    "A client asks for resumption of a server that does not support it, at every start",
    peer="java",
    kind="resuming",
    thread="rsocket/rsocket-java#1058, spring-projects/spring-framework#28940",
    shows=SHOWS,
    says="SETUP has a resume token and the server was started without resumption: it refuses each "
    "of nine SETUP (UNSUPPORTED_SETUP, resume not supported), and no question is ever answered. "
    "The server has to be configured to resume, or the client to do without.",
    marks=(Mark(None, "client", frames(w.SETUP)),),
)
near_miss(
    "resume_given_up_java",
    served("falls_back", "java", serves="eleventh"),
    "A client does without resumption when the server does not support it",
    peer="java",
    thread="rsocket/rsocket-java#1058, spring-projects/spring-framework#28940",
    shows=SHOWS,
)


class Resumed:
    """A server by hand that resumes a session once, and answers after that or not."""

    def __init__(self, *, answers: bool) -> None:
        self.answers, self.position = answers, 0

    def serve(self, peer: Peer) -> None:
        """Serves a connection for 3 s, or after RESUME until its end."""
        again = peer.read(5).key == w.RESUME  # type: ignore[union-attr]
        if again:
            peer.send(w.frame(w.RESUME_OK, 0, 0, self.position.to_bytes(8, "big")))
        streams: dict[int, int] = {}
        end = time.monotonic() + (20 if again else 3)
        while time.monotonic() < end and not peer.ended:
            one = peer.read(0.12)
            for stream in list(streams):
                peer.send(w.payload(stream, b"gust %d" % streams[stream]))
                streams[stream] += 1
            if one:
                self.take(peer, one, streams, answers=self.answers or not again)
        if not again:
            peer.socket.shutdown(socket.SHUT_RDWR)

    def take(self, peer: Peer, one: Passed, streams: dict[int, int], *, answers: bool) -> None:
        """Counts a frame, and answers it."""
        if one.stream:
            self.position += 6 + len(one.body)
        if answers or one.key == w.KEEPALIVE:
            answered(peer, one)
        if answers and one.key == w.REQUEST_STREAM:
            streams[one.stream] = 0
        if one.key == w.CANCEL:
            streams.pop(one.stream, None)


def resumed(*, answers: bool) -> Play:
    """A play of rsocket-java against that server."""

    def play() -> Facts:
        with Hand(wrong=True).server(Resumed(answers=answers).serve, 2):
            return clients.drive("java", "display", driver=DRIVER)

    return play


SHOWS = "A display with questions and streams, whose connection is cut and resumed once."
fault(
    "silent_after_resumption",
    resumed(answers=False),
    "A server answers nothing more once a session was resumed",
    peer="java",
    server=RAW,
    kind="resuming",
    thread="rsocket/rsocket-java#858",
    shows=SHOWS,
    says="The server accepts RESUME and answers KEEPALIVE, but no request of the resumed session: "
    "neither questions nor streams get a payload, and CANCEL has no effect. What the session had "
    "before the cut has to go on after RESUME_OK.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb"humidity ([89]|\d\d)")),),
)
near_miss(
    "answers_after_resumption",
    resumed(answers=True),
    "A server goes on answering once a session was resumed",
    peer="java",
    server=RAW,
    thread="rsocket/rsocket-java#858",
    shows=SHOWS,
)
