"""Faults and near misses of the seventh round of the blind test: see docs/checking.md."""

import threading
import time

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
from captures.recorders.rsocket.wire import Hand, Peer

DRIVER = "seventh"
"""Of each library; that of rsocket-java serves too."""
FRAGMENT, LAST = w.NEXT | w.FOLLOWS, w.NEXT


def driven(peer: str, name: str, *options: str, carrier: str = "tcp") -> Play:
    """A play of a library against rsocket-java."""
    return library(peer, name, DRIVER, *options, carrier=carrier, responder=DRIVER)


def java(name: str, *options: str, carrier: str = "tcp") -> Play:
    """A play of rsocket-java against itself."""

    def play() -> Facts:
        with clients.serving(carrier, *options, driver=DRIVER) as served:
            driven = clients.drive("java", name, driver=DRIVER)
        return driven | served

    return play


def by_hand(do: Do, *options: str) -> Play:
    """A play by hand against rsocket-java."""

    def play() -> Facts:
        with clients.serving("tcp", *options, driver=DRIVER) as served:
            do(Hand(wrong=True))
        return served

    return play


def quotes() -> Facts:
    """Plays rsocket-java against a service that is no RSocket server."""
    with clients.serving(peer="js", driver="quotes"):
        return clients.drive("java", "no_rsocket_server", driver=DRIVER)


fault(
    "no_rsocket_server",
    quotes,
    "An RSocket client on a WebSocket service of another protocol",
    peer="java",
    server="js",
    kind="mismatch",
    thread="rsocket/rsocket-java#605",
    shows="Five connections to a service that sends JSON in text messages.",
    says="The service at this address is no RSocket server: it answers SETUP and REQUEST_STREAM "
    "with text messages in JSON (systemStatus, heartbeat, Malformed request), and the client ends "
    "each of five connections, as it cannot read them as frames.",
    marks=(
        Shown(
            "JSON in a text message",
            "websocket.opcode == 1 && tcp.srcport == 7000",
            sender="server",
        ),
    ),
)

near_miss(
    "json_over_websocket",
    java("json_over_websocket", carrier="websocket"),
    "Data in JSON over WebSocket",
    peer="java",
    thread="rsocket/rsocket-java#605",
    shows="12 requests and 12 streams whose data is JSON.",
)


def restarted(name: str, *options: str) -> Play:
    """A play of rsocket-java, whose server is started again twice meanwhile."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        thread = threading.Thread(
            target=lambda: facts.update(clients.drive("java", name, driver=DRIVER))
        )
        for number, seconds in enumerate((6, 4, 0)):
            with clients.serving("tcp", *options, driver=DRIVER):
                if not number:
                    thread.start()
                time.sleep(seconds)
                if not seconds:
                    thread.join()
            time.sleep(0.7)
        return facts

    return play


fault(
    "resume_after_restart",
    restarted("resume_after_restart", "resume"),
    "A session is to be resumed at a server that has been started again",
    peer="java",
    kind="identity",
    thread="rsocket/rsocket-java#664",
    shows="A stream and requests of a client that resumes, while the server restarts twice.",
    says="The sessions are in the server's memory: after each of two restarts the client's RESUME "
    "is refused (REJECTED_RESUME, unknown resume token), and the stream of prices, which was to go "
    "on where it was, begins anew with a new SETUP.",
    marks=(
        Mark(None, "client", frames(w.RESUME)),
        Mark(None, "server", frames(w.ERROR, stream=0)),
    ),
)

near_miss(
    "session_anew_after_restart",
    restarted("session_anew_after_restart"),
    "A client without resumption begins anew after each restart of the server",
    peer="java",
    thread="rsocket/rsocket-java#664",
    shows="A stream and requests of a client, while the server restarts twice.",
)


def stores() -> Facts:
    """Plays rsocket-java 0.11.3 against rsocket-js."""
    with clients.serving(peer="js", driver="stores") as served:
        driven = clients.drive("java_0_11", "channels", driver=DRIVER)
    return driven | served


fault(
    "channel_goes_on_after_error",
    stores,
    "The requester of a channel goes on after its responder's ERROR",
    peer="java_0_11",
    server="js",
    kind="allowed now",
    thread="rsocket/rsocket-java#515",
    shows="Five channels of 24 samples, four of which the server ends with ERROR.",
    says="The server ends the channel with ERROR at a sample with a wrong checksum, which ends the "
    "stream for both sides; the client never ends its own part and sends the other samples of each "
    "of four channels, which the server drops.",
    marks=(Mark(None, "client", frames(w.PAYLOAD, more=rb".*sample (1[2-9]|2\d) of run [0134]$")),),
)

fault(
    "connection_per_call",
    java("connection_per_call"),
    "Each call opens a connection of its own, and none is closed",
    peer="java",
    kind="leak",
    thread="spring-projects/spring-framework#25330",
    shows="19 requests on as many connections.",
    says="The program subscribes to the source of the connection for each call instead of sharing "
    "one: 19 requests open 19 connections with a SETUP each, send one request on each, and leave "
    "all open.",
    marks=(Mark(None, "client", frames(w.SETUP), skip=2, across=True),),
)

near_miss(
    "pool_of_connections",
    java("pool_of_connections"),
    "Requests in turn on a pool of four connections",
    peer="java",
    thread="spring-projects/spring-framework#25330",
    shows="36 requests on four connections.",
)

fault(
    "route_length_left_out",
    driven("js", "route_without_length", "routes"),
    "The route of composite metadata stands without its length",
    peer="js",
    kind="second layer",
    thread="spring-attic/spring-cloud-rsocket#11",
    shows="17 requests, 15 of which are refused.",
    says="The entry message/x.rsocket.routing.v0 holds the text invoices.find.all as it is, where "
    "a route begins with a byte of its length: the letter i is read as a length of 105 of 16 "
    "bytes, and the server refuses each of 15 requests (IndexOutOfBoundsException).",
    marks=(
        Mark(
            None, "client", frames(w.REQUEST_RESPONSE, more=rb".*\xfe\x00\x00(\x11|\x0e)invoices")
        ),
    ),
)

near_miss(
    "routes_of_several_tags",
    driven("js", "route_with_tags", "routes"),
    "Routes of several tags, beside an entry of a MIME type of its own",
    peer="js",
    thread="spring-attic/spring-cloud-rsocket#11",
    shows="17 requests with composite metadata of two entries.",
)

fault(
    "json_as_composite",
    driven("js_0_0", "json_as_composite", "routes"),
    "Metadata in JSON where SETUP says composite metadata",
    peer="js_0_0",
    kind="second layer",
    thread="rsocket/rsocket-js#62",
    shows="15 requests, each answered by ERROR.",
    says="SETUP says message/x.rsocket.composite-metadata.v0 for metadata, and each of 15 requests "
    'has {"route":"radars.find.nearest"} there, JSON as it is: the server cannot read it as '
    "entries (metadata is malformed).",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb'.*\{"route"')),),
)

near_miss(
    "json_metadata",
    driven("js_0_0", "json_metadata", "json_routes"),
    "Metadata in JSON, as SETUP says",
    peer="js_0_0",
    thread="rsocket/rsocket-js#62",
    shows="15 requests whose metadata is JSON with a route.",
)


def stopped(seconds: float, name: str) -> Play:
    """A play of rsocket-js 0.0.16 whose server is stopped for a while."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        with clients.serving("tcp", driver=DRIVER):
            thread = threading.Thread(
                target=lambda: facts.update(clients.drive("js_0_0_16", name, driver=DRIVER))
            )
            thread.start()
            time.sleep(2.4)
            clients.SERVING[0].send_signal(19)
            time.sleep(seconds)
            clients.SERVING[0].send_signal(18)
            thread.join()
        return facts

    return play


fault(
    "unanswered_keepalive_ignored",
    stopped(5.5, "keepalive_unanswered"),
    "A client that does not notice that KEEPALIVE has no answer",
    peer="js_0_0_16",
    kind="limits about to be met",
    thread="rsocket/rsocket-js#63",
    shows="Requests to a server that is stopped for five seconds.",
    says="SETUP names a lifetime of 1100 ms, and for five seconds the server answers no KEEPALIVE "
    "and no request: the client keeps the connection and sends fifteen more KEEPALIVE and "
    "seventeen requests on it instead of closing it.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*position (2[3-9]|3\d)$")),),
)

fault(
    "keepalive_twice",
    driven("js_0_0", "keepalive_twice"),
    "Two KEEPALIVE in each interval",
    peer="js_0_0",
    kind="waste",
    thread="rsocket/rsocket#323; that the program has a timer of its own is a variant of this "
    "repository",
    shows="Five seconds of a connection with six requests.",
    says="SETUP says 450 ms between KEEPALIVE, and the client sends two in each interval, one of "
    "the library and one of a timer of the program: each is answered, so four frames go where two "
    "would do.",
    marks=(Mark(None, "client", rb"^.{3}\x00{4}\x0c\x80", skip=2),),  # with RESPOND
)


def keeps_alive_too(peer: Peer) -> None:
    """Answers each request, and sends KEEPALIVE every half a second."""
    due = time.monotonic() + 0.5
    while not peer.ended:
        one = peer.read(0.1)
        if one and one.key == w.REQUEST_RESPONSE:
            peer.send(w.payload(one.stream, b"answer to " + one.body, w.NEXT | w.COMPLETE))
        if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
            peer.send(w.keepalive(0, one.body[8:]))
        if time.monotonic() > due and not peer.ended:
            peer.send(w.keepalive(w.RESPOND, b"server"))
            due += 0.5


def server_keeps_alive_too() -> Facts:
    """Plays rsocket-js against a server by hand."""
    with Hand(wrong=False).server(keeps_alive_too, 1):
        return clients.drive("js", "server_keeps_alive_too", driver=DRIVER)


near_miss(
    "server_keeps_alive_too",
    server_keeps_alive_too,
    "Both sides send KEEPALIVE, and both answer",
    peer="js",
    server=RAW,
    thread="rsocket/rsocket-swift#30",
    shows="Some four seconds of 14 requests to a server that sends KEEPALIVE with RESPOND too.",
)

near_miss(
    "keepalive_often",
    driven("js", "keepalive_often"),
    "KEEPALIVE every 100 ms, as SETUP says",
    peer="js",
    thread="rsocket/rsocket#323",
    shows="25 requests on a connection with a lifetime of four seconds.",
)


def given_up(hand: Hand) -> None:
    """Begins eight log entries in fragments, and ends two of them."""
    peer = hand.client()
    for number in range(8):
        stream = 1 + 4 * number
        line = b"POST /log %d %s" % (number, b"x" * 180)
        peer.send(w.request(w.REQUEST_FNF, stream, line, w.FOLLOWS, metadata=b"host: a%d" % number))
        for part in range(2 + number % 3):
            peer.send(w.payload(stream, b"part %d %s" % (part, b"y" * 200), FRAGMENT))
            time.sleep(0.04)
        if number in (2, 5):
            peer.send(w.payload(stream, b"end", LAST))
        peer.send(w.request(w.REQUEST_RESPONSE, stream + 2, b"entries %d" % number))
        peer.until(w.PAYLOAD, stream + 2)
        time.sleep(0.2)
    time.sleep(1.5)
    peer.close()


fault(
    "fragments_given_up",
    by_hand(given_up),
    "Requests in fragments whose last fragment never comes",
    peer=RAW,
    kind="abandoned",
    thread="rsocket/rsocket#180",
    shows="Eight REQUEST_FNF in fragments, and eight other requests between them.",
    says="The HTTP client behind the proxy drops out while its body is sent: six of eight "
    "REQUEST_FNF end in the midst of their fragments, the last one with FOLLOWS set, with neither "
    "another fragment nor CANCEL, and the server keeps what has come.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_FNF, more=rb".*POST /log [0134679]")),
        Mark(None, "client", frames(w.PAYLOAD, more=rb".*part \d y")),
    ),
)


def interleaved(hand: Hand) -> None:
    """Sends the fragments of four requests in turn, each to its end."""
    peer = hand.client()
    for first in range(0, 12, 4):
        streams = [1 + 2 * (first + n) for n in range(4)]
        for stream in streams:
            peer.send(w.request(w.REQUEST_FNF, stream, b"POST /log " + b"x" * 180, w.FOLLOWS))
        for part in range(3):
            for stream in streams[part:] + streams[:part]:
                flags = LAST if part == 2 else FRAGMENT
                peer.send(w.payload(stream, b"part %d %s" % (part, b"y" * 200), flags))
        time.sleep(0.3)
    peer.close()


near_miss(
    "fragments_interleaved",
    by_hand(interleaved),
    "Fragments of four requests at a time, in turn",
    peer=RAW,
    thread="rsocket/rsocket#180",
    shows="Twelve REQUEST_FNF in four fragments each.",
)

fault(
    "demand_overflows",
    driven("js", "demand_overflows"),
    "Everything is requested again and again",
    peer="js",
    kind="limits about to be met",
    thread="rsocket/rsocket-kotlin#213",
    shows="Seven streams, each requested without a limit.",
    says="The first REQUEST_STREAM asks for 2147483647 items, which is all there may be, and "
    "REQUEST_N adds as many after each page: the sum is beyond 2^31-1, at which a server that "
    "counts in 32 bits stops.",
    marks=(Mark(None, "client", frames(w.REQUEST_N, more=rb"\x7f\xff\xff\xff")),),
)

near_miss(
    "demand_topped_up",
    driven("js", "demand_topped_up"),
    "Streams whose demand is topped up, and one without a limit",
    peer="js",
    thread="rsocket/rsocket-kotlin#213",
    shows="Three streams of 90 rows, 16 more at a time, and one of ticks.",
)

fault(
    "goes_on_after_rejected_setup",
    driven("go", "goes_on_after_rejected_setup", "reject"),
    "A client that takes a rejected SETUP for a connection",
    peer="go",
    kind="storms and loops",
    thread="rsocket/rsocket-go#102",
    shows="Eleven connections, each of which is refused.",
    says="The server refuses each SETUP (REJECTED_SETUP, token expired); the client takes the "
    "connection for good, as Start gives no error, sends its requests, and connects again at once "
    "with the same token, eleven times.",
    marks=(Mark(None, "client", frames(w.SETUP), skip=1, across=True),),
)

near_miss(
    "new_token_after_rejection",
    driven("js", "new_token_after_rejection", "reject"),
    "A SETUP is rejected once, and the next one has a new token",
    peer="js",
    thread="rsocket/rsocket-go#102",
    shows="A connection that is refused, and eight requests on the next.",
)

fault(
    "stream_ids_repeat",
    driven("py_0_4_19", "stream_ids_repeat"),
    "The numbers of streams are used again",
    peer="py_0_4_19",
    kind="sequences",
    thread="rsocket/rsocket-py#330",
    shows="21 requests and five streams.",
    says="The numbers of streams must go up by two; the client takes the number of a stream that "
    "has ended for the next one, so ten requests in a row all have stream 1, and five streams all "
    "have number 19.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_RESPONSE, 1), skip=1),
        Mark(None, "client", frames(w.REQUEST_STREAM)),
    ),
)


def lives(count: int, setup: bytes, wait: float) -> Play:
    """A play of lives of a client without KEEPALIVE of its own, against rsocket-js."""

    def play() -> Facts:
        hand = Hand(wrong=True)
        with clients.serving(peer="js") as served:
            for life in range(count):
                peer = hand.client(setup)
                peer.send(w.request(w.REQUEST_STREAM, 1, b"1000 25", n=1000))
                peer.send(w.request(w.REQUEST_RESPONSE, 3, b"account %d" % life))
                end = time.monotonic() + wait
                while time.monotonic() < end and not peer.ended:
                    one = peer.read(0.1)
                    if one and one.key == w.KEEPALIVE and one.flags & w.RESPOND:
                        peer.send(w.keepalive(0, one.body[8:]))
                peer.close()
                time.sleep(0.15)
        return served

    return play


ENDS = Shown(
    "the server's FIN",
    "tcp.srcport == 7000 && tcp.flags.fin == 1",
    sender="server",
)

fault(
    "lifetime_in_seconds",
    lives(9, w.setup(20, 90), 1.2),
    "SETUP has seconds where milliseconds belong",
    peer=RAW,
    server="js",
    kind="limits about to be met",
    thread="rsocket/rsocket-dart#23",
    shows="Nine connections with a stream each.",
    says="The client means 20 and 90 seconds and writes 20 and 90 into SETUP, which are "
    "milliseconds: the server ends each of nine connections after a tenth of a second, as no "
    "KEEPALIVE has come, in the midst of the stream.",
    marks=(Mark(None, "client", frames(w.SETUP), across=True), ENDS),
)

fault(
    "keepalive_timer_too_slow",
    lives(4, w.setup(700, 1900), 3.4),
    "The timer of KEEPALIVE counts seconds, and SETUP milliseconds",
    peer=RAW,
    server="js",
    kind="limits about to be met",
    thread="rsocket/rsocket-dart#16",
    shows="Four connections with a stream each.",
    says="SETUP says KEEPALIVE every 700 ms, and the client's timer waits 700 seconds: no "
    "KEEPALIVE is sent on any of four connections, and the server ends each when the lifetime of "
    "1900 ms is over.",
    marks=(Mark(None, "client", frames(w.SETUP), across=True), ENDS),
)


def even(hand: Hand) -> None:
    """Requests on streams with even numbers, on five connections."""
    for life in range(5):
        peer = hand.client()
        for number in range(4):
            if not peer.ended:
                text = b"balance of %d%d" % (life, number)
                peer.send(w.request(w.REQUEST_RESPONSE, 2 + 2 * number, text))
                peer.drain(0.3)
        peer.close()
        time.sleep(0.2)


fault(
    "even_stream_ids",
    by_hand(even),
    "The client numbers its streams as a server does",
    peer=RAW,
    kind="allowed now",
    thread="ReactiveSocket/reactivesocket-js#28",
    shows="Five connections with requests on streams 2, 4 and so on.",
    says="Streams of a client have odd numbers; this one takes 2, 4 and so on, which belong to the "
    "server: no request is answered, and the server ends each of five connections with ERROR "
    "(Unexpected error during frame handling).",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE)),),
)

fault(
    "answer_too_large",
    java("answer_too_large"),
    "Answers that fit into no frame, from a server that does not fragment",
    peer="java",
    kind="limits about to be met",
    thread="scalecube/scalecube-services#979",
    shows="21 requests, seven of which are answered by ERROR.",
    says="The export of 17 MB is larger than a frame may be (16777215 bytes), and fragmentation is "
    "off: the server answers each of seven requests with ERROR CANCELED (The payload is too big to "
    "be send as a single frame), and the client asks again.",
    marks=(
        Mark(None, "server", frames(w.ERROR)),
        Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*export 17000000"), skip=1),
    ),
)

near_miss(
    "large_answers_in_fragments",
    java("large_answers", "fragments"),
    "Answers of 7000 bytes in fragments",
    peer="java",
    thread="scalecube/scalecube-services#979",
    shows="21 requests, seven of which are answered in fragments.",
)
