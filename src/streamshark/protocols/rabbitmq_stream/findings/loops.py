"""Rules for clients that repeat: refused requests, queries, streams, connections, heartbeats."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC

_NAME: Final = "coalesce(coalesce(req.stream, req.super_stream), req.publisher_reference)"
_ABOUT: Final = f"{{' ' if {_NAME} is not None else ''}}{{coalesce({_NAME}, '')}}"

LOOPS: Final = (
    Rule(
        id="RMQ-X7",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="repeated request after the same refusal",
        on="repetition:refused",
        needs="",
        message="the broker refused {REFUSED_LIMIT} times in a row, at most {REFUSED_PAUSE:time} "
        f"apart, with {{response_code:name}} in {{name}}{_ABOUT}",
        cause="The client retries at once or after a short pause, whatever the reason.",
        source="rabbitmq-stream-java-client, its recovery's back-off",
        echo_of="RMQ-N6 RMQ-B220",
    ),
    Rule(
        id="RMQ-X7b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="request repeated after the same refusal, a few times or slowly",
        on="repetition:refused_slowly",
        needs="",
        message="the broker refused {FEW_REFUSED} times in a row with {response_code:name} in "
        f"{{name}}{_ABOUT}",
        cause="The client sends the same request again, whatever the reason.",
        source="rabbitmq-stream-java-client, its recovery's back-off",
        healthy="A client that waits until a stream is there.",
        echo_of="RMQ-X7 RMQ-N6 RMQ-M2 RMQ-B220",
    ),
    Rule(
        id="RMQ-X8",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="repeated identical query",
        on="repetition:polled",
        needs="",
        evidence="n, polled.second_n, polled.first_n",
        message="the same {name} was sent {POLL_LIMIT} times in a row, at most {POLL_PAUSE:time} "
        "apart",
        cause="The client asks each time instead of keeping the answer: each request costs a "
        "round trip.",
        source=f"{DOC}, QueryOffset, QueryPublisherSequence",
    ),
    Rule(
        id="RMQ-X8b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated QueryPublisherSequence on a connection",
        on="repetition:asked_sequence",
        needs="",
        message="QueryPublisherSequence was sent {ASKED_LIMIT} times on one connection for "
        "{publisher_reference} in {stream}",
        cause="The client asks before each message instead of counting by itself: each query "
        "costs a round trip.",
        healthy="Several producers of a program begin one after the other.",
        source=f"{DOC}, QueryPublisherSequence",
    ),
    Rule(
        id="RMQ-X8c",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated Metadata query on a connection",
        on="repetition:asked_again",
        needs="",
        message="Metadata was sent {LOOKED_UP} times on one connection for {first(streams)}, at "
        "most a minute apart",
        cause="The client does not keep the answer: a broker reports changes of a stream by "
        "MetadataUpdate.",
        healthy="Each producer or consumer of a program looks its stream up once.",
        source=f"{DOC}, Metadata, MetadataUpdate",
        echo_of="RMQ-X8 RMQ-M2b",
    ),
    Rule(
        id="RMQ-X8d",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated identical query, a few times or slowly",
        on="repetition:polled_slowly",
        when="coalesce(polled.times, 0) < POLL_LIMIT - 1",
        needs="",
        evidence="n, polled_slowly.second_n, polled_slowly.first_n",
        message="the same {name} was sent {FEW_POLLS} times in a row, at most "
        "{REFUSED_PAUSE:time} apart",
        cause="The client asks each time instead of keeping the answer: each request costs a "
        "round trip.",
        source=f"{DOC}, QueryOffset, QueryPublisherSequence",
        healthy="A program that shows statistics, or several parts of which begin one after the "
        "other.",
    ),
    Rule(
        id="RMQ-X8e",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="query repeated before its answer",
        on="query_offset query_publisher_sequence stream_stats partitions",
        when="query.open > 0 and t - query.open_t >= GIVEN_UP",
        needs="start whole both",
        of="conn",
        evidence="n, query.open_n",
        message="{name} is sent again {t - query.open_t:time} after the same query, which has no "
        "answer yet",
        cause="",
        by="'unread' if C.zero_windows > 0 or live(sub) > 0 else 'slow'",
        causes={
            "unread": "The client gives the query up while its answer waits behind the chunks of a "
            "consumer on the same connection: a slow consumer needs little credit, or a connection "
            "of its own.",
            "slow": "The client gives the query up before the broker has answered.",
        },
        healthy="Two parts of a program ask the same at the same time.",
        source=f"{DOC}, QueryOffset; rabbitmq-stream-java-client issue 862",
    ),
    Rule(
        id="RMQ-X7c",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stored offset asked for on each connection, without a consumer",
        on="repetition:not_begun",
        needs="",
        message="the offset of {req.reference} in {req.stream} was asked for on {NOT_BEGUN_LIMIT} "
        "connections in a row and was not stored, and the client did not subscribe",
        cause="The client takes the answer for a failure and ends: no stored offset means that the "
        "consumer is new and has to choose where it begins.",
        healthy="A program that shows how far a consumer is.",
        source=f"{DOC}, QueryOffset; rabbitmq-stream-go-client pull request 122",
    ),
    Rule(
        id="RMQ-B24",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams deleted soon after their creation",
        on="repetition:deleted",
        when="t - tail.made_t < 10000000000",
        needs="",
        message="{STREAM_LIMIT} streams in a row were deleted, {req.stream} only {t - "
        "tail.made_t:time} after it was created",
        cause="The client creates a stream for each task; a stream costs files and, in a cluster, "
        "processes on several nodes.",
        healthy="A test that cleans up.",
        source=f"{DOC}, Create, Delete",
    ),
    Rule(
        id="RMQ-B43",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream with unread messages deleted and created again",
        on="create_response",
        when="response_code == 1 and tail.dropped > 0 and "
        "coalesce(tail.remade, 0) + 1 >= REMADE_LIMIT",
        needs="start whole both",
        per="server, conn.vhost, req.stream",
        evidence="tail.dropped_n, req.n",
        message="{req.stream} is created again {REMADE_LIMIT} times, each time after it was "
        "deleted with messages that had been confirmed and delivered to no captured subscription "
        "({tail.dropped} this time)",
        cause="A program deletes its stream at each start; Create with the same arguments of a "
        "stream that exists needs no Delete.",
        healthy="The messages of a former run are not needed.",
        source=f"{DOC}, Create, Delete",
    ),
    Rule(
        id="RMQ-B1",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="short-lived connections in a row",
        on="churn:reconnected",
        needs="",
        evidence="conn.used_n, coalesce(reconnected.second_n, conn.n), reconnected.first_n",
        healthy="A program that is run for each task.",
        message="{client} opened and closed {RECONNECT_LIMIT} connections to {server} in a row; "
        "the last one carried {C.frames:count frame} of the client",
        cause="The client connects for each task and does not keep the connection: the "
        "handshake alone costs five round trips.",
        source=f"{DOC}, Authentication; rabbitmq-stream-rust-client issue 235",
        echo_of="RMQ-N6 RMQ-X7 RMQ-M4",
    ),
    Rule(
        id="RMQ-H5",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="flood of heartbeats",
        on="flood:beaten",
        needs="",
        evidence="n, me.beaten_second_n, me.beaten_first_n",
        message="the {sender} sent {BEAT_LIMIT} heartbeats in a row, on average less than a "
        "quarter of the negotiated interval of {conn.heartbeat} s apart",
        cause="",
        by="'back' if t - peer.beat_t < RACE else 'often'",
        causes={
            "back": "The sender returns each heartbeat of its peer: both do so without end.",
            "often": "The timer ignores the negotiated interval, or takes its seconds for another "
            "unit.",
        },
        source=f"{DOC}, Heartbeat; rabbit_heartbeat.erl",
    ),
)
