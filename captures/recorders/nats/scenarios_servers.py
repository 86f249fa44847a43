"""Scenarios of several servers: routes, gateways, leaf nodes; nats-py is their client."""

import signal
import time
from pathlib import Path
from threading import Timer

from captures.recorders import lab
from captures.recorders.nats import peers
from captures.recorders.nats.setup import (
    CLIENTS,
    GATEWAYS,
    LEAVES,
    NEW,
    OLD,
    ROUTES,
    Facts,
    Scenario,
    add,
)

SYSTEM = (
    "accounts { SYS: { users: [ { user: sys, password: throwaway } ] } }\nsystem_account: SYS\n"
)
"""What a server with gateways and leaf nodes asks for."""


PINNED = """\
accounts { APP: { users: [ { user: app, password: throwaway } ] } }
no_auth_user: app
"""


def node(number: int, routes: str = "", more: str = "") -> str:
    """A server of a cluster."""
    others = f"routes: [{routes}]," if routes else ""
    return f"""\
listen: 127.0.0.1:{CLIENTS + number}
server_name: n{number}
cluster {{ name: C, listen: 127.0.0.1:{ROUTES + number}, no_advertise: true, {others} {more} }}
"""


def seed(number: int) -> str:
    """The route to a server."""
    return f'"nats://127.0.0.1:{ROUTES + number}"'


def cluster(
    name: str, title: str, shows: str, version: str, more: str = "", after: str = ""
) -> None:
    """Three servers that are joined by routes."""

    def run() -> Facts:
        seeds = ("", seed(0), seed(0))
        configurations = [node(each, seeds[each], more) + after for each in range(3)]
        with peers.servers(*configurations, version=version, settle=0.8):
            return peers.drive("py", "spread", *(str(CLIENTS + each) for each in range(3)))

    run.__code__ = run.__code__.replace(co_filename=__file__)
    ports = tuple(range(ROUTES, ROUTES + 3))
    add(
        Scenario(
            name=name,
            play=run,
            title=title,
            peer="py",
            healthy=True,
            shows=shows,
            server=version,
            ports=ports,
        )
    )


cluster(
    "routes_py",
    "A cluster of three, with pools of routes",
    "Three routes to each other server, one of them pinned to the system account.",
    NEW,
)
cluster("routes_py_2_9", "A cluster of three of 2.9", "One route to each other server.", OLD)
cluster(
    "routes_pinned_py",
    "A cluster of three with a pinned account",
    "An account has a route of its own, whose verbs leave it out.",
    NEW,
    'accounts: ["APP"]',
    PINNED,
)


def leaf(version: str, compression: str) -> tuple[str, str, str]:
    """Two servers of a cluster, and a leaf node of the second one."""
    off = "" if version == OLD or compression else ", compression: off"
    hub = f"{node(1, seed(0))}leafnodes {{ listen: 127.0.0.1:{LEAVES}{off} }}\n"
    spoke = f"""\
listen: 127.0.0.1:{CLIENTS + 2}
server_name: leaf
leafnodes {{ remotes: [ {{ url: "nats://127.0.0.1:{LEAVES}"{off} }} ] }}
"""
    return node(0), hub, spoke


def leaves(name: str, title: str, shows: str, version: str = NEW, compression: str = "") -> None:
    """A leaf node of a cluster."""

    def run() -> Facts:
        with peers.servers(*leaf(version, compression), version=version, settle=0.8):
            return peers.drive("py", "spread", *(str(CLIENTS + each) for each in range(3)))

    run.__code__ = run.__code__.replace(co_filename=__file__)
    ports = (LEAVES, ROUTES, ROUTES + 1)
    add(
        Scenario(
            name=name,
            play=run,
            title=title,
            peer="py",
            healthy=True,
            shows=shows,
            server=version,
            ports=ports,
        )
    )


leaves(
    "leaf_py", "A leaf node behind a cluster", "Verbs of leaf nodes, on the link and on a route."
)
leaves(
    "leaf_py_2_9", "A leaf node behind a cluster, of 2.9", "LS- on a route without the origin.", OLD
)
leaves(
    "leaf_s2_py",
    "A leaf node whose link is compressed",
    "One INFO in clear each way, then S2.",
    NEW,
    "s2_auto",
)


def gateways_py() -> Facts:
    """Two clusters."""

    def gate(number: int, own: str, other: str) -> str:
        return f"""\
listen: 127.0.0.1:{CLIENTS + number}
server_name: g{number}
gateway {{ name: {own}, listen: 127.0.0.1:{GATEWAYS + number},
  gateways: [ {{ name: {other}, urls: ["nats://127.0.0.1:{GATEWAYS + 1 - number}"] }} ] }}
{SYSTEM}"""

    with peers.servers(gate(0, "east", "west"), gate(1, "west", "east"), settle=1.2):
        return peers.drive("py", "spread", str(CLIENTS), str(CLIENTS + 1))


add(
    Scenario(
        name="gateways_py",
        play=gateways_py,
        title="Two clusters joined by gateways",
        peer="py",
        healthy=True,
        shows="A connection each way, INFO with commands, interest by account, mapped replies.",
        ports=(GATEWAYS, GATEWAYS + 1),
    )
)


def lame_duck_py() -> Facts:
    """The first of two servers is told to stop, and gives its client time."""
    patience = 'lame_duck_grace_period: "2s"\nlame_duck_duration: "30s"\n'
    with peers.servers(node(0) + patience, node(1, seed(0)), settle=0.8) as running:
        order = Timer(2, running[0].send_signal, [signal.SIGUSR2])
        order.start()
        try:
            return peers.drive("py", "lame_duck", str(CLIENTS), str(CLIENTS + 1))
        finally:
            order.cancel()


add(
    Scenario(
        name="lame_duck_py",
        play=lame_duck_py,
        title="A server that is told to stop (lame duck mode)",
        peer="py",
        healthy=True,
        shows="INFO with ldm, the end of the connection some seconds later, the client's next one.",
        faults={"NATS-N20": "an operator has told the server to stop"},
        ports=(CLIENTS, CLIENTS + 1),
    )
)


OTHER = 14222
"""A port that no protocol has, of a server that INFO names."""


def told(number: int, port: int, routes: str = "") -> str:
    """A server of a cluster that tells clients of the others."""
    others = f", routes: [{routes}]" if routes else ""
    return f"""\
listen: 127.0.0.1:{port}
server_name: n{number}
cluster {{ name: C, listen: 127.0.0.1:{ROUTES + number}{others} }}
"""


def given_up(attempts: int, timeout: int, *, drop: bool) -> Facts:
    """The servers of a client stop; those of a port may vanish behind a filter before."""
    ready = Path("ready")
    ready.unlink(missing_ok=True)

    def stop() -> None:
        while not ready.exists():
            time.sleep(0.1)
        time.sleep(0.5)
        if drop:
            lab.run(
                "nft add table ip lost; "
                "nft add chain ip lost in '{ type filter hook input priority 0; }'; "
                f"nft add rule ip lost in tcp dport {OTHER} tcp flags syn drop"
            )
        for each in running:
            each.kill()

    configurations = told(0, CLIENTS), told(1, OTHER, seed(0))
    with peers.servers(*configurations, settle=0.8) as running:
        stopper = Timer(0, stop)
        stopper.daemon = True
        stopper.start()
        counted = peers.drive("py", "gives_up", str(attempts), str(timeout))
        stopper.join()
    if drop:
        lab.run("nft delete table ip lost")
    return counted


def cluster_stops_py() -> Facts:
    """Nothing listens any more."""
    return given_up(6, 2, drop=False)


def cluster_vanishes_py() -> Facts:
    """The other server's host does not answer."""
    return given_up(3, 4, drop=True)


add(
    Scenario(
        name="cluster_stops_py",
        play=cluster_stops_py,
        title="A client that tries the servers of a cluster that has stopped",
        peer="py",
        healthy=False,
        shows=f"INFO names a second server, on port {OTHER}. Both are killed; the client tries "
        "them in turn, each SYN is answered by a RST, and it gives up.",
        faults={"TCP-C1": f"connects to port {OTHER}, which never took one, are refused"},
        ports=(CLIENTS, OTHER),
    )
)
add(
    Scenario(
        name="cluster_vanishes_py",
        play=cluster_vanishes_py,
        title="A client that tries a server behind a filter that drops",
        peer="py",
        healthy=False,
        shows=f"INFO names a second server, on port {OTHER}, whose SYNs a filter drops from then "
        "on. The first server is killed; the client tries both in turn: SYNs to the second one are "
        "sent again, and none is answered.",
        faults={"TCP-C2": f"connects to port {OTHER} are not answered"},
        ports=(CLIENTS, OTHER),
    )
)
