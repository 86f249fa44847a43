"""HMSG: a message with headers, to a subscription or to a peer.

To a client it has the id of a subscription. Between servers it has none: on routes and gateways the
account is first, on links of leaf nodes and on routes of one account the subject. A header
block with a status and nothing else is a server's own answer: no responders, an empty pull.

Spec: docs.nats.io, Client Protocol, HMSG; nats-server v2.12.2, server/parser.go.
"""

from streamshark.protocols.nats.types import (
    ACCOUNT,
    GATEWAY,
    LEAF,
    PINNED,
    REPLIES,
    REPLY_TO,
    ROUTE,
    ROUTE_2_9,
    SID,
    SUBJECT,
    headed,
)
from streamshark.schema import FrameKind, FrameSchema, Sender

_SHOWS = (
    "{subject} {payload:bytes} sid={sid} account={account} queues={queue_groups} →~{reply_to} "
    "status={status:ok control end_of_batch no_messages request_timeout} {description} "
    "headers={headers.key} {payload:text}"
)
_OF_ACCOUNT = headed("HMSG", ACCOUNT, SUBJECT, *REPLIES)
_BARE = headed("HMSG", SUBJECT, *REPLIES)

FRAMES = (
    FrameSchema(
        name="hmsg",
        key="hmsg",
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Delivers a message with headers.",
        spec="docs.nats.io, Client Protocol, HMSG",
        body=headed("HMSG", SUBJECT, SID, REPLY_TO),
        shows=_SHOWS,
    ),
    *(
        FrameSchema(
            name="hmsg",
            key="hmsg",
            dialect=link,
            kind=FrameKind.COMMAND,
            sender=Sender.PEER,
            doc="Hands a message with headers to a peer.",
            spec="nats-server v2.12.2, server/parser.go, HMSG_ARG",
            body=body,
            shows=_SHOWS,
        )
        for link, body in (
            (ROUTE, _OF_ACCOUNT),
            (ROUTE_2_9, _OF_ACCOUNT),
            (PINNED, _BARE),
            (GATEWAY, _OF_ACCOUNT),
            (LEAF, _BARE),
        )
    ),
)
