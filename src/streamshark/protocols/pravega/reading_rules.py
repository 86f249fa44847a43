"""Rules for what readers of Pravega do over time, and reader groups."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.pravega.behaviours import LEFT
from streamshark.protocols.pravega.row_names import NOT_INTERNAL
from streamshark.protocols.pravega.sources import CLIENT, WIRE

READING: Final = (
    Rule(
        id="PRV-B61",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="events truncated that a reader had not read",
        on="segment_is_truncated",
        when="req.asked == 'read_segment' and start_offset > reader.reached",
        needs="object",
        of="reader",
        evidence="req.n, n, reader.reached_n",
        message="{segment} begins at {start_offset} now, and the client had read up to "
        "{reader.reached}: {start_offset - reader.reached:count byte} are lost to it",
        cause="The stream is truncated, by its retention policy or by a program, before this "
        "reader has read it.",
        source=f"{WIRE}, SegmentIsTruncated; pravega issues 2664 and 3965",
    ),
    Rule(
        id="PRV-B27",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment reread from an old offset after a reconnect",
        on="read_segment",
        when="input.state == 'absent' and extent.flow != flow and "
        "(fields.offset <= extent.began or fields.offset < extent.latest) and "
        f"t - extent.left_t <= BACK and stated.by_n is None and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n",
        message="{segment} was read from {extent.began} to {extent.reached} on a connection that "
        "ended, and is read from {fields.offset} again: one reader group gets these events twice",
        cause="The reader does not keep its position when it connects again.",
        source=f"{CLIENT}, AsyncSegmentInputStreamImpl.java; pravega issue 3638",
        healthy="Another reader group reads the segment.",
    ),
)

SHELVES: Final = (
    Rule(
        id="PRV-B27b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="bytes of a segment skipped between two connections",
        on="read_segment",
        when="input.state == 'absent' and extent.flow != flow and extent.whole == 1 and "
        "fields.offset > extent.reached and t - extent.left_t <= BACK and "
        f"stated.by_n is None and stated.cut_n is None and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n",
        message="{segment} was read up to {extent.reached} on a connection that ended, and is read "
        "from {fields.offset} on: the {fields.offset - extent.reached:count byte} between are not "
        "read",
        cause="The reader begins at the end of the segment when it connects again, or at a "
        "position that is too late: it does not see these events.",
        source=f"{CLIENT}, AsyncSegmentInputStreamImpl.java; pravega issue 3638",
        healthy="Another reader group reads the segment, or another reader has read these bytes.",
    ),
    Rule(
        id="PRV-B81",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment with events that is not read, unlike others of its stream",
        on="end:shelf",
        when="store.cut is None and shelf.first_n is not None and shelf.read_n is None and "
        "readership.read_n is not None and (readership.until_t - shelf.first_t > UNREAD_SEGMENT or "
        "readership.over_n is not None and t - shelf.first_t > UNREAD_SEGMENT)",
        needs="",
        of="shelf",
        evidence="coalesce(readership.over_n, readership.read_n), shelf.first_n",
        message="{shelf.events:count event} were appended to {shelf.segment}, and in these "
        "captures only other segments of {shelf.scope}/{shelf.stream} are read, such as "
        "{readership.read}",
        cause="The reader does not read all segments of the stream.",
        by="0 if readership.over_n is None else 1",
        causes={
            1: "The reader takes the end of a segment for that of the stream: it has to ask the "
            "controller for the segments that follow, and read them.",
        },
        source=f"{CLIENT}, ReaderGroupStateManager.java; pravega issue 568",
        healthy="A reader that is not in the captures reads the segment.",
    ),
    Rule(
        id="PRV-B81b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment with events that is no longer read, unlike others of its stream",
        on="end:shelf",
        when="store.cut is None and shelf.wrote_t - shelf.looked_t > LEFT_SEGMENT and "
        "readership.looked_t > shelf.wrote_t and t - shelf.wrote_t > UNREAD_SEGMENT",
        needs="",
        of="shelf",
        evidence="shelf.wrote_n, shelf.read_n",
        message="events were appended to {shelf.segment} up to "
        "{shelf.wrote_t - shelf.looked_t:time} after it was read last; other segments of "
        "{shelf.scope}/{shelf.stream} were read after that",
        cause="The reader of the segment has ended or is idle, and no other reader takes the "
        "segment over: a reader that ends without leaving its group keeps its segments.",
        source=f"{CLIENT}, ReaderGroupStateManager.java; pravega issue 568",
        healthy="A reader that is not in the captures reads the segment.",
    ),
)

STREAMS_BEFORE: Final = (
    Rule(
        id="PRV-B78",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="segment of a stream before it was deleted and created again",
        on="no_such_segment",
        when="fate.made_n > fate.deleted_n",
        needs="",
        per="client, server, segment",
        evidence="req.n, n, fate.made_n, fate.deleted_n",
        message="{coalesce(req.asked, 'a request')} is for {segment}; its stream was deleted in "
        "frame {fate.deleted_n} and created again in frame {fate.made_n}, with other segments",
        cause="A reader group, a stream cut or a writer still has the segments of the former "
        "stream: it gets nothing of the new one until it is reset.",
        source="pravega issue 3960",
    ),
    Rule(
        id="PRV-B80",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="many segments of a stream that return hardly anything",
        on="end:breadth",
        when="count(breadth.segments) >= BROAD and breadth.broad_n is not None and "
        "coalesce(breadth.bytes, 0) < count(breadth.segments) * TINY",
        needs="",
        of="breadth",
        evidence="breadth.broad_n, breadth.first_n",
        message="a client reads {count(breadth.segments)} segments of "
        "{breadth.scope}/{breadth.stream}, which "
        "brought {coalesce(breadth.bytes, 0):count byte} in all",
        cause="The stream has far more segments than its events need: each costs a read that waits "
        "at the tail, and memory of writers, readers and segment stores.",
        source="pravega issues 3897 and 3788",
        healthy="A stream that is busy at other times.",
    ),
)

STATES: Final = (
    Rule(
        id="PRV-B69",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="state of a program that grows and is never compacted",
        on="read_segment",
        when="input.state == 'absent' and stated.by_n is not None and stated.cut_n is None and "
        f"fields.offset == extent.began and extent.again >= 1 and {NOT_INTERNAL}",
        needs="start",
        of="extent",
        evidence="n, extent.left_n, stated.by_n",
        message="the updates of a state in {segment} are read from {fields.offset} again: "
        "{extent.again + 1} connections have read them before, the last one up to "
        "{extent.reached}, and nothing was truncated",
        cause="The client never compacts its state synchronizer or revisioned stream: each start "
        "reads all updates of all runs, most of which are out of date.",
        source=f"{CLIENT}, StateSynchronizer.java, compact; pravega issue 3297",
        healthy="A state with few updates.",
    ),
    Rule(
        id="PRV-B61b",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="stream truncated beyond the position of a reader",
        on="segment_is_truncated",
        when="req.asked == 'read_segment' and reader.reached is None and "
        "0 < req.start < start_offset and stated.by_n is None",
        needs="",
        of="reader",
        per="client, server, segment",
        worse_from=3,
        evidence="coalesce(clipped.by_n, req.n), req.n, n",
        message="a reader continues at {req.start} in {segment}, which begins at {start_offset} "
        "now: {start_offset - req.start:count byte} were truncated before it had read them",
        cause="The program truncates at the tail, or at a position of its own, or the retention "
        "policy keeps too little: the slowest reader group loses events.",
        source=f"{WIRE}, SegmentIsTruncated; pravega issues 2664, 4272 and 2644",
        healthy="What was not read is not needed.",
    ),
)

CHECKPOINTS: Final = (
    Rule(
        id="PRV-B140",
        severity=Severity.NOTE,
        group=Group.RESPONSE,
        title="reads that repeatedly begin below the start of a segment",
        on="repetition:begun_below",
        needs="",
        message="{BELOW_LIMIT} reads in a row of {segment} begin at offset {fields.offset} and are "
        "refused: the segment begins at {start_offset}",
        cause="Each run or reader begins at a position that it has kept, or at 0, and the stream "
        "was truncated: it has to begin at the head of the stream, as the answer says.",
        source=f"{WIRE}, SegmentIsTruncated; pravega issue 5629",
        healthy="Several readers that are started at one old position, and go on at the head.",
        echo_of="PRV-B1",
    ),
    Rule(
        id="PRV-B48",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="checkpoints of a reader group initiated and never completed",
        on="repetition:initiated",
        needs="",
        message="{CHECKPOINT_LIMIT} checkpoints in a row were initiated in the state of the reader "
        "group {writer.group}, and none was completed or reached by all readers of this client",
        cause="A reader of the group does not read any more, or has ended without leaving the "
        "group: all checkpoints stay in the group's state, which grows. By default the client "
        "rejects the fourth.",
        source=f"pravega issue 2828; {CLIENT}, ReaderGroupState.java",
        healthy="Checkpoints that overlap, because readers are slow, or join while they are made.",
    ),
)

READERS: Final = (
    Rule(
        id="PRV-B222",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="reader that never left its group, and keeps others from joining",
        on="end:roster",
        when="roster.flow >= 0 and roster.readers > 0 and roster.closed_t is not None and "
        "roster.looked_n > roster.joined_n",
        needs="all",
        of="roster",
        evidence="roster.joined_n, roster.looked_n",
        message="the client's connections ended, and {roster.readers:count reader} that it had "
        "added to reader group {roster.group} {'is' if roster.readers == 1 else 'are'} still in "
        "the state of the group; since then the client has asked for that state again, and added "
        "no reader",
        cause="The program ends without closing its readers, and nothing calls readerOffline for "
        "them: a reader of the same name cannot be added, and their segments are read by no other "
        "reader.",
        source=f"{CLIENT}, ReaderGroupState.java; pravega-client-rust issue 257",
        healthy="A program that only asks for the state of the group.",
    ),
    Rule(
        id="PRV-B64",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="reader that joined a reader group and never left it",
        on="end:roster",
        when="roster.flow >= 0 and roster.readers > 0 and roster.closed_t is not None and "
        "(roster.looked_n is None or roster.looked_n < roster.joined_n)",
        needs="all",
        of="roster",
        evidence="roster.joined_n",
        message="the client's connections ended, and {roster.readers:count reader} that it had "
        "added to reader group {roster.group} {'is' if roster.readers == 1 else 'are'} still in "
        "the state of the group",
        cause="The client ends without closing its readers, and nothing calls readerOffline for "
        "them: their segments are read by no other reader.",
        source=f"{CLIENT}, ReaderGroupState.java; pravega issue 718 and flink-connectors issue 89",
        healthy="Another program calls readerOffline, after this capture or on another host.",
    ),
    *(
        Rule(
            id="PRV-B79",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="readers that join a reader group and leave it, one after another",
            on=f"repetition:{name}",
            needs="",
            message="a reader joined reader group {roster.group} {JOINED_LIMIT} times in a row, at "
            "most 10 s apart, each time when no other reader of the client was in it",
            cause="The client makes a reader for each event or batch: each joins the group, takes "
            "its segments, releases them and leaves, by several updates of the group's state.",
            source=f"{CLIENT}, EventStreamReader.java; pravega issues 7016 and 7018",
            healthy="A program that is run for each batch.",
        )
        for name in ("joined", "entered")
    ),
    *(
        Rule(
            id="PRV-B89",
            severity=Severity.NOTE,
            group=Group.SEQUENCE,
            title="reader that gets no segment, because the others release none",
            on=on,
            when="holding.manual_n is not None and holding.cut is None and "
            f"t - holding.joined_t > STARVED{more}",
            needs=needs,
            of="holding",
            evidence=f"holding.joined_n, holding.manual_n, holding.taken_n{leaving}",
            message="a reader joined reader group {holding.group} {t - holding.joined_t:time} ago "
            "and got no segment, although others hold several; the group has no automatic "
            "checkpoints, and no program has made one",
            cause="Readers release segments to others at checkpoints: with automatic checkpoints "
            "disabled, the program has to make some itself (initiateCheckpoint).",
            source=f"{CLIENT}, ReaderGroupStateManager.java; pravega issues 2298 and 4465",
            healthy="The first checkpoint of the program comes later.",
        )
        for on, more, needs, leaving in (
            ("conditional_append", f" and {LEFT} is not None", "whole", ", n"),
            ("end:holding", "", "", ""),
        )
    ),
    *(
        Rule(
            id=f"PRV-B90{letter}",
            severity=severity,
            group=Group.SEQUENCE,
            title=title,
            on="read_segment",
            when="course.by_n != entrance.latest_n and fields.offset <= course.start and "
            f"fields.offset < course.top and entrance.several is None and {again}",
            needs="",
            of="course",
            evidence="n, entrance.latest_n, course.top_n",
            message="the reader that joined in frame {entrance.latest_n} reads {segment} from "
            "{fields.offset} on: the one before it in the group had begun at {course.start} and "
            f"read up to {{course.top}}{more}",
            cause="The reader does not release the slices that it has read, so that the table of "
            "the group keeps the former offset: these events are read again.",
            source="pravega-client-rust, SegmentReader; pravega issue 7335",
            healthy=healthy,
        )
        for letter, severity, title, again, more, healthy in (
            (
                "",
                Severity.NOTE,
                "segment that the next reader of the group begins again",
                "(coalesce(course.times, 0) == 0 or course.moved_n is not None)",
                "",
                "The reader before ended before it had handled the events.",
            ),
            (
                "b",
                Severity.WARNING,
                "segment that each reader of the group begins again",
                "course.times > 0 and course.moved_n is None",
                ", as others before",
                "",
            ),
        )
    ),
    Rule(
        id="PRV-B141",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segment that one reader group after another begins again",
        on="read_segment",
        when="course.by_n != entrance.latest_n and fields.offset <= course.start and "
        "fields.offset < course.top and entrance.turns >= TURNS_LIMIT",
        needs="",
        of="course",
        evidence="n, entrance.latest_n, course.top_n",
        message="{segment} is read from {fields.offset} on by the reader that joined in frame "
        "{entrance.latest_n}, and was read up to {course.top} before: it belongs to another "
        "reader group, as those before it did, whose readers had left",
        cause="The program creates a reader group at each start, which begins at the head of the "
        "stream: each run reads all events again. Keep one group by its name, or begin a new one "
        "at the tail.",
        source="pravega-client-rust, ReaderGroupConfig; pravega-client-rust issue 410",
        healthy="A program that is to read the whole stream at each start.",
    ),
    Rule(
        id="PRV-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="segments of a reader group released repeatedly",
        on="repetition:released",
        needs="",
        message="readers of the client released a segment of reader group {writer.group} "
        "{RELEASE_LIMIT} times in a row, at most {RELEASE_PAUSE:time} apart",
        cause="Readers pass segments back and forth, because readers come and go or their number "
        "does not fit that of the segments: each move is a checkpoint and some round trips.",
        source=f"{CLIENT}, ReaderGroupStateManager.java",
        healthy="A group that is being scaled.",
    ),
)
