"""What clients do with JetStream and with requests over time: acks, ids, revisions, names."""

from typing import Final

from streamshark.conversations.behaviours import Flood, Leak, Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.row_names import (
    ACKING,
    CREATES,
    DELIVERED,
    IS_ACK,
    IS_LEFT,
    IS_PULL,
    OF_PROGRAM,
    OF_STREAM,
    SENT,
    STORED,
    member,
)

_SELF: Final = (
    "coalesce(program(conn.client_name), client), coalesce(conn.client_product, ''), "
    "coalesce(conn.client_version, '')"
)
_ERROR: Final = "between(payload, 'error\":{\"code\":', ',')"
_EXISTS: Final = "('stream create', 'stream update', 'stream info', 'consumer create', \
'consumer durable create', 'consumer info')"
"""Requests whose answer shows that what they are about exists."""
SEQUENCE: Final = member("seq")
"""The sequence in an answer of JetStream."""
WRONG_LAST: Final = "number(between(payload, 'wrong last sequence: ', '\"'))"
"""The last sequence of a stream, in the refusal of a publish that expects another one."""
_REPLIED_TO: Final = "reply_to is not None and not starts(reply_to, '$JS.')"

CONSTANTS: Final = (
    Constant(
        name="VERDICTS",
        value={"+ACK": "+ACK", "-NAK": "-NAK", "+TERM": "+TERM", "+WPI": "+WPI", "+NXT": "+NXT"},
        doc="Beginning of an ack of JetStream to its word.",
    ),
    Constant(name="NEXT_WORD", value=b"+NXT", doc="Ack that asks for the next message."),
    Constant(name="PROGRESS", value=b"+WPI", doc="Ack that reports progress."),
    Constant(name="STOPS_LIMIT", value=2, doc="Connections of a program that left requests."),
    Constant(name="BEATS_LIMIT", value=3, doc="+WPI for a message that is never acknowledged."),
    Constant(name="AFTER_LIMIT", value=3, doc="+WPI for messages that were acknowledged."),
    Constant(name="REJECTED_LIMIT", value=5, doc="Messages of a consumer, all of them rejected."),
    Constant(name="ENDLESS_LIMIT", value=5, doc="Pull requests in a row that do not expire."),
    Constant(name="SMALL_CHUNK", value=8192, doc="Bytes of a small chunk; clients use 128 KiB."),
    Constant(name="CHUNKS_LIMIT", value=5, doc="Chunks of an object, which are small."),
    Constant(name="DELETED_LIMIT", value=5, doc="Messages of a stream that are deleted in a row."),
    Constant(name="DELETED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="IDLE_LIMIT", value=3, doc="Connections of a program without any message."),
    Constant(name="UNCLOSED_LIMIT", value=4, doc="Connections of a program that are left open."),
    Constant(name="LEFT_FOR", value="3 s", doc="Time for which such a connection does nothing."),
    Constant(name="OVERWRITE_LIMIT", value=3, doc="Writes that undo the write of another client."),
    Constant(name="NEXT_LIMIT", value=2, doc="+NXT without the heartbeat of the pull request."),
    Constant(name="UNKEPT_LIMIT", value=3, doc="Messages that a stream keeps for no consumer."),
)

STORED_AGAIN: Final[tuple[Table, ...]] = (
    Action(
        on="client:hpub",
        when="reply_to is not None and msg_id.first_n is not None",
        do="asked.msg_id = item(headers, 'Nats-Msg-Id')",
    ),
    Action(
        on="client:hpub",
        when="msg_id.first_n < n and msg_id.digest == digest(payload)",
        do="asked.again_n = msg_id.first_n; asked.again_t = msg_id.first_t; "
        "asked.known = 1 if msg_id.acked_by == flow else None",
    ),
    Action(
        on="client:hpub",
        when="msg_id.first_n == n and msg_id.old == msg_id.digest",
        do="asked.again_n = msg_id.old_n; asked.again_t = msg_id.old_t",
    ),
    Action(
        on=DELIVERED,
        when=f"asked.msg_id is not None and {STORED}",
        do=f"msg_id.stored = {SEQUENCE}; msg_id.stream = between(payload, '\"stream\":\"', '\"'); "
        "msg_id.acked_by = flow",
    ),
    Action(on=DELIVERED, when=f"asked.state == 'asked' and {STORED}", do="asked.stored_n = n; "
           "asked.stream = between(payload, '\"stream\":\"', '\"')"),
)  # fmt: skip
"""Messages that are published again with their Nats-Msg-Id."""

REVISIONS: Final[tuple[Table, ...]] = (
    Action(
        on=SENT,
        when="reply_to is not None and starts(subject, '$JS.API.STREAM.MSG.GET.')",
        do="asked.reads = coalesce(between(payload, '\"last_by_subj\":\"', '\"'), "
        "between(payload, '\"last_by_subj\": \"', '\"')); asked.of = token(subject, 5)",
    ),
    Action(
        on=SENT,
        when="reply_to is not None and starts(subject, '$JS.API.DIRECT.GET.')",
        do="asked.of = token(subject, 4); asked.direct = subject",
    ),
    Action(
        on=DELIVERED,
        when="asked.of is not None",
        do="conn.read = asked.reads; conn.read_of = asked.of; conn.read_n = n; "
        f"conn.read_at = {SEQUENCE}",
    ),
    Action(
        on="hmsg",
        when="asked.direct is not None",
        do="conn.read = item(fields.headers, 'Nats-Subject'); conn.read_n = n; "
        "conn.read_at = number(item(fields.headers, 'Nats-Sequence'))",
    ),
    Action(
        on=DELIVERED,
        when="asked.expects is not None",
        do=f"conn.wrong_last = {WRONG_LAST}; conn.wrong_n = n; "
        "conn.wrong_of = between(payload, '\"stream\":\"', '\"')",
    ),
    Action(
        on="client:hpub",
        when="conn.read == subject and reply_to is not None",
        do="asked.expects = item(headers, 'Nats-Expected-Last-Sequence')",
    ),
)
"""Sequences that are read, and expected by a publish."""

_WRITES_KEY: Final = "starts(subject, '$KV.') and reply_to is not None"
_HAS_READ: Final = "conn.read == subject and conn.read_n > coalesce(conn.written_n, -1)"
_ANSWERED: Final = "asked.state == 'asked' and asked.key is not None and asked.key == asked.subject"
OVERWRITES: Final = (
    f"asked.state == 'asked' and asked.based is not None and entry.flow != flow and "
    f"entry.sequence > asked.based and {SEQUENCE} > entry.sequence"
)
"""The row confirms a write to a key that another client has written since it was read."""
REMOVES_OTHERS: Final = (
    f"{_ANSWERED} and asked.removes == 1 and conn.held_key == asked.key and entry.flow != flow and "
    f"entry.sequence > conn.held_at and {SEQUENCE} > entry.sequence"
)
"""The row confirms that the client removed a key which another one has written since it did."""
_REVISION: Final = "item(headers, 'Nats-Expected-Last-Subject-Sequence')"
KEY_VALUES: Final[tuple[Table, ...]] = (
    Constant(name="SEIZED_LIMIT", value=2, doc="Keys of others that clients remove."),
    Lifecycle(
        name="entry",
        scope="capture",
        doc="A key of a key-value bucket, and which client wrote it last.",
        key={DELIVERED: f"(server, asked.key) if {_ANSWERED} else None"},
        most=1024,
    ),
    Action(
        on=SENT,
        when=_WRITES_KEY,
        do=f"asked.key = subject; asked.based_n = conn.read_n; "
        f"asked.based = conn.read_at if {_HAS_READ} else None; conn.written_n = n",
    ),
    Action(
        on="client:hpub",
        when=f"{_WRITES_KEY} and (item(headers, 'KV-Operation') is not None or "
        "item(headers, 'Nats-Expected-Last-Subject-Sequence') is not None or "
        "item(headers, 'Nats-Expected-Last-Sequence') is not None)",
        do="asked.based = None",
    ),
    Action(
        on="client:hpub",
        when=f"{_WRITES_KEY} and item(headers, 'KV-Operation') == 'DEL' and {_REVISION} is None",
        do="asked.removes = 1",
    ),
    Action(
        on="client:hpub",
        when=f"{_WRITES_KEY} and item(headers, 'KV-Operation') is None and {_REVISION} is not None",
        do="asked.takes = 1",
    ),
    Action(
        on=DELIVERED,
        when=REMOVES_OTHERS,
        do="entry.seized = coalesce(entry.seized, 0) + 1",
    ),
    Action(
        on=DELIVERED,
        when=f"{_ANSWERED} and asked.takes == 1 and {SEQUENCE} > 0",
        do=f"conn.held_key = asked.key; conn.held_at = {SEQUENCE}; conn.held_n = asked.n",
    ),
    Action(
        on=DELIVERED,
        when=OVERWRITES,
        do="entry.overwrites = coalesce(entry.overwrites, 0) + 1",
    ),
    Action(
        on=DELIVERED,
        when=f"{_ANSWERED} and {SEQUENCE} > coalesce(entry.sequence, 0)",
        do=f"entry.sequence = {SEQUENCE}; entry.flow = flow; entry.written_n = asked.n",
    ),
)
"""Keys that clients read and write."""

ACKS: Final[tuple[Table, ...]] = (
    Action(
        on=SENT,
        when="served.state in ('waiting', 'in_progress') and served.meaning == 'in progress'",
        do="served.beats = coalesce(served.beats, 0) + 1; served.beat_t = t",
    ),
    Action(
        on=SENT,
        when="served.state == 'answered' and served.meaning == 'in progress'",
        do="conn.late_beats = coalesce(conn.late_beats, 0) + 1",
    ),
    Action(
        on=SENT,
        when="served.meaning is not None and served.meaning != 'in progress'",
        do="conn.verdicts = coalesce(conn.verdicts, 0) + 1; "
        "conn.rejected = coalesce(conn.rejected, 0) + "
        "(1 if served.meaning in ('nak', 'term') else 0); "
        "conn.verdict_n = n; conn.verdict_first_n = coalesce(conn.verdict_first_n, n)",
    ),
    Action(
        on="end:served",
        when="served.state == 'in_progress' and served.beats >= BEATS_LIMIT",
        do="conn.unfinished = coalesce(conn.unfinished, 0) + 1; conn.unfinished_n = served.last_n",
    ),
    Flood(
        name="progress",
        on=SENT,
        when=f"{ACKING} and starts(payload, PROGRESS)",
        per="served",
        every="conn.ack_wait",
        percent=5,
        limit="BEATS_LIMIT",
    ),
)
"""Words by which a client answers deliveries."""

PLAIN_NEXT: Final = (
    f"{ACKING} and starts(payload, NEXT_WORD) and conn.beat > 0 and "
    "between(payload, 'idle_heartbeat', '') is None"
)
"""The row acks a message and asks for the next one without the heartbeat of the pull request."""
NEXT_ABANDONED: Final = (
    "conn.next_n is not None and conn.left == 1 and conn.cut is None and "
    "why in ('closed', 'reset') and conn.beat * 3 <= (conn.left_t - conn.next_t) * 2 and "
    "conn.left_t - conn.next_t <= conn.beat * 4"
)
"""The client ends its connection when some heartbeats have not come after +NXT."""
NEXTS: Final[tuple[Table, ...]] = (
    Action(on=SENT, when=f"reply_to is not None and {IS_PULL}",
           do=f"conn.beat = {member('idle_heartbeat')}; conn.next_n = None"),
    Action(on=SENT, when=PLAIN_NEXT,
           do="conn.next_n = n; conn.next_t = t; conn.nexts = coalesce(conn.nexts, 0) + 1"),
    Action(on=SENT, when=f"{ACKING} and not ({PLAIN_NEXT})", do="conn.next_n = None"),
    Action(on=DELIVERED, when=f"conn.next_n is not None and {IS_ACK}", do="conn.next_n = None"),
    Action(on="hmsg", do="conn.next_n = None"),
    Lifecycle(
        name="unbeaten",
        scope="capture",
        doc="A program that ends its connection because no heartbeat came after +NXT.",
        key={"end:conn": f"(server, {_SELF}) if {NEXT_ABANDONED} else None"},
        most=1024,
    ),
    Action(on="end:conn", when=NEXT_ABANDONED,
           do="unbeaten.times = coalesce(unbeaten.times, 0) + 1; unbeaten.latest_n = conn.next_n"),
)  # fmt: skip
"""Heartbeats that a client expects after +NXT."""

MISSES: Final = (
    "starts(reply_to, '$JS.ACK.') and number(token(reply_to, 6)) == conn.read_turn + 1 and "
    "number(token(reply_to, 4)) == 1 and conn.read_consumer == token(reply_to, 3) and "
    "conn.filter is None and conn.create_stream == token(reply_to, 2) and "
    "coalesce(conn.skips, 'all') == 'all' and not starts(token(reply_to, 2), 'KV_') and "
    "not starts(token(reply_to, 2), 'OBJ_')"
)
"""The row is the next delivery of a consumer without a filter, of a message of its stream."""
PLACES: Final[tuple[Table, ...]] = (
    Action(
        on=DELIVERED,
        when="conn.create_stream is not None and starts(reply_to, '$JS.ACK.') and "
        "conn.filter is None",
        do="conn.read_turn = number(token(reply_to, 6)); conn.read_consumer = token(reply_to, 3); "
        "conn.read_place_n = n; "
        "conn.read_place = number(token(reply_to, 5)) if number(token(reply_to, 4)) == 1 else None",
    ),
)
"""How far the consumer that a connection has created has come in its stream."""

SERVICES: Final[tuple[Table, ...]] = (
    Action(on=DELIVERED, when=_REPLIED_TO, do="served.asked = subject; served.queue = sub.queue"),
    Action(
        on=SENT,
        when="served.asked is not None and reply_to is None",
        do="put(conn.serves, served.asked)",
    ),
    Lifecycle(
        name="quit",
        scope="capture",
        doc="A program whose connections end with requests that it has not answered.",
        key={
            "end:served": f"(server, {_SELF}) if served.state == 'waiting' and "
            "why in ('closed', 'reset') else None"
        },
        most=1024,
    ),
    Action(
        on="end:served",
        when="conn.left == 1 and conn.cut is None and has(conn.serves, served.asked) and "
        "coalesce(quit.flow, -1) != flow",
        do="quit.times = coalesce(quit.times, 0) + 1; quit.flow = flow; quit.latest_n = served.n",
    ),
    Lifecycle(
        name="stopped",
        scope="capture",
        doc="A program whose connections end with messages that it has not acknowledged.",
        key={"end:conn": f"(server, {_SELF}, token(conn.ack_to, 3)) if conn.unacked > 0 and "
             "conn.acked_n is not None and conn.left == 1 and conn.cut is None else None"},
        most=1024,
    ),
    Action(
        on="end:conn",
        do="stopped.times = coalesce(stopped.times, 0) + 1; stopped.latest_n = conn.unacked_n",
    ),
)  # fmt: skip
"""Requests and messages that a client has when it leaves."""

EXISTING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="names",
        scope="capture",
        doc="The streams and consumers of a server.",
        key={DELIVERED: "server if asked.meaning is not None and asked.state == 'asked' else None"},
    ),
    Action(
        on=DELIVERED,
        when=f"asked.meaning in {_EXISTS} and {_ERROR} is None",
        do="put(names.subjects, asked.subject)",
    ),
    Lifecycle(
        name="keeper",
        scope="capture",
        doc="A stream with retention interest, which keeps what its consumers have not read.",
        key={
            SENT: "None if reply_to is None or not starts(subject, '$JS.API.') else "
            "(server, token(subject, 4)) if starts(subject, '$JS.API.STREAM.CREATE.') else "
            f"(server, {OF_STREAM}) if {CREATES} else None",
            "end:asked": "(server, asked.stream) if asked.stream is not None else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when="starts(subject, '$JS.API.STREAM.CREATE.')",
        do="keeper.made_n = n if conn.start and (between(payload, '\"retention\":\"', '\"') == "
        "'interest' or between(payload, '\"retention\": \"', '\"') == 'interest') else None; "
        "keeper.unkept = 0",
    ),
    Action(on=SENT, when=CREATES, do="keeper.made_n = None"),
    Action(
        on="end:asked",
        when="keeper.made_n is not None",
        do="keeper.unkept = keeper.unkept + 1; keeper.first_n = coalesce(keeper.first_n, asked.n)",
    ),
)
"""What exists on a server, and who has an interest in it."""

_ENDLESS: Final = (
    f"{IS_PULL} and between(payload, 'expires', '') is None and "
    "between(payload, 'no_wait', '') is None"
)
TO_ABANDONED: Final = f"{IS_ACK} and sub.endless_n == sub.pull_n and sub.pull_n < conn.pull_n"
"""The row is a message for a pull request without an end, after which the client sent another."""
WASTE: Final[tuple[Table, ...]] = (
    Action(
        on=SENT,
        each="sub",
        when=f"sub.state == 'live' and starts(subject, '$JS.API.') and {_ENDLESS} and "
        "matching(reply_to, sub.subject)",
        do="sub.endless_n = n",
    ),
    Action(
        on=DELIVERED,
        when=TO_ABANDONED,
        do="served.abandoned = 1; conn.abandoned = coalesce(conn.abandoned, 0) + 1; "
        "conn.abandoned_n = coalesce(conn.abandoned_n, sub.pull_n); conn.abandoned_to_n = n; "
        "conn.abandoned_t = t",
    ),
    Action(
        on=SENT,
        when=f"served.abandoned == 1 and {ACKING}",
        do="conn.abandoned = conn.abandoned - 1; served.abandoned = 0",
    ),
    Repetition(
        name="endless",
        on=SENT,
        when=f"reply_to is not None and starts(subject, '$JS.API.') and {_ENDLESS}",
        per="flow, subject",
        keys={DELIVERED: "flow, conn.pulls"},
        limit="ENDLESS_LIMIT",
        pause="60 s",
        breaks=DELIVERED,
        breaks_when=f"conn.pulls is not None and ({IS_ACK})",
        may_back_off=False,
    ),
    Repetition(
        name="deleted_singly",
        on=SENT,
        when="reply_to is not None and starts(subject, '$JS.API.STREAM.MSG.DELETE.')",
        per="client, server, subject",
        limit="DELETED_LIMIT",
        pause="DELETED_PAUSE",
        may_back_off=False,
    ),
    Leak(
        name="idle",
        life="conn",
        per=OF_PROGRAM,
        when="conn.connect_n is not None and conn.published == 0 and conn.delivered == 0 and "
        "conn.subs_n is None and conn.peers is None and conn.cluster is None and "
        "not starts(coalesce(conn.client_name, ''), 'LIFT.') and t - conn.t > REPLY_TIME",
        frame="conn.connect_n",
        limit="IDLE_LIMIT",
    ),
    Action(
        on="end:sub",
        when="why in ('closed', 'reset', 'end') and not starts(sub.subject, '_INBOX')",
        do="conn.waits = 1",
    ),
    Leak(
        name="left",
        life="conn",
        per=OF_PROGRAM,
        when=IS_LEFT,
        frame="conn.connect_n",
        limit="UNCLOSED_LIMIT",
        percent_left=60,
    ),
)

JETSTREAM_BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *STORED_AGAIN, *REVISIONS, *KEY_VALUES, *ACKS, *NEXTS, *PLACES, *SERVICES,
    *EXISTING, *WASTE,
)  # fmt: skip
"""Part of the tables of the protocol."""
