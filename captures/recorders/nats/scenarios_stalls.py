"""Clients that are refused or cut off, consumers that do not deliver: see docs/checking.md."""

import subprocess
import threading

from captures.recorders.nats import peers
from captures.recorders.nats.line import line
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import Facts
from captures.recorders.nats.threads import Mark, fault, library, near_miss

DRIVER = "stalls"
FAR = 4223
CLOSED = "listen: 127.0.0.1:4222\nauthorization { user: app, password: throwaway }\n"
MEMORY = 'jetstream { store_dir: "js", max_mem: 16MB, max_file: 64MB }\n'
TWO_ACCOUNTS = f"""\
listen: 127.0.0.1:4222
{MEMORY}accounts {{
  SHOP: {{
    jetstream: enabled
    users: [ {{ user: shop, password: throwaway }} ]
    exports: [ {{ service: "$JS.API.CONSUMER.>" }}, {{ service: "$JS.ACK.ORDERS.work.>" }} ]
  }}
  WORK: {{
    users: [ {{ user: worker, password: throwaway }} ]
    imports: [
      {{
        service: {{ account: SHOP, subject: "$JS.API.CONSUMER.>" }}
        to: "$JS.shop.API.CONSUMER.>"
      }}
      {{ service: {{ account: SHOP, subject: "$JS.ACK.ORDERS.work.>" }} }}
    ]
  }}
}}
"""


def node(number: int) -> str:
    """One of three servers."""
    routes = ", ".join(f"nats://127.0.0.1:{6222 + each}" for each in range(3))
    return (
        f"listen: 127.0.0.1:{4222 + number}\nserver_name: node-{number}\n"
        f'jetstream {{ store_dir: "js/{number}", max_mem: 16MB, max_file: 64MB }}\n'
        f"cluster {{ name: three, listen: 127.0.0.1:{6222 + number}, routes: [ {routes} ] }}\n"
    )


def over_line(peer: str, name: str, *, idle: float = 0, rate: int = 0) -> Facts:
    """A play of a driver, over such a line."""
    with (
        peers.servers(STORED.replace("4222", str(FAR))),
        line(4222, FAR, idle=idle, rate=rate),
    ):
        return peers.drive(peer, name, driver=DRIVER)


def idle_line_cut_py() -> Facts:
    """nats-py sends PING each two minutes, as its default is."""
    return over_line("py", "idle_line_cut", idle=11)


def idle_line_cut_go() -> Facts:
    """nats.go does the same."""
    return over_line("go", "idle_line_cut", idle=11)


def idle_line_kept_py() -> Facts:
    """PINGs each four seconds keep the line."""
    return over_line("py", "idle_line_kept", idle=11)


def object_read_given_up_go() -> Facts:
    """A line of 60 kB a second."""
    return over_line("go", "object_read_given_up", rate=60_000)


def leader_moved_go() -> Facts:
    """Ten seconds after the beginning the consumer gets another leader."""
    cli = peers.PEERS / "nats_cli" / "nats"
    command = [str(cli), "-s", "nats://127.0.0.1:4223", "consumer", "cluster", "step-down",
               "ORDERS", "work"]  # fmt: skip

    def moves() -> None:
        subprocess.run(command, capture_output=True, check=False, timeout=20)

    with peers.servers(node(0), node(1), node(2), settle=3):
        timer = threading.Timer(10, moves)
        timer.start()
        facts = peers.drive("go", "leader_moved", driver=DRIVER)
        timer.join()
    return facts


for _peer in ("py", "go"):
    fault(
        f"no_credentials_{_peer}",
        library(_peer, "no_credentials", DRIVER, CLOSED),
        "A program is started without its user and password",
        peer=_peer,
        kind="authentication",
        thread="nats-io/nats.java#177",
        shows="A shop that starts twice, at a server that wants a user.",
        says="CONNECT has neither user nor password, token or nkey, though INFO requires them: the "
        "server refuses each connection. The program needs its credentials.",
        marks=(Mark(None, "client", rb"^CONNECT "),),
    )
for _peer, _play in (("py", idle_line_cut_py), ("go", idle_line_cut_go)):
    fault(
        f"idle_line_cut_{_peer}",
        _play,
        "A proxy ends connections without traffic",
        peer=_peer,
        kind="keepalive",
        thread="nats-io/nats.ws#258",
        shows="A doorbell that rings once, over a line that ends what is quiet for 11 s.",
        says="Each connection ends 11 s after its last line, without a word of the server: "
        "something between ends what is idle. PING has to be sent more often than that.",
        marks=(Mark(None, "server", rb"^(PONG|MSG door\.bell)"),),
    )
near_miss(
    "idle_line_kept_py",
    idle_line_kept_py,
    "PINGs keep a line that ends what is quiet",
    peer="py",
    thread="nats-io/nats.ws#258",
    shows="A doorbell that rings once, over a line that ends what is quiet for 11 s.",
)
for _peer in ("go", "js"):
    fault(
        f"heartbeats_not_exported_{_peer}",
        library(_peer, "heartbeats_not_exported", DRIVER, TWO_ACCOUNTS),
        "A consumer of another account sends one reply to each pull request",
        peer=_peer,
        kind="pull requests",
        thread="nats-io/nats.go#1621, nats-io/nats.js#150",
        shows="A worker in an account of its own, and six orders.",
        says="The export of $JS.API lacks response_type stream: after the first message or "
        "heartbeat of each pull request nothing comes any more. The worker waits, and asks again.",
        marks=(Mark(None, "client", rb"^PUB \$JS\.shop\.API\.CONSUMER\.MSG\.NEXT\."),),
    )
fault(
    "object_read_given_up_go",
    object_read_given_up_go,
    "A picture is read for a time that is too short for it",
    peer="go",
    kind="objects",
    thread="nats-io/nats.go#1003",
    shows="A picture of 240 kB, a line of 60 kB a second, and two reads.",
    says="The client ends the read after a second, in the middle of the picture, twice: it needs a "
    "longer time, or one that begins anew with each chunk.",
    marks=(Mark(None, "client", rb"^UNSUB "),),
)
near_miss(
    "leader_moved_go",
    leader_moved_go,
    "A client pulls at once after the leader of its consumer has changed",
    peer="go",
    thread="nats-io/nats.go#2063",
    shows="Three servers, an order each second, and a consumer whose leader steps down.",
)
fault(
    "subject_of_no_stream_py",
    library("py", "subject_of_no_stream", DRIVER),
    "A printer subscribes to a subject that no stream has",
    peer="py",
    kind="streams",
    thread="dapr/components-contrib#2145",
    shows="A stream with orders.*, and a printer for orders.eu.new.",
    says="The printer asks which stream has orders.eu.new, and none has it: orders.* is one token "
    "shorter. The stream needs orders.>, or the printer the right subject.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.STREAM\.NAMES "),),
)
