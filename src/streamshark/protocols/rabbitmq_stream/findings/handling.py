"""Rules for what programs do with messages that they read: results, copies, order, groups."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream import handling_predicates
from streamshark.protocols.rabbitmq_stream.behaviours import LEFT
from streamshark.protocols.rabbitmq_stream.findings.sources import DOC, OSIRIS
from streamshark.protocols.rabbitmq_stream.handling import ORDERING, PUBLISHED

HANDLING: Final = (
    Rule(
        id="RMQ-B190",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages of a group published out of the order of their numbers",
        on="publish",
        when=f"{ORDERING} and course.several == 1 and 1 < count(course.steps) < ORDERED",
        predicate=handling_predicates.is_behind,
        reads="n t published_messages course.steps",
        needs="start whole both",
        of="course",
        evidence="n, pub.n",
        message="publisher {pub.id} sends {found} (group-sequence, group-id) to {pub.stream}, "
        "which has messages of several connections",
        cause="Messages whose order matters are spread over several publishers, whose batches "
        "leave at different times: those of one group have to go through one.",
        source="AMQP 1.0 part 3, 3.2.4; rabbitmq-stream-dotnet-client issue 425",
        healthy="Numbers that are given back to a group.",
    ),
    Rule(
        id="RMQ-B191",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages that come back to the stream that they were published to",
        on="publish",
        when=f"{PUBLISHED} and pub.makes is None and "
        "len(first(published_messages.message)) >= TELLING_COPY and "
        "has(plant.read, digest(first(published_messages.message))) and "
        "has(source.new, digest(first(published_messages.message))) and "
        "has(plant.passed, digest(first(published_messages.message))) and "
        "not has(source.back, digest(first(published_messages.message))) and "
        "coalesce(count(source.back), 0) + 1 >= CAME_BACK",
        needs="start whole both",
        of="source",
        evidence="n, pub.n",
        message="{CAME_BACK} messages that were published to {pub.stream} before are published to "
        "it again, by a publisher that only sends what its client has read",
        cause="Programs copy streams to each other, and copy the copies as well: messages go round "
        "without end. A copy has to say where it comes from, and is not copied back.",
        source=f"{DOC}, Publish; lavinmq issue 1051",
        healthy="Messages that are published again on purpose, such as by a job that repairs.",
    ),
    Rule(
        id="RMQ-B192",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored offsets that no message has",
        on="end:sub",
        when="sub.wrong >= ABSENT_LIMIT",
        needs="whole both",
        of="sub",
        evidence="sub.wrong_n, sub.last_wrong_n, sub.n",
        message="{sub.wrong:count offset} stored for {sub.wrong_name} in {sub.stream}, such as "
        "{sub.wrong_offset}, are of no message: subscription {sub.id} received messages before "
        "and after each",
        cause="The client counts messages, or adds to an offset: offsets are not consecutive, as "
        "stored offsets take some. It has to store the offset of a message.",
        source=f"{OSIRIS}, tracking chunks; osiris issue 99",
        healthy="",
    ),
    Rule(
        id="RMQ-B193",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="offset stored before the results of its messages",
        on="end:sub",
        when="count(intake.before) > 0 and intake.before_stored is not None and "
        "intake.again_flow == flow and intake.several is None",
        predicate=handling_predicates.has_no_result,
        reads="intake.before intake.before_stored plant.results",
        needs="start whole both",
        of="intake",
        evidence="intake.before_n, intake.again_n",
        message="offset {intake.before_stored} of {sub.stream} was stored, and the next "
        "subscription began after it, but no result was published for {found} and those after it, "
        "while those before it have one",
        cause="The client stores the offset of messages when they arrive, and handles them later: "
        "what it has not handled when it ends is lost. The offset may be stored only when the "
        "results are confirmed.",
        source=f"{DOC}, StoreOffset; rabbitmq-stream-go-client issue 322",
        healthy="Messages that need no result.",
    ),
    Rule(
        id="RMQ-B194",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="active consumer that hangs while another one waits",
        on="end:sub",
        when="sub.single == 'true' and group.leader_flow == flow and group.leader_sid == sub.id "
        "and (bench.members > 1 or bench.left_t - sub.came_t > STARVING) and "
        "sub.credits >= CREDITED_BEFORE and "
        "sub.balance <= sub.initial // 2 and t - sub.came_t > "
        "max(STARVING, coalesce(sub.delay_most, 0) * MUCH_LONGER) and "
        "topic.fed_t > sub.came_t + STARVING",
        needs="object both",
        evidence="sub.credit_n, sub.deliver_n, bench.latest_n",
        message="subscription {sub.id}, the active one of group {sub.reference} for {sub.stream}, "
        "gave no Credit for {t - sub.came_t:time}, though it took {sub.delay_most:time} at most "
        "before and messages are published; another member of the "
        "group waits",
        cause="The handler hangs at a message. As its connection lives, the broker does not make "
        "another member active: the handler needs a time limit, or has to close its connection.",
        source=f"{DOC}, Credit, ConsumerUpdate; rabbitmq-stream-dotnet-client issue 246",
        healthy="A consumer that is paused on purpose.",
    ),
    Rule(
        id="RMQ-B256",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="first chunks that get no Credit, unlike all later ones",
        on="end:sub",
        when="sub.late_n is not None and sub.chunks - (sub.granted - sub.initial) == sub.early and "
        "sub.chunks >= sub.early + CREDITED_BEFORE and sub.credit_n > sub.deliver_n and "
        f"{LEFT} - sub.credit_t > RETURNED",
        needs="object both",
        evidence="sub.early_n, sub.late_n, sub.n",
        message="{sub.early:count chunk} that came within {AT_THE_START:time} after the answer to "
        "Subscribe got no Credit, and each of the {sub.chunks - sub.early} later ones did: the "
        "client drops what comes before it has its consumer of subscription {sub.id}",
        cause="The client prepares its consumer after the answer to Subscribe: it has to do so "
        "before Subscribe, as chunks may come right with the answer.",
        source=f"{DOC}, Subscribe, Credit; rabbitmq-stream-js-client issue 85",
        healthy="A consumer that takes its first credit back, and begins with less.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B222",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that ends at the same chunk each time",
        on="repetition:fails_at",
        needs="whole both",
        per="client, server, conn.vhost, sub.stream",
        evidence="sub.deliver_n, fails_at.second_n, fails_at.first_n",
        message="{GONE_LIMIT} consumers of {sub.stream} in a row were dropped by the client, "
        "without Close, within {GONE:time} after the chunk that ends with message {sub.next - 1}",
        cause="The client fails when it decodes or handles a message of the chunk, and is started "
        "again: it does not get on.",
        source=f"{DOC}, Deliver; rabbitmq-stream-js-client issue 232",
        healthy="A program that needs the first messages alone and ends without Close.",
    ),
)
"""Part of `all_rules`."""
