"""Rules for connections of NATS: small packets, verbose mode, an unsigned nonce."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

CONNECTIONS: Final = (
    Rule(
        id="NATS-B41",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="small NATS messages split over several packets",
        on="ratio:split",
        when="not conn.carried",
        needs="start",
        message="{conn.split_count} of {conn.published} messages of the client came in several "
        "packets, although they would fit into one",
        cause="The client writes the line and the payload one by one: each write costs a system "
        "call and a packet.",
        healthy="The network splits packets, such as a tunnel with a small MTU.",
        source="docs.nats.io, Client Protocol, PUB",
    ),
    Rule(
        id="NATS-B39",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="verbose mode with many messages",
        on="end:conn",
        when="conn.verbose and conn.published >= VERBOSE_LIMIT",
        needs="start whole",
        evidence="conn.connect_n",
        message="CONNECT asks for +OK (verbose), which the server sent for each of "
        "{conn.published} messages",
        cause="verbose is true unless CONNECT says otherwise; it is meant for tests.",
        healthy="A client that reads +OK to learn that the server has processed a command.",
        source="docs.nats.io, Client Protocol, CONNECT",
    ),
    Rule(
        id="NATS-N32",
        severity=Severity.ERROR,
        group=Group.SECURITY,
        title="nkey or JWT in CONNECT without a signed nonce",
        on="client:connect",
        when="(nkey is not None or jwt is not None) and sig is None and conn.nonce is not None",
        needs="",
        per="client, server",
        message="CONNECT has {'an nkey' if nkey is not None else 'a JWT'} but no signature of the "
        "nonce in INFO",
        cause="The client has no seed to sign with, or does not sign: the server refuses it.",
        source="docs.nats.io, NKeys; nats.net issue 1087",
    ),
)
