"""What clients of RabbitMQ Streams do over time: loops, leaks, waste, offsets, shared names."""

from typing import Final

from streamshark.conversations.behaviours import (
    Alternation,
    Churn,
    Count,
    Flood,
    Forbidden,
    Leak,
    Mismatch,
    Mixture,
    Ratio,
    Repetition,
    ResumePlace,
    RoundTrips,
    Sequence,
    SharedIdentity,
)
from streamshark.conversations.tables import Action, Constant, Lifecycle, Table, Transition

_SUBJECT: Final = (
    "coalesce(coalesce(req.stream, req.super_stream), coalesce(req.publisher_reference, ''))"
)
"""What a request is about."""
SENT: Final = "pub.confirmed + pub.refused + coalesce(count(pub.waiting), 0)"
"""Messages of a publisher."""
_BOUND: Final = "conn.reader if conn.reader_stream == sub.stream else ''"
_OF_SUB: Final = f"client, conn.vhost, sub.stream, coalesce(sub.reference, {_BOUND})"
"""A reader of a stream: by its name, or by what its connection stores or asks for."""
CLIENT_LEAVES: Final = "C.close_n is not None or conn.first_fin == C.side"
"""The client ends the connection."""
PROGRAM: Final = "coalesce(program(conn.client_name), '')"
"""The program of the client, as it names itself; empty without a name."""
LEFT: Final = "coalesce(conn.fin_t, t)"
"""When the connection ended, or an object of it."""
_LOST: Final = (
    "(why == 'reset' or why == 'closed' and C.close_n is None and S.over_n is None and "
    "(conn.first_fin == S.side or S.close_n is not None))"
)
"""The connection of an object that has ended was lost, and not closed."""
_ALONE: Final = "item(properties, 'single-active-consumer') == 'true'"
"""Subscribe asks for a single active consumer."""
_GROUP: Final = "item(properties, 'name')"
_TORN: Final = "C.close_n is None and coalesce(conn.first_fin, side) == side"
"""The broker ends the connection of a subscription that the client has not given up."""
_ALONE_IN_PARTITION: Final = (
    f"{_ALONE} and item(properties, 'super-stream') is None and has(machine.partitions, stream)"
)
"""Subscribe asks for one in a partition, and does not name the super stream."""
_READS_AS: Final = f"client, conn.vhost, sub.stream, sub.reference, {PROGRAM}"
"""Consumers of one program and one name on a stream."""
_OF_ROW: Final = "client, conn.vhost, stream, fields.reference"
WANTED: Final = "(0 if sub.offset_type == 1 else sub.wanted if sub.offset_type == 4 else None)"
"""Where a subscription is to begin; unknown for specifications without an offset."""


def _reader(name: str, on: str, when: str, begins: str, question: str = "n") -> ResumePlace:
    """Return where a reader of a stream begins again."""
    return ResumePlace(
        name=name,
        life="sub",
        on=on,
        when=when,
        key=_OF_SUB,
        begin_key=_OF_SUB,
        begins=begins,
        question=question,
        began="sub.first_chunk",
        reached="sub.next",
        spec="sub.offset_type",
        lost=_LOST,
        cut="1 if sender == 'server' and C.close_n is None else 0",
        stores=Count("store_offset", "", "fields.offset"),
        stores_key=_OF_ROW,
        asks=Count("query_offset"),
        asks_key=_OF_ROW,
        answers=Count("query_offset_response", "response_code == 1", "fields.offset"),
        answers_key="client, conn.vhost, req.stream, req.reference",
    )


CONSTANTS: Final = (
    Constant(name="REFUSED_LIMIT", value=4, doc="The same refusals in a row."),
    Constant(name="REFUSED_PAUSE", value="2 s", doc="Longest time between two of them."),
    Constant(name="FEW_REFUSED", value=3, doc="The same refusals in a row, for a note."),
    Constant(name="LOOKED_UP", value=8, doc="Metadata of one stream asked for again."),
    Constant(name="POLL_LIMIT", value=10, doc="The same queries in a row."),
    Constant(name="FEW_POLLS", value=5, doc="The same queries in a row, for a note."),
    Constant(name="NOT_BEGUN_LIMIT", value=5, doc="Questions for an offset, and no consumer."),
    Constant(name="GIVEN_UP", value="500 ms", doc="Time that no answer takes."),
    Constant(name="POLL_PAUSE", value="100 ms", doc="Longest time between two of them."),
    Constant(name="CHURN_LIMIT", value=3, doc="Publishers or subscriptions that end unused."),
    Constant(name="RECONNECT_LIMIT", value=4, doc="Connections one after the other."),
    Constant(name="UNUSED_LIMIT", value=3, doc="Publishers of a connection that are never used."),
    Constant(name="READERS_LIMIT", value=4, doc="Subscriptions of a client to one stream."),
    Constant(name="IDLE", value="1 s", doc="Age from which a connection counts as idle."),
    Constant(name="SINGLE_LIMIT", value=10, doc="Publish frames of one message at full speed."),
    Constant(name="AT_ONCE", value="5 ms",
             doc="Time after a confirm in which a waiting publisher sends the next message."),
    Constant(name="STREAM_LIMIT", value=3, doc="Streams that are created and soon deleted."),
    Constant(name="STORE_LIMIT", value=5, doc="Stored offsets, of at most two messages each."),
    Constant(name="EACH_LIMIT", value=20, doc="Offsets that are stored one by one."),
    Constant(name="STILL_LIMIT", value=3, doc="The same offset stored again."),
    Constant(name="LOOKUP_LIMIT", value=4, doc="Streams asked for one by one."),
    Constant(name="CREDIT_LIMIT", value=5, doc="Credits of one chunk each, with none left."),
    Constant(name="REREAD_LIMIT", value=3, doc="Messages that are read again after a reconnect."),
    Constant(name="REMADE_LIMIT", value=2, doc="Times that a stream is deleted and made again."),
    Constant(name="ABSENT", value=100, doc="Offsets without a message that stored offsets take."),
    Constant(name="SKIPPED", value=3, doc="Messages that a consumer of new messages skips."),
    Constant(name="REREAD_ROUNDS", value=3, doc="Times that a stream is read from one place."),
    Constant(name="RESUBSCRIBED", value="5 s",
             doc="Time within which a client subscribes again after it has reconnected."),
    Constant(name="RESTORED", value="1 s",
             doc="Time within which a client that restores some publishers restores the others."),
    Constant(name="RETURNED", value="1 s",
             doc="Time in which a client notices that a stream of MetadataUpdate is there again."),
    Constant(name="RECOVERY", value="7 s",
             doc="Time after MetadataUpdate in which clients begin again; Java waits 5 s."),
    Constant(name="ROUTED_LIMIT", value=5, doc="Messages for the partition of one routing key."),
    Constant(name="KEYED_MOST", value=16,
             doc="Messages of a publisher whose properties are compared between partitions."),
    Constant(name="SPREAD_MOST", value=128,
             doc="Messages of all publishers of a super stream that are compared."),
    Constant(name="ASKED_LIMIT", value=3, doc="The last publishing id asked for again."),
    Constant(name="QUIET", value="3 s", doc="Time without use after which an object is left."),
    Constant(name="NAMES_LIMIT", value=3, doc="Names that a client has used one after another."),
    Constant(name="SKEWED_LIMIT", value=10, doc="Messages of which one partition has all."),
    Constant(name="FILTER_SAMPLE", value=64, doc="Messages whose filter values are compared."),
    Constant(name="FILTER_LIMIT", value=16, doc="Filter values of one message each."),
    Constant(name="UNREAD_LIMIT", value=3, doc="Messages of a partition without a consumer."),
    Constant(name="SECTION", value=b"\0S", doc="What a section of AMQP 1.0 begins with."),
    Constant(name="SAMPLE", value=16,
             doc="Messages of a publisher whose properties and bodies are compared."),
    Constant(name="SAMPLED_SIZE", value=16_384, doc="Bytes of a Publish frame that is sampled."),
    Constant(name="SENT_MOST", value=64,
             doc="First Publish frames of a named publisher of a connection, whose contents are "
             "recognised when they are sent again."),
    Constant(name="STORED_MOST", value=16,
             doc="First Publish frames of a named publisher of a connection, whose ids are "
             "compared with the one that the stream has."),
    Constant(name="UNPAID_LIMIT", value=3, doc="Sub-batches that compression makes no smaller."),
    Constant(name="FIRST_LIMIT", value=3, doc="Stored offsets of the first message of a chunk."),
    Constant(name="BEAT_LIMIT", value=6, doc="Heartbeats in a row that come too early."),
)  # fmt: skip

HANDLED: Final[tuple[Table, ...]] = (
    Repetition(
        name="shut_out",
        on="sasl_authenticate_response open_response",
        when="response_code not in (1, 10, 20, 21)",
        per="client, server, coalesce(conn.client_name, '')",
        question="req.n",
        limit=1,
        may_back_off=False,
        success="open_response",
        success_when="response_code == 1",
    ),
    Repetition(
        name="taken_reference",
        on="declare_publisher_response",
        when="response_code == 17 and 0 < len(req.publisher_reference) <= 255",
        per="client, conn.vhost, req.stream, req.publisher_reference",
        question="req.n",
        limit=1,
        may_back_off=False,
        success="declare_publisher_response",
        success_when="response_code == 1",
    ),
)
"""Refusals that are handled if the same succeeds later."""

LOOPS: Final[tuple[Table, ...]] = (
    *(
        Repetition(
            name=name,
            on="any:coded",
            # Credit of a subscription that has just ended crosses the answer to Unsubscribe
            when=f"response_code not in {accepted} and name != 'credit_response'",
            per=f"client, coalesce(conn.vhost, server), name, {_SUBJECT}",
            same="response_code",
            question="req.n",
            limit=limit,
            pause=pause,
            success="any:coded",
            success_when="response_code in (1, 10)",
            may_back_off=may_back_off,
        )
        for name, accepted, limit, pause, may_back_off in (
            # 5: a program that creates its stream at each start finds it there
            ("refused", "(1, 5, 10, 19)", "REFUSED_LIMIT", "REFUSED_PAUSE", True),
            ("refused_slowly", "(1, 10, 19)", "FEW_REFUSED", "60 s", False),
        )
    ),
    *(
        Repetition(
            name=name,
            on="query_offset query_publisher_sequence stream_stats partitions route "
            "resolve_offset_spec",
            per="flow, name, stream",
            keys={
                "query_offset": "flow, name, stream, fields.reference",
                "query_publisher_sequence": "flow, name, stream, publisher_reference",
                "partitions": "flow, name, super_stream",
                "route": "flow, name, super_stream, routing_key",
            },
            limit=limit,
            pause=pause,
            may_back_off=False,
        )
        for name, limit, pause in (
            ("polled", "POLL_LIMIT", "POLL_PAUSE"),
            ("polled_slowly", "FEW_POLLS", "REFUSED_PAUSE"),
        )
    ),
    Repetition(
        name="not_begun",
        on="query_offset_response",
        when="response_code == 19 and conn.unstored is None",
        per="client, conn.vhost, req.stream",
        keys={"subscribe": "client, conn.vhost, stream"},
        question="req.n",
        limit="NOT_BEGUN_LIMIT",
        pause="10 s",
        may_back_off=False,
        breaks="subscribe",
    ),
    Action(on="query_offset_response", when="response_code == 19", do="conn.unstored = 1"),
    Repetition(
        name="asked_sequence",
        on="query_publisher_sequence",
        per="flow, stream, publisher_reference",
        limit="ASKED_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    Repetition(
        name="asked_again",
        on="metadata",
        per="flow, first(streams)",
        limit="LOOKED_UP",
        pause="60 s",
        may_back_off=False,
    ),
    Churn(
        name="reconnected",
        life="conn",
        per=f"client, server, {PROGRAM}",
        when="(conn.used_n is not None or conn.first_fin == S.side) and C.frames <= 12",
        limit="RECONNECT_LIMIT",
        pause="10 s",
    ),
    Repetition(
        name="deleted",
        on="delete_response",
        when="response_code == 1",
        per="client, server",
        question="req.n",
        limit="STREAM_LIMIT",
        pause="10 s",
        may_back_off=False,
    ),
    Flood(
        name="beaten",
        on="heartbeat",
        when="conn.heartbeat > 0",
        per="me",
        every="conn.heartbeat * 1000000000",
        percent=25,
        limit="BEAT_LIMIT",
    ),
)

CHURN_AND_LEAKS: Final[tuple[Table, ...]] = (
    Churn(
        name="brief_publishers",
        life="pub",
        per="flow, pub.stream",
        when=f"why == 'removed' and {SENT} <= 1",
        limit="CHURN_LIMIT",
    ),
    Action(
        on="client:declare_publisher",
        when="publisher_id <= conn.greatest_id",
        do="conn.reused_n = coalesce(conn.reused_n, n)",
    ),
    Action(
        on="client:declare_publisher",
        do="conn.greatest_id = max(coalesce(conn.greatest_id, 0), publisher_id)",
    ),
    Action(
        on="client:delete_publisher",
        do="conn.freed_ids = coalesce(conn.freed_ids, 0) + 1; conn.id_freed_n = n",
    ),
    Churn(
        name="brief_subscriptions",
        life="sub",
        per="flow, sub.stream",
        when="why == 'removed' and sub.chunks <= 1",
        limit="CHURN_LIMIT",
    ),
    Leak(
        name="unused_publishers",
        life="pub",
        when="pub.publish_n is None",
        limit="UNUSED_LIMIT",
        percent_left=50,
    ),
    Leak(
        name="left_publishers",
        life="pub",
        per=f"client, conn.vhost, pub.stream, {PROGRAM}",
        when=f"pub.publish_n is not None and {SENT} <= 1 and t - pub.last_t > QUIET",
        limit="UNUSED_LIMIT",
        percent_left=80,
    ),
    Leak(
        name="left_subscriptions",
        life="sub",
        per="client, conn.vhost, sub.stream, coalesce(sub.reference, '')",
        when="sub.chunks > 0 and coalesce(sub.single, '') != 'true'",
        limit="READERS_LIMIT",
        percent_ended=20,
    ),
    Leak(
        name="idle_connections",
        life="conn",
        per="client, server",
        when="conn.used_n is None and conn.opened_n is not None and t - conn.t > IDLE",
        frame="conn.open_n",
        limit=3,
        percent_left=20,
    ),
    SharedIdentity(
        name="doubled",
        life="sub",
        on="subscribe_response",
        when="response_code == 1",
        key="flow, req.stream",
        end_key="flow, sub.stream",
        used="sub.deliver_n",
    ),
    Action(
        on="subscribe",
        each="sub",
        when="sub.stream == stream and sub.state == 'live' and sub.chunks > 0 and "
        "offset_type == 4 and sub.next - 1 <= fields.offset <= sub.next and "
        "subscription_id != sub.sid",
        do="sub.replaced_n = n",
    ),
    Action(on="subscribe", do="sub.sid = subscription_id"),
)

WASTE: Final[tuple[Table, ...]] = (
    Ratio(
        name="single",
        per="pub",
        of=Count("publish", "len(published_messages) == 1 and count(pub.waiting) > 1"),
        to=Count("publish"),
        least="SINGLE_LIMIT",
        percent=80,
    ),
    Ratio(
        name="waited",
        per="pub",
        of=Count(
            "publish",
            "len(published_messages) == 1 and t - pub.confirmed_t < AT_ONCE and "
            "count(pub.waiting) == 1",
        ),
        to="pub.single_among",
        least="SINGLE_LIMIT",
        percent=80,
    ),
    Ratio(
        name="split",
        per="conn",
        of=Count("client:any", "pieces > 1 and size < 1400"),
        to="C.frames",
        least=10,
        percent=50,
    ),
    Ratio(
        name="alone",
        per="pub",
        of=Count(
            "publish",
            "len(published_messages) == 1 and any_eq(published_messages.entry_type, 1) and "
            "greatest(published_messages.record_count) == 1",
        ),
        to="pub.single_among",
        least=10,
        percent=80,
    ),
    Ratio(
        name="stored",
        per="conn",
        of=Count("store_offset"),
        to=Count("deliver", "", "chunk.num_records"),
        least="STORE_LIMIT",
        percent=50,
        needs="start whole both",
    ),
    Ratio(
        name="credited",
        per="sub",
        of=Count("credit", "credit == 1 and sub.initial == 1 and sub.balance <= 1"),
        to="sub.chunks",
        least="CREDIT_LIMIT",
        percent=80,
    ),
    RoundTrips(
        name="looked_up",
        ask="metadata",
        when="len(streams) == 1",
        answer="metadata_response",
        per="conn",
        distinct="first(streams)",
        limit="LOOKUP_LIMIT",
    ),
)

OFFSETS: Final[tuple[Table, ...]] = (
    Sequence(
        name="stored_back",
        on="store_offset",
        per="client, conn.vhost, stream, fields.reference",
        value="fields.offset",
        expect="never falls",
    ),
    Repetition(
        name="stored_again",
        on="store_offset",
        per="flow, stream, fields.reference",
        same="fields.offset",
        limit="STILL_LIMIT",
        pause="60 s",
        may_back_off=False,
    ),
    _reader(
        "resumed",
        "subscribe_response",
        "response_code == 1 and coalesce(sub.single, '') != 'true'",
        WANTED,
        "req.n",
    ),
    _reader(
        "taken_over",
        "consumer_update_response",
        "req.active == 1",
        "0 if offset_type == 1 else fields.offset if offset_type == 4 else None",
    ),
    SharedIdentity(
        name="read_twice",
        life="sub",
        on="subscribe_response",
        when="response_code == 1 and coalesce(sub.single, '') != 'true'",
        key=_READS_AS,
        end_key=_READS_AS,
        used="sub.deliver_n",
    ),
    Action(
        on="query_offset store_offset",
        do="conn.reader = fields.reference; conn.reader_stream = stream",
    ),
    Action(on="query_offset", do="conn.offset_asked_n = n"),
    Action(on="store_offset", do="conn.offset_kept_n = n"),
    Churn(
        name="only_asked",
        life="sub",
        per=f"client, conn.vhost, sub.stream, {PROGRAM}",
        when="why == 'removed' and sub.chunks > 0 and coalesce(sub.single, '') != 'true' and "
        "conn.reader_stream == sub.stream and conn.offset_asked_n > sub.n and "
        "coalesce(conn.offset_kept_n, 0) < sub.n",
        limit="CHURN_LIMIT",
        pause="10 s",
    ),
    Action(
        on="deliver",
        when="sub.first_chunk is None and sub.offset_type == 3 and sub.reference is None",
        do="conn.new_stream = sub.stream; conn.new_chunk = chunk.chunk_id; conn.new_n = sub.n",
    ),
    Action(
        on="deliver",
        when="sub.first_chunk is None and sub.offset_type in (1, 4) and sub.reference is None",
        do="conn.begun_stream = sub.stream; conn.begun_at = max(chunk.chunk_id, "
        "coalesce(sub.wanted, 0)); conn.begun_n = sub.n",
    ),
    Action(on="deliver", do="sub.first_chunk = coalesce(sub.first_chunk, chunk.chunk_id)"),
)

RECONNECTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="before",
        scope="capture",
        doc="What a program of a client read and published to when its connection was lost.",
        key={
            "end:sub end:pub end:conn subscribe declare_publisher": "client, conn.vhost, "
            + PROGRAM,
        },
    ),
    Action(
        on="end:sub",
        when=f"conn.whole and {_LOST} and sub.chunks > 0",
        do="put(before.read, sub.stream); before.read_n = sub.deliver_n; "
        "before.sub_n = sub.n; "
        "before.client_name = conn.client_name",
    ),
    Action(
        on="end:pub",
        when=f"conn.whole and {_LOST} and pub.publish_n is not None",
        do="put(before.written, pub.stream); before.written_n = pub.publish_n; "
        "before.client_name = conn.client_name",
    ),
    Action(on="subscribe", when="has(before.read, stream)", do="conn.reread_t = t"),
    Action(on="declare_publisher", when="has(before.written, stream)", do="conn.rewritten_t = t"),
    Action(on="subscribe", do="drop(before.read, stream)"),
    Action(on="declare_publisher", do="drop(before.written, stream)"),
)

NAMES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="groups",
        scope="capture",
        doc="The groups of single active consumers of a stream.",
        key={
            "subscribe": f"(conn.vhost, stream) if {_ALONE} else None",
            "end:sub": "(conn.vhost, sub.stream) if sub.single == 'true' else None",
        },
    ),
    Action(
        on="subscribe",
        when=f"{_ALONE} and not has(groups.names, {_GROUP})",
        do=f"put(groups.names, {_GROUP}); groups.former_n = groups.latest_n; "
        f"groups.latest_n = n; groups.latest = {_GROUP}",
    ),
    Action(on="subscribe", when=_ALONE, do="groups.live = coalesce(groups.live, 0) + 1"),
    Action(on="end:sub", when="sub.single == 'true'", do="groups.live = groups.live - 1"),
    Lifecycle(
        name="band",
        scope="capture",
        doc="A group of single active consumers, and what its members are part of.",
        key={
            "subscribe_response": "(server, conn.vhost, sub.stream, sub.reference) "
            "if sub.single == 'true' else None",
        },
    ),
    Action(
        on="subscribe_response",
        when="response_code == 1 and sub.single == 'true'",
        do="band.whole = coalesce(sub.super_stream, ''); band.member_n = sub.n",
    ),
    Lifecycle(
        name="torn",
        scope="capture",
        doc="Subscriptions to a stream that a program has lost with its connections and has not "
        "replaced: those of a group, and others.",
        key={
            "client:subscribe": f"client, conn.vhost, stream, {PROGRAM}",
            "server:tcp.close server:tcp.reset": f"client, conn.vhost, sub.stream, {PROGRAM}",
        },
    ),
    Action(
        on="server:tcp.close server:tcp.reset",
        each="sub",
        when=f"{_TORN} and sub.single == 'true'",
        do="torn.members = coalesce(torn.members, 0) + 1; torn.member = sub.reference; "
        "torn.member_n = sub.n; torn.member_t = t",
    ),
    Action(
        on="server:tcp.close server:tcp.reset",
        each="sub",
        when=f"{_TORN} and coalesce(sub.single, '') != 'true'",
        do="torn.others = coalesce(torn.others, 0) + 1",
    ),
    Action(
        on="client:subscribe",
        do=f"torn.others = max(coalesce(torn.others, 0) - (0 if {_ALONE} else 1), 0); "
        "torn.members = max(coalesce(torn.members, 0) - 1, 0)",
    ),
    Lifecycle(
        name="asking",
        scope="capture",
        doc="The names under which a client asks for its offset in a stream, and finds none.",
        key={
            "query_offset_response": "client, conn.vhost, req.stream",
            "subscribe": "client, conn.vhost, stream",
        },
    ),
    Action(
        on="query_offset_response",
        when="response_code == 19 and flow != coalesce(asking.flow, -1) and "
        "not has(asking.names, req.reference)",
        do="put(asking.names, req.reference); asking.flow = flow; asking.t_of = t; "
        "asking.former_n = asking.latest_n; asking.latest_n = req.n",
    ),
    Lifecycle(
        name="referring",
        scope="capture",
        doc="The references under which a client publishes to a stream.",
        key={
            "declare_publisher": "(client, conn.vhost, stream, coalesce(conn.client_name, '')) "
            "if len(publisher_reference) > 0 else None"
        },
    ),
    Action(
        on="declare_publisher",
        when="flow != coalesce(referring.flow, -1) and "
        "not has(referring.names, publisher_reference)",
        do="put(referring.names, publisher_reference); referring.flow = flow; "
        "referring.former_n = referring.latest_n; referring.latest_n = n; "
        "referring.latest = publisher_reference",
    ),
    Lifecycle(
        name="sought",
        scope="capture",
        doc="A name under which a client asks for its offset in a stream.",
        key={
            "query_offset_response": "client, conn.vhost, req.stream, req.reference",
            "store_offset": "client, conn.vhost, stream, fields.reference",
            "end:sub": "None if conn.whole else "
            "(client, conn.vhost, conn.reader_stream, conn.reader)",
        },
    ),
    Lifecycle(
        name="tracked",
        scope="capture",
        doc="A stream in which a client stores its offset.",
        key={
            "query_offset_response": "client, conn.vhost, req.stream",
            "store_offset subscribe": "client, conn.vhost, stream",
            "end:sub": "client, conn.vhost, sub.stream",
        },
    ),
    Action(on="subscribe", when=_ALONE_IN_PARTITION, do="put(machine.bare, stream)"),
    Action(
        on="store_offset",
        do="sought.stores = coalesce(sought.stores, 0) + 1; "
        "sought.singles = coalesce(sought.singles, 0) + "
        "(1 if 0 < fields.offset - coalesce(sought.stored, fields.offset) <= 2 else 0); "
        "sought.stored_n = n; sought.stored = fields.offset; tracked.stored_n = n; "
        "tracked.reference = fields.reference",
    ),
    Action(
        on="query_offset_response",
        do="sought.queried_n = n; put(tracked.asked, req.reference)",
    ),
    Action(on="end:sub", do="sought.unsure_n = n"),
    Action(
        on="query_offset_response",
        when="response_code == 19 and sought.asked_n is None",
        do="sought.asked_n = req.n; sought.flow = flow",
    ),
    Lifecycle(
        name="standby",
        scope="connection",
        doc="A stream of which the connection has a single active consumer.",
        key={
            "consumer_update_response": "sub.stream",
            "store_offset": "stream",
            "consumer_update": "sub.stream",
        },
    ),
    Action(
        on="consumer_update_response",
        do="standby.since = t if req.active == 0 else None; standby.left_n = n",
    ),
    Lifecycle(
        name="consumed",
        scope="capture",
        doc="A stream of a virtual host, and whether single active consumers take turns on it.",
        key={
            "subscribe store_offset": "conn.vhost, stream",
            "end:pub": "(conn.vhost, pub.stream) if pub.format == 'other' else None",
        },
    ),
    SharedIdentity(
        name="shared_reference",
        life="pub",
        on="declare_publisher_response",
        when="response_code == 1 and len(req.publisher_reference) > 0",
        key="server, conn.vhost, req.stream, req.publisher_reference",
        end_key="server, conn.vhost, pub.stream, pub.reference",
        used="pub.publish_n",
    ),
    Alternation(
        name="shared_tracking",
        on="store_offset",
        when="consumed.single_n is None",
        per="conn.vhost, stream, fields.reference",
    ),
    Action(
        on="subscribe",
        when="item(properties, 'single-active-consumer') == 'true'",
        do="consumed.single_n = n",
    ),
    Action(on="route partitions", do="put(conn.super_streams, super_stream)"),
    Action(on="create_super_stream", do="put(conn.super_streams, fields.name)"),
)

SIDES: Final[tuple[Table, ...]] = (
    Action(
        on="subscribe",
        when="item(properties, 'filter.0') is not None",
        do="sub.selects = 1",
    ),
    Action(
        on="subscribe",
        when="item(properties, 'filter.1') is None and "
        "coalesce(item(properties, 'match-unfiltered'), '') != 'true'",
        do="sub.filter = item(properties, 'filter.0')",
    ),
    Mismatch(
        name="filtered",
        life="sub",
        key="conn.vhost, sub.stream",
        value="sub.filter",
        when="sub.chunks == 0",
        others=Count(
            "publish",
            "pub.counted is None or version == 2",
            "first(published_messages.filter_value)",
        ),
        others_key="conn.vhost, pub.stream",
    ),
    Action(on="publish", when="pub.counted is None", do="pub.counted = 1"),
)

PARTITIONS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="section",
        scope="capture",
        doc="A stream of a virtual host: whether it is a partition, is published to and read.",
        key={
            "partitions_response": "conn.vhost, streams",
            "create_super_stream": "conn.vhost, partitions",
            "subscribe declare_publisher": "conn.vhost, stream",
            "end:pub": "conn.vhost, pub.stream",
        },
    ),
    Lifecycle(
        name="super",
        scope="capture",
        doc="A super stream of a virtual host, by its name.",
        key={
            "subscribe end:section": "section.host, section.of",
            "partitions_response route_response": "conn.vhost, req.super_stream",
            "create_super_stream delete_super_stream": "conn.vhost, fields.name",
            "end:pub": "(conn.vhost, pub.part_of) if pub.publish_n is not None else None",
        },
    ),
    Action(
        on="partitions_response",
        do="super.parts = len(streams); super.listed = None; super.listed_n = n",
    ),
    Action(on="partitions_response", items="streams", do="put(super.listed, streams)"),
    Action(on="delete_super_stream", do="super.listed = None"),
    Action(on="create_super_stream", do="super.parts = len(partitions)"),
    Action(
        on="end:pub",
        when="pub.part_of is not None",
        do=f"put(super.used, pub.stream); super.sent = coalesce(super.sent, 0) + {SENT}; "
        "super.sent_n = pub.publish_n; super.stream = pub.part_of; super.only = pub.stream",
    ),
    Action(
        on="partitions_response",
        items="streams",
        do="section.of = req.super_stream; section.host = conn.vhost; section.stream = streams",
    ),
    Action(
        on="create_super_stream",
        items="partitions",
        do="section.of = fields.name; section.host = conn.vhost; section.stream = partitions",
    ),
    Action(on="subscribe", do="section.read_n = n; super.read_n = n; super.read_t = t"),
    Action(
        on="end:pub",
        when="pub.publish_n is not None",
        do=f"section.published = coalesce(section.published, 0) + {SENT}; "
        "section.published_n = pub.publish_n",
    ),
)

FORMATS: Final[tuple[Table, ...]] = (
    Action(
        on="publish",
        when="pub.format is None",
        do="pub.format = None if first(published_messages.message) is None else "
        "'amqp' if starts(first(published_messages.message), SECTION) else 'other'; "
        "pub.format_n = n",
    ),
    Lifecycle(
        name="content",
        scope="capture",
        doc="The format of the messages of a stream.",
        key={
            "end:pub": "(conn.vhost, pub.stream) if pub.format is not None else None",
            "end:sub": "(conn.vhost, sub.stream) if sub.messages > 0 else None",
            "create_response delete_response": (
                "(conn.vhost, req.stream) if response_code == 1 else None"
            ),
            "create_super_stream": "conn.vhost, partitions",
        },
    ),
    Action(
        on="create_response delete_response",
        do="content.format = None; content.first_n = None",
    ),
    Action(
        on="create_super_stream",
        items="partitions",
        do="content.format = None; content.first_n = None",
    ),
    Action(
        on="end:pub",
        do="content.format = coalesce(content.format, pub.format); "
        "content.sample = coalesce(content.sample, first(pub.samples)); "
        "content.first_n = coalesce(content.first_n, pub.format_n)",
    ),
)
"""How the first message of each publisher begins."""

UPDATES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="fallen",
        scope="connection",
        doc="A stream of which MetadataUpdate has ended publishers or subscriptions.",
        key={"metadata_update": "stream"},
    ),
    Lifecycle(
        name="owed",
        scope="capture",
        doc="What a client has not begun again since MetadataUpdate, and whether the stream is "
        "back.",
        key={
            "metadata_update subscribe declare_publisher": "client, conn.vhost, stream",
            "end:fallen": "client, conn.vhost, fallen.stream",
        },
    ),
    Lifecycle(
        name="seen",
        scope="capture",
        doc="A stream of a virtual host: when it was last known to be there, and "
        "which requests created and deleted it.",
        key={
            "declare_publisher_response subscribe_response create_response query_offset_response "
            "query_publisher_sequence_response stream_stats_response": (
                "(conn.vhost, req.stream) if response_code in (1, 2, 5, 17) else None"
            ),
            "delete metadata_update": "conn.vhost, stream",
            "delete_response": "conn.vhost, req.stream",
            "end:fallen": "conn.vhost, fallen.stream",
        },
    ),
    Action(
        on="create_response",
        when="response_code == 1",
        do="tail.remade = coalesce(tail.remade, 0) + 1 if tail.dropped > 0 else 0; "
        "tail.dropped = 0",
    ),
    Action(on="delete", do="seen.deleted_n = n"),
    Action(
        on="create_response",
        when="response_code == 1",
        do="seen.deleted_n = None; seen.made_n = req.n",
    ),
    Action(on="delete_response", when="response_code != 1", do="seen.deleted_n = None"),
    Action(
        on="declare_publisher_response subscribe_response create_response",
        when="response_code == 1",
        do="seen.there_t = t",
    ),
    *(
        Action(
            on="metadata_update",
            each=life,
            when=f"{life}.state == 'live' and {life}.stream == stream",
            do=f"fallen.stream = stream; fallen.update_n = n; fallen.update_t = t; "
            f"fallen.{kind} = 1; owed.{kind} = coalesce(owed.{kind}, 0) + 1",
        )
        for life, kind in (("sub", "read"), ("pub", "written"))
    ),
    Action(on="subscribe", do="owed.read = owed.read - 1"),
    Action(on="declare_publisher", do="owed.written = owed.written - 1"),
    Action(on="metadata", do="conn.asked_metadata_t = t"),
)
"""What clients do after MetadataUpdate: ask for metadata, and begin again."""

ROUTING: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="router",
        scope="capture",
        doc="The keys for which a client asks for partitions of a super stream with Route.",
        key={
            "route": "client, conn.vhost, super_stream",
            "route_response": "client, conn.vhost, req.super_stream",
            "publish": "(client, conn.vhost, pub.routed) if pub.routed is not None and "
            "coalesce(pub.shown, 0) < KEYED_MOST else None",
            "end:pub": "(client, conn.vhost, pub.routed) if pub.routed is not None else None",
        },
    ),
    Lifecycle(
        name="target",
        scope="capture",
        doc="A partition that was the answer to Route.",
        key={
            "route_response": "(client, conn.vhost, first(streams)) "
            "if response_code == 1 and len(streams) == 1 else None",
            "declare_publisher": "client, conn.vhost, stream",
        },
    ),
    Action(
        on="route",
        when="len(routing_key) > 0",
        do="put(router.keys, routing_key); router.key = routing_key; "
        "router.asked_n = coalesce(router.asked_n, n)",
    ),
    Action(on="route_response", do="target.super_stream = req.super_stream"),
    Action(
        on="declare_publisher", when="pub.state != 'live'", do="pub.routed = target.super_stream"
    ),
    Lifecycle(
        name="spread",
        scope="capture",
        doc="First messages of each publisher of a super stream.",
        key={
            "publish": "(conn.vhost, pub.part_of) if pub.part_of is not None and "
            "coalesce(pub.shown, 0) < KEYED_MOST else None"
        },
    ),
    Action(
        on="declare_publisher",
        when="pub.state != 'live'",
        do="pub.part_of = coalesce(section.of, target.super_stream); pub.shown = 0",
    ),
    Action(
        on="publish",
        when="coalesce(pub.shown, 0) < KEYED_MOST and spread.flow != flow",
        do="spread.other_n = spread.latest_n",
    ),
    Action(
        on="publish",
        when="coalesce(pub.shown, 0) < KEYED_MOST",
        do="spread.flow = flow; spread.latest_n = n; "
        "router.sample = coalesce(router.sample, first(published_messages.message))",
    ),
    Action(
        on="publish",
        when="coalesce(pub.shown, 0) < KEYED_MOST and coalesce(count(router.streams), 0) < 2",
        do="put(router.streams, pub.stream)",
    ),
    Action(
        on="publish",
        when="coalesce(pub.shown, 0) < KEYED_MOST",
        items="published_messages",
        do="put(spread.messages, (n, flow, client, conn.client_version, conn.client_name, "
        "pub.reference, pub.stream, published_messages.message) "
        "if coalesce(count(spread.messages), 0) < SPREAD_MOST else None); "
        "pub.shown = coalesce(pub.shown, 0) + 1",
    ),
)

FILTERS: Final[tuple[Table, ...]] = (
    Action(
        on="publish",
        items="published_messages",
        when="version == 2 and coalesce(pub.filtered, 0) < FILTER_SAMPLE and "
        "len(published_messages.filter_value) > 0",
        do="put(pub.filters, published_messages.filter_value); "
        "put(topic.values, published_messages.filter_value); "
        "pub.filtered = coalesce(pub.filtered, 0) + 1; pub.filter_n = n; "
        "pub.first_filter_n = coalesce(pub.first_filter_n, n)",
    ),
)
"""The filter values of the first messages of each publisher."""

SAMPLES: Final[tuple[Table, ...]] = (
    Action(
        on="publish",
        when="coalesce(pub.sampled, 0) < SAMPLE and size < SAMPLED_SIZE",
        do="put(pub.samples, (n, first(published_messages.message))); "
        "pub.sampled = coalesce(pub.sampled, 0) + 1; pub.sample_n = n; pub.sample_t = t; "
        "pub.first_sample_n = coalesce(pub.first_sample_n, n)",
    ),
    Action(
        on="deliver",
        when="topic.since is None and coalesce(sub.looked, 0) < SAMPLE and size < SAMPLED_SIZE",
        do="put(sub.samples, (n, first(chunk.entries.data))); "
        "put(sub.samples, (n, last(chunk.entries.data))); "
        "sub.sampled = coalesce(sub.sampled, 0) + 1; sub.sample_n = n; sub.sample_t = t; "
        "sub.first_sample_n = coalesce(sub.first_sample_n, n)",
    ),
    Action(
        on="deliver",
        when="coalesce(sub.looked, 0) < SAMPLE and size < SAMPLED_SIZE",
        do="sub.looked = coalesce(sub.looked, 0) + 1",
    ),
    Ratio(
        name="unpaid",
        per="pub",
        of=Count(
            "publish",
            "coalesce(pub.sampled, 0) < SAMPLE and any_eq(published_messages.entry_type, 1) and "
            "first(published_messages.compression) > 0 and "
            "first(published_messages.uncompressed_size) * 19 <= "
            "len(first(published_messages.records)) * 20",
        ),
        to=Count("publish", "coalesce(pub.sampled, 0) < SAMPLE"),
        least="UNPAID_LIMIT",
        percent=50,
    ),
)
"""The first messages of each publisher, and of each subscription to a stream whose publishers were
not captured; what compression makes of sub-batches."""

RESENDING: Final[tuple[Table, ...]] = (
    Action(
        on="end:pub",
        when="why in ('reset', 'closed') and C.close_n is None and len(pub.reference) > 0 and "
        "pub.publish_n is not None",
        do="series.unsure_from = pub.low; series.unsure_to = pub.top; series.lost_n = pub.n; "
        "series.sent_n = pub.publish_n",
    ),
    Action(
        on="declare_publisher_response",
        when="response_code == 1",
        do="pub.unsure_from = series.unsure_from; pub.unsure_to = series.unsure_to",
    ),
    Action(
        on="publish",
        when="pub.low is None",
        do="pub.low = first(published_messages.publishing_id)",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.kept, 0) < SENT_MOST",
        do="put(series.sent, (first(published_messages.publishing_id), "
        "digest(first(published_messages.message)), n))",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.kept, 0) < SENT_MOST",
        do="pub.kept = coalesce(pub.kept, 0) + 1",
    ),
)
"""Messages of a named publisher before its connection was lost, which may be sent again."""

USERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="used_by",
        scope="capture",
        doc="A stream of a virtual host: how many publishers and subscriptions it has.",
        key={
            "declare_publisher_response subscribe_response": (
                "(conn.vhost, req.stream) if response_code == 1 else None"
            ),
            "end:pub": "(conn.vhost, pub.stream) if pub.used_by_n is not None else None",
            "end:sub": "(conn.vhost, sub.stream) if sub.used_by_n is not None else None",
            "delete": "conn.vhost, stream",
        },
    ),
    Action(on="declare_publisher_response", when="response_code == 1", do="pub.used_by_n = n"),
    Action(on="subscribe_response", when="response_code == 1", do="sub.used_by_n = n"),
    Action(
        on="declare_publisher_response subscribe_response",
        when="response_code == 1",
        do="used_by.live = coalesce(used_by.live, 0) + 1; used_by.latest_n = req.n",
    ),
    Action(on="end:pub end:sub", do="used_by.live = used_by.live - 1"),
    Lifecycle(
        name="there",
        scope="capture",
        doc="The streams that a virtual host is known to have.",
        key={
            "declare_publisher_response subscribe_response create_response query_offset_response "
            "query_publisher_sequence_response stream_stats_response metadata_response "
            "partitions_response delete_response end:sub": "conn.vhost"
        },
    ),
    Action(
        on="declare_publisher_response subscribe_response create_response stream_stats_response",
        when="response_code == 1",
        do="put(there.streams, req.stream)",
    ),
    Action(on="delete_response", when="response_code == 1", do="drop(there.streams, req.stream)"),
    Action(
        on="metadata_response",
        items="streams",
        do="put(there.streams, streams.stream_name if streams.response_code == 1 else None)",
    ),
)
"""Who uses streams, and which there are."""

FIRST_OF_CHUNKS: Final[tuple[Table, ...]] = (
    Ratio(
        name="stored_first",
        per="conn",
        of=Count(
            "store_offset",
            "fields.offset == coalesce(received.first_of, tail.first_of) and "
            "coalesce(received.count_of, tail.count_of) > 1",
        ),
        to="conn.stored_count",
        least="FIRST_LIMIT",
        percent=90,
    ),
    Mixture(
        name="group_filter",
        on="subscribe",
        when=_ALONE,
        per=f"conn.vhost, stream, {_GROUP}",
        value="coalesce(item(properties, 'filter.0'), '')",
        limit=1,
    ),
)
"""Where consumers store their offsets, and what members of a group filter for."""

IDS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="query",
        scope="connection",
        doc="A question of the client, by what it asks.",
        key={
            "query_offset": "(name, stream, fields.reference)",
            "query_offset_response": "(req.asked, req.stream, req.reference)",
            "query_publisher_sequence": "(name, stream, publisher_reference)",
            "query_publisher_sequence_response": "(req.asked, req.stream, req.publisher_reference)",
            "stream_stats": "(name, stream, '')",
            "stream_stats_response": "(req.asked, req.stream, '')",
            "partitions": "(name, super_stream, '')",
            "partitions_response": "(req.asked, req.super_stream, '')",
        },
    ),
    Action(
        on="query_offset query_publisher_sequence stream_stats partitions",
        do="query.open = coalesce(query.open, 0) + 1; query.open_n = n; query.open_t = t",
    ),
    Action(
        on="query_offset_response query_publisher_sequence_response stream_stats_response "
        "partitions_response",
        do="query.open = coalesce(query.open, 1) - 1",
    ),
    Lifecycle(
        name="ticket",
        scope="connection",
        doc="A correlation id of the client, whatever the command.",
        key={
            "client:any:request": "correlation_id",
            "server:any:response": "correlation_id",
        },
        steps=(
            Transition("absent unknown closed", "client:any:request", "open"),
            Transition("open", "server:any:response", "closed"),
        ),
    ),
    Action(on="client:any:request", do="ticket.asked_n = n; ticket.command = name"),
)

ALLOWED: Final[tuple[Table, ...]] = (
    Forbidden(
        name="early_heartbeat",
        on="client:heartbeat",
        when="C.tune_n is None",
    ),
    Forbidden(
        name="after_end",
        on="client:heartbeat client:any:request client:publish client:credit client:store_offset",
        when="conn.first_fin == S.side and C.last_t + conn.heartbeat * 1000000000 >= conn.fin_t",
        since="conn.fin_t",
        race="1 s",
    ),
    Forbidden(
        name="near_end",
        on="client:heartbeat client:any:request client:publish client:credit client:store_offset",
        when="conn.first_fin == S.side",
        since="conn.fin_t",
        race="200 ms",
    ),
)

BEHAVIOURS: Final[tuple[Table, ...]] = (
    *CONSTANTS, *HANDLED, *LOOPS, *CHURN_AND_LEAKS, *WASTE, *OFFSETS, *RECONNECTS, *NAMES, *SIDES,
    *PARTITIONS, *FORMATS, *UPDATES, *ROUTING, *FILTERS, *SAMPLES, *RESENDING, *USERS,
    *FIRST_OF_CHUNKS, *IDS, *ALLOWED,
)  # fmt: skip
"""Added to the tables of `conversations`."""
