"""Rules for partitions of Liftbridge."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API
from streamshark.protocols.liftbridge.value_predicates import misses_first_partition

PARTITIONS: Final = (
    Rule(
        id="LFB-B41",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="partition number beyond the partitions of the stream",
        on="publish_request subscribe_request set_cursor_request fetch_cursor_request "
        "fetch_partition_metadata_request",
        when="coalesce(partition, 0) >= log.partitions and log.site == server",
        of="log",
        needs="",
        evidence="n, log.made_n",
        message="{name} is for partition {coalesce(partition, 0)} of {stream}, which was created "
        "with {log.partitions:count partition}",
        cause="Partitions are numbered from 0, or the client has old metadata.",
        source=f"{API}, Publish and Subscribe; liftbridge-io/liftbridge issue 91",
    ),
    Rule(
        id="LFB-B45",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition subscribed to at the offset of another partition",
        on="subscribe_request",
        when="start_position == 1 and start_offset > 1 and has(left.ends, start_offset) and "
        "conn.t > left.t_of and reader.last is not None and start_offset != reader.last + 1 and "
        "start_offset != reader.last",
        of="left",
        needs="",
        evidence="n, left.last_at, reader.last_at",
        message="partition {coalesce(partition, 0)} of {stream} was read up to offset "
        "{reader.last}; after the reconnect it is subscribed to at {start_offset}, where another "
        "partition was left",
        cause="The client mixes up the positions of its partitions, or keeps one for all.",
        source=f"{API}, Subscribe, Partition, StartOffset",
    ),
    Rule(
        id="LFB-B45b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="new partition subscribed to at the offset of another partition",
        on="subscribe_request",
        when="start_position == 1 and start_offset > 1 and (has(left.ends, start_offset) or "
        "coalesce(partition, 0) == 0 and left.first < start_offset <= left.last) and "
        "conn.t > left.t_of and reader.last is None and left.partition != coalesce(partition, 0) "
        "and consumer.group_id is None and place.fetched_n is None",
        of="left",
        needs="",
        evidence="n, left.last_at",
        message="the client read partition {left.partition} of {stream} before the reconnect, and "
        "subscribes to partition {coalesce(partition, 0)} at {start_offset}, an offset that it had "
        "reached there",
        cause="The client restores its subscription with another partition, or without one: 0 is "
        "the default.",
        source=f"{API}, Subscribe, Partition, StartOffset",
        healthy="Partitions with as many messages, which instances share out anew.",
    ),
    Rule(
        id="LFB-B46",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="messages of one key in several partitions of a stream",
        on="publish_request",
        when="keyed.partition != coalesce(partition, 0) and "
        "coalesce(log.spread, 0) + 1 >= KEYED_LIMIT",
        of="log",
        needs="",
        evidence="n, keyed.latest_n",
        message="a message for partition {coalesce(partition, 0)} of {stream} has the key of "
        "one in partition {keyed.partition}: the order of the key is lost",
        cause="The client chooses the partition without the key, or two producers hash it "
        "differently; compaction keeps a value of the key in each partition.",
        healthy="A program that needs no order of its messages.",
        source=f"{API}, Publish, Key, Partition",
    ),
    Rule(
        id="LFB-B42",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="partition with messages but without a reader",
        on="end:part",
        when="part.published >= UNREAD_LIMIT and part.read_n is None and log.read_n is not None "
        "and log.partitions > 1",
        needs="all",
        evidence="part.published_n, log.read_n, log.made_n",
        message="{part.published} messages were published to partition {part.partition} of "
        "{part.stream}, but in these captures only other partitions are read",
        cause="The consumer subscribes to partition 0, the default, and not to the others.",
        source=f"{API}, Subscribe, Partition",
        healthy="A program that is not in the captures reads the partition.",
    ),
    Rule(
        id="LFB-B83",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stream whose subject matches all partitions of another one but the first",
        on="publish_request",
        when="log.partitions > 1 and literal(log.subject) and catalogue.subjects is not None and "
        "(catalogue.shared is None or not has(catalogue.shared, log.subject))",
        predicate=misses_first_partition,
        reads="log.subject catalogue.subjects",
        of="log",
        needs="",
        evidence="catalogue.wild_n, log.made_n, n",
        message="{stream} has {log.partitions} partitions, with the subject {log.subject} and "
        "that with a number; a stream is attached to {found}, and stores the messages of all "
        "partitions but the first",
        cause="The first partition has the subject of the stream itself, which the wildcard does "
        "not match: `*` matches one token, and `>` one or more.",
        source="liftbridge.io, Concepts, Stream; liftbridge-io/liftbridge issue 184",
    ),
)
