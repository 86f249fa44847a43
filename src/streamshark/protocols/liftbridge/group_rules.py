"""Rules for consumer groups of Liftbridge."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API, SERVER

GROUP_READERS: Final = (
    Rule(
        id="LFB-B53",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="plain subscription to a stream that a consumer group reads",
        on="subscribe_request",
        when="log.grouped_n is not None and consumer.group_id is None",
        of="log",
        needs="",
        evidence="n, log.grouped_n",
        message="{stream} is read by consumer group {log.group}, and here without a group: its "
        "messages are also processed by this reader",
        cause="The client subscribes without stating its group and consumer id.",
        source=f"{API}, Subscribe; {SERVER}/groups.go",
        healthy="A reader with another task.",
    ),
    Rule(
        id="LFB-B53b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer group of a subscription lost with its connection",
        on="subscribe_request",
        when="consumer.group_id is None and len(reader.group) > 0 and reader.asked_by != flow and "
        "conn.t > taken.lost_t",
        of="reader",
        needs="",
        evidence="n, reader.asked_n",
        message="partition {coalesce(partition, 0)} of {stream} is subscribed to without a group; "
        "before the connection of this client was lost it was in {reader.group}",
        cause="The client restores its subscriptions without their group: members of the group "
        "get the same messages.",
        source=f"{API}, Subscribe; {SERVER}/groups.go",
        healthy="Another program of the host.",
    ),
)

GROUPS: Final = (
    Rule(
        id="LFB-B44",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new consumer id for each start, the previous ones still in the group",
        on="join_consumer_group_request",
        when="not has(crowd.names, consumer_id) and count(crowd.names) + 1 >= NAMES_LIMIT and "
        "crowd.live <= 0 and crowd.left is None",
        of="crowd",
        needs="",
        evidence="n, crowd.latest_n, crowd.former_n",
        message="this client has joined group {group_id} under {count(crowd.names) + 1} consumer "
        "ids, one after another, and left it with none of them",
        cause="The consumer id changes with each start: until the consumer timeout, partitions "
        "stay assigned to consumers that no longer exist.",
        source=f"{SERVER}/groups.go, AddMember",
        healthy="Several programs that are run one after another.",
    ),
    Rule(
        id="LFB-B17",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="consumer id used by two connections",
        on="join_consumer_group_request",
        when="crew.flow != flow and t - crew.last_t < CONSUMER_SILENT",
        of="crew",
        needs="whole",
        evidence="n, crew.by",
        message="{consumer_id} joins group {group_id}, in which another connection is already a "
        "member with this id",
        cause="Two programs use the same consumer id; each member needs its own.",
        source=f"{SERVER}/groups.go, AddMember",
    ),
    Rule(
        id="LFB-B18",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="flood of FetchConsumerGroupAssignments",
        on="flood:fetched",
        needs="",
        message="FetchConsumerGroupAssignments was sent for {consumer_id} {FETCH_LIMIT} times in "
        "a row, each within 5 % of the consumer timeout after the previous one",
        cause="One fetch per third of the consumer timeout keeps the membership.",
        source=f"{SERVER}/groups.go, GetAssignments",
        healthy="A program that wants to learn of changes at once.",
    ),
    Rule(
        id="LFB-B19",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer active after LeaveConsumerGroup",
        on="fetch_consumer_group_assignments_request subscribe_request",
        when="member.state == 'left'",
        of="member",
        needs="whole",
        evidence="n, member.ended_n",
        message="{member.consumer} has left group {member.group} and still acts as a member",
        cause="A part of the program keeps running after the consumer was closed.",
        source=f"{SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B4",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connection closed without LeaveConsumerGroup",
        on="end:member",
        when="member.state == 'joined' and why == 'closed'",
        of="member",
        needs="start whole both",
        evidence="member.asked_at",
        message="the connection of {member.consumer} was closed while it was still a member of "
        "group {member.group}",
        cause="Its partitions are not read until the consumer timeout has passed.",
        source=f"{SERVER}/groups.go",
        healthy="A program that was killed, or that has another connection.",
    ),
    Rule(
        id="LFB-B34",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="group member subscribed to a partition not assigned to it",
        on="subscribe_request",
        when="consumer.group_id is None and len(claim.partitions) > 0 and "
        "not any_eq(claim.partitions, coalesce(partition, 0))",
        of="claim",
        needs="",
        evidence="n, claim.got_n",
        message="{claim.consumer} reads partition {coalesce(partition, 0)} of {stream} outside of "
        "its group, which has not assigned it: two consumers read its messages",
        cause="The client subscribes to all partitions itself, whatever the group assigns.",
        source=f"{SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B35",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="assigned partitions without any subscription",
        on="end:claim",
        when="len(claim.partitions) > 0 and duty.read_n is None and t - claim.got_t > UNREAD and "
        "why in ('closed', 'reset')",
        of="claim",
        needs="start whole both",
        evidence="claim.got_n",
        message="{claim.consumer} was assigned {len(claim.partitions):count partition} of "
        "{claim.stream} and did not subscribe in {t - claim.got_t:time}",
        cause="The consumer asks for its assignments and does not act on them: the messages of "
        "these partitions are not processed.",
        source=f"{SERVER}/groups.go, GetAssignments",
    ),
    Rule(
        id="LFB-B71",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="members that join a consumer group and leave it, one after another",
        on="repetition:joined_anew",
        needs="",
        message="{ANEW_LIMIT} members of this client in a row joined group {group_id} after the "
        "one before had left it",
        cause="The client makes a consumer for each message or batch: each join begins a new "
        "epoch, and all partitions are assigned anew.",
        source=f"{SERVER}/groups.go, AddMember",
        healthy="A program that is run for each batch.",
    ),
    Rule(
        id="LFB-B36",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated JoinConsumerGroup by one consumer",
        on="repetition:joined_again",
        needs="",
        message="{consumer_id} joined group {group_id} {JOIN_LIMIT} times in a row",
        cause="Each join begins a new epoch, and the partitions are assigned anew; fetching the "
        "assignments keeps a membership.",
        source=f"{SERVER}/groups.go, AddMember",
        healthy="A coordinator that changes often.",
    ),
)
