"""Rules for what clients ask the controller: policies, leases, ranges of keys, lists, positions."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega import controller_predicates as predicates
from streamshark.protocols.pravega.controller_behaviours import PAGES, WITHOUT_SEGMENTS
from streamshark.protocols.pravega.predicates import is_mistaken_name
from streamshark.protocols.pravega.sources import CLIENT, CONTROLLER_API

_STREAM: Final = "{stream_info.scope}/{stream_info.stream}"
_POLICY: Final = "scaling_policy.scale_type in (1, 2)"
_RATE: Final = "scaling_policy.target_rate"
_KEPT: Final = "retention_policy.retention_param"
_MOST: Final = "coalesce(retention_policy.retention_max, 0)"
_NO_LIMIT: Final = (1 << 63) - 1
"""A limit that a client leaves open."""
_BY_TIME, _BY_SIZE = (f"retention_policy.retention_type == {each}" for each in (1, 2))

SCALING: Final = tuple(
    Rule(
        id=f"PRV-P28{letter}",
        severity=severity,
        group=Group.PROTOCOL,
        title=title,
        on="controller_stream_config",
        when=when,
        needs="",
        per="client, server, stream_info.scope, stream_info.stream",
        message=f"{{carrier.method}} of {_STREAM}: {message}",
        cause=cause,
        source=f"{CLIENT}, ScalingPolicy.java{source}",
        healthy=healthy,
    )
    for letter, severity, title, when, message, cause, source, healthy in (
        (
            "c",
            Severity.WARNING,
            "stream that scales by its rate, with a target rate of 0",
            f"{_POLICY} and coalesce({_RATE}, 0) <= 0",
            (
                "scaling type {scaling_policy.scale_type:name} with a target rate of "
                f"{{coalesce({_RATE}, 0)}}"
            ),
            "The client sets the type and leaves out the rate: any traffic splits the segments.",
            "",
            "",
        ),
        (
            "d",
            Severity.WARNING,
            "target rate that no segment reaches",
            (
                f"scaling_policy.scale_type == 1 and {_RATE} >= MOST_KBYTES or "
                f"scaling_policy.scale_type == 2 and {_RATE} >= MOST_EVENTS"
            ),
            (
                f"each segment is split above {{{_RATE}}} "
                "{'kB' if scaling_policy.scale_type == 1 else 'events'} per second, which no "
                "segment reaches"
            ),
            (
                "The rate is in another unit, such as bytes, or of a whole day: it is for one "
                "segment, in kilobytes or events per second. The stream never scales."
            ),
            "; pravega issue 2160",
            "",
        ),
        (
            "e",
            Severity.WARNING,
            "stream that scales by its rate, into one segment",
            f"{_POLICY} and coalesce(scaling_policy.scale_factor, 0) <= 1",
            (
                "a segment above its rate is split into "
                "{coalesce(scaling_policy.scale_factor, 0):count segment}"
            ),
            (
                "The scale factor is the number of segments into which one is split, from 2 on: "
                "the stream never scales up."
            ),
            "",
            "",
        ),
        (
            "f",
            Severity.WARNING,
            "stream without segments",
            (
                "carrier.method == 'createStream' and "
                "coalesce(scaling_policy.min_num_segments, 0) <= 0"
            ),
            "it has {coalesce(scaling_policy.min_num_segments, 0):count segment} at least",
            (
                "The client leaves out the number of segments: a stream needs at least one to be "
                "written."
            ),
            "",
            "",
        ),
        (
            "g",
            Severity.NOTE,
            "stream with very many segments",
            "scaling_policy.min_num_segments >= MANY_SEGMENTS",
            "it has {scaling_policy.min_num_segments:count segment} from the beginning",
            (
                "Each segment costs memory of the segment stores and of every writer and reader, "
                "and small appends; events per segment become rare."
            ),
            "; pravega issue 3897",
            "A stream for a very large cluster.",
        ),
    )
)

RETENTION: Final = tuple(
    Rule(
        id=f"PRV-P70{letter}",
        severity=severity,
        group=Group.PROTOCOL,
        title=title,
        on="controller_stream_config",
        when=when,
        needs="",
        per="client, server, stream_info.scope, stream_info.stream",
        message=f"{{carrier.method}} of {_STREAM}: {message}",
        cause=cause,
        source=f"{CLIENT}, RetentionPolicy.java",
        healthy=healthy,
    )
    for letter, severity, title, when, message, cause, healthy in (
        (
            "",
            Severity.WARNING,
            "retention policy without a type",
            f"coalesce(retention_policy.retention_type, 0) == 0 and {_KEPT} > 0",
            f"the retention policy keeps {{{_KEPT}}}, and does not say whether of time or size",
            "The client leaves out the type: the stream is never truncated.",
            "",
        ),
        (
            "b",
            Severity.WARNING,
            "retention policy that keeps nothing",
            f"({_BY_TIME} or {_BY_SIZE}) and coalesce({_KEPT}, 0) <= 0",
            f"retention by {{retention_policy.retention_type:name}} keeps {{coalesce({_KEPT}, 0)}}",
            (
                "The client leaves out how much is kept: everything is truncated at the next run "
                "of the retention service."
            ),
            "",
        ),
        (
            "c",
            Severity.WARNING,
            "retention of seconds",
            (
                f"{_BY_TIME} and {_KEPT} < SHORT_RETENTION and "
                f"({_MOST} < SHORT_RETENTION or {_MOST} == {_NO_LIMIT})"
            ),
            f"events are kept for {{{_KEPT} * 1000000:time}}",
            (
                "The time is in milliseconds: seconds, hours or days were written. Readers that "
                "are later lose events at the next run of the retention service."
            ),
            "",
        ),
        (
            "d",
            Severity.WARNING,
            "retention of few bytes",
            (
                f"{_BY_SIZE} and {_KEPT} < SMALL_RETENTION and "
                f"({_MOST} < SMALL_RETENTION or {_MOST} == {_NO_LIMIT})"
            ),
            f"{{{_KEPT}:count byte}} of each stream are kept",
            (
                "The size is in bytes: kilobytes, megabytes or gigabytes were written. Readers "
                "lose events at the next run of the retention service."
            ),
            "",
        ),
        (
            "e",
            Severity.NOTE,
            "retention of many years",
            f"{_BY_TIME} and {_KEPT} > LONG_RETENTION",
            f"events are kept for {{{_KEPT} // 31536000000}} years",
            (
                "The time is in milliseconds: microseconds or nanoseconds were written. The "
                "stream is not truncated."
            ),
            "An archive.",
        ),
        (
            "f",
            Severity.WARNING,
            "retention policy whose maximum is below its minimum",
            f"({_BY_TIME} or {_BY_SIZE}) and 0 < retention_policy.retention_max < {_KEPT}",
            f"{{{_KEPT}}} is kept at least and {{retention_policy.retention_max}} at most",
            "The two are mixed up, or in different units.",
            "",
        ),
    )
)

NAMES: Final = tuple(
    Rule(
        id="PRV-P80",
        severity=Severity.WARNING,
        group=Group.ASSUMPTION,
        title="name in a call to the controller that was not meant",
        on=on,
        predicate=is_mistaken_name,
        reads=reads,
        needs="",
        per="client, server, found",
        message="{carrier.method} has {found}",
        cause="A variable of the program was not set, or a template not filled in: all programs "
        "with the same mistake share the name.",
        source=CONTROLLER_API,
    )
    for on, reads in (
        ("controller_stream_config", "stream_info.scope stream_info.stream"),
        ("controller_stream_info", "scope stream"),
        ("controller_scope_info", "scope"),
        ("controller_key_value_table_config", "scope kvt_name"),
        ("controller_reader_group_configuration", "scope reader_group_name"),
    )
)

REPLACED: Final = tuple(
    Rule(
        id=f"PRV-P75{letter}",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title=f"update of a stream that drops its {name} policy",
        on="controller_stream_config",
        when=f"carrier.method == 'updateStream' and configured.{slot} > 0 and "
        f"coalesce({now}, 0) == 0",
        needs="",
        of="configured",
        evidence="n, configured.by_n",
        message=f"updateStream of {_STREAM} has no {name} policy, unlike the configuration in "
        "frame {configured.by_n}",
        cause="An update replaces the whole configuration: the client sends only what it changes, "
        "and the rest is lost.",
        source=CONTROLLER_API,
        healthy="A program that no longer wants the policy.",
    )
    for letter, name, slot, now in (
        ("", "retention", "retention", "retention_policy.retention_type"),
        ("b", "scaling", "scaling", "scaling_policy.scale_type"),
    )
)

PLACES: Final = (
    Rule(
        id="PRV-P83",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="segment store at an address that only its own host reaches",
        on="controller_node_uri",
        when="(starts(endpoint, '127.') or endpoint in ('localhost', '0.0.0.0', '::1', '::')) and "
        "not starts(server, '127.') and not starts(server, '::1') and not starts(server, '[::1]')",
        needs="",
        per="client, server, endpoint",
        message="the controller at {server} says that a segment is at {endpoint}:{port}",
        cause="The segment store publishes the address of its loopback interface: clients on other "
        "hosts cannot connect to it.",
        source=f"{CONTROLLER_API}; pravega issue 2837",
        guilty="server",
    ),
)

TURNS: Final = (
    Rule(
        id="PRV-B71",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="configurations of a stream that replace each other",
        on="alternation:restated",
        needs="",
        evidence="n, restated.latest_n, restated.former_n",
        message=f"updateStream of {_STREAM} returns to a configuration that another one has "
        "replaced, for the second time",
        cause="Two programs, or two places of one, state different configurations at each start: a "
        "different number of segments seals all of the stream and creates others each time.",
        source="pravega issues 2887 and 6018",
        healthy="A configuration that changes by the time of day.",
    ),
)

LEASES: Final = tuple(
    Rule(
        id=f"PRV-P71{letter}",
        severity=severity,
        group=Group.PROTOCOL,
        title=title,
        on="controller_create_txn_request controller_ping_txn_request",
        when=when,
        needs="",
        per="client, server, stream_info.scope, stream_info.stream, fields.lease",
        message=f"{{carrier.method}} for {_STREAM} asks for a lease of "
        "{coalesce(fields.lease, 0)} ms",
        cause=cause,
        source=f"{CLIENT}, EventWriterConfig.java; {CONTROLLER_API}",
    )
    for letter, severity, title, when, cause in (
        (
            "",
            Severity.WARNING,
            "lease of a transaction of less than a second",
            "coalesce(fields.lease, 0) < SHORTEST_LEASE",
            (
                "The lease is in milliseconds: seconds or minutes were written. The transaction is "
                "aborted before it can be committed; the client of Java asks for 10 s at least."
            ),
        ),
        (
            "b",
            Severity.WARNING,
            "lease of a transaction of more than a day",
            "fields.lease > LONGEST_LEASE",
            (
                "The lease is in milliseconds: microseconds or nanoseconds were written. "
                "Controllers allow some minutes (transaction.lease.count.max)."
            ),
        ),
    )
)

RANGES: Final = (
    Rule(
        id="PRV-P72",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="ranges of keys of a scale that overlap, or are none",
        on="controller_scale_request",
        when="len(new_key_ranges) > 0",
        predicate=predicates.has_bad_ranges,
        reads="new_key_ranges",
        needs="",
        message=f"scale of {_STREAM}: {{found}}",
        cause="The new segments have to divide the keys of the sealed ones, from 0 to 1, each key "
        "to one segment; the controller refuses others.",
        source="pravega issues 1479 and 2543",
    ),
    Rule(
        id="PRV-P72b",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="scale that seals or makes no segments",
        on="controller_scale_request",
        when="coalesce(len(sealed_segments), 0) == 0 or coalesce(len(new_key_ranges), 0) == 0",
        needs="",
        message=f"scale of {_STREAM} seals {{coalesce(len(sealed_segments), 0):count segment}} and "
        "makes {coalesce(len(new_key_ranges), 0)}",
        cause="The client leaves out the segments to be sealed, or the ranges of the new ones.",
        source=CONTROLLER_API,
    ),
    Rule(
        id="PRV-P72c",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="segments of a stream that overlap, or leave keys out",
        on="controller_segment_ranges",
        when="carrier.method in ('getCurrentSegments', 'getEpochSegments') and "
        "len(segment_ranges) > 0",
        predicate=predicates.has_bad_segments,
        reads="segment_ranges",
        needs="",
        message="the segments in the answer to {carrier.method} do not divide the keys: {found}",
        cause="Events of some keys have no segment, or have two and lose their order.",
        source="pravega issues 3173 and 2543",
        guilty="server",
    ),
    Rule(
        id="PRV-P73",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="stream cuts of a reader group that end before they begin",
        on="controller_reader_group_configuration",
        when="len(ending_stream_cuts) > 0",
        predicate=predicates.has_reversed_cut,
        reads="starting_stream_cuts ending_stream_cuts",
        needs="",
        message="{carrier.method} of {scope}/{reader_group_name}: {found}",
        cause="The two stream cuts are mixed up, or the first one is newer: the group reads "
        "nothing.",
        source=f"{CLIENT}, ReaderGroupConfig.java",
    ),
)

GROUPS: Final = (
    Rule(
        id="PRV-P74",
        severity=Severity.NOTE,
        group=Group.PROTOCOL,
        title="times of a reader group in milliseconds that look like seconds",
        on="controller_reader_group_configuration",
        when="0 < group_refresh_time_millis < SHORT_REFRESH or "
        "0 < automatic_checkpoint_interval_millis < SHORT_CHECKPOINT",
        needs="",
        message="{carrier.method} of {scope}/{reader_group_name}: the state is refreshed every "
        "{group_refresh_time_millis} ms, checkpoints come every "
        "{automatic_checkpoint_interval_millis} ms",
        cause="The times are in milliseconds (3,000 and 30,000 by default): each refresh and each "
        "checkpoint costs every reader a round trip, and the state of the group grows.",
        source=f"{CLIENT}, ReaderGroupConfig.java",
        healthy="A test that must not wait.",
    ),
    Rule(
        id="PRV-P76",
        severity=Severity.WARNING,
        group=Group.PROTOCOL,
        title="key-value table without partitions",
        on="controller_key_value_table_config",
        when="coalesce(partition_count, 0) <= 0",
        needs="",
        message="createKeyValueTable of {scope}/{kvt_name} asks for "
        "{coalesce(partition_count, 0):count partition}",
        cause="The client leaves out the number of partitions: a table needs at least one.",
        source=f"{CLIENT}, KeyValueTableConfiguration.java",
    ),
)

LISTS: Final = (
    *(
        Rule(
            id="PRV-B51",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="list of names read to its first page only",
            on=f"repetition:first_{what}",
            needs="",
            message="{LISTED_LIMIT} calls of {req.method} in a row returned the same first page of "
            f"{{{names}:count name}}, and none asked for the rest with its continuation token",
            cause="The client takes the first page for the whole list: what is on the next ones is "
            "missing.",
            source=f"{CLIENT}, ControllerImpl.java; pravega issues 564 and 3278",
            healthy="A program that needs only some of the names.",
        )
        for what, _, names in PAGES
    ),
    Rule(
        id="PRV-B51b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="rest of a list of names not asked for",
        on="end:listing",
        when="listing.rest_n is not None and t - listing.rest_t > UNREAD",
        needs="",
        of="listing",
        evidence="listing.asked_n, listing.rest_n",
        message="{listing.method} returned {listing.names:count name} with a continuation token, "
        "and the client did not ask on with it",
        cause="The token is there until a page is empty: if there are more names than one page "
        "has, the client does not see them.",
        source=f"{CLIENT}, ControllerImpl.java; pravega issues 564 and 3278",
        healthy="A program that needs only some of the names.",
        echo_of="PRV-B51",
    ),
    *(
        Rule(
            id="PRV-B51c",
            severity=Severity.WARNING,
            group=Group.SEQUENCE,
            title="same page of a list of names read repeatedly",
            on=f"repetition:same_{what}",
            needs="",
            message="{LISTED_LIMIT} calls of {req.method} in a row had the same continuation "
            f"token; the last one returned {{{names}:count name}}",
            cause="The client passes on an old continuation token instead of that of the last "
            "answer: it does not come to the end of the list.",
            source=f"{CLIENT}, ControllerImpl.java; pravega issue 4956",
        )
        for what, _, names in PAGES
    ),
)

POSITIONS: Final = (
    Rule(
        id="PRV-B52",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="position of a subscriber set back",
        on="sequence:subscribed_back",
        needs="",
        message="{subscriber} releases {stream_cut.stream_info.scope}/"
        "{stream_cut.stream_info.stream} up to {coalesce(first(stream_cut.cut.value), 0)} in "
        "segment {coalesce(first(stream_cut.cut.key), 0)}, after {subscribed_back.last} before",
        cause="The client reports an old checkpoint, or two programs have one reader group: the "
        "stream is not truncated, or already is beyond that position.",
        source=f"{CONTROLLER_API}; pravega issue 5114",
        healthy="A reader group that was reset to an earlier position.",
    ),
    Rule(
        id="PRV-B20d",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream truncated at an earlier position than before",
        on="sequence:cut_back",
        needs="",
        message=f"truncateStream of {_STREAM} at {{coalesce(first(fields.cut.value), 0)}} in "
        "segment {coalesce(first(fields.cut.key), 0)}, after {cut_back.last} before",
        cause="Two programs truncate the stream, or one uses an old stream cut; truncated data "
        "does not come back.",
        source=CONTROLLER_API,
        healthy="A program that truncates at the oldest position of several readers.",
    ),
)

CHANGES: Final = (
    *(
        Rule(
            id="PRV-B44c",
            severity=Severity.WARNING,
            group=Group.RESPONSE,
            title="change repeated although the controller refuses it",
            on=f"repetition:{name}",
            needs="",
            message="{req.method} of {coalesce(req.scope, '')}"
            "{'/' if req.named is not None else ''}{coalesce(req.named, '')} failed {CHANGE_LIMIT} "
            "times in a row with {fields.status:name}",
            cause="The client repeats the call, and does not change what the status names.",
            source=CONTROLLER_API,
        )
        for name in ("unchanged", "not_created")
    ),
    Rule(
        id="PRV-B44d",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream or table not created, because its scope does not exist",
        on="controller_create_stream_status controller_create_key_value_table_status",
        when="fields.status == 3",
        needs="",
        per="client, server, req.method, req.scope",
        evidence="req.n, n",
        message="{req.method} for {req.scope}/{coalesce(req.named, '')} failed with "
        "{fields.status:name}",
        cause="The scope was never created, was deleted, or has another name.",
        source=CONTROLLER_API,
        healthy="A program that creates the scope when it is missing, and then repeats the call.",
    ),
    Rule(
        id="PRV-B88",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="stream without segments to write to",
        on="controller_segment_ranges",
        when=WITHOUT_SEGMENTS,
        needs="",
        per="client, server, req.scope, req.named",
        evidence="req.n, n, fate.sealed_n",
        message="{req.method} of {req.scope}/{req.named} has no segments: nothing can be written "
        "to the stream",
        cause="The stream is sealed.",
        source=f"{CONTROLLER_API}; pravega-client-rust issue 125",
        healthy="A program that asks whether the stream has ended.",
    ),
    Rule(
        id="PRV-B88b",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="segments of a sealed stream asked for repeatedly",
        on="repetition:without_segments",
        needs="",
        evidence="req.n, n, without_segments.second_n, without_segments.first_n, fate.sealed_n",
        message="{req.method} of {req.scope}/{req.named} had no segments {CHANGE_LIMIT} times in a "
        "row: nothing can be written to the stream",
        cause="The stream is sealed, and the client opens writers for it in a loop: it has to "
        "write to another stream.",
        source=f"{CONTROLLER_API}; pravega-client-rust issue 125",
    ),
    Rule(
        id="PRV-B53",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="scale refused or failed",
        on="controller_scale_response",
        when="fields.status > 0",
        needs="",
        per="client, server, req.scope, req.named, fields.status",
        evidence="req.n, n",
        message="scale of {req.scope}/{req.named} failed with {fields.status:name}",
        cause="The controller failed.",
        by="fields.status",
        causes={
            2: "The segments to be sealed are not the current ones, another scale is under way, or "
            "the new ranges are not those of the sealed segments.",
        },
        source="pravega issues 1479 and 3532",
        healthy="Two scales at the same time: the later one is repeated.",
    ),
    Rule(
        id="PRV-B72",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream whose segments are split and merged in turn",
        on="repetition:to_and_fro",
        needs="",
        message=f"scale of {_STREAM} replaces {{len(sealed_segments):count segment}} by "
        "{len(new_key_ranges)}: {TURNED_LIMIT} scales in a row undo the one before",
        cause="A program scales at a threshold without a margin, or two of them have different "
        "aims: each scale seals and creates segments, begins an epoch, and makes writers and "
        "readers turn to other segments.",
        source="pravega issue 2887",
        healthy="A test of scaling.",
    ),
    Rule(
        id="PRV-B53b",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="scale that ended with an error",
        on="controller_scale_status_response",
        when="fields.status in (2, 3)",
        needs="",
        per="client, server, req.scope, req.named, fields.status",
        evidence="req.n, n",
        message="checkScale of {req.scope}/{req.named} returned {fields.status:name}",
        cause="The epoch is not one of a scale, or the controller failed.",
        source=CONTROLLER_API,
        healthy="A program that asks after the stream was deleted.",
    ),
    Rule(
        id="PRV-B55",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="delegation token requested repeatedly",
        on="repetition:tokens",
        needs="",
        message="{TOKEN_LIMIT} delegation tokens in a row for {coalesce(req.scope, '')}/"
        "{coalesce(req.named, '')}, at most {TOKEN_PAUSE:time} apart",
        cause="The client asks before each request, and does not keep the token until shortly "
        "before it expires.",
        source="pravega issues 4107 and 5144",
        healthy="Several writers and readers begin at the same time.",
    ),
    Rule(
        id="PRV-B36b",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="reader group created repeatedly",
        on="repetition:grouped",
        needs="",
        message="the client called {req.method} {EXISTING_STARTS} times for "
        "{coalesce(req.scope, '')}/{coalesce(req.named, '')}",
        cause="The client creates the group before each use; one that exists keeps its old "
        "configuration and position, whatever is asked for.",
        source=f"{CLIENT}, ReaderGroupManager.java",
        healthy="A program that creates what it needs at each start.",
    ),
)

TIMES: Final = (
    Rule(
        id="PRV-B54",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="time of a writer noted for each event",
        on="repetition:times_noted",
        needs="",
        message="{TIMES_LIMIT} noteTimestampFromWriter in a row by {fields.writer}, at most "
        "{TIMES_PAUSE:time} apart",
        cause="Each costs a call of the controller, which makes one watermark of all within some "
        "seconds.",
        source=f"{CLIENT}, EventStreamWriter.java, noteTime; {CONTROLLER_API}",
        healthy="A writer whose events bring their time in rare bursts.",
    ),
    Rule(
        id="PRV-B87",
        severity=Severity.NOTE,
        group=Group.ASSUMPTION,
        title="times of the writers of a stream in different units",
        on="controller_timestamp_from_writer",
        when="timed.writer != fields.writer and timestamp > 0 and "
        "(timestamp * OTHER_UNIT < timed.top or timestamp > timed.top * OTHER_UNIT)",
        needs="",
        of="timed",
        evidence="n, timed.top_n",
        message="{fields.writer} notes the time {timestamp} for {position.stream_info.scope}/"
        "{position.stream_info.stream}, and another writer {timed.top}",
        cause="One writer counts in seconds or events, another one in milliseconds or "
        "nanoseconds: the time of the stream is the least of all, so that watermarks stand still.",
        source=f"{CLIENT}, EventStreamWriter.java, noteTime; {CONTROLLER_API}",
        healthy="A writer that replays events of long ago.",
    ),
    Rule(
        id="PRV-B91",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="writer that notes no more times while another one of its stream does",
        on="controller_timestamp_from_writer",
        when="timed.by == fields.writer and timed.other is not None and "
        "timed.alone + 1 >= ONE_NOTES_LIMIT and t - timed.other_t > ONE_NOTES_TIME",
        needs="",
        of="timed",
        evidence="n, timed.other_n",
        message="{fields.writer} noted {timed.alone + 1} times in a row for "
        "{position.stream_info.scope}/{position.stream_info.stream}; {timed.other} has noted none "
        "for {t - timed.other_t:time}, and was not removed",
        cause="The watermark of a stream waits for its slowest writer, until "
        "timestampAggregationTimeout: the time windows of readers stand still.",
        source=f"{CLIENT}, EventStreamWriter.java, noteTime; {CONTROLLER_API}",
        healthy="A writer that has ended, or has no events for some time.",
    ),
    Rule(
        id="PRV-B92",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reader group that never releases events of a stream that keeps them for it",
        on="end:retainer",
        when="retainer.manual == 1 and retainer.released_n is None and "
        "t - retainer.made_t > UNRELEASED",
        needs="",
        of="retainer",
        evidence="retainer.made_n",
        message="reader group {retainer.group} was created {t - retainer.made_t:time} ago as a "
        "subscriber that releases events itself, and no updateSubscriberStreamCut came",
        cause="The stream is not truncated before what its subscribers have released: the program "
        "has to publish a stream cut of what it has read (updateRetentionStreamCut).",
        source=f"{CLIENT}, ReaderGroupConfig.java, StreamDataRetention; {CONTROLLER_API}",
        healthy="The first release comes later.",
    ),
    Rule(
        id="PRV-B56",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="transaction ended twice",
        on="controller_txn_request",
        when="carrier.method in ('commitTransaction', 'abortTransaction') and "
        "lease.over_n is not None",
        needs="",
        of="lease",
        evidence="n, lease.over_n",
        message=f"{{carrier.method}} for a transaction of {_STREAM}, after {{lease.how}} in frame "
        "{lease.over_n}",
        cause="Two parts of the client end the transaction, or an error handler aborts what was "
        "committed.",
        source=CONTROLLER_API,
        healthy="The call is repeated because its answer was lost.",
    ),
    Rule(
        id="PRV-B63",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="transactions committed without an event",
        on="repetition:empty",
        needs="",
        message="{EMPTY_LIMIT} transactions in a row were committed and had no event, the last "
        f"one of {_STREAM}",
        cause="The client begins and commits transactions by a timer: each costs several calls to "
        "the controller, and segments that are created, sealed and merged.",
        source=f"{CLIENT}, TransactionalEventStreamWriter.java",
        healthy="A job that commits at each checkpoint, whether it has events or not.",
    ),
)

CONTROLLER_RULES: Final = (
    *SCALING, *RETENTION, *NAMES, *REPLACED, *PLACES, *TURNS, *LEASES, *RANGES, *GROUPS, *LISTS,
    *POSITIONS, *CHANGES, *TIMES,
)  # fmt: skip
"""Part of the rules of the protocol."""
