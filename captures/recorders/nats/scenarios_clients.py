"""Scenarios of one server and clients of real libraries."""

from captures.recorders import lab
from captures.recorders.nats import peers
from captures.recorders.nats.setup import CLIENTS, NEW, OLD, WEB, Blame, Facts, Scenario, add

PLAIN = f"""\
listen: 127.0.0.1:{CLIENTS}
server_name: broker
"""
STORED = f'{PLAIN}jetstream {{ store_dir: "js", max_mem: 16MB, max_file: 64MB }}\n'
WITH_USERS = f"""\
{PLAIN}authorization {{ users: [ {{
  user: app, password: throwaway,
  permissions: {{ publish: ["allowed.>", "_INBOX.>"], subscribe: ["allowed.>", "_INBOX.>"] }}
}} ] }}
"""
SECURED = f"""\
listen: 127.0.0.1:{CLIENTS}
server_name: broker
tls {{ cert_file: "server.pem", key_file: "server.key" }}
"""
NO_RESPONDERS = {"NATS-N14": "a subject that nobody listens to is asked on purpose"}
WEBBED = f'{PLAIN}websocket {{ listen: "127.0.0.1:{WEB}", no_tls: true }}\n'
DEFLATING = f'{PLAIN}websocket {{ listen: "127.0.0.1:{WEB}", no_tls: true, compression: true }}\n'
INTERACTIONS = (
    "Wildcards, queue groups, headers, empty and binary payloads, verbs inside payloads, requests "
    "and answers, nobody who answers, UNSUB with and without a limit, drain."
)
STREAMS = (
    "Account, stream and consumer requests, publishes with acks, a duplicate, a wrong sequence, "
    "pulls that are acked in every way, an empty pull, pushes with heartbeats, a key-value bucket, "
    "what is not found."
)


def library(peer: str, play: str, version: str, configuration: str) -> None:
    """A scenario that a library plays."""

    def run() -> Facts:
        with peers.servers(configuration, version=version):
            return peers.drive(peer, play)

    run.__code__ = run.__code__.replace(co_filename=__file__)
    suffix = "" if version == NEW else "_2_9"
    title = "Publishing, subscribing, asking" if play == "interactions" else "Streams of JetStream"
    add(
        Scenario(
            name=f"{play}_{peer}{suffix}",
            play=run,
            title=f"{title}, by {peers.described(peer).split(' (')[0]}",
            peer=peer,
            healthy=True,
            shows=INTERACTIONS if play == "interactions" else STREAMS,
            server=version,
            faults=NO_RESPONDERS if play == "interactions" else {},
        )
    )


for _peer in ("py", "js", "go"):
    library(_peer, "interactions", NEW, PLAIN)
    library(_peer, "jetstream", NEW, STORED)
library("py", "interactions", OLD, PLAIN)
library("py", "jetstream", OLD, STORED)


def across_py() -> Facts:
    """Two clients on connections of their own."""
    with peers.servers(PLAIN):
        return peers.drive("py", "across")


add(
    Scenario(
        name="across_py",
        play=across_py,
        title="A request that another connection answers",
        peer="py",
        healthy=True,
        shows="A queue group of one on the second connection, a reply inbox on the first.",
    )
)


def websocket_py() -> Facts:
    """The same interactions in WebSocket."""
    with peers.servers(WEBBED):
        return peers.drive("py", "interactions", f"ws://127.0.0.1:{WEB}")


add(
    Scenario(
        name="websocket_py",
        play=websocket_py,
        title="Publishing, subscribing, asking, in WebSocket",
        peer="py",
        healthy=True,
        shows=INTERACTIONS,
        faults=NO_RESPONDERS,
        ports=(WEB,),
    )
)


def websocket_browser_go() -> Facts:
    """A server cuts what it sends to browsers every 4096 bytes."""
    with peers.servers(WEBBED):
        return peers.drive("go", "pages", f"ws://127.0.0.1:{WEB}")


def websocket_deflate_go() -> Facts:
    """The same with permessage-deflate: then it cuts messages into fragments."""
    with peers.servers(DEFLATING):
        return peers.drive("go", "pages", f"ws://127.0.0.1:{WEB}", "deflate")


for _play, _shows in (
    (websocket_browser_go, "Lines that go over the border of two messages"),
    (websocket_deflate_go, "Compressed messages of several fragments"),
):
    add(
        Scenario(
            name=_play.__name__,
            play=_play,
            title=f"{_shows}, in WebSocket",
            peer="go",
            healthy=True,
            shows=f"{_shows}: the client's User-Agent is a browser's, and the server then limits "
            "its frames. Payloads up to 20000 bytes, 300 small ones at once, an answer of 9000.",
            ports=(WEB,),
        )
    )


def tls_py() -> Facts:
    """TLS after INFO, with the keys in the file."""
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
        return peers.drive("py", "interactions", f"tls://127.0.0.1:{CLIENTS}")


add(
    Scenario(
        name="tls_py",
        play=tls_py,
        title="TLS behind INFO",
        peer="py",
        healthy=True,
        shows="INFO in clear with tls_required, then TLS with the keys in the file.",
        faults=NO_RESPONDERS,
        secure=True,
    )
)


def wrong_password_py() -> Facts:
    """Refused."""
    with peers.servers(WITH_USERS):
        counted = peers.drive("py", "wrong_password")
    return counted | {"guilty": [Blame("NATS-N9", 0, "server", 2)]}


add(
    Scenario(
        name="wrong_password_py",
        play=wrong_password_py,
        title="A wrong password",
        peer="py",
        healthy=False,
        shows="-ERR 'Authorization Violation', and the server closes.",
        faults={
            "NATS-N9": "the server refuses the password",
            "NATS-N13": "the password goes over the line in clear",
        },
    )
)


def permissions_py() -> Facts:
    """What a user may not."""
    with peers.servers(WITH_USERS):
        return peers.drive("py", "permissions")


add(
    Scenario(
        name="permissions_py",
        play=permissions_py,
        title="Subjects that a user may not use",
        peer="py",
        healthy=False,
        shows="-ERR for a SUB and a PUB, and the connection goes on.",
        faults={
            "NATS-N9": "two permission violations",
            "NATS-N13": "the password goes over the line in clear",
        },
    )
)
