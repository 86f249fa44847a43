"""Names of verbs and of the statuses that servers put into header blocks.

Source: nats-server v2.12.2, `server/parser.go`, and of statuses `server/client.go`
and `server/consumer.go` (all texts that begin with `NATS/1.0`); ADR-4, ADR-13, ADR-42.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

VERBS: Final[Mapping[str, str]] = {
    "INFO": "info",
    "CONNECT": "connect",
    "PUB": "pub",
    "HPUB": "hpub",
    "SUB": "sub",
    "UNSUB": "unsub",
    "MSG": "msg",
    "HMSG": "hmsg",
    "PING": "ping",
    "PONG": "pong",
    "+OK": "ok",
    "-ERR": "err",
    "RS+": "rs_plus",
    "RS-": "rs_minus",
    "RMSG": "rmsg",
    "LS+": "ls_plus",
    "LS-": "ls_minus",
    "LMSG": "lmsg",
    "A+": "a_plus",
    "A-": "a_minus",
}
"""Verb to the name of its command."""
SIZED: Final = frozenset({"PUB", "HPUB", "MSG", "HMSG", "RMSG", "LMSG"})
"""Verbs with a payload after their line."""


class Status(IntEnum):
    """Status in the header block of a server's own message; the description has details."""

    CONTROL = 100
    """Idle heartbeat, or flow control request, of a consumer."""
    END_OF_BATCH = 204
    BAD_REQUEST = 400
    NO_MESSAGES = 404
    REQUEST_TIMEOUT = 408
    """Also of a request that cannot be understood."""
    CONFLICT = 409
    """A limit of the consumer is exceeded, it was deleted, its leader changed, ..."""
    API_LEVEL_REQUIRED = 412
    TOO_MANY_RESULTS = 413
    PIN_ID_MISMATCH = 423
    TOO_MANY_REQUESTS = 429
    SERVER_ERROR = 500
    NO_RESPONDERS = 503


class GatewayCommand(IntEnum):
    """Content of an INFO on a gateway, or about one (nats-server, `server/gateway.go`)."""

    GOSSIP = 1
    ALL_SUBSCRIPTIONS_START = 2
    ALL_SUBSCRIPTIONS_COMPLETE = 3
