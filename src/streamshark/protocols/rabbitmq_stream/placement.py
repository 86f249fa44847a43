"""Where clients publish and read: which nodes, which connections, which offsets of which stream."""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(
        name="SINGLE_USES",
        value=8,
        doc="Connections of a client, open at once, with one publisher or subscription each.",
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
            "query_offset_response subscribe consumer_update_response store_offset": (
                "client, conn.vhost"
            ),
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
    Action(on="subscribe", do="consumed.read_n = n; finder.read_n = n"),
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
"""Readers that begin at one offset again and again."""

PLACEMENT: Final[tuple[Table, ...]] = (*CONSTANTS, *NODES, *SINGLES, *FOUND, *RETRIED)
"""Added to the tables of `conversations`."""
