"""What is told of a connection in plain sentences: `streamshark explain`.

Conditions see what was so before the row, as those of rules do.
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
        message="The client set up version {major_version}.{minor_version} of RSocket.",
    ),
    Sentence(
        part="began",
        on="resume",
        message="The client asked to go on with an earlier session, of which it has frames from "
        "position {first_available_client_position} on.",
    ),
    Sentence(
        part="began",
        on="resume_ok",
        message="The server goes on with it[, {t - req.t:time} later]; it has got "
        "{last_received_client_position:size} of the client's frames.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        message='Data is "{data_mime_type}", metadata "{metadata_mime_type}".',
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="time_between_keepalive_frames > 0",
        message=f"A KEEPALIVE every {{time_between_keepalive_frames * {MILLISECOND}:time}}; a peer "
        f"that is silent for {{max_lifetime * {MILLISECOND}:time}} is taken for dead.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="flags.lease",
        message="Requests need a lease of the peer.",
    ),
    Sentence(
        part="agreed",
        on="setup",
        when="flags.resume_enable",
        message="The session may go on over another connection.",
    ),
)

STREAMS: Final = (
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model == 'request_fnf'",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} sent {{1:sum count request}} by request_fnf, without an answer.",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model == 'request_response'",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} asked {{1:sum count time}} by request_response: "
        "{stream.state:each}"
        "[; the slowest answer after {stream.first_item_t - stream.t:most time}].",
    ),
    Sentence(
        part="did",
        on="end:stream left:stream",
        when="stream.model not in ('request_fnf', 'request_response') and conn.both",
        per="stream.model, stream.owner",
        evidence="stream.n",
        message=f"The {{{ASKER}}} opened {{1:sum count stream}} by {{stream.model}}: "
        "{stream.state:each}; {stream.items:sum count item} came[ of {stream.requested:sum} "
        "requested][, the first of a stream after {stream.first_item_t - stream.t:most time} at "
        "most][; {stream.own_items:sum count item} went the other way].",
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
        message="{1:sum count stream} had begun before: {stream.state:each}.",
    ),
    Sentence(
        part="did",
        on="metadata_push",
        per="sender",
        message="The {sender} pushed metadata {1:sum count time}.",
    ),
    Sentence(
        part="did",
        on="lease",
        per="sender",
        message="The {sender} gave {1:sum count lease}, of {number_of_requests:sum count request} "
        "in all.",
    ),
    Sentence(
        part="did",
        on="keepalive",
        when="not flags.respond",
        per="sender",
        message="The {sender} answered {1:sum count keepalive}"
        "[, the slowest after {t - req.t:most time}].",
    ),
)

ENDED: Final = (
    Sentence(
        part="ended",
        on="error",
        when="fields.stream_id == 0",
        message="The {sender} ended it with ERROR {error_code:name}[: {error_data}].",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code in (1, 2)",
        message="That refuses what the client set up.",
        advice="Compare version, MIME types, lease and resume of the client's SETUP with what the "
        "server supports.",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 3",
        message="That refuses what the client set up.",
        advice="The server's acceptor rejected the SETUP: look at its log, and at the payload that "
        "the client sends with it (credentials, routing).",
    ),
    Sentence(
        part="ended",
        on="server:error",
        when="fields.stream_id == 0 and error_code == 4",
        message="That refuses to go on with the session.",
        advice="Begin a new session with SETUP: the server has forgotten the old one, or has not "
        "kept enough of its frames.",
    ),
    Sentence(
        part="ended",
        on="error",
        when="fields.stream_id == 0 and error_code == 257",
        message="All its streams end with it.",
    ),
)

SENTENCES: Final = (*SETUP, *STREAMS, *ENDED)
"""Told by the engine, `streamshark.conversations.explain`."""
