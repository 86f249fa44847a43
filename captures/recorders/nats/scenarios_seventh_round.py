"""Faults and near misses of the seventh round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN, STORED, WITH_USERS
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import (
    RAW,
    Do,
    Mark,
    fault,
    library,
    near_miss,
    restarting,
)
from captures.recorders.nats.wire import Hand, pub

DRIVER = "seventh_round"


class Answering(Hand):
    """A hand-made client that answers PING."""

    def until(self, wanted: bytes) -> bytes:
        """Read up to a line that begins so, and send PONG for each PING before it."""
        while line := super().until(b""):
            if line.startswith(b"PING"):
                self.send(b"PONG\r\n")
            elif line.startswith(wanted):
                return line
        return b""


def by_hand(do: Do) -> Play:
    """A play by hand on a connection that is kept."""

    def play() -> Facts:
        with peers.servers(STORED):
            hand = Answering(wrong=True)
            hand.connect()
            do(hand)
            hand.close()
        return {"lines_sent": hand.sent}

    return play


def asks_late(hand: Hand) -> None:
    """Each request leaves with the end of its own inbox, a second after the inbox was opened."""
    server = responder("prices.of")
    for number in range(8):
        hand.send(f"SUB _INBOX.k7.{number} {number + 1}\r\n".encode())
        time.sleep(0.9)
        asked = pub(f"prices.of _INBOX.k7.{number}", f"article {number}".encode())
        hand.send(asked + f"UNSUB {number + 1}\r\n".encode())
        hand.send(pub("shop.seen", b"customer %d" % number))
        hand.flush()
        time.sleep(0.15)
    hand.flush()
    server.close()


def asks_at_once(hand: Hand) -> None:
    """Each request leaves with its inbox, which ends by itself after the answer."""
    server = responder("prices.of")
    for number in range(8):
        inbox = f"SUB _INBOX.k7.{number} {number + 1}\r\nUNSUB {number + 1} 1\r\n"
        asked = pub(f"prices.of _INBOX.k7.{number}", f"article {number}".encode())
        hand.send(inbox.encode() + asked)
        hand.until(b"MSG _INBOX.k7.")
        time.sleep(0.8)
        hand.send(pub("shop.seen", b"customer %d" % number))
    hand.flush()
    server.close()


def responder(subject: str) -> Hand:
    """A second connection, which answers what is asked there."""
    server = Answering(wrong=False)
    server.connect()
    server.send(f"SUB {subject} desk 1\r\n".encode())
    server.flush()

    def serve() -> None:
        while line := server.until(b"MSG "):
            server.send(pub(line.split()[-2].decode(), b"19 EUR"))

    threading.Thread(target=serve, daemon=True).start()
    return server


def waits_for_quotes(*, knows: bool) -> Do:
    """Asks a service that is away for a while; `knows` when the server says so."""

    def do(hand: Hand) -> None:
        hand.send(b"SUB _INBOX.q.* 1\r\n")
        for number in range(9):
            if number == 6:
                server = responder("quotes.get")
            hand.send(pub(f"quotes.get _INBOX.q.{number}", b"ACME"))
            hand.socket.settimeout(0.9)
            hand.until(f"{'HMSG' if knows and number < 6 else 'MSG'} _INBOX.q.{number}".encode())
            time.sleep(0.7 if knows else 0.1)
            hand.send(pub("quotes.log", b"asked %d times" % (number + 1)))
        hand.flush()
        server.close()

    return do


def without_status(do: Do) -> Do:
    """The same with a second connection whose CONNECT turns the status of absence off."""

    def inner(hand: Hand) -> None:
        own = Answering(wrong=True)
        own.connect(no_responders=False, name="dealer")
        do(own)
        own.close()
        hand.send(pub("quotes.log", b"done"))
        hand.flush()

    return inner


def with_status(do: Do) -> Do:
    """The same with a second connection that has it on."""

    def inner(hand: Hand) -> None:
        own = Answering(wrong=False)
        own.connect(name="dealer")
        do(own)
        own.close()
        hand.send(pub("quotes.log", b"done"))

    return inner


def workers(peer: str) -> Facts:
    """Three workers of a small library share a subject."""
    with peers.servers(PLAIN):
        return peers.drive(peer, "workers", driver="pynats_seventh_round")


def dropped() -> Facts:
    return workers("pynats_0_4")


def passed() -> Facts:
    return workers("pynats_0_5")


fault(
    "nak_of_the_last_delivery",
    library("js", "nak_of_the_last_delivery", DRIVER),
    "The last delivery of a task is refused with a delay, as the ones before",
    peer="js",
    kind="limits about to be met",
    thread="nats-io/nats-server#4956, #5564",
    shows="45 tasks of a work queue, four of which can never be done.",
    says="The consumer has max_deliver 3, and the worker answers the third delivery of a task by "
    "-NAK with a delay of 500 ms as it did the first two: no fourth delivery comes, and the task "
    "stays in the work queue for ever. The last one has to be terminated (+TERM) or moved away.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.tasks\.worker\.3\.\S+ +\d+\r\n-NAK"),),
)

near_miss(
    "term_at_the_last_delivery",
    library("js", "term_at_the_last_delivery", DRIVER),
    "A task is refused twice with a delay, and terminated at its last delivery",
    peer="js",
    thread="nats-io/nats-server#4956",
    shows="45 tasks of a work queue, four of which can never be done.",
)

fault(
    "queue_group_acks_all",
    library("js", "queue_group_acks_all", DRIVER),
    "An acknowledgement of one member of a queue group covers what another one has refused",
    peer="js",
    kind="second layer",
    thread="nats-io/nats.node#455",
    shows="36 mails to a push consumer with a queue group of two members.",
    says="Both members share a consumer with ack_policy all: each +ACK of member-b acknowledges "
    "all messages before it, also those that member-a has got and refuses by -NAK, so some of "
    "them are never delivered again. Members of a group need ack_policy explicit.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.mails\.senders\.\S+ +\d+\r\n\+ACK", skip=1),),
)

near_miss(
    "queue_group_acks_each",
    library("js", "queue_group_acks_each", DRIVER),
    "Members of a queue group acknowledge and refuse each message by itself",
    peer="js",
    thread="nats-io/nats.node#455",
    shows="36 mails to a push consumer with a queue group of two members.",
)

fault(
    "ephemeral_gone_at_reconnect",
    restarting("py", "ephemeral_gone_at_reconnect", DRIVER, after=4, down=0.5),
    "A push subscription comes back after its ephemeral consumer was removed",
    peer="py",
    kind="abandoned",
    thread="nats-io/nats.py#234",
    shows="75 messages over a restart of the server; the reader is away for seven seconds.",
    says="ticker comes back after seven seconds and only repeats SUB of its deliver subject; the "
    "server has removed the inactive ephemeral consumer meanwhile, nothing is ever delivered "
    "there, and ticker does not notice, while news are stored. It has to make the consumer again, "
    "or use a durable one.",
    marks=(Mark(None, "client", rb"^SUB _INBOX\.\w+ ", again=rb"_INBOX\.\w+", across=True),),
)

near_miss(
    "durable_there_at_reconnect",
    restarting("py", "durable_there_at_reconnect", DRIVER, after=4, down=0.5),
    "A push subscription comes back to its durable consumer",
    peer="py",
    thread="nats-io/nats.py#234",
    shows="75 messages over a restart of the server; the reader is away for seven seconds.",
)

fault(
    "queue_dropped",
    dropped,
    "A library leaves the queue group out of SUB",
    peer="pynats_0_4",
    kind="mismatch between sides",
    thread="Gr1N/nats-python#3",
    shows="Three workers of nats-python 0.4.0 and thirty jobs.",
    says="The three workers are to share jobs.resize in the queue group resizers, but the SUB of "
    "nats-python 0.4.0 has no queue group: each of the thirty jobs is delivered to and done by all "
    "three.",
    marks=(Mark(None, "client", rb"^SUB jobs\.resize "),),
)

near_miss(
    "queue_passed",
    passed,
    "Three workers share the jobs of a queue group",
    peer="pynats_0_5",
    thread="Gr1N/nats-python#3",
    shows="Three workers of nats-python 0.5.0 and thirty jobs.",
)

fault(
    "request_sent_with_its_unsub",
    by_hand(asks_late),
    "A request leaves the client's buffer when it has been given up",
    peer=RAW,
    kind="second layer",
    thread="nats-io/nats.java#5",
    shows="Eight requests and their server, by hand.",
    says="The client subscribes the inbox at once, but its PUB stays in the buffer and leaves "
    "0.9 s later together with UNSUB of the same inbox, when the requester has given up: the "
    "answer finds no subscription. The buffer has to be flushed after the request.",
    marks=(Mark(0, "client", rb"^PUB prices\.of _INBOX"),),
)

near_miss(
    "request_sent_with_its_inbox",
    by_hand(asks_at_once),
    "A request leaves together with its inbox, which ends after one answer",
    peer=RAW,
    thread="nats-io/nats.java#5",
    shows="Eight requests and their server, by hand.",
)

fault(
    "pulls_of_a_deleted_consumer",
    library("js", "pulls_of_a_deleted_consumer", DRIVER),
    "A consumer was deleted, and its client goes on pulling",
    peer="js",
    kind="storms and loops",
    thread="nats-io/nats.net#1055 (503 at each heartbeat pull)",
    shows="Orders each 170 ms; the consumer is deleted after 2.6 s; pulls by hand.",
    says="After CONSUMER.DELETE the client sends a pull to the same name each time heartbeats are "
    "missed, and each is answered by 503: it never makes the consumer again, and no order "
    "comes any more.",
    marks=(Mark(None, "server", rb"^HMSG _INBOX\S+ .*NATS/1.0 503"),),
)

near_miss(
    "deleted_consumer_made_again",
    library("js", "deleted_consumer_made_again", DRIVER),
    "A consumer was deleted, and its client makes it again where it was",
    peer="js",
    thread="nats-io/nats.net#1055",
    shows="Orders each 170 ms; the consumer is deleted after 2.6 s; pulls by hand.",
)

fault(
    "history_for_one_revision",
    library("py", "history_for_one_revision", DRIVER),
    "The whole history of a key is read to find one revision of it",
    peer="py",
    kind="waste",
    thread="nats-io/nats.py#319, nats-io/nats.rs#1269",
    shows="150 changes of seven prices and 18 looks at an older one.",
    says="For each of 18 questions audit makes a consumer, reads all revisions of the key and "
    "throws all but one away; the revision is known, and one STREAM.MSG.GET or DIRECT.GET with "
    "its sequence would do.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_prices", skip=1),),
)

near_miss(
    "revision_asked_for",
    library("py", "revision_asked_for", DRIVER),
    "A revision of a key is asked for by its sequence",
    peer="py",
    thread="nats-io/nats.py#319",
    shows="150 changes of seven prices and 18 looks at an older one.",
)

fault(
    "watch_from_the_start",
    library("js", "watch_from_the_start", DRIVER),
    "A watch begins with the whole history at each start",
    peer="js",
    kind="sequences",
    thread="nats-io/nats.deno#650",
    shows="Six runs of a program with a copy of a bucket.",
    says="edge-proxy is started six times within eight seconds, and its watch asks for all "
    "revisions each time (deliver_policy all), of which it has got all but the newest before; the "
    "watch could resume after the last revision it saw (opt_start_seq).",
    marks=(
        Mark(
            None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_settings", skip=1, across=True
        ),
    ),
)

near_miss(
    "watch_resumed",
    library("js", "watch_resumed", DRIVER),
    "A watch resumes after the last revision that was seen",
    peer="js",
    thread="nats-io/nats.deno#650",
    shows="Six runs of a program with a copy of a bucket.",
)

fault(
    "delete_markers_pile_up",
    library("py", "delete_markers_pile_up", DRIVER),
    "Markers of deleted objects fill the bucket",
    peer="py",
    kind="churn and leak",
    thread="nats-io/nats-server#4011",
    shows="55 objects that are put, read and deleted, in a bucket of 11000 bytes.",
    says="Each scan gets a name of its own, and its deletion leaves a marker with deleted: true "
    "under $O.scans.M for ever: after some forty of them the bucket, which has max_bytes and "
    "discards what is new, is full of markers and refuses each further object.",
    marks=(Mark(None, "client", rb'^H?PUB \$O\.scans\.M\..*"deleted": ?true', skip=1),),
)

near_miss(
    "object_names_used_again",
    library("py", "object_names_used_again", DRIVER),
    "Objects of three names are put and deleted again and again",
    peer="py",
    thread="nats-io/nats-server#4011",
    shows="55 objects that are put, read and deleted, in a bucket of 11000 bytes.",
)

fault(
    "answers_left_subscribed",
    library("go", "answers_left_subscribed", DRIVER),
    "Inboxes of calls with many answers are left subscribed",
    peer="go",
    kind="leaks",
    thread="nats-rpc/nrpc#63",
    shows="42 calls with six answers each, of which the client wants three.",
    says="storefront subscribes an inbox for each of 42 calls, takes three answers and drops the "
    "subscription without UNSUB: all inboxes stay on the server, and the later answers are "
    "delivered to nobody.",
    marks=(Mark(None, "client", rb"^SUB _INBOX\.\w+ ", skip=1),),
)

near_miss(
    "answers_unsubscribed",
    library("go", "answers_unsubscribed", DRIVER),
    "Inboxes of calls with many answers are unsubscribed when three have come",
    peer="go",
    thread="nats-rpc/nrpc#63",
    shows="42 calls with six answers each, of which the client wants three.",
)

fault(
    "inbox_per_request",
    library("py", "inbox_per_request", DRIVER),
    "Each request subscribes and unsubscribes an inbox of its own",
    peer="py",
    kind="waste",
    thread="nats-io/nats.ex#69",
    shows="Sixty requests by the old style of nats-py.",
    says="Each of sixty requests sends SUB of a new inbox and UNSUB beside its PUB, and the server "
    "changes its subscriptions twice for each; one wildcard inbox serves all requests of a "
    "connection.",
    marks=(Mark(None, "client", rb"^SUB _INBOX\.\w+ ", skip=1),),
)

near_miss(
    "one_inbox_for_requests",
    library("py", "one_inbox_for_requests", DRIVER),
    "Sixty requests share one wildcard inbox",
    peer="py",
    thread="nats-io/nats.ex#69",
    shows="Sixty requests of nats-py.",
)

fault(
    "pull_without_expiry",
    library("go", "pull_without_expiry", DRIVER),
    "Pulls have no expiry, and are left open when their requester gives up",
    peer="go",
    kind="unanswered and abandoned",
    thread="nats-io/jetstream#444, nats-io/nats-server#3203",
    shows="Eleven mails, and 22 pulls by hand.",
    says="The pulls of mail-sender are empty, that is one message without expires, and it waits "
    "for each only 400 ms, then leaves the inbox subscribed: the pulls stay open at the server, "
    "so a mail goes to the inbox of a pull that was given up, is not sent, and comes again only "
    "after the ack wait. The pull needs expires, shorter than the wait.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.mail\.sender \S+ 0\r"),),
)

near_miss(
    "pull_that_expires",
    library("go", "pull_that_expires", DRIVER),
    "Pulls expire before their requester gives up",
    peer="go",
    thread="nats-io/nats-server#3203",
    shows="Eleven mails, and 22 pulls by hand.",
)

fault(
    "publishes_to_no_stream",
    library("go", "publishes_to_no_stream", DRIVER),
    "A publish to a subject that no stream has is tried six times",
    peer="go",
    kind="storms and loops",
    thread="nats-io/nats.go#1664",
    shows="Twelve orders with retries, and a stream with other subjects.",
    says="The stream has orders.>, and checkout publishes to order.new: each attempt is "
    "answered by 503, and each of twelve orders is tried six times, which cannot succeed; all "
    "are lost.",
    marks=(Mark(None, "client", rb"^H?PUB order\.new ", skip=1),),
)

near_miss(
    "stream_made_while_retrying",
    library("go", "stream_made_while_retrying", DRIVER),
    "A publish is tried again until its stream has been made",
    peer="go",
    thread="nats-io/nats.go#1664",
    shows="Twelve orders with retries, and a stream that is made 0.9 s later.",
)

fault(
    "never_pulls",
    library("java", "never_pulls", DRIVER),
    "A pull consumer is made and subscribed, and never pulled",
    peer="java",
    kind="mismatch between sides",
    thread="apache/camel#23084",
    shows="Forty orders, and a route that waits for them.",
    says="camel-route makes a pull consumer and subscribes its inbox, but sends no "
    "CONSUMER.MSG.NEXT: the server delivers nothing by itself, so the forty orders stay in the "
    "stream while the route waits.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(CREATE|DURABLE\.CREATE)\.orders"),),
)

near_miss(
    "pulls_in_a_loop",
    library("java", "pulls_in_a_loop", DRIVER),
    "A pull consumer is made, subscribed and pulled in a loop",
    peer="java",
    thread="apache/camel#23084",
    shows="Forty orders, and a route that waits for them.",
)

fault(
    "progress_too_late",
    library("java", "progress_too_late", DRIVER),
    "Progress is reported after the ack wait is over",
    peer="java",
    kind="limits about to be met",
    thread="nats-io/nats.java#1042",
    shows="Five videos and two workers that need 3.6 s for each.",
    says="The ack wait is 1.5 s, and the workers send +WPI each 1.9 s: when it comes, the video "
    "has been delivered to the other worker already, and both encode it.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.videos\.encoder\.\S+ +4\r\n\+WPI"),),
)

near_miss(
    "progress_in_time",
    library("java", "progress_in_time", DRIVER),
    "Progress is reported twice within the ack wait",
    peer="java",
    thread="nats-io/nats.java#1042",
    shows="Five videos and two workers that need 3.6 s for each.",
)

fault(
    "acks_after_the_ack_wait",
    library("java", "acks_after_the_ack_wait", DRIVER),
    "A worker that limits its own rate acknowledges after the ack wait",
    peer="java",
    kind="limits about to be met",
    thread="nats-io/nats.rs#1042",
    shows="14 pages and a worker that takes 1.5 s for each.",
    says="The ack wait is 1 s, and crawler holds each page back for 1.5 s before it sends +ACK: "
    "each page is delivered again meanwhile and crawled twice.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.pages\.crawler\.\S+ +4\r\n\+ACK"),),
)

near_miss(
    "acks_within_the_ack_wait",
    library("java", "acks_within_the_ack_wait", DRIVER),
    "A worker that limits its own rate acknowledges within the ack wait",
    peer="java",
    thread="nats-io/nats.rs#1042",
    shows="14 pages and a worker that takes 0.6 s for each.",
)

fault(
    "pulls_without_ack",
    library("py", "pulls_without_ack", DRIVER),
    "What is pulled is never acknowledged",
    peer="py",
    kind="unanswered and abandoned",
    thread="nats-io/nats.py#366",
    shows="14 parcels and pulls of five.",
    says="packer pulls five messages at a time from a consumer with ack_policy explicit and "
    "acknowledges none: after the ack wait of 1.2 s each is delivered and packed again, without "
    "an end.",
    marks=(
        Mark(
            None,
            "server",
            rb"^MSG parcels\.new \S+ \$JS\.ACK\.parcels\.packer\.1\.",
            unanswered=rb"(\$JS\.ACK\.\S+)",
        ),
    ),
)

near_miss(
    "pulls_with_ack",
    library("py", "pulls_with_ack", DRIVER),
    "What is pulled is acknowledged",
    peer="py",
    thread="nats-io/nats.py#366",
    shows="14 parcels and pulls of five.",
)

fault(
    "denied_subject_again",
    library("js", "denied_subject_again", DRIVER, WITH_USERS),
    "A subject that is denied is subscribed again and again",
    peer="js",
    kind="the server's own error text ignored",
    thread="nats-io/nats.node#530",
    shows="Two programs of a user who may not subscribe to q.",
    says="backoffice subscribes to q each 450 ms, and each time the server answers Permissions "
    "Violation: its user may only subscribe to allowed.> and _INBOX.>, so asking again is in vain.",
    marks=(Mark(None, "client", rb"^SUB q ", skip=1),),
)

near_miss(
    "denied_subject_once",
    library("js", "denied_subject_once", DRIVER, WITH_USERS),
    "A subject is denied, and the program goes on with what is allowed",
    peer="js",
    thread="nats-io/nats.node#530",
    shows="Two programs of a user who may not subscribe to q.",
)

fault(
    "denied_request_repeated",
    library("py", "denied_request_repeated", DRIVER, WITH_USERS),
    "A request that is denied is waited for until its timeout, and repeated",
    peer="py",
    kind="the server's own error text ignored",
    thread="nats-io/nats.c#967 (and #740)",
    shows="Two programs of a user who may not publish to billing.total.",
    says="portal asks billing.total ten times; each is answered at once by Permissions Violation "
    "for Publish, which it does not connect with its request: it waits 0.7 s each time for an "
    "answer that cannot come.",
    marks=(Mark(None, "client", rb"^PUB billing\.total ", skip=1),),
)

near_miss(
    "denied_request_once",
    library("py", "denied_request_once", DRIVER, WITH_USERS),
    "A request is denied once, and the others go where they may",
    peer="py",
    thread="nats-io/nats.c#967",
    shows="Two programs of a user who may not publish to billing.total.",
)

fault(
    "new_durable_replays_all",
    library("go", "new_durable_replays_all", DRIVER),
    "A durable that was deleted is made again and delivers the whole stream once more",
    peer="go",
    kind="sequences",
    thread="hmchangw/newchat#348",
    shows="Changes each 70 ms; the consumer is deleted after 3.5 s.",
    says="Somebody deletes the durable notifier; its program makes it again with deliver_policy "
    "all, and the new one knows nothing of what was acknowledged: some fifty changes are "
    "delivered and notified a second time. opt_start_seq after the last one would go on there.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.oplog\.notifier", skip=1),),
)

near_miss(
    "new_durable_goes_on",
    library("go", "new_durable_goes_on", DRIVER),
    "A durable that was deleted is made again after the last message",
    peer="go",
    thread="hmchangw/newchat#348",
    shows="Changes each 70 ms; the consumer is deleted after 3.5 s.",
)

fault(
    "ack_wait_in_milliseconds",
    library("js", "ack_wait_in_milliseconds", DRIVER),
    "The ack wait is written in milliseconds where nanoseconds are meant",
    peer="js",
    kind="second layer",
    thread="nats-io/nats.node#559 (ack_wait 5000 in its log)",
    shows="24 tickets and a push consumer that needs 60 ms for each.",
    says="The configuration of q-ticket-services has ack_wait 5000, that is five microseconds "
    "where five seconds are meant: the server delivers each ticket again and again before it can "
    "be acknowledged.",
    marks=(Mark(None, "client", rb'^PUB \$JS\.API\.CONSUMER\.\S+ .*"ack_wait":5000[,}]'),),
)

near_miss(
    "ack_wait_in_nanoseconds",
    library("js", "ack_wait_in_nanoseconds", DRIVER),
    "The ack wait is five seconds in nanoseconds",
    peer="js",
    thread="nats-io/nats.node#559",
    shows="24 tickets and a push consumer that needs 60 ms for each.",
)

fault(
    "stalls_between_checkpoints",
    library("java", "stalls_between_checkpoints", DRIVER),
    "A source acknowledges at checkpoints only, and max_ack_pending is reached long before",
    peer="java",
    kind="limits about to be met",
    thread="synadia-io/flink-connector-nats#109",
    shows="170 readings, each 40 ms, and a source with a checkpoint each 2.5 s.",
    says="flink-source acknowledges all readings at its checkpoints, each 2.5 s, and the consumer "
    "has max_ack_pending 20: after 20 readings nothing is delivered until the next checkpoint, "
    "its pulls expire, and it falls ever further back.",
    marks=(Mark(None, "client", rb'^PUB \$JS\.API\.CONSUMER\.\S+ .*"max_ack_pending":20[,}]'),),
)

near_miss(
    "room_between_checkpoints",
    library("java", "room_between_checkpoints", DRIVER),
    "A source acknowledges at checkpoints only, and max_ack_pending has room",
    peer="java",
    thread="synadia-io/flink-connector-nats#109",
    shows="170 readings, each 40 ms, and a source with a checkpoint each 2.5 s.",
)

fault(
    "status_of_absence_turned_off",
    by_hand(without_status(waits_for_quotes(knows=False))),
    "A requester has turned the status of absent responders off, and waits in vain",
    peer=RAW,
    kind="unanswered",
    thread="nats-io/nats.net#258",
    shows="Nine requests, by hand; the service is there for the last three.",
    says="dealer connects with no_responders false: while quotes.get has no responder each of its "
    "requests waits 0.9 s for nothing, where the server could say so at once by 503.",
    marks=(Mark(None, "client", rb"^PUB quotes\.get _INBOX\.q\.[0-5] "),),
)

near_miss(
    "status_of_absence_heard",
    by_hand(with_status(waits_for_quotes(knows=True))),
    "A requester hears that there is no responder, and asks again later",
    peer=RAW,
    thread="nats-io/nats.net#258",
    shows="Nine requests, by hand; the service is there for the last three.",
)

fault(
    "lag_polled_without_rest",
    library("go", "lag_polled_without_rest", DRIVER),
    "The lag of consumers with wildcards is polled without a rest",
    peer="go",
    kind="waste",
    thread="nats-io/nats-server#3877",
    shows="Four consumers with wildcard filters, and a monitor for six seconds.",
    says="lag-exporter asks CONSUMER.INFO of four consumers each 20 ms, some thousand times in six "
    "seconds, and each answer makes the server count the messages of a wildcard filter; every "
    "few seconds would do.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.INFO\.metrics\.", skip=8),),
)

near_miss(
    "lag_polled_every_two_seconds",
    library("go", "lag_polled_every_two_seconds", DRIVER),
    "The lag of consumers is asked for every two seconds",
    peer="go",
    thread="nats-io/nats-server#3877",
    shows="Four consumers with wildcard filters, and a monitor for six seconds.",
)
