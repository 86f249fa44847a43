"""Rules about streams, consumers and keys: what a client does against their state."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.nats.row_names import CREATES, DELIVERED, IS_PULL, SENT
from streamshark.protocols.nats.sources import ADR_8, CONSUMER, STREAM
from streamshark.protocols.nats.stream_state_predicates import contradicts_itself, is_unwanted
from streamshark.protocols.nats.stream_states import (
    ALL_PUT_OFF,
    BELOW_START,
    CONTESTS,
    GUESSED,
    MADE_AGAIN,
    MAKES,
    OF_INTEREST,
    PURGES_UNREAD,
    TAKES_FROM_QUEUE,
    UNSTORED,
)

SOURCES: Final = (
    Rule(
        id="NATS-B137",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stream deleted and created again that is the source of another one",
        on=SENT,
        when=MADE_AGAIN,
        needs="whole all",
        per="server, token(subject, 4)",
        evidence="n, origin.deleted_n, origin.copy_n",
        message="stream {token(subject, 4)} is deleted and created again, and stream {origin.copy} "
        "has it as its source: its sequences begin at 1, while {origin.copy} goes on after the "
        "last one that it has copied",
        cause="The program deletes a stream to empty it: what is stored from then on is not copied "
        "until the sequence is reached. A purge keeps the sequences; or create both streams again.",
        source=f"{STREAM}, startingSequenceForSources; nats-server issue 8346",
        healthy="The stream that copies it is deleted and created later.",
    ),
    Rule(
        id="NATS-B138",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="work queue with a consumer that is also the source of another stream",
        on=SENT,
        when=TAKES_FROM_QUEUE,
        needs="whole all",
        per="server, origin.queue_n",
        evidence="n, coalesce(origin.copy_n, origin.consumer_n), origin.queue_n",
        message="a work queue (frame {origin.queue_n}) has a consumer, and is the source of "
        "another stream ({subject}): each message goes to one of the two",
        cause="A source is a consumer: the work queue removes what was copied, and its workers do "
        "not receive it. A stream with limits, or with retention interest, can be copied.",
        source=f"{STREAM}, setupSourceConsumer; docs.nats.io, Source and Mirror",
        healthy="A consumer that is given up when the stream is to be copied.",
    ),
)

INTEREST: Final = (
    Rule(
        id="NATS-B139",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="message scheduled in a stream with retention interest that no consumer wants",
        on=DELIVERED,
        when=f"{OF_INTEREST} and asked.schedule is not None",
        predicate=is_unwanted,
        reads="asked.subject origin.filters",
        needs="whole all",
        of="origin",
        evidence="asked.n, n, origin.interest_n",
        message="the schedule {asked.schedule} is stored as {asked.subject}, and the consumers of "
        "its stream want {found}: with retention interest the stream drops it at once, so "
        "its message is never published",
        cause="A schedule is a message of its own subject, and has to be kept until it is due: "
        "retention workqueue or limits keeps it.",
        source=f"{STREAM}, checkInterest; ADR-51, Message Scheduler; nats-server issue 7408",
        healthy="A consumer that was created in captures which are not read.",
    ),
    Rule(
        id="NATS-B139b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="message in a stream with retention interest that no consumer wants",
        on=DELIVERED,
        when=f"{OF_INTEREST} and asked.schedule is None",
        predicate=is_unwanted,
        reads="asked.subject origin.filters",
        needs="whole all",
        of="origin",
        evidence="asked.n, n, origin.interest_n",
        message="the message to {asked.subject} was stored, and the consumers of its stream want "
        "{found}: with retention interest the stream drops it at once",
        cause="The filter of the consumer does not match the subject, or its consumer does not "
        "exist yet.",
        source=f"{STREAM}, checkInterest; docs.nats.io, JetStream, streams, RetentionPolicy",
        healthy="Subjects of a stream that no program wants at present.",
    ),
)

GONE: Final = (
    Rule(
        id="NATS-B200",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="messages to a stream that is gone",
        on="hmsg",
        when=f"{UNSTORED} and newest.stored is not None and newest.missed + 1 >= UNSTORED_LIMIT",
        needs="",
        of="newest",
        evidence="asked.n, n, newest.stored_n",
        message="no stream stores {asked.subject} any more: the message with sequence "
        "{newest.stored} was the last one, and {UNSTORED_LIMIT} messages since then were answered "
        "with status 503",
        cause="The stream was deleted, an update has taken the subject away from it, or it was in "
        "memory and its server has restarted: create it "
        "again after a reconnection, or store it in a file.",
        source=f"{STREAM}, setupStore; nack issue 202",
        healthy="A stream that is removed while programs still publish.",
    ),
)

CONSUMERS: Final = (
    Rule(
        id="NATS-B140",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="consumer that starts beyond the messages of its stream",
        on=DELIVERED,
        when=f"{BELOW_START} and origin.below + 1 >= BELOW_LIMIT",
        needs="whole all",
        of="origin",
        evidence="origin.start_n, asked.n, n",
        message="a consumer starts at sequence {origin.start}, and {BELOW_LIMIT} messages that "
        "were published later have smaller ones: they are not delivered to it",
        cause="The client has kept the sequence of a stream that was deleted and created again, "
        "or of another one. Compare it with last_seq of the stream first.",
        source=f"{CONSUMER}, selectStartingSeqNo; nats-server issue 4174",
        healthy="A consumer that is to begin later.",
    ),
    Rule(
        id="NATS-B141",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="all messages that a consumer may have open are put off",
        on="server:hmsg",
        when=ALL_PUT_OFF,
        needs="start whole both",
        of="conn",
        evidence="conn.put_off_n, n, pull.n",
        message="{conn.put_off} messages are rejected with a delay that is not over, which is "
        "max_ack_pending of the consumer: pull requests expire, although messages wait",
        cause="A message that is rejected by -NAK with a delay stays open. Raise max_ack_pending, "
        "or publish such messages for later and acknowledge them.",
        source=f"{CONSUMER}, processNak; nats-server issue 6093",
        healthy="A consumer that is to wait until the delays are over.",
    ),
    Rule(
        id="NATS-B152",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="pull requests to a paused consumer",
        on=SENT,
        when=f"{IS_PULL} and rest.until_t > t",
        needs="",
        of="rest",
        evidence="n, rest.paused_n",
        message="a pull request is sent to consumer {token(subject, 6)}, which is paused for "
        "another {rest.until_t - t:time}: it expires without messages",
        cause="The client does not look at pause_remaining, or another program has paused the "
        "consumer.",
        source="ADR-50, Consumer Pause; nats-server v2.12.2, server/consumer.go, setPauseUntil",
        healthy="A worker that goes on when the pause is over.",
    ),
    Rule(
        id="NATS-N68",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="configuration of a stream or consumer with a member that has no effect",
        on=SENT,
        when=f"{MAKES} or {CREATES}",
        predicate=contradicts_itself,
        reads="payload subject",
        needs="",
        per="client, server, subject",
        message="{found} ({subject})",
        cause="Two members of the configuration are about the same, and the other one counts.",
        source=f"{STREAM}, StreamConfig; {CONSUMER}, ConsumerConfig; nats.py issue 599",
        healthy="A configuration that is meant so.",
    ),
)

_GUESS: Final = (
    "{asked.key} is written with the revision that the refusal in frame {asked.guess_n} named, and "
    "the client has not read the value that it replaces"
)
KEYS: Final = (
    Rule(
        id="NATS-B142",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="keys written with the revisions of refusals, without a read",
        on=DELIVERED,
        when=f"{GUESSED} and coalesce(conn.guessed, 0) + 1 >= GUESSED_LIMIT",
        needs="start whole both",
        of="conn",
        evidence="asked.n, asked.guess_n, conn.guessed_n",
        message=f"{_GUESS}, as happened before on this connection",
        cause="The client takes the revision from the text of the error and writes again: the "
        "check has no effect, and a lock or a lease is taken from its holder.",
        source=f"{ADR_8}, Update; nats.rs issue 1221",
        healthy="The written value does not depend on the one before it.",
    ),
    Rule(
        id="NATS-B142b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="key written with the revision of a refusal, without a read",
        on=DELIVERED,
        when=GUESSED,
        needs="start whole both",
        of="conn",
        evidence="asked.n, asked.guess_n",
        message=_GUESS,
        cause="The client takes the revision from the text of the error and writes again: the "
        "check has no effect.",
        source=f"{ADR_8}, Update; nats.rs issue 1221",
        healthy="The written value does not depend on the one before it.",
        echo_of="NATS-B142",
    ),
)

SUBJECTS: Final = (
    Rule(
        id="NATS-B150",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="most conditional writes to a subject refused, from several clients",
        on=DELIVERED,
        when=CONTESTS,
        needs="",
        per="server, asked.compares",
        evidence="n, contest.refused_n, contest.agreed_n",
        message="{contest.refused + 1} writes to {asked.compares} were refused with 'wrong last "
        "sequence' and {coalesce(contest.agreed, 0)} stored: {count(contest.writers)} clients "
        "write to it at once, and each reads and tries again",
        cause="All clients write to one subject under a condition, which one of them meets at a "
        "time. A subject or key of its own for each, or a counter of the stream, needs no retry.",
        source=f"{ADR_8}, Update; ADR-49, JetStream distributed counters; nats-server issue 3693",
        healthy="A value that is seldom written, by many at the same moment.",
    ),
    Rule(
        id="NATS-B151",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="subject purged before a consumer has received its last message",
        on=SENT,
        when=PURGES_UNREAD,
        needs="start whole both",
        per="client, server, token(subject, 4)",
        evidence="n, newest.stored_n",
        message="{subject} removes all messages of a subject, also the one in frame "
        "{newest.stored_n}, which the client published {t - newest.stored_t:time} ago and no "
        "consumer in these captures has received",
        cause="The last message says that something has ended, and is purged with what it ends: "
        "consumers never learn of it. A purge with keep 1, or up to a sequence, leaves it.",
        source=f"{STREAM}, purge; docs.nats.io, JetStream, purging; nats-server issue 3106",
        healthy="A subject whose messages no client needs any more.",
    ),
)

STREAM_STATE_RULES: Final = (*SUBJECTS, *SOURCES, *INTEREST, *GONE, *CONSUMERS, *KEYS)
"""Part of the rules of the protocol."""
