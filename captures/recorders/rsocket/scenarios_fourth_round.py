"""Faults and near misses of the fourth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.rsocket import clients
from captures.recorders.rsocket import wire as w
from captures.recorders.rsocket.setup import Facts, Play
from captures.recorders.rsocket.threads import RAW, Do, Mark, fault, frames, library, near_miss
from captures.recorders.rsocket.wire import Hand

DRIVER = "fourth"
"""Of each library; that of rsocket-java serves too."""
GAUGES = b",".join(
    b'"gauge_%03d":{"mean":%d.25,"max":%d}' % (i, i * 7 % 90, i * 13 % 400) for i in range(420)
)


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


def dropped(name: str) -> Play:
    """A board of prices, whose connection another client has dropped three times."""

    def drop() -> None:
        other = Hand(wrong=False).client()
        for number, pause in enumerate((1.8, 1.6, 1.6)):
            time.sleep(pause)
            other.send(w.request(w.REQUEST_FNF, 1 + 2 * number, b"drop price-board"))
        time.sleep(0.5)
        other.close()

    def play() -> Facts:
        with clients.serving("tcp", driver=DRIVER) as served:
            thread = threading.Thread(target=drop)
            thread.start()
            driven = clients.drive("js", name, driver=DRIVER)
            thread.join()
        return driven | served

    return play


fault(
    "subscribes_twice_after_reconnect",
    dropped("subscribes_twice_after_reconnect"),
    "A client subscribes twice after each lost connection",
    peer="js",
    kind="storms and loops",
    thread="rsocket/rsocket-js#204, rsocket/rsocket-java#540 (subscribing again after a lost "
    "connection)",
    shows="Three lost connections of a client with two streams.",
    says="Both the handler of the lost connection and that of each failed stream subscribe again: "
    "after each of three reconnects every stream is open three times as often as before (2, 6, 18 "
    "and 54 streams), and each price is sent again for each of them.",
    marks=(
        Mark(None, "client", frames(w.REQUEST_STREAM, more=rb".*prices"), again=rb"prices .*$"),
    ),
)

near_miss(
    "subscribes_once_after_reconnect",
    dropped("subscribes_once_after_reconnect"),
    "A client subscribes once to each stream after a lost connection",
    peer="js",
    thread="rsocket/rsocket-java#540",
    shows="Three lost connections of a client with two streams.",
)

fault(
    "span_id_constant",
    driven("js", "span_id_constant"),
    "All requests carry one trace id and one span id",
    peer="js",
    kind="identity",
    thread="spring-attic/spring-cloud-sleuth#1058 (one trace id for all messages of a connection)",
    shows="24 requests for six users, with tracing metadata.",
    says="The tracing metadata of 24 requests for six users, over some seconds, has the same trace "
    "id and the same span id: the context was made once and never renewed, so all requests are one "
    "span of one trace.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*basket\.show"), skip=1),),
)

near_miss(
    "children_of_one_trace",
    driven("js", "children_of_one_trace"),
    "Requests of one operation have one trace id and a span id each",
    peer="js",
    thread="spring-attic/spring-cloud-sleuth#1058",
    shows="Four operations of six requests, with tracing metadata.",
)

near_miss(
    "cancel_crosses_items",
    driven("js", "cancel_crosses_items"),
    "Items that were on their way arrive after CANCEL",
    peer="js",
    thread="rsocket/rsocket-rust#48, #49",
    shows="Twelve streams of an item each millisecond, cancelled after 20.",
)


def cancel_after_answer(hand: Hand) -> None:
    """Cancels 16 requests and six streams that have ended."""
    peer, stream = hand.client(), 1
    for n in range(16):
        data = b"show order none" if n % 5 == 4 else b"show order %d" % n
        peer.send(w.request(w.REQUEST_RESPONSE, stream, data))
        while (one := peer.read()) and one.stream != stream:
            pass
        time.sleep(0.08)
        peer.send(w.frame(w.CANCEL, stream))
        stream += 2
    for n in range(6):
        peer.send(w.request(w.REQUEST_STREAM, stream, b"prices 20 S%d 5" % n))
        peer.until(w.PAYLOAD, stream, w.COMPLETE)
        time.sleep(0.1)
        peer.send(w.frame(w.CANCEL, stream))
        stream += 2
    peer.drain(0.2)
    peer.close()


fault(
    "cancel_after_answer",
    by_hand(cancel_after_answer, "brief"),
    "CANCEL for requests that have been answered",
    peer=RAW,
    kind="allowed now",
    thread="rsocket/rsocket-java#271",
    shows="16 requests and six streams, each cancelled after its end.",
    says="A clean-up step sends CANCEL for every request, also when its answer with COMPLETE, or "
    "its ERROR, came long before: 22 CANCEL frames for streams that do not exist any more.",
    marks=(Mark(None, "client", frames(w.CANCEL)),),
)

fault(
    "token_pushed_before_each_request",
    driven("java", "token_pushed_before_each_request"),
    "The same token is pushed before each request",
    peer="java",
    kind="waste",
    thread="rsocket/rsocket#235 (METADATA_PUSH for what belongs to the connection); the loop is a "
    "variant of this repository",
    shows="25 requests, each after METADATA_PUSH.",
    says="METADATA_PUSH carries the same session token before each of 25 requests, although it "
    "holds for the connection until another is pushed.",
    marks=(Mark(None, "client", frames(w.METADATA_PUSH), skip=1),),
)

near_miss(
    "token_pushed_when_new",
    driven("java", "token_pushed_when_new"),
    "A new token is pushed now and then",
    peer="java",
    thread="rsocket/rsocket#235",
    shows="25 requests, and three METADATA_PUSH.",
)

fault(
    "channel_per_record",
    driven("java", "channel_per_record"),
    "A channel is opened for each record",
    peer="java",
    kind="waste",
    thread="rsocket/rsocket-rust#64 (more elements on a channel that exists)",
    shows="40 channels of one item each.",
    says="Each of 40 records opens a channel of its own, with one item, and completes it; one "
    "channel would carry them all, in order and under one demand.",
    marks=(Mark(None, "client", frames(w.REQUEST_CHANNEL)),),
)

near_miss(
    "one_channel_for_all_records",
    driven("java", "one_channel_for_all_records"),
    "One channel carries all records",
    peer="java",
    thread="rsocket/rsocket-rust#64",
    shows="A channel of 40 items.",
)

fault(
    "stack_trace_in_errors",
    driven("go", "stack_trace_in_errors", "verbose"),
    "A server sends its stack traces to the client",
    peer="go",
    kind="second layer",
    thread="rsocket/rsocket-java#741, spring-projects/spring-framework#26643",
    shows="20 requests, six of which are answered by ERROR.",
    says="ERROR carries the whole Java stack trace, with class names, the host and the user of the "
    "database, for each order number that is not a number: some kilobytes that help an attacker "
    "and no caller.",
    marks=(Mark(None, "server", frames(w.ERROR)),),
)

fault(
    "route_text_under_json",
    driven("js_0_0", "route_text_under_json", "strict"),
    "The metadata MIME type is application/json and the metadata is the bare route",
    peer="js_0_0",
    kind="second layer",
    thread="rsocket/rsocket-js#153",
    shows="Twelve requests, each answered by ERROR.",
    says="SETUP announces application/json for metadata, and each request carries the bare text of "
    "its route (login, cart.list), which is not JSON: the server cannot decode one of the twelve.",
    marks=(Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*username")),),
)

fault(
    "expired_token_sent_again",
    driven("py", "expired_token_sent_again", "secured"),
    "A JWT that has expired is sent with each request",
    peer="py",
    kind="storms and loops",
    thread="rsocket/rsocket-java#1069, rsocket/rsocket-dart#33",
    shows="30 requests in five seconds, with a token of two seconds.",
    says="The bearer token expires after two seconds (exp), the server says so, and the client "
    "goes on with the same token: the rest of 30 requests are all denied.",
    marks=(
        Mark(None, "server", frames(w.ERROR)),
        Mark(None, "client", frames(w.REQUEST_RESPONSE, more=rb".*order (2\d|1[4-9])$")),
    ),
)

near_miss(
    "token_renewed_when_expired",
    driven("py", "token_renewed_when_expired", "secured"),
    "A JWT is renewed when the server says that it has expired",
    peer="py",
    thread="rsocket/rsocket-java#1069",
    shows="30 requests in five seconds, with tokens of two seconds.",
)

fault(
    "lease_of_nothing",
    driven("java", "lease_of_nothing", "lease"),
    "A server that grants leases of no requests",
    peer="java",
    kind="limits about to be met",
    thread="rsocket/rsocket#25 (leases); Protocol.md LEASE (the number of requests must be greater "
    "than 0)",
    shows="Three requests to a server whose leases grant none.",
    says="Each LEASE grants 0 requests for ten seconds, where the number must be greater than 0: "
    "the three requests of the client that asked for leases are all refused.",
    marks=(
        Mark(None, "server", frames(w.LEASE)),
        Mark(None, "client", frames(w.REQUEST_RESPONSE)),
    ),
)

fault(
    "stream_says_cbor_sends_json",
    driven("js", "stream_says_cbor_sends_json"),
    "The MIME type of a request says CBOR and its data is JSON",
    peer="js",
    kind="second layer",
    thread="rsocket/rsocket#281 (data MIME type of a stream), rsocket/rsocket-java#744",
    shows="16 requests, eight of which state a MIME type.",
    says="The entry message/x.rsocket.mime-type.v0 of eight requests says application/cbor, and "
    "their data is JSON text: a responder that believes it cannot decode the request.",
    marks=(
        Mark(
            None,
            "client",
            frames(w.REQUEST_RESPONSE, more=rb".*readings\.store.*\xfa\x00\x00\x01\x81"),
        ),
    ),
)

near_miss(
    "stream_says_text_sends_text",
    driven("js", "stream_says_text_sends_text"),
    "Some requests have a data MIME type of their own",
    peer="js",
    thread="rsocket/rsocket#281",
    shows="16 requests, eight of which state a MIME type.",
)


def keepalive_carries_report(hand: Hand) -> None:
    """Sends twelve reports by KEEPALIVE."""
    peer = hand.client(w.setup(400, 5000))
    for n in range(12):
        peer.send(w.keepalive(data=b"{" + GAUGES + b"}"))
        peer.until(w.KEEPALIVE)
        peer.send(w.request(w.REQUEST_RESPONSE, 1 + 2 * n, b"shard %d" % n))
        peer.until(w.PAYLOAD, 1 + 2 * n)
        time.sleep(0.33)
    peer.close()


fault(
    "keepalive_carries_report",
    by_hand(keepalive_carries_report),
    "KEEPALIVE is used to send measurements",
    peer=RAW,
    kind="waste",
    thread="Protocol.md KEEPALIVE (the data is sent back as it came); a variant of this repository",
    shows="Twelve KEEPALIVEs with 15 kB of data each, and twelve requests.",
    says="Each KEEPALIVE carries some 15 kB of measurements as data, which the server has to send "
    "back whole: each report crosses the connection twice, and the answer that proves the "
    "connection alive waits for it.",
    marks=(Mark(None, "client", frames(w.KEEPALIVE)),),
)
