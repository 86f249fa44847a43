"""Scenarios played by rsocket-java, the reference implementation, on both sides, over TCP."""

from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import Blame, Facts, scenario


@scenario(
    "Every interaction model, by rsocket-java",
    peer="java",
    healthy=True,
    shows="SETUP, REQUEST_RESPONSE with an answer and without, REQUEST_FNF, REQUEST_STREAM with "
    "all granted at once and by threes, REQUEST_CHANNEL both ways, REQUEST_N, METADATA_PUSH.",
)
def interactions_java() -> Facts:
    return clients.drive("java", "interactions")


@scenario(
    "Fragments in both directions, and rsocket-java's own log of their frames",
    peer="java",
    healthy=True,
    shows="The same as fragments_java. Beside the traffic stands frames.log, which is what the "
    "library's FrameLogger wrote of the frames that client and server have sent and received.",
)
def frame_log_java() -> Facts:
    return clients.java_log("fragments")


@scenario(
    "Requests fail, by rsocket-java",
    peer="java",
    healthy=True,
    shows="ERROR with 0x201, 0x202, 0x204 and a code of the application's own, for single answers "
    "and in the midst of streams; a requester that fails its own channel.",
)
def errors_java() -> Facts:
    return clients.drive("java", "errors")


@scenario(
    "Requests are cancelled, by rsocket-java",
    peer="java",
    healthy=True,
    shows="CANCEL of a stream after three items, of an answer that never comes, of a channel.",
)
def cancels_java() -> Facts:
    return clients.drive("java", "cancels")


@scenario(
    "Composite metadata, by rsocket-java",
    peer="java",
    healthy=True,
    shows="Routing with one tag and two, authentication (simple in SETUP, bearer, a type of its "
    "own), tracing, MIME types of a stream, a MIME type that is not known; data in JSON.",
)
def composite_metadata_java() -> Facts:
    return clients.drive("java", "composite")


@scenario(
    "Routes without their length, by rsocket-java",
    peer="java",
    healthy=False,
    shows="Composite metadata whose routing entries hold bare strings, as applications put them "
    "there by hand: the first letter is taken for a length.",
    faults={"RSK-M4": "a routing tag past the end of its entry"},
)
def bare_route_java() -> Facts:
    guilty = [Blame("RSK-M4", 0, "client", 2, 3)]
    return clients.drive("java", "bare_route") | {"guilty": guilty}


@scenario(
    "Composite metadata in fragments, by rsocket-java",
    peer="java",
    healthy=True,
    shows="The same as composite_metadata_java with a client whose frames have 64 bytes at most.",
)
def composite_metadata_in_fragments_java() -> Facts:
    return clients.drive("java", "composite_fragments")


@scenario(
    "Fragmented requests and payloads, by rsocket-java",
    peer="java",
    healthy=True,
    shows="Metadata and data over several frames of 64 bytes at most, in requests of every kind "
    "and in the payloads of both sides.",
)
def fragments_java() -> Facts:
    return clients.drive("java", "fragments")


@scenario(
    "Keepalive, by rsocket-java",
    peer="java",
    healthy=True,
    shows="KEEPALIVE every 300 ms from both sides, and the answers.",
)
def keepalive_java() -> Facts:
    return clients.drive("java", "keepalive")


@scenario(
    "Leases, by rsocket-java",
    peer="java",
    healthy=True,
    shows="SETUP that asks for leases, three LEASE frames of the server with metadata, of two "
    "requests each, and one of the client without; "
    "requests that have no lease are held back or fail in the client.",
)
def lease_java() -> Facts:
    return clients.drive("java", "lease")


@scenario(
    "The server asks the client, by rsocket-java",
    peer="java",
    healthy=True,
    shows="Requests of every kind on even streams, METADATA_PUSH and CANCEL from the server, "
    "beside a request of the client.",
)
def requests_from_server_java() -> Facts:
    return clients.drive("java", "from_server")


@scenario(
    "SETUP is refused, by rsocket-java",
    peer="java",
    healthy=False,
    shows="ERROR 0x3 by the application, 0x2 for resuming (the client tries RESUME all the same), "
    "0x1 for leases that the server lacks.",
    faults={
        "RSK-C22": "the server refuses SETUP",
        "RSK-C8": "the server refuses SETUP that asks for resuming",
    },
)
def setup_refused_java() -> Facts:
    return clients.drive("java", "refused")


@scenario(
    "A session is resumed, by rsocket-java",
    peer="java",
    healthy=True,
    shows="SETUP with a token, the connection is cut in the midst of a stream, RESUME and "
    "RESUME_OK on the next one, and the frames that were missed.",
)
def resume_java() -> Facts:
    return clients.drive("java", "resume")


@scenario(
    "A session that is gone is not resumed, by rsocket-java",
    peer="java",
    healthy=False,
    shows="The connection is cut, the client comes back when the session is over: ERROR 0x4.",
)
def resume_refused_java() -> Facts:
    return clients.drive("java", "resume_refused")
