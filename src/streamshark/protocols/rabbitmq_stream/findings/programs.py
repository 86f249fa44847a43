"""Rules for the parts of programs: handlers that wait, take turns or stop, late timers."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC
from streamshark.protocols.rabbitmq_stream.programs import TAKES_TURN

THREADS: Final = (
    Rule(
        id="RMQ-B100",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="client that only sends heartbeats after the answer to its own request",
        on="client:heartbeat",
        when="conn.heard_n > conn.asking_n and conn.feeds >= CREDITED_BEFORE and "
        "conn.unfed >= conn.most_unfed and t - max(conn.unfed_t, conn.asking_t) > "
        "max(STARVING, coalesce(conn.longest_feed, 0) * MUCH_LONGER)",
        needs="start whole both",
        of="conn",
        evidence="conn.asking_n, conn.heard_n, conn.unfed_n",
        message="since {conn.asking} {t - conn.asking_t:time} ago, which was answered, the client "
        "has sent nothing but Heartbeat: {conn.unfed:count chunk} came without a Credit, which "
        "took {conn.longest_feed:time} at most before",
        cause="A handler waits for an answer that its own thread has to read, so the client reads "
        "nothing any more; the timer of heartbeats goes on.",
        source=f"{DOC}, Credit; rabbitmq-stream-go-client issue 57",
        healthy="A consumer that is slow at this moment.",
    ),
    Rule(
        id="RMQ-B101",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscription that is credited no more, while others of its program are",
        on="end:sub",
        when="sub.credits >= CREDITED_BEFORE and sub.balance <= sub.initial // 2 and "
        "crew.fed_t - sub.came_t > max(sub.delay_most * MUCH_LONGER, STARVING)",
        needs="object both",
        evidence="sub.deliver_n, sub.credit_n, crew.fed_n",
        message="subscription {sub.id} of {sub.stream} had no Credit any more for chunks that "
        "came {crew.fed_t - sub.came_t:time} before another subscription was still credited; "
        "before, it took {sub.delay_most:time} at most",
        cause="The handler of its messages has died or is blocked at a message, and the rest of "
        "the program lives.",
        source=f"{DOC}, Credit",
        healthy="A consumer that is paused on purpose.",
    ),
    Rule(
        id="RMQ-B107",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="end of a stream connection that its client notices late",
        on="client:tcp.close client:tcp.reset",
        when="conn.first_fin == S.side and conn.gone is None and C.close_n is None and "
        "t - conn.fin_t > HALF_OPEN",
        needs="start whole both",
        of="conn",
        evidence="coalesce(C.last_n, S.last_n)",
        message="the client closed its side {t - conn.fin_t:time} after the broker had closed the "
        "connection",
        cause="The thread that reads the connection is blocked or has died, or the client closes "
        "lost connections with the program only.",
        source=f"{CORE}, close",
        healthy="A client whose connections are closed by the garbage collector.",
    ),
    Rule(
        id="RMQ-B102",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="late heartbeats",
        on="repetition:late_beats",
        needs="since both",
        evidence="n, C.late_beats_second_n",
        message="{LATE_BEATS} heartbeats in a row came more than {conn.heartbeat} s after the "
        "client's frame before, the last one after {t - C.acted_t:time}",
        cause="The timer of heartbeats is late, such as on a thread that is busy, or has another "
        "interval than the client agreed to: with one more delay the broker ends the connection.",
        source=f"{DOC}, Heartbeat, Tune",
        healthy="The broker waits for two intervals.",
    ),
)

HANDLERS: Final = (
    Rule(
        id="RMQ-B103",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subscriptions of a connection that are credited in turn",
        on="credit",
        when=f"credit > 0 and C.turns >= CREDIT_TURNS and {TAKES_TURN}",
        needs="start whole both",
        of="conn",
        evidence="n, C.turn_n, sub.deliver_n",
        message="chunks of several subscriptions that waited together are credited one after the "
        "other, {t - C.turn_t:time} apart",
        cause="One thread handles the messages of all subscriptions: a slow message of one holds "
        "back the others.",
        source=f"{DOC}, Credit",
        healthy="Subscriptions that share their work on purpose.",
    ),
    Rule(
        id="RMQ-B104",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="chunks that take longer and longer to be credited",
        on="credit",
        when="credit > 0 and sub.climb >= CREDIT_CLIMB and t - sub.came_t > sub.delay and "
        "t - sub.came_t > CREDIT_TURN and t - sub.came_t >= sub.climb_from * MUCH_LONGER",
        needs="object both",
        evidence="n, sub.deliver_n, sub.climb_n",
        message="{sub.climb + 1} times in a row Credit came later after the chunk than the time "
        "before, from {sub.climb_from:time} to {t - sub.came_t:time}",
        cause="Something in the consumer grows with each message, or it gets more than it can "
        "handle.",
        source=f"{DOC}, Credit",
        healthy="A backlog that is worked off.",
    ),
    Rule(
        id="RMQ-B105",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that stopped storing its offset and goes on",
        on="end:sub",
        when="sub.store_times >= STORED_BEFORE and sub.store_gap > 0 and "
        "sub.next - sub.store_next >= sub.store_gap * MUCH_LONGER and "
        "t - sub.store_t > sub.store_pause * 3 and sub.credit_n > sub.store_n",
        needs="object both",
        evidence="sub.store_n, sub.deliver_n",
        message="subscription {sub.id} of {sub.stream} has received {sub.next - sub.store_next} "
        "messages since its offset was stored for the last time; before, it was stored "
        "{sub.store_times} times, at most {sub.store_gap} messages apart",
        cause="The timer or thread that stores offsets has died, or an error is not handled: the "
        "next run consumes these messages again.",
        source=f"{DOC}, StoreOffset",
    ),
    Rule(
        id="RMQ-B106",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="offsets stored long after Unsubscribe",
        on="store_offset",
        when="stream == conn.left_stream and t - conn.left_t > STARVING and "
        "conn.left_stores >= STORED_AFTER - 1",
        needs="start whole both",
        of="conn",
        evidence="n, conn.left_n",
        message="offset {fields.offset} of {stream} is stored {t - conn.left_t:time} after the "
        "subscription has ended",
        cause="The handler goes on with messages that it has buffered, or the timer that stores "
        "offsets was not stopped.",
        source=f"{DOC}, StoreOffset, Unsubscribe",
        healthy="A program that ends its work after it has unsubscribed.",
    ),
)

PROGRAMS: Final = (*THREADS, *HANDLERS)
"""Part of `all_rules`."""
