"""The tables that follow the state of offsets, publishing ids, names and super streams.

`states.py` lists what contradicts it, and `findings/object_states.py` has the rules.
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table
from streamshark.protocols.rabbitmq_stream.behaviours import PROGRAM, SENT

CONSTANTS: Final = (
    Constant(name="ANSWER_USED", value="10 s",
             doc="Time in which a client begins at the stored offset that it asked for."),
    Constant(name="OUTAGE", value="30 s", doc="Time in which a cluster elects a leader."),
    Constant(name="OUTAGE_LIMIT", value=3, doc="Refusals of a stream that is not available."),
    Constant(name="UNFILTERED_LIMIT", value=3, doc="Messages without a filter value."),
)  # fmt: skip

_READER: Final = "client, conn.vhost, {}, " + PROGRAM
ANSWERED: Final = (
    "place.several is None and place.read_n is None and t - place.answered_t <= ANSWER_USED"
)
"""The client has just been answered about its offset in a stream of which it has read nothing."""
PLACES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="place",
        scope="capture",
        doc="What a program was answered about its offset in a stream, and whether it has read it.",
        key={
            "query_offset_response": _READER.format("req.stream"),
            "subscribe store_offset": _READER.format("stream"),
            "consumer_update_response": _READER.format("sub.stream"),
            "deliver": f"({_READER.format('sub.stream')}) if sub.chunks == 0 else None",
        },
    ),
    Action(
        on="query_offset_response",
        when="response_code in (1, 19)",
        do="place.several = 1 if place.reference != req.reference else place.several; "
        "place.found = fields.offset if response_code == 1 else -1; "
        "place.reference = req.reference; place.asked_n = req.n; place.answered_t = t",
    ),
    Action(on="store_offset", do="place.answered_t = None"),
    Lifecycle(
        name="progress",
        scope="capture",
        doc="A name in a stream, and the range of the offsets that were stored under it.",
        key={
            "store_offset": "conn.vhost, stream, fields.reference",
            "query_offset_response": "conn.vhost, req.stream, req.reference",
        },
    ),
    Action(
        on="store_offset",
        do="progress.least = min(coalesce(progress.least, fields.offset), fields.offset); "
        "progress.most = max(coalesce(progress.most, 0), fields.offset); "
        "progress.since = coalesce(progress.since, t); "
        "progress.first_n = coalesce(progress.first_n, n); "
        "progress.broker = coalesce(progress.broker, server)",
    ),
    Action(
        on="query_offset_response",
        when="response_code in (1, 19)",
        do="tracked.unkept = None",
    ),
    Action(
        on="query_offset_response",
        when="req.t - progress.since > SLOW_ANSWER and progress.broker == server and "
        "(response_code == 19 or response_code == 1 and fields.offset < progress.least)",
        do="tracked.unkept = progress.most; tracked.unkept_n = n; "
        "tracked.unkept_by = req.reference; tracked.kept_n = progress.first_n; "
        "tracked.kept_since = progress.since",
    ),
    Action(
        on="subscribe",
        when="tracked.unkept is not None and sub.state != 'live' and "
        "coalesce(tail.made_t, 0) < tracked.kept_since and "
        "coalesce(tail.moved_t, 0) < tracked.kept_since",
        do="sub.unkept = tracked.unkept; sub.unkept_n = tracked.unkept_n; "
        "sub.unkept_by = tracked.unkept_by; sub.kept_n = tracked.kept_n; "
        "sub.kept_since = tracked.kept_since; tracked.unkept = None",
    ),
    Action(on="deliver", when="sub.chunks == 1", do="place.read_n = n"),
)
"""Stored offsets that clients ask for, before they have read anything."""

NUMBERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="numbering",
        scope="capture",
        doc="The references of which a client asked for the last publishing id in a stream.",
        key={
            "query_publisher_sequence_response": "client, conn.vhost, req.stream",
            "publish": "(client, conn.vhost, pub.stream) if pub.publish_n is None else None",
        },
    ),
    Action(
        on="query_publisher_sequence_response",
        when="response_code == 1",
        do="put(numbering.asked, req.publisher_reference); numbering.sequence = sequence; "
        "numbering.reference = req.publisher_reference; numbering.asked_n = req.n; "
        "numbering.answered_t = t",
    ),
    Action(
        on="publish",
        when="pub.publish_n is None and numbering.reference == pub.reference and "
        "numbering.answered_t >= pub.t",
        do="pub.stored = max(coalesce(pub.stored, 0), numbering.sequence)",
    ),
)
"""Publishing ids with which clients continue."""

_NAMED: Final = "(conn.vhost, sub.stream, sub.reference) if len(sub.reference) > 0 else None"
NAMES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="members",
        scope="capture",
        doc="The subscriptions of one consumer name: single active consumers, and others.",
        key={"subscribe_response end:sub": _NAMED},
    ),
    Action(
        on="subscribe_response",
        when="response_code == 1",
        do="members.single = coalesce(members.single, 0) + (1 if sub.single == 'true' else 0); "
        "members.plain = coalesce(members.plain, 0) + (0 if sub.single == 'true' else 1); "
        "members.latest_n = req.n; sub.member_n = req.n",
    ),
    Action(
        on="end:sub",
        when="sub.member_n is not None",
        do="members.single = members.single - (1 if sub.single == 'true' else 0); "
        "members.plain = members.plain - (0 if sub.single == 'true' else 1)",
    ),
    Action(
        on="store_offset",
        each="sub",
        when="sub.stream == stream and len(sub.reference) > 0",
        do="sub.own_n = n if sub.reference == fields.reference else sub.own_n; "
        "sub.misnamed_n = sub.misnamed_n if sub.reference == fields.reference else n; "
        "sub.misnamed = sub.misnamed if sub.reference == fields.reference else fields.reference",
    ),
)
"""Consumer names: who has one, and under which offsets are stored."""

SUPER_STREAMS: Final[tuple[Table, ...]] = (
    Action(on="subscribe", when="sub.state != 'live'", do="sub.part_of = section.of"),
    Lifecycle(
        name="whole",
        scope="capture",
        doc="A super stream: how many publishers and subscriptions its partitions have.",
        key={
            "declare_publisher_response end:pub": (
                "(conn.vhost, pub.part_of) if pub.part_of is not None else None"
            ),
            "subscribe_response end:sub": (
                "(conn.vhost, sub.part_of) if sub.part_of is not None else None"
            ),
            "delete_super_stream": "conn.vhost, fields.name",
        },
    ),
    Action(
        on="declare_publisher_response subscribe_response",
        when="response_code == 1",
        do="whole.live = coalesce(whole.live, 0) + 1; whole.latest_n = req.n",
    ),
    Action(on="end:pub", when="pub.used_by_n is not None", do="whole.live = whole.live - 1"),
    Action(on="end:sub", when="sub.used_by_n is not None", do="whole.live = whole.live - 1"),
)
"""Super streams, by who uses their partitions."""

FILTERS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="sifted",
        scope="capture",
        doc="A stream that is read with a filter: its messages with and without a filter value.",
        key={
            "end:pub": "(conn.vhost, pub.stream) if pub.publish_n is not None else None",
            "end:sub": "(conn.vhost, sub.stream) if sub.filter is not None else None",
        },
    ),
    Action(
        on="end:pub",
        when="coalesce(pub.filtered, 0) > 0",
        do="sifted.filtered = coalesce(sifted.filtered, 0) + pub.filtered",
    ),
    Action(
        on="end:pub",
        when="coalesce(pub.filtered, 0) == 0",
        do=f"sifted.bare = coalesce(sifted.bare, 0) + {SENT}; sifted.bare_n = pub.publish_n; "
        "sifted.stream = pub.stream",
    ),
    Action(on="end:sub", do="sifted.read_n = sub.n; sifted.filter = sub.filter"),
)
"""Messages without a filter value in streams that are read with a filter."""

LISTED: Final[tuple[Table, ...]] = (
    Action(
        on="exchange_command_versions_response",
        items="commands",
        do="put(conn.listed, commands.key)",
    ),
)
"""The commands that the broker lists."""

_TRIED: Final = "declare_publisher_response subscribe_response"
OUTAGES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="outage",
        scope="capture",
        doc="A stream that no client can use, as it is not available.",
        key={_TRIED: "client, conn.vhost, req.stream"},
    ),
    Action(
        on=_TRIED,
        when="response_code == 6",
        do="outage.since = coalesce(outage.since, t); outage.first_n = coalesce(outage.first_n, n);"
        " outage.times = coalesce(outage.times, 0) + 1",
    ),
    Action(
        on=_TRIED,
        when="response_code != 6 and outage.since is not None",
        do="outage.since = None; outage.first_n = None; outage.times = 0",
    ),
)
"""Streams without a leader, as those find who want to use them."""

OBJECT_STATES: Final[tuple[Table, ...]] = (
    *CONSTANTS, *PLACES, *NUMBERS, *NAMES, *SUPER_STREAMS, *FILTERS, *LISTED, *OUTAGES,
)  # fmt: skip
"""Added to the tables of `conversations`."""
