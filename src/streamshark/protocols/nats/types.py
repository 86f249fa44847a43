"""Arguments that many verbs share, messages with a payload, and the dialects of links.

What a link joins decides which arguments its verbs have. A connection shows it itself (`links`);
where a capture begins too late for that, the user may name it. Names are those of the documentation
of NATS; what is on links between servers has none there, and has those of `server/parser.go`
and `server/route.go`.
"""

from typing import Final

from streamshark.protocols.nats.codes import Status
from streamshark.schema import (
    Headers,
    Literal,
    Member,
    Region,
    Slot,
    TextLine,
    decimal,
    field,
    raw,
    remainder,
    this,
    token,
    tokens,
)
from streamshark.schema.text_lines import Argument

ROUTE: Final = "route"
"""A route between two servers of one cluster."""
ROUTE_2_9: Final = "route_2.9"
"""The same where a server does not announce `lnocu`: LS- has no origin."""
PINNED: Final = "pinned_route"
"""A route of one account, which no verb repeats."""
GATEWAY: Final = "gateway"
"""A gateway between two clusters."""
LEAF: Final = "leaf"
"""A link between a leaf node and a server."""
PEERS: Final = (ROUTE, ROUTE_2_9, PINNED, GATEWAY, LEAF)
"""Dialects of links between servers; the default one is a client's."""
BETWEEN_SERVERS: Final = frozenset(PEERS)

SUBJECT: Final = token("subject", "Subject that the message is published to.", role="stream")
INTEREST: Final = token(
    "subject", "Subject of interest; * is any token, > all that follow.", role="stream"
)
SID: Final = token("sid", "Id of the subscription, chosen by the client.", role="identifies")
ACCOUNT: Final = token("account", "Account that it belongs to; $G is the global one.", role="user")
ORIGIN: Final = token("origin_cluster", "Cluster of the leaf node that it comes from.")
REPLY_TO: Final = token("reply_to", "Subject for answers.", optional=True, role="chance")
QUEUE_GROUP: Final = token(
    "queue_group", "Queue group; each message goes to one of its members.", optional=True
)
WEIGHT: Final = decimal("weight", "Members of the queue group behind this link.", optional=True)
_QUEUES: Final = "Queue groups whose members are to get the message."
REPLIES: Final[tuple[Argument, ...]] = (
    token("reply_to", "Subject for answers.", mark="+", role="chance"),
    tokens("queue_groups", _QUEUES, mark="+"),
    tokens("queue_groups", _QUEUES, mark="|"),
    REPLY_TO,
)
"""`[reply]`, `+ reply queue...` or `| queue...`."""
IGNORED: Final = remainder("ignored", "Read over by all peers.", optional=True)
SIZE: Final = decimal("size", "Bytes of the payload.", unit="bytes", role="sizes")
HEADER_SIZE: Final = decimal(
    "header_size", "Bytes of the header block, its blank line included.", unit="bytes"
)
TOTAL_SIZE: Final = decimal(
    "total_size", "Bytes of header block and payload.", unit="bytes", role="sizes"
)

MESSAGE: Final = Slot("nats.message")
"""What applications send; other protocols may be there."""
_END: Final = Literal(b"\r\n", "End of the payload.")
_HEADERS: Final = Headers("NATS/1.0", "Headers in their order; names may repeat.", names=Status)


def message(verb: str, *arguments: Argument) -> tuple[Member, ...]:
    """Declare a line with a size, a payload of so many bytes, CRLF."""
    payload = field(
        "payload", raw(this.size, slot=MESSAGE), "What is sent; any bytes.", role="body"
    )
    return TextLine(verb, *arguments, SIZE), payload, _END


def headed(verb: str, *arguments: Argument) -> tuple[Member, ...]:
    """Declare a line with two sizes, a header block, a payload, CRLF."""
    rest = raw(this.total_size - this.header_size, slot=MESSAGE)
    return (
        TextLine(verb, *arguments, HEADER_SIZE, TOTAL_SIZE),
        Region(this.header_size, _HEADERS),
        field("payload", rest, "What is sent; any bytes.", role="body"),
        _END,
    )
