"""Scenarios played by rsocket-js 1.0.0-alpha.3 on both sides, over TCP."""

from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import Blame, Facts, scenario


@scenario(
    "Every interaction model but metadata push, by rsocket-js",
    peer="js",
    healthy=True,
    shows="Requests of every kind, a stream granted in two parts, one that is cancelled, a channel "
    "of one payload (complete in the request), an error, KEEPALIVE every 400 ms.",
)
def interactions_js() -> Facts:
    return clients.drive("js", "interactions")


@scenario(
    "Composite metadata, by rsocket-js",
    peer="js",
    healthy=True,
    shows="Routing, authentication (simple, bearer), a MIME type that is not known; data in JSON.",
)
def composite_metadata_js() -> Facts:
    return clients.drive("js", "composite")


@scenario(
    "Fragmented requests, by rsocket-js",
    peer="js",
    healthy=True,
    shows="Metadata and data over several frames; the limit of 64 bytes leaves out the header.",
)
def fragments_js() -> Facts:
    return clients.drive("js", "fragments")


@scenario(
    "A session is resumed, by rsocket-js",
    peer="js",
    healthy=True,
    shows="The connection is cut in the midst of a stream; RESUME, whose version is written in the "
    "wrong order (0.1), RESUME_OK, and the frames that were missed.",
    faults={"RSK-R7": "the version in RESUME is 0.1, its halves in the wrong order"},
)
def resume_js() -> Facts:
    return clients.drive("js", "resume") | {"guilty": [Blame("RSK-R7", 1, "client", 1)]}
