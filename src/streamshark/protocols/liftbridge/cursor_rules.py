"""Rules for cursors of Liftbridge."""

from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.behaviours import BEGINS_AGAIN
from streamshark.protocols.liftbridge.sources import API, SERVER

_ELSEWHERE: Final = 3
"""Cursors that are set for partitions which the client does not read."""

CURSORS: Final = (
    Rule(
        id="LFB-B40",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="cursor fetched under another cursorId than it was set",
        on="fetch_cursor_response",
        when="offset < 0 and place.flow != flow and req.cursor_id != place.cursor_id and "
        "place.misses >= 1",
        of="place",
        needs="",
        evidence="req.n, place.set_n, place.missed_n",
        message="cursor {req.cursor_id} of {req.stream} does not exist; the client has set cursor "
        "{place.cursor_id}, on another connection",
        cause="The cursorId contains something that changes with each start, so that the position "
        "is never found.",
        source=f"{SERVER}/cursors.go, GetCursor",
        healthy="Several programs on one host.",
    ),
    Rule(
        id="LFB-B72",
        severity=Severity.WARNING,
        group=Group.RESPONSE,
        title="FetchCursor answered with an older offset than SetCursor has stored",
        on="fetch_cursor_response",
        when="coalesce(offset, 0) < mark.confirmed and req.n > mark.confirmed_n and "
        "mark.set_n < mark.confirmed_n and mark.mixed is None",
        of="mark",
        needs="whole both",
        evidence="n, req.n, mark.set_n",
        message="cursor {req.cursor_id} of {req.stream} is at {coalesce(offset, 0)}, although it "
        "was set to {mark.confirmed} before, in frame {mark.set_n}",
        cause="The server answers from an old cache, or lost what it had confirmed, after a change "
        "of the leader of the cursors stream: messages are processed again.",
        source=f"{SERVER}/cursors.go, GetCursor; liftbridge-io/liftbridge issue 319",
        guilty="server",
    ),
    Rule(
        id="LFB-B6",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="decreasing cursor offset",
        on="sequence:set_back",
        needs="",
        message="cursor {cursor_id} of {stream} is set back from {set_back.last} to "
        "{coalesce(offset, 0)}",
        cause="Two consumers share the cursor, or messages are finished out of order: after a "
        "restart the messages in between are read again.",
        source=f"{SERVER}/cursors.go, SetCursor",
    ),
    Rule(
        id="LFB-B7",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor shared by two connections",
        on="alternation:shared_cursor",
        needs="",
        message="two connections take turns setting cursor {cursor_id} of {stream}",
        cause="Two consumers share the cursor: each overwrites the position of the other.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="A client that has several connections to a server.",
    ),
    Rule(
        id="LFB-B8",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="stored cursor ignored on restart (no FetchCursor)",
        on="subscribe_request",
        when="start_position == 2 and place.fetched_n is None and place.flow != flow and "
        "place.restarts >= 1",
        of="place",
        needs="whole",
        evidence="n, place.restart_n, place.set_n",
        message="{stream} is read from the earliest message again, although cursor "
        "{place.cursor_id} was set to {place.cursor} and never fetched",
        cause="The client does not call FetchCursor when it starts, so it processes every "
        "message again.",
        source=f"{SERVER}/cursors.go, GetCursor",
    ),
    Rule(
        id="LFB-B8b",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="partition read from the beginning at each start, since its cursor is never set",
        on="subscribe_request",
        when=f"{BEGINS_AGAIN} and place.begun >= BEGUN_LIMIT and reader.most is not None",
        of="place",
        needs="since",
        evidence="n, place.begun_n, place.stored_n",
        message="partition {coalesce(partition, 0)} of {stream} is read from its first message "
        "again: cursor {place.absent}, which was fetched in frame {place.stored_n}, has never been "
        "set",
        cause="The consumer makes no checkpoints, so that each start of it processes every message "
        "again.",
        source=f"{SERVER}/cursors.go, GetCursor; liftbridge issues 46 and 307",
    ),
    Rule(
        id="LFB-B9",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="cursor stored after each message",
        on="repetition:set_singly",
        when="offset == place.cursor + 1",
        needs="",
        message="cursor {cursor_id} of {stream} was advanced by one message {STEP_LIMIT} times in "
        "a row",
        cause="Each SetCursor stores a replicated message in the cursors stream; set the cursor "
        "after a batch.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="Messages that take long to process.",
    ),
    Rule(
        id="LFB-B64",
        severity=Severity.NOTE,
        group=Group.REQUEST,
        title="cursor set to the same offset repeatedly",
        on="repetition:set_again",
        needs="",
        message="cursor {cursor_id} of {stream} was set to {coalesce(offset, 0)} "
        "{SET_AGAIN_LIMIT} times in a row",
        cause="A timer sets the cursor whether the consumer got on or not: each SetCursor stores "
        "a replicated message.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="Few of them, by a timer of minutes.",
    ),
    Rule(
        id="LFB-B65",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor of a stream that the client does not read",
        on="set_cursor_request",
        when="duty.read_n is None and coalesce(place.sets, 0) + 1 >= UNREAD_SETS",
        of="place",
        needs="start whole",
        message="cursor {cursor_id} of {stream} was set {place.sets + 1} times, and the client has "
        "not subscribed to the stream in these captures",
        cause="The client mixes up its streams, or stores the position of another one.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="A program that resets cursors, or reads on another host.",
    ),
    Rule(
        id="LFB-B23",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="fetched cursor not used as the start of the subscription",
        on="subscribe_request",
        when="place.stored is not None and (coalesce(start_position, 0) in (0, 2, 3) or "
        "start_position == 1 and (start_offset < place.stored or start_offset > place.stored + 1))",
        of="place",
        needs="",
        evidence="n, place.stored_n",
        message="the cursor of {stream} is at {place.stored}, but the subscription begins at "
        "{coalesce(start_position, 0):name} {coalesce(start_offset, '')}",
        cause="The client fetches its cursor and does not pass it on: messages are read twice, or "
        "never.",
        source=f"{SERVER}/cursors.go, GetCursor; {API}, Subscribe, StartOffset",
    ),
    Rule(
        id="LFB-B24",
        severity=Severity.WARNING,
        group=Group.SEQUENCE,
        title="SetCursor offset beyond the last delivered message",
        on="set_cursor_request",
        when="offset > reader.most + 1",
        of="reader",
        needs="both whole",
        evidence="n, reader.last_at",
        message="cursor {cursor_id} of {stream} is set to {offset}, but the client has received "
        "messages up to offset {reader.most}",
        cause="The client counts messages otherwise than the server: after a restart those between "
        "are skipped.",
        source=f"{SERVER}/cursors.go, SetCursor",
    ),
)

UNREAD_PARTITIONS: Final = (
    Rule(
        id="LFB-B54",
        severity=Severity.NOTE,
        group=Group.SEQUENCE,
        title="cursor set for a partition that the client does not read",
        on="set_cursor_request",
        when="duty.read_n is not None and reader.asked_n is None and "
        "coalesce(duty.born_n, 0) == coalesce(log.born_n, 0)",
        of="reader",
        worse_from=_ELSEWHERE,
        needs="start whole",
        evidence="n, duty.read_n",
        message="cursor {cursor_id} of {stream} is set for partition {coalesce(partition, 0)}, but "
        "the client subscribed to other partitions only",
        cause="The client leaves the partition out, which is then 0, or takes that of another "
        "message: after a restart the place is not found.",
        source=f"{SERVER}/cursors.go, SetCursor",
        healthy="A tool that sets a cursor, or a partition that was read in other captures.",
    ),
)
