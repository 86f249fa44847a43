"""Sentences of `streamshark explain` about a connection.

They are listed among those of NATS, or of the gRPC calls, that carry these messages. Conditions see
the state before the row, as those of rules do.
"""

from typing import Final

from streamshark.conversations.explain import Sentence

SERVERS: Final = (
    Sentence(
        part="who",
        on="client:server_info_request client:raft_bootstrap",
        per="fields.id",
        message='The client is the Liftbridge server "{fields.id}".',
    ),
    Sentence(
        part="who",
        on="client:replication_request",
        per="replica_id",
        message='The client is the Liftbridge server "{replica_id}", as a follower.',
    ),
    Sentence(
        part="who",
        on="fetch_metadata_response",
        per="len(brokers)",
        when="len(brokers) > 0",
        message="The cluster has {len(brokers):count server}.",
    ),
    Sentence(
        part="did",
        on="client:replication_request",
        per="carrier.subject",
        message="It sent {1:sum count request} for replication on {carrier.subject}[, the last for "
        "messages after offset {offset:most}].",
    ),
    Sentence(
        part="did",
        on="client:replication_response",
        per="req.topic",
        when="req.topic is not None",
        message="It answered replication requests for {req.topic} {1:sum count time}[, with "
        "{len(records):sum count message}][; the high watermark is {high_watermark:most}].",
    ),
    Sentence(
        part="did",
        on="client:leader_epoch_offset_request",
        per="carrier.subject",
        message="It became a follower {1:sum count time}: it asked on {carrier.subject} up to "
        "which offset its log matches the leader's.",
    ),
    Sentence(
        part="did",
        on="client:propagated_request",
        when="op is None",
        message="It asked the metadata leader to create stream {create_stream_op.stream.name}.",
    ),
    Sentence(
        part="did",
        on="client:propagated_request",
        per="op",
        when="op > 0",
        message="It sent {1:sum count request} for {op:name} to the metadata leader.",
    ),
    Sentence(
        part="did",
        on="client:propagated_response",
        per="coalesce(op, 0), error.code",
        when="error.code > 0",
        message="As metadata leader it refused {1:sum count request}[ for {op:name}]: "
        "{error.code:name}[, {error.msg}].",
    ),
    Sentence(
        part="did",
        on="client:request_vote client:request_pre_vote",
        per="name",
        message="It requested votes {1:sum count time}, to become the metadata leader of the "
        "cluster.",
    ),
    Sentence(
        part="did",
        on="server:no_responders",
        per="req.topic",
        when="req.topic is not None",
        message="{1:sum count request} on {req.topic} had no responders.",
        advice="The server that should listen on this subject is down, not yet up, or no longer "
        "the leader; check its log.",
    ),
)
"""Messages between servers."""

STREAMS: Final = (
    Sentence(
        part="did",
        on="create_stream_request",
        message="The client asked to create stream {fields.name} on subject {subject}[, with "
        "{partitions:count partition}][, on {replication_factor:count server}].",
    ),
    Sentence(
        part="did",
        on="create_stream_request",
        when="optimistic_concurrency_control.value",
        message="Publishers to {fields.name} must state the expected offset; -1 means any.",
    ),
    Sentence(
        part="did",
        on="delete_stream_request",
        message="The client asked to delete stream {fields.name}.",
    ),
    Sentence(
        part="did",
        on="pause_stream_request",
        message="The client asked to pause stream {fields.name}[, partitions {partitions}].",
    ),
    Sentence(
        part="did",
        on="set_stream_readonly_request",
        message="The client asked to make stream {fields.name} {'read-only' if coalesce(readonly, "
        "False) else 'writable'}[, partitions {partitions}].",
    ),
)
"""Operations on streams."""

PUBLISHING: Final = (
    Sentence(
        part="did",
        on="publish_request",
        per="stream",
        message="The client asked to publish {1:sum count message} to {stream}[, {len(value):sum "
        "size} in total].",
    ),
    Sentence(
        part="did",
        on="publish_response",
        per="ack.stream",
        when="ack.stream is not None and coalesce(ack.ack_error, 0) == 0",
        message="The server acknowledged {1:sum count message} of {ack.stream}[, up to offset "
        "{ack.offset:most}].",
    ),
    Sentence(
        part="did",
        on="publish_response",
        per="async_error.code, async_error.message",
        when="async_error.message is not None",
        message="The server refused {1:sum count message}[: {async_error.code:name}][, "
        "{async_error.message}].",
        advice="The client must check asyncError in each response: a refused message is not "
        "stored.",
    ),
    Sentence(
        part="did",
        on="client:publish",
        per="carrier.subject",
        message="The client published {1:sum count message} in envelopes to {carrier.subject}[, "
        "{len(value):sum size} in total].",
    ),
    Sentence(
        part="did",
        on="client:plain_publish",
        per="carrier.subject",
        message="The client sent {1:sum count message} without an envelope to {carrier.subject}: "
        "such messages are stored without a key and not acknowledged.",
    ),
    Sentence(
        part="did",
        on="client:ack",
        per="stream",
        when="stream is not None and coalesce(ack_error, 0) == 0",
        message="It acknowledged {1:sum count message} of {stream}[, up to offset {offset:most}].",
    ),
    Sentence(
        part="did",
        on="server:ack",
        per="stream",
        when="stream is not None and coalesce(ack_error, 0) == 0",
        message="It received {1:sum count ack} from {stream}[, up to offset {offset:most}].",
    ),
    Sentence(
        part="did",
        on="ack",
        per="stream, ack_error",
        when="ack_error > 0",
        message="{stream} did not store {1:sum count message}: {ack_error:name}.",
        advice="For an incorrect offset, another publisher was first, or expectedOffset was left "
        "at 0; for a message that is too large, check clustering.replication.max.bytes.",
    ),
)
"""Publishing."""

READING: Final = (
    Sentence(
        part="did",
        on="subscribe_request",
        per="stream, coalesce(partition, 0)",
        message="The client subscribed to {stream}, partition {coalesce(partition, 0)}[, from "
        "offset {start_offset:least}].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        per="sub.stream",
        when="sub.stream is not None and sub.count > 1",
        evidence="sub.n",
        message="{sub.count - 1:sum count message} of {sub.stream} received[, up to offset "
        "{sub.last:most}].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.state == 'asked'",
        needs="both",
        evidence="sub.n",
        message="The subscription to {sub.stream} never became ready: the initial empty message is "
        "missing.",
        advice="Check the status that ended the call: the partition does not exist, this server is "
        "not its leader, or the group epoch is over.",
    ),
    Sentence(
        part="did",
        on="set_cursor_request",
        per="cursor_id, stream",
        message="The client stored cursor {cursor_id} of {stream} {1:sum count time}[, at most "
        "{offset:most}].",
    ),
    Sentence(
        part="did",
        on="join_consumer_group_request",
        message='It joined consumer group {group_id} as "{consumer_id}".',
    ),
    Sentence(
        part="did",
        on="join_consumer_group_response",
        when="coordinator is not None",
        message="The coordinator of the group is {coordinator}; a member that is silent for "
        "{consumer_timeout:time} is removed.",
    ),
    Sentence(
        part="did",
        on="leave_consumer_group_request",
        message='"{consumer_id}" left consumer group {group_id}.',
    ),
)
"""Reading."""

SENTENCES: Final = (*SERVERS, *STREAMS, *PUBLISHING, *READING)
"""Rendered by `conversations.explain`."""
