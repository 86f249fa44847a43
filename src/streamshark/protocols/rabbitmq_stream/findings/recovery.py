"""Rules for what clients do after a failure: they end, stay away, send less, leave connections."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rabbitmq_stream.findings.sources import CORE, DOC
from streamshark.protocols.rabbitmq_stream.recovery import IS_PACED, PACE

_UNUSED: Final = "conn.partless_n is not None and conn.holds is None"
"""The connection has asked for the partitions of what is no super stream, and used no stream."""

RECOVERY: Final = (
    Rule(
        id="RMQ-B249",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="new consumer that ends since no offset is stored for it",
        on="end:newcomer",
        when="newcomer.times >= GONE_LIMIT and topic.fed_t > newcomer.since_t",
        needs="",
        evidence="newcomer.latest_n, newcomer.first_n",
        message="{newcomer.times} connections of the client were ended by it, without Close, "
        "within {GONE:time} after QueryOffset had found no offset in {newcomer.stream}; it has not "
        "subscribed, although messages are published",
        cause="The client takes the answer no_offset for a failure: it means that the consumer is "
        "new, and has to choose where it begins.",
        source=f"{DOC}, QueryOffset, response code 19; rstream pull request 25",
        healthy="A program that shows how far a consumer is, and ends at once.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B250",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher that gives up a silent broker and never returns",
        on="end:leaver",
        when="t - leaver.since_t > STAYS_AWAY and house.open_t > leaver.since_t",
        needs="",
        evidence="leaver.close_n, leaver.sent_n, leaver.heard_n, house.open_n",
        message="the client gave up its connection after {leaver.silent:time} without a frame of "
        "the broker, with {leaver.open:count message} for {leaver.stream} unconfirmed; the broker "
        "serves others again, and the client has not published there for "
        "{t - leaver.since_t:time}",
        cause="The client takes the end of its connection for one that was asked for: it has to "
        "connect again, with pauses that grow, and to publish again what is unconfirmed.",
        source=f"{CORE}, heartbeat; rabbitmq-stream-go-client issue 362",
        healthy="The client's program has ended.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B252",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="stream whose partitions are asked for, as of a super stream",
        on="end:conn",
        when=f"{_UNUSED} and conn.partless_is == 1",
        needs="start whole both",
        evidence="conn.partless_n, conn.partless_of_n",
        message="the client asked for the partitions of {conn.partless}, which is a stream and "
        "not a super stream, and used no stream on this connection",
        cause="The super stream has not been created: a stream of that name has no partitions.",
        source=f"{DOC}, Partitions; rabbitmq-stream-dotnet-client issue 195",
        healthy="A tool that finds out whether a name is that of a super stream.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B252b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="super stream that does not exist",
        on="end:conn",
        when=f"{_UNUSED} and conn.partless_is == 0",
        needs="start whole both",
        evidence="conn.partless_n, conn.partless_of_n",
        message="the client asked for the partitions of the super stream {conn.partless}, which "
        "does not exist, and used no stream on this connection",
        cause="The super stream has not been created, or has another name: without partitions "
        "there is nothing to consume or publish to.",
        source=f"{DOC}, Partitions; rabbitmq-stream-dotnet-client issue 195",
        healthy="A tool that finds out whether a super stream exists.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B253",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="publisher that sends much less since it has come back",
        on="end:pub",
        when=f"{IS_PACED} and pace.flow != flow and pub.used_t - pub.t > PACED_AGAIN and "
        f"{PACE} > pace.mean * SLOWER",
        needs="object both",
        evidence="pub.publish_n, pace.latest_n",
        message=f"publisher {{pub.id}} to {{pub.stream}} sent a message every {{{PACE}:time}}, and "
        "one every {pace.mean:time} before its connection was lost",
        cause="A part of the program does not go on since the reconnect, such as senders that "
        "still wait for it.",
        source="rabbitmq-stream-go-client pull request 335",
        healthy="There is less to send.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B254",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="connections that pile up, one for each publisher or subscription",
        on="end:pile",
        when="pile.beside >= PILED_AGAIN",
        needs="",
        evidence="pile.latest_n, pile.beside_n",
        message="{pile.most} connections whose last publisher or subscription had ended were still "
        "open when the client opened the next one, {pile.beside} times",
        cause="The client ends its publishers and consumers and not their connections: each use "
        "leaves one more, until the broker accepts no more.",
        source=f"{DOC}, Close; rabbitmq-stream-rust-client issue 180",
        healthy="Programs without a name at one address, each of which waits.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B257",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="publisher that goes on after a lost connection without its unconfirmed messages",
        on="publish",
        when="pub.follows == 1 and pub.publish_n is None and unsent.flow != flow and "
        "first(published_messages.publishing_id) == unsent.top + 1",
        needs="object both",
        of="pub",
        evidence="n, unsent.oldest_n, unsent.latest_n",
        message="publisher {pub.id} to {pub.stream} goes on with publishing id {unsent.top + 1}: "
        "{unsent.open:count message} before it had no confirm when the connection was lost, and "
        "{'is' if unsent.open == 1 else 'are'} not published again",
        cause="The client goes on with the next message when it is connected again: what had no "
        "confirm has to be published again first, since the broker may not have it.",
        source=f"{DOC}, PublishConfirm; rabbitmq-server issue 9457",
        healthy="Messages that may be lost.",
        guilty="client",
    ),
    Rule(
        id="RMQ-B255",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="refused stream that is there later, and is not tried again",
        on="end:early",
        when="coalesce(early.left_t, t) - early.since_t > TRIED_AGAIN and "
        "topic.used_t > early.since_t and "
        "coalesce(inquirer.asked_t, 0) < early.since_t",
        needs="all",
        evidence="early.refused_n, early.answer_n",
        message="{early.what} for {early.stream} was refused, as the stream "
        "{'does not exist' if early.code == 2 else 'is not available'}; others use it since, and "
        "the client stayed connected for "
        "{coalesce(early.left_t, t) - early.since_t:time} without trying again",
        cause="The client gives up at the first refusal: a stream that is just created, or whose "
        "leader is elected, is there a moment later.",
        source=f"{DOC}, response codes 2 and 6; rabbitmq-server issue 3874, "
        "rabbitmq-stream-dotnet-client issue 140",
        healthy="A program that does without the stream.",
        guilty="client",
    ),
)
"""Part of `all_rules`."""
