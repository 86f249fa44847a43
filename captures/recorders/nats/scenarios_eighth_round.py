"""Faults, near misses and programs of the eighth round of the blind test: see docs/checking.md."""

import json
import subprocess
import threading
import time
from pathlib import Path

from captures.recorders import lab
from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.scenarios_servers import node, seed
from captures.recorders.nats.scenarios_seventh_round import Answering, responder
from captures.recorders.nats.setup import CLIENTS, Facts, Play, Scenario, add
from captures.recorders.nats.threads import RAW, Mark, fault, library, near_miss, restart
from captures.recorders.nats.wire import pub

DRIVER = "eighth_round"
SECURED = f"""\
{STORED}tls {{ cert_file: "server.pem", key_file: "server.key" }}
"""


def asks(*, gives_up: bool) -> Facts:
    """Asks a service by one inbox for all answers; a request of another kind has no answer."""
    with peers.servers(PLAIN):
        server = responder("prices.of")
        quiet = Answering(wrong=False)
        quiet.connect(name="reports")
        quiet.send(b"SUB reports.monthly 1\r\n")
        quiet.flush()
        hand = Answering(wrong=True)
        hand.connect(name="till")
        hand.send(b"SUB _INBOX.m7.* 1\r\n")
        answered = 0
        for number in range(16):
            if number == 6:
                hand.send(pub(f"reports.monthly _INBOX.m7.{number}", b"November"))
                time.sleep(0.9)
                if gives_up:
                    hand.send(b"UNSUB 1\r\n")
                continue
            hand.send(pub(f"prices.of _INBOX.m7.{number}", f"article {number}".encode()))
            hand.socket.settimeout(0.5)
            answered += bool(hand.until(f"MSG _INBOX.m7.{number} ".encode()))
            time.sleep(0.15)
        hand.flush()
        for each in (hand, server, quiet):
            each.close()
    return {"lines_sent": hand.sent, "answered": answered}


def over_a_restart(name: str) -> Play:
    """A play of nats-py whose server is restarted when the driver says so by a file."""

    def play() -> Facts:
        facts: dict[str, object] = {}
        sign = Path("half-way")
        sign.unlink(missing_ok=True)
        with peers.servers(STORED) as running:
            thread = threading.Thread(
                target=lambda: facts.update(peers.drive("py", name, driver=DRIVER))
            )
            thread.start()
            while thread.is_alive() and not sign.exists():
                time.sleep(0.1)
            restart(running, 0.8)
            thread.join()
        return facts

    return play


def inbox_given_up() -> Facts:
    return asks(gives_up=True)


def inbox_kept() -> Facts:
    return asks(gives_up=False)


fault(
    "lock_outlived",
    library("go", "lock_outlived", DRIVER),
    "The work takes longer than the lock of its worker lives",
    peer="go",
    kind="limits about to be met",
    thread="opsmill/infrahub#9769, nats-io/nats-server#3073",
    shows="Three workers share a lock in a bucket with a TTL of 1.2 s.",
    says="The key report in locks lives 1.2 s, the work takes 2 s, and the holder never updates "
    "the key: the next worker creates it while the first one still works, and the first one then "
    "deletes it without the revision that it created, so it takes the lock from the second.",
    marks=(Mark(None, "client", rb"^HPUB \$KV\.locks\.report .*KV-Operation: DEL"),),
)

near_miss(
    "lock_renewed",
    library("go", "lock_renewed", DRIVER),
    "The holder of a lock renews it and deletes the revision that it holds",
    peer="go",
    thread="opsmill/infrahub#9769",
    shows="Three workers share a lock in a bucket with a TTL of 1.2 s.",
)

fault(
    "inbox_under_the_events",
    library("js", "inbox_under_the_events", DRIVER, PLAIN),
    "The inbox of requests lies under a wildcard that the client subscribes too",
    peer="js",
    kind="second layer",
    thread="hmchangw/newchat#378",
    shows="26 requests of a browser, and messages for its user.",
    says="The prefix of the inbox is chat.user.anna, and the client subscribes chat.user.anna.> "
    "for its events: each answer is delivered twice on the connection, and the handler of events "
    "gets all 26 answers. The inboxes need a prefix of their own.",
    marks=(Mark(None, "client", rb"^SUB chat\.user\.anna\.>"),),
)

near_miss(
    "inbox_beside_the_events",
    library("js", "inbox_beside_the_events", DRIVER, PLAIN),
    "The inbox of requests has a prefix of its own",
    peer="js",
    thread="hmchangw/newchat#378",
    shows="26 requests of a browser, and messages for its user.",
)

fault(
    "inbox_given_up",
    inbox_given_up,
    "The timeout of one request ends the inbox of all requests",
    peer=RAW,
    kind="unanswered",
    thread="nats-io/nats.net#167",
    shows="Sixteen requests by one inbox, one of which has no answer; by hand.",
    says="When reports.monthly does not answer, the client unsubscribes _INBOX.m7.*, the inbox of "
    "all its requests, and goes on to ask with it: nine later requests are answered, and no "
    "answer is delivered.",
    marks=(Mark(None, "client", rb"^UNSUB 1\r"),),
)

near_miss(
    "inbox_kept",
    inbox_kept,
    "The inbox of all requests stays when one has no answer",
    peer=RAW,
    thread="nats-io/nats.net#167",
    shows="Sixteen requests by one inbox, one of which has no answer; by hand.",
)

fault(
    "region_left_empty",
    library("js", "region_left_empty", DRIVER, PLAIN),
    "A part of a subject is empty",
    peer="js",
    kind="identity",
    thread="nats-io/nats-server#3245",
    shows="44 orders of four regions, one of which has no name.",
    says="Orders without a region are published to orders..created: an empty token is not legal in "
    "a subject and matches no wildcard, so dispatch never sees these eleven orders.",
    marks=(Mark(None, "client", rb"^PUB orders\.\.created "),),
)

near_miss(
    "region_unknown",
    library("js", "region_unknown", DRIVER, PLAIN),
    "A part of a subject that is not known has a name",
    peer="js",
    thread="nats-io/nats-server#3245",
    shows="44 orders of four regions, one of which has no name.",
)

fault(
    "dots_in_the_name",
    library("py", "dots_in_the_name", DRIVER, PLAIN),
    "Names of users with dots go into subjects",
    peer="py",
    kind="mismatch between sides",
    thread="eigr-labs/phoenix-pubsub-nats#12, simpleiot/simpleiot#747",
    shows="48 mails of five users, two of whom have a dot in their name.",
    says="mail-server publishes mail.j.miller.new, and notifier subscribes mail.*.new, where a "
    "star is one token: the mails of the users with dots reach nobody. Dots in a name have to be "
    "replaced or encoded.",
    marks=(Mark(None, "client", rb"^PUB mail\.(j\.miller|t\.o\.brien)\.new "),),
)

near_miss(
    "dots_replaced",
    library("py", "dots_replaced", DRIVER, PLAIN),
    "Dots in the names of users are replaced in subjects",
    peer="py",
    thread="eigr-labs/phoenix-pubsub-nats#12",
    shows="48 mails of five users, two of whom have a dot in their name.",
)

fault(
    "stream_gone_with_the_server",
    over_a_restart("stream_gone_with_the_server"),
    "A stream in memory is gone after a restart, and its programs go on without it",
    peer="py",
    kind="the server's own error text ignored",
    thread="nats-io/nats.rs#557 (storage memory)",
    shows="60 readings and a consumer, over a restart of the server.",
    says="The stream readings has storage memory, so the restarted server has neither it nor its "
    "consumer: meter goes on to publish and billing to pull, all is answered by 503, and neither "
    "makes the stream again. Half of the readings are lost.",
    marks=(Mark(None, "server", rb"^HMSG _INBOX\S+ .*NATS/1.0 503"),),
)

near_miss(
    "stream_made_after_the_restart",
    over_a_restart("stream_made_after_the_restart"),
    "A stream in memory is made again after a restart",
    peer="py",
    thread="nats-io/nats.rs#557",
    shows="60 readings and a consumer, over a restart of the server.",
)


def program(name: str, play: Play, title: str, *, peer: str, shows: str, **more: object) -> None:
    """A program that works as it should."""
    play.__code__ = play.__code__.replace(co_filename=__file__)
    add(
        Scenario(
            name=name, play=play, title=title, peer=peer, healthy=True, shows=shows,
            **more,  # type: ignore[arg-type]
        )
    )  # fmt: skip


program(
    "nest_microservice",
    library("frameworks_js", "nest", "frameworks", PLAIN),
    "Two instances of a microservice of NestJS, and its client",
    peer="frameworks_js",
    shows="Requests by two patterns, some of which throw, and events.",
)
program(
    "moleculer_nodes",
    library("frameworks_js", "moleculer", "frameworks", PLAIN),
    "Three nodes of Moleculer, one of which leaves",
    peer="frameworks_js",
    shows="Discovery, heartbeats, calls that are balanced, and events.",
)
program(
    "faststream_app",
    library("frameworks_py", "faststream", "frameworks"),
    "A service of FastStream",
    peer="frameworks_py",
    shows="A queue group, a handler that publishes on, pulls of a stream in batches, requests.",
)
program(
    "taskiq_worker",
    library("frameworks_py", "taskiq", "frameworks"),
    "A task queue of taskiq with a stream, and results in an object store",
    peer="frameworks_py",
    shows="24 tasks, each awaited by its result.",
)


def secured_parts() -> Facts:
    """Parts of a program over TLS, with the keys in the file."""
    lab.run(
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 3650 "
        "-subj /CN=throwaway 2>&1; "
        "openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr "
        "-subj /CN=localhost 2>&1; "
        "printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' > names; "
        "openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial "
        "-out server.pem -days 3650 -extfile names 2>&1"
    )
    with peers.servers(SECURED):
        return peers.drive("transport_node", "parts", driver="transport_node")


program(
    "secured_parts_of_a_program",
    secured_parts,
    "A service, a stream, a bucket and an object store over TLS, by nats.js 3",
    peer="transport_node",
    shows="A service with statistics and errors, two consumers, a watch, an object.",
    secure=True,
)


def replica(number: int) -> str:
    """A server of a cluster that stores."""
    store = f'jetstream {{ store_dir: "store-{number}", max_mem: 16MB, max_file: 64MB }}\n'
    return node(number, ", ".join(seed(each) for each in range(3) if each != number)) + store


def rolling() -> Facts:
    """Three servers that are restarted one by one under a stream of three replicas."""
    with peers.servers(*map(replica, range(3)), settle=1.2) as running:
        command = [str(peers.PEERS / "nats_go" / DRIVER), "rolling_restart_of_three"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:
            assert playing.stdout
            playing.stdout.readline()
            for number in range(3):
                time.sleep(2.2)
                running[number].terminate()
                running[number].wait(20)
                time.sleep(0.7)
                again = [str(peers.server_of(peers.NEW)), "-c", f"server-{number}.conf"]
                with Path(f"server-{number}.log").open("ab") as log:
                    running[number] = subprocess.Popen(again, stdout=log, stderr=log)
            last = playing.stdout.read().splitlines()[-1]
    return dict(json.loads(last))


program(
    "rolling_restart_of_three",
    rolling,
    "Three servers are restarted one by one under a stream of three replicas",
    peer="go",
    shows="A publisher with message ids, and a pull consumer, for seventeen seconds.",
    ports=(CLIENTS, CLIENTS + 1, CLIENTS + 2),
)
