"""Scenarios of the fifteenth round of the blind test: see docs/checking.md."""

import os
import signal
import socket
import threading
import time

from captures.recorders import lab
from captures.recorders.marks import Mark, Shown
from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import PORT, Facts, Play, Scenario, add
from captures.recorders.rsocket.threads import RAW, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand

DRIVER = "fifteenth"


def ours(peer: str, name: str, mode: str) -> Play:
    """A play of this round's driver against this round's server."""
    return library(peer, name, DRIVER, mode, responder=DRIVER)


def idle() -> Facts:
    """Connections without a first frame beside a client that works."""
    with clients.serving("tcp", "patient", driver=DRIVER) as served:
        hand = Hand(wrong=True)
        works = hand.client(w.setup(5000, 30000))
        silent = []
        for n in range(70):
            if n % 3 == 1 and len(silent) < 20:
                silent.append(socket.create_connection((lab.HOST, PORT)))
            works.send(w.request(w.REQUEST_RESPONSE, 2 * n + 1, b"price of article %d" % n))
            if n % 4 == 3:
                works.send(w.keepalive())
            works.drain(1)
        works.close()
        for each in silent:
            each.close()
    return served


fault(
    "no_first_frame_kept_java",
    idle,
    "Connections without a first frame, which the server keeps",
    peer=RAW,
    kind="connections",
    thread="rsocket/rsocket-java#1025",
    shows="Twenty connections without a frame beside a client that works, for more than a minute.",
    says="Twenty connections are opened and no SETUP is sent on them; the server keeps all of them "
    "for more than a minute. A server has to close what sends no first frame in time.",
    marks=(
        Shown("a connection without a first frame", "tcp.flags.syn==1 && tcp.flags.ack==0", skip=1),
    ),
)

fault(
    "no_handler_for_streams_py",
    library("py", "tutorial", DRIVER, server="py", responder="fifteenth_serves"),
    "A server that has no handler for streams",
    peer="py",
    server="py",
    kind="errors",
    thread="rsocket/rsocket-py#5",
    shows="Questions and streams of a tutorial, in turn.",
    says="The server answers questions, and each stream by ERROR Not implemented: it has no "
    "handler for request-stream.",
    marks=(Mark(0, "server", frames(w.ERROR)),),
)


def frozen(name: str) -> Play:
    """A client whose server hangs for some seconds; later another client comes."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        with clients.serving("tcp", "plain", driver=DRIVER) as served:
            drive = threading.Thread(
                target=lambda: facts.update(clients.drive("java", name, "tcp", driver=DRIVER))
            )
            drive.start()
            time.sleep(4)
            server = clients.SERVING[0].pid
            os.kill(server, signal.SIGSTOP)
            time.sleep(6)
            os.kill(server, signal.SIGCONT)
            time.sleep(1)
            facts["visitor"] = clients.drive("java", "visits", "tcp", driver=DRIVER)["answers"]
            drive.join()
        return facts | served

    return play


SHOWS = "A client that asks for prices; its server hangs for six seconds; later another client."
fault(
    "never_connects_again_java",
    frozen("stays"),
    "A client gives up its connection and never connects again",
    peer="java",
    kind="recovery",
    thread="spring-projects/spring-boot#23178",
    shows=SHOWS,
    says="The server answers no KEEPALIVE for the lifetime of 2.5 s, and the client gives up its "
    "connection. The server is back soon and serves another client, but the first one never "
    "connects again.",
    marks=(Mark(0, "client", frames(w.KEEPALIVE), skip=5),),
)
near_miss(
    "connects_again_java",
    frozen("returns"),
    "A client gives up its connection and connects again",
    peer="java",
    thread="spring-projects/spring-boot#23178",
    shows=SHOWS,
    faults={
        "RSK-K2": "the server hangs for six seconds",
        "RSK-B25": "it accepts a connection meanwhile and answers nothing",
    },
)
fault(
    "route_without_its_length_js_0_0",
    library("js_0_0", "route", DRIVER, server="spring", responder="eighth"),
    "A route in routing metadata without its length",
    peer="js_0_0",
    server="spring",
    kind="metadata",
    thread="linux-china/spring-boot-rsocket-demo#11",
    shows="Eight questions to a server of Spring Boot, with a route as metadata.",
    says="SETUP says that metadata is message/x.rsocket.routing.v0, in which a byte with its "
    "length precedes each route. The client sends the route alone: its first letter f is read "
    "as the length 102, and each request is answered by an error.",
    marks=(Mark(0, "client", frames(w.REQUEST_RESPONSE)),),
)
fault(
    "first_fragment_for_the_answer_js_0_0_16",
    ours("js_0_0_16", "pages", "fragments"),
    "A client takes the first fragment for the answer",
    peer="js_0_0_16",
    kind="fragments",
    thread="rsocket/rsocket-js#98",
    shows="Pages of 15 kB, which the server sends in fragments, and short ones.",
    says="The server sends answers of 15 kB in four fragments. The client does not join them: it "
    "takes the first one for the answer, which is no JSON by itself.",
    marks=(Mark(0, "server", frames(w.PAYLOAD), most=8),),
)
near_miss(
    "fragments_of_the_answer_joined_js_0_0",
    ours("js_0_0", "pages", "fragments"),
    "A client joins the fragments of an answer",
    peer="js_0_0",
    thread="rsocket/rsocket-js#98",
    shows="Pages of 15 kB, which the server sends in fragments, and short ones.",
)
SHOWS = "Words of a dictionary in a session that can be resumed, and questions beside them."
fault(
    "stream_stops_java",
    ours("java", "words", "stalls"),
    "A stream stops amid its items",
    peer="java",
    kind="stalls",
    thread="rsocket/rsocket-java#599",
    shows=SHOWS,
    says="After sixty items the server sends no more of stream 1 for thirteen seconds, although "
    "the client has asked for 52 more, and neither completes the stream nor ends it by an error. "
    "KEEPALIVE and other requests are answered.",
    marks=(
        Mark(0, "server", frames(w.PAYLOAD, stream=1), skip=59),
        Mark(0, "client", frames(w.REQUEST_N, stream=1)),
    ),
)
near_miss(
    "stream_rests_java",
    ours("java", "words", "rests"),
    "A stream rests for some seconds and goes on",
    peer="java",
    thread="rsocket/rsocket-java#599",
    shows=SHOWS,
)
add(
    Scenario(
        "fleet_py",
        ours("py", "fleet", "plain"),
        "Three clients in two sessions each, by rsocket-py",
        "py",
        healthy=True,
        shows="Questions, streams in small batches, one that is left, positions, and rests.",
        server="java",
    )
)


def visited() -> Facts:
    """A client whose server hangs for some seconds; later a client of another host comes."""
    with clients.serving("tcp", "plain", driver=DRIVER) as served:
        hand = Hand(wrong=True)
        gauge = hand.client(w.setup(600, 3000))
        server = clients.SERVING[0].pid
        for n in range(13):
            if n == 5:
                os.kill(server, signal.SIGSTOP)
            if n < 6:
                gauge.send(w.request(w.REQUEST_RESPONSE, 2 * n + 1, b"level of gauge %d" % n))
            gauge.send(w.keepalive())
            for one in gauge.drain(0.45):
                if one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                    gauge.send(w.keepalive(0, one.body[8:]))
        gauge.finish()
        time.sleep(2)
        os.kill(server, signal.SIGCONT)
        time.sleep(5)
        connected = socket.create_connection((lab.HOST, PORT), source_address=("127.0.0.2", 0))
        visitor = hand._peer(connected, "client")  # noqa: SLF001
        visitor.together(w.setup(5000, 30000))
        for n in range(8):
            visitor.send(w.request(w.REQUEST_RESPONSE, 2 * n + 1, b"level of gauge %d" % n))
            visitor.drain(0.8)
        visitor.close()
    return served


fault(
    "never_connects_again",
    visited,
    "A client by hand gives up its connection and never connects again",
    peer=RAW,
    kind="recovery",
    thread="spring-projects/spring-boot#23178",
    shows="Levels of a gauge; the server hangs for some seconds; later a client of another host.",
    says="The server answers nothing for the lifetime of 3 s, and the client gives up its "
    "connection. The server is back soon, but the client never connects again.",
    marks=(Mark(0, "client", frames(w.KEEPALIVE), skip=5),),
)
fault(
    "no_handler_for_streams_java",
    ours("py", "tutorial", "questions"),
    "A server of rsocket-java that has no handler for streams",
    peer="py",
    kind="errors",
    thread="rsocket/rsocket-py#5",
    shows="Questions and streams of a tutorial, in turn.",
    says="The server answers questions, and each stream by ERROR Request-Stream not implemented.",
    marks=(Mark(0, "server", frames(w.ERROR)),),
)
fault(
    "stream_stops_js_0_0",
    ours("js_0_0", "words", "stalls"),
    "A stream stops amid its items, and the client gives it up",
    peer="js_0_0",
    kind="stalls",
    thread="rsocket/rsocket-java#599",
    shows="Words of a dictionary, of which the client requests a hundred.",
    says="After sixty items the server sends no more for eight seconds, although forty more are "
    "requested; the client cancels the stream.",
    marks=(Mark(0, "server", frames(w.PAYLOAD, stream=1), skip=59),),
)
