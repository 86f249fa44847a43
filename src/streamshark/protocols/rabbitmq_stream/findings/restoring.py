"""Rules for what clients do not restore after a reconnect or MetadataUpdate."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.behaviours import CLIENT_LEAVES
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC

_LEFT: Final = f"(why == 'end' or {CLIENT_LEAVES})"
"""The broker has not ended the connection."""
_NAME: Final = "coalesce(conn.client_name, '')"
_FORMER: Final = "coalesce(before.client_name, '')"
_UNUSED: Final = f"conn.used_n is None and t - conn.t > RESUBSCRIBED and {_LEFT}"
"""The connection lasted long enough for the client to restore what it had, but it did nothing."""
_LEFT_OUT: Final = (
    "(fallen.read == 1 and owed.read > 0 or fallen.written == 1 and owed.written > 0) and "
    "coalesce(conn.asked_metadata_t, 0) < fallen.update_t and C.close_n is None"
)
"""Neither Metadata nor a new beginning has followed MetadataUpdate."""
_BACK_T: Final = "max(coalesce(seen.there_t, 0), coalesce(topic.used_t, 0))"
"""When the stream was last known to be there."""
_LEFT_OUT_TEXT: Final = (
    "MetadataUpdate ended {'the subscription to' if fallen.read == 1 else 'the publisher of'} "
    "{fallen.stream}; the client stayed connected for another {C.last_t - fallen.update_t:time}, "
    "but neither asked for Metadata nor {'subscribed' if fallen.read == 1 else 'declared a "
    "publisher'} again, although the stream was in use again"
)
_LEFT_OUT_CAUSE: Final = (
    "The client ignores MetadataUpdate: it believes that its publisher or subscription still "
    "exists."
)

RECONNECTS: Final = (
    Rule(
        id="RMQ-B18",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription not restored after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.read_n and count(before.read) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.reread_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(C.beat_n, C.last_n), before.sub_n, conn.opened_n, conn.used_n, "
        "before.read_n",
        message="the client is connected again for {t - conn.t:time} and has not subscribed to "
        "{first(before.read)} again, which it received from before its connection was lost",
        cause="The client reconnects and does not restore all of its subscriptions.",
        healthy="The consumer was meant to end.",
        source="rabbitmq-stream-java-client, recovery of consumers; rabbitmq-server issue 10550",
    ),
    Rule(
        id="RMQ-B18b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher not restored after a reconnect",
        on="end:conn",
        when=f"conn.opened_n > before.written_n and count(before.written) > 0 and "
        f"({_UNUSED} and {_NAME} == {_FORMER} or t - conn.rewritten_t > RESTORED and "
        f"{_LEFT})",
        needs="start whole both",
        evidence="coalesce(conn.used_n, C.last_n), conn.opened_n, C.last_n, before.written_n",
        message="the client reconnected {t - conn.t:time} ago and has not declared a publisher "
        "for {first(before.written)} again, to which it published before its connection was lost",
        cause="The client reconnects and does not restore all of its publishers, such as those of "
        "some partitions of a super stream.",
        healthy="The publisher was meant to end.",
        source="rabbitmq-stream-go-client issue 453",
    ),
)

UPDATES: Final = (
    Rule(
        id="RMQ-B30",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher or subscription not restored after MetadataUpdate",
        on="end:fallen",
        when=f"{_LEFT_OUT} and {_BACK_T} > fallen.update_t + RETURNED and "
        f"C.last_t > fallen.update_t + RECOVERY and C.last_t > {_BACK_T} + RETURNED",
        needs="since",
        evidence="fallen.update_n, C.last_n",
        message=_LEFT_OUT_TEXT,
        cause=_LEFT_OUT_CAUSE,
        source=f"{DOC}, MetadataUpdate",
        healthy="Another program has taken over on purpose.",
    ),
    Rule(
        id="RMQ-B30b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher or subscription not yet restored after MetadataUpdate",
        on="end:fallen",
        when=f"{_LEFT_OUT} and {_BACK_T} > fallen.update_t and "
        "C.last_t > fallen.update_t + RETURNED and "
        f"not (C.last_t > fallen.update_t + RECOVERY and {_BACK_T} > fallen.update_t + RETURNED "
        f"and C.last_t > {_BACK_T} + RETURNED)",
        needs="since",
        evidence="fallen.update_n, C.last_n",
        message=_LEFT_OUT_TEXT,
        cause=_LEFT_OUT_CAUSE,
        source=f"{DOC}, MetadataUpdate",
        healthy="A client that waits before it begins again: that in Java waits 5 s.",
    ),
)
