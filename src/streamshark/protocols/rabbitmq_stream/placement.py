"""Where clients publish and read: which nodes, which connections, which offsets of which stream."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.rabbitmq_stream.behaviours import PROGRAM

CONSTANTS: Final = (
    Constant(
        name="SINGLE_USES",
        value=8,
        doc="Connections of a client, open at once, with one publisher or subscription each.",
    ),
    Constant(name="ANSWER_LIMIT", value=4, doc="Streams that are made, used and left."),
    Constant(name="OUTBOX_LIMIT", value=3, doc="Messages sent again under another name."),
    Constant(
        name="OUTBOX_MOST",
        value=256,
        doc="First messages of a named publisher of a connection that are recognised when they "
        "are sent again under another name.",
    ),
    Constant(
        name="RESTORED_AFTER", value="60 s", doc="Time in which a lost subscription is made again."
    ),
)

NODES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="placed",
        scope="capture",
        doc="A stream of a virtual host: its leader and replicas, as the last Metadata has them.",
        key={
            "metadata_response": "conn.vhost, streams.stream_name",
            "declare_publisher_response subscribe_response": "conn.vhost, req.stream",
        },
    ),
    Action(on="metadata_response", do="conn.brokers = brokers; conn.placed_n = n"),
    Action(
        on="metadata_response",
        items="streams",
        do="placed.brokers = conn.brokers; placed.leader = streams.leader; "
        "placed.replicas = len(streams.replicas); placed.listed_n = conn.placed_n",
    ),
)
"""The nodes of streams."""

SINGLES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="host",
        scope="capture",
        doc="A client of a broker: how many of its connections have one publisher or subscription.",
        key={
            "declare_publisher_response subscribe_response end:conn": "client, server, conn.vhost",
        },
    ),
    Action(
        on="declare_publisher_response subscribe_response",
        when="response_code == 1 and conn.uses is None",
        do="host.single = coalesce(host.single, 0) + 1; "
        "host.first_n = coalesce(host.first_n, req.n); host.latest_n = req.n",
    ),
    Action(
        on="declare_publisher_response subscribe_response",
        when="response_code == 1 and conn.uses == 1",
        do="host.single = host.single - 1",
    ),
    Action(
        on="declare_publisher_response subscribe_response",
        when="response_code == 1",
        do="conn.uses = coalesce(conn.uses, 0) + 1",
    ),
    Action(on="end:conn", when="conn.uses == 1", do="host.single = host.single - 1"),
)
"""Connections that carry one publisher or subscription each."""

FOUND: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="finder",
        scope="capture",
        doc="What a client has asked of stored offsets, and the last one that it was given.",
        key={
            "query_offset_response subscribe consumer_update_response": ("client, conn.vhost"),
        },
    ),
    Action(
        on="query_offset_response",
        do="put(finder.asked, req.stream); finder.of = None",
    ),
    Action(
        on="query_offset_response",
        when="response_code == 1",
        do="finder.of = req.stream; finder.offset = fields.offset; finder.n_of = n",
    ),
    Action(on="subscribe", do="consumed.read_n = n; conn.reads_n = n"),
)
"""Stored offsets that were asked for, and the streams that are read."""

RETRIED: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="retried",
        scope="capture",
        doc="A reader of a stream that begins at an offset, and how often it began at the same.",
        key={
            "subscribe_response": "(client, conn.vhost, req.stream, coalesce(sub.reference, '')) "
            "if response_code == 1 and req.offset_type == 4 else None",
            "end:sub": "(client, conn.vhost, sub.stream, coalesce(sub.reference, '')) "
            "if sub.offset_type == 4 else None",
        },
    ),
    Action(
        on="subscribe_response",
        do="retried.times = coalesce(retried.times, 0) + 1 if retried.place == req.offset and "
        "retried.advanced == 1 else 1; "
        "retried.failed = retried.failed if retried.times > 1 else 0; "
        "retried.first_n = retried.first_n if retried.times > 1 else req.n; "
        "retried.latest_n = req.n; retried.place = req.offset; retried.advanced = 0",
    ),
    Action(
        on="end:sub",
        when="sub.next > sub.wanted and retried.place == sub.wanted",
        do="retried.advanced = 1; retried.failed = retried.failed + (1 if "
        "why in ('closed', 'reset') and C.close_n is None and conn.first_fin == C.side else 0)",
    ),
)
"""Readers that begin at one offset repeatedly."""

_CUT: Final = (
    "(why == 'reset' or why == 'closed' and C.close_n is None and "
    "(conn.first_fin == S.side or S.close_n is not None))"
)
"""The connection of a subscription was lost."""
SETTINGS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="kept",
        scope="capture",
        doc="The properties of the subscriptions of a program to a stream that were lost.",
        key={
            "end:sub": f"(client, conn.vhost, sub.stream, {PROGRAM}) if {_CUT} else None",
            "subscribe": f"client, conn.vhost, stream, {PROGRAM}",
        },
    ),
    Action(
        on="subscribe",
        when="sub.state != 'live'",
        do="sub.filter_0 = coalesce(item(properties, 'filter.0'), '')",
    ),
    Action(
        on="end:sub",
        when=f"{_CUT} and coalesce(kept.flow, -1) != flow",
        do="kept.filters = None; kept.shared = None; kept.flow = flow",
    ),
    Action(
        on="end:sub",
        when=_CUT,
        do="put(kept.filters, sub.filter_0); kept.lost_n = sub.n; kept.lost_t = t; "
        "kept.shared = 1 if coalesce(sub.single, '') != 'true' else kept.shared",
    ),
)
"""What subscriptions ask for, before and after a lost connection."""

MADE: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="maker",
        scope="capture",
        doc="A client that makes streams, and whether it has used the last one.",
        key={
            "create_response delete_response": "client, conn.vhost",
            "declare_publisher subscribe": "client, conn.vhost",
        },
    ),
    Action(
        on="create_response",
        when="response_code == 1",
        do="maker.times = coalesce(maker.times, 0) + 1 if maker.used_n is not None and "
        "program(req.stream) == maker.stem and req.stream != maker.stream else 1; "
        "maker.first_n = maker.first_n if maker.times > 1 else req.n; "
        "maker.stem = program(req.stream); maker.stream = req.stream; maker.used_n = None; "
        "maker.latest_n = req.n",
    ),
    Action(
        on="delete_response",
        when="response_code == 1 and program(req.stream) == maker.stem",
        do="maker.times = 0",
    ),
    Action(
        on="declare_publisher subscribe",
        when="maker.stream == stream",
        do="maker.used_n = n",
    ),
)
"""Streams that a client makes, uses and leaves."""

RESENT: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="outbox",
        scope="capture",
        doc="What the named publishers of a client have sent to a stream, and under which names.",
        key={
            "publish": "(client, conn.vhost, pub.stream) if len(pub.reference) > 0 and "
            "coalesce(pub.kept, 0) < SENT_MOST else None",
            "end:pub": "(client, conn.vhost, pub.stream) if len(pub.reference) > 0 else None",
        },
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.noted, 0) < OUTBOX_MOST and "
        "coalesce(outbox.reference, pub.reference) == pub.reference",
        items="published_messages",
        do="outbox.reference = pub.reference; put(outbox.sent, "
        "(published_messages.publishing_id, digest(published_messages.message)))",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.noted, 0) < OUTBOX_MOST and "
        "outbox.over_n < pub.n and outbox.reference != pub.reference",
        items="published_messages",
        do="put(outbox.again, digest(published_messages.message) if has(outbox.sent, "
        "(published_messages.publishing_id, digest(published_messages.message))) else None); "
        "outbox.again_n = n if has(outbox.sent, (published_messages.publishing_id, "
        "digest(published_messages.message))) else outbox.again_n; outbox.again_flow = flow",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.kept, 0) < SENT_MOST",
        do="pub.noted_before = pub.noted",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.noted, 0) < OUTBOX_MOST",
        do="pub.noted = coalesce(pub.noted, 0) + len(published_messages)",
    ),
    Action(
        on="end:pub",
        when="pub.reference == outbox.reference",
        do="outbox.over_n = pub.publish_n",
    ),
    Action(
        on="publish",
        when="len(pub.reference) > 0 and coalesce(pub.kept, 0) < SENT_MOST and "
        "any_eq(published_messages.entry_type, 1)",
        do="put(series.batches, (first(published_messages.publishing_id), "
        "first(published_messages.record_count), n))",
    ),
)
"""Messages and sub-batches of named publishers, which may be sent again."""

PLACEMENT: Final[tuple[Table, ...]] = (
    *CONSTANTS, *NODES, *SINGLES, *FOUND, *RETRIED, *SETTINGS, *MADE, *RESENT,
)  # fmt: skip
"""Added to the tables of `conversations`."""
