"""Faults that people had, from issue threads and documents, and near misses beside them."""

import time

from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.threads import (
    RAW,
    Mark,
    api,
    by_hand,
    fault,
    library,
    near_miss,
    restarting,
)
from captures.recorders.nats.wire import Hand, pub

MILLISECOND = 1_000_000
"""In nanoseconds, the unit of the API."""


fault(
    "durable_per_restart",
    library("py", "durable_per_restart", "threads"),
    "A durable consumer with a new name at each start",
    peer="py",
    kind="leaks",
    thread="bbvch-ai/aihub-core#1828",
    shows="Six starts of one program: each makes a durable consumer whose name holds a new UUID, "
    "reads some messages and ends without deleting it; no inactive_threshold is set.",
    says="Each start leaves a durable consumer with a name of its own in the stream; six are "
    "there, "
    "and nothing will ever remove them: use one name, or an ephemeral consumer.",
    marks=tuple(Mark(n, "client", rb"^PUB \$JS\.API\.CONSUMER\.\w*CREATE\.") for n in range(1, 6)),
)


def flow_control_unanswered(hand: Hand) -> None:
    """Reads, and never answers status 100 with a reply subject."""
    api(hand, "STREAM.CREATE.LOG", {"name": "LOG", "subjects": ["log"], "storage": "memory"})
    for _ in range(30):
        hand.send(pub("log", b"x" * 60_000))
    hand.flush()
    hand.send(b"SUB deliver.log 2\r\n")
    config = {
        "durable_name": "reader",
        "deliver_subject": "deliver.log",
        "ack_policy": "none",
        "flow_control": True,
        "idle_heartbeat": 500 * MILLISECOND,
        "deliver_policy": "all",
    }
    api(hand, "CONSUMER.DURABLE.CREATE.LOG.reader", {"stream_name": "LOG", "config": config})
    hand.socket.settimeout(0.2)
    end = time.monotonic() + 4
    while time.monotonic() < end:
        hand.until(b"HMSG")


fault(
    "flow_control_unanswered",
    by_hand(flow_control_unanswered),
    "Flow control is asked for, and its requests are not answered",
    peer=RAW,
    kind="unanswered",
    thread="nats-io/nats.net.v1#478; nats-io/nats-architecture-and-design ADR-9",
    shows="A push consumer with flow_control and idle heartbeats; the client treats status 100 "
    "FlowControl Request as a message without content and never publishes to its reply subject: "
    "deliveries stop, and the heartbeats say Nats-Consumer-Stalled.",
    says="The server's FlowControl Request is never answered, so the consumer stalls; the client "
    "has to publish an empty message to the reply subject of the status (or of "
    "Nats-Consumer-Stalled).",
    marks=(Mark(0, "server", rb"FlowControl Request|Nats-Consumer-Stalled"),),
)

fault(
    "polls_without_waiting",
    library("go", "polls_without_waiting", "threads"),
    "An empty stream is polled without waiting",
    peer="go",
    kind="storms and loops",
    thread="nats-io/nats.go#809, nats-io/nats.java#594",
    shows="FetchNoWait in a loop without any pause: the first brings two messages, then 120 pulls "
    "one after the other end with 404 No Messages.",
    says="A hot loop: 120 pulls with no_wait in a fraction of a second, each answered by 404 No "
    "Messages; pull with expires instead and let the server wait.",
    marks=(Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.", skip=3),),
)

fault(
    "subscribed_again_on_reconnect",
    restarting("py", "subscribed_again_on_reconnect", "threads", PLAIN, after=1.5, down=0.3),
    "Subscribed again in the handler of reconnects",
    peer="py",
    kind="sequences",
    thread="nats-io/nats.go#288, nats-io/nats.node#71",
    shows="The server restarts; the library restores SUB orders.* by itself, and the program "
    "subscribes once more in its reconnect handler: from then on each message comes twice.",
    says="After the reconnect orders.* is subscribed twice on one connection (sids 1 and 2): every "
    "message is delivered and processed twice.",
    marks=(
        Mark(None, "client", rb"^SUB orders\.\* ", skip=1),
        Mark(None, "server", rb"^MSG orders\.next 2 "),
    ),
)

fault(
    "acks_after_wait",
    library("go", "acks_after_wait", "threads"),
    "Messages wait in the client's buffer until their ack wait is over",
    peer="go",
    kind="limits about to be met",
    thread="nats-io/nats.go#1929",
    shows="ack_wait is 1 s, Consume fetches all ten messages at once, and the handler takes 0.4 s "
    "for each: from the third on a message is acknowledged when its time is over and it has been "
    "delivered again.",
    says="Acknowledgements come later than ack_wait (1 s), so messages are delivered and processed "
    "again: fetch fewer at once, raise ack_wait, or report progress (+WPI).",
    marks=(
        Mark(0, "client", rb"^PUB \$JS\.ACK\.\w+\.\w+\.1\.", skip=2),
        Mark(0, "server", rb"^H?MSG \S+ \S+ \$JS\.ACK\.\w+\.\w+\.[2-9]\."),
    ),
)

fault(
    "stream_full_ignored",
    library("go", "stream_full_ignored", "threads"),
    "Publishes go on although the stream is full",
    peer="go",
    kind="the server's own error text ignored",
    thread="nats-io/nats-server#2795, nats-io/nats-server#4247",
    shows="max_msgs is 5 and discard new: PublishAsync of 30 messages whose futures nobody looks "
    "at. From the sixth on each is answered by an error, maximum messages exceeded.",
    says="25 of 30 messages are lost: the stream is full (maximum messages exceeded), the "
    "publisher "
    "ignores the errors of its acks and goes on.",
    marks=(
        Mark(0, "client", rb"^PUB work\.", skip=5),
        Mark(0, "server", rb"maximum messages exceeded"),
    ),
)

fault(
    "poison_message",
    library("js", "poison_message", "threads"),
    "A message that always fails is refused again and again",
    peer="js",
    kind="storms and loops",
    thread="ideaconnect/symfony-nats-messenger#21, kyma-project/kyma#13625",
    shows="The second of three messages cannot be read; the handler naks it at once, without a "
    "delay, and max_deliver is not set: it is delivered 40 times in a moment.",
    says="A redelivery loop: one message (stream sequence 2) is delivered and nak'ed without delay "
    "40 times; set max_deliver or backoff, nak with a delay, or terminate it (+TERM).",
    marks=(
        Mark(0, "client", rb"-NAK", skip=2),
        Mark(0, "server", rb"^H?MSG \S+ \S+ \$JS\.ACK\.\w+\.\w+\.([3-9]|\d\d)\."),
    ),
)

fault(
    "watch_loop",
    library("py", "watch_loop", "threads"),
    "A watch is opened again and again, and never stopped",
    peer="py",
    kind="leaks",
    thread="openobserve/openobserve#13594",
    shows="A key-value watch is lost by the program, which watches again at once: 20 ordered "
    "consumers in a moment, each with a subscription and heartbeats of its own, none deleted.",
    says="A consumer is created for the same bucket 20 times without pause and never deleted: each "
    "watch leaves a consumer and a subscription; stop the old watch and back off.",
    marks=(
        Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.\w*CREATE\.", skip=1),
        Mark(0, "client", rb"^SUB ", skip=2),
    ),
)


def expires_in_milliseconds(hand: Hand) -> None:
    """Pulls that are over as soon as they are asked."""
    api(hand, "STREAM.CREATE.JOBS", {"name": "JOBS", "subjects": ["jobs"], "storage": "memory"})
    config = {"durable_name": "worker", "ack_policy": "explicit"}
    api(hand, "CONSUMER.DURABLE.CREATE.JOBS.worker", {"stream_name": "JOBS", "config": config})
    hand.send(b"SUB _INBOX.pull.* 2\r\n")
    for number in range(25):
        body = b'{"batch": 10, "expires": 5000}'
        line = f"PUB $JS.API.CONSUMER.MSG.NEXT.JOBS.worker _INBOX.pull.{number} {len(body)}\r\n"
        hand.send(line.encode() + body + b"\r\n")
        hand.until(b"HMSG _INBOX.pull.")


fault(
    "expires_in_milliseconds",
    by_hand(expires_in_milliseconds),
    "expires of a pull in milliseconds",
    peer=RAW,
    kind="second layer",
    thread="nats-io/nats.net#244 (the same mistake with ack_wait); docs: CONSUMER.MSG.NEXT",
    shows="The client means five seconds and writes expires: 5000, which are five microseconds: "
    "each pull ends at once with 408 Request Timeout, 25 in a row.",
    says="expires is in nanoseconds: 5000 are 5 microseconds, so every pull times out at once "
    "(408) "
    "and the client spins; 5 s are 5000000000.",
    marks=(
        Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\."),
        Mark(0, "server", rb"408 Request Timeout"),
    ),
)

fault(
    "late_reply",
    library("js", "late_reply", "threads", PLAIN),
    "The answer comes when the requester has gone",
    peer="js",
    kind="abandoned",
    thread="nats-io/nats.go#533, nats-io/nats.node#135",
    shows="Requests wait for 300 ms and the service takes 600 ms: the inbox is unsubscribed when "
    "the answer is published, and the requester asks again: five times the work for nothing.",
    says="Answers are published to inboxes that were unsubscribed before: the requester gives up "
    "after 0.3 s, the service takes 0.6 s; no request ever gets an answer.",
    marks=(
        Mark(1, "client", rb"^PUB _INBOX\."),
        Mark(0, "client", rb"^PUB reports\.make "),
    ),
)

fault(
    "filter_flips",
    library("go", "filter_flips", "threads"),
    "Two programs share one durable and each sets its own filter",
    peer="go",
    kind="identity",
    thread="nats-io/nats.net#791 (two services, one consumer name)",
    shows="Two services call CreateOrUpdateConsumer with the durable worker, one with the filter "
    "orders.eu, one with orders.us; each update takes the other's messages away, five times.",
    says="Two connections fight over the durable worker: each changes its filter_subject to its "
    "own "
    "(orders.eu, orders.us), so each loses messages to the other; give each a durable of its own.",
    marks=(
        Mark(1, "client", rb"^PUB \$JS\.API\.CONSUMER\.\w*CREATE\."),
        Mark(0, "client", rb"^PUB \$JS\.API\.CONSUMER\.\w*CREATE\.", skip=1),
    ),
)

near_miss(
    "backoff_then_terminated",
    library("js", "backoff_then_terminated", "threads"),
    "A message that fails is tried three times, ever later, and then terminated",
    peer="js",
    thread="docs: consumer max_deliver, -NAK with delay, +TERM",
    shows="nak with a delay of 200 and 400 ms, then term with a reason; the others are "
    "acknowledged.",
)

near_miss(
    "progress_reported",
    library("go", "progress_reported", "threads"),
    "Long work that reports progress",
    peer="go",
    thread="docs: ack types; nats-io/nats-server#4786",
    shows="ack_wait is 1 s and the work takes 2.4 s: +WPI every 0.6 s, then +ACK; nothing is "
    "delivered twice.",
)

near_miss(
    "conflict_read_again",
    library("py", "conflict_read_again", "threads"),
    "A conflict of two writers, handled",
    peer="py",
    thread="nats-io/nats.java#1033",
    shows="Two writers update one key of a bucket; the second is refused with wrong last sequence, "
    "reads the key again and succeeds with the new revision.",
)

near_miss(
    "drains",
    library("py", "drains", "threads", PLAIN),
    "A subscriber drains while messages are on their way",
    peer="py",
    thread="nats-io/nats.c#383",
    shows="UNSUB of both subscriptions while 40 messages are under way: what was sent before still "
    "comes, the answers are published, then PING and PONG, and the connection ends.",
)

near_miss(
    "empty_then_waits",
    library("go", "empty_then_waits", "threads"),
    "What is there is fetched without waiting, then pulls wait",
    peer="go",
    thread="nats-io/nats.java#594",
    shows="Three pulls with no_wait empty the stream, the last one ends with 404; then pulls with "
    "expires of 1 s end with 408, two of them, and the third brings a new message.",
)

near_miss(
    "consumer_ensured_twice",
    library("go", "consumer_ensured_twice", "threads"),
    "Each start makes sure that its stream and its consumer exist",
    peer="go",
    thread="docs: CreateOrUpdateConsumer is idempotent",
    shows="Three starts of one program: CreateOrUpdateStream and CreateOrUpdateConsumer with the "
    "same configuration each time; the durable goes on where it was.",
)

__all__ = ["STORED"]
