"""Which rows carry a message, for the tables of conversations and the rules."""

from typing import Final

CLIENT_OF_NATS: Final = (
    "conn.peers is None and conn.cluster is None and "
    "not starts(coalesce(conn.client_name, ''), 'LIFT.')"
)
"""The connection is that of a client, and not of a server of NATS or Liftbridge."""
PUBLISHED: Final = "pub hpub"
SENT: Final = "client:pub client:hpub"
DELIVERED: Final = "msg hmsg"
IS_ACK: Final = "starts(reply_to, '$JS.ACK.')"
"""The message is JetStream's, to be acked on its reply subject."""
ACKING: Final = "starts(subject, '$JS.ACK.')"
"""The row acks a message of JetStream."""
STORED: Final = (
    "asked.state == 'asked' and asked.meaning is None and starts(payload, OPEN) and "
    "between(payload, '\"stream\":\"', '\"') is not None"
)
"""The row is the answer to a publish that JetStream has stored."""
IS_PULL: Final = "called(subject, JETSTREAM) == 'consumer msg next'"
BATCH: Final = (
    """coalesce(number(between(payload, '"batch":', ',')), """
    """coalesce(number(between(payload, '"batch": ', ',')), """
    """coalesce(number(between(payload, '"batch":', '}')), """
    """number(between(payload, '"batch": ', '}')))))"""
)
"""How many messages a pull request asks for, in JSON with and without blanks."""
CREATES: Final = (
    "starts(subject, '$JS.') and "
    "called(subject, JETSTREAM) in ('consumer create', 'consumer durable create')"
)
"""The row creates or updates a consumer of JetStream."""
OF_STREAM: Final = "token(subject, 5 if token(subject, 3) == 'DURABLE' else 4)"
"""The stream that such a row names."""
OF_NAME: Final = "token(subject, 6 if token(subject, 3) == 'DURABLE' else 5)"
"""The consumer that such a row names."""
CREATING: Final = "('consumer create', 'consumer durable create')"
"""What JetStream calls such requests."""
START: Final = (
    """coalesce(number(between(payload, '"opt_start_seq":', ',')), """
    """coalesce(number(between(payload, '"opt_start_seq": ', ',')), """
    """coalesce(number(between(payload, '"opt_start_seq":', '}')), """
    """number(between(payload, '"opt_start_seq": ', '}')))))"""
)
"""The sequence at which a consumer is to begin."""
PROGRAM: Final = "client, server, coalesce(conn.client_name, ''), coalesce(conn.client_product, '')"
"""Whose connections are probably those of one program: of one host, with alike CONNECT."""
PROCESSED: Final = "begins(payload, ACKS) in ('ack', 'ack and next')"
"""The ack says that a message is processed."""
OF_PROGRAM: Final = "client, server, coalesce(program(conn.client_name), '')"
"""Whose connections are those of one program, if it has a name."""
IS_LEFT: Final = (
    "conn.client_name is not None and (conn.published > 0 or conn.subs_n is not None) and "
    "conn.waits is None and conn.pulls is None and conn.push_to is None and "
    "conn.peers is None and conn.cluster is None and "
    "not starts(conn.client_name, 'LIFT.') and t - C.command_t > LEFT_FOR"
)
"""The connection is open, and nothing was done on it for some time, nor waited for."""
SHUT_OUT: Final = (
    "Authorization Violation",
    "Authentication Timeout",
    "User Authentication Expired",
    "User Authentication Revoked",
    "Account Authentication Expired",
    "Stale Connection",
    "maximum connections exceeded",
    "maximum account active connections exceeded",
)
"""Texts of -ERR after which the client may come back."""
OVER_LIMIT: Final = (
    "(starts(description, 'Exceeded') or starts(description, 'Message Size') or "
    "starts(description, 'Consumer is push'))"
)
"""The status of a pull request says that it asks for more than the consumer permits."""
IS_DUPLICATE: Final = "between(payload, DUPLICATE, 'rue') in ('t', ' t')"
"""An ack of JetStream says that the message is one that it has."""


def is_true(name: str) -> str:
    """Return whether a member of JSON is true, with and without a blank, as an expression."""
    return f"between(payload, '\"{name}\":', 'rue') in ('t', ' t')"


def member(name: str) -> str:
    """Return the number that a member of JSON has, with and without blanks, as an expression."""
    values = [
        f"number(between(payload, '\"{name}\":{blank}', '{end}'))"
        for end in (",", "}")
        for blank in ("", " ")
    ]
    joined = values.pop()
    while values:
        joined = f"coalesce({values.pop()}, {joined})"
    return joined
