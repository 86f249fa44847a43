"""Rules for streams of Liftbridge: creation, settings, deletion, pauses, typos."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.sources import API, SERVER
from streamshark.protocols.liftbridge.value_predicates import (
    is_nearly_published,
    is_nearly_subscribed,
)

_ODD_AGE: Final = "({0}.value in DAYS_IN_SECONDS or CENTURIES < {0}.value < ENDLESS)"

STREAMS: Final = (
    Rule(
        id="LFB-B43",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="FetchMetadata called repeatedly",
        on="repetition:looked_up",
        needs="",
        message="FetchMetadata was called {METADATA_LIMIT} times in a row, at most "
        "{AGAIN_PAUSE:time} apart",
        cause="The client asks for metadata before each step: it changes only when partitions get "
        "another leader.",
        source=f"{API}, FetchMetadata",
        healthy="A program that waits until a stream exists.",
    ),
    Rule(
        id="LFB-B14",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="many streams created in a row",
        on="repetition:created",
        needs="",
        message="the client created {CREATE_LIMIT} streams in a row",
        cause="Every server keeps a log and a Raft entry for each stream; one stream with a "
        "wildcard subject, keys or partitions may be enough.",
        source=f"{SERVER}/metadata.go, CreateStream",
        healthy="An installation that is being set up.",
        echo_of="LFB-B14b",
    ),
    Rule(
        id="LFB-B14b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="streams with similar names created repeatedly for one subject",
        on="create_stream_request",
        when="feed.alike == program(fields.name) and feed.latest != fields.name and "
        "feed.streams + 1 >= FED_LIMIT",
        of="feed",
        needs="",
        evidence="n, feed.latest_n, feed.former_n",
        message="{fields.name} is stream number {feed.streams + 1} that is created for the subject "
        "{subject} and not deleted: each of them stores every message of it",
        cause="The name of the stream has a time or a random part, so that each start of the "
        "program makes another stream instead of finding its own.",
        source=f"{SERVER}/metadata.go, CreateStream; go-liftbridge issue 83",
        healthy="Streams that keep the messages of a subject for different times.",
    ),
    Rule(
        id="LFB-B15",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="use of a deleted stream",
        on="publish_request subscribe_request",
        when="log.deleted_n is not None",
        of="log",
        needs="whole all",
        evidence="n, log.deleted_n",
        message="{stream} is used after it was deleted",
        cause="One client deletes the stream while another one uses it, or the calls are in the "
        "wrong order.",
        source=f"{API}, DeleteStream",
    ),
    Rule(
        id="LFB-B16",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="retention of less than a minute",
        on="create_stream_request",
        when="0 < retention_max_age.value < BRIEF_RETENTION",
        needs="",
        message="{fields.name} keeps messages for only {retention_max_age.value} ms",
        cause="RetentionMaxAge is in milliseconds; the client may mean seconds.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.RetentionMaxAge",
        healthy="Messages that are useless after a few seconds.",
    ),
    Rule(
        id="LFB-B31",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="minIsr above the replication factor",
        on="create_stream_request",
        when="min_isr.value > coalesce(replication_factor, 1) and "
        "coalesce(replication_factor, 1) > 0",
        needs="",
        message="{fields.name} has {coalesce(replication_factor, 1):count replica}, but requires "
        "{min_isr.value} in sync: no message is ever committed",
        cause="The minimum of in-sync replicas is at most the replication factor.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.MinIsr",
    ),
    Rule(
        id="LFB-B32",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="retention below the size or age of a segment",
        on="create_stream_request",
        when="0 < retention_max_bytes.value < segment_max_bytes.value or "
        "0 < retention_max_age.value < segment_max_age.value",
        needs="",
        message="{fields.name} is to keep less than one segment: only whole segments are removed",
        cause="Retention works on segments: choose smaller segments.",
        source=f"{SERVER}/commitlog/delete_cleaner.go",
        healthy="The limits need not be exact.",
    ),
    Rule(
        id="LFB-B33",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="repeated PauseStream for one stream",
        on="repetition:paused",
        needs="",
        message="{fields.name} was paused {PAUSE_LIMIT} times in a row",
        cause="Each publish wakes a paused stream: it is in use.",
        source=f"{API}, PauseStream",
        healthy="A stream with few messages.",
    ),
    Rule(
        id="LFB-B33b",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="stream paused repeatedly just after messages were published to it",
        on="repetition:paused_in_use",
        needs="",
        message="{fields.name} was paused {PAUSE_LIMIT} times in a row, each time resumed by a "
        "message and at most {BUSY_TIME:time} after the last one",
        cause="A job pauses the stream on a schedule of its own, while it is published to: each "
        "message after that opens its partitions again. Set auto_pause_time, which waits until "
        "the stream is idle.",
        source=f"{API}, PauseStream; liftbridge-api pull request 18",
    ),
    Rule(
        id="LFB-B51",
        severity=Severity.WARNING,
        group=Group.REQUEST,
        title="dummy message published to resume a paused stream before Subscribe",
        on="repetition:woken",
        needs="",
        message="{WOKEN_LIMIT} times in a row the client published the same message to {stream}, "
        "which was paused, and then subscribed to it without `resume`",
        cause="The client wakes the stream with a message of no meaning, which stays in the stream "
        "and which every reader gets. Subscribe with `resume` wakes a paused partition.",
        source=f"{API}, Subscribe, Resume; liftbridge issues 250 and 323",
        healthy="A program that publishes the same message each time and reads it back.",
    ),
)

TYPOS: Final = (
    Rule(
        id="LFB-B52",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="subscription to a stream whose name is similar to one that exists (typo)",
        on="end:sub",
        when="sub.state == 'asked' and count(catalogue.names) >= 1 and "
        "not has(catalogue.names, sub.stream)",
        predicate=is_nearly_subscribed,
        reads="sub.stream catalogue.names",
        needs="start whole both",
        evidence="sub.asked_n",
        message="the subscription to {sub.stream} never began; there is a stream {found}",
        cause="The name is misspelt, in another case, or has another separator.",
        source=f"{API}, Subscribe",
    ),
    Rule(
        id="LFB-B52b",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="publish to a stream whose name is similar to one that exists (typo)",
        on="publish_request",
        when="catalogue.listed_n is not None and not has(catalogue.names, stream)",
        predicate=is_nearly_published,
        reads="stream catalogue.names",
        needs="",
        of="log",
        evidence="n, catalogue.listed_n",
        message="a message is published to {stream}, which the metadata in frame "
        "{catalogue.listed_n} do not have; there is a stream {found}",
        cause="The name is misspelt, in another case, or has another separator.",
        source=f"{API}, Publish",
        healthy="A stream that was created since, by a program that is not in the captures.",
    ),
)

AGES: Final = (
    Rule(
        id="LFB-B58",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="age of a stream not in milliseconds",
        on="create_stream_request",
        when=f"{_ODD_AGE.format('retention_max_age')} or {_ODD_AGE.format('segment_max_age')}",
        needs="",
        message="{fields.name} has retentionMaxAge {coalesce(retention_max_age.value, 'unset')} "
        "and segmentMaxAge {coalesce(segment_max_age.value, 'unset')}, which are milliseconds: one "
        "is a number of days in seconds, or more than 300 years",
        cause="The client writes seconds, or nanoseconds: messages are removed after minutes, or "
        "never.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.RetentionMaxAge",
        healthy="An age of exactly so many milliseconds.",
    ),
    Rule(
        id="LFB-B59",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="autoPauseTime of less than a second",
        on="create_stream_request",
        when="0 < auto_pause_time.value < BRIEF_PAUSE",
        needs="",
        message="{fields.name} is paused after {auto_pause_time.value} ms without a message: its "
        "subscribers are cut off each time",
        cause="AutoPauseTime is in milliseconds; the client may mean seconds.",
        source="liftbridge-api v1.9.0, api.proto, CreateStreamRequest.AutoPauseTime",
        healthy="A test of pausing.",
    ),
)
