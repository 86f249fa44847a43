"""What proves that a client, or who uses it, is harmed: by it notes become warnings."""

from typing import Final

from streamshark.findings.harm import Harm
from streamshark.protocols.rabbitmq_stream.behaviours import LEFT

_BEATS_COME: Final = Harm(
    rules={"RMQ-B242": "RMQ-B242b"},
    when="S.beat_t - max(coalesce(sub.deliver_t, sub.t), coalesce(sub.credit_t, sub.t)) > STARVING "
    f"and {LEFT} - S.beat_t < 2 * 1000000000 * coalesce(conn.heartbeat, 60)",
    so="stored messages do not reach the consumer, although Heartbeat of the broker did",
    title="while heartbeats come",
    evidence="S.beat_n",
)
"""The line was up while nothing was delivered."""

_ASKED_AT_ONCE: Final = Harm(
    rules={"RMQ-B243": "RMQ-B243b"},
    when="t - looked_up.latest_t < RETRIED",
    so="it gets nothing done: each time it has begun anew within {RETRIED:time}",
    title="repeatedly",
)
"""A client, and no monitor, begins anew."""

_UNREAD: Final = Harm(
    rules={"RMQ-X8e": "RMQ-X8f"},
    when="C.zero_windows > 0 and live(sub) > 0",
    so="its own requests time out: the client has closed its TCP window {C.zero_windows} times",
    title="as the client does not read",
    evidence="S.last_n",
)
"""The client does not read what was sent, the answers to its requests among it."""

_MISSED: Final = Harm(
    rules={"RMQ-B30b": "RMQ-B30c"},
    when="fallen.read == 1 and C.last_t > fallen.update_t + RECOVERY and "
    "topic.fed_t > fallen.update_t + RETURNED",
    so="the consumer misses what is published there",
    title="while messages are published",
)
"""The stream continues without the consumer."""

_UNFED: Final = Harm(
    rules={"RMQ-C3d": "RMQ-C3e"},
    when="topic.fed_t > sub.deliver_t + RETURNED",
    so="the consumer misses what is published there",
    title="while messages are published",
)
"""The stream continues without the consumer."""

_MANY_PUBLISHERS: Final = Harm(
    rules={"RMQ-B19": "RMQ-B19b"},
    when="left_publishers.left >= PILE",
    so="they pile up: each message leaves one more",
    title="which pile up",
)
"""More than are kept ready for later use."""

_MANY_CONNECTIONS: Final = Harm(
    rules={"RMQ-B5b": "RMQ-B5c"},
    when="kept_unused.times + 1 >= PILE",
    so="connections had piled up: this was number {kept_unused.times + 1}",
    title="which pile up",
)
"""More than are kept ready for later use."""

_OTHERS_END: Final = Harm(
    rules={"RMQ-B92b": "RMQ-B92d"},
    when="live(pub) + live(sub) > 0 and coalesce(conn.late_n, -1) != S.last_n",
    so="{live(pub):count publisher} and {live(sub):count subscription} that were well end with it",
    title="while it was in use",
)
"""What still worked on the connection ends with it."""

_CONFIRMED_LATE: Final = Harm(
    rules={"RMQ-I9c": "RMQ-I9d"},
    when="t - oldest_t(pub.waiting) > LATE",
    so="confirms come too late: the oldest message has waited {t - oldest_t(pub.waiting):time}",
    title="which wait for long",
    evidence="oldest_n(pub.waiting)",
)
"""Most clients report a message as failed by then."""

_OFFSET_KEPT: Final = Harm(
    rules={"RMQ-B35b": "RMQ-B35c"},
    when="chunk.chunk_id > sub.left_off + 1",
    so="the messages in between are never processed: {sub.left_off} was the last offset that the "
    "client stored there",
    title="although an offset was stored",
    evidence="sub.left_off_n",
)
"""The consumer keeps how far it is: what it skips is lost to it."""

HARM: Final = (
    _BEATS_COME, _ASKED_AT_ONCE, _UNREAD, _MISSED, _UNFED, _MANY_PUBLISHERS, _MANY_CONNECTIONS,
    _OTHERS_END, _CONFIRMED_LATE, _OFFSET_KEPT,
)  # fmt: skip
"""Part of `all_rules`."""
