"""Faults and near misses of the third round of the blind test: see docs/checking.md."""

import json
import threading
import time
from signal import SIGCONT, SIGSTOP

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import (
    RAW,
    Mark,
    by_hand,
    fault,
    library,
    near_miss,
)
from captures.recorders.nats.wire import Hand

DRIVER = "third_round"
WEBBED = f'{STORED}websocket {{ listen: "127.0.0.1:8080", no_tls: true }}\n'


def listing(peer: str, name: str) -> Play:
    """A play of a driver after 300 consumers were made by WebSocket, which is not recorded."""

    def play() -> Facts:
        with peers.servers(WEBBED):
            peers.drive("py", "many_consumers", driver=DRIVER)
            return peers.drive(peer, name, driver=DRIVER)

    return play


def frozen(name: str) -> Play:
    """A play of a driver during which the server stands still twice."""

    def play() -> Facts:
        facts: dict[str, object] = {}

        def drive() -> None:
            facts.update(peers.drive("go", name, driver=DRIVER))

        with peers.servers(STORED) as running:
            thread = threading.Thread(target=drive)
            thread.start()
            for pause in (0.8, 1.1):
                time.sleep(0.9)
                running[0].send_signal(SIGSTOP)
                time.sleep(pause)
                running[0].send_signal(SIGCONT)
            thread.join()
        return facts

    return play


fault(
    "consumer_per_listing",
    library("py", "consumer_per_listing", DRIVER),
    "Each listing of a bucket's keys leaves a consumer on the server",
    peer="py",
    kind="churn and leak",
    thread="chartchuo/dart-nats#45, PasarGuard/panel#793",
    shows="18 listings of ten keys by a layer written by hand on nats-py, each with an ephemeral "
    "consumer and an inbox of its own.",
    says="Each of 18 listings of the bucket nodes creates an ephemeral consumer that lives an hour "
    "without interest, reads ten keys, drops its inbox and never deletes the consumer: 18 are left "
    "on the stream.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_nodes ", skip=1),),
)

fault(
    "second_page_never_asked",
    listing("py", "second_page_never_asked"),
    "Only the first page of the list of consumers is read",
    peer="py",
    kind="unanswered and abandoned",
    thread="chartchuo/dart-nats#45",
    shows="Three listings of 300 consumers by a layer written by hand on nats-py: 256 are in the "
    "answer each time.",
    says="CONSUMER.LIST is asked without an offset three times and answers 256 of 300 consumers; "
    "the client never asks for the page at offset 256, so 44 consumers are never seen by the job "
    "that is to clean them up.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.LIST\."),
        Mark(None, "server", rb'^MSG _INBOX.*"total":(300|298|296)'),
    ),
)

fault(
    "ack_all_of_two_workers",
    library("py", "ack_all_of_two_workers", DRIVER),
    "Two workers share a consumer with ack_policy all",
    peer="py",
    kind="identity",
    thread="nats-io/nats.ex#230",
    shows="24 messages, pulled in fours by two connections in turn; one of them acknowledges.",
    says="Two workers pull from one consumer with ack_policy all: worker-b acknowledges its last "
    "message (8, 16, 24) and with it the four that worker-a still works on; worker-a ends, and its "
    "12 messages are never delivered again.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.jobs\.workers\.\d+\.(8|16|24)\."),),
)

fault(
    "info_after_each_message",
    library("js", "info_after_each_message", DRIVER),
    "CONSUMER.INFO is asked after each message",
    peer="js",
    kind="waste",
    thread="nats-io/nats-server#5803, nats-io/nats.net#1079",
    shows="Three consumers of eight messages each; every message is followed by CONSUMER.INFO.",
    says="To see whether messages are left the client asks CONSUMER.INFO after each of 24 "
    "messages, although the reply subject of each message has the number that is pending: two "
    "round trips for a message.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.INFO\.products", skip=1),),
)

fault(
    "new_id_for_each_retry",
    frozen("new_id_for_each_retry"),
    "A publish that timed out is sent again with a new message id",
    peer="go",
    kind="sequences",
    thread="pragmaticalabs/pragmatica#1237, nats-io/nats.net#939",
    shows="16 orders; the server stands still twice, for 0.8 and 1.1 s.",
    says="The server is slow twice; each publish without an ack after 300 ms is sent again with a "
    "new Nats-Msg-Id, so all attempts are stored and the orders are handled several times.",
    marks=(Mark(None, "client", rb"^HPUB orders\.", again=rb"order \d+ of"),),
)

fault(
    "duplicate_answer_ignored",
    library("js", "duplicate_answer_ignored", DRIVER),
    "What was stored is published again with the same id until it is given up",
    peer="js",
    kind="storms and loops",
    thread="alexfrmn/murmur#141",
    shows="Eight messages; the receiver does not accept three of them, which are published five "
    "times each.",
    says="Three messages that the receiver does not accept are published five times each with the "
    "same Nats-Msg-Id; every answer after the first says duplicate, so the receiver can never get "
    "the retry, but the client counts it as an attempt and gives up.",
    marks=(
        Mark(None, "client", rb"^HPUB agents\.", again=rb"task \d+ for b"),
        Mark(None, "server", rb'^MSG _INBOX.*"duplicate": ?true'),
    ),
)

fault(
    "heartbeat_taken_for_a_gap",
    library("py", "heartbeat_taken_for_a_gap", DRIVER),
    "A heartbeat is taken for lost messages and everything is read again",
    peer="py",
    kind="sequences",
    thread="nats-io/nats.rs#413",
    shows="A push consumer written by hand on nats-py; after a restart each heartbeat is followed "
    "by CONSUMER.CREATE and twenty messages.",
    says="After a restart the client counts from 0, takes the heartbeat of the finished durable "
    "(Nats-Last-Consumer 20) for a gap, and at each heartbeat creates another consumer from the "
    "first message: 20 messages that were acknowledged are delivered and acknowledged again, and "
    "again.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.readings "),),
)

fault(
    "space_in_subject",
    library("go", "space_in_subject", DRIVER, PLAIN),
    "A subject has a space",
    peer="go",
    kind="mismatch between sides",
    thread="nats-io/nats.rs#1433, nats-io/nats.node#158, nats-io/nats.go#1809",
    shows="27 messages to the subjects of nine cities, four of which have a space in their names.",
    says="The subject is weather. and a city's name as it is: of new york, san jose, new delhi and "
    "cape town the second word is read as the reply subject, so the messages arrive as "
    "weather.new, weather.san and weather.cape, and two cities have one subject.",
    marks=(Mark(None, "client", rb"^PUB weather\.\w+ \w+ \d+\r"),),
)

fault(
    "acks_without_policy",
    library("js", "acks_without_policy", DRIVER),
    "Messages of a consumer without acknowledgements are acknowledged",
    peer="js",
    kind="waste",
    thread="nats-io/nats.c#494",
    shows="A consumer with ack_policy none, 30 messages and 30 acknowledgements.",
    says="The consumer chart has ack_policy none, and the client acknowledges each of its 30 "
    "messages: 30 publishes that have no effect.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.ACK\.readings\.chart\."),),
)


def ask(hand: Hand, subject: str, body: bytes) -> None:
    """A request, whose answer is not looked at."""
    hand.send(f"PUB {subject} _INBOX.php.api {len(body)}\r\n".encode() + body + b"\r\n")
    hand.until(b"MSG _INBOX.php.api")


def pulled(hand: Hand) -> bytes:
    """The head of the next message or status."""
    body = b'{"batch":1,"expires":1000000000}'
    subject = b"$JS.API.CONSUMER.MSG.NEXT.mails.sender _INBOX.php.job"
    hand.send(b"PUB %s %d\r\n%s\r\n" % (subject, len(body), body))
    line = hand.until(b"")
    while line and not line.startswith((b"MSG ", b"HMSG ")):
        if line.startswith(b"PING"):
            hand.send(b"PONG\r\n")
        line = hand.until(b"")
    return line


def nak_before_the_length(hand: Hand) -> None:
    """Acknowledges eight messages, and refuses every third at first."""
    hand.send(b"SUB _INBOX.php.* 1\r\n")
    stream = {"name": "mails", "subjects": ["mails"], "storage": "memory", "retention": "limits"}
    ask(hand, "$JS.API.STREAM.CREATE.mails", json.dumps(stream).encode())
    config = {
        "durable_name": "sender",
        "ack_policy": "explicit",
        "deliver_policy": "all",
        "ack_wait": 2 * 10**9,
    }
    consumer = json.dumps({"stream_name": "mails", "config": config}).encode()
    ask(hand, "$JS.API.CONSUMER.DURABLE.CREATE.mails.sender", consumer)
    for n in range(8):
        ask(hand, "mails", b"mail %d" % n)
    done, end = 0, time.monotonic() + 9
    while done < 8 and time.monotonic() < end:
        line = pulled(hand)
        if not line.startswith(b"MSG mails "):
            continue
        reply = line.split()[3].decode()
        hand.until(b"mail ")
        times, sequence = (int(word) for word in reply.split(".")[4:6])
        time.sleep(0.05)
        refused = sequence % 3 == 0 and times == 1
        body = b'{"delay": 300000000}' if refused else b""
        word = "-NAK" if refused else "+ACK"
        hand.send(f"PUB {reply}  {word} {len(body)}\r\n".encode() + body + b"\r\n")
        done += not refused
    hand.flush()


fault(
    "nak_before_the_length",
    by_hand(nak_before_the_length),
    "The word of an acknowledgement is written before the length",
    peer=RAW,
    kind="second layer",
    thread="basis-company/nats.php#89",
    shows="Eight messages, two of which are refused with a delay, as nats.php did before its "
    "correction.",
    says="-NAK is written between the subject and the length, where it is a reply subject; the "
    "payload is the delay alone, which the server does not understand: the message is not refused "
    "and comes again only after ack_wait, 2 s later instead of 0.3 s.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.ACK\S+  ?-NAK "),
        Mark(None, "client", rb"^PUB \$JS\.ACK\S+  ?\+ACK "),
    ),
)


def reply_subject_shared(hand: Hand) -> None:
    """Sends two requests at a time, and three times with one reply subject for both."""
    service = Hand(wrong=False)
    service.connect(name="thermostat")
    service.send(b"SUB room.get 1\r\n", b"SUB meter.get 2\r\n")
    service.flush()
    hand.send(b"SUB _INBOX.k1q.* 1\r\n")
    for n in range(15):
        shared = n in (5, 9, 12)
        room, meter = (b"same%d" % n,) * 2 if shared else (b"r%d" % n, b"m%d" % n)
        hand.send(
            b"PUB room.get _INBOX.k1q.%s 4\r\nhall\r\n" % room,
            b"PUB meter.get _INBOX.k1q.%s 5\r\npower\r\n" % meter,
        )
        for subject in (b"room.get", b"meter.get"):
            reply = service.until(b"MSG %s " % subject).split()[3]
            service.send(b"PUB %s 4\r\n21.5\r\n" % reply)
        hand.until(b"MSG _INBOX.k1q")
        hand.until(b"MSG _INBOX.k1q")
        time.sleep(0.12)
    hand.flush()
    service.close()


fault(
    "reply_subject_shared",
    by_hand(reply_subject_shared, PLAIN),
    "Two requests in flight have the same reply subject",
    peer=RAW,
    kind="identity",
    thread="nats-io/nats.py#187",
    shows="15 times two requests at once; three times both have one reply subject.",
    says="Three times two requests that are in flight together, room.get and meter.get, get the "
    "same reply subject: whichever answer comes first is taken for either, and the other is "
    "dropped.",
    marks=(Mark(None, "client", rb"^PUB meter\.get _INBOX\.k1q\.same"),),
)

near_miss(
    "same_id_for_each_retry",
    frozen("same_id_for_each_retry"),
    "A publish that timed out is sent again with its message id",
    peer="go",
    thread="pragmaticalabs/pragmatica#1237",
    shows="16 orders; the server stands still twice, and each is stored once.",
)

near_miss(
    "all_pages_asked",
    listing("js", "all_pages_asked"),
    "All pages of the list of consumers are read",
    peer="js",
    thread="chartchuo/dart-nats#45",
    shows="CONSUMER.LIST at offsets 0 and 256, then five CONSUMER.DELETE.",
)

near_miss(
    "ack_all_by_one_worker",
    library("py", "ack_all_by_one_worker", DRIVER),
    "One worker acknowledges the last message of each batch (ack_policy all)",
    peer="py",
    thread="nats-io/nats.ex#230",
    shows="20 messages, pulled in fives by one connection, with four acknowledgements.",
)

near_miss(
    "ordered_consumer_goes_on",
    library("go", "ordered_consumer_goes_on", DRIVER),
    "An ordered consumer that is deleted is made again after the last message",
    peer="go",
    thread="nats-io/nats.rs#413, nats-io/nats.go#1370",
    shows="30 messages; the consumer is deleted twice, and the library goes on where it was.",
)

near_miss(
    "naks_with_delay",
    library("js", "naks_with_delay", DRIVER),
    "Messages are refused with a delay and come again",
    peer="js",
    thread="basis-company/nats.php#89",
    shows="Ten messages; every third is refused with a delay of 400 ms, twice.",
)

near_miss(
    "requests_in_flight_together",
    library("js", "requests_in_flight_together", DRIVER, PLAIN),
    "Six requests are in flight together",
    peer="js",
    thread="nats-io/nats.py#187",
    shows="Six times six requests at once, each with a reply subject of its own.",
)
