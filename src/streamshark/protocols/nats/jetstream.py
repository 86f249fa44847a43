"""What subjects and payloads mean to JetStream, by name.

Source: nats-server v2.12.2 and v2.15.2, `server/jetstream_api.go` (JSApi...), `server/consumer.go`
(AckAck, AckNak, AckProgress, AckNext, AckTerm; `ackReplySubject`), ADR-1 and ADR-15; prefixes with
a domain (`$JS.hub.API.`) mean the same requests.
"""

from collections.abc import Mapping
from typing import Final

_REQUESTS: Final = (
    "INFO",
    "STREAM.CREATE.*", "STREAM.UPDATE.*", "STREAM.NAMES", "STREAM.LIST", "STREAM.INFO.*",
    "STREAM.DELETE.*", "STREAM.PURGE.*", "STREAM.SNAPSHOT.*", "STREAM.RESTORE.*",
    "STREAM.MSG.DELETE.*", "STREAM.MSG.GET.*", "STREAM.PEER.REMOVE.*",
    "STREAM.PEER.EVACUATE.*", "STREAM.CANCEL_MOVE.*",
    "STREAM.LEADER.STEPDOWN.*", "STREAM.TEMPLATE.CREATE.*", "STREAM.TEMPLATE.NAMES",
    "STREAM.TEMPLATE.INFO.*", "STREAM.TEMPLATE.DELETE.*",
    "CONSUMER.MSG.NEXT.*.*", "CONSUMER.CREATE.>", "CONSUMER.DURABLE.CREATE.*.*",
    "CONSUMER.NAMES.*", "CONSUMER.LIST.*", "CONSUMER.INFO.*.*", "CONSUMER.DELETE.*.*",
    "CONSUMER.PAUSE.*.*", "CONSUMER.UNPIN.*.*", "CONSUMER.LEADER.STEPDOWN.*.*",
    "CONSUMER.RESET.*.*", "CONSUMER.PEER.REMOVE.*.*", "CONSUMER.PEER.EVACUATE.*.*",
    "DIRECT.GET.>", "META.LEADER.STEPDOWN", "META.RESCUE", "SERVER.REMOVE", "SERVER.EVACUATE",
    "ACCOUNT.PURGE.*",
    "ACCOUNT.STREAM.MOVE.*.*", "ACCOUNT.STREAM.CANCEL_MOVE.*.*",
)  # fmt: skip


def _name(request: str) -> str:
    """`STREAM.CREATE.*` is `stream create`."""
    return " ".join(each for each in request.lower().split(".") if each not in ("*", ">"))


SUBJECTS: Final[Mapping[str, str]] = {
    **{f"$JS.API.{each}": _name(each) for each in _REQUESTS},
    "$JS.API.>": "api request",
    "$JS.ACK.>": "ack",
    "$JS.FC.>": "flow control answer",
    "$JS.EVENT.ADVISORY.>": "advisory",
    "$JS.EVENT.METRIC.>": "metric",
    "$JS.SNAPSHOT.>": "snapshot",
    **{f"$JS.*.API.{each}": _name(each) for each in _REQUESTS},
    "$JS.*.API.>": "api request",
    "$KV.>": "key value",
    "$O.>": "object store",
}
"""Pattern to the name of the request or event; the first that matches counts."""

ACKS: Final[Mapping[str, str]] = {
    "": "ack",
    "+ACK": "ack",
    "-NAK": "nak",
    "+WPI": "in progress",
    "+NXT": "ack and next",
    "+TERM": "term",
    "{": "next",
}
"""Beginning of a payload on `$JS.ACK` to its name; an empty one acks."""
