"""What the messages of Liftbridge mean to each other, on NATS and in calls of the API.

A message of NATS is seen twice or more: as its sender publishes it, and as each subscriber gets it.
So `client:` is who publishes, `server:` is NATS that delivers. A publish is one conversation over
all connections: the call of the API, the message on NATS, the ack back, the follower's replication.
Messages of the API are found in the calls of gRPC that carry them; `carrier` is the frame around.

Source: liftbridge v1.9.0, server/{api,partition,replicator,propagation,metadata,raft}.go.
"""

from typing import Final

from streamshark.conversations.tables import (
    Action,
    Burst,
    Constant,
    Context,
    Lifecycle,
    Pair,
    Table,
    Timer,
    Transition,
)
from streamshark.protocols.liftbridge.answers import ANSWERS
from streamshark.protocols.liftbridge.behaviours import BEHAVIOURS
from streamshark.protocols.liftbridge.message_paths import MESSAGE_PATHS
from streamshark.protocols.liftbridge.object_states import OBJECT_STATES
from streamshark.protocols.liftbridge.programs import PROGRAMS
from streamshark.protocols.liftbridge.returns import RETURNS
from streamshark.protocols.liftbridge.storage import STORAGE

_ID: Final = "coalesce(correlation_id, ack_inbox)"
_CONTENT: Final = "coalesce(correlation_id, digest(value))"
_WANTED: Final = "ack_inbox is not None and coalesce(ack_policy, 0) != 2"
_REFUSED: Final = "coalesce(ack_error, 0) != 0"
_NO_ONE: Final = "name == 'no_responders'"
_ANSWERED: Final = "publish_response publish_to_subject_response"

CONSTANTS: Final = (
    Constant(
        name="ACK_LATE", value="5 s", doc="Time after which an ack is missed: that of the clients."
    ),
    Constant(
        name="REPLY_LATE",
        value="3 s",
        doc="Time after which a server gives up a request (`replicaFetchTimeout`).",
    ),
    Constant(
        name="LARGEST",
        value=1 << 20,
        doc="Bytes of a message that replication carries (`clustering.replication.max.bytes`).",
    ),
    Constant(name="REPORTS", value=3, doc="Reports of the same that are too many."),
    Constant(name="REPORTING", value="30 s", doc="Time within which they are."),
    Constant(name="ASKS", value=200, doc="Requests of a follower for the same that are too many."),
    Constant(name="ASKING", value="1 s", doc="Time within which they are."),
    Constant(name="MAGIC", value=b"\xb9\x0e\x43\xb4", doc="What an envelope begins with."),
    Constant(name="OLD_MAGIC", value=b"LIFT", doc="What a message of 2019 begins with."),
    Constant(
        name="NEARLY",
        value={"\xb9\x0e": "half of the magic number", "\xb4\x43\x0e\xb9": "it turned round"},
        doc="What is nearly the magic number.",
    ),
    Constant(name="FAR_BEHIND", value=10_000, doc="Messages by which a follower lags too much."),
    Constant(
        name="BEHIND",
        value="15 s",
        doc="Time after which a follower that lags is no longer in sync "
        "(`clustering.replica.max.lag.time`).",
    ),
    Constant(
        name="CONSUMER_SILENT",
        value="15 s",
        doc="Silence that ends a membership (`groups.consumer.timeout`).",
    ),
)

PUBLISHES: Final = (
    Lifecycle(
        name="pub",
        scope="capture",
        gathers=True,
        doc="A message on its way: called by the API, published to NATS, acknowledged, replicated.",
        type="publish",
        key={
            "publish_request publish_to_subject_request publish": _CONTENT,
            "plain_publish": "digest(value)",
            "ack": _ID,
            "publish_response": "coalesce(coalesce(correlation_id, ack.correlation_id), "
            "ack.ack_inbox)",
            "publish_to_subject_response": "coalesce(ack.correlation_id, ack.ack_inbox)",
            "replication_response": "digest(first(records.value))",
        },
        also={"publish": "ack_inbox", "client:publish server:publish": "digest(value)"},
        steps=(
            Transition("absent", "publish_request publish_to_subject_request", "asked"),
            Transition("absent", "publish plain_publish", "sent"),
            Transition("asked", "publish", "sent"),
            Transition("sent acked", "server:ack", "failed", f"pub.api is None and {_REFUSED}"),
            Transition("sent acked", "server:ack", "done", "pub.api is None"),
            Transition("asked sent", "ack", "refused", _REFUSED),
            Transition("asked sent", "ack", "acked"),
            Transition("asked sent acked", _ANSWERED, "done"),
            Transition("refused", _ANSWERED, "failed"),
        ),
        final="done failed",
        failed="failed",
        closing={
            "acked": "'done'",
            "refused": "'failed'",
            "sent": "'unanswered' if pub.waits == 1 else 'done'",
        },
        measures={"ack_time_ns": "pub.acked_t - pub.sent_t", "offset": "pub.offset"},
    ),
    Action(on="publish_request publish_to_subject_request", do="pub.api = 1"),
    Action(on="publish_request", do="pub.stream = stream"),
    Action(
        on="client:publish client:plain_publish", do="pub.sent_t = t; pub.subject = carrier.subject"
    ),
    Action(on="client:publish", when=_WANTED, do="pub.waits = 1"),
    Action(
        on="client:ack",
        do="pub.acked_t = t; pub.stream = stream; pub.offset = coalesce(offset, 0); pub.waits = 0",
    ),
    Pair(
        name="publish",
        request="client:publish",
        answers="server:ack",
        key=_ID,
        when=_WANTED,
        failed=_REFUSED,
        scope="capture",
        type="",
    ),
    Pair(
        name="store",
        request="server:publish",
        answers="client:ack",
        key=_ID,
        when=_WANTED,
        failed=_REFUSED,
        scope="capture",
        type="",
    ),
    Lifecycle(
        name="wait",
        scope="connection",
        doc="An ack that comes back on the connection of the publish.",
        key={"client:publish server:ack": _ID},
        steps=(
            Transition("absent", "client:publish", "waiting", _WANTED),
            Transition("waiting", "server:ack", "acked"),
        ),
        final="acked",
    ),
    Action(
        on="client:publish",
        when=_WANTED,
        do="conn.wanted = 1; wait.subject = carrier.subject; "
        "wait.asked = coalesce(wait.asked, 0) + 1",
    ),
    Action(
        on="server:ack",
        do="conn.acks = coalesce(conn.acks, 0) + 1; wait.stream = stream; "
        "wait.partition = partition_subject; wait.acked_n = n; "
        "wait.acks = coalesce(wait.acks, 0) + 1",
    ),
    Timer(
        name="ack",
        of="wait",
        on="client:publish",
        when=f"{_WANTED} and (agreed.inbox_heard or not conn.start and conn.acks > 0)",
        limit="ACK_LATE",
        clear="server:ack",
    ),
    Pair(
        name="publish_call",
        request="publish_request publish_to_subject_request",
        answers="publish_response publish_to_subject_response",
        key="carrier.stream_id",
        when="carrier.path in ('/proto.API/Publish', '/proto.API/PublishToSubject')",
        keep="ack_policy carrier.method as method ack_inbox as inbox",
        type="",
    ),
    Lifecycle(
        name="box",
        scope="capture",
        doc="An inbox for acks that calls of Publish name without a correlation id.",
        key={
            "publish_request": "(server, ack_inbox) if ack_inbox is not None and "
            "correlation_id is None and carrier.method == 'Publish' else None",
            "publish_response": "(server, req.inbox) if req.inbox is not None else None",
        },
        most=1024,
    ),
    Action(
        on="publish_request",
        do="box.first_n = n if coalesce(box.open, 0) == 0 or t - box.asked_t > ACK_LATE else "
        "box.first_n; "
        "box.open = 1 if t - box.asked_t > ACK_LATE else coalesce(box.open, 0) + 1; "
        "box.asked_t = t",
    ),
    Action(on="publish_response", do="box.open = max(coalesce(box.open, 0) - 1, 0)"),
    Lifecycle(
        name="log",
        scope="capture",
        doc="A stream, by its name.",
        key={
            "create_stream_request delete_stream_request set_stream_readonly_request "
            "pause_stream_request": "fields.name",
            "propagated_request": "create_stream_op.stream.name",
            "publish_request ack subscribe_request set_cursor_request fetch_cursor_request "
            "fetch_partition_metadata_request message": "stream",
            "publish_to_subject_request": "subject",
            "client:publish": "carrier.subject",
            "create_stream_response delete_stream_response": "req.stream",
            "publish_response": "ack.stream",
            "end:sub": "sub.stream if sub.start is not None and sub.count <= 1 else None",
            "end:part": "part.stream",
        },
    ),
    Action(
        on="create_stream_request",
        do="log.optimistic = optimistic_concurrency_control.value; log.stored = 0",
    ),
    Action(
        on="propagated_request",
        when="create_stream_op.stream.name is not None",
        do="log.optimistic = create_stream_op.stream.config.optimistic_concurrency_control.value",
    ),
    Action(
        on="publish_response",
        when="ack.stream is not None and coalesce(ack.ack_error, 0) == 0 and log.site == server",
        do="log.stored = 1",
    ),
    Lifecycle(
        name="order",
        scope="capture",
        doc="Acks of one partition with one policy: their offsets grow. Its subject is that of the "
        "message: v1.9.0 writes the stream's as `partition_subject` of all partitions.",
        key={"client:ack": "server, stream, msg_subject, coalesce(ack_policy, 0)"},
    ),
    Action(
        on="client:ack",
        when=f"not ({_REFUSED})",
        do="order.offset = coalesce(offset, 0); order.by = n",
    ),
    Context(name="stream", value="pub.stream sub.stream"),
    Context(name="subject", value="pub.subject"),
)
"""From the API to the log and back."""


def _call(name: str, *, failed: str = _NO_ONE, type_: str = "call") -> Pair:
    """Return the pair of a request and its answer on the reply subject; NATS itself may answer."""
    return Pair(
        name=name,
        request=name,
        answers=f"{name.removesuffix('_request')}_response no_responders",
        key="carrier.reply_to",
        answer_key="carrier.subject",
        keep="carrier.subject as topic leader_epoch as epoch"
        if name == "replication_request"
        else "carrier.subject as topic",
        failed=failed,
        type=type_,
    )


SERVERS: Final = (
    _call("replication_request", type_="replication"),
    _call("leader_epoch_offset_request"),
    _call("propagated_request", failed=f"{_NO_ONE} or error.code is not None"),
    _call("partition_status_request"),
    _call("server_info_request"),
    _call("raft_join_request", failed=f"{_NO_ONE} or len(error) > 0"),
    _call("raft_accept"),
    Lifecycle(
        name="asked",
        scope="connection",
        doc="A follower's request for messages.",
        key={
            "client:replication_request": "carrier.reply_to",
            "server:replication_response server:no_responders": "carrier.subject",
        },
        steps=(
            Transition("absent unknown", "client:replication_request", "waiting"),
            Transition("waiting", "server:replication_response server:no_responders", "answered"),
        ),
        final="answered",
    ),
    Timer(
        name="reply",
        of="asked",
        on="client:replication_request",
        limit="REPLY_LATE",
        clear="server:replication_response server:no_responders",
    ),
    Action(on="client:replication_request", do="asked.topic = carrier.subject"),
    Lifecycle(
        name="lead",
        scope="capture",
        doc="A partition as its leader serves it, by the subject of its replication.",
        key={
            "replication_request": "carrier.subject",
            "replication_response": "req.topic",
            "end:leading": "leading.topic",
        },
    ),
    Action(
        on="client:replication_response",
        do="lead.flow = flow; lead.by = n; lead.leader_epoch = leader_epoch; "
        "lead.hw = high_watermark; lead.newest = coalesce(last(records.offset), lead.newest)",
    ),
    Lifecycle(
        name="leading",
        scope="connection",
        doc="A partition that a server leads, on its connection to NATS.",
        key={"client:replication_response": "req.topic"},
    ),
    Action(on="client:replication_response", do="leading.topic = req.topic"),
    Action(on="end:leading", when="lead.flow == flow", do="lead.flow = None"),
    Lifecycle(
        name="copy",
        scope="connection",
        doc="A partition as a follower has it.",
        key={
            "client:replication_request": "stem(carrier.subject)",
            "server:replication_response server:leader_epoch_offset_response": "stem(req.topic)",
        },
    ),
    Action(on="server:replication_response", do="copy.hw = high_watermark; copy.by = n"),
    Action(
        on="client:replication_request",
        do="copy.replica = replica_id; copy.topic = carrier.subject; copy.offset = offset; "
        "copy.asked_n = n",
    ),
    Timer(
        name="behind",
        of="copy",
        on="server:replication_response client:replication_request",
        when="copy.hw > copy.offset",
        limit="BEHIND",
        clear="client:replication_request",
        clear_when="copy.offset >= copy.hw",
    ),
    Lifecycle(
        name="known",
        scope="capture",
        doc="The servers of the capture: those since v1.0.0 speak in envelopes.",
        key={"publish server_info_request": "0 * size"},
    ),
    Action(on="server_info_request", when="version == 0", do="known.streams = 'new'"),
    Action(on="server_info_request", when="version is None", do="known.streams = 'old'"),
    Burst(
        name="reports",
        on="client:propagated_request",
        key="op, coalesce(report_leader_op.stream, shrink_isr_op.stream), "
        "coalesce(coalesce(report_leader_op.partition, shrink_isr_op.partition), 0), "
        "coalesce(report_leader_op.replica, shrink_isr_op.replica_to_remove)",
        when="op in (1, 2)",
        window="REPORTING",
        limit="REPORTS",
    ),
    Burst(
        name="asks",
        on="client:replication_request",
        key="carrier.subject, replica_id, offset",
        window="ASKING",
        limit="ASKS",
    ),
    Lifecycle(
        name="seed",
        scope="capture",
        doc="Who calls itself the first server of a cluster.",
        key={"client:raft_bootstrap": "carrier.subject"},
    ),
    Action(on="client:raft_bootstrap", do="seed.server = id; seed.by = n"),
)
"""What servers say to each other."""

READERS: Final = (
    Lifecycle(
        name="sub",
        scope="connection",
        doc="A subscription: one call of the API.",
        type="subscription",
        key={"subscribe_request message": "carrier.stream_id"},
        steps=(
            Transition("absent", "subscribe_request", "asked"),
            Transition("asked unknown", "message", "ready"),
        ),
        starts={"count": 0},
        measures={"messages": "sub.count - 1"},
    ),
    Action(on="subscribe_request", do="sub.stream = stream"),
    Action(
        on="message",
        do="sub.count = sub.count + 1; sub.last = coalesce(offset, 0); sub.last_at = n",
    ),
    Lifecycle(
        name="reader",
        scope="capture",
        doc="Who reads a partition: an address of a client.",
        key={
            "subscribe_request message set_cursor_request": "client, stream, "
            "coalesce(partition, 0)",
            "end:sub": "client, sub.stream, sub.partition",
        },
    ),
    Action(
        on="message",
        when="stream is not None",
        do="reader.last = coalesce(offset, 0); reader.last_at = n",
    ),
    Pair(
        name="assignments",
        request="fetch_consumer_group_assignments_request",
        answers="fetch_consumer_group_assignments_response",
        key="carrier.stream_id",
        keep="group_id consumer_id",
        type="",
    ),
    Lifecycle(
        name="member",
        scope="connection",
        doc="A consumer of a group.",
        key={
            "join_consumer_group_request leave_consumer_group_request "
            "fetch_consumer_group_assignments_request": "group_id, consumer_id",
            "fetch_consumer_group_assignments_response join_consumer_group_response": (
                "req.group_id, req.consumer_id"
            ),
            "subscribe_request": "consumer.group_id, consumer.consumer_id",
        },
        steps=(
            Transition("absent unknown", "join_consumer_group_request", "joined"),
            Transition("unknown", "fetch_consumer_group_assignments_request", "joined"),
            Transition("joined", "leave_consumer_group_request", "left"),
        ),
        final="left",
    ),
    Action(
        on="fetch_consumer_group_assignments_request",
        do="member.asked_at = n; member.group = group_id; member.consumer = consumer_id",
    ),
    Action(
        on="fetch_consumer_group_assignments_response",
        do="member.group_epoch = coalesce(epoch, 0); member.answered_at = n",
    ),
    Action(
        on="join_consumer_group_response fetch_consumer_group_assignments_request",
        do="member.fetched_t = t",
    ),
)
"""Who reads."""

CONVERSATIONS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *PUBLISHES, *SERVERS, *READERS, *BEHAVIOURS, *OBJECT_STATES, *PROGRAMS, *STORAGE,
    *RETURNS, *ANSWERS, *MESSAGE_PATHS,
)  # fmt: skip
