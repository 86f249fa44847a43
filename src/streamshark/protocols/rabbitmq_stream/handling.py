"""What programs do with messages that they read: results, copies, order, stored offsets, groups.

`findings/handling.py` has the rules.
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="SMALL_FRAME", value=4096, doc="Bytes of a frame whose messages are compared."),
    Constant(name="ORDERED", value=160, doc="Messages of a stream whose numbers are compared."),
    Constant(name="TELLING_STEP", value=512, doc="Bytes of a message whose number is compared."),
    Constant(name="ABSENT_AT_ONCE", value=2, doc="Offsets without a message between two chunks."),
    Constant(name="ABSENT_LIMIT", value=2, doc="Stored offsets that no message has."),
    Constant(name="TAKEN", value=256, doc="Messages of a consumer whose results are looked for."),
    Constant(name="COPIED", value=64, doc="Publish frames that are compared with messages read."),
    Constant(name="CAME_BACK", value=4, doc="Messages that come back to their stream."),
    Constant(name="TELLING_COPY", value=16, doc="Bytes of messages not equal by chance."),
)  # fmt: skip

ORDER: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="course",
        scope="capture",
        doc="The first messages of a stream, and whether it has several publishers.",
        key={"publish": "(conn.vhost, pub.stream) if size < SMALL_FRAME else None"},
        most=1024,
    ),
    Action(
        on="publish",
        when="course.flow is not None and course.flow != flow",
        do="course.several = 1",
    ),
    Action(
        on="publish",
        items="published_messages",
        when="coalesce(count(course.steps), 0) < ORDERED and "
        "len(published_messages.message) < TELLING_STEP",
        do="put(course.steps, (n, t, flow, published_messages.message))",
    ),
    Action(on="publish", do="course.flow = flow"),
)
"""In which order messages are published by several connections."""

PLACES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="shelf",
        scope="connection",
        doc="Offsets of a stream between messages that a consumer has received.",
        key={"deliver": "sub.stream", "store_offset": "stream"},
        most=256,
    ),
    Action(
        on="deliver",
        when="sub.follows is not None and sub.selects is None and "
        "0 < chunk.chunk_id - sub.follows <= ABSENT_AT_ONCE",
        do="put(shelf.absent, sub.follows); put(shelf.absent, chunk.chunk_id - 1)",
    ),
    Action(on="deliver", do="sub.follows = chunk.chunk_id + chunk.num_records"),
    Action(
        on="store_offset",
        when="has(shelf.absent, fields.offset)",
        do="shelf.wrong = coalesce(shelf.wrong, 0) + 1; shelf.wrong_n = n",
    ),
)
"""Offsets that no message has, and those that are stored."""

RESULTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="plant",
        scope="capture",
        doc="What the programs of an address read and publish.",
        key={"deliver publish end:sub": "client"},
        most=1024,
    ),
    Lifecycle(
        name="intake",
        scope="capture",
        doc="What an address has received of a stream since it resumed it, and before.",
        key={
            "deliver end:sub": "(client, conn.vhost, sub.stream)",
            "store_offset subscribe": "(client, conn.vhost, stream)",
        },
        most=4096,
    ),
    Action(
        on="subscribe",
        when="offset_type == 4 and fields.offset == intake.stored + 1",
        do="intake.before = intake.items; intake.before_stored = intake.stored; "
        "intake.before_n = intake.stored_n; intake.again_n = n; intake.again_flow = flow; "
        "intake.items = None; intake.stored = None",
    ),
    Action(
        on="store_offset",
        do="intake.several = 1 if intake.stored_by is not None and "
        "intake.stored_by != fields.reference else intake.several; "
        "intake.stored_by = fields.reference; intake.stored = fields.offset; intake.stored_n = n",
    ),
    Action(
        on="deliver",
        when="size < SMALL_FRAME and plant.publishes == 1 and "
        "(sub.offset_type != 4 or chunk.chunk_id >= sub.wanted) and "
        "coalesce(count(intake.items), 0) < TAKEN",
        do="put(intake.items, (chunk.chunk_id, n, first(chunk.entries.data)))",
    ),
    Action(
        on="deliver",
        when="size < SMALL_FRAME and plant.publishes == 1 and "
        "coalesce(count(plant.read), 0) < ORDERED",
        do="put(plant.read, digest(first(chunk.entries.data)))",
    ),
    Action(
        on="publish",
        when="size < SMALL_FRAME and coalesce(count(plant.results), 0) < TAKEN",
        do="plant.publishes = 1; put(plant.results, first(published_messages.message))",
    ),
)
"""Messages with an id, and the results that refer to it."""

COPIES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="source",
        scope="capture",
        doc="The first messages of a stream: new ones, and those that come back.",
        key={"publish": "(conn.vhost, pub.stream) if size < SMALL_FRAME else None"},
        most=4096,
    ),
    Action(
        on="publish",
        when="coalesce(pub.copied, 0) < COPIED and size < SMALL_FRAME and "
        "len(first(published_messages.message)) >= TELLING_COPY",
        do="pub.copied = coalesce(pub.copied, 0) + 1; "
        "pub.now = digest(first(published_messages.message)); "
        "pub.is_copy = 1 if has(plant.read, pub.now) else 0; "
        "pub.makes = 1 if pub.is_copy == 0 else pub.makes; "
        "put(source.new, pub.now if pub.is_copy == 0 else None); "
        "put(source.back, pub.now if pub.is_copy == 1 and pub.makes is None and "
        "has(source.new, pub.now) else None)",
    ),
)
"""Messages that are published again by a client that has read them."""

_GROUP_OF: Final = (
    "(conn.vhost, sub.stream, sub.reference) if sub.single == 'true' and "
    "sub.reference is not None else None"
)
GROUPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="bench",
        scope="capture",
        doc="How many members a group of single active consumers has.",
        key={"subscribe_response end:sub": _GROUP_OF},
        most=4096,
    ),
    Action(
        on="subscribe_response",
        when="response_code == 1",
        do="bench.members = coalesce(bench.members, 0) + 1; bench.latest_n = req.n; sub.seated = 1",
    ),
    Action(
        on="end:sub",
        when="sub.seated == 1",
        do="bench.members = bench.members - 1; bench.left_t = t",
    ),
)
"""Members of groups that wait."""

HANDLING: Final[tuple[Table, ...]] = (
    *CONSTANTS, *ORDER, *PLACES, *RESULTS, *COPIES, *GROUPS,
)  # fmt: skip
"""Added to the tables of `conversations`."""
