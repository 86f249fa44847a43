"""Faults and near misses of the fourth round of the blind test: see docs/checking.md."""

import threading
import time
from contextlib import suppress

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import (
    RAW,
    Mark,
    by_hand,
    fault,
    library,
    near_miss,
    restart,
)
from captures.recorders.nats.wire import Hand

DRIVER = "fourth_round"
PULL = b'{"batch":1,"expires":20000000000,"idle_heartbeat":500000000}'


def beside(first: tuple[str, str], second: tuple[str, str], *, restarted: bool = False) -> Play:
    """A play of two drivers; the second begins a second later."""

    def play() -> Facts:
        facts: dict[str, object] = {}

        def drive(driver: tuple[str, str]) -> None:
            for name, number in peers.drive(*driver, driver=DRIVER).items():
                facts[name] = int(str(facts.get(name, 0))) + int(str(number))

        with peers.servers(STORED) as running:
            threads = [threading.Thread(target=drive, args=(each,)) for each in (first, second)]
            for thread in threads:
                thread.start()
                time.sleep(1)
            if restarted:
                time.sleep(2)
                restart(running, 0.4)
            for thread in threads:
                thread.join()
        return facts

    return play


fault(
    "core_input_acks_requests",
    beside(("py", "core_input_acks_requests"), ("go", "admin")),
    "A subscriber of > answers every request with +ACK",
    peer="py_and_go",
    kind="mismatch between sides",
    thread="redpanda-data/connect#1772",
    shows="nats-py as the core input of a pipeline; nats.go makes and deletes streams.",
    says="The input subscribes to > without JetStream and publishes +ACK to the reply subject of "
    "each message it sees: requests to the JetStream API get a second answer, +ACK, which the "
    "requester may take for the true one.",
    marks=(
        Mark(None, "client", rb"^PUB \S+ +4\r\n\+ACK"),
        Mark(None, "server", rb"^MSG _INBOX\S+ \d+ 4\r\n\+ACK"),
    ),
)

near_miss(
    "audit_watches_all",
    beside(("py", "audit_watches_all"), ("go", "admin")),
    "A subscriber of > that only looks",
    peer="py_and_go",
    thread="redpanda-data/connect#1772",
    shows="nats-py subscribes to >; nats.go makes and deletes streams.",
)


def pull(worker: Hand, inbox: str) -> None:
    """Subscribes an inbox, and asks for a message with a heartbeat."""
    subject = f"$JS.API.CONSUMER.MSG.NEXT.jobs.worker {inbox}"
    worker.send(
        f"SUB {inbox} 1\r\n".encode(), f"PUB {subject} {len(PULL)}\r\n".encode() + PULL + b"\r\n"
    )


def work(worker: Hand, inbox: str, following: bytes, end: float) -> None:
    """Takes messages until nothing has come for a second, twice the heartbeat."""
    last = time.monotonic()
    while time.monotonic() - last < 1.0 and time.monotonic() < end:
        line = worker.until(b"")
        if not line:
            continue
        last = time.monotonic()
        if line.startswith(b"PING"):
            worker.send(b"PONG\r\n")
        if line.startswith(b"MSG jobs."):
            worker.until(b"tick")
            time.sleep(0.02)
            head = f"PUB {line.split()[3].decode()} {inbox} {len(following)}\r\n".encode()
            worker.send(head + following + b"\r\n")


def pulls(following: bytes) -> Play:
    """A worker that asks for the next message by such an acknowledgement."""

    def ask(hand: Hand, subject: str, body: bytes) -> None:
        hand.send(f"PUB {subject} _INBOX.ex.api {len(body)}\r\n".encode() + body + b"\r\n")
        hand.until(b"MSG _INBOX.ex.api")

    def publish() -> None:
        sensor = Hand(wrong=False)
        sensor.connect(name="sensor")
        for n in range(6):
            sensor.send(b"PUB jobs.new 6\r\ntick %d\r\n" % n)
            time.sleep(2.5)
        sensor.close()

    def do(hand: Hand) -> None:
        hand.send(b"SUB _INBOX.ex.* 1\r\n")
        stream = b'{"name":"jobs","subjects":["jobs.*"],"storage":"memory","retention":"limits"}'
        ask(hand, "$JS.API.STREAM.CREATE.jobs", stream)
        config = (
            b'{"stream_name":"jobs","config":{"durable_name":"worker","ack_policy":"explicit",'
            b'"deliver_policy":"all","ack_wait":30000000000}}'
        )
        ask(hand, "$JS.API.CONSUMER.DURABLE.CREATE.jobs.worker", config)
        thread = threading.Thread(target=publish)
        thread.start()
        number, end = 0, time.monotonic() + 13
        while time.monotonic() < end:
            number += 1
            worker, inbox = Hand(wrong=False), f"_INBOX.pull{number}"
            worker.connect(name="worker", lang="elixir", version="1.11.0")
            worker.socket.settimeout(0.2)
            pull(worker, inbox)
            with suppress(OSError):
                work(worker, inbox, following, end)
            worker.socket.close()
        thread.join()

    return by_hand(do)


fault(
    "next_without_heartbeat",
    pulls(b"+NXT"),
    "+NXT asks for the next message without a heartbeat, and the client waits for one",
    peer=RAW,
    kind="storms and loops",
    thread="nats-io/nats.ex#229",
    shows="Six messages, one every 2.5 s, and a connection for each.",
    says="The pull states idle_heartbeat 0.5 s, but after each message the next one is asked by a "
    "plain +NXT, for which no heartbeat comes: 1 s later the client takes the idle server for dead "
    "and connects again, once for each message.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.ACK\S+ \S+ 4\r\n\+NXT\r\n"),
        Mark(None, "client", rb'^CONNECT .*"worker"', skip=1, across=True),
    ),
)

near_miss(
    "next_with_heartbeat",
    pulls(b"+NXT " + PULL),
    "+NXT with batch, expires and idle_heartbeat",
    peer=RAW,
    thread="nats-io/nats.ex#229",
    shows="Six messages, one every 2.5 s, on one connection.",
)

fault(
    "pulls_stop_after_reconnect",
    beside(("py", "pulls_stop_after_reconnect"), ("go", "logs"), restarted=True),
    "After a reconnect the consumer subscribes again and never pulls again",
    peer="py_and_go",
    kind="unanswered and abandoned",
    thread="vectordotdev/vector#24932",
    shows="nats-py with pulls by hand, nats.go as publisher, and a restart of the server.",
    says="The server is restarted and the pull that was waiting is lost with it; the client "
    "connects and subscribes its inbox again, answers PING, and waits for ten seconds for messages "
    "that it never asks for, while more and more are stored.",
    marks=(
        Mark(None, "client", rb'^CONNECT .*"log-source"', skip=1, across=True),
        Mark(None, "client", rb"^SUB _INBOX\.\w+ ", skip=1, across=True),
    ),
)

near_miss(
    "pulls_resumed_after_restart",
    beside(("js", "pulls_resumed_after_restart"), ("go", "logs"), restarted=True),
    "A consumer pulls again after a restart of the server",
    peer="js_and_go",
    thread="vectordotdev/vector#24932",
    shows="nats.js consumes, nats.go publishes, and the server is restarted.",
)

fault(
    "progress_of_abandoned_messages",
    library("js", "progress_of_abandoned_messages", DRIVER),
    "Messages whose handling failed are kept in progress for ever",
    peer="js",
    kind="churn and leak",
    thread="numaproj/numaflow#626",
    shows="20 messages, three of which cannot be handled; ack_wait is 1.5 s.",
    says="Handling of readings 4, 10 and 16 failed; they are neither acknowledged nor refused, and "
    "a timer that was not stopped sends +WPI for each every 0.4 s until the program ends: ack_wait "
    "(1.5 s) never runs out, and they are never delivered again.",
    marks=(
        Mark(
            None,
            "client",
            rb"^PUB \$JS\.ACK\.edge\.forwarder\.\d+\.(5|11|17)\.\S+ +4\r\n\+WPI",
            skip=9,
        ),
    ),
)

near_miss(
    "progress_until_ack",
    library("go", "progress_until_ack", DRIVER),
    "Long work is kept in progress until it is acknowledged",
    peer="go",
    thread="numaproj/numaflow#626",
    shows="Four messages with up to nine +WPI each; ack_wait is 1.2 s.",
)

fault(
    "message_id_in_lower_case",
    library("go", "message_id_in_lower_case", DRIVER),
    "The header that has the message id is written in lower case",
    peer="go",
    kind="second layer",
    thread="nats-io/nats.net#1257, nats-io/nats-server#2094, vectordotdev/vector#23509",
    shows="Three runs of an agent that publishes 6, 10 and 14 lines of one file.",
    says="The id is in the header nats-msg-id, which the server, whose headers are case-sensitive, "
    "does not know as Nats-Msg-Id: nothing is found to be a duplicate, and the lines that the "
    "agent reads again after each start are stored two and three times.",
    marks=(
        Mark(
            None,
            "client",
            rb"^HPUB events\.log .*nats-msg-id",
            again=rb"nats-msg-id: *\S+\r",
            across=True,
        ),
        Mark(None, "client", rb"^HPUB events.*nats-msg-id"),
    ),
)

fault(
    "revision_of_the_stream",
    library("py", "revision_of_the_stream", DRIVER),
    "The revision of a subject is sent as the last sequence of the stream",
    peer="py",
    kind="mismatch between sides",
    thread="nats-io/nats-server#3716",
    shows="Nine changes of three accounts, each tried up to four times.",
    says="The client reads the last message of one account and sends its sequence as "
    "Nats-Expected-Last-Sequence, which is that of the whole stream: unless this account was the "
    "last one written the publish is refused (10071), and reading the same message again cannot "
    "help; it is tried four times, and the change is given up.",
    marks=(
        Mark(None, "client", rb"^HPUB account.*Nats-Expected-Last-Sequence"),
        Mark(None, "server", rb"^MSG _INBOX.*10071"),
    ),
)

fault(
    "stock_put_without_revision",
    beside(("py", "stock_put_without_revision"), ("js", "stock_put_without_revision")),
    "Two programs read a key, count it down and put it without the revision",
    peer="py_and_js",
    kind="sequences",
    thread="nats-io/nats-server#3375 (revisions of a key as a lock); the lost update is a variant "
    "of this repository",
    shows="Two programs that count stock.bolts down 22 times each.",
    says="shop-web and shop-phone both read stock.bolts, subtract one and PUT the result without "
    "Nats-Expected-Last-Subject-Sequence: the later write of two that read the same value undoes "
    "the earlier, and of 44 sales only some are counted.",
    marks=(
        Mark(
            None,
            "client",
            rb"^H?PUB \$KV\.shop\.stock\.bolts ",
            again=rb"\r\n\d+\r\n$",
            across=True,
        ),
    ),
)

near_miss(
    "stock_updated_by_revision",
    beside(("py", "stock_updated_by_revision"), ("js", "stock_updated_by_revision")),
    "Two programs count a key down by its revision and try again after a conflict",
    peer="py_and_js",
    thread="nats-io/nats-server#3375",
    shows="Two programs that count stock.bolts down 22 times each.",
)

fault(
    "retries_after_the_window",
    library("js", "retries_after_the_window", DRIVER),
    "What was published is published again after the duplicate window",
    peer="js",
    kind="limits about to be met",
    thread="vectordotdev/vector#23509, pragmaticalabs/pragmatica#1237",
    shows="Three runs of an outbox that publishes ten orders, six of them again.",
    says="duplicate_window is 0.5 s, and the outbox publishes what it has not marked as sent again "
    "two seconds later, with the same Nats-Msg-Id: by then the server has forgotten the ids, and "
    "the orders are stored twice and three times.",
    marks=(
        Mark(
            None,
            "client",
            rb"^HPUB orders\.new ",
            again=rb"Nats-Msg-Id: *\S+\r",
            across=True,
        ),
        Mark(
            None,
            "client",
            rb'^PUB \$JS\.API\.STREAM\.CREATE\.orders.*"duplicate_window":500000000',
        ),
    ),
)

fault(
    "stream_declared_before_each_publish",
    library("go", "stream_declared_before_each_publish", DRIVER),
    "The stream is created before each publish",
    peer="go",
    kind="waste",
    thread="looplab/eventhorizon#319",
    shows="25 events, each after STREAM.CREATE with the same configuration.",
    says="STREAM.CREATE with the same configuration goes before each of 25 publishes: half of all "
    "round trips are for a stream that is there.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.CREATE\.bus", skip=1),),
)

fault(
    "subscribes_for_each_fetch",
    library("java", "subscribes_for_each_fetch", DRIVER),
    "A pull subscription is made anew for each message",
    peer="java",
    kind="waste",
    thread="nats-io/nats.java#669, nats-io/nats.go#1265 (the lookup of each subscribe); the loop "
    "is a variant of this repository",
    shows="30 messages, each fetched by a subscription of its own.",
    says="For each of 30 messages of one consumer the program subscribes anew, which asks "
    "CONSUMER.INFO, pulls one message and unsubscribes: two round trips and a subscription for a "
    "message, where one subscription serves all.",
    marks=(
        Mark(None, "client", rb"^H?PUB \$JS\.API\.CONSUMER\.INFO\.mails\.mailer", skip=1),
        Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.mails\.mailer"),
    ),
)

fault(
    "connections_left_at_restart",
    library("java", "connections_left_at_restart", DRIVER),
    "Channels that start again make connections of their own and leave the old ones",
    peer="java",
    kind="churn and leak",
    thread="quarkiverse/quarkus-reactive-messaging-nats-jetstream#352",
    shows="Six starts of the channels of one program, with two connections each.",
    says="Each time its channels start again the program orders-app makes two connections and "
    "closes none: after six starts twelve connections with one name are open, ten of which do "
    "nothing.",
    marks=(Mark(None, "client", rb'^CONNECT .*"orders-app"', skip=2, across=True),),
)

near_miss(
    "java_program_of_many_parts",
    library("java", "java_program_of_many_parts", DRIVER),
    "A program with publishes in flight, a consumer, a watch, requests and an ordered consumer",
    peer="java",
    thread="nats-io/nats.java (examples)",
    shows="Two connections of nats.java, each with several parts of a program.",
)

fault(
    "stops_without_drain",
    library("py", "stops_without_drain", DRIVER),
    "Replicas of a service close their connections with requests in hand",
    peer="py",
    kind="unanswered and abandoned",
    thread="nats-io/nats.net#1260, vectordotdev/vector#23635",
    shows="Eight replicas, six of which are replaced while six requests are in flight.",
    says="Six times a replica of the queue group tax is stopped: it closes its connection while it "
    "works on requests that were delivered to it; they are never answered, and each requester "
    "waits until its timeout.",
    marks=(Mark(None, "server", rb"^MSG tax\.get ", unanswered=rb"^MSG \S+ \d+ (\S+) "),),
)

near_miss(
    "stops_with_drain",
    library("py", "stops_with_drain", DRIVER),
    "Replicas of a service unsubscribe, answer what they have, and close",
    peer="py",
    thread="nats-io/nats.net#1260",
    shows="Eight replicas, six of which are replaced while six requests are in flight.",
)

fault(
    "ttl_refused",
    library("py", "ttl_refused", DRIVER),
    "Messages with a time to live are published to a stream that does not allow it",
    peer="py",
    kind="unanswered and abandoned",
    thread="nats-io/nats-server#6370, nats-io/nats.js#226",
    shows="Twelve publishes with Nats-TTL, each refused.",
    says="Twelve locks are published with Nats-TTL to a stream whose configuration lacks "
    "allow_msg_ttl; each answer is an error (10166), which the client never looks at: no lock is "
    "stored.",
    marks=(
        Mark(None, "client", rb"^HPUB lock\..*Nats-TTL"),
        Mark(None, "server", rb"^MSG _INBOX.*10166"),
    ),
)
