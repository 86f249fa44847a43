"""Servers without a quorum, refused inboxes, advertised addresses, TLS without a server for it."""

import signal
import threading
import time
from pathlib import Path

from captures.recorders import lab
from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.scenarios_stalls import node
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import Mark, fault, library, restart

DRIVER = "rules"
PUBLIC, PRIVATE = "203.0.113.10", ("172.18.0.2", "172.18.0.3")
NO_INBOX = """\
listen: 127.0.0.1:4222
authorization { users: [ {
  user: app, password: throwaway,
  permissions: { publish: ["service", "_INBOX.>"], subscribe: ["service", "_INBOX_app.>"] }
} ] }
"""


def three(peer: str, name: str) -> Play:
    """A play of a driver against three servers."""

    def play() -> Facts:
        with peers.servers(node(0), node(1), node(2), settle=3):
            return peers.drive(peer, name, driver=DRIVER)

    return play


def quorum_lost_py() -> Facts:
    """Two of three servers hang for half a minute."""
    with peers.servers(node(0), node(1), node(2), settle=3) as running:

        def hang() -> None:
            time.sleep(6)
            for each in running[1:]:
                each.send_signal(signal.SIGSTOP)
            time.sleep(33)
            for each in running[1:]:
                each.send_signal(signal.SIGCONT)

        thread = threading.Thread(target=hang)
        thread.start()
        facts = peers.drive("py", "listens", driver=DRIVER)
        thread.join()
    return facts


def stream_lost_py() -> Facts:
    """The server starts again without the file of the stream's messages."""
    with peers.servers(STORED) as running:
        facts = dict(peers.drive("py", "works", driver=DRIVER))
        running[0].terminate()
        running[0].wait(5)
        for file in Path("js").glob("jetstream/*/streams/ORDERS/msgs/*"):
            file.unlink()
        restart(running, 0.5)
        time.sleep(1)
        return facts | peers.drive("py", "looks", driver=DRIVER)


def advertised_py() -> Facts:
    """Two servers in a network of their own, one of which is reached from outside as well."""
    for address in (PUBLIC, *PRIVATE):
        lab.run(f"ip addr add {address}/32 dev lo")
    texts = [
        f"listen: {(PUBLIC, PRIVATE[1])[number]}:4222\nserver_name: node-{number}\n"
        f"client_advertise: {PRIVATE[number]}:4222\n"
        f"cluster {{ name: two, listen: {PRIVATE[number]}:6222, "
        f"routes: [nats://{PRIVATE[1 - number]}:6222] }}\n"
        for number in range(2)
    ]
    try:
        with peers.servers(*texts, settle=2):
            return peers.drive("py", "opens_public", driver=DRIVER)
    finally:
        for address in (PUBLIC, *PRIVATE):
            lab.run(f"ip addr del {address}/32 dev lo")


fault(
    "no_pull_after_leader_go",
    three("go", "does_not_pull"),
    "A client does not pull again after the leader of its consumer has changed",
    peer="go",
    kind="pull requests",
    thread="nats-io/nats.go#2063",
    shows="Three servers, an order each second, and a worker that sends its pull requests itself.",
    says="The pull request ends with 409 Leadership Change, and the worker sends no other one: it "
    "gets none of the later orders. It has to pull again at once.",
    marks=(Mark(1, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\."),
           Mark(1, "server", rb"^HMSG .*409 Leadership Change")),
)  # fmt: skip
fault(
    "quorum_lost_py",
    quorum_lost_py,
    "Two of three servers hang",
    peer="py",
    kind="clusters",
    thread="nats-io/nats-server#4480",
    shows="Three servers, a stream and a consumer on each, and an operator who hears advisories.",
    says="Two of three servers hang for half a minute: the stream ORDERS and its consumer work "
    "have no quorum, and store and deliver nothing meanwhile.",
    marks=(Mark(None, "server", rb"^MSG \$JS\.EVENT\.ADVISORY\.\w+\.QUORUM_LOST\."),),
)
fault(
    "messages_given_up_py",
    library("py", "given_up", DRIVER),
    "One message is delivered three times in vain, another one is deleted before its ack",
    peer="py",
    kind="consumers",
    thread="nats-io/nats-server#5638",
    shows="A worker with max_deliver 3, two orders, and an operator who hears advisories.",
    says="The worker never acknowledges the first order, which is not delivered a fourth time; "
    "the second one is deleted while the worker has it.",
    marks=(Mark(None, "server", rb"^MSG \$JS\.EVENT\.ADVISORY\.CONSUMER\.M"),),
)
fault(
    "inbox_not_permitted_py",
    library("py", "inbox_refused", DRIVER, NO_INBOX),
    "A user may not subscribe to its inbox",
    peer="py",
    kind="permissions",
    thread="nats-io/nats-server#662",
    shows="Two requests to a service, by a user with permissions.",
    says="The user may not subscribe to _INBOX.>, so the server refuses the inbox of the client "
    "and no reply comes: both requests time out. The user needs this permission.",
    marks=(Mark(0, "client", rb"^PUB service _INBOX"),),
)
fault(
    "tls_without_a_server_for_it_py",
    library("py", "opens_wss", DRIVER, PLAIN),
    "A client begins TLS at a port without TLS",
    peer="py",
    kind="connections",
    thread="nats-io/nats.js#61",
    shows="A program that is given wss:// and the port for clients, and tries for some seconds.",
    says="The client begins TLS at once on a port where the server speaks NATS without it: the "
    "server refuses the first record. The program needs another URL, or the server TLS.",
    marks=(Mark(None, "server", rb"^INFO "),),
)
fault(
    "ends_at_ok_pynats",
    library("pynats_0_5", "verbose", "pynats_rules", PLAIN),
    "A library takes +OK for an error",
    peer="pynats_0_5",
    kind="connections",
    thread="nats-io/nats.go#118",
    shows="A probe that connects with verbose, and asks whether the server answers, twice.",
    says="The library expects PONG, reads the +OK that verbose asks for, and ends the connection. "
    "verbose has to be false.",
    marks=(Mark(None, "client", rb"^CONNECT "),),
)
fault(
    "stream_lost_py",
    stream_lost_py,
    "A stream has lost its messages, and its consumer has not",
    peer="py",
    kind="streams",
    thread="nats-io/nats-server#6124",
    shows="Six orders are worked on; the server starts again, and an operator looks.",
    says="The stream starts at its first sequence again, while the consumer work stands at 6: it "
    "delivers none of the next six orders. It has to be made again.",
    marks=(Mark(None, "server", rb'^MSG \S+ \S+ \d+\r\n\{"type":"io\.nats\.jetstream\.api\.v1\.'
                rb'(consumer|stream)_info_response"'),),
)  # fmt: skip
fault(
    "private_addresses_advertised_py",
    advertised_py,
    "A server at a public address advertises private ones",
    peer="py",
    kind="clusters",
    thread="nats-io/nats-server#1359",
    shows="Two servers of a private network, one of which is reached at a public address.",
    says="INFO lists 172.18.0.2 and 172.18.0.3, which a client outside cannot reach: it cannot "
    "connect again to another server. client_advertise has to name public addresses.",
    marks=(Mark(0, "server", rb"^INFO "),),
)
