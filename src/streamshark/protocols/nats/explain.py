"""What is told of a connection in plain sentences: `streamshark explain`.

Conditions see what was so before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

SENTENCES: Final = (
    Sentence(
        part="who",
        on="info",
        when="conn.server_version is None and fields.version != ''",
        message='The server[ "{server_name}"] is nats-server {fields.version}[, of the cluster '
        '"{cluster}"].',
    ),
    Sentence(
        part="who",
        on="connect",
        when="lang is not None",
        message='The client[ "{fields.name}"] uses the library for {lang}[, release '
        "{fields.version}].",
    ),
    Sentence(
        part="who",
        on="connect",
        when="lang is None and (cluster is not None or server_id is not None)",
        message='Another server connects[, of the cluster "{cluster}"].',
    ),
    Sentence(
        part="began",
        on="connect",
        when="user is not None",
        message='It said that it is the user "{user}".',
    ),
    Sentence(
        part="began",
        on="err",
        when="message == 'Authorization Violation'",
        message='The server refused to let it in[ as the user "{conn.user}"].',
        advice="Check the user, the password or token, and the account in the server's "
        "configuration.",
    ),
    Sentence(
        part="agreed",
        on="info",
        when="tls_required",
        message="The server asks for TLS, which begins behind this line.",
    ),
    Sentence(
        part="agreed",
        on="info",
        when="max_payload > 0 and conn.max_payload is None",
        message="Messages may have {max_payload:size}.",
    ),
    Sentence(
        part="agreed",
        on="connect",
        when="verbose and lang is not None",
        message="Every line of the client is answered by +OK (verbose).",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.delivered is not None",
        needs="both",
        per="sub.queue",
        evidence="sub.n",
        message="{1:sum count subscription}[ in the queue group {sub.queue}] got "
        "{sub.delivered:sum count message}[, the first after {sub.first_t - sub.t:most time} at "
        "most].",
    ),
    Sentence(
        part="did",
        on="end:asked",
        per="asked.state",
        when="asked.subject is not None",
        evidence="asked.n",
        message="{1:sum count request}: {asked.state:each}[, the slowest answer after "
        "{asked.answer_t - asked.t:most time}].",
    ),
    Sentence(
        part="did",
        on="end:served",
        per="served.state",
        when="served.state not in ('absent', 'unknown')",
        evidence="served.n",
        message="{1:sum count message} that wanted an answer or an ack: {served.state:each}[, the "
        "slowest after {served.answer_t - served.t:most time}].",
    ),
    Sentence(
        part="did",
        on="err",
        when="message != 'Authorization Violation'",
        message="The server said: {message}.",
    ),
    Sentence(
        part="ended",
        on="info",
        when="ldm",
        message="The server was about to stop (lame duck mode).",
    ),
)
"""Told by `conversations.explain`."""
