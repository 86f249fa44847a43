"""Sentences of `streamshark explain` about a connection.

Conditions see the state before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

SENTENCES: Final = (
    Sentence(
        part="who",
        on="info",
        when="conn.server_version is None and fields.version != ''",
        message='The server[ "{server_name}"] runs nats-server {fields.version}[, cluster '
        '"{cluster}"].',
    ),
    Sentence(
        part="who",
        on="connect",
        when="lang is not None",
        message='The client[ "{fields.name}"] uses the {lang} library[, version {fields.version}].',
    ),
    Sentence(
        part="who",
        on="connect",
        when="lang is None and (cluster is not None or server_id is not None)",
        message='The peer is another NATS server[, cluster "{cluster}"].',
    ),
    Sentence(
        part="began",
        on="connect",
        when="user is not None",
        message='The client identified itself as user "{user}".',
    ),
    Sentence(
        part="began",
        on="err",
        when="message == 'Authorization Violation'",
        message='The server refused the authentication[ of user "{conn.user}"].',
        advice="Check the user, the password or token, and the account in the server's "
        "configuration.",
    ),
    Sentence(
        part="agreed",
        on="info",
        when="tls_required",
        message="The server requires TLS, which begins after INFO.",
    ),
    Sentence(
        part="agreed",
        on="info",
        when="max_payload > 0 and conn.max_payload is None",
        message="The maximum payload of a message is {max_payload:size}.",
    ),
    Sentence(
        part="agreed",
        on="connect",
        when="verbose and lang is not None",
        message="The server answers every protocol message of the client with +OK (verbose mode).",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.delivered is not None",
        needs="both",
        per="sub.queue",
        evidence="sub.n",
        message="{1:sum count subscription}[ in queue group {sub.queue}] received "
        "{sub.delivered:sum count message}[, the first after at most {sub.first_t - sub.t:most "
        "time}].",
    ),
    Sentence(
        part="did",
        on="end:asked",
        per="asked.state",
        when="asked.subject is not None",
        evidence="asked.n",
        message="{1:sum count request}: "
        "{('not answered' if asked.state == 'asked' else 'no responders' "
        "if asked.state == 'no_responders' else asked.state):each}"
        "[, the slowest answer after {asked.answer_t - asked.t:most time}].",
    ),
    Sentence(
        part="did",
        on="end:served",
        per="served.state",
        when="served.state not in ('absent', 'unknown')",
        evidence="served.n",
        message="{1:sum count message} with a reply subject received: "
        "{('not answered' if served.state == 'waiting' else served.state):each}"
        "[, the slowest reply after {served.answer_t - served.t:most time}].",
    ),
    Sentence(
        part="did",
        on="err",
        when="message != 'Authorization Violation'",
        message="The server reported an error: {message}.",
    ),
    Sentence(
        part="ended",
        on="info",
        when="ldm",
        message="The server was in lame duck mode: it was about to stop.",
    ),
)
"""Rendered by `conversations.explain`."""
