"""Rules for the parts of programs: what stores the place, what reads, what publishes."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.programs import COMES_AGAIN, GOES_ON, NOT_ASSIGNED
from streamshark.protocols.liftbridge.sources import API, SERVER

_OFTEN: Final = 5
"""Messages of a partition that now belongs to another member."""

PROGRAM_RULES: Final = (
    Rule(
        id="LFB-B100",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="connections of a client that begin at one offset and end soon",
        on="end:sub",
        when="begun.times + 1 >= STARTS_LIMIT",
        needs="start whole both",
        of="begun",
        worse_from=4,
        evidence="sub.asked_n, begun.first_n",
        message="{begun.times + 1} connections of {client} subscribed to partition {sub.partition} "
        "of {sub.stream} at offset {sub.start}, received messages, and were ended by the client",
        cause="The program fails at a message near this offset, and meets it again after each "
        "start.",
        source=f"{API}, Subscribe, StartOffset",
        healthy="A program that reads the same messages at each start on purpose.",
    ),
    Rule(
        id="LFB-B101",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor that is no longer set although messages arrive",
        on="end:sub",
        when=GOES_ON,
        needs="start whole both",
        of="sub",
        evidence="reader.set_at, sub.last_at",
        message="the cursor of {sub.stream} was set {reader.sets} times, {reader.set_gap:time} "
        "apart at most, and not after offset {reader.set_to}: messages up to offset {sub.last} "
        "were delivered, and the subscription stayed open for {t - reader.set_t:time}",
        cause="The handler waits for something that does not come, or what stores the cursor has "
        "ended, while the rest of the program runs: after a restart the messages are read again.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="A handler that takes very long for a message.",
    ),
    Rule(
        id="LFB-B104",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor set although the message published before it was refused",
        on="set_cursor_request",
        when="conn.failed_n is not None and reader.last_at is not None",
        needs="since",
        of="conn",
        evidence="n, conn.failed_n",
        message="cursor {cursor_id} of {stream} is set to {coalesce(offset, 0)}, although the "
        "message that the client published before was refused in frame {conn.failed_n}",
        cause="The client ignores the error: what it read counts as processed, and the result is "
        "lost.",
        source=f"{SERVER}/cursors.go, SetCursor; {API}, Publish",
        healthy="A result that is not needed.",
    ),
    Rule(
        id="LFB-B105",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="assignments fetched later than the consumer timeout",
        on="fetch_consumer_group_assignments_request",
        when="member.state == 'joined' and "
        "t - member.fetched_t > coalesce(member.timeout, CONSUMER_SILENT)",
        needs="whole both",
        of="member",
        evidence="n, member.answered_at",
        message="{consumer_id} of group {group_id} fetches its assignments "
        "{t - member.fetched_t:time} after the time before, but the consumer timeout is "
        "{coalesce(member.timeout, CONSUMER_SILENT):time}",
        cause="Fetching is the consumer's heartbeat: what else the program does delays it, and "
        "the coordinator gives the partitions to others.",
        source=f"{SERVER}/groups.go",
        healthy="A program that was stopped for a moment.",
        echo_of="LFB-L21",
    ),
    Rule(
        id="LFB-B106",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="group member that still reads a partition that it has no more",
        on="message",
        when=f"sub.granted_n is not None and {NOT_ASSIGNED} and t - sub.revoked_t > REVOKED",
        needs="whole both",
        of="sub",
        worse_from=_OFTEN,
        evidence="n, claim.got_n, sub.granted_n",
        message="the member still receives partition {coalesce(partition, 0)} of {stream}, "
        "{t - sub.revoked_t:time} after its assignments lacked it: another member may read it too",
        cause="The member fetches its assignments and does not end the subscriptions that are no "
        "longer among them.",
        source=f"{SERVER}/groups.go; docs.liftbridge.io, Consumer Groups",
        healthy="A member that finishes what it has begun.",
    ),
    Rule(
        id="LFB-B107",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="two subscriptions of a connection that receive the same messages",
        on="message",
        when=f"{COMES_AGAIN} and reader.turns + 1 >= TURNS_LIMIT",
        needs="",
        of="reader",
        evidence="n, sub.n, reader.by_sub",
        message="message {coalesce(offset, 0)} of partition {coalesce(partition, 0)} of {stream} "
        "comes a second time: two subscriptions of the connection are open, and both receive each "
        "message",
        cause="The program subscribes again and does not cancel the former subscription, or "
        "started its reader twice.",
        source=f"{API}, Subscribe",
        healthy="Two tasks of a program that each need all messages.",
        echo_of="LFB-B192",
    ),
)
"""Part of the rules of the protocol."""
