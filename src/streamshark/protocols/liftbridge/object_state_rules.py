"""Rules for the state of streams, cursors and groups: what a client does against it."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.object_states import OFFSET_TAKEN

_API: Final = "liftbridge-io/liftbridge v1.9.0, server/api.go"
_DOC: Final = "liftbridge-api v1.9.0, api.proto"

OBJECT_STATE_RULES: Final = (
    Rule(
        id="LFB-B73",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="subscription that starts at a negative offset",
        on="subscribe_request",
        when="start_position == 1 and start_offset < 0",
        needs="",
        of="place",
        evidence="n, place.fetched_n",
        message="the subscription to {stream} starts at offset {start_offset}, which no message "
        "has",
        by="'absent' if place.absent_flow == flow else 'other'",
        causes={
            "absent": "The cursor does not exist yet: FetchCursor answers with -1, and the client "
            "uses the answer as an offset.",
        },
        cause="The client computes the offset from a place that it does not have.",
        source=f"{_DOC}, FetchCursorResponse, SubscribeRequest.startOffset",
        healthy="Clients that leave it to the server to begin at the first message.",
    ),
    Rule(
        id="LFB-B73b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="subscription that starts at offset 1 although the cursor does not exist",
        on="subscribe_request",
        when="start_position == 1 and start_offset == 1 and place.absent_flow == flow and "
        "reader.last_at is None",
        needs="",
        of="place",
        evidence="n, place.fetched_n",
        message="the cursor of {stream} does not exist, but the subscription starts at offset 1: "
        "the first message is skipped",
        cause="The client reads the answer -1 as offset 0, and starts after it.",
        source=f"{_DOC}, FetchCursorResponse, SubscribeRequest.startOffset",
    ),
    Rule(
        id="LFB-B74",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="assignments fetched with an older epoch of the group than was answered",
        on="fetch_consumer_group_assignments_request",
        when="coalesce(epoch, 0) < member.group_epoch",
        needs="since",
        of="member",
        evidence="n, member.answered_at",
        message="{consumer_id} of group {group_id} fetches its assignments with epoch "
        "{coalesce(epoch, 0)}, after the answer had epoch {member.group_epoch}",
        cause="The client does not keep the epoch of the answer: the server sends all assignments "
        "again each time.",
        source=f"{_DOC}, FetchConsumerGroupAssignmentsRequest.epoch; {_API}",
        healthy="A client that asks twice before the first answer arrives.",
        worsens=True,
    ),
    Rule(
        id="LFB-B75",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream deleted while another client receives its messages",
        on="delete_stream_request",
        when="watched.flow != flow and t - watched.read_t <= RECEIVING",
        needs="",
        of="watched",
        evidence="n, watched.read_n",
        message="{fields.name} is deleted {t - watched.read_t:time} after another connection "
        "received a message of it: its subscription ends with an error",
        cause="A program cleans up while others use the stream.",
        healthy="A test that cleans up.",
        source=f"{_API}, DeleteStream",
    ),
    Rule(
        id="LFB-B76",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="cursor set to a negative offset",
        on="set_cursor_request",
        when="offset < 0",
        needs="",
        of="mark",
        message="cursor {cursor_id} of {stream} is set to {offset}, which no message has",
        cause="The client stores its place before it has received a message, or computes it from "
        "the place of the next one.",
        healthy="A program that takes its place back.",
        source=f"{_DOC}, SetCursorRequest.offset",
    ),
    Rule(
        id="LFB-B77",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="subscription of a group member that lacks the group or the consumer",
        on="subscribe_request",
        when="len(consumer.group_id) > 0 and coalesce(len(consumer.consumer_id), 0) == 0 or "
        "len(consumer.consumer_id) > 0 and coalesce(len(consumer.group_id), 0) == 0",
        needs="",
        of="conn",
        message="the subscription to {stream} names "
        "{'a group and no consumer' if len(consumer.group_id) > 0 else 'a consumer and no group'}: "
        "the server cannot see that the member reads its partition",
        cause="The client fills in only one of the two fields of a group's member.",
        source=f"{_DOC}, SubscribeRequest.consumer",
    ),
    Rule(
        id="LFB-B78",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="group joined without streams",
        on="join_consumer_group_request",
        when="coalesce(len(streams), 0) == 0",
        needs="",
        of="conn",
        message="{consumer_id} joins group {group_id} without streams: it is assigned no partition",
        cause="The client joins before it knows which streams it reads.",
        source=f"{_DOC}, JoinConsumerGroupRequest.streams",
    ),
    Rule(
        id="LFB-B79",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="expected offset in a message that wants no ack",
        on="publish_request",
        when="ack_policy == 2 and expected_offset > 0",
        needs="",
        of="log",
        message="a message for {stream} has the expected offset {expected_offset} and ack policy "
        "none: if the offset differs the message is not stored, and the client does not learn it",
        cause="The client compares offsets, but does not ask for the result.",
        source=f"{_DOC}, PublishRequest.expectedOffset, AckPolicy",
    ),
    Rule(
        id="LFB-B80",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="replication factor above the number of servers",
        on="create_stream_request",
        when="replication_factor > conn.brokers",
        needs="",
        of="log",
        evidence="n, conn.brokers_n",
        message="{fields.name} is to have {replication_factor} replicas, but the metadata has "
        "{conn.brokers:count server}: the server refuses it",
        cause="The setting of a larger cluster is used; -1 means all servers.",
        source=f"{_DOC}, CreateStreamRequest.replicationFactor; {_API}, CreateStream",
    ),
    Rule(
        id="LFB-B81",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="assignments fetched from another server than the coordinator",
        on="fetch_consumer_group_assignments_request",
        when="node.port is not None and number(between(server, ':', '')) != node.port",
        needs="",
        of="member",
        evidence="n, member.joined_n, node.listed_n",
        message="{consumer_id} of group {group_id} fetches its assignments from {server}, but the "
        "coordinator is {member.coordinator}, {node.host}:{node.port}",
        cause="The client asks the server at which it joined: the coordinator does not learn that "
        "the consumer lives, and removes it.",
        source=f"{_DOC}, JoinConsumerGroupResponse.coordinator; {_API}, "
        "FetchConsumerGroupAssignments",
        healthy="A proxy is in front of the servers.",
    ),
    Rule(
        id="LFB-B82",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="most messages with an expected offset refused, from several clients",
        on="publish_response",
        when=f"{OFFSET_TAKEN} and race.refused + 1 >= RACE_LIMIT and "
        "race.refused >= 2 * coalesce(race.agreed, 0) and count(race.writers) > 2",
        needs="",
        of="race",
        evidence="n, conn.compares_n, race.refused_n",
        message="{race.refused + 1} messages of {count(race.writers)} connections to "
        "{conn.compares} were refused, and {coalesce(race.agreed, 0)} stored: each makes the "
        "others read and try again",
        cause="Many clients publish to one partition with expected offsets. Give each a partition "
        "of its own, or let one program publish for all.",
        source=f"{_DOC}, PublishRequest.expectedOffset; {_API}",
        healthy="A burst of changes by many clients.",
    ),
)
"""Part of the rules of the protocol."""
