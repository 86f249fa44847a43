"""Sentences of `streamshark explain` about a connection.

Conditions see the state before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

ASKER: Final = (
    "'client' if stream.owner == C.side else 'server' if stream.owner == S.side else 'peer'"
)
"""Who opened a stream."""
MILLISECOND: Final = 1_000_000

SETUP: Final = (
    Sentence(
        part="began",
        on="setup",
        message="The client sent SETUP for RSocket {major_version}.{minor_version}.",
    ),
    Sentence(
        part="began",
        on="resume",
        message="The client asked to resume a session; it still has frames from position "
        "{first_available_client_position}.",
    ),
    Sentence(
        part="began",
        on="resume_ok",
        message="The server resumed the session[ {t - req.t:time} later]; it has received "
        "{last_received_client_position:size} of the client's frames.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="data_mime_type is not None",
        message='The data MIME type is "{data_mime_type}", the metadata MIME type '
        '"{metadata_mime_type}".',
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="time_between_keepalive_frames > 0",
        message=f"A KEEPALIVE is sent every {{time_between_keepalive_frames * "
        f"{MILLISECOND}:time}}; a peer that is silent for {{max_lifetime * {MILLISECOND}:time}} is "
        f"considered dead.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="flags.lease",
        message="Requests need a lease from the peer.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="flags.resume_enable",
        message="The session can be resumed on another connection.",
    ),
)

STREAMS: Final = (
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model == 'request_fnf'",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} sent {{1:sum count request}} with REQUEST_FNF (no response).",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model == 'request_response'",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} sent {{1:sum count request}} with REQUEST_RESPONSE: "
        "{stream.state:each}"
        "[; the slowest response after {stream.first_item_t - stream.t:most time}].",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model not in ('request_fnf', 'request_response') and conn.both",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} opened {{1:sum count stream}} with {{stream.model}}: "
        f"{{stream.state:each}}; {{stream.items:sum count item}} received[ of "
        f"{{stream.requested:sum}} requested][, the first of a stream after at most "
        f"{{stream.first_item_t - stream.t:most time}}][; {{stream.own_items:sum count item}} sent "
        f"in the other direction].",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model not in ('request_fnf', 'request_response') and not conn.both",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} opened {{1:sum count stream}} by {{stream.model}}: how many "
        "items came is not known.",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model is None and stream.state != 'absent'",
        per="'unknown'",
        evidence="stream.n",
        message="{1:sum count stream} had begun before the capture: {stream.state:each}.",
    ),
    Sentence(
        part="did",
        on="metadata_push",
        per="sender",
        message="The {sender} sent METADATA_PUSH {1:sum count time}.",
    ),
    Sentence(
        part="did",
        on="lease",
        per="sender",
        message="The {sender} sent {1:sum count lease}, for {number_of_requests:sum count request} "
        "in total.",
    ),
    Sentence(
        part="did",
        on="keepalive",
        when="not flags.respond",
        per="sender",
        message="The {sender} answered KEEPALIVE {1:sum count time}"
        "[, the slowest after {t - req.t:most time}].",
    ),
)

ENDED: Final = (
    Sentence(
        part="ended",
        on="error",
        when="fields.stream_id == 0",
        message="The {sender} closed it with ERROR {error_code:name}[: {error_data}].",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code in (1, 2)",
        message="The error refuses SETUP.",
        advice="Compare version, MIME types, lease and resumption in the client's SETUP with what "
        "the server supports.",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 3",
        message="The error refuses SETUP.",
        advice="The server's acceptor rejected SETUP: check its log, and the payload that the "
        "client sends with SETUP (credentials, routing).",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 4",
        message="The error refuses to resume the session.",
        advice="Start a new session with SETUP: the server no longer knows the old one, or has not "
        "kept enough of its frames.",
    ),
    Sentence(
        part="ended",
        on="error",
        when="fields.stream_id == 0 and error_code == 257",
        message="All streams of the connection end with it.",
    ),
)

SENTENCES: Final = (*SETUP, *STREAMS, *ENDED)
"""Rendered by the engine, `streamshark.conversations.explain`."""
