"""Scenarios of the eleventh round of the blind test: see docs/checking.md."""

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

DRIVER = "eleventh"


def served(play: str, server: str, *options: str, client: str = "js", serves: str = DRIVER) -> Play:
    """A play of a driver of this round against a server of this round."""
    return library(client, play, DRIVER, *options, server=server, responder=serves)


SHOWS = "Reports of months and of a year, beside a stream of ticks."
fault(
    "answer_above_the_limit_js",
    served("one_answer", "js", serves="eleventh_serves"),
    "The server dies of an answer that is too large for a frame",
    peer="js",
    server="js",
    kind="crashes",
    thread="rsocket/rsocket-js#306",
    shows=SHOWS,
    says="The answer to report year has 17 MiB, more than a frame holds, and the server does not "
    "fragment answers: it dies at that request, with the stream of the connection. The client "
    "connects again and sends the same request, which kills the server four times.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb"report year"), across=True),),
)
near_miss(
    "answer_in_parts_js",
    served("parts", "js", serves="eleventh_serves"),
    "The server gives a large report as a stream of parts",
    peer="js",
    server="js",
    thread="rsocket/rsocket-js#306",
    shows=SHOWS,
)

SHOWS = "Four starts of an uploader with a channel, a stream and questions."
fault(
    "panics_at_cancel_go",
    served("uploads", "java", "cancels", client="go"),
    "The client panics when the responder cancels its side of a channel",
    peer="go",
    kind="crashes",
    thread="rsocket/rsocket-go#122",
    shows=SHOWS,
    says="The server cancels the lines that the client sends on its channel, which it may do while "
    "its own answers go on: the client panics at CANCEL and ends, with its stream, at each of four "
    "starts.",
    marks=(Mark(None, "server", frames(w.CANCEL)),),
)
near_miss(
    "uploads_go",
    served("uploads", "java", client="go"),
    "The responder takes all lines of a channel",
    peer="go",
    thread="rsocket/rsocket-go#122",
    shows=SHOWS,
)

SHOWS = "Nine questions at the same time, three times."
fault(
    "handlers_in_series_go",
    served("at_once", "go"),
    "The server works on one request of a connection after the other",
    peer="js",
    server="go",
    kind="head of line",
    thread="rsocket/rsocket-go#57",
    shows=SHOWS,
    says="The handler works before it gives its answer, in the thread that reads the connection: "
    "nine questions that are asked at the same time are answered one after the other, each 0.4 s "
    "later, and the client gives up those that wait for more than 1.5 s. The work belongs into "
    "what the answer is made by.",
    marks=(Mark(None, "client", frames(w.CANCEL)),),
)
near_miss(
    "handlers_in_parallel_go",
    served("at_once", "go", "parallel"),
    "The server works on the requests of a connection at the same time",
    peer="js",
    server="go",
    thread="rsocket/rsocket-go#57",
    shows=SHOWS,
)

SHOWS = "Files on channels, of which some fail, beside a stream and questions."
fault(
    "error_of_requester_go",
    served("fails", "go", "parallel", client="java"),
    "The server panics when the requester of a channel fails",
    peer="java",
    server="go",
    kind="crashes",
    thread="rsocket/rsocket-go#149",
    shows=SHOWS,
    says="The client ends its side of a channel with ERROR, as it may: the server does not know "
    "ERROR from a requester and panics, so that the connection ends without ERROR on stream 0, "
    "and the stream beside the channel is lost, at each of three connections.",
    marks=(Mark(None, "client", frames(w.ERROR)),),
)
near_miss(
    "error_of_requester_java",
    served("fails", "java", client="java"),
    "The server ends a channel alone when its requester fails",
    peer="java",
    thread="rsocket/rsocket-go#149",
    shows=SHOWS,
)

SHOWS = "Three sessions that are to be resumed, with four questions each."
fault(
    "setup_not_refused_java",
    served("refused", "java", "resume", "refuses"),
    "A server that resumes sessions neither accepts nor refuses SETUP",
    peer="js",
    kind="no answer",
    thread="rsocket/rsocket-java#1121",
    shows=SHOWS,
    says="The server refuses the token of SETUP, but with resumption its ERROR is kept and never "
    "sent: no frame comes, the connection stays open, and the client gives up all its questions, "
    "at each of three connections.",
    marks=(Mark(None, "client", frames(w.SETUP)),),
)
near_miss(
    "setup_accepted_java",
    served("accepted", "java", "resume", "refuses"),
    "A server that resumes sessions accepts SETUP",
    peer="js",
    thread="rsocket/rsocket-java#1121",
    shows=SHOWS,
)


def completed(hand: Hand, *, completes: bool) -> None:
    """Requests of all kinds, each of them followed by PAYLOAD with COMPLETE, or channels alone."""
    peer = hand.client()
    for number in range(14):
        stream = 1 + 2 * number
        key = (w.REQUEST_RESPONSE, w.REQUEST_STREAM, w.REQUEST_CHANNEL)[number % 3]
        data = b"rows 4 page-%d" % number if key == w.REQUEST_STREAM else b"item %d" % number
        peer.send(w.request(key, stream, data, n=w.ALL))
        if completes or key == w.REQUEST_CHANNEL:
            peer.send(w.frame(w.PAYLOAD, stream, w.COMPLETE))
        peer.drain(0.15)
    peer.close()


SHOWS = "Fourteen requests: responses, streams and channels in turn."
fault(
    "requester_completes_all",
    by_hand(lambda hand: completed(hand, completes=True)),
    "A requester completes requests that are no channels",
    peer=RAW,
    kind="sequences",
    thread="rsocket/rsocket-java#226",
    shows=SHOWS,
    says="The client sends PAYLOAD with COMPLETE after each request: only the requester of a "
    "channel sends payloads, REQUEST_RESPONSE and REQUEST_STREAM are complete with their frame.",
    marks=tuple(
        Mark(None, "client", frames(w.PAYLOAD, stream=1 + 2 * n)) for n in range(14) if n % 3 < 2
    ),
)
near_miss(
    "requester_completes_channels",
    by_hand(lambda hand: completed(hand, completes=False)),
    "A requester completes its channels",
    peer=RAW,
    thread="rsocket/rsocket-java#226",
    shows=SHOWS,
)


def forgetting(play: str) -> Play:
    """A play through a translator of addresses that forgets a connection after 3 s of silence."""

    def pass_on(source: socket.socket, target: socket.socket, heard: list[float]) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if time.monotonic() - heard[0] > 3:
                    time.sleep(60)
                heard[0] = time.monotonic()
                target.sendall(data)
        cut(source, target)

    def relay() -> None:
        with socket.create_server((lab.HOST, PORT)) as listening:
            client, _ = listening.accept()
            server = socket.create_connection((lab.HOST, 7001))
            heard = [time.monotonic()]
            for pair in ((client, server), (server, client)):
                threading.Thread(target=pass_on, args=(*pair, heard), daemon=True).start()

    def played() -> Facts:
        with clients.serving("tcp", "plain", "7001", driver="eighth") as counted:
            threading.Thread(target=relay, daemon=True).start()
            time.sleep(0.3)
            driven = clients.drive("js", play, "tcp", driver=DRIVER)
        return driven | counted

    return played


SHOWS = "Three rounds of three questions, with pauses of 4 s, through a NAT of 3 s."
fault(
    "keepalive_switched_off_js",
    forgetting("seldom"),
    "KEEPALIVE is as good as switched off, and a NAT forgets the connection",
    peer="js",
    kind="keepalive",
    thread="rsocket/rsocket-java#1055",
    shows=SHOWS,
    says="SETUP names an interval of 999999 ms, so no KEEPALIVE is ever sent: after a pause of 4 s "
    "a NAT has forgotten the connection, all further questions vanish, and nothing tells the "
    "client that the connection is dead.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb"door [12]\.")),),
)
near_miss(
    "keepalive_keeps_the_way_js",
    forgetting("often"),
    "KEEPALIVE keeps a NAT from forgetting the connection",
    peer="js",
    thread="rsocket/rsocket-java#1055",
    shows=SHOWS,
)

SHOWS = "Prices, stocks and pages, of which those of one handler do not come."
fault(
    "one_handler_never_answers_py",
    served("shop", "java", "silent", client="py"),
    "The requests to one handler are never answered",
    peer="py",
    kind="no answer",
    thread="spring-projects/spring-boot#24614",
    shows=SHOWS,
    says="All questions for a stock stay without an answer and without ERROR, while prices and "
    "pages on the same connection come at once: their handler does not answer, and the client "
    "gives up each of them after a second.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb"stock")),),
)
near_miss(
    "all_handlers_answer_py",
    served("shop", "java", client="py"),
    "The requests to all handlers are answered",
    peer="py",
    thread="spring-projects/spring-boot#24614",
    shows=SHOWS,
)


def answering(*, wrong: bool) -> Play:
    """A server by hand whose answers have no NEXT, but for some of them."""

    def serve(peer: Peer) -> None:
        peer.until(w.SETUP)
        while one := peer.read(4):
            if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                peer.send(w.keepalive(0, one.body[8:]))
            if one.key == w.REQUEST_RESPONSE:
                flags = w.COMPLETE if wrong and one.stream % 8 != 7 else w.COMPLETE | w.NEXT
                peer.send(w.payload(one.stream, b"name of " + one.body, flags))

    def play() -> Facts:
        with Hand(wrong=wrong).server(serve, 1):
            return clients.drive("js", "questions", "tcp", driver=DRIVER)

    return play


SHOWS = "Twelve questions and their answers."
fault(
    "answers_without_next",
    answering(wrong=True),
    "Answers have data and COMPLETE without NEXT",
    peer="js",
    server=RAW,
    kind="flags",
    thread="rsocket/rsocket-php#6",
    shows=SHOWS,
    says="The server sends its answers with COMPLETE alone: without NEXT a PAYLOAD has no item, so "
    "the client drops the data and takes the request for one without an answer.",
    marks=(Mark(None, "server", rb"^.{3}.{4}\x28\x40"),),
)

near_miss(
    "workshop_py_serves",
    served("workshop", "py", serves="eleventh_serves"),
    "A server of rsocket-py with reports, questions and streams, at two starts of a client",
    peer="js",
    server="py",
    thread="a program: fire and forget, request and response, streams, two starts",
    shows="Twelve reports, four questions and two streams, twice.",
)
near_miss(
    "workshop_go_serves",
    served("workshop", "go", "parallel"),
    "A server of rsocket-go with reports, questions and streams, at two starts of a client",
    peer="js",
    server="go",
    thread="a program: fire and forget, request and response, streams, two starts",
    shows="Twelve reports, four questions and two streams, twice.",
)
