"""What consumers do not deliver, what ends reads and connections early, and who is not let in."""

from typing import Final

from streamshark.conversations.behaviours import Repetition
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.nats.consumer_behaviours import PULL_OVER
from streamshark.protocols.nats.row_names import (
    BATCH,
    CLIENT_OF_NATS,
    DELIVERED,
    IS_ACK,
    IS_PULL,
    PROGRAM,
    SENT,
    STORED,
    member,
)

PULLING: Final = f"starts(subject, '$JS.') and {IS_PULL}"
UNBEATEN: Final = (
    "loop.want > 0 and loop.beat > 0 and coalesce(loop.left_t, 0) < loop.pull_t and "
    f"{CLIENT_OF_NATS}"
)
"""The last pull request of a loop is open, and the server is to send heartbeats for it."""

_SEQUENCE: Final = "between(between(payload, '\"delivered\":{', '}'), '\"consumer_seq\":', ',')"
STALLED: Final = (
    "asked.state == 'asked' and asked.meaning == 'consumer info' and "
    f"starts(asked.subject, '$JS.API.') and {member('num_waiting')} > 0 and "
    f"{member('num_pending')} > 0 and "
    f"({member('num_ack_pending')} < coalesce({member('max_ack_pending')}, 1000) or "
    f"{member('max_ack_pending')} < 0) and "
    "between(payload, '\"paused\":', 'rue') is None and "
    "between(payload, '\"priority_', ':') is None and "
    "between(payload, '\"replay_policy\":\"', '\"') != 'original'"
)
"""The row describes a consumer that could deliver: messages are pending, and pull requests wait."""
WITHHELD: Final = (
    "fields.status == 408 and loop.want > 0 and shelf.latest == loop.subject and "
    "shelf.latest_t > loop.pull_t and t - shelf.latest_t >= STALLED_TIME and "
    "coalesce(loop.got_t, 0) < shelf.latest_t and coalesce(conn.unacked, 0) == 0 and "
    f"puller.flow == flow and {CLIENT_OF_NATS}"
)
"""The row ends a pull request during which a message was stored as the loop had received before."""
STALLED_STILL: Final = (
    f"{STALLED} and t - described.stalled_t >= STALLED_TIME and described.stalled_at == {_SEQUENCE}"
)

_OF_ANSWER: Final = "(server, between(payload, '\"stream\":\"', '\"'))"
ADVISORY: Final = "starts(subject, '$JS.EVENT.ADVISORY.')"
GIVEN_UP: Final = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES"
"""What a program subscribes to that sets messages aside which cannot be processed."""
_MOVED: Final = "fields.status == 409 and description in ('Leadership Change', 'Server Shutdown')"
_CHUNK: Final = "starts(reply_to, '$JS.ACK.OBJ_')"

REFUSED_SUB: Final = "between(message, 'Subscription to \"', '\"')"
"""The subject of the subscription that -ERR refuses."""
IDLE: Final = "t - max(C.last_t, S.last_t)"
"""Time since the last line of either side."""
_DROPPED: Final = (
    "conn.left is None and conn.connect_n is not None and conn.errors == 0 and conn.ldm_n is None "
    f"and conn.start and conn.whole and {CLIENT_OF_NATS} and {IDLE} >= IDLE_LEAST"
)
"""The connection ends without a word of the server after a time without lines."""
IDLE_AGAIN: Final = (
    f"{_DROPPED} and ({IDLE}) * 100 <= quiet.idle * 102 and quiet.idle * 100 <= ({IDLE}) * 102 "
    "and conn.t > quiet.idle_t"
)

_UP_TO: Final = (
    "number(between(between(payload, '\"delivered\":', '\"ack_floor\"'), SEQUENCE_MEMBER, {end}))"
)
"""The sequence of the stream up to which a described consumer has delivered."""

_PRIVATE: Final = (
    "10.", "127.", "169.254.", "192.168.",
    *(f"172.{each}." for each in range(16, 32)),
    *(f"100.{each}." for each in range(64, 128)),
)  # fmt: skip
"""What an address of IPv4 that is not reached from everywhere begins with, in a carrier's network
too."""

SILENCES: Final[tuple[Table, ...]] = (
    Constant(
        name="PRIVATE",
        value=dict.fromkeys(_PRIVATE, "private"),
        doc="Beginning of an address that is not reached from everywhere.",
    ),
    Constant(name="STALLED_TIME", value="1 s", doc="Time in which a consumer delivers."),
    Constant(name="MOVED_TIME", value="10 s", doc="Time in which a client pulls again."),
    Constant(name="IDLE_LEAST", value="10 s", doc="Time without lines that ends a connection."),
    Constant(name="LATE_ACK", value="2 s", doc="Time for which libraries wait for an ack."),
    Constant(name="LEADERS_LIMIT", value=3, doc="Elections of a leader in a row."),
    Constant(name="SEQUENCE_MEMBER", value='"stream_seq":', doc="Text before a sequence."),
    Constant(name="COMMA", value=",", doc="Text after it."),
    # Pull requests that are open, and what the server sends for them.
    Lifecycle(
        name="puller",
        scope="capture",
        doc="The connection that pulls from a consumer; -1 if there are several.",
        key={
            SENT: f"(server, subject) if {PULLING} else None",
            "server:hmsg": "(server, sub.pull_of) if fields.status == 408 and "
            "sub.pull_of is not None else None",
        },
        most=1024,
    ),
    Action(
        on=SENT,
        when=PULLING,
        do="puller.flow = flow if coalesce(puller.flow, flow) == flow else -1; "
        f"loop.beat = {member('idle_heartbeat')}; loop.want = coalesce({BATCH}, 1); "
        "loop.heard_t = t; loop.moved_n = None",
    ),
    Action(
        on=DELIVERED,
        when="sub.pull_of is not None",
        do=f"loop.heard_t = t; loop.want = loop.want - 1 if {IS_ACK} else loop.want; "
        f"loop.moved_n = None if {IS_ACK} else loop.moved_n; "
        f"loop.got_t = t if {IS_ACK} else loop.got_t",
    ),
    Action(
        on="server:hmsg",
        when=f"sub.pull_of is not None and {PULL_OVER}",
        do="loop.want = 0",
    ),
    Action(
        on="server:hmsg",
        when=f"sub.pull_of is not None and {_MOVED}",
        do="loop.moved_n = n; loop.moved_t = t; loop.moved = description",
    ),
    Lifecycle(
        name="shelf",
        scope="capture",
        doc="The latest message that a stream has stored, by the ack of its publisher.",
        key={
            "msg": f"{_OF_ANSWER} if {STORED} else (server, token(asked.subject, 4)) if "
            "asked.state == 'asked' and asked.meaning == 'stream info' else None",
            "hmsg": f"{_OF_ANSWER} if {STORED} else (server, loop.stream) if fields.status == 408 "
            "and loop.stream is not None else None",
        },
        most=256,
    ),
    Action(
        on=DELIVERED,
        when=STORED,
        do="shelf.latest = asked.subject; shelf.latest_n = asked.n; shelf.latest_t = t",
    ),
    # Consumers that are described again and again.
    Lifecycle(
        name="reach",
        scope="capture",
        doc="How far the consumers of a stream are, as the server describes them.",
        key={
            DELIVERED: "(server, token(asked.subject, 4)) if asked.state == 'asked' and "
            "asked.meaning in ('consumer info', 'stream info') and "
            "starts(asked.subject, '$JS.API.') else None",
        },
        most=1024,
    ),
    Action(
        on=DELIVERED,
        when="asked.state == 'asked' and asked.meaning == 'consumer info'",
        do="described.stalled_n = (coalesce(described.stalled_n, n) if described.stalled_at == "
        f"{_SEQUENCE} else n) if {STALLED} else None; "
        "described.stalled_t = (coalesce(described.stalled_t, t) if described.stalled_at == "
        f"{_SEQUENCE} else t) if {STALLED} else None; "
        f"described.stalled_at = {_SEQUENCE} if {STALLED} else None; "
        f"reach.sequence = coalesce({_UP_TO.format(end='COMMA')}, {_UP_TO.format(end='BRACE')}); "
        "reach.told_t = t; reach.told_n = n; reach.consumer = token(asked.subject, 5)",
    ),
    Repetition(
        name="leaders",
        on=DELIVERED,
        when=f"{ADVISORY} and token(subject, 4) == 'LEADER_ELECTED'",
        per="server, subject",
        limit="LEADERS_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    # Streams that are looked for, objects that are read, inboxes that are refused.
    Action(
        on=SENT,
        when="starts(subject, '$JS.') and called(subject, JETSTREAM) == 'stream names'",
        do="asked.sought = coalesce(between(payload, '\"subject\":\"', '\"'), "
        "between(payload, '\"subject\": \"', '\"'))",
    ),
    Action(
        on=DELIVERED,
        when=_CHUNK,
        do="sub.chunks = coalesce(sub.chunks, 0) + 1; "
        "sub.chunks_left = number(token(reply_to, 8)); sub.chunk_n = n; "
        "conn.cut_reads = None if sub.chunks_left == 0 and sub.unsub_n is None else "
        "conn.cut_reads",
    ),
    Action(
        on=SENT,
        when="reply_to is not None",
        do="conn.wants_reply = reply_to; conn.wants_reply_n = n",
    ),
    Action(
        on="server:err",
        when="starts(message, 'Permissions Violation for Subscription')",
        do=f"conn.refused_sub = None if matching(conn.wants_reply, {REFUSED_SUB}) else "
        f"{REFUSED_SUB}; conn.refused_n = n",
    ),
    # Connections that end after the same time without lines.
    Lifecycle(
        name="quiet",
        scope="capture",
        doc="The connections of a program that end after a time without lines.",
        key={"server:tcp.close server:tcp.reset": PROGRAM},
    ),
    Action(
        on="server:tcp.close server:tcp.reset",
        when=_DROPPED,
        do=f"quiet.idle = {IDLE}; quiet.idle_t = t; quiet.latest_n = max(C.last_n, S.last_n)",
    ),
    Action(on="server:ok", do="conn.oks = coalesce(conn.oks, 0) + 1; conn.ok_t = t"),
    # What comes before CONNECT: a header of a proxy, TLS, a signature of a nonce.
    Action(on="info", when="tls_required or tls_available", do="conn.tls_offered = 1"),
    Action(
        on="client:tcp.resync",
        when="conn.connect_n is None and starts(reason, 'PROXY protocol')",
        do="conn.proxied = 1",
    ),
    Lifecycle(
        name="signature",
        scope="capture",
        doc="A signature in CONNECT, and the nonce that it was made for.",
        key={"client:connect": "sig"},
        most=1024,
    ),
    Action(
        on="client:connect",
        when="sig is not None and signature.nonce is not None and signature.nonce != conn.nonce",
        do="conn.resigned_n = signature.signed_n",
    ),
    Action(
        on="client:connect",
        when="sig is not None and signature.nonce is None",
        do="signature.nonce = conn.nonce; signature.signed_n = n",
    ),
    Action(
        on="client:connect",
        when="coalesce(user, '') == '' and coalesce(auth_token, '') == '' and "
        "coalesce(jwt, '') == '' and coalesce(nkey, '') == ''",
        do="conn.bare = 1",
    ),
)
"""Part of the tables of the protocol."""
