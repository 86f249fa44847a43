"""Scenarios played by clients of other libraries against rsocket-java, over TCP and WebSocket.

The name is `<play>[_websocket]_<client>`. Each client plays what its library can.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import PORT, TLS, Blame, Facts, Play, Scenario, add


@dataclass(frozen=True)
class What:
    """A play: what it shows, and how its server is switched; `own` when the client has its own.

    `carriers` are those that it is about, when they are not all that the client has.
    """

    title: str
    shows: str
    options: tuple[str, ...] = ()
    healthy: bool = True
    own: bool = False
    carriers: tuple[str, ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Client:
    """A library: its plays, what they show beside the usual, and its known faults in them."""

    name: str
    plays: tuple[str, ...]
    remarks: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    guilty: Mapping[str, tuple[Blame, ...]] = field(default_factory=dict)
    unhealthy: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ("tcp", "websocket")


PLAYS = {
    "interactions": What(
        "Every interaction model",
        "SETUP, requests of every kind, a stream granted by threes, a channel both ways, "
        "METADATA_PUSH.",
    ),
    "errors": What(
        "Requests fail", "ERROR with 0x201, 0x202 and 0x204, at once and in the midst of streams."
    ),
    "cancels": What("Requests are cancelled", "CANCEL of a stream after a few items."),
    "composite_metadata": What(
        "Composite metadata",
        "Routing, authentication (simple, bearer), a MIME type that is not known; data in JSON.",
        options=("bare",),
    ),
    "fragments": What(
        "Fragmented requests and payloads",
        "Metadata and data over several frames, both ways.",
        options=("fragments",),
    ),
    "keepalive": What("Keepalive", "KEEPALIVE of both sides every 400 ms, and the answers."),
    "requests_from_server": What(
        "The server asks the client",
        "Requests of the server on even streams, beside one of the client.",
        options=("asks",),
    ),
    "lease": What(
        "Leases",
        "SETUP that asks for leases, LEASE frames of the server for two requests each.",
        options=("lease",),
    ),
    "resume": What(
        "A session is resumed",
        "The connection is cut in the midst of a stream; RESUME, RESUME_OK, and what was missed.",
        options=("resume",),
    ),
    "resume_refused": What(
        "A session that is gone is not resumed",
        "The connection is cut, the client comes back when the session is over: ERROR 0x4.",
        options=("forgets",),
        healthy=False,
    ),
    "setup_refused": What(
        "SETUP is refused",
        "ERROR 0x3 by the application on the client's SETUP.",
        options=("rejects",),
        healthy=False,
        faults={"RSK-C22": "the server refuses SETUP"},
    ),
    "metadata_push": What("Metadata is pushed", "METADATA_PUSH, and a request after it."),
    "bug_lease_before_setup": What(
        "LEASE before SETUP",
        "A lease sender that gives its lease at once, so that LEASE is the first frame of the "
        "connection; the server refuses it with ERROR 0x1.",
        options=("lease",),
        healthy=False,
    ),
    "large_payloads": What(
        "Payloads of 5000 bytes", "A channel whose frames take several segments each, both ways."
    ),
    "bug_initial_request_n_zero": What(
        "REQUEST_STREAM with n = 0",
        "The application requests nothing at first, and the library says so; 5 items later.",
        healthy=False,
    ),
    "bug_length_prefix": What(
        "The length of TCP before each message of a WebSocket",
        "The library's option `lengthPrefixedFrames`: every message begins with the length that "
        "only TCP needs; the server refuses it with ERROR 0x1.",
        healthy=False,
        carriers=("websocket",),
    ),
    "own_lease": What(
        "Leases of a server of the same library",
        "LEASE frames of the library's own server, for two requests each.",
        own=True,
    ),
    "own_server_asks": What(
        "A server of the same library asks the client",
        "The library's own server counts its streams from 0: the first request and its answer "
        "are on stream 0, the second on stream 2.",
        own=True,
    ),
    "tls": What(
        "Every interaction model but channels over TLS, with its secrets",
        "TLS 1.3 on port 7443; the secrets are in the file, so tshark decrypts it. Frames are "
        "counted in what it decrypts, bytes are those of TLS.",
        own=True,
        carriers=("tcp",),
    ),
    "own_server": What(
        "Every interaction model with a server of the same library",
        "The library's own server: its answers, errors and fragments.",
        own=True,
    ),
}
LIBRARIES = {
    "js": "rsocket-js",
    "py": "rsocket-py",
    "js_0_0": "rsocket-js 0.0.27",
    "rust": "rsocket_rust",
    "go": "rsocket-go",
}
CLIENTS = (
    Client(
        "js",
        (
            *("errors", "cancels", "keepalive", "requests_from_server", "lease", "setup_refused"),
            "bug_initial_request_n_zero",
        ),
        faults={"bug_initial_request_n_zero": {"RSK-S7": "initial request n is 0"}},
        guilty={"bug_initial_request_n_zero": (Blame("RSK-S7", 0, "client", 2),)},
        carriers=("tcp",),
    ),
    Client(
        "py",
        (
            *("interactions", "errors", "cancels", "composite_metadata", "fragments", "keepalive"),
            *("requests_from_server", "lease", "setup_refused", "own_server", "large_payloads"),
        ),
    ),
    Client(
        "js_0_0",
        (
            *("interactions", "errors", "cancels", "composite_metadata", "fragments", "keepalive"),
            *("requests_from_server", "lease", "resume", "resume_refused", "setup_refused"),
            *("own_server", "bug_lease_before_setup", "bug_length_prefix"),
        ),
        faults={
            "bug_lease_before_setup": {"RSK-C1": "LEASE is the first frame"},
            "bug_length_prefix": {"RSK-W1": "a length before the frame in a message"},
        },
        guilty={
            "bug_lease_before_setup": (Blame("RSK-C1", 0, "client", 1),),
            "bug_length_prefix": (Blame("RSK-W1", 0, "client", 1, 2),),
        },
        remarks={
            "interactions": "METADATA_PUSH has the metadata flag clear.",
            "fragments": "This library sends none, and joins those of the server.",
            "lease": "The client's LEASE has metadata, and the flag for it clear.",
        },
    ),
    Client(
        "rust",
        (
            *("interactions", "metadata_push", "errors", "cancels", "composite_metadata"),
            *("fragments", "keepalive", "requests_from_server", "setup_refused", "own_server"),
            "own_server_asks",
        ),
        remarks={
            "interactions": "REQUEST_CHANNEL has the flag N, for the payload that it brings.",
            "metadata_push": "It has the metadata flag clear, and a stream id like a request.",
            "fragments": "Continuations have neither C nor N, and rsocket-java closes.",
        },
        faults={
            "keepalive": {"RSK-K1": "it is sent only when nothing else was for the interval"},
            "metadata_push": {"RSK-S17": "METADATA_PUSH on a stream"},
            "own_server_asks": {"RSK-C6": "a request, and its answer, on stream 0"},
            "fragments": {"RSK-F3": "continuations with neither C nor N"},
        },
        guilty={
            "metadata_push": (Blame("RSK-S17", 0, "client", 2),),
            "fragments": (Blame("RSK-F3", 0, "client", 3, 7),),
            "keepalive": (Blame("RSK-K1", 0, "client", 2),),
            "own_server_asks": (
                Blame("RSK-C6", 0, "server", 2),
                Blame("RSK-C6", 0, "client", 3),
            ),
        },
        unhealthy=("fragments", "own_server_asks"),
    ),
    Client(
        "go",
        (
            *("interactions", "errors", "cancels", "composite_metadata", "fragments", "keepalive"),
            *("requests_from_server", "lease", "resume", "setup_refused", "own_server"),
            *("own_lease", "tls"),
        ),
        remarks={
            "interactions": "REQUEST_CHANNEL has the flag N, for the payload that it brings.",
        },
    ),
)


def played(client: Client, play: str, carrier: str) -> Play:
    """How a scenario is played."""
    what, guilty = PLAYS[play], {"guilty": list(client.guilty.get(play, ()))}

    def go() -> Facts:
        if what.own:
            return clients.drive(client.name, play, carrier) | guilty
        with clients.serving(carrier, *what.options) as served:
            facts = clients.drive(client.name, play, carrier)
        return facts | served | guilty

    return go


for client in CLIENTS:
    for play in client.plays:
        what = PLAYS[play]
        for carrier in what.carriers or client.carriers:
            middle = "" if carrier == "tcp" else "_websocket"
            suffix = "" if carrier == "tcp" else " over WebSocket"
            add(
                Scenario(
                    f"{play}{middle}_{client.name}",
                    played(client, play, carrier),
                    f"{what.title}, by {LIBRARIES[client.name]}{suffix}",
                    client.name,
                    what.healthy and play not in client.unhealthy,
                    " ".join((what.shows, client.remarks.get(play, ""))).strip(),
                    client.name if what.own else "java",
                    {**what.faults, **client.faults.get(play, {})},
                    TLS if play == "tls" else PORT,
                )
            )
