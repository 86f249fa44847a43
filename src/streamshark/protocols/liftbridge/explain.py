"""What is told of a connection in plain sentences: `streamshark explain`.

They stand among those of NATS, or of the calls, in which these messages travel. Conditions see what
was so before the row, as those of rules do.
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
        message="It asked {1:sum count time} on {carrier.subject} for what its copy lacks"
        "[, in the end behind offset {offset:most}].",
    ),
    Sentence(
        part="did",
        on="client:replication_response",
        per="req.topic",
        when="req.topic is not None",
        message="It answered followers on {req.topic} {1:sum count time}"
        "[, with {len(records):sum count message}][; it is committed up to offset "
        "{high_watermark:most}].",
    ),
    Sentence(
        part="did",
        on="client:leader_epoch_offset_request",
        per="carrier.subject",
        message="It became a follower {1:sum count time}: on {carrier.subject} it asked up to "
        "where its log is the leader's.",
    ),
    Sentence(
        part="did",
        on="client:propagated_request",
        when="op is None",
        message="It asked the metadata leader to create the stream {create_stream_op.stream.name}.",
    ),
    Sentence(
        part="did",
        on="client:propagated_request",
        per="op",
        when="op > 0",
        message="It asked the metadata leader {1:sum count time} for {op:name}.",
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
        message="It asked for votes {1:sum count time}, to lead the cluster's metadata.",
    ),
    Sentence(
        part="did",
        on="server:no_responders",
        per="req.topic",
        when="req.topic is not None",
        message="Nobody listened to {req.topic} when it was asked there, {1:sum count time}.",
        advice="The server that is to listen there is down, not yet up, or no longer the leader; "
        "look at its log.",
    ),
)
"""What servers say to each other."""

STREAMS: Final = (
    Sentence(
        part="did",
        on="create_stream_request",
        message="It asked for the stream {fields.name} on the subject {subject}[, with "
        "{partitions:count partition}][, on {replication_factor:count server}].",
    ),
    Sentence(
        part="did",
        on="create_stream_request",
        when="optimistic_concurrency_control.value",
        message="Who publishes to {fields.name} has to say which offset is expected; -1 is any.",
    ),
    Sentence(
        part="did",
        on="delete_stream_request",
        message="It asked to delete the stream {fields.name}.",
    ),
    Sentence(
        part="did",
        on="pause_stream_request",
        message="It asked to pause the stream {fields.name}[, partitions {partitions}].",
    ),
    Sentence(
        part="did",
        on="set_stream_readonly_request",
        message="It asked to make the stream {fields.name} "
        "{'read-only' if coalesce(readonly, False) else 'writable'}[, partitions {partitions}].",
    ),
)
"""What is done to streams."""

PUBLISHING: Final = (
    Sentence(
        part="did",
        on="publish_request",
        per="stream",
        message="It wanted {1:sum count message} published to {stream}[, "
        "{len(value):sum size} in all].",
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
        message="The server refused {1:sum count message}[: {async_error.code:name}]"
        "[, {async_error.message}].",
        advice="The client is to look at asyncError of each answer: what is refused is not stored.",
    ),
    Sentence(
        part="did",
        on="client:publish",
        per="carrier.subject",
        message="It published {1:sum count message} in envelopes to {carrier.subject}"
        "[, {len(value):sum size} in all].",
    ),
    Sentence(
        part="did",
        on="client:plain_publish",
        per="carrier.subject",
        message="It sent {1:sum count message} without an envelope to {carrier.subject}: they are "
        "stored without a key, and nobody gets an ack.",
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
        message="It got {1:sum count ack} of {stream}[, up to offset {offset:most}].",
    ),
    Sentence(
        part="did",
        on="ack",
        per="stream, ack_error",
        when="ack_error > 0",
        message="{stream} did not store {1:sum count message}: {ack_error:name}.",
        advice="An incorrect offset: another publisher was first, or expectedOffset was left at 0; "
        "too large: look at clustering.replication.max.bytes.",
    ),
)
"""Messages on their way into a log."""

READING: Final = (
    Sentence(
        part="did",
        on="subscribe_request",
        per="stream, coalesce(partition, 0)",
        message="It subscribed to {stream}, partition {coalesce(partition, 0)}"
        "[, from offset {start_offset:least} on].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        per="sub.stream",
        when="sub.stream is not None and sub.count > 1",
        evidence="sub.n",
        message="{sub.count - 1:sum count message} of {sub.stream} came[, up to offset "
        "{sub.last:most}].",
    ),
    Sentence(
        part="did",
        on="end:sub",
        when="sub.state == 'asked'",
        needs="both",
        evidence="sub.n",
        message="The subscription to {sub.stream} never became ready: no empty message came.",
        advice="Look at the status that the call ended with: no such partition, not its leader, a "
        "group's epoch that is over.",
    ),
    Sentence(
        part="did",
        on="set_cursor_request",
        per="cursor_id, stream",
        message="It stored the cursor {cursor_id} of {stream} {1:sum count time}"
        "[, in the end {offset:most}].",
    ),
    Sentence(
        part="did",
        on="join_consumer_group_request",
        message='It joined the consumer group {group_id} as "{consumer_id}".',
    ),
    Sentence(
        part="did",
        on="join_consumer_group_response",
        when="coordinator is not None",
        message="The group's coordinator is {coordinator}; who is silent for "
        "{consumer_timeout:time} is no longer a member.",
    ),
    Sentence(
        part="did",
        on="leave_consumer_group_request",
        message='"{consumer_id}" left the consumer group {group_id}.',
    ),
)
"""Who reads."""

SENTENCES: Final = (*SERVERS, *STREAMS, *PUBLISHING, *READING)
"""Told by `conversations.explain`."""
