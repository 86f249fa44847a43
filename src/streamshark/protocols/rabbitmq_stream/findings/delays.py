"""Rules for chunks that brokers hold back, or send one message at a time."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.behaviours import LEFT
from streamshark.protocols.rabbitmq_stream.findings.sources import OSIRIS, READER

_READY: Final = "max(coalesce(sub.deliver_t, sub.t), coalesce(sub.credit_t, sub.t))"
"""When the broker could send the next chunk: the one before is sent, and there is credit."""
_HELD: Final = (
    f"t - coalesce(sub.deliver_t, sub.t) > STARVING and t - {_READY} > STARVING and "
    f"(chunk.timestamp * 1000000 + FUTURE < {_READY} or t - sub.deliver_t - "
    "(chunk.timestamp - sub.written_ms) * 1000000 > STARVING) and sub.balance > 0 and "
    "sub.selects is None and sub.single is None and size <= SENT_AT_ONCE and "
    "coalesce(C.zero_windows, 0) == 0"
)
"""A chunk was written long before it is sent, by the clock, or by the times of the one before."""
_BEATS: Final = f"S.last_n == coalesce(S.beat_n, -1) and coalesce(S.beat_t, 0) - {_READY} > SKEW"
"""Meanwhile a heartbeat came: the line was neither down nor busy."""
_MISSING: Final = "(FEW_MISSING if tail.stored_n is None else ABSENT)"
"""Offsets after the last message that may be none of messages."""
_HOLDING: Final = (
    "sub.chunks > 0 and sub.balance > 0 and sub.selects is None and sub.single is None and "
    f"(sub.committed - sub.next > {_MISSING} or "
    f"tail.next - sub.next > {_MISSING} and {LEFT} - tail.next_t > STARVING) and "
    f"{LEFT} - {_READY} > LATE and coalesce(C.zero_windows, 0) == 0"
)
"""A subscription with credit receives nothing although the stream continues after its chunk."""

HELD_BACK: Final = (
    Rule(
        id="RMQ-B240",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="chunk that the broker holds back although there is credit",
        on="deliver",
        when=f"{_HELD} and {_BEATS}",
        needs="object both",
        of="sub",
        evidence="n, sub.deliver_n, S.beat_n",
        message="subscription {subscription_id} of {sub.stream} had credit {sub.balance} for "
        f"{{t - {_READY}:time}}, until chunk {{chunk.chunk_id}} came, which had been written "
        "before; meanwhile the broker sent Heartbeat",
        cause="The broker reads the stream slowly, from a disk or a store that is too slow, or its "
        "replica learns late what is committed.",
        source=f"{READER}, send_chunks; osiris issue 172, rabbitmq-stream-s3 issue 279",
        healthy="A replica that was down, so that the chunk could not be committed.",
        guilty="server",
    ),
    Rule(
        id="RMQ-B240b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="chunk that comes late although there is credit",
        on="deliver",
        when=f"{_HELD} and not ({_BEATS})",
        needs="object both",
        of="sub",
        evidence="n, sub.deliver_n",
        message="subscription {subscription_id} of {sub.stream} had credit {sub.balance} for "
        f"{{t - {_READY}:time}}, until chunk {{chunk.chunk_id}} came, which had been written "
        "before",
        cause="The broker reads the stream slowly, or hangs, or the line was down.",
        source=f"{READER}, send_chunks; osiris issue 172, rabbitmq-stream-s3 issue 279",
        healthy="A line that was interrupted, or busy with other subscriptions.",
    ),
    Rule(
        id="RMQ-B241",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connection that the broker drops after it has stopped to deliver",
        on="end:sub",
        when="conn.first_fin == S.side and why in ('closed', 'reset') and conn.close_n is None "
        f"and {_HOLDING}",
        needs="object both",
        of="conn",
        evidence="sub.deliver_n, sub.credit_n",
        message="the broker closed the connection without Close, after it had delivered nothing "
        f"to subscription {{sub.id}} of {{sub.stream}} for {{{LEFT} - {_READY}:time}}, which had "
        "credit {sub.balance}; the stream continues after message {sub.next - 1}",
        cause="Reading the stream fails in the broker, which ends the connection with all of its "
        "publishers and subscriptions.",
        source=f"{READER}, send_chunks; rabbitmq-stream-s3 issues 120, 133 and 157",
        guilty="server",
    ),
    Rule(
        id="RMQ-B242",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription that receives nothing more although the stream continues",
        on="end:sub",
        when="(conn.first_fin is None or conn.first_fin == C.side or conn.close_n is not None) and "
        f"{_HOLDING}",
        needs="object both",
        of="sub",
        evidence="sub.deliver_n, sub.credit_n",
        message="subscription {sub.id} of {sub.stream} had credit {sub.balance} and received "
        f"nothing for {{{LEFT} - {_READY}:time}}; the stream continues after message "
        "{sub.next - 1}",
        cause="The broker has stopped to deliver to this subscription.",
        source=f"{READER}, send_chunks; osiris issue 24, rabbitmq-stream-s3 issue 203",
        healthy="A line that was down until the end.",
    ),
    Rule(
        id="RMQ-B248",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="backlog in chunks of one message",
        on="end:sub",
        when="sub.chunks >= SINGLE_CHUNKS and sub.messages * 2 < sub.chunks * 3 and "
        "sub.deliver_t - sub.written_ms * 1000000 > FUTURE",
        needs="object",
        evidence="sub.deliver_n, sub.n",
        message="subscription {sub.id} of {sub.stream} reads {sub.messages:count message} in "
        "{sub.chunks:count chunk}, the last one {sub.deliver_t - sub.written_ms * 1000000:time} "
        "after it was written",
        cause="Messages were published one by one, and each is a chunk: the consumer needs a "
        "credit and the head of a chunk for each.",
        source=f"{OSIRIS}, chunks; rabbitmq-stream-dotnet-client issue 286",
        healthy="A stream with few messages.",
    ),
)
